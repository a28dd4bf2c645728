//! Random writes of every kind.

use app::{
    ports::{Repositories, SlugRequest, SlugRequests},
    resource::Resource,
    test_support::{START, at, category, event, organizer, tag, venue},
};
use domain::{
    Category, Event, EventId, Id, Image, Language, Organizer, Record, Status, Stored, Tag,
    Translation, Venue,
    image::{Dimensions, ImageFormat, ImageName},
    slug::Slug,
    text::Title,
};

use super::ids;

/// A deterministic source of pseudo-random numbers.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// A random record of a kind; `None` if there is none.
    async fn one<R: Resource>(&mut self, unit: &dyn Repositories) -> Option<Stored<R>> {
        let all = R::repository(unit).find_many(&ids()).await.unwrap();
        let place = self.roll(all.len().max(1) as u64);
        all.into_iter().nth(usize::try_from(place).unwrap())
    }

    async fn id<R: Resource>(&mut self, unit: &dyn Repositories) -> Option<Id<R>> {
        self.one(unit).await.map(|record| record.id)
    }

    async fn event(&mut self, unit: &dyn Repositories) -> Event {
        let mut event = event("Concert");
        for ticket in 0..self.roll(3) {
            event = event.ticket(&format!("Ticket {ticket}"));
        }
        event = match self.roll(6) {
            0 => event.status(Status::Draft),
            1 => event.scheduled("2030-02-01 00:00:00"),
            2 => event.scheduled("2030-04-01 00:00:00"),
            3 => event.password_hash("5f"),
            _ => event,
        };
        let mut event = event.build();
        event.details.venue = self.id(unit).await;
        event.details.organizers = self.id(unit).await.into_iter().collect();
        event.details.categories = self.id(unit).await.into_iter().collect();
        event.details.tags = self.id(unit).await.into_iter().collect();
        event.image = self.image(unit).await;
        self.translate(&mut event);
        event
    }

    async fn image(&mut self, unit: &dyn Repositories) -> Option<Id<Image>> {
        let all = unit.images().find_many(&ids()).await.unwrap();
        let place = usize::try_from(self.roll(all.len() as u64 + 1)).unwrap();
        all.get(place).map(|image| image.id)
    }

    fn translate<R: Record>(&mut self, record: &mut R) {
        let title = Some(format!("Titre {}", self.roll(5)).parse::<Title>().unwrap());
        let translation = Translation { title, ..Translation::default() };
        if self.roll(2) == 0 {
            record.translations_mut().put(Language::French, translation);
        }
    }

    /// Requests for few slugs, so that records exchange them.
    fn slugs(&mut self) -> SlugRequests {
        let request = SlugRequest::new(slug(self.roll(4)));
        let mut requests: SlugRequests = request.into();
        if self.roll(3) == 0 {
            let request = SlugRequest::new(slug(self.roll(4)));
            requests.translations.insert(Language::Arabic, request);
        }
        requests
    }

    async fn add<R: Resource>(&mut self, unit: &dyn Repositories, mut record: R) {
        self.translate(&mut record);
        let slugs = self.slugs();
        R::repository(unit).insert(record, slugs).await.unwrap();
    }

    async fn change<R: Resource>(&mut self, unit: &dyn Repositories, edit: impl FnOnce(&mut R)) {
        let Some(before) = self.one::<R>(unit).await else {
            return;
        };
        let mut after = before.content.clone();
        edit(&mut after);
        self.translate(&mut after);
        let slugs = match self.roll(2) {
            0 => self.slugs(),
            _ => SlugRequests::default(),
        };
        R::repository(unit).update(&before, after, slugs).await.unwrap();
    }

    async fn delete<R: Resource>(&mut self, unit: &dyn Repositories) {
        if let Some(id) = self.id::<R>(unit).await {
            assert!(R::repository(unit).delete(id).await.unwrap());
        }
    }

    /// Performs one random write.
    #[expect(clippy::too_many_lines, reason = "a few lines for each kind of write")]
    pub(super) async fn write(&mut self, unit: &dyn Repositories, round: usize) -> &'static str {
        let title = format!("Name {round}").parse::<Title>().unwrap();
        match self.roll(20) {
            0 => {
                self.add(unit, venue("Mill").build()).await;
                "a new venue"
            }
            1 => {
                self.add(unit, organizer("Club").build()).await;
                "a new organizer"
            }
            2 => {
                let mut below = category(&format!("Music {round}")).build();
                below.parent = self.id(unit).await;
                self.add(unit, below).await;
                "a new category"
            }
            3 => {
                self.add(unit, tag(&format!("Jazz {round}")).build()).await;
                "a new tag"
            }
            4 => {
                let name = format!("2030/01/image-{round}");
                unit.images().insert(image(&name)).await.unwrap();
                "a new image"
            }
            5 => {
                let image = self.image(unit).await;
                self.change::<Venue>(unit, |venue| {
                    venue.title = title;
                    venue.image = image;
                })
                .await;
                "a changed venue"
            }
            6 => {
                self.change::<Organizer>(unit, |organizer| organizer.title = title).await;
                "a changed organizer"
            }
            7 => {
                self.change::<Category>(unit, |category| category.name = title).await;
                "a changed category"
            }
            8 => {
                self.change::<Tag>(unit, |tag| tag.name = title).await;
                "a changed tag"
            }
            9 => {
                self.delete::<Venue>(unit).await;
                "a deleted venue"
            }
            10 => {
                self.delete::<Organizer>(unit).await;
                "a deleted organizer"
            }
            11 => {
                self.delete::<Category>(unit).await;
                "a deleted category"
            }
            12 => {
                self.delete::<Tag>(unit).await;
                "a deleted tag"
            }
            13 => {
                if let Some(id) = self.image(unit).await {
                    let deleted = unit.images().delete(id, at(START)).await;
                    assert!(deleted.unwrap());
                }
                "a deleted image"
            }
            14 => {
                self.delete::<Event>(unit).await;
                "a deleted event"
            }
            15 => {
                // Changes only the publication time.
                self.change::<Event>(unit, |event| {
                    if event.published_at.is_some() {
                        event.published_at = Some(at("2030-05-01 00:00:00"));
                    }
                })
                .await;
                "a shifted event"
            }
            16 | 17 => {
                let parent: Option<EventId> = self.id(unit).await;
                let next = self.event(unit).await;
                self.change::<Event>(unit, |event| {
                    let uid = event.details.uid.clone();
                    *event = next;
                    event.details.uid = uid;
                    event.details.parent = parent;
                })
                .await;
                "a changed event"
            }
            _ => {
                let event = self.event(unit).await;
                self.add(unit, event).await;
                "a new event"
            }
        }
    }
}

pub(super) fn slug(number: u64) -> Slug {
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
        source: None,
    }
}
