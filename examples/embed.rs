//! Serves the calendar as a part of one's own axum program: a route of its own, and everything else
//! by the router of `api-http`. The store is an SQLite file, the clock that of the system, and there
//! are no images. The program asks itself for both pages and stops; yours would serve on.
//!
//! Run it with `cargo run -p examples --example embed`.

use std::{error::Error, net::SocketAddr, sync::Arc};

use adapters_db::DbOptions;
use api_http::AppState;
use app::{
    Calendar,
    auth::Accounts,
    ports::{Media, SystemClock},
    site::Site,
};
use axum::{Router, routing::get};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}/calendar.db", folder.path().display());
    let store = adapters_db::connect(&DbOptions::new(url)).await?;
    store.prepare().await?;

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let clock = Arc::new(SystemClock);
    let shared = Arc::new(store.clone());
    let public_url = format!("http://{address}");
    let site = Site::at(&public_url);
    let calendar = Calendar::new(shared.clone(), clock.clone(), Media::none(), site);
    let accounts = Accounts::new(shared, clock);
    let state = AppState::new(calendar.await?, accounts, &public_url);

    let program = Router::new()
        .route("/hello", get(async || "Hello from the program around the calendar."))
        .fallback_service(api_http::router(state));
    // The address of a client limits what one client may do.
    let service = program.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });

    let own = fetch(address, "/hello").await?;
    println!("/hello: {own}");
    assert_eq!(own, "Hello from the program around the calendar.");

    let events = fetch(address, "/cal/events/v1/events").await?;
    println!("/cal/events/v1/events: {events}");
    assert!(events.contains("\"total\":0"), "{events}");
    store.close().await?;
    Ok(())
}

/// The body of a page.
async fn fetch(address: SocketAddr, path: &str) -> Result<String, Box<dyn Error>> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    let (_, body) = response.split_once("\r\n\r\n").ok_or("no body")?;
    Ok(body.to_owned())
}
