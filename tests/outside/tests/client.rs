//! The client library: a copy of a calendar.

use std::{collections::BTreeMap, convert::Infallible};

use app::{test_support::InMemoryStore, write::NewVenue};
use client::{
    Client,
    sync::{Finished, Mirror, RecordRef, SyncRecord},
};
use domain::Role;
use http_service::test_support::Service;

#[derive(Default)]
struct Names(BTreeMap<RecordRef, String>);

impl Mirror for Names {
    type Error = Infallible;

    async fn upsert(&mut self, record: SyncRecord) -> Result<(), Infallible> {
        self.0.insert(record.key(), record.name().to_owned());
        Ok(())
    }

    async fn remove(&mut self, record: RecordRef) -> Result<(), Infallible> {
        self.0.remove(&record);
        Ok(())
    }

    async fn finish(&mut self, finished: Finished<'_>) -> Result<(), Infallible> {
        self.0.retain(|record, _| finished.keeps(record));
        Ok(())
    }
}

#[tokio::test]
async fn a_copy_follows_its_calendar() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::over(InMemoryStore::new(), [api_http::endpoints()]).await;
    let editor = service.as_user("ada", Role::Editor).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let client = Client::new(&format!("http://{}", listener.local_addr()?))?;
    let answer = move |request| async move { editor.open(request).await };
    tokio::spawn(async { axum::serve(listener, axum::Router::new().fallback(answer)).await });

    let [mill, barn] = ["Old Mill".parse()?, "Barn".parse()?].map(NewVenue::builder);
    client.create(&mill.build()).await?;
    let mut names = Names::default();
    let token = client.feed().catch_up(&mut names, None).await?;
    client.create(&barn.build()).await?;
    client.feed().catch_up(&mut names, Some(&token)).await?;
    assert!(names.0.into_values().eq(["Old Mill", "Barn"]));
    Ok(())
}
