//! The journal: an entry for each change of a record, with numbers that follow the commits.

use crate::{
    Dice, rounds,
    sample::{add, change, in_unit, user_id},
};
use app::{
    ports::{
        CursorState, EntryQuery, Journal, JournalCursor, JournalEntry, Publication, RecordRef,
        SlugRequests, Store,
    },
    test_support::{at, event, organizer, tag, venue},
};
use domain::{
    Kind, Stage, Status,
    policy::{Audience, Reach},
    time::Timestamp,
};

/// A moment that all clocks are before.
fn later() -> Timestamp {
    at("9000-01-01 00:00:00")
}

/// The entries from a place to the end.
pub async fn entries_after(journal: &dyn Journal, start: JournalCursor) -> Vec<JournalEntry> {
    let end = journal.end().await.unwrap();
    journal.first_entries(&EntryQuery::between(start.number, end.number, 1_000)).await.unwrap()
}

/// Creations, changes and deletions have entries, with the audience before and after.
pub async fn each_change_has_an_entry(store: &dyn Store) {
    let journal = store.journal();
    let start = journal.end().await.unwrap();
    let draft = add(store, event("Concert").status(Status::Draft).build(), "concert").await;
    let drafted = journal.end().await.unwrap();
    let published = event("Concert").scheduled("2030-05-01 00:00:00").hidden().build();
    let published = change(store, &draft, published, None).await;
    let changed = journal.end().await.unwrap();
    assert!(in_unit(store, async |to| to.events().delete(draft.id).await).await.unwrap());

    let record = RecordRef { kind: Kind::Event, id: draft.id.get() };
    let was_draft = Audience::of_entry(&*draft);
    let was_published = Audience::of_entry(&*published);
    assert_eq!(was_draft.stage, Some(Stage::Draft));
    assert!(was_published.hidden && was_published.due.is_some());
    for (after, was, is) in [
        (start, Audience::default(), was_draft),
        (drafted, was_draft, was_published),
        (changed, was_published, Audience::default()),
    ] {
        let first = entries_after(journal, after).await;
        let found: Vec<_> = first.iter().map(|one| (one.record, one.was, one.is)).collect();
        assert_eq!(found, [(record, was, is)]);
    }
    assert!(start.number < drafted.number && drafted.number < changed.number);
}

/// Each kind of record is in the journal.
pub async fn all_kinds_have_entries(store: &dyn Store) {
    let journal = store.journal();
    let start = journal.end().await.unwrap();
    add(store, venue("Old Mill").build(), "mill").await;
    add(store, organizer("Society").build(), "society").await;
    add(store, app::test_support::category("Music").build(), "music").await;
    let loud = add(store, tag("Loud").build(), "loud").await;
    add(store, event("Concert").tags(&[loud.id]).build(), "concert").await;

    let found = entries_after(journal, start).await;
    let found: Vec<_> = found.iter().map(|one| (one.record.kind, one.is.is_public())).collect();
    // The counter of the tag is no part of it.
    let kinds = [Kind::Venue, Kind::Organizer, Kind::Category, Kind::Tag, Kind::Event];
    assert_eq!(found, kinds.map(|kind| (kind, true)));
}

/// A unit that is rolled back leaves no entry.
pub async fn a_rollback_leaves_no_entry(store: &dyn Store) {
    let journal = store.journal();
    let start = journal.end().await.unwrap();
    let unit = store.begin().await.unwrap();
    unit.venues().insert(venue("Old Mill").build(), SlugRequests::default()).await.unwrap();
    unit.rollback().await.unwrap();
    assert_eq!(journal.end().await.unwrap(), start);
    assert_eq!(entries_after(journal, start).await, []);
}

/// A range names each record once, with the audience at its start, and ends at its limit.
pub async fn a_range_has_the_first_entry_of_each_record(store: &dyn Store) {
    let journal = store.journal();
    let start = journal.end().await.unwrap();
    let mill = add(store, venue("Old Mill").status(Status::Draft).build(), "mill").await;
    let barn = add(store, venue("Barn").build(), "barn").await;
    let mill = change(store, &mill, venue("New Mill").build(), None).await;
    let end = journal.end().await.unwrap();
    change(store, &barn, venue("New Barn").build(), None).await;

    let last = journal.end().await.unwrap().number;
    let ids = |entries: Vec<JournalEntry>| entries.iter().map(|one| one.record.id).collect();
    let range = async |after: u64, until: u64, limit| -> Vec<i64> {
        ids(journal.first_entries(&EntryQuery::between(after, until, limit)).await.unwrap())
    };
    let (mill, barn) = (mill.id.get(), barn.id.get());
    assert_eq!(range(start.number, end.number, 10).await, [mill, barn]);
    assert_eq!(range(start.number, end.number, 1).await, [mill]);
    assert_eq!(range(end.number, last, 10).await, [barn]);
    assert_eq!(range(end.number, end.number, 10).await, [0_i64; 0]);
    let first =
        journal.first_entries(&EntryQuery::between(start.number, end.number, 1)).await.unwrap();
    assert_eq!((first[0].was, first[0].is.stage), (Audience::default(), Some(Stage::Draft)));
}

/// A change that only some callers see does not move the last public number.
pub async fn private_changes_are_not_public(store: &dyn Store) {
    let journal = store.journal();
    let mill = add(store, venue("Old Mill").build(), "mill").await;
    let public = journal.last_visible(Reach::Published).await.unwrap();
    assert_eq!(public, journal.end().await.unwrap());

    let draft = add(store, event("Draft").status(Status::Draft).build(), "draft").await;
    change(store, &draft, event("Hidden").hidden().build(), None).await;
    assert_eq!(journal.last_visible(Reach::Published).await.unwrap(), public);

    // To cease to be public is public.
    change(store, &mill, venue("Old Mill").status(Status::Private).build(), None).await;
    let end = journal.end().await.unwrap();
    assert_eq!(journal.last_visible(Reach::Published).await.unwrap(), end);
}

/// After random changes of events, the last entry that each reach includes is what the domain says of audiences.
pub async fn the_last_visible_entry_is_of_the_reach(store: &dyn Store) {
    const STATUSES: [Status; 5] =
        [Status::Publish, Status::Draft, Status::Pending, Status::Private, Status::Trash];
    let journal = store.journal();
    let mut dice = Dice(23);
    let own = |user, private| Reach::Own { user: user_id(user), private };
    let reaches = [Reach::Published, own(0, false), own(0, true), own(1, false), Reach::All];
    let mut expected = Vec::new();
    for reach in reaches {
        expected.push((reach, journal.last_visible(reach).await.unwrap()));
    }
    let mut stored = Vec::new();
    for round in 0..rounds(60) {
        let before = journal.end().await.unwrap();
        let mut content = event(&format!("Concert {round}"))
            .author(user_id(dice.roll(3)))
            .status(dice.pick(&STATUSES));
        if dice.once_in(3) {
            content = content.hidden();
        }
        if stored.len() < 4 || dice.once_in(4) {
            stored.push(add(store, content.build(), "concert").await);
        } else {
            let index = dice.roll(stored.len());
            stored[index] = change(store, &stored[index], content.build(), None).await;
        }
        let end = journal.end().await.unwrap();
        let entries = journal
            .first_entries(&EntryQuery::between(before.number, end.number, 10))
            .await
            .unwrap();
        let [JournalEntry { was, is, .. }] = entries[..] else { panic!("{entries:?}") };
        for (reach, last) in &mut expected {
            let shows = |one: Audience| one.is_public() || reach.includes(&one);
            if shows(was) || shows(is) {
                *last = end;
            }
            let found = journal.last_visible(*reach).await.unwrap();
            assert_eq!(found, *last, "round {round}, {reach:?}: {was:?} -> {is:?}");
        }
    }
}

/// Records that become due need no entry.
pub async fn scheduled_records_become_due(store: &dyn Store) {
    let concert = event("Concert").scheduled("2030-05-01 00:00:00").build();
    let concert = add(store, concert, "concert").await;
    let mill = venue("Old Mill").scheduled("2030-04-01 00:00:00").build();
    let mill = add(store, mill, "mill").await;
    let draft = organizer("Society").scheduled("2030-04-01 00:00:00").status(Status::Draft);
    add(store, draft.build(), "society").await;

    let behind = |after: &str| Publication {
        due: at(after),
        record: RecordRef { kind: Kind::Venue, id: i64::MAX },
    };
    let due = async |after: &str, until: &str, limit| {
        let journal = store.journal();
        let due = journal.became_due(&behind(after), at(until), limit).await.unwrap();
        due.into_iter().map(|one| (one.record.kind, one.record.id)).collect::<Vec<_>>()
    };
    let last = async |until| store.journal().last_due(at(until), Reach::All).await.unwrap();
    assert_eq!(last("2030-04-30 00:00:00").await, Some(at("2030-04-01 00:00:00")));
    assert_eq!(last("2030-05-01 00:00:00").await, Some(at("2030-05-01 00:00:00")));
    assert_eq!(last("2000-01-01 00:00:00").await, None);
    let (concert, mill) = ((Kind::Event, concert.id.get()), (Kind::Venue, mill.id.get()));
    let (april, may) = ("2030-04-01 00:00:00", "2030-05-01 00:00:00");
    assert_eq!(due("2030-03-01 00:00:00", may, 10).await, [mill, concert]);
    assert_eq!(due("2030-03-01 00:00:00", may, 1).await, [mill]);
    assert_eq!(due(april, may, 10).await, [concert]);
    assert_eq!(due("2030-03-01 00:00:00", april, 10).await, [mill]);
    assert_eq!(due(may, "2031-01-01 00:00:00", 10).await, []);
}

/// Publications at one instant follow each other by the name of the kind and by ID, page by page.
pub async fn publications_are_read_page_by_page(store: &dyn Store) {
    let (due, until) = ("2030-05-01 00:00:00", at("2030-05-02 00:00:00"));
    let mut expected = Vec::new();
    for name in ["One", "Two"] {
        let [venue, organizer, event] = [
            (Kind::Venue, add(store, venue(name).scheduled(due).build(), name).await.id.get()),
            (
                Kind::Organizer,
                add(store, organizer(name).scheduled(due).build(), name).await.id.get(),
            ),
            (Kind::Event, add(store, event(name).scheduled(due).build(), name).await.id.get()),
        ];
        expected.extend([venue, organizer, event]);
    }
    expected.sort_by_key(|(kind, id)| (kind.name(), *id));

    let mut last = Publication {
        due: at("2030-04-01 00:00:00"),
        record: RecordRef { kind: Kind::Event, id: 0 },
    };
    let mut found = Vec::new();
    while let [next] = store.journal().became_due(&last, until, 1).await.unwrap()[..] {
        found.push((next.record.kind, next.record.id));
        last = next;
    }
    assert_eq!(found, expected);
}

/// Entries of other kinds, and of records that the reader never saw, do not exist for the reader.
pub async fn entries_are_read_for_a_reach_and_for_kinds(store: &dyn Store) {
    let journal = store.journal();
    let start = journal.end().await.unwrap();
    let draft = venue("Old Mill").author(user_id(1)).status(Status::Draft);
    let mill = add(store, draft.build(), "mill").await;
    let other = event("Concert").author(user_id(0)).status(Status::Draft).build();
    let other = add(store, other, "concert").await;
    let published = change(store, &mill, venue("Old Mill").author(user_id(1)).build(), None).await;
    let end = journal.end().await.unwrap();
    let read = async |reach, kinds: &[Kind]| {
        let query = EntryQuery {
            reach,
            kinds: kinds.to_vec(),
            ..EntryQuery::between(start.number, end.number, 10)
        };
        let entries = journal.first_entries(&query).await.unwrap();
        entries.iter().map(|one| (one.record.id, one.is)).collect::<Vec<_>>()
    };
    let (mill, draft) = (mill.id.get(), Audience::of_entry(&*mill));
    let (other, concert) = (other.id.get(), Audience::of_entry(&*other));
    let public = Audience::of_entry(&*published);
    let own = |user| Reach::Own { user: user_id(user), private: false };
    assert_eq!(read(Reach::Published, &Kind::ALL).await, [(mill, public)]);
    assert_eq!(read(own(1), &Kind::ALL).await, [(mill, draft)]);
    assert_eq!(read(own(0), &Kind::ALL).await, [(other, concert), (mill, public)]);
    assert_eq!(read(Reach::All, &Kind::ALL).await, [(mill, draft), (other, concert)]);
    assert_eq!(read(Reach::All, &[Kind::Event, Kind::Tag]).await, [(other, concert)]);
}

/// Entries are read for some records, and page by page: what a page has, a later one does not repeat.
pub async fn entries_are_read_for_records_and_by_pages(store: &dyn Store) {
    let journal = store.journal();
    let mill = add(store, venue("Old Mill").status(Status::Draft).build(), "mill").await;
    let barn = add(store, venue("Barn").build(), "barn").await;
    let start = journal.end().await.unwrap();
    let changed = change(store, &mill, venue("New Mill").build(), None).await;
    let barn = change(store, &barn, venue("New Barn").build(), None).await;
    change(store, &changed, venue("Newer Mill").build(), None).await;

    let end = journal.end().await.unwrap();
    let record = |id: i64| RecordRef { kind: Kind::Venue, id };
    let all = EntryQuery::between(start.number, end.number, 10);
    let asked = vec![record(mill.id.get()), record(i64::MAX)];
    let some = EntryQuery { records: Some(asked), ..all.clone() };
    let found = journal.first_entries(&some).await.unwrap();
    let found: Vec<_> = found.iter().map(|one| (one.record, one.was, one.is)).collect();
    let (draft, public) = (Audience::of_entry(&*mill), Audience::of_entry(&*changed));
    assert_eq!(found, [(record(mill.id.get()), draft, public)]);
    let none = EntryQuery { records: Some(Vec::new()), ..all.clone() };
    assert_eq!(journal.first_entries(&none).await.unwrap(), []);

    let first = EntryQuery { limit: 1, ..all };
    let [one] = journal.first_entries(&first).await.unwrap()[..] else { panic!("one entry") };
    let second = EntryQuery { read: one.number, limit: 10, ..first };
    let [other] = journal.first_entries(&second).await.unwrap()[..] else { panic!("one entry") };
    assert_eq!([one.record, other.record], [record(mill.id.get()), record(barn.id.get())]);
}

/// A journal knows which places it had, and after which of them it is complete.
pub async fn a_cursor_is_checked(store: &dyn Store) {
    let journal = store.journal();
    let start = JournalCursor::default();
    assert_eq!(journal.check(start).await.unwrap(), CursorState::Valid);
    let mut cursors = Vec::new();
    for name in ["One", "Two", "Three", "Four"] {
        add(store, venue(name).build(), name).await;
        cursors.push(journal.end().await.unwrap());
    }
    for cursor in [start, cursors[0], cursors[3]] {
        assert_eq!(journal.check(cursor).await.unwrap(), CursorState::Valid, "{cursor:?}");
    }
    let JournalCursor { number, nonce } = cursors[3];
    for cursor in [
        JournalCursor { number, nonce: nonce ^ 1 },
        JournalCursor { number: number + 1, nonce },
        JournalCursor { number: u64::MAX, nonce },
    ] {
        assert_eq!(journal.check(cursor).await.unwrap(), CursorState::Unknown, "{cursor:?}");
    }

    assert_eq!(journal.prune(at("2000-01-01 00:00:00"), u64::MAX, 10).await.unwrap(), 0);
    assert_eq!(journal.prune(later(), u64::MAX, 2).await.unwrap(), 2);
    for (cursor, state) in [
        (start, CursorState::TooOld),
        (cursors[1], CursorState::TooOld),
        (cursors[2], CursorState::Valid),
        (cursors[3], CursorState::Valid),
    ] {
        assert_eq!(journal.check(cursor).await.unwrap(), state, "{cursor:?}");
    }
    // The last entry stays.
    assert_eq!(journal.prune(later(), u64::MAX, 10).await.unwrap(), 1);
    assert_eq!(journal.prune(later(), u64::MAX, 10).await.unwrap(), 0);
    assert_eq!(journal.end().await.unwrap(), cursors[3]);
}

/// A journal keeps no more entries than it is told, however young they are: the last ones.
pub async fn the_last_entries_are_kept(store: &dyn Store) {
    let journal = store.journal();
    let then = at("2000-01-01 00:00:00");
    let mut cursors = Vec::new();
    for name in ["One", "Two", "Three", "Four", "Five"] {
        add(store, venue(name).build(), name).await;
        cursors.push(journal.end().await.unwrap());
    }
    assert_eq!(journal.prune(then, 5, 10).await.unwrap(), 0);
    assert_eq!(journal.prune(then, 3, 1).await.unwrap(), 1);
    assert_eq!(journal.prune(then, 3, 10).await.unwrap(), 1);
    assert_eq!(journal.prune(then, 3, 10).await.unwrap(), 0);
    for (cursor, state) in
        cursors.iter().zip([CursorState::TooOld, CursorState::TooOld, CursorState::Valid])
    {
        assert_eq!(journal.check(*cursor).await.unwrap(), state, "{cursor:?}");
    }
    // The last entry stays.
    assert_eq!(journal.prune(then, 0, 10).await.unwrap(), 2);
    assert_eq!(journal.prune(then, 0, 10).await.unwrap(), 0);
    assert_eq!(journal.end().await.unwrap(), cursors[4]);
}
