//! Serves the calendar as a part of one's own axum program: a route and a login of its own, and
//! everything else by the router of `api-http`. The store is an SQLite file, the clock that of the
//! system, and there are no images. The program sends itself some requests and stops; yours would
//! serve on.
//!
//! Run it with `cargo run -p examples --example embed`.

use std::{collections::HashMap, error::Error, net::SocketAddr, sync::Arc};

use adapters_db::DbOptions;
use api_http::AppState;
use app::{
    Calendar,
    auth::Accounts,
    ports::{Media, SystemClock},
    site::Site,
};
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::Role;
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
    accounts.add_user("ada", Role::Editor, None).await?;
    let state = AppState::new(calendar.await?, accounts.clone(), &public_url);
    let sessions = HashMap::from([("session=1f4c".to_owned(), "ada".to_owned())]);
    let login = Arc::new(Login { sessions, accounts });

    let program = Router::new()
        .route("/hello", get(async || "Hello from the program around the calendar."))
        .fallback_service(api_http::router(state))
        .layer(from_fn_with_state(login, sign_in));
    // The address of a client limits what one client may do.
    let service = program.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });

    let own = fetch(address, "/hello", "").await?;
    println!("/hello: {own}");
    assert_eq!(own, "Hello from the program around the calendar.");

    let events = fetch(address, "/cal/events/v1/events", "").await?;
    println!("/cal/events/v1/events: {events}");
    assert!(events.contains("\"total\":0"), "{events}");

    let feeds = fetch(address, "/cal/events/v1/feeds", "session=1f4c").await?;
    println!("/cal/events/v1/feeds, of a user: {feeds}");
    assert!(feeds.contains("\"feeds\":[]"), "{feeds}");
    store.close().await?;
    Ok(())
}

/// The login of this program: the names of its users by the cookies of their sessions. Yours makes
/// random sessions, which end.
struct Login {
    sessions: HashMap<String, String>,
    accounts: Accounts,
}

/// Tells the router who sent a request, by an extension that no client can set. The user, with the
/// role and whether it is disabled, is read from the store of the calendar.
async fn sign_in(State(login): State<Arc<Login>>, mut request: Request, next: Next) -> Response {
    let cookie = request.headers().get(header::COOKIE).and_then(|value| value.to_str().ok());
    if let Some(name) = cookie.and_then(|cookie| login.sessions.get(cookie)) {
        match login.accounts.identity(name).await {
            Ok(Some(identity)) => request.extensions_mut().insert(identity),
            Ok(None) => return StatusCode::FORBIDDEN.into_response(),
            Err(_) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        };
    }
    let mut response = next.run(request).await;
    // Caches must not answer a user by what others see.
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Cookie"));
    response
}

/// The body of a page.
async fn fetch(address: SocketAddr, path: &str, cookie: &str) -> Result<String, Box<dyn Error>> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    let (_, body) = response.split_once("\r\n\r\n").ok_or("no body")?;
    Ok(body.to_owned())
}
