//! A bulk load stores the same rows as single inserts.

use app::{
    ports::{Repository, SlugRequest, SlugRequests, Store},
    test_support::{category, event, organizer, tag, venue},
};
use domain::{
    Event, Id, Language, Organizer, Record, Status, Translation, Venue, html::RichText, text::Title,
};
use port_tests::add_users;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use tests::{both_stores, db::TestDb};

/// All tables of records. Counters in shards are compared by their sum.
const TABLES: [&str; 18] = [
    "event",
    "event_translation",
    "event_category",
    "event_in_category",
    "event_tag",
    "event_organizer",
    "event_ticket",
    "venue",
    "venue_text",
    "venue_translation",
    "venue_translation_text",
    "organizer",
    "organizer_text",
    "category",
    "category_path",
    "tag",
    "slug",
    "(SELECT scope, scope_id, bucket, SUM(starts) AS starts FROM event_starts GROUP BY 1, 2, 3)",
];

fn french(title: &str) -> Translation {
    Translation {
        title: Some(title.parse::<Title>().unwrap()),
        description: Some(RichText::parse("Un texte.").unwrap()),
        ..Translation::default()
    }
}

fn venues() -> Vec<Venue> {
    let old = venue("Old Mill").with(|venue| {
        venue.translations.put(Language::French, french("Vieux moulin"));
        venue.details.city = "Lyon".into();
    });
    vec![old.build(), venue("Town Hall").build()]
}

fn organizers() -> Vec<Organizer> {
    vec![organizer("Friends of chess").build()]
}

/// Events of every form. They link the first records of each kind.
fn events() -> Vec<Event> {
    let linked = |title: &str| {
        event(title)
            .venue(Id::from_raw(1))
            .organizers(&[Id::from_raw(1)])
            .categories(&[Id::from_raw(2), Id::from_raw(1)])
            .tags(&[Id::from_raw(1)])
    };
    vec![
        linked("Chess").build(),
        linked("Échecs")
            .with(|event| event.translations.put(Language::French, french("Échecs !")))
            .build(),
        linked("Locked").password_hash("x").build(),
        linked("Later").scheduled("2031-01-01 00:00:00").build(),
        linked("Mine alone").status(Status::Private).build(),
        linked("Tickets").ticket("Full price").build(),
        event("Bare").build(),
    ]
}

async fn one_by_one<R: Record>(repository: &dyn Repository<R>, records: Vec<R>) {
    for record in records {
        let requests = SlugRequests::from(record.slug().cloned().map(SlugRequest::from_name));
        repository.insert(record, requests).await.unwrap();
    }
}

/// Each row of a table as one text, in order.
async fn rows(connection: &DatabaseConnection, table: &str) -> Vec<String> {
    let backend = connection.get_database_backend();
    let ask = async |sql: String| {
        let rows = connection.query_all_raw(Statement::from_string(backend, sql)).await.unwrap();
        let texts = rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap());
        texts.collect::<Vec<_>>()
    };
    let row = if backend == DbBackend::Postgres {
        "to_jsonb(t)::text".to_owned()
    } else {
        let columns = if table.starts_with('(') {
            ["scope", "scope_id", "bucket", "starts"].map(str::to_owned).to_vec()
        } else {
            ask(format!("SELECT name FROM pragma_table_info('{table}')")).await
        };
        let quoted = columns.iter().map(|column| format!("quote({column})"));
        quoted.collect::<Vec<_>>().join(" || '|' || ")
    };
    let mut rows = ask(format!("SELECT {row} FROM {table} t")).await;
    rows.sort();
    rows
}

#[both_stores]
async fn many_records_at_once_lie_as_single_ones(one: &TestDb) {
    let many = one.empty().await;
    many.store.migrate().await.unwrap();
    for db in [one, &many] {
        add_users(&db.store).await;
    }
    let (venues, organizers, events) = (venues(), organizers(), events());
    let categories = vec![category("Games").build()];
    let below = vec![category("Board games").below(Id::from_raw(1)).build()];
    let tags = vec![tag("free entry").build()];

    let unit = one.store.begin().await.unwrap();
    one_by_one(unit.venues(), venues.clone()).await;
    one_by_one(unit.organizers(), organizers.clone()).await;
    one_by_one(unit.categories(), categories.clone()).await;
    one_by_one(unit.categories(), below.clone()).await;
    one_by_one(unit.tags(), tags.clone()).await;
    one_by_one(unit.events(), events.clone()).await;
    unit.commit().await.unwrap();

    let mut loader = many.store.loader().await.unwrap();
    assert!(loader.finds_nothing().await.unwrap());
    let ids = loader.add(&venues).await.unwrap();
    assert_eq!(ids, [Id::from_raw(1), Id::from_raw(2)]);
    loader.add(&organizers).await.unwrap();
    loader.add(&categories).await.unwrap();
    loader.add(&below).await.unwrap();
    loader.add(&tags).await.unwrap();
    loader.add(&events).await.unwrap();
    assert!(!loader.finds_nothing().await.unwrap());
    loader.commit().await.unwrap();

    let connections =
        [Database::connect(&one.url).await.unwrap(), Database::connect(&many.url).await.unwrap()];
    for table in TABLES {
        let expected = rows(&connections[0], table).await;
        assert!(!expected.is_empty(), "{table}");
        assert_eq!(expected, rows(&connections[1], table).await, "{table}");
    }
    for connection in connections {
        connection.close().await.unwrap();
    }
}
