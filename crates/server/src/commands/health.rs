//! `health`: ask a server on this machine whether it is healthy.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, bail};

use crate::{output, settings::Settings};

/// How long connecting, sending and each read may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Bytes of the answer that are read at the most.
const MOST: u64 = 16 * 1024;

/// Asks `/healthz` at the address in the settings, and succeeds if the answer has the status 200.
///
/// # Errors
///
/// If no server answers there, or if it is not healthy.
pub(crate) fn run(settings: &Settings) -> anyhow::Result<ExitCode> {
    let listen = &settings.listen;
    if listen.port() == 0 {
        bail!("the port of the server is not known: set --listen to its address");
    }
    let cannot = || format!("no answer from {listen}");
    let address = listen.resolve_for_client().with_context(cannot)?;
    let answer = ask(address, &listen.host()).with_context(cannot)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") {
        let said = output::printable(body.trim());
        bail!(
            "{listen} is not healthy: {} {said}",
            output::printable(status)
        );
    }
    output::print_list(&format!("{listen} is healthy\n")).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// The answer to a request, or its beginning.
fn ask(address: SocketAddr, host: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: {host}\r\nUser-Agent: events-calendar health\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(MOST).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
