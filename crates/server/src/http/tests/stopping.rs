//! Beginning and end of a server.

use super::*;

#[tokio::test]
async fn handlers_know_the_peer_and_connections_are_used_again() {
    let server = Running::start();
    let mut stream = server.connect().await;
    let own = stream.local_addr().unwrap().to_string();
    for _ in 0..3 {
        ask(&mut stream, "/peer").await;
        let answer = until(&mut stream, &own).await;
        assert_open(&answer);
    }
}

#[tokio::test]
async fn a_stop_answers_pending_requests() {
    let server = Running::start();
    let mut busy = server.connect().await;
    ask(&mut busy, "/slow").await;
    let mut idle = server.connect().await;
    exchange(&mut idle, "/first").await;
    server.stop.send(()).unwrap();
    let answer = rest(&mut busy).await;
    assert!(answer.starts_with("HTTP/1.1 200"));
    assert!(rest(&mut idle).await.is_empty());
    assert_eq!(server.shutdown.await.unwrap(), Termination::Graceful);
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn a_stop_announces_the_close_of_a_connection() {
    let server = Running::with_timeouts(|timeouts| timeouts.drain_grace = NEVER);
    let mut stream = server.connect().await;
    exchange(&mut stream, "/first").await;
    // The system has accepted the connection; the server may not have.
    let mut fresh = server.connect().await;
    server.stop.send(()).unwrap();
    sleep(SOON).await;
    for stream in [&mut stream, &mut fresh] {
        ask(stream, "/last").await;
        let answer = rest(stream).await;
        assert_closing(&answer);
        assert!(answer.ends_with("/last"), "{answer}");
    }
    assert_eq!(server.shutdown.await.unwrap(), Termination::Graceful);
}

#[tokio::test]
async fn a_stop_ends_at_its_timeout() {
    let server = Running::with_timeouts(|timeouts| timeouts.shutdown = 2 * SOON);
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    // Connections are accepted in order: the server has the first one too.
    let mut other = server.connect().await;
    exchange(&mut other, "/first").await;
    drop(other);
    server.stop.send(()).unwrap();
    assert_eq!(
        server.shutdown.await.unwrap(),
        Termination::TimedOut { open: 1 }
    );
}

#[tokio::test]
async fn a_second_stop_ends_at_once() {
    let server = Running::start();
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    sleep(SOON).await;
    server.stop.send(()).unwrap();
    server.stop.send(()).unwrap();
    assert_eq!(server.shutdown.await.unwrap(), Termination::Forced);
}

#[tokio::test]
async fn an_address_in_use_is_refused() {
    let server = Running::start();
    let error = listen(server.address).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
}
