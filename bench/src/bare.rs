//! The limit: an axum server of constant bytes, with the same runtime and allocator.

use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
};

use anyhow::Context;
use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, header},
    routing::get,
};

/// Serves the file `NUMBER` of a folder at `/NUMBER`, until the process is killed.
pub(crate) async fn serve(folder: &Path) -> anyhow::Result<()> {
    let mut router = Router::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.context("the name of a file")?;
        let body = Bytes::from(std::fs::read(&path)?);
        let answer = async move || {
            let kind: (HeaderName, &str) = (header::CONTENT_TYPE, "application/json");
            ([kind], body)
        };
        router = router.route(&format!("/{name}"), get(answer));
    }
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let listener = tokio::net::TcpListener::bind(any).await?;
    let address = listener.local_addr()?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "listening on {address}")?;
    out.flush()?;
    drop(out);
    axum::serve(listener, router).await?;
    Ok(())
}
