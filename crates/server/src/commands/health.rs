//! `health`: checks the health of a server on this machine.

#[cfg(feature = "tls")]
use std::net::Ipv4Addr;
use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, bail};

#[cfg(feature = "tls")]
use crate::{certificates, settings::TlsSettings};
use crate::{output, settings::Settings};

/// Timeout of connecting, of sending and of each read.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of bytes that are read of the response.
const MAX_BYTES: u64 = 16 * 1024;

/// Requests `/healthz` at the address in the settings, with --domain by TLS, and succeeds if the status is 200.
///
/// # Errors
///
/// If no server answers there, or if it is not healthy.
pub(crate) fn run(settings: &Settings) -> anyhow::Result<String> {
    #[cfg(feature = "tls")]
    if let Some(tls) = &settings.tls {
        return over_tls(tls);
    }
    let listen = &settings.listen;
    if listen.port() == 0 {
        bail!("the port of the server is not known: set --listen to its address");
    }
    let cannot = || format!("no answer from {listen}");
    let address = listen.resolve_for_client().with_context(cannot)?;
    let answer = request_health(address, listen.host()).with_context(cannot)?;
    judge(&listen.to_string(), &answer)
}

/// Asks the server with TLS on this machine.
#[cfg(feature = "tls")]
fn over_tls(tls: &TlsSettings) -> anyhow::Result<String> {
    let name = tls.domains.first().context("no domain is set")?;
    let address = match TlsSettings::test_addresses() {
        Some([address, _]) => address,
        None => (Ipv4Addr::LOCALHOST, 443).into(),
    };
    let answer = connect(address).and_then(|socket| {
        let request = health_request(name);
        certificates::request_over_tls(socket, name, &request, MAX_BYTES)
    });
    let answer = answer.with_context(|| format!("no answer from {name} at {address}"))?;
    judge(name, &String::from_utf8_lossy(&answer))
}

/// The line about a server that is healthy.
fn judge(server: &str, answer: &str) -> anyhow::Result<String> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") {
        let detail = output::printable(body.trim());
        bail!(
            "{server} is not healthy: {} {detail}",
            output::printable(status)
        );
    }
    Ok(format!("{server} is healthy\n"))
}

/// Sends the request, and returns the response or its beginning.
fn request_health(address: SocketAddr, host: &str) -> io::Result<String> {
    let mut stream = connect(address)?;
    stream.write_all(health_request(host).as_bytes())?;
    let mut answer = Vec::new();
    stream.take(MAX_BYTES).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    Ok(stream)
}

fn health_request(host: &str) -> String {
    format!(
        "GET /healthz HTTP/1.1\r\nHost: {host}\r\nUser-Agent: events-calendar health\r\nConnection: close\r\n\r\n"
    )
}
