//! Answers that are given before the body of the request was read. The fallback of the test service
//! reads none.

use super::*;

/// Sends the head of a request, with a header about its body.
async fn post(stream: &mut TcpStream, path: &str, about_body: &str) {
    let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\n{about_body}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
}

#[tokio::test]
async fn a_short_body_that_comes_later_leaves_the_connection_usable() {
    let server = Running::start();
    let mut stream = server.connect().await;
    for round in 0..3 {
        let path = format!("/state{round}");
        post(&mut stream, &path, "content-length: 50000").await;
        // The response does not wait for the body.
        let answer = until(&mut stream, &path).await;
        assert_open(&answer);
        for part in [30_000, 20_000] {
            stream.write_all(&vec![b'x'; part]).await.unwrap();
            sleep(SOON / 4).await;
        }
    }
    exchange(&mut stream, "/next").await;
}

#[tokio::test]
async fn a_long_body_does_not_lose_the_answer() {
    const LENGTH: usize = 16 << 20;
    for about_body in [
        format!("content-length: {LENGTH}"),
        "transfer-encoding: chunked".to_owned(),
    ] {
        let server = Running::start();
        let mut stream = server.connect().await;
        post(&mut stream, "/state", &about_body).await;
        // The response has arrived; this client sends everything before it reads.
        sleep(SOON).await;
        if about_body.starts_with("transfer") {
            let size = format!("{LENGTH:x}\r\n");
            stream.write_all(size.as_bytes()).await.unwrap();
        }
        stream.write_all(&vec![b'x'; LENGTH]).await.unwrap();
        let mut answer = String::new();
        let read = timeout(NEVER, stream.read_to_string(&mut answer))
            .await
            .unwrap();
        assert!(read.is_ok(), "{about_body}: {read:?}");
        assert_closing(&answer);
        assert!(answer.ends_with("/state"), "{answer}");
    }
}

#[tokio::test]
async fn a_body_that_waits_for_100_continue_is_not_asked_for() {
    let server = Running::start();
    let mut stream = server.connect().await;
    let about_body = "content-length: 2\r\nexpect: 100-continue";
    post(&mut stream, "/state", about_body).await;
    let answer = rest(&mut stream).await;
    assert_closing(&answer);
    // A handler that reads the body makes the server send `100 Continue`.
    let mut stream = server.connect().await;
    post(&mut stream, "/echo", about_body).await;
    until(&mut stream, "HTTP/1.1 100 Continue\r\n\r\n").await;
    stream.write_all(b"ab").await.unwrap();
    let answer = until(&mut stream, "ab").await;
    assert_open(&answer);
}

#[tokio::test]
async fn a_short_body_that_does_not_come_is_not_waited_for() {
    let server = Running::with_timeouts(|timeouts| timeouts.body = SOON);
    let mut stream = server.connect().await;
    post(&mut stream, "/state", "content-length: 2").await;
    until(&mut stream, "/state").await;
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_client_that_stays_connected() {
    let server = Running::with_timeouts(|timeouts| timeouts.linger = SOON);
    let mut stream = server.connect().await;
    post(&mut stream, "/state", "content-length: 100000000").await;
    until(&mut stream, "/state").await;
    server.stop.send(()).unwrap();
    // Well before the shutdown timeout.
    assert_eq!(server.shutdown.await.unwrap(), Termination::Graceful);
}
