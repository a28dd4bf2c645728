//! Tests on real sockets. Timeouts are short; assertions are about order and bytes.

mod early;
mod feeds;
mod full;
mod stopping;
mod timeouts;

use std::sync::atomic::AtomicUsize;

use axum::{
    extract::{ConnectInfo, Request},
    routing::{get, post},
};
use http_service::Proxies;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use super::*;

/// The timeout under test, and the unit of waits.
const SOON: Duration = Duration::from_millis(100);
/// A timeout that no test reaches.
const NEVER: Duration = Duration::from_secs(30);

struct Running {
    address: SocketAddr,
    stop: UnboundedSender<()>,
    shutdown: JoinHandle<Termination>,
    /// The number of requests for `/stuck` in progress.
    stuck: Arc<AtomicUsize>,
}

/// Counts a request until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(counter: &Arc<AtomicUsize>) -> Self {
        counter.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(counter))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Running {
    /// A server whose timeouts no test reaches.
    fn start() -> Self {
        Self::with(1024, |_| ())
    }

    /// A server with other timeouts.
    fn with_timeouts(change: impl FnOnce(&mut ConnectionTimeouts)) -> Self {
        Self::with(1024, change)
    }

    /// A server with a limit of open files, and with other timeouts.
    fn with(descriptors: usize, change: impl FnOnce(&mut ConnectionTimeouts)) -> Self {
        let stuck = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&stuck);
        let is_stuck = async move || {
            let _until_dropped = Counted::new(&counter);
            std::future::pending::<()>().await;
        };
        let router = Router::new()
            .route(
                "/peer",
                get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() }),
            )
            .route("/slow", get(|| async { sleep(3 * SOON).await }))
            .route("/stuck", get(is_stuck))
            .route("/big", get(|| async { "x".repeat(64 << 20) }))
            .route("/echo", post(|body: String| async { body }))
            .fallback(|request: Request| async move { request.uri().to_string() });
        Self {
            stuck,
            ..Self::over(router, descriptors, change)
        }
    }

    /// A server of any routes.
    fn over(
        router: Router,
        descriptors: usize,
        change: impl FnOnce(&mut ConnectionTimeouts),
    ) -> Self {
        let mut timeouts = ConnectionTimeouts {
            head: NEVER,
            body: NEVER,
            idle: NEVER,
            stall: NEVER,
            linger: NEVER,
            drain_grace: SOON,
            shutdown: NEVER,
        };
        change(&mut timeouts);
        let limit = ConnectionLimit::new(descriptors, Proxies::default());
        let listener = listen(([127, 0, 0, 1], 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, mut stopped) = unbounded_channel();
        let shutdown = tokio::spawn(async move {
            let main = Entrance {
                listener,
                router,
                encryption: None,
            };
            let entrances = Entrances {
                main,
                redirect: None,
            };
            serve(entrances, limit, timeouts, &mut stopped, || ()).await
        });
        Self {
            address,
            stop,
            shutdown,
            stuck: Arc::default(),
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

/// Sends a request for a path.
async fn ask(stream: &mut TcpStream, path: &str) {
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
}

/// Reads until the text `end`.
async fn until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    while !text.ends_with(end) {
        text.push(char::from(stream.read_u8().await.unwrap()));
    }
    text
}

/// Sends a request for a path, which the response ends with.
async fn exchange(stream: &mut TcpStream, path: &str) -> String {
    ask(stream, path).await;
    until(stream, path).await
}

/// Reads until the connection is closed.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset ends the connection too.
    let _ = timeout(NEVER, stream.read_to_end(&mut bytes))
        .await
        .unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Checks that a request succeeded and that its connection stays open.
#[track_caller]
fn assert_open(answer: &str) {
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(!answer.contains("connection: close"), "{answer}");
}

/// Checks that a request succeeded and that its connection is closed.
#[track_caller]
fn assert_closing(answer: &str) {
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}
