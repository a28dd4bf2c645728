//! More connections than the limit.

use std::io::Write;

use super::*;

/// Allows 72 connections: 68 regular and 4 overflow ones, 2 of these for one address.
const DESCRIPTORS: usize = 200;
const REGULAR: usize = 68;

/// Opens connections that have had a response and are idle.
async fn idle(server: &Running, number: usize) -> Vec<TcpStream> {
    let mut idle = Vec::new();
    for _ in 0..number {
        let mut stream = server.connect().await;
        exchange(&mut stream, "/idle").await;
        idle.push(stream);
    }
    idle
}

/// Sends a request from this address, and returns the response.
async fn answer_to(server: &Running, from: [u8; 4]) -> String {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((from, 0).into()).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    ask(&mut stream, "/late").await;
    rest(&mut stream).await
}

#[tokio::test]
async fn a_client_is_answered_while_others_hold_all_connections() {
    let server = Running::with(DESCRIPTORS, |_| ());
    let idle = idle(&server, REGULAR).await;
    // The same address gets an overflow connection.
    let answer = answer_to(&server, [127, 0, 0, 1]).await;
    assert_closing(&answer);
    // Two connections that send nothing.
    let silent = [server.connect().await, server.connect().await];
    let answer = answer_to(&server, [127, 0, 0, 1]).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("retry-after: "), "{answer}");
    // Other addresses are answered, except the few that share a counter with the first.
    let mut answered = 0;
    for host in 2..=5 {
        let answer = answer_to(&server, [127, 0, 0, host]).await;
        answered += u32::from(answer.starts_with("HTTP/1.1 200"));
    }
    assert!(answered >= 3, "{answered}");
    drop((idle, silent));
    // The server notices the closed connections after a short time.
    let regular = async {
        loop {
            let mut stream = server.connect().await;
            ask(&mut stream, "/late").await;
            let mut answer = vec![0; 64 * 1024];
            let length = stream.read(&mut answer).await.unwrap();
            let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
            if answer.starts_with("HTTP/1.1 200") && !answer.contains("connection: close") {
                break;
            }
        }
    };
    timeout(NEVER, regular).await.unwrap();
}

#[tokio::test]
async fn a_stop_answers_connections_in_the_accept_queue() {
    let server = Running::with(DESCRIPTORS, |_| ());
    let _idle = idle(&server, REGULAR).await;
    // The server runs on this thread: it accepts none of them before the signal.
    let waiting = [(); 2].map(|()| {
        let mut stream = std::net::TcpStream::connect(server.address).unwrap();
        stream
            .write_all(b"GET /waiting HTTP/1.1\r\nhost: x\r\n\r\n")
            .unwrap();
        stream
    });
    server.stop.send(()).unwrap();
    for stream in waiting {
        stream.set_nonblocking(true).unwrap();
        let mut stream = TcpStream::from_std(stream).unwrap();
        let answer = rest(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert_eq!(server.shutdown.await.unwrap(), Termination::Graceful);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_listener_that_refuses_connections_keeps_its_queue() {
    let listener = listen(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    let waiting = TcpStream::connect(address).await.unwrap();
    assert!(listener.refuse_new());
    assert!(timeout(SOON, TcpStream::connect(address)).await.is_err());
    let (accepted, _) = listener.accept().await.unwrap();
    assert_eq!(accepted.peer_addr().unwrap(), waiting.local_addr().unwrap());
    assert!(timeout(SOON, listener.accept()).await.is_err());
}
