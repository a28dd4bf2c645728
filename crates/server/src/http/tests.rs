//! Real sockets; times are short, and what is measured are the order and the bytes.

mod crowded;
mod early;
mod stopping;
mod waiting;

use api_http::Proxies;
use axum::{
    extract::{ConnectInfo, Request},
    routing::{get, post},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
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
    linger: NEVER,
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
        Self::with_descriptors(1024, patience)
    }

    /// A server to which the system allows so many open files.
    fn with_descriptors(descriptors: usize, patience: Patience) -> Self {
        let room = Room::new(descriptors, Proxies::default());
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
            tokio::spawn(
                async move { serve(listener, router, room, patience, &mut stopped).await },
            );
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
