//! Beginning and end of a server.

use super::*;

#[tokio::test]
async fn handlers_know_the_peer_and_connections_are_used_again() {
    let server = Running::start(NO_TIMEOUTS);
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
async fn a_stop_answers_what_was_asked() {
    let server = Running::start(NO_TIMEOUTS);
    let mut busy = server.connect().await;
    ask(&mut busy, "/slow").await;
    let mut idle = server.connect().await;
    ask(&mut idle, "/first").await;
    until(&mut idle, "/first").await;
    server.stop.send(()).unwrap();
    let answer = rest(&mut busy).await;
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    assert!(rest(&mut idle).await.is_empty());
    assert_eq!(server.shutdown.await.unwrap(), Termination::Graceful);
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn a_connection_is_told_to_close_before_it_is_closed() {
    let server = Running::start(ConnectionTimeouts {
        drain_grace: NEVER,
        ..NO_TIMEOUTS
    });
    let mut stream = server.connect().await;
    ask(&mut stream, "/first").await;
    until(&mut stream, "/first").await;
    // The system has accepted the connection; the server may not have.
    let mut fresh = server.connect().await;
    server.stop.send(()).unwrap();
    sleep(SOON).await;
    for stream in [&mut stream, &mut fresh] {
        ask(stream, "/last").await;
        let answer = String::from_utf8(rest(stream).await).unwrap();
        assert!(answer.contains("connection: close"), "{answer}");
        assert!(answer.ends_with("/last"), "{answer}");
    }
    assert_eq!(server.shutdown.await.unwrap(), Termination::Graceful);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_ever() {
    let server = Running::start(ConnectionTimeouts {
        shutdown: 2 * SOON,
        ..NO_TIMEOUTS
    });
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    // Connections are accepted in order: the server has the first one too.
    let mut other = server.connect().await;
    ask(&mut other, "/first").await;
    until(&mut other, "/first").await;
    drop(other);
    server.stop.send(()).unwrap();
    assert_eq!(
        server.shutdown.await.unwrap(),
        Termination::TimedOut { open: 1 }
    );
}

#[tokio::test]
async fn a_second_stop_ends_at_once() {
    let server = Running::start(NO_TIMEOUTS);
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    sleep(SOON).await;
    server.stop.send(()).unwrap();
    server.stop.send(()).unwrap();
    assert_eq!(server.shutdown.await.unwrap(), Termination::Forced);
}

#[tokio::test]
async fn an_address_in_use_is_refused() {
    let server = Running::start(NO_TIMEOUTS);
    let error = listen(server.address).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
}
