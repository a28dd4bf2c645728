//! Tombstones of events, and secret feeds.

use app::{
    ports::{NewSecretFeed, SecretFeed, Store},
    test_support::{at, event},
};
use domain::{
    CategoryId, EventId, Id, OrganizerId, TagId, VenueId,
    event::Tombstone,
    recurrence::DateValue,
    slug::Slug,
    time::{NaiveDate, Timestamp},
};

use crate::sample::{add, in_unit, user_id};

fn tombstone(number: i64, ended: &str) -> Tombstone {
    let start = at("2030-05-01 10:00:00");
    Tombstone {
        event: EventId::from_raw(number),
        uid: format!("{number}@cal.example"),
        slug: Slug::normalize("fair"),
        sequence: 3,
        ended: at(ended),
        start: DateValue::Instant(start),
        period: (start, at("2030-05-01 11:00:00")),
        repeats: false,
        categories: vec![CategoryId::from_raw(3), CategoryId::from_raw(1)],
        tags: vec![TagId::from_raw(7)],
        venue: Some(VenueId::from_raw(5)),
        organizers: vec![OrganizerId::from_raw(2)],
    }
}

async fn put(store: &dyn Store, some: &[&Tombstone]) {
    in_unit(store, async |to| {
        for one in some {
            to.tombstones().put(one).await.unwrap();
        }
    })
    .await;
}

/// A tombstone comes back as it was stored; a later one with its UID takes its place.
pub async fn tombstones_round_trip(store: &dyn Store) {
    let first = tombstone(1, "2030-01-01 00:00:00");
    let day = DateValue::Day(NaiveDate::from_ymd_opt(2030, 5, 1).unwrap());
    let later = Tombstone {
        slug: None,
        start: day,
        period: (first.period.0, Timestamp::MAX),
        repeats: true,
        categories: Vec::new(),
        tags: Vec::new(),
        venue: None,
        organizers: Vec::new(),
        ..tombstone(1, "2030-01-02 00:00:00")
    };
    for one in [&first, &later] {
        put(store, &[one]).await;
        let tombstones = store.tombstones();
        assert_eq!(tombstones.find(one.event).await.unwrap().as_ref(), Some(one));
        let all = tombstones.page(at("2030-01-01 00:00:00"), "", 10).await.unwrap();
        assert_eq!(all, std::slice::from_ref(one));
    }
    in_unit(store, async |to| to.tombstones().remove("other@cal.example").await.unwrap()).await;
    assert!(store.tombstones().find(first.event).await.unwrap().is_some());
    in_unit(store, async |to| to.tombstones().remove(&first.uid).await.unwrap()).await;
    assert_eq!(store.tombstones().find(first.event).await.unwrap(), None);
}

/// Among tombstones of one ID or slug, the last one is found.
pub async fn the_last_tombstone_is_found(store: &dyn Store) {
    let first = tombstone(1, "2030-01-02 00:00:00");
    let second = Tombstone { event: first.event, ..tombstone(2, "2030-01-01 00:00:00") };
    let other = Tombstone { slug: Slug::normalize("other"), ..tombstone(3, "2030-01-03 00:00:00") };
    put(store, &[&first, &second, &other]).await;
    let tombstones = store.tombstones();
    assert_eq!(tombstones.find(first.event).await.unwrap().as_ref(), Some(&first));
    let slug = first.slug.as_ref().unwrap();
    assert_eq!(tombstones.find_by_slug(slug).await.unwrap().as_ref(), Some(&first));
    let absent = Slug::normalize("fairs").unwrap();
    assert_eq!(tombstones.find_by_slug(&absent).await.unwrap(), None);
}

/// Pages hold the tombstones since an instant, by UID; older ones are deleted.
pub async fn tombstones_are_read_by_pages(store: &dyn Store) {
    let days = ["2030-01-01 00:00:00", "2030-01-02 00:00:00", "2030-01-03 00:00:00"];
    let all: Vec<_> = (1..).zip(days).map(|(id, day)| tombstone(id, day)).collect();
    put(store, &all.iter().rev().collect::<Vec<_>>()).await;
    let page = async |since: &str, after: &str, limit| {
        let page = store.tombstones().page(at(since), after, limit).await.unwrap();
        page.iter().map(|one| one.event.get()).collect::<Vec<_>>()
    };
    assert_eq!(page(days[0], "", 2).await, [1, 2]);
    assert_eq!(page(days[0], &all[1].uid, 2).await, [3]);
    assert_eq!(page(days[1], "", 10).await, [2, 3]);
    assert_eq!(page("2030-01-03 00:00:01", "", 10).await, [0; 0]);
    let prune = async |before| {
        in_unit(store, async |to| to.tombstones().prune(at(before)).await.unwrap()).await
    };
    assert_eq!(prune(days[2]).await, 2);
    assert_eq!(prune(days[2]).await, 0);
    assert_eq!(page(days[0], "", 10).await, [3]);
}

/// A tombstone outlives its event, and is no part of a unit that is rolled back.
pub async fn tombstones_belong_to_units(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await;
    let gone = Tombstone::of(&fair, Vec::new(), at("2030-01-01 00:00:00"));
    let unit = store.begin().await.unwrap();
    unit.tombstones().put(&gone).await.unwrap();
    unit.rollback().await.unwrap();
    assert_eq!(store.tombstones().find(fair.id).await.unwrap(), None);
    put(store, &[&gone]).await;
    assert!(in_unit(store, async |to| to.events().delete(fair.id).await.unwrap()).await);
    assert_eq!(store.tombstones().find(fair.id).await.unwrap(), Some(gone));
}

fn drafts(owner: usize, key: &str) -> NewSecretFeed {
    NewSecretFeed {
        owner: user_id(owner),
        name: "Entwürfe 🎉".to_owned(),
        query: "status=draft&search=a%26b".to_owned(),
        key_hash: key.to_owned().into(),
        created: at("2030-01-01 00:00:00"),
    }
}

async fn feed(store: &dyn Store, owner: usize, key: &str, limit: u64) -> Option<SecretFeed> {
    let feed = drafts(owner, key);
    in_unit(store, async |to| to.secret_feeds().insert(feed, limit).await.unwrap()).await
}

/// Feeds are found by ID and by the hash of their key, and listed by owner.
pub async fn secret_feeds_round_trip(store: &dyn Store) {
    let one = feed(store, 0, "5f", 20).await.unwrap();
    let two = feed(store, 1, "5F", 20).await.unwrap();
    let feeds = store.secret_feeds();
    assert_eq!((&one.details, one.last_used), (&drafts(0, "5f"), None));
    assert_eq!(feeds.find(one.id).await.unwrap(), Some(one.clone()));
    let (found, owner) = feeds.find_by_key("5F").await.unwrap().unwrap();
    assert_eq!((&found, owner.id), (&two, user_id(1)));
    assert_eq!(feeds.find_by_key("").await.unwrap(), None);
    assert_eq!(feeds.list(None).await.unwrap(), [one.clone(), two.clone()]);
    assert_eq!(feeds.list(Some(user_id(1))).await.unwrap(), std::slice::from_ref(&two));

    let day = NaiveDate::from_ymd_opt(2030, 1, 2).unwrap();
    in_unit(store, async |to| to.secret_feeds().set_last_used(one.id, day).await.unwrap()).await;
    assert_eq!(feeds.find(one.id).await.unwrap().unwrap().last_used, Some(day));
    assert_eq!(feeds.find(two.id).await.unwrap().unwrap().last_used, None);

    let delete =
        async |id| in_unit(store, async |to| to.secret_feeds().delete(id).await.unwrap()).await;
    assert!(delete(one.id).await);
    assert!(!delete(one.id).await);
    assert_eq!(feeds.find_by_key("5f").await.unwrap(), None);
    assert_eq!(feeds.find(Id::from_raw(99)).await.unwrap(), None);
}

/// A user has a limited number of feeds; IDs are not used again.
pub async fn secret_feeds_are_limited_by_owner(store: &dyn Store) {
    let first = feed(store, 0, "1", 2).await.unwrap();
    let second = feed(store, 0, "2", 2).await.unwrap();
    assert_eq!(feed(store, 0, "3", 2).await, None);
    assert!(feed(store, 1, "4", 2).await.is_some());
    in_unit(store, async |to| to.secret_feeds().delete(second.id).await.unwrap()).await;
    let third = feed(store, 0, "3", 2).await.unwrap();
    assert!(first.id < second.id && second.id < third.id);
}
