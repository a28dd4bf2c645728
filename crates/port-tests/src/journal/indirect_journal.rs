//! The journal: entries for records that show something else because another record changed.

use std::collections::BTreeSet;

use app::{
    ports::{
        EntryQuery, JournalCursor, JournalEntry, OccurrencePlan, Repositories, SlugRequests, Store,
    },
    resource::Resource,
    test_support::{EntryBuilder, at, category, event, organizer, tag, venue},
};
use domain::{
    Category, Event, Id, Kind, Language, Stage, Status, Stored, Tag, Translation,
    event::{EventDetails, Repetition, Series},
    image::AltTexts,
    policy::Reach,
};

use crate::records::images::image;
use crate::sample::{add, change, edit, in_unit, remove, request};

/// The entries of a step.
struct Step {
    /// The record that is changed itself.
    cause: (Kind, i64),
    entries: Vec<JournalEntry>,
    /// The record of the last public entry, if that is of this step.
    public: Vec<(Kind, i64)>,
}

impl Step {
    /// Takes a step.
    async fn of(store: &dyn Store, cause: (Kind, i64), step: impl AsyncFnOnce()) -> Self {
        let journal = store.journal();
        let start: JournalCursor = journal.end().await.unwrap();
        step().await;
        let end = journal.end().await.unwrap();
        let entries = journal
            .first_entries(&EntryQuery::between(start.number, end.number, 1_000))
            .await
            .unwrap();
        let public = journal.last_visible(Reach::Published).await.unwrap().number;
        let public = entries.iter().filter(|one| one.number == public);
        let public = public.map(|one| (one.record.kind, one.record.id)).collect();
        Self { cause, entries, public }
    }

    /// The other records. Each is the same before and after, and has one entry.
    fn shown(&self) -> BTreeSet<(Kind, i64)> {
        let key = |one: &JournalEntry| (one.record.kind, one.record.id);
        let others: Vec<_> = self.entries.iter().filter(|one| key(one) != self.cause).collect();
        assert!(others.iter().all(|one| one.was == one.is && one.was.stage.is_some()));
        assert_eq!(others.len() + 1, self.entries.len());
        others.into_iter().map(key).collect()
    }
}

fn key<R: Resource>(record: &Stored<R>) -> (Kind, i64) {
    (R::KIND, record.id.get())
}

fn set<const N: usize>(keys: [(Kind, i64); N]) -> BTreeSet<(Kind, i64)> {
    BTreeSet::from(keys)
}

/// Adds an event.
async fn stored(
    store: &dyn Store,
    title: &str,
    builder: EntryBuilder<EventDetails>,
) -> Stored<Event> {
    add(store, builder.with(|event| title.clone_into(&mut event.details.uid)).build(), title).await
}

/// A place of some kind with a public event, a draft and a hidden event there, and another event.
async fn check_place<D: domain::entry::Details>(
    store: &dyn Store,
    place: EntryBuilder<D>,
    at_place: impl Fn(Id<domain::Entry<D>>) -> EntryBuilder<EventDetails>,
) where
    domain::Entry<D>: Resource,
{
    let place = add(store, place.build(), "place").await;
    let shown = stored(store, "shown", at_place(place.id)).await;
    let draft = stored(store, "draft", at_place(place.id).status(Status::Draft)).await;
    let hidden = stored(store, "hidden", at_place(place.id).hidden()).await;
    stored(store, "other", event("Other")).await;
    let all = set([key(&shown), key(&draft), key(&hidden)]);

    // A change that leaves its audience alone is one item.
    let mut place = place;
    let cause = key(&place);
    let step = Step::of(store, cause, async || {
        place = edit(store, &place, |place| place.title = "Renamed".parse().unwrap()).await;
    });
    assert_eq!(step.await.shown(), set([]));
    let stage = async |place: &mut Stored<domain::Entry<D>>, stage: Stage| {
        let step = Step::of(store, cause, async || {
            *place = edit(store, place, |place| place.stage = stage).await;
        });
        let step = step.await;
        assert_eq!(step.shown(), all, "{stage:?}");
        step.public
    };
    // The place itself or the public event is the last one that everybody could see.
    let seen = [vec![key(&place)], vec![key(&shown)]];
    assert!(seen.contains(&stage(&mut place, Stage::Draft).await));
    assert_eq!(stage(&mut place, Stage::Private).await, []);
    assert_eq!(stage(&mut place, Stage::Trashed).await, []);
    assert!(seen.contains(&stage(&mut place, Stage::Published).await));
    let step = Step::of(store, cause, async || {
        edit(store, &place, |place| place.published_at = Some(at("2040-01-01 00:00:00"))).await;
    });
    assert_eq!(step.await.shown(), all);
    let step = Step::of(store, key(&place), async || assert!(remove(store, place.id).await)).await;
    assert_eq!(step.shown(), all);
    assert!(seen.contains(&step.public));
}

/// Events have entries when the audience of their venue changes, and when it is deleted.
pub async fn a_venue_appears_and_disappears_in_events(store: &dyn Store) {
    check_place(store, venue("Old Mill"), |id| event("E").venue(id)).await;
}

/// Events have entries when the audience of an organizer changes, and when it is deleted.
pub async fn an_organizer_appears_and_disappears_in_events(store: &dyn Store) {
    let other = add(store, organizer("Other").build(), "other").await.id;
    check_place(store, organizer("Society"), |id| event("E").organizers(&[other, id])).await;
}

/// The deletion of a private place is nothing that everybody could see.
pub async fn private_places_stay_private(store: &dyn Store) {
    let place = venue("Old Mill").status(Status::Private).build();
    let place = add(store, place, "mill").await;
    let concert = stored(store, "concert", event("E").venue(place.id)).await;
    let step = Step::of(store, key(&place), async || assert!(remove(store, place.id).await)).await;
    assert_eq!((step.shown(), step.public), (set([key(&concert)]), vec![]));
}

/// A unit that changes a venue and its event writes what both were before.
pub async fn a_unit_keeps_the_state_before_it(store: &dyn Store) {
    let place = add(store, venue("Old Mill").build(), "mill").await;
    let concert = stored(store, "concert", event("E").venue(place.id)).await;
    let step = Step::of(store, key(&place), async || {
        in_unit(store, async |to| {
            for stage in [Stage::Draft, Stage::Private] {
                let venue = to.venues().find_for_update(place.id).await.unwrap().unwrap();
                let changed = domain::Venue { stage, ..venue.content.clone() };
                to.venues().update(&venue, changed, SlugRequests::default()).await.unwrap();
                let event = to.events().find_for_update(concert.id).await.unwrap().unwrap();
                let changed = Event { stage, ..event.content.clone() };
                to.events().update(&event, changed, SlugRequests::default()).await.unwrap();
            }
        })
        .await;
    });
    let step = step.await;
    let was: Vec<_> = step.entries.iter().map(|one| one.was.stage).collect();
    assert_eq!(was, [Some(Stage::Published); 2]);
}

/// Events have entries when the audience of their parent changes, and when it is deleted.
pub async fn a_parent_appears_and_disappears_in_its_parts(store: &dyn Store) {
    let festival = stored(store, "festival", event("Festival")).await;
    let part = |whole| event("Part").with(|event| event.details.parent = Some(whole));
    let shown = stored(store, "shown", part(festival.id)).await;
    let draft = stored(store, "draft", part(festival.id).status(Status::Draft)).await;
    stored(store, "below", part(shown.id)).await;
    let parts = set([key(&shown), key(&draft)]);

    let mut festival = festival;
    let cause = key(&festival);
    let renamed = Step::of(store, cause, async || {
        festival = edit(store, &festival, |event| event.title = "Fair".parse().unwrap()).await;
    });
    assert_eq!(renamed.await.shown(), set([]));
    let hidden = Step::of(store, cause, async || {
        let hide = |event: &mut Event| event.details.hide_from_listings = true;
        festival = edit(store, &festival, hide).await;
    });
    assert_eq!(hidden.await.shown(), parts);
    let removed = Step::of(store, cause, async || assert!(remove(store, festival.id).await)).await;
    assert_eq!((removed.shown(), removed.public), (parts, vec![]));
}

/// The same for an occurrence as the parent: its audience is that of its series.
pub async fn an_occurrence_appears_and_disappears_in_its_parts(store: &dyn Store) {
    let series = event("Series").repeating("FREQ=DAILY;COUNT=3", at("9000-01-01 00:00:00"));
    let (series, days) = in_unit(store, async |to| series.insert_series(to).await).await;
    let part = |whole| event("Part").with(|event| event.details.parent = Some(whole));
    let first = stored(store, "first", part(days[0])).await;
    let second = stored(store, "second", part(days[1])).await;

    let mut series = series;
    let cause = key(&series);
    let step = Step::of(store, cause, async || {
        series = edit(store, &series, |series| series.stage = Stage::Draft).await;
    });
    assert_eq!(step.await.shown(), set([key(&first), key(&second)]));
    let step = Step::of(store, cause, async || {
        series = edit(store, &series, |series| series.stage = Stage::Published).await;
    });
    assert_eq!(step.await.shown(), set([key(&first), key(&second)]));
    let entries = Step::of(store, cause, async || {
        let changes = OccurrencePlan { removed: vec![days[0]], ..OccurrencePlan::default() };
        in_unit(store, async |to| to.occurrences().apply(&series, &changes).await.unwrap()).await;
    });
    let Step { entries, public, .. } = entries.await;
    let records: Vec<_> = entries.iter().map(|one| (one.record.kind, one.record.id)).collect();
    assert_eq!((records, public), (vec![key(&first)], vec![key(&first)]));
    let step = Step::of(store, cause, async || assert!(remove(store, series.id).await)).await;
    assert_eq!(step.shown(), set([key(&second)]));
}

/// A series has entries when the audience of one from which it was split changes, and when that one is deleted.
pub async fn a_series_appears_and_disappears_in_its_neighbours(store: &dyn Store) {
    let add_series = async |title: &str| {
        let series = event(title).with(|event| title.clone_into(&mut event.details.uid));
        let series = series.repeating("FREQ=DAILY;COUNT=3", at("9000-01-01 00:00:00"));
        in_unit(store, async |to| series.insert_series(to).await).await.0
    };
    let [mut first, mut second] = [add_series("First").await, add_series("Second").await];
    let (id, next) = (first.id, second.id);
    first = edit(store, &first, |event| change_series(event, |own| own.next = Some(next))).await;
    second =
        edit(store, &second, |event| change_series(event, |own| own.previous = Some(id))).await;

    let cause = key(&first);
    let step = Step::of(store, cause, async || {
        first = edit(store, &first, |event| event.title = "Fair".parse().unwrap()).await;
    });
    assert_eq!(step.await.shown(), set([]));
    for hidden in [true, false] {
        let step = Step::of(store, cause, async || {
            let hide = |event: &mut Event| event.details.hide_from_listings = hidden;
            first = edit(store, &first, hide).await;
        });
        assert_eq!(step.await.shown(), set([key(&second)]));
    }
    let step = Step::of(store, cause, async || assert!(remove(store, first.id).await)).await;
    assert_eq!(step.shown(), set([key(&second)]));
}

fn change_series(event: &mut Event, change: impl FnOnce(&mut Series)) {
    if let Repetition::Series(series) = &mut event.details.repetition {
        change(series);
    }
}

/// Events have entries when a category or a tag of theirs is deleted.
pub async fn events_of_a_deleted_term_have_entries(store: &dyn Store) {
    let music = add(store, category("Music").build(), "music").await;
    let loud = add(store, tag("Loud").build(), "loud").await;
    let both = event("E").categories(&[music.id]).tags(&[loud.id]);
    let shown = stored(store, "shown", both.clone()).await;
    let draft = stored(store, "draft", both.status(Status::Draft)).await;
    stored(store, "other", event("Other")).await;
    let all = set([key(&shown), key(&draft)]);
    let renamed = Step::of(store, key(&loud), async || {
        let name = |tag: &mut Tag| tag.name = "Louder".parse().unwrap();
        edit(store, &loud, name).await;
    });
    assert_eq!(renamed.await.shown(), set([]));
    let untagged =
        Step::of(store, key(&loud), async || assert!(remove(store, loud.id).await)).await;
    assert_eq!(untagged.shown(), all);
    let removed =
        Step::of(store, key(&music), async || assert!(remove(store, music.id).await)).await;
    assert_eq!(removed.shown(), all);
}

/// Records that show an image have entries when it gets another alternative text.
pub async fn records_of_a_described_image_have_entries(store: &dyn Store) {
    let image = image("2029/05/bank", None);
    let image = in_unit(store, async |to| to.images().insert(image).await).await.unwrap();
    let with_image = |event: &mut Event| event.image = Some(image.id);
    let shown = stored(store, "shown", event("E").with(with_image)).await;
    let draft = stored(store, "draft", event("E").status(Status::Draft).with(with_image)).await;
    stored(store, "other", event("Other")).await;
    let mill = venue("Mill").with(|venue| venue.image = Some(image.id)).build();
    let mill = add(store, mill, "mill").await;
    let club = organizer("Club").with(|club| club.image = Some(image.id)).build();
    let club = add(store, club, "club").await;
    let all = set([key(&shown), key(&draft), key(&mill), key(&club)]);

    let start = store.journal().end().await.unwrap();
    let (none, now) = (AltTexts::default(), at("2030-01-01 00:00:00"));
    let described = async |to: &dyn Repositories| to.images().set_alt(&image, none, now).await;
    in_unit(store, described).await.unwrap();
    let end = store.journal().end().await.unwrap();
    let entries = store
        .journal()
        .first_entries(&EntryQuery::between(start.number, end.number, 9))
        .await
        .unwrap();
    assert!(entries.iter().all(|one| one.was == one.is && one.was.stage.is_some()));
    let keys: BTreeSet<_> = entries.iter().map(|one| (one.record.kind, one.record.id)).collect();
    assert_eq!((keys, entries.len()), (all, 4));
    let public = store.journal().last_visible(Reach::Published).await.unwrap();
    assert!(public.number > start.number);
}

/// A change of a category.
type Edit<'a> = &'a (dyn Fn(&mut Category) + Sync);

/// Categories have entries when a path above them changes, in any language.
pub async fn a_path_changes_below_a_category(store: &dyn Store) {
    let top = add(store, category("Top").build(), "top").await;
    let music = add(store, category("Music").below(top.id).build(), "music").await;
    let jazz = add(store, category("Jazz").below(music.id).build(), "jazz").await;
    let bebop = add(store, category("Bebop").below(jazz.id).build(), "bebop").await;
    add(store, category("Sport").build(), "sport").await;
    let below = set([key(&jazz), key(&bebop)]);

    let french = |music: &mut Category| {
        let title = Some("Musique".parse().unwrap());
        let translation = Translation { title, ..Translation::default() };
        music.translations.put(Language::French, translation);
    };
    let in_french = |text| SlugRequests {
        translations: [(Language::French, request(text))].into(),
        ..SlugRequests::default()
    };
    let none = SlugRequests::default;
    let changes: [(&str, bool, Edit<'_>, SlugRequests); 7] = [
        ("name", false, &|music| music.name = "Sound".parse().unwrap(), none()),
        ("slug", true, &|_| (), request("sound").into()),
        ("parent", true, &|music| music.parent = None, none()),
        ("translation", false, &french, none()),
        ("translated slug", true, &|_| (), in_french("son")),
        ("another translated slug", true, &|_| (), in_french("sons")),
        (
            "no translation",
            true,
            &|music| music.translations.put(Language::French, Translation::default()),
            none(),
        ),
    ];
    let mut music = music;
    let cause = key(&music);
    for (name, moves, edit, requests) in changes {
        let step = Step::of(store, cause, async || {
            let mut content = music.content.clone();
            edit(&mut content);
            music = change(store, &music, content, requests).await;
        });
        let expected = if moves { below.clone() } else { set([]) };
        assert_eq!(step.await.shown(), expected, "{name}");
    }
    // The child of a deleted category moves up, which changes the path of its own child.
    let step = Step::of(store, cause, async || assert!(remove(store, music.id).await)).await;
    assert_eq!(step.shown(), below);
}
