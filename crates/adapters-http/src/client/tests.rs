use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(2),
    idle: Duration::from_millis(500),
};

/// Serves each connection with the next of the responses, and then closes it. `{port}` in a response
/// is the port of the server. The requests are collected.
async fn serve(responses: Vec<&'static str>) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    tokio::spawn(async move {
        for response in responses {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(socket.read_u8().await.unwrap());
            }
            seen.lock()
                .unwrap()
                .push(String::from_utf8(request).unwrap());
            let response = response.replace("{port}", &port.to_string());
            socket.write_all(response.as_bytes()).await.unwrap();
            if response.ends_with("stall") {
                std::future::pending::<()>().await;
            }
        }
    });
    (port, requests)
}

fn local(port: u16) -> Url {
    Url::parse(&format!("http://127.0.0.1:{port}/")).unwrap()
}

#[tokio::test]
async fn no_request_reaches_an_address_that_is_not_public() {
    let (port, requests) = serve(vec!["HTTP/1.1 200 OK\r\n\r\n"]).await;
    let client = HttpClient::new(false, TIMEOUTS);
    for url in [
        local(port).as_str(),
        &format!("http://[::1]:{port}/"),
        "ftp://calendar.example/",
        "file:///etc/passwd",
        "https://ada:secret@calendar.example/",
    ] {
        let url = Url::parse(url).unwrap();
        let refused = client.get(&url, HeaderMap::new()).await.unwrap_err();
        assert_eq!(refused, RequestError::Forbidden, "{url}");
    }
    let by_name = Url::parse(&format!("http://localhost:{port}/")).unwrap();
    let refused = client.get(&by_name, HeaderMap::new()).await.unwrap_err();
    assert!(refused.to_string().ends_with("no public address"));
    assert!(requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn redirects_are_checked_and_bounded() {
    const SAME: &str = "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n";
    let client = HttpClient::new(true, TIMEOUTS);
    let (port, requests) = serve(vec![SAME; 9]).await;
    let endless = client.get(&local(port), HeaderMap::new()).await;
    assert!(matches!(endless, Err(RequestError::Redirects(_))));
    assert_eq!(requests.lock().unwrap().len(), 4);

    let (port, _) = serve(vec![
        "HTTP/1.1 301 Moved\r\nLocation: ftp://a.example/\r\n\r\n",
    ])
    .await;
    let elsewhere = client.get(&local(port), HeaderMap::new()).await;
    assert_eq!(
        elsewhere.unwrap_err(),
        RequestError::ForbiddenRedirect(local(port))
    );
}

/// A redirect to `webcal` is followed as one to `https`, which this server does not speak.
#[tokio::test]
async fn a_redirect_to_a_calendar_is_followed() {
    const CALENDAR: &str = "HTTP/1.1 302 Found\r\nLocation: webcal://127.0.0.1:{port}/b.ics\r\nContent-Length: 0\r\n\r\n";
    let (port, requests) = serve(vec![CALENDAR]).await;
    let followed = HttpClient::new(true, TIMEOUTS)
        .get(&local(port), HeaderMap::new())
        .await;
    assert!(
        matches!(followed, Err(RequestError::NoResponse(_))),
        "{followed:?}"
    );
    assert_eq!(requests.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn credentials_are_sent_to_their_origin_alone() {
    let (port, requests) = serve(vec![
        "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://localhost:{port}/c\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ])
    .await;
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, "Basic YQ==".parse().unwrap());
    let client = HttpClient::new(true, TIMEOUTS);
    let response = client.get(&local(port), headers).await.unwrap();
    assert_eq!(
        response.url().as_str(),
        format!("http://localhost:{port}/c")
    );
    assert_eq!(response.read(2).await.unwrap(), "ok");
    let requests = requests.lock().unwrap();
    let has_credentials = |request: &String| request.contains("authorization: Basic YQ==");
    let seen: Vec<_> = requests.iter().map(has_credentials).collect();
    assert_eq!(seen, [true, true, false]);
}

#[tokio::test]
async fn long_and_stalled_responses_end() {
    let (port, _) = serve(vec![
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345",
        "HTTP/1.1 200 OK\r\n\r\n12345",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nstall",
    ])
    .await;
    let client = HttpClient::new(true, TIMEOUTS);
    let read = async |limit| {
        let response = client.get(&local(port), HeaderMap::new()).await.unwrap();
        response.read(limit).await
    };
    assert_eq!(read(4).await, Err(RequestError::TooLarge(4)));
    assert_eq!(read(4).await, Err(RequestError::TooLarge(4)));
    assert!(matches!(read(9).await, Err(RequestError::NoResponse(_))));
    assert!(matches!(read(9).await, Err(RequestError::NoResponse(_))));
}

/// F-70: `webcal` means `https`.
#[test]
fn calendar_schemes_mean_https() {
    for (text, url) in [
        ("webcal://a.example/b?c=d", "https://a.example/b?c=d"),
        ("WEBCALS://a.example:444/", "https://a.example:444/"),
        (" http://a.example ", "http://a.example/"),
    ] {
        assert_eq!(parse_url(text).unwrap().as_str(), url);
    }
    assert_eq!(parse_url("calendar"), Err(RequestError::Forbidden));
}
