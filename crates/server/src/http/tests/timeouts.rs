//! Clients that let a timeout pass.

use super::*;

#[tokio::test]
async fn a_slow_head_is_not_waited_for() {
    let server = Running::with_timeouts(|timeouts| timeouts.head = SOON);
    let mut silent = server.connect().await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET / HTTP/1.1\r\nho").await.unwrap();
    assert!(rest(&mut silent).await.is_empty());
    assert!(rest(&mut slow).await.is_empty());
}

#[tokio::test]
async fn an_idle_connection_lives_longer_than_a_slow_head() {
    let server = Running::with_timeouts(|timeouts| timeouts.head = SOON);
    let mut stream = server.connect().await;
    for _ in 0..2 {
        exchange(&mut stream, "/first").await;
        sleep(3 * SOON).await;
    }
    // The first byte of the next head starts the head timeout.
    stream.write_all(b"G").await.unwrap();
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn an_idle_connection_is_closed_at_last() {
    let server = Running::with_timeouts(|timeouts| timeouts.idle = SOON);
    let mut stream = server.connect().await;
    exchange(&mut stream, "/first").await;
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn a_slow_handler_and_a_slow_body_are_no_slow_heads() {
    let server = Running::with_timeouts(|timeouts| {
        (timeouts.head, timeouts.idle) = (SOON, SOON);
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
    let server = Running::with_timeouts(|timeouts| timeouts.body = SOON);
    let mut stream = server.connect().await;
    let head = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na";
    stream.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 400"));
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_disconnected() {
    let server = Running::with_timeouts(|timeouts| timeouts.stall = SOON);
    let mut stream = server.connect().await;
    ask(&mut stream, "/big").await;
    sleep(5 * SOON).await;
    assert!(rest(&mut stream).await.len() < 64 << 20);
}

/// The work for a client that closes its connection is dropped.
#[tokio::test]
async fn a_client_that_goes_away_is_not_worked_for() {
    let server = Running::start();
    let until = async |requests: usize| {
        while server.stuck.load(Ordering::SeqCst) != requests {
            sleep(SOON / 10).await;
        }
    };
    let mut stream = server.connect().await;
    ask(&mut stream, "/stuck").await;
    until(1).await;
    drop(stream);
    assert!(timeout(NEVER, until(0)).await.is_ok());
}
