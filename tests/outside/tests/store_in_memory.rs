//! A test against the store in memory.

use app::test_support::{InMemoryStore, add_user, at, calendar};
use app::write::{NewEvent, ReadOptions};
use domain::event::EventFilter;
use domain::time::{EventTime, Zone};
use domain::{Event, Role, page::PageRequest, policy::Caller};

#[tokio::test]
async fn what_an_editor_adds_is_listed() -> Result<(), Box<dyn std::error::Error>> {
    let store = InMemoryStore::new();
    let editor = add_user(&store, "ada", Role::Editor).await;
    let calendar = calendar(store).await;

    let nine = at("2030-03-10 09:00:00").civil();
    let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    let cleanup = NewEvent::builder("River cleanup".parse()?, when).build();
    let added = calendar.create(editor, &cleanup).await?;

    let (all, first) = (EventFilter::default(), PageRequest::new(1, 10, 100));
    let (nobody, options) = (Caller::Anonymous, ReadOptions::default());
    let list = calendar
        .query::<Event>(nobody, None, all, first, &options)
        .await?;
    assert_eq!(list.rows[0].event, added.event);
    Ok(())
}
