//! The schema, step by step: what was there before a step is right after it.

use app::{
    ports::{Repositories, Store},
    test_support::{at, event},
};
use domain::{
    VenueId,
    geo::{Circle, Position},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::{EventFilter, Query},
};
use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database};
use tests::db::TestDb;

/// What the first step knows of a venue at 10° N 179.9° E.
const BEFORE: [&str; 2] = [
    "INSERT INTO account (name, name_key, role, disabled) VALUES ('ada', 'ada', 'editor', FALSE)",
    "INSERT INTO venue (revision, author_id, stage, date_utc, date_is_chosen, published_utc, \
     modified_utc, language, title, title_key, description, excerpt, address, city, country, \
     province, state, stateprovince, zip, phone, show_map, show_map_link, latitude, longitude) \
     VALUES (1, 1, 'published', 0, FALSE, 0, 0, 'en', 'V', 'v', '', '', '', '', '', '', '', '', \
     '', '', TRUE, TRUE, 10.0, 179.9)",
];

/// Goes down to nothing, up one step, and with something in it to the top.
async fn venues_are_found_where_they_were(db: TestDb) {
    let connection = Database::connect(&db.url).await.unwrap();
    Migrator::down(&connection, None).await.unwrap();
    Migrator::up(&connection, Some(1)).await.unwrap();
    for statement in BEFORE {
        connection.execute_unprepared(statement).await.unwrap();
    }
    Migrator::up(&connection, None).await.unwrap();
    connection.close().await.unwrap();

    let unit = db.store.begin().await.unwrap();
    let there = event("E").venue(VenueId::from_raw(1));
    let there = there.insert(unit.repositories()).await.id;
    unit.commit().await.unwrap();
    for (latitude, longitude, held) in [(10.0, -179.9, vec![there]), (10.0, 179.5, vec![])] {
        let center = Position::new(latitude, longitude).unwrap();
        let query = Query {
            visibility: Visibility::new(Caller::Anonymous, at("2030-01-01 00:00:00")),
            filter: EventFilter {
                near: Circle::new(center, 25.0).ok(),
                ..EventFilter::default()
            },
            page: PageRequest::new(1, 10, 100),
        };
        assert_eq!(db.store.events().page(&query).await.unwrap().rows, held);
    }
}

#[tokio::test]
async fn sqlite() {
    venues_are_found_where_they_were(TestDb::sqlite().await).await;
}

#[tokio::test]
async fn postgres() {
    if let Some(db) = TestDb::postgres().await {
        venues_are_found_where_they_were(db).await;
    }
}
