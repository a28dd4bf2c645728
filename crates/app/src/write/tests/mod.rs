//! Typed writes and reads of the in-memory store.

mod fields;
mod query;
mod times;

use domain::{
    Event, Id, Image, Role, Stored, UserId,
    image::{AltTexts, Dimensions, ImageFormat, ImageName},
    policy::Caller,
    text::Title,
    time::{EventTime, Zone, parse_civil},
};

use super::{New, NewEvent, Update, WriteInput};
use crate::{
    calendar::{Calendar, Precondition},
    resource::Resource,
    test_support::{InMemoryStore, add_user, at, calendar, in_unit},
};

/// A calendar in memory, with two users and an image.
struct World {
    calendar: Calendar,
    store: InMemoryStore,
    editor: Caller,
    other: UserId,
    image: Stored<Image>,
}

impl World {
    async fn new() -> Self {
        let store = InMemoryStore::new();
        let editor = add_user(&store, "ada", Role::Editor).await;
        let other = add_user(&store, "bob", Role::Author).await;
        let created = at("2029-12-01 12:00:00");
        let image = Image {
            uploader: editor.user().unwrap(),
            name: ImageName::new(created, "Bank.gif"),
            format: ImageFormat::Gif,
            dimensions: Dimensions::new(12, 8).unwrap(),
            filesize: 9,
            sizes: Vec::new(),
            created,
            modified: created,
            alt: AltTexts::default(),
            source: None,
        };
        let image = in_unit(&store, async |unit| unit.images().insert(image).await);
        Self {
            image: image.await.unwrap(),
            calendar: calendar(store.clone()).await,
            store,
            editor,
            other: other.user().unwrap(),
        }
    }

    async fn create<R: Resource>(&self, input: &WriteInput<R, New>) -> Stored<R> {
        let all = async || {
            let ids: Vec<_> = (1..300).map(Id::from_raw).collect();
            R::repository(&self.store).find_many(&ids).await.unwrap()
        };
        let before = all().await.into_iter().map(|record| record.id).max();
        self.calendar.create(self.editor, input).await.unwrap();
        // A series has a smaller ID than its occurrences.
        let new = all()
            .await
            .into_iter()
            .find(|record| Some(record.id) > before);
        new.unwrap()
    }

    async fn update<R: Resource>(&self, id: Id<R>, input: &WriteInput<R, Update>) -> Stored<R> {
        let any = Precondition::Any;
        let done = self
            .calendar
            .update(self.editor, id.into(), &any, input)
            .await;
        done.unwrap();
        R::repository(&self.store).find(id).await.unwrap().unwrap()
    }

    /// A public event at noon.
    async fn event(&self, text: &str) -> Stored<Event> {
        self.create(&NewEvent::builder(title(text), noon()).build())
            .await
    }
}

fn title(text: &str) -> Title {
    text.parse().unwrap()
}

/// The first of June 2030 at noon, in UTC.
fn noon() -> EventTime {
    time("UTC", "2030-06-01 12:00:00", "2030-06-01 12:00:00", false)
}

fn time(zone: &str, start: &str, end: &str, all_day: bool) -> EventTime {
    let [start, end] = [start, end].map(|time| parse_civil(time).unwrap());
    EventTime::new(zone.parse::<Zone>().unwrap(), start, end, all_day).unwrap()
}
