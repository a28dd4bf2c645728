//! Tests against servers of this machine.

use app::test_support::source;
use domain::{Id, source::SourceFormat};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    sync::mpsc,
};

use super::*;

/// A server that answers each request by what `answer` makes of its text. Returns its address, and the
/// requests.
async fn serve(
    answer: impl Fn(&str) -> Vec<u8> + Send + 'static,
) -> (String, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (seen, requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 8192];
            let length = stream.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let answer = answer(&request);
            if seen.send(request).is_err() {
                return;
            }
            if answer.is_empty() {
                // The connection stays open without an answer.
                std::mem::forget(stream);
            } else {
                stream.write_all(&answer).await.ok();
            }
        }
    });
    (address, requests)
}

fn response(head: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn at(url: &str) -> Source {
    Source {
        url: url.parse().unwrap(),
        ..source("Club", Id::from_raw(1))
    }
}

fn reader() -> Reader {
    Reader::with(true, Duration::from_secs(20))
}

async fn read(source: &Source) -> Result<SourceFile, ReadError> {
    reader().file(source, &Validators::default()).await
}

async fn failure(source: &Source) -> SourceFailure {
    read(source).await.unwrap_err().failure
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let (address, mut requests) = serve(|request| {
        if request.contains("if-none-match: \"5f\"") {
            response("304 Not Modified", "")
        } else {
            response(
                "200 OK\r\netag: \"5f\"\r\nlast-modified: then",
                "BEGIN:VCALENDAR",
            )
        }
    })
    .await;
    let source = at(&format!("{address}/secret.ics"));
    let Ok(SourceFile::Changed {
        content,
        validators,
    }) = read(&source).await
    else {
        panic!("the file is new");
    };
    assert_eq!(content, "BEGIN:VCALENDAR");
    assert_eq!(validators.last_modified.as_deref(), Some("then"));
    let again = reader().file(&source, &validators).await;
    assert_eq!(again, Ok(SourceFile::Unchanged));
    requests.recv().await.unwrap();
    let second = requests.recv().await.unwrap();
    assert!(second.contains("if-modified-since: then"), "{second}");
}

#[tokio::test]
async fn a_304_that_nobody_asked_for_is_a_failure() {
    let (address, _requests) = serve(|_| response("304 Not Modified", "")).await;
    assert_eq!(failure(&at(&address)).await, SourceFailure::Status(304));
}

#[tokio::test]
async fn a_busy_server_tells_a_pause() {
    for headers in [
        "retry-after: 7200",
        // The clock of the server measures its date.
        "date: Fri, 01 Jan 2027 00:00:00 GMT\r\nretry-after: Fri, 01 Jan 2027 02:00:00 GMT",
    ] {
        let status = format!("503 Unavailable\r\n{headers}");
        let (address, _requests) = serve(move |_| response(&status, "")).await;
        let error = read(&at(&address)).await.unwrap_err();
        assert_eq!(error.failure, SourceFailure::Status(503));
        assert_eq!(error.retry_after, Some(7200), "{headers}");
    }
}

#[tokio::test]
async fn hostile_servers_are_bounded() {
    let (endless, mut requests) = serve(|_| response("302 Found\r\nlocation: /again", "")).await;
    assert_eq!(failure(&at(&endless)).await, ReadFault::Redirects.into());
    let mut count = 0;
    while requests.try_recv().is_ok() {
        count += 1;
    }
    assert_eq!(count, 4);

    let (huge, _requests) =
        serve(|_| b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\nBEGIN".to_vec()).await;
    assert_eq!(failure(&at(&huge)).await, ReadFault::TooLarge.into());

    let (silent, _requests) = serve(|_| Vec::new()).await;
    let impatient = Reader::with(true, Duration::from_millis(200));
    let slow = impatient.file(&at(&silent), &Validators::default()).await;
    assert_eq!(slow.unwrap_err().failure, ReadFault::TooSlow.into());

    let closed = at("http://127.0.0.1:1/secret");
    assert_eq!(failure(&closed).await, ReadFault::Unreachable.into());
}

#[tokio::test]
async fn private_addresses_get_no_request() {
    let (address, mut requests) = serve(|_| response("200 OK", "BEGIN:VCALENDAR")).await;
    let port = address.rsplit(':').next().unwrap();
    let careful = Reader::with(false, Duration::from_secs(20));
    let forbidden = ReadFault::ForbiddenAddress.into();
    for url in [address.clone(), format!("http://localhost:{port}/")] {
        let refused = careful.file(&at(&url), &Validators::default()).await;
        assert_eq!(refused.unwrap_err().failure, forbidden, "{url}");
    }
    assert!(requests.try_recv().is_err());
}

#[tokio::test]
async fn headers_are_for_the_server_of_the_source_alone() {
    let (other, mut of_other) = serve(|_| response("200 OK", "BEGIN:VCALENDAR")).await;
    let redirect = response(&format!("302 Found\r\nlocation: {other}/b"), "");
    let (first, mut of_first) = serve(move |_| redirect.clone()).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("headers");
    fs::write(&file, "Authorization: Bearer 5f2a\nX-Key: 5f2b\n").unwrap();
    let source = Source {
        header_file: Some(file.display().to_string().into()),
        ..at(&first)
    };
    assert!(read(&source).await.is_ok());
    let sent = of_first.recv().await.unwrap();
    assert!(sent.contains("authorization: Bearer 5f2a") && sent.contains("x-key: 5f2b"));
    let sent = of_other.recv().await.unwrap();
    assert!(!sent.contains("5f2"), "{sent}");

    fs::write(&file, "no colon").unwrap();
    assert_eq!(failure(&source).await, ReadFault::HeaderFile.into());
    fs::remove_file(&file).unwrap();
    assert_eq!(failure(&source).await, ReadFault::HeaderFile.into());
}

#[tokio::test]
async fn a_page_is_no_site() {
    let (address, _requests) = serve(|_| response("404 Not Found", "{}")).await;
    let source = Source {
        format: SourceFormat::Site,
        ..at(&address)
    };
    let found = reader().site(&source).await;
    assert_eq!(found.err().unwrap().failure, ReadFault::NoCalendar.into());
}
