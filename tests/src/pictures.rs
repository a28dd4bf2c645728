//! Pictures for tests, and an HTTP server that serves some.

use std::{
    io::Cursor,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Router,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// A picture of a width and height in an image format.
pub fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let pixels = RgbImage::from_fn(width, height, |x, y| Rgb([x, y, x ^ y].map(low)));
    let mut file = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(pixels)
        .write_to(&mut file, format)
        .unwrap();
    file.into_inner()
}

fn low(number: u32) -> u8 {
    number.to_le_bytes()[0]
}

/// A PNG.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    picture(width, height, ImageFormat::Png)
}

/// The multipart form of one file, and its content type.
pub fn form(name: &str, content_type: Option<&str>, content: &[u8]) -> (String, Vec<u8>) {
    let content_type =
        content_type.map_or_else(String::new, |said| format!("Content-Type: {said}\r\n"));
    let mut body = format!(
        "--limit\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--limit\r\n\
         Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n{content_type}\r\n"
    )
    .into_bytes();
    body.extend(content);
    body.extend(b"\r\n--limit--\r\n");
    ("multipart/form-data; boundary=limit".to_owned(), body)
}

/// An HTTP server on this machine that counts its requests.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// Its address.
    pub address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Elsewhere {
    /// Starts the server.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let elsewhere = Self {
            address: listener.local_addr().unwrap(),
            asked: Arc::default(),
        };
        let router = Router::new()
            .route("/{*what}", get(answer))
            .with_state(elsewhere.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        elsewhere
    }

    /// One of its URLs.
    pub fn url(&self, what: &str) -> String {
        format!("http://{}/{what}", self.address)
    }

    /// The number of requests so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn answer(Path(what): Path<String>, State(elsewhere): State<Elsewhere>) -> Response {
    elsewhere.asked.fetch_add(1, Ordering::SeqCst);
    let image = |kind: &'static str, content: Vec<u8>| ([(header::CONTENT_TYPE, kind)], content);
    match what.as_str() {
        "missing.png" => StatusCode::NOT_FOUND.into_response(),
        "page" => image("text/html", b"<p>hello</p>".to_vec()).into_response(),
        "text.png" => image("image/png", b"hello".to_vec()).into_response(),
        "gif.png" => image("image/png", picture(5, 5, ImageFormat::Gif)).into_response(),
        "long.png" => image("image/png", vec![0; 11 * 1024 * 1024]).into_response(),
        "moved.png" => Redirect::temporary("/there.png").into_response(),
        "circle" => Redirect::temporary("/circle").into_response(),
        "outside" => Redirect::temporary("ftp://example.org/a.png").into_response(),
        _ => image("image/png", png(400, 200)).into_response(),
    }
}
