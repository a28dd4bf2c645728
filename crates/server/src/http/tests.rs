//! Real sockets; times are short, and what is measured are the order and the bytes.

use axum::{
    extract::{ConnectInfo, Request},
    routing::{get, post},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use super::*;

/// Shorter than anything here takes.
const SOON: Duration = Duration::from_millis(100);
/// Longer than anything here takes.
const NEVER: Duration = Duration::from_secs(30);

const PATIENT: Patience = Patience {
    head: NEVER,
    body: NEVER,
    idle: NEVER,
    stalled: NEVER,
    farewell: SOON,
    stop: NEVER,
};

struct Running {
    address: SocketAddr,
    stop: UnboundedSender<()>,
    ending: JoinHandle<Ending>,
}

impl Running {
    fn start(patience: Patience) -> Self {
        let listener = listen(([127, 0, 0, 1], 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route(
                "/peer",
                get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() }),
            )
            .route("/slow", get(|| async { sleep(3 * SOON).await }))
            .route("/stuck", get(std::future::pending::<()>))
            .route("/big", get(|| async { "x".repeat(64 << 20) }))
            .route("/echo", post(|body: String| async { body }))
            .fallback(|request: Request| async move { request.uri().to_string() });
        let (stop, mut stopped) = unbounded_channel();
        let ending =
            tokio::spawn(async move { serve(listener, router, patience, &mut stopped).await });
        Self {
            address,
            stop,
            ending,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

async fn ask(stream: &mut TcpStream, path: &str) {
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
}

/// What comes until the text.
async fn until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    while !text.ends_with(end) {
        text.push(char::from(stream.read_u8().await.unwrap()));
    }
    text
}

/// Everything that comes until the connection is closed.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A reset is an end too.
    let _ = timeout(NEVER, stream.read_to_end(&mut bytes))
        .await
        .unwrap();
    bytes
}

#[tokio::test]
async fn handlers_know_the_peer_and_connections_are_used_again() {
    let server = Running::start(PATIENT);
    let mut stream = server.connect().await;
    let own = stream.local_addr().unwrap().to_string();
    for _ in 0..3 {
        ask(&mut stream, "/peer").await;
        let answer = until(&mut stream, &own).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(!answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn a_slow_head_is_not_waited_for() {
    let server = Running::start(Patience {
        head: SOON,
        ..PATIENT
    });
    let mut silent = server.connect().await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET / HTTP/1.1\r\nho").await.unwrap();
    assert!(rest(&mut silent).await.is_empty());
    assert!(rest(&mut slow).await.is_empty());
}

#[tokio::test]
async fn an_idle_connection_lives_longer_than_a_slow_head() {
    let server = Running::start(Patience {
        head: SOON,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    for _ in 0..2 {
        ask(&mut stream, "/first").await;
        until(&mut stream, "/first").await;
        sleep(3 * SOON).await;
    }
    // The first byte of the next head ends the patience.
    stream.write_all(b"G").await.unwrap();
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn an_idle_connection_is_closed_at_last() {
    let server = Running::start(Patience {
        idle: SOON,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    ask(&mut stream, "/first").await;
    until(&mut stream, "/first").await;
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn a_slow_handler_and_a_slow_body_are_no_slow_heads() {
    let server = Running::start(Patience {
        head: SOON,
        idle: SOON,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na";
    stream.write_all(head.as_bytes()).await.unwrap();
    sleep(3 * SOON).await;
    stream.write_all(b"b").await.unwrap();
    until(&mut stream, "ab").await;
    ask(&mut stream, "/slow").await;
    until(&mut stream, "\r\n\r\n").await;
}

#[tokio::test]
async fn a_body_that_does_not_come_is_an_error_of_the_handler() {
    let server = Running::start(Patience {
        body: SOON,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na";
    stream.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut stream).await.starts_with(b"HTTP/1.1 400"));
}

#[tokio::test]
async fn who_takes_nothing_of_an_answer_is_given_up() {
    let server = Running::start(Patience {
        stalled: SOON,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    ask(&mut stream, "/big").await;
    sleep(5 * SOON).await;
    assert!(rest(&mut stream).await.len() < 64 << 20);
}

#[tokio::test]
async fn a_stop_answers_what_was_asked() {
    let server = Running::start(PATIENT);
    let mut busy = server.connect().await;
    ask(&mut busy, "/slow").await;
    let mut idle = server.connect().await;
    ask(&mut idle, "/first").await;
    until(&mut idle, "/first").await;
    server.stop.send(()).unwrap();
    let answer = rest(&mut busy).await;
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    assert!(rest(&mut idle).await.is_empty());
    assert_eq!(server.ending.await.unwrap(), Ending::Orderly);
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn a_connection_is_told_to_close_before_it_is_closed() {
    let server = Running::start(Patience {
        farewell: NEVER,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    ask(&mut stream, "/first").await;
    until(&mut stream, "/first").await;
    // Accepted by the system, perhaps not by the server.
    let mut fresh = server.connect().await;
    server.stop.send(()).unwrap();
    sleep(SOON).await;
    for stream in [&mut stream, &mut fresh] {
        ask(stream, "/last").await;
        let answer = String::from_utf8(rest(stream).await).unwrap();
        assert!(answer.contains("connection: close"), "{answer}");
        assert!(answer.ends_with("/last"), "{answer}");
    }
    assert_eq!(server.ending.await.unwrap(), Ending::Orderly);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_ever() {
    let server = Running::start(Patience {
        stop: 2 * SOON,
        ..PATIENT
    });
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    // Answered in order: the server has the first, too.
    let mut other = server.connect().await;
    ask(&mut other, "/first").await;
    until(&mut other, "/first").await;
    drop(other);
    server.stop.send(()).unwrap();
    assert_eq!(server.ending.await.unwrap(), Ending::TimeOver { open: 1 });
}

#[tokio::test]
async fn a_second_stop_ends_at_once() {
    let server = Running::start(PATIENT);
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    sleep(SOON).await;
    server.stop.send(()).unwrap();
    server.stop.send(()).unwrap();
    assert_eq!(server.ending.await.unwrap(), Ending::AtOnce);
}

#[tokio::test]
async fn an_address_in_use_is_refused() {
    let server = Running::start(PATIENT);
    let error = listen(server.address).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
}
