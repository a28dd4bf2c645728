//! Assignment of slugs.

use app::ports::{SlugRequests, Store};
use domain::{Category, Event, Id, Language, Organizer, Tag, Venue, slug::Slug};

use crate::sample::{
    Sample, add, add_requesting, change, found, id_of_slug, remove, request, slug,
};

/// Adds a record with a requested slug and returns the assigned one.
async fn got<R: Sample>(store: &dyn Store, requested: &str) -> String {
    let record = add(store, R::sample("Name"), requested).await;
    record.slug().unwrap().to_string()
}

/// The requested slug takes precedence over the slug of the content.
pub async fn the_request_decides<R: Sample>(store: &dyn Store) {
    let content = R::sample("Name").with_slug(Some(&slug("other")));
    let record = add(store, content, "requested").await;
    assert_eq!(record.slug(), Some(&slug("requested")));
    assert_eq!(found(store, record.id).await.unwrap().slug(), record.slug());
    let other = id_of_slug::<R>(store, "other").await;
    assert_eq!(other, None);

    let content = record.content.clone().with_slug(Some(&slug("other")));
    let record = change(store, &record, content, Some(request("second"))).await;
    assert_eq!(record.slug(), Some(&slug("second")));
}

/// Sixteen records request the same slug, some within one unit.
pub async fn the_same_request_is_numbered<R: Sample>(store: &dyn Store) {
    let mut slugs = Vec::new();
    for _ in 0..8 {
        slugs.push(got::<R>(store, "same").await);
    }
    let unit = store.begin().await.unwrap();
    for _ in 8..16 {
        let repository = R::repository(&*unit);
        let record = repository.insert(R::sample("Name"), request("same").into()).await;
        slugs.push(record.unwrap().slug().unwrap().to_string());
    }
    unit.commit().await.unwrap();
    let numbered = (2..=16).map(|n| format!("same-{n}"));
    let expected: Vec<_> = std::iter::once("same".to_owned()).chain(numbered).collect();
    assert_eq!(slugs, expected);
    // A requested number is a slug like any other.
    assert_eq!(got::<R>(store, "same-2").await, "same-2-2");
    assert_eq!(got::<R>(store, "مهرجان").await, "مهرجان");
    assert_eq!(got::<R>(store, "مهرجان").await, "مهرجان-2");
    // A prefix of a taken slug is free.
    assert_eq!(got::<R>(store, "sam").await, "sam");
    assert_eq!(got::<R>(store, "s_me").await, "s_me");
    assert_eq!(got::<R>(store, "s%").await, "s%");
}

/// The lowest free number is assigned, also in a gap.
pub async fn the_first_free_number_is_taken<R: Sample>(store: &dyn Store) {
    let mut records = Vec::new();
    for _ in 0..4 {
        records.push(add(store, R::sample("Name"), "gap").await);
    }
    remove(store, records[2].id).await;
    assert_eq!(got::<R>(store, "gap").await, "gap-3");
    change(store, &records[1], records[1].content.clone(), Some(request("away"))).await;
    assert_eq!(got::<R>(store, "gap").await, "gap-2");
    assert_eq!(got::<R>(store, "gap-5").await, "gap-5");
    assert_eq!(got::<R>(store, "gap-10").await, "gap-10");
    assert_eq!(got::<R>(store, "gap-x").await, "gap-x");
    assert_eq!(got::<R>(store, "gap").await, "gap-6");
    remove(store, records[0].id).await;
    assert_eq!(got::<R>(store, "gap").await, "gap");
    assert_eq!(got::<R>(store, "gap").await, "gap-7");
}

/// Reserved words of addresses are assigned to no record.
pub async fn a_reserved_slug_is_never_free<R: Sample>(store: &dyn Store) {
    assert!(slug("feed").is_reserved() && slug("page").is_reserved());
    assert_eq!(got::<R>(store, "feed").await, "feed-2");
    assert_eq!(got::<R>(store, "feed").await, "feed-3");
    let record = add(store, R::sample("Name"), "x").await;
    let record = change(store, &record, record.content.clone(), Some(request("page"))).await;
    assert_eq!(record.slug(), Some(&slug("page-2")));
    let either = request("embed").or(slug("embedded"));
    let record = add_requesting(store, R::sample("Name"), Some(either)).await;
    assert_eq!(record.slug(), Some(&slug("embedded")));
}

/// The first free candidate is assigned; if none is free, the last one with a number.
pub async fn candidates_are_tried_in_order<R: Sample>(store: &dyn Store) {
    let request = || request("zx").or(slug("zx-up")).or(slug("zx-top"));
    let mut slugs = Vec::new();
    for _ in 0..5 {
        let record = add_requesting(store, R::sample("Name"), Some(request())).await;
        slugs.push(record.slug().unwrap().to_string());
    }
    assert_eq!(slugs, ["zx", "zx-up", "zx-top", "zx-top-2", "zx-top-3"]);
}

/// A slug with a number keeps to the maximum length of slugs.
pub async fn long_slugs_are_cut_for_their_number<R: Sample>(store: &dyn Store) {
    for letter in ["a", "東"] {
        let long = letter.repeat(Slug::MAX_CHARS);
        assert_eq!(got::<R>(store, &long).await, long);
        for n in 2..12 {
            let numbered = slug(&long).numbered(n).to_string();
            assert_eq!(got::<R>(store, &long).await, numbered);
        }
    }
}

/// Records of two kinds may have one slug.
pub async fn kinds_do_not_share_slugs(store: &dyn Store) {
    assert_eq!(got::<Event>(store, "jazz").await, "jazz");
    assert_eq!(got::<Venue>(store, "jazz").await, "jazz");
    assert_eq!(got::<Organizer>(store, "jazz").await, "jazz");
    assert_eq!(got::<Category>(store, "jazz").await, "jazz");
    assert_eq!(got::<Tag>(store, "jazz").await, "jazz");
    assert_eq!(id_of_slug::<Event>(store, "jazz").await, Some(Id::from_raw(1)));
    assert_eq!(id_of_slug::<Venue>(store, "jazz").await, Some(Id::from_raw(1)));
    assert_eq!(id_of_slug::<Organizer>(store, "jazz").await, Some(Id::from_raw(1)));
    assert_eq!(id_of_slug::<Category>(store, "jazz").await, Some(Id::from_raw(1)));
    assert_eq!(id_of_slug::<Tag>(store, "jazz").await, Some(Id::from_raw(1)));
}

/// An entry without a request has no slug, until a later change requests one.
pub async fn an_entry_can_do_without<R: Sample>(store: &dyn Store) {
    for _ in 0..2 {
        let record = add_requesting(store, R::sample("Name"), None).await;
        assert_eq!(record.slug(), None);
        let record = change(store, &record, record.content.clone().named("Other"), None).await;
        assert_eq!(record.slug(), None);
        assert_eq!(found(store, record.id).await.as_ref(), Some(&record));
    }
    let record = add_requesting(store, R::sample("Name"), None).await;
    let record = change(store, &record, record.content.clone(), Some(request("late"))).await;
    assert_eq!(record.slug(), Some(&slug("late")));
    let by_slug = id_of_slug::<R>(store, "late").await;
    assert_eq!(by_slug, Some(record.id));
}

/// An update without a request ignores the slug of the content.
pub async fn an_update_without_a_request_keeps_the_slug<R: Sample>(store: &dyn Store) {
    let record = add(store, R::sample("Name"), "mine").await;
    let content = record.content.clone().with_slug(Some(&slug("other")));
    let after = change(store, &record, content, None).await;
    assert_eq!(after.slug(), Some(&slug("mine")));
    assert_eq!(found(store, record.id).await.as_ref(), Some(&after));
    let repository = R::repository(store.repositories());
    let by_slug = repository.find_by_slug(&slug("mine")).await.unwrap();
    assert_eq!(by_slug, Some(record.id));
    assert_eq!(repository.find_by_slug(&slug("other")).await.unwrap(), None);
}

/// A former slug leads to no record, and another record may take it.
pub async fn an_update_with_a_request_gives_the_old_slug_back<R: Sample>(store: &dyn Store) {
    let record = add(store, R::sample("Name"), "old").await;
    let record = change(store, &record, record.content.clone(), Some(request("new"))).await;
    assert_eq!(record.slug(), Some(&slug("new")));
    assert_eq!(found(store, record.id).await.as_ref(), Some(&record));
    let repository = R::repository(store.repositories());
    assert_eq!(repository.find_by_slug(&slug("old")).await.unwrap(), None);
    let by_slug = repository.find_by_slug(&slug("new")).await.unwrap();
    assert_eq!(by_slug, Some(record.id));
    assert_eq!(got::<R>(store, "old").await, "old");
}

/// A record that requests its own slug, numbered or not, keeps it.
pub async fn its_own_slug_is_free_for_a_record<R: Sample>(store: &dyn Store) {
    let first = add(store, R::sample("Name"), "mine").await;
    let first = change(store, &first, first.content.clone(), Some(request("mine"))).await;
    assert_eq!(first.slug(), Some(&slug("mine")));
    let second = add(store, R::sample("Name"), "mine").await;
    assert_eq!(second.slug(), Some(&slug("mine-2")));
    // The requested slug is taken, and the first free number is the record's own.
    let second = change(store, &second, second.content.clone(), Some(request("mine"))).await;
    assert_eq!(second.slug(), Some(&slug("mine-2")));
    assert_eq!(found(store, second.id).await, Some(second));
    let by_slug = id_of_slug::<R>(store, "mine").await;
    assert_eq!(by_slug, Some(first.id));
}

/// A record among many of one name keeps its number when it requests the name again, in any
/// language; a record of another name gets a free number.
pub async fn its_own_number_is_free_among_many<R: Sample>(store: &dyn Store) {
    const MANY: usize = 70;
    let mut records = Vec::new();
    for _ in 0..MANY {
        records.push(add(store, R::sample("Name"), "many").await);
    }
    // Numbers that the search for a free number probes, and numbers beside them.
    for number in [1, 2, 9, 10, 31, 32, 33, 63, 64, 65, 66, 69, MANY] {
        let record = found(store, records[number - 1].id).await.unwrap();
        let own = record.slug().cloned();
        let content = record.content.clone();
        let record = change(store, &record, content, Some(request("many"))).await;
        assert_eq!(record.slug(), own.as_ref());
        let translated = SlugRequests {
            translations: [(Language::French, request("many"))].into(),
            ..SlugRequests::default()
        };
        let content = record.content.clone();
        let record = change(store, &record, content, translated).await;
        let french = record.translations().get(Language::French).unwrap();
        assert_eq!(french.slug, own);
        assert_eq!(found(store, record.id).await, Some(record));
    }
    let record = add(store, R::sample("Name"), "other").await;
    let record = change(store, &record, record.content.clone(), Some(request("many"))).await;
    assert_eq!(record.slug(), Some(&slug(&format!("many-{}", MANY + 1))));
}

/// An update assigns no slug of another record.
pub async fn an_update_finds_other_slugs_taken<R: Sample>(store: &dyn Store) {
    got::<R>(store, "taken").await;
    let record = add(store, R::sample("Name"), "free").await;
    let record = change(store, &record, record.content.clone(), Some(request("taken"))).await;
    assert_eq!(record.slug(), Some(&slug("taken-2")));
    let two = request("taken").or(slug("beside"));
    let record = change(store, &record, record.content.clone(), Some(two)).await;
    assert_eq!(record.slug(), Some(&slug("beside")));
    assert_eq!(got::<R>(store, "taken").await, "taken-2");
}
