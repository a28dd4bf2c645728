//! A port of one's own, in a store composed over another. Passwords of events are hashed with a key
//! of the site, which the port `Settings` keeps in the database; here the program gives it, so that a
//! reader of the database cannot try passwords. All other ports are those of the store below. A
//! repository is replaced in the same way: a method of `Repositories` returns yours.
//!
//! Run it with `cargo run -p examples --example custom_port`.

use std::{error::Error, sync::Arc};

use adapters_db::{DbOptions, SeaOrmStore};
use app::{
    Calendar,
    ports::{
        DataVersion, EventRepository, IdempotencyKeys, ImageRepository, ImportLedger, Media,
        Repositories, Repository, Settings, Store, StoreError, SystemClock, TermRepository,
        UnitOfWork, UserRepository,
    },
    site::Site,
};
use async_trait::async_trait;
use domain::{
    Organizer, Venue,
    term::{Categories, Tags},
};

/// The settings: the key alone.
#[derive(Clone)]
struct Key(Arc<str>);

#[async_trait]
impl Settings for Key {
    async fn get_or_insert(&self, name: &str, _value: &str) -> Result<String, StoreError> {
        println!("the calendar asks for the setting `{name}`");
        match name {
            "event_password_key" => Ok(self.0.to_string()),
            other => Err(StoreError::Internal(format!("no setting `{other}`"))),
        }
    }
}

/// A store, or a unit of work of it, with settings of one's own.
struct WithKey<T: ?Sized> {
    key: Key,
    below: Box<T>,
}

macro_rules! from_below {
    ($($port:ident: $trait:ty,)*) => { $(fn $port(&self) -> &$trait { self.below.$port() })* };
}

impl<T: Repositories + ?Sized> Repositories for WithKey<T> {
    fn settings(&self) -> &dyn Settings {
        &self.key
    }

    from_below! {
        events: dyn EventRepository,
        venues: dyn Repository<Venue>,
        organizers: dyn Repository<Organizer>,
        categories: dyn TermRepository<Categories>,
        tags: dyn TermRepository<Tags>,
        images: dyn ImageRepository,
        users: dyn UserRepository,
        imports: dyn ImportLedger,
        idempotency: dyn IdempotencyKeys,
    }
}

#[async_trait]
impl Store for WithKey<SeaOrmStore> {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let (key, below) = (self.key.clone(), self.below.begin().await?);
        Ok(Box::new(WithKey { key, below }))
    }

    async fn version(&self) -> Result<Option<DataVersion>, StoreError> {
        self.below.version().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.below.ping().await
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

#[async_trait]
impl UnitOfWork for WithKey<dyn UnitOfWork> {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.below.commit().await
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.below.rollback().await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let (key, below) = (self.key.clone(), self.below.nested().await?);
        Ok(Box::new(Self { key, below }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}/calendar.db", folder.path().display());
    let database = adapters_db::connect(&DbOptions::new(url)).await?;
    database.migrate().await?;

    let (key, below) = (Key("from a safe place".into()), Box::new(database.clone()));
    let store = Arc::new(WithKey { key, below });
    Calendar::new(store, Arc::new(SystemClock), Media::none(), Site::default()).await?;

    // The database stores the key that is inserted now: it had none.
    let unit = database.begin().await?;
    let stored = unit.settings().get_or_insert("event_password_key", "none").await?;
    println!("the database has the key: {stored}");
    assert_eq!(stored, "none");
    unit.rollback().await?;
    database.close().await?;
    Ok(())
}
