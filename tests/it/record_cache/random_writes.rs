//! Random writes of every kind.

use app::{
    ports::{Repositories, SlugRequest, SlugRequests},
    resource::Resource,
    test_support::{START, at, category, event, organizer, tag, venue},
};
use domain::{
    Event, EventId, Id, Image, ImageId, Language, Organizer, Record, Status, Stored, Translation,
    Venue,
    image::{AltTexts, Dimensions, ImageFormat, ImageName},
    slug::Slug,
    text::Title,
};

use port_tests::Dice;

use super::ids;

/// Random writes within a unit of work.
pub(super) struct Writes<'a> {
    pub(super) dice: &'a mut Dice,
    pub(super) unit: &'a dyn Repositories,
}

impl Writes<'_> {
    /// A random record of a kind; `None` if there is none.
    async fn one<R: Resource>(&mut self) -> Option<Stored<R>> {
        let all = R::repository(self.unit).find_many(&ids()).await.unwrap();
        (!all.is_empty()).then(|| self.dice.pick(&all))
    }

    async fn id<R: Resource>(&mut self) -> Option<Id<R>> {
        self.one().await.map(|record| record.id)
    }

    async fn event(&mut self) -> Event {
        let mut event = event("Concert");
        for ticket in 0..self.dice.roll(3) {
            event = event.ticket(&format!("Ticket {ticket}"));
        }
        event = match self.dice.roll(6) {
            0 => event.status(Status::Draft),
            1 => event.scheduled("2030-02-01 00:00:00"),
            2 => event.scheduled("2030-04-01 00:00:00"),
            3 => event.password_hash("5f"),
            _ => event,
        };
        let mut event = event.build();
        event.details.venue = self.id().await;
        event.details.organizers = self.id().await.into_iter().collect();
        event.details.categories = self.id().await.into_iter().collect();
        event.details.tags = self.id().await.into_iter().collect();
        event.image = self.image().await;
        event
    }

    async fn image(&mut self) -> Option<ImageId> {
        let all = self.unit.images().find_many(&ids()).await.unwrap();
        self.dice.some(&all, 1).pop().map(|image| image.id)
    }

    fn translate<R: Record>(&mut self, record: &mut R) {
        let title = Some(format!("Titre {}", self.dice.roll(5)).parse::<Title>().unwrap());
        let translation = Translation { title, ..Translation::default() };
        if self.dice.once_in(2) {
            record.translations_mut().put(Language::French, translation);
        }
    }

    /// Requests for few slugs, so that records exchange them.
    fn slugs(&mut self) -> SlugRequests {
        let request = SlugRequest::new(slug(self.dice.roll(4)));
        let mut requests: SlugRequests = request.into();
        if self.dice.once_in(3) {
            let request = SlugRequest::new(slug(self.dice.roll(4)));
            requests.translations.insert(Language::Arabic, request);
        }
        requests
    }

    async fn change<R: Resource>(&mut self, edit: impl FnOnce(&mut R)) {
        let Some(before) = self.one::<R>().await else {
            return;
        };
        let mut after = before.content.clone();
        edit(&mut after);
        self.translate(&mut after);
        let slugs = if self.dice.once_in(2) { self.slugs() } else { SlugRequests::default() };
        R::repository(self.unit).update(&before, after, slugs).await.unwrap();
    }

    /// Adds a record, edits one of its kind, or deletes one.
    async fn write_kind<R: Resource>(&mut self, mut new: R, edit: impl FnOnce(&mut R)) -> String {
        let repository = R::repository(self.unit);
        let what = match self.dice.roll(3) {
            0 => {
                self.translate(&mut new);
                repository.insert(new, self.slugs()).await.unwrap();
                "new"
            }
            1 => {
                self.change(edit).await;
                "changed"
            }
            _ => {
                if let Some(id) = self.id().await {
                    assert!(repository.delete(id).await.unwrap());
                }
                "deleted"
            }
        };
        format!("a {what} {}", R::KIND)
    }

    async fn write_image(&mut self, name: &str) -> String {
        if let Some(id) = self.image().await {
            let image = self.unit.images().find_many(&[id]).await.unwrap().pop();
            if let (Some(image), true) = (image, self.dice.once_in(2)) {
                let text = (Language::English, name.parse().unwrap());
                let alt = [text].into_iter().collect();
                self.unit.images().set_alt(&image, alt, at(START)).await.unwrap();
                return "a described image".to_owned();
            }
            assert!(self.unit.images().delete(id, at(START)).await.unwrap());
            "a deleted image".to_owned()
        } else {
            self.unit.images().insert(image(name)).await.unwrap();
            "a new image".to_owned()
        }
    }

    /// Performs one random write, and describes it.
    pub(super) async fn write(&mut self, round: usize) -> String {
        let name = format!("Name {round}");
        let title = name.parse::<Title>().unwrap();
        match self.dice.roll(10) {
            0 | 1 => {
                let image = self.image().await;
                let edit = |venue: &mut Venue| (venue.title, venue.image) = (title, image);
                self.write_kind(venue(&name).build(), edit).await
            }
            2 => {
                let edit = |organizer: &mut Organizer| organizer.title = title;
                self.write_kind(organizer(&name).build(), edit).await
            }
            3 | 4 => {
                let mut below = category(&name).build();
                below.parent = self.id().await;
                self.write_kind(below, |category| category.name = title).await
            }
            5 => self.write_kind(tag(&name).build(), |tag| tag.name = title).await,
            6 => self.write_image(&format!("2030/01/image-{round}")).await,
            7 => {
                self.change::<Event>(|event| {
                    if event.published_at.is_some() {
                        event.published_at = Some(at("2030-05-01 00:00:00"));
                    }
                })
                .await;
                "a shifted event".to_owned()
            }
            _ => {
                let parent: Option<EventId> = self.id().await;
                let (new, next) = (self.event().await, self.event().await);
                let edit = |event: &mut Event| {
                    let uid = event.details.uid.clone();
                    *event = next;
                    event.details.uid = uid;
                    event.details.parent = parent;
                };
                self.write_kind(new, edit).await
            }
        }
    }
}

pub(super) fn slug(number: usize) -> Slug {
    Slug::from_stored(format!("slug-{number}"))
}

fn image(name: &str) -> Image {
    Image {
        uploader: Id::from_raw(1),
        name: ImageName::from_stored(name).unwrap(),
        format: ImageFormat::Gif,
        dimensions: Dimensions::new(12, 8).unwrap(),
        filesize: 91,
        sizes: Vec::new(),
        created: at(START),
        modified: at(START),
        alt: AltTexts::default(),
        source: None,
    }
}
