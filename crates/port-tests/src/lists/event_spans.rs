//! The events that views by day place, and the ends of the calendar, compared with public lists.

use app::{
    ports::Store,
    test_support::{START, at, event},
};
use domain::{
    Event, Id, Stored,
    event::{EventFilter, EventSpan, Window},
    policy::{Caller, Visibility},
    time::{EventTime, Timestamp, Zone},
};

use crate::{
    Dice,
    lists::{
        Events,
        event_totals::{add_world, window},
        moments,
    },
    sample::{all, edit, in_unit},
};

/// Events and series, some of them sticky or in another zone.
async fn add_varied_world(store: &dyn Store, dice: &mut Dice) {
    add_world(store, dice).await;
    let tokyo: Zone = "Asia/Tokyo".parse().unwrap();
    for event in all::<Event>(store).await {
        if event.occurrence().is_some() {
            continue;
        }
        let (sticky, moves) = (dice.once_in(3), dice.once_in(3) && event.series().is_none());
        edit(store, &event, |event| {
            event.details.sticky = sticky;
            if moves {
                let [start, end] = [event.details.when.start(), event.details.when.end()]
                    .map(|moment| tokyo.at(moment.utc));
                event.details.when = EventTime::between(tokyo.clone(), start, end, false).unwrap();
            }
        })
        .await;
    }
}

/// The spans of the events of a public list, by ID.
async fn expected(store: &dyn Store, window: Window, now: Timestamp) -> Vec<EventSpan> {
    let filter = EventFilter { window, ..EventFilter::default() };
    let events = Events::of(store).await;
    let ids = events.list(&filter, &Visibility::new(Caller::Anonymous, now));
    let events = store.events().find_many(&ids).await.unwrap();
    sorted(events.iter().map(EventSpan::of).collect())
}

fn sorted(mut spans: Vec<EventSpan>) -> Vec<EventSpan> {
    spans.sort_by_key(|span| span.id);
    spans
}

/// The spans of a window are those of the events in its public list.
pub async fn spans_are_those_of_lists(store: &dyn Store) {
    let mut dice = Dice(11);
    add_varied_world(store, &mut dice).await;
    let (mut held, mut sticky) = (0, 0);
    for _ in 0..60 {
        let (window, now) = (window(&mut dice), dice.pick(&moments()));
        let found = store.events().spans(&window, now, 10_000).await.unwrap();
        assert_eq!(sorted(found.clone()), expected(store, window, now).await, "{window:?}");
        held += found.len();
        sticky += found.iter().filter(|span| span.sticky).count();
    }
    assert!(held > 500 && sticky > 50, "{held} {sticky}");
}

/// The first event begins at the least start, the last one ends at the greatest end.
pub async fn the_calendar_has_ends(store: &dyn Store) {
    assert_eq!(store.events().extent(at(START)).await.unwrap(), None);
    let mut dice = Dice(12);
    add_varied_world(store, &mut dice).await;
    for _ in 0..20 {
        for now in moments() {
            let all = expected(store, Window::default(), now).await;
            let ends = store.events().extent(now).await.unwrap();
            let ends = ends.map(|[first, last]| (first.start, last.end));
            let start = all.iter().map(|span| span.start).min();
            assert_eq!(ends, start.zip(all.iter().map(|span| span.end).max()));
        }
        let events = all::<Event>(store).await;
        let alone = |event: &&_| Event::occurrence(event).is_none();
        let events: Vec<_> = events.iter().filter(|event| alone(&&event.content)).collect();
        let hidden = dice.pick(&events);
        edit(store, hidden, |event| event.details.hide_from_listings ^= true).await;
    }
}

/// No more spans come than were asked for.
pub async fn spans_are_bounded(store: &dyn Store) {
    in_unit(store, async |to| {
        for _ in 0..5 {
            event("E").insert(to).await;
        }
    })
    .await;
    for (limit, found) in [(2, 2), (5, 5), (9, 5)] {
        let spans = store.events().spans(&Window::default(), at(START), limit).await;
        assert_eq!(spans.unwrap().len(), found);
    }
}

/// An outline has everything of an event that a grid shows, and a reading of the whole event afterwards is whole.
pub async fn outlines_are_of_their_events(store: &dyn Store) {
    let shown = |event: &Stored<Event>| {
        let Event { title, slug, stage, published_at, language, details, .. } = &event.content;
        let texts = (title.clone(), slug.clone(), *language);
        let flags = (details.cancelled, details.sticky, details.password.clone());
        (event.id, event.revision, texts, *stage, *published_at, details.when.clone(), flags)
    };
    add_varied_world(store, &mut Dice(12)).await;
    let all = all::<Event>(store).await;
    let mut ids: Vec<_> = all.iter().map(|event| event.id).collect();
    ids.push(Id::from_raw(999_999));
    let outlines = store.events().find_outlines(&ids).await.unwrap();
    let whole = store.events().find_many(&ids).await.unwrap();
    assert!(whole.len() > 20 && whole.iter().any(|event| !event.details.categories.is_empty()));
    let [of_outlines, of_whole] =
        [&outlines, &whole].map(|events| events.iter().map(shown).collect::<Vec<_>>());
    assert_eq!(of_outlines, of_whole);
    assert_eq!(whole.iter().filter(|event| all.contains(event)).count(), all.len());
}
