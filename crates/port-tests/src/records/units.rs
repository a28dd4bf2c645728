//! Units of work: each is committed completely, or not at all.

use app::{
    ports::{RelatedIds, RelatedKeys, Repositories, SlugRequests, Store, StoreError, UnitOfWork},
    test_support::{START, at, event, user, venue},
};
use domain::{Event, Id, Role, Stored, Venue};

use crate::sample::{Sample, add, change, end, found, in_unit, is_imported, remove, request, slug};

/// Adds a venue of this name within a unit.
async fn put(unit: &dyn UnitOfWork, name: &str) -> Stored<Venue> {
    venue(name).insert(unit).await
}

/// The names of all venues, by ID.
async fn names(repositories: &dyn Repositories) -> Vec<String> {
    let ids: Vec<_> = (1..20).map(Id::from_raw).collect();
    let found = repositories.venues().find_many(&ids).await.unwrap();
    let names = found.iter().map(|venue| venue.title.as_str().to_owned());
    names.collect()
}

/// Undoes a unit: drops it, or rolls it back.
async fn undo(unit: Box<dyn UnitOfWork>, drops: bool) {
    if drops {
        drop(unit);
    } else {
        unit.rollback().await.unwrap();
    }
}

/// Reads within a unit see the unit's own writes at once.
pub async fn a_unit_reads_what_it_wrote<R: Sample>(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    let first = repository.insert(R::sample("One"), request("one").into()).await.unwrap();
    assert_eq!(repository.find(first.id).await.unwrap().as_ref(), Some(&first));
    let by_slug = repository.find_by_slug(&slug("one")).await.unwrap();
    assert_eq!(by_slug, Some(first.id));
    let content = first.content.clone().named("Two");
    let second = repository.update(&first, content, request("two").into()).await.unwrap();
    assert_eq!(second.revision, 2);
    assert_eq!(repository.find_for_update(first.id).await.unwrap(), Some(second));
    assert_eq!(repository.find_by_slug(&slug("one")).await.unwrap(), None);
    assert_eq!(repository.find_named(&["one".to_owned()]).await.unwrap(), []);
    assert!(repository.delete(first.id).await.unwrap());
    assert_eq!(repository.find(first.id).await.unwrap(), None);
    unit.commit().await.unwrap();
    assert_eq!(found(store, first.id).await, None);
}

/// A unit that announced a record sees its own later change of it.
pub async fn a_unit_sees_announced_records_as_they_are(store: &dyn Store) {
    let before = add(store, venue("One").build(), "one").await;
    let keys = RelatedKeys { venue_ids: vec![before.id], ..RelatedKeys::default() };
    let related = RelatedIds { venues: vec![before.id], ..RelatedIds::default() };
    let unit = store.begin().await.unwrap();
    unit.events().prefetch(&keys).await.unwrap();
    assert_eq!(unit.venues().find(before.id).await.unwrap().as_ref(), Some(&before));
    let content = before.content.clone().named("Two");
    let after = unit.venues().update(&before, content, SlugRequests::default()).await.unwrap();
    let shown = unit.events().load_related(&related, at(START)).await.unwrap();
    assert_eq!(shown.venues, std::slice::from_ref(&after));
    assert_eq!(unit.venues().find(before.id).await.unwrap(), Some(after));
    unit.commit().await.unwrap();
}

/// A lookup by name within a unit sees the unit's own writes after an earlier lookup.
pub async fn a_unit_finds_names_as_they_are<R: Sample>(store: &dyn Store) {
    let name = ["one".to_owned()];
    let unit = store.begin().await.unwrap();
    let find = async |unit: &dyn UnitOfWork| {
        let found = R::repository(unit).find_named(&name).await;
        let ids = found.unwrap().into_iter().map(|record| record.id);
        ids.collect::<Vec<_>>()
    };
    assert_eq!(find(&*unit).await, []);
    let nested = unit.nested().await.unwrap();
    let within = R::repository(&*nested);
    let added = within.insert(R::sample("One"), request("one").into()).await;
    assert_eq!(find(&*nested).await, [added.unwrap().id]);
    nested.rollback().await.unwrap();
    assert_eq!(find(&*unit).await, []);
    let repository = R::repository(&*unit);
    let added = repository.insert(R::sample("One"), request("one").into());
    let added = added.await.unwrap();
    assert_eq!(find(&*unit).await, [added.id]);
    let other = added.content.clone().named("Two");
    let other = repository.update(&added, other, SlugRequests::default());
    let other = other.await.unwrap();
    assert_eq!(find(&*unit).await, []);
    let again = other.content.clone().named("One");
    let again = repository.update(&other, again, SlugRequests::default());
    again.await.unwrap();
    assert_eq!(find(&*unit).await, [added.id]);
    assert!(repository.delete(added.id).await.unwrap());
    assert_eq!(find(&*unit).await, []);
    unit.commit().await.unwrap();
}

/// Reads outside of units and the next unit see a commit.
pub async fn a_committed_unit_is_kept<R: Sample>(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    let one = repository.insert(R::sample("One"), request("one").into()).await.unwrap();
    let two = repository.insert(R::sample("Two"), request("two").into()).await.unwrap();
    unit.commit().await.unwrap();
    let repository = R::repository(store.repositories());
    let both = repository.find_many(&[one.id, two.id]).await.unwrap();
    assert_eq!(both, [one.clone(), two]);
    let unit = store.begin().await.unwrap();
    let found = R::repository(&*unit).find(one.id).await.unwrap();
    assert_eq!(found, Some(one));
    unit.commit().await.unwrap();
}

/// Performs and undoes each kind of write.
async fn check_undone<R: Sample>(store: &dyn Store, drops: bool) {
    let stays = add(store, R::sample("Stays"), "stays").await;
    let other = add(store, R::sample("Other"), "other").await;
    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    let new = repository.insert(R::sample("New"), request("new").into()).await.unwrap();
    let content = stays.content.clone().named("Changed");
    repository.update(&stays, content, request("changed").into()).await.unwrap();
    assert!(repository.delete(other.id).await.unwrap());
    undo(unit, drops).await;
    let repository = R::repository(store.repositories());
    assert_eq!(repository.find(new.id).await.unwrap(), None);
    assert_eq!(repository.find(stays.id).await.unwrap().as_ref(), Some(&stays));
    assert_eq!(repository.find(other.id).await.unwrap(), Some(other));
    assert_eq!(repository.find_by_slug(&slug("new")).await.unwrap(), None);
    assert_eq!(repository.find_by_slug(&slug("changed")).await.unwrap(), None);
    assert_eq!(repository.find_named(&["new".to_owned()]).await.unwrap(), []);
    // Slugs are free again, and revisions as before.
    let again = add(store, R::sample("New"), "new").await;
    assert_eq!(again.slug(), Some(&slug("new")));
    let content = stays.content.clone();
    let after = change(store, &stays, content, request("changed")).await;
    assert_eq!(after.slug(), Some(&slug("changed")));
}

/// A unit that is rolled back has changed nothing.
pub async fn a_unit_that_is_rolled_back_leaves_nothing<R: Sample>(store: &dyn Store) {
    check_undone::<R>(store, false).await;
}

/// A dropped unit has changed nothing, and the next one can begin.
pub async fn a_dropped_unit_leaves_nothing<R: Sample>(store: &dyn Store) {
    check_undone::<R>(store, true).await;
}

/// Both units are committed, and the outer one sees the writes of the inner one.
pub async fn a_nested_unit_is_kept_with_the_outer_one(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    put(&*unit, "before").await;
    let nested = unit.nested().await.unwrap();
    assert_eq!(names(&*nested).await, ["before"]);
    put(&*nested, "within").await;
    nested.commit().await.unwrap();
    assert_eq!(names(&*unit).await, ["before", "within"]);
    put(&*unit, "after").await;
    unit.commit().await.unwrap();
    assert_eq!(names(store.repositories()).await, ["before", "within", "after"]);
}

async fn check_undone_alone(store: &dyn Store, drops: bool) {
    let kept = add(store, venue("kept").build(), "kept").await;
    let unit = store.begin().await.unwrap();
    put(&*unit, "before").await;
    for _ in 0..3 {
        let nested = unit.nested().await.unwrap();
        let within = put(&*nested, "within").await;
        assert_eq!(within.slug, Some(slug("within")));
        assert!(nested.venues().delete(kept.id).await.unwrap());
        undo(nested, drops).await;
        assert_eq!(names(&*unit).await, ["kept", "before"]);
    }
    put(&*unit, "after").await;
    unit.commit().await.unwrap();
    assert_eq!(names(store.repositories()).await, ["kept", "before", "after"]);
    assert_eq!(found(store, kept.id).await, Some(kept));
}

/// A rollback of the inner unit undoes its writes alone; the outer unit continues.
pub async fn a_nested_unit_is_undone_alone(store: &dyn Store) {
    check_undone_alone(store, false).await;
}

/// A drop of the inner unit undoes its writes alone, too.
pub async fn a_dropped_nested_unit_is_undone_alone(store: &dyn Store) {
    check_undone_alone(store, true).await;
}

/// A rollback of the outer unit undoes a committed inner one.
pub async fn a_nested_unit_is_undone_with_the_outer_one(store: &dyn Store) {
    for drops in [false, true] {
        let unit = store.begin().await.unwrap();
        let nested = unit.nested().await.unwrap();
        put(&*nested, "within").await;
        nested.commit().await.unwrap();
        assert_eq!(names(&*unit).await, ["within"]);
        undo(unit, drops).await;
        assert_eq!(names(store.repositories()).await, [""; 0]);
    }
}

/// Commits and rollbacks at three depths.
pub async fn nested_units_nest(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    for (middle_stays, inner_stays) in [(true, true), (true, false), (false, true)] {
        let middle = unit.nested().await.unwrap();
        put(&*middle, &format!("middle {middle_stays}")).await;
        let inner = middle.nested().await.unwrap();
        put(&*inner, &format!("inner {middle_stays} {inner_stays}")).await;
        end(inner, inner_stays).await;
        end(middle, middle_stays).await;
    }
    let expected = ["middle true", "inner true true", "middle true"];
    assert_eq!(names(&*unit).await, expected);
    unit.commit().await.unwrap();
    assert_eq!(names(store.repositories()).await, expected);
}

/// A conflict within a nested unit, which is then rolled back, leaves the outer unit usable.
pub async fn a_conflict_in_a_nested_unit_spares_the_outer_one(store: &dyn Store) {
    let concert: Stored<Event> = add(store, event("Concert").build(), "concert").await;
    let unit = store.begin().await.unwrap();
    unit.imports().record("5f", 0, concert.id).await.unwrap();

    let nested = unit.nested().await.unwrap();
    let refused = nested.imports().record("5f", 0, concert.id).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    nested.rollback().await.unwrap();

    let nested = unit.nested().await.unwrap();
    let mut stale = concert.clone();
    stale.revision = 7;
    let refused =
        nested.events().update(&stale, stale.content.clone(), SlugRequests::default()).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    nested.rollback().await.unwrap();

    put(&*unit, "after").await;
    unit.commit().await.unwrap();
    assert_eq!(names(store.repositories()).await, ["after"]);
    assert!(is_imported(store.imports(), "5f", 0).await.unwrap());
}

/// Users, settings and imports are part of a unit like records.
pub async fn a_unit_holds_all_ports(store: &dyn Store) {
    let concert = add(store, event("Concert").build(), "concert").await;
    for (keeps, value) in [(false, "undone"), (true, "kept")] {
        let unit = store.begin().await.unwrap();
        let dora = unit.users().insert(user("dora", Role::Editor)).await.unwrap();
        assert!(dora.is_some());
        unit.users().set_role(Id::from_raw(1), Role::Subscriber).await.unwrap();
        unit.imports().record("5f", 0, concert.id).await.unwrap();
        let setting = unit.settings().get_or_insert("name", value).await.unwrap();
        assert_eq!(setting, value);
        end(unit, keeps).await;
        let dora = store.users().find_by_login("dora").await.unwrap();
        assert_eq!(dora.is_some(), keeps);
        let ada = store.users().find(Id::from_raw(1)).await.unwrap().unwrap();
        assert_eq!(ada.role == Role::Subscriber, keeps);
        assert_eq!(is_imported(store.imports(), "5f", 0).await.unwrap(), keeps);
    }
    let setting =
        in_unit(store, async |to| to.settings().get_or_insert("name", "late").await.unwrap());
    assert_eq!(setting.await, "kept");
    assert!(remove(store, concert.id).await);
}

/// `ping` succeeds on a working store.
pub async fn ping(store: &dyn Store) {
    store.ping().await.unwrap();
}
