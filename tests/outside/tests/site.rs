//! The settings of a site at its public URL.

use app::{site::Site, test_support::*, write::NewEvent};
use domain::{
    Role,
    time::{EventTime, Zone},
};

#[tokio::test]
async fn events_have_the_host_of_the_site() -> Result<(), Box<dyn std::error::Error>> {
    let store = InMemoryStore::new();
    let editor = add_user(&store, "ada", Role::Editor).await;
    let site = Site::at("https://cal.example:8443");
    let calendar = calendar(store).site(site).await;

    let nine = at("2030-03-10 09:00:00").civil();
    let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    let cleanup = NewEvent::builder("River cleanup".parse()?, when).build();
    let added = calendar.create(editor, &cleanup).await?;
    assert!(added.event.details.uid.ends_with("@cal.example"));
    Ok(())
}
