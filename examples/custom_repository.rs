//! A repository of one's own: the venues are the rooms of a building, which the program knows, and no
//! database stores them. Use cases list, search and show them as any venues; everything else is in
//! the store below. Filters and orders are those of `domain`. Nobody changes a room.
//!
//! Run it with `cargo run -p examples --example custom_repository`.

use std::{error::Error, sync::Arc};

use adapters_db::DbOptions;
use app::{
    Calendar,
    ports::{Media, Repository, SlugRequests, StoreError, StoreOverlay, SystemClock},
    site::Site,
    write::ReadOptions,
};
use async_trait::async_trait;
use domain::{
    Entry, Language, Record, Status, Stored, UserId, Venue, VenueDetails, VenueId,
    index::{IndexEntry, IndexQuery},
    page::{Page, PageRequest},
    place::{LinkedEvents, PlaceFilter},
    policy::Caller,
    query::Query,
    search::FieldSearch,
    slug::Slug,
    text::fold,
    time::Timestamp,
};

/// The rooms, in the order of their IDs.
struct Rooms(Vec<Stored<Venue>>);

impl Rooms {
    fn new(names: &[&str], now: Timestamp) -> Result<Self, Box<dyn Error>> {
        let room = |(id, name): (i64, &&str)| {
            let owner = UserId::from_raw(1);
            let mut content = Entry::new(owner, name.parse()?, VenueDetails::default(), now);
            content.slug = Some(content.slug_from_title());
            content.move_to(Status::Publish, now);
            Ok(Stored { id: VenueId::from_raw(id), revision: 1, content })
        };
        (1..).zip(names).map(room).collect::<Result<_, _>>().map(Self)
    }

    fn first(&self, is_wanted: impl Fn(&Stored<Venue>) -> bool) -> Option<Stored<Venue>> {
        self.0.iter().find(|room| is_wanted(room)).cloned()
    }
}

fn refused<T>() -> Result<T, StoreError> {
    Err(StoreError::Internal("rooms are not changed here".to_owned()))
}

#[async_trait]
impl Repository<Venue> for Rooms {
    async fn find(&self, id: VenueId) -> Result<Option<Stored<Venue>>, StoreError> {
        Ok(self.first(|room| room.id == id))
    }
    async fn find_for_update(&self, id: VenueId) -> Result<Option<Stored<Venue>>, StoreError> {
        self.find(id).await
    }
    async fn find_many(&self, ids: &[VenueId]) -> Result<Vec<Stored<Venue>>, StoreError> {
        Ok(ids.iter().filter_map(|id| self.first(|room| room.id == *id)).collect())
    }
    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<VenueId>, StoreError> {
        Ok(self.first(|room| room.slug.as_ref() == Some(slug)).map(|room| room.id))
    }
    async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<Venue>>, StoreError> {
        let is_named = |room: &&Stored<Venue>| folded.contains(&fold(room.title.as_str()));
        Ok(self.0.iter().filter(is_named).cloned().collect())
    }
    async fn page(
        &self,
        query: &Query<<Venue as Record>::Filter>,
    ) -> Result<Page<VenueId>, StoreError> {
        let no_events = |_| LinkedEvents::default();
        let list = query.filter.list(&self.0, no_events, &query.visibility);
        Ok(Page::of(list.into_iter().map(|room| room.id).collect(), query.page))
    }
    async fn index(&self, query: &IndexQuery) -> Result<Page<IndexEntry<Venue>>, StoreError> {
        Ok(Page::of(query.list(&self.0, |_| 0), query.page))
    }
    async fn find_by_former_slug(
        &self,
        _: &Slug,
    ) -> Result<Option<(VenueId, Language)>, StoreError> {
        Ok(None)
    }
    async fn ids_after(
        &self,
        last: Option<VenueId>,
        limit: usize,
    ) -> Result<Vec<VenueId>, StoreError> {
        let ids = self.0.iter().map(|room| room.id).filter(|id| Some(*id) > last);
        Ok(ids.take(limit).collect())
    }
    async fn former_slugs(
        &self,
        _: &[VenueId],
    ) -> Result<Vec<(VenueId, Language, Slug)>, StoreError> {
        Ok(Vec::new())
    }
    async fn lock_names(&self, _: &[String]) -> Result<(), StoreError> {
        Ok(())
    }
    async fn lock_tree(&self) -> Result<(), StoreError> {
        Ok(())
    }
    async fn insert(&self, _: Venue, _: SlugRequests) -> Result<Stored<Venue>, StoreError> {
        refused()
    }
    async fn insert_at(
        &self,
        _: Stored<Venue>,
        _: SlugRequests,
    ) -> Result<Option<Stored<Venue>>, StoreError> {
        refused()
    }
    async fn update(
        &self,
        _: &Stored<Venue>,
        _: Venue,
        _: SlugRequests,
    ) -> Result<Stored<Venue>, StoreError> {
        refused()
    }
    async fn give_up_slugs(&self, _: VenueId, _: &[(Language, Slug)]) -> Result<(), StoreError> {
        refused()
    }
    async fn keep(&self, _: VenueId) -> Result<Option<String>, StoreError> {
        refused()
    }
    async fn kept(&self, _: &str) -> Result<Option<Stored<Venue>>, StoreError> {
        Ok(None)
    }
    async fn delete(&self, _: VenueId) -> Result<bool, StoreError> {
        refused()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}/calendar.db", folder.path().display());
    let database = adapters_db::connect(&DbOptions::new(url)).await?;
    database.prepare().await?;

    let opened = Timestamp::from_seconds(1_767_225_600).ok_or("a time out of range")?;
    let rooms = Rooms::new(&["Great Hall", "Small Hall", "Library"], opened)?;
    let store = Arc::new(StoreOverlay::over(database.clone()).with_venues(rooms));
    let site = Site::at("https://cal.example");
    let calendar = Calendar::new(store, Arc::new(SystemClock), Media::none(), site).await?;

    let halls = PlaceFilter { search: Some(FieldSearch::parse("hall")), ..PlaceFilter::default() };
    let (page, options) = (PageRequest::new(1, 10, 100), ReadOptions::default());
    let found = calendar.query::<Venue>(Caller::Anonymous, None, halls, page, &options).await?;
    let names: Vec<_> = found.rows.iter().map(|view| view.entry.title.as_str()).collect();
    println!("halls: {}", names.join(", "));
    assert_eq!(names, ["Small Hall", "Great Hall"], "the newest first");
    Ok(database.close().await?)
}
