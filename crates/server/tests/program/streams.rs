//! Streams and requests that wait for changes, while the server stops.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
    time::timeout,
};

use crate::{
    TIMEOUT,
    server::{Installation, Server, block_on},
};

/// Streams, and as many requests that wait.
const EACH: u8 = 250;

/// Streams and requests that wait at one address, as many as may.
const PER_ADDRESS: u8 = 20;

const STREAM: &str = "Accept: text/event-stream\r\n";

/// An open connection, with what was read so far.
struct Connection {
    socket: TcpStream,
    read: Vec<u8>,
}

impl Connection {
    /// Sends a request of a client behind a proxy.
    async fn send(server: &str, client: &str, query: &str, headers: &str) -> Self {
        let mut socket = TcpStream::connect(server).await.unwrap();
        let request = format!(
            "GET /cal/events/v1/changes?{query} HTTP/1.1\r\nHost: test\r\n\
             X-Forwarded-For: {client}\r\n{headers}\r\n"
        );
        socket.write_all(request.as_bytes()).await.unwrap();
        let read = Vec::new();
        Self { socket, read }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.read).into_owned()
    }

    /// Reads until a text has come.
    async fn until(&mut self, text: &str) {
        while !self.text().contains(text) {
            let length = self.socket.read_buf(&mut self.read).await.unwrap();
            assert_ne!(length, 0, "no {text}: {}", self.text());
        }
    }

    /// Reads until the server closes the connection.
    async fn end(mut self) -> String {
        let end = self.socket.read_to_end(&mut self.read);
        timeout(TIMEOUT, end).await.unwrap().unwrap();
        self.text()
    }
}

/// The address of a client among many.
fn address(network: u8, number: u8) -> String {
    format!("198.18.{network}.{}", number / PER_ADDRESS)
}

/// Stops a server with many streams and many requests that wait.
fn stop_under_waiting(installation: &Installation) {
    let log = installation.log("log");
    let mut command = installation.server(&["--trusted-proxy=127.0.0.1"]);
    let server = Server::run(command.stderr(log));
    let page = server.list("changes");
    let token = page["sync_token"].as_str().unwrap();
    block_on(async {
        let mut waiting = Vec::new();
        for number in 0..EACH {
            // Equal requests would share an answer.
            let query = format!(
                "sync_token={token}&wait=50&per_page={}",
                u16::from(number) + 1
            );
            let client = address(1, number);
            waiting.push(Connection::send(&server.address, &client, &query, "").await);
        }
        let mut streams = Vec::new();
        for number in 0..EACH {
            let client = address(2, number);
            let mut stream = Connection::send(&server.address, &client, "", STREAM).await;
            stream.until("event: ready\n").await;
            streams.push(stream);
        }
        let ends: JoinSet<_> = streams.into_iter().map(Connection::end).collect();
        let answers: JoinSet<_> = waiting.into_iter().map(Connection::end).collect();
        tokio::task::spawn_blocking(|| server.stop()).await.unwrap();
        for stream in ends.join_all().await {
            assert!(stream.ends_with("\r\n0\r\n\r\n"), "a torn stream: {stream}");
            assert!(!stream.contains("event: change"), "{stream}");
        }
        for answer in answers.join_all().await {
            assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
            assert!(answer.contains("\r\n\r\n{\"changes\":[],"), "{answer}");
            assert!(answer.contains(token), "{answer}");
        }
    });
    let log = installation.read("log");
    assert!(
        log.contains("\"stopped\""),
        "the server took too long: {log}"
    );
}

/// Y-53: at SIGTERM, 250 streams end, 250 requests that wait are answered without news, and the server ends before its
/// time limit of 9 s, as its log says.
#[test]
fn streams_end_with_the_server_on_sqlite() {
    stop_under_waiting(&Installation::sqlite());
}

/// Y-53 on PostgreSQL.
#[test]
fn streams_end_with_the_server_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        stop_under_waiting(&installation);
    }
}
