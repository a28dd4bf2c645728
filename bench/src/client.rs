//! A client with one persistent connection and little CPU time.

use std::{
    fmt,
    net::{Ipv4Addr, SocketAddr},
};

use anyhow::{Context, bail};
use base64::{Engine, prelude::BASE64_STANDARD};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

/// The host in responses, which makes them equal on every port.
pub(crate) const HOST: &str = "bench.example";

/// A request, ready to be sent.
#[derive(Clone)]
pub(crate) struct Request(Vec<u8>);

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.0);
        f.write_str(text.lines().next().unwrap_or_default())
    }
}

impl Request {
    /// A `GET` of a path.
    pub(crate) fn get(path: &str) -> Self {
        Self(format!("GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n").into_bytes())
    }

    /// A `GET` of a path for a client that has the response with an entity tag.
    pub(crate) fn if_none_match(path: &str, tag: &str) -> Self {
        Self(
            format!("GET {path} HTTP/1.1\r\nHost: {HOST}\r\nIf-None-Match: {tag}\r\n\r\n")
                .into_bytes(),
        )
    }

    /// A `GET` of a path with further headers, each with its end of line.
    pub(crate) fn with_headers(path: &str, headers: &str) -> Self {
        Self(format!("GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{headers}\r\n").into_bytes())
    }

    /// A `GET` of a path by the administrator with a token, or by anybody, for a client that may have the response with an
    /// entity tag.
    pub(crate) fn get_as(path: &str, token: Option<&str>, tag: Option<&str>) -> Self {
        let token = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
        let tag = tag.map(|tag| format!("If-None-Match: {tag}\r\n"));
        let headers: Vec<_> = token.into_iter().chain(tag).collect();
        Self::with_headers(path, &headers.concat())
    }

    /// A request with JSON by the administrator with this token.
    pub(crate) fn json(method: &str, path: &str, token: &str, json: &str) -> Self {
        let login = BASE64_STANDARD.encode(format!("admin:{token}"));
        let length = json.len();
        Self(
            format!(
                "{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Basic {login}\r\n\
                 Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{json}"
            )
            .into_bytes(),
        )
    }
}

/// A response. The body borrows the buffer of the connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        Self::new(TcpStream::connect(address).await?)
    }

    /// Connects from an address of this machine, as a client of its own.
    pub(crate) async fn connect_from(own: Ipv4Addr, address: SocketAddr) -> anyhow::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((own, 0).into())?;
        Self::new(socket.connect(address).await?)
    }

    fn new(stream: TcpStream) -> anyhow::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(1 << 17),
        })
    }

    /// Sends a request, and receives the whole response.
    pub(crate) async fn send(&mut self, request: &Request) -> anyhow::Result<Response<'_>> {
        self.stream.write_all(&request.0).await?;
        self.buffer.clear();
        let (head, length) = loop {
            self.receive().await?;
            if let Some(end) = end_of_head(&self.buffer) {
                break (end, length(&self.buffer[..end])?);
            }
        };
        while self.buffer.len() < head + length {
            self.receive().await?;
        }
        let status = self.buffer.get(9..12).unwrap_or_default();
        let status = std::str::from_utf8(status)?.parse().context("no status")?;
        let body = &self.buffer[head..head + length];
        Ok(Response { status, body })
    }

    /// The entity tag of the response to a request.
    pub(crate) async fn tag(&mut self, request: &Request) -> anyhow::Result<String> {
        let length = self.send(request).await?.body.len();
        let head = String::from_utf8_lossy(&self.buffer[..self.buffer.len() - length]).into_owned();
        let tag = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("etag")
                .then(|| value.trim().to_owned())
        });
        tag.context("a response without an entity tag")
    }

    /// Sends a request, and gives the parts of the response of any length to a function. Returns the
    /// head.
    pub(crate) async fn stream(
        &mut self,
        request: &Request,
        mut part: impl FnMut(&[u8]),
    ) -> anyhow::Result<String> {
        self.stream.write_all(&request.0).await?;
        self.buffer.clear();
        let begin = loop {
            self.receive().await?;
            if let Some(end) = end_of_head(&self.buffer) {
                break end;
            }
        };
        let head = String::from_utf8_lossy(&self.buffer[..begin]).into_owned();
        let mut left = length(head.as_bytes()).ok();
        let mut end = Vec::new();
        self.buffer.drain(..begin);
        loop {
            part(&self.buffer);
            // The last chunk of a response without a length is empty.
            end.extend_from_slice(&self.buffer);
            end.drain(..end.len().saturating_sub(LAST_CHUNK.len()));
            left = left.map(|left| left.saturating_sub(self.buffer.len()));
            if left == Some(0) || (left.is_none() && end == LAST_CHUNK) {
                return Ok(head);
            }
            self.buffer.clear();
            self.receive().await?;
        }
    }

    async fn receive(&mut self) -> anyhow::Result<()> {
        if self.buffer.len() == self.buffer.capacity() {
            self.buffer.reserve(self.buffer.len());
        }
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }
}

/// The end of a response in chunks.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// The offset of the body.
fn end_of_head(buffer: &[u8]) -> Option<usize> {
    let end = buffer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(end + 4)
}

/// The length of the body, in bytes.
fn length(head: &[u8]) -> anyhow::Result<usize> {
    let head = std::str::from_utf8(head)?;
    if head.starts_with("HTTP/1.1 304") {
        return Ok(0);
    }
    let mut lengths = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    });
    lengths.next().context("a response without a length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_read_from_the_head() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nabc";
        let end = end_of_head(answer).unwrap();
        assert_eq!(&answer[end..], b"abc");
        assert_eq!(length(&answer[..end]).unwrap(), 12);
        assert!(length(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
