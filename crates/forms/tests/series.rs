//! Writes of series and of their occurrences, in memory.

#![expect(clippy::unwrap_used, reason = "tests")]

use app::{
    AppError, Calendar,
    calendar::{Deleted, Precondition},
    event::EventView,
    request::RecordKey,
    test_support::{InMemoryStore, add_user, calendar},
    write::{DeleteOptions, ReadOptions},
};
use domain::{Event, EventId, Role, page::Page, policy::Caller};
use events_calendar_forms::{Fields, ListForm, Reading};
use serde_json::{Value, json};

struct Jazz {
    calendar: Calendar,
    editor: Caller,
    series: EventId,
}

fn fields(body: Value) -> Fields {
    let Value::Object(body) = body else { panic!() };
    Fields::from_body(body)
}

impl Jazz {
    async fn new() -> Self {
        Self::with(json!({ "recurrence": "FREQ=WEEKLY;COUNT=6" })).await
    }

    async fn with(more: Value) -> Self {
        let store = InMemoryStore::new();
        let editor = add_user(&store, "ada", Role::Administrator).await;
        let calendar = calendar(store).await;
        let mut body = json!({ "title": "Jazz night", "timezone": "Europe/Paris",
            "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 21:00" });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let write =
            events_calendar_forms::create::<Event>(&fields(body), Reading::of(&calendar, editor));
        let made = calendar.create(editor, &write).await.unwrap();
        Self {
            series: made.event.id.unwrap(),
            calendar,
            editor,
        }
    }

    async fn list(&self, series: EventId) -> Vec<EventView> {
        let list = self.occurrences(series, "").await;
        list.unwrap().rows
    }

    async fn occurrences(&self, series: EventId, query: &str) -> Result<Page<EventView>, AppError> {
        let fields = Fields::from_query(query);
        let ListForm {
            query,
            page,
            options,
        } = events_calendar_forms::occurrences(&fields, Reading::of(&self.calendar, self.editor))?;
        let list = self
            .calendar
            .occurrences(self.editor, series.into(), query, page, &options);
        list.await
    }

    async fn ids(&self) -> Vec<EventId> {
        self.list(self.series)
            .await
            .iter()
            .map(|one| one.event.id.unwrap())
            .collect()
    }

    /// The starts of the occurrences, without seconds.
    async fn starts(&self, series: EventId) -> Vec<String> {
        let list = self.list(series).await;
        let start = |one: &EventView| {
            one.event
                .details
                .when
                .start()
                .local
                .format("%m-%d %H:%M")
                .to_string()
        };
        list.iter().map(start).collect()
    }

    async fn patch(
        &self,
        id: impl Into<RecordKey<Event>>,
        body: Value,
    ) -> Result<EventView, AppError> {
        let reading = Reading::of(&self.calendar, self.editor);
        let write = events_calendar_forms::update::<Event>(&fields(body), reading);
        let any = Precondition::Any;
        self.calendar
            .update(self.editor, id.into(), &any, &write)
            .await
    }

    async fn delete(&self, id: EventId, force: bool) -> Result<Deleted<EventView>, AppError> {
        let options = if force {
            DeleteOptions::permanently()
        } else {
            DeleteOptions::default()
        };
        self.calendar
            .delete::<Event>(self.editor, id.into(), &Precondition::Any, &options)
            .await
    }

    async fn get(&self, id: EventId) -> Result<EventView, AppError> {
        self.calendar
            .get(self.editor, id.into(), &ReadOptions::default())
            .await
    }

    fn own(view: &EventView) -> Vec<&'static str> {
        view.event.occurrence().unwrap().overridden.names()
    }
}

#[tokio::test]
async fn a_series_has_occurrences_with_ids() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    assert_eq!(ids.len(), 6);
    assert!(ids.is_sorted() && ids[0] > jazz.series);
    let third = jazz.get(ids[2]).await.unwrap();
    assert_eq!(
        third.event.slug.as_ref().unwrap().as_str(),
        "jazz-night~2027-03-16"
    );
    assert_eq!(third.series.unwrap().id, jazz.series);
}

#[tokio::test]
async fn an_own_title_stays_when_the_series_changes() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    let third = jazz
        .patch(ids[2], json!({ "title": "Trio" }))
        .await
        .unwrap();
    assert_eq!(
        (third.event.id, Jazz::own(&third)),
        (Some(ids[2]), vec!["title"])
    );
    jazz.patch(
        jazz.series,
        json!({ "title": "Late jazz", "description": "New" }),
    )
    .await
    .unwrap();
    let third = jazz.get(ids[2]).await.unwrap();
    assert_eq!(third.event.title.as_str(), "Trio");
    assert!(third.event.description.as_str().contains("New"));
    let fourth = jazz.get(ids[3]).await.unwrap();
    assert_eq!(fourth.event.title.as_str(), "Late jazz");
    let third = jazz
        .patch(ids[2], json!({ "reset": ["title"] }))
        .await
        .unwrap();
    assert_eq!(
        (third.event.title.as_str(), Jazz::own(&third)),
        ("Late jazz", vec![])
    );
    assert_eq!(jazz.ids().await, ids);
}

#[tokio::test]
async fn an_occurrence_moves_alone() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    let moved = json!({ "start_date": "2027-03-17 18:00", "end_date": "2027-03-17 20:00" });
    let third = jazz.patch(ids[2], moved).await.unwrap();
    assert_eq!(Jazz::own(&third), ["start_date", "end_date"]);
    assert_eq!(jazz.starts(jazz.series).await[2], "03-17 18:00");
    let all = json!({ "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 22:00" });
    let series = jazz.patch(jazz.series, all).await.unwrap();
    assert_eq!(series.changes.unwrap().kept, 6);
    let starts = jazz.starts(jazz.series).await;
    assert_eq!(starts[1..4], ["03-09 20:00", "03-17 18:00", "03-23 20:00"]);
    assert_eq!(jazz.ids().await, ids);
}

#[tokio::test]
async fn an_occurrence_is_deleted_and_comes_back() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[2], json!({ "title": "Trio" }))
        .await
        .unwrap();
    let delete = async |force: bool| jazz.delete(ids[2], force).await;
    assert!(matches!(delete(false).await, Ok(Deleted::Trashed(_))));
    assert_eq!(jazz.ids().await.len(), 5);
    assert!(jazz.get(ids[2]).await.is_err());
    assert!(matches!(delete(false).await, Err(AppError::InTrash(_))));
    let series = jazz.get(jazz.series).await.unwrap();
    assert_eq!(series.event.series().unwrap().recurrence.deleted().len(), 1);
    let back = jazz
        .patch(ids[2], json!({ "status": "publish" }))
        .await
        .unwrap();
    assert_eq!(back.event.title.as_str(), "Trio");
    assert_eq!(jazz.ids().await, ids);

    assert!(matches!(delete(true).await, Ok(Deleted::Gone(_))));
    assert!(jazz.get(ids[2]).await.is_err());
    let slot = RecordKey::Slot(jazz.series, "2027-03-16".parse().unwrap());
    let again = jazz
        .patch(slot, json!({ "status": "publish" }))
        .await
        .unwrap();
    assert!(again.event.id > Some(ids[5]));
    assert_eq!(jazz.ids().await.len(), 6);
}

#[tokio::test]
async fn a_plain_occurrence_is_deleted_and_comes_back() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.delete(ids[1], false).await.unwrap();
    assert!(jazz.get(ids[1]).await.is_err());
    jazz.patch(
        jazz.series,
        json!({ "title": "Later", "start_date": "2027-03-02 20:00" }),
    )
    .await
    .unwrap();
    jazz.patch(jazz.series, json!({ "recurrence": { "exdate": [] } }))
        .await
        .unwrap();
    assert_eq!(jazz.ids().await, ids);
    let back = jazz.get(ids[1]).await.unwrap();
    assert_eq!(
        (back.event.title.as_str(), Jazz::own(&back)),
        ("Later", vec![])
    );
    jazz.patch(
        jazz.series,
        json!({ "recurrence": { "exdate": ["2027-03-09"] } }),
    )
    .await
    .unwrap();
    assert!(matches!(
        jazz.delete(ids[1], false).await,
        Err(AppError::InTrash(_))
    ));
}

#[tokio::test]
async fn a_series_is_split() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[4], json!({ "title": "Own" })).await.unwrap();
    let late = json!({ "title": "Late", "scope": "following", "start_date": "2027-03-24 20:00", "end_date": "2027-03-24 22:00" });
    let fourth = jazz.patch(ids[3], late.clone()).await.unwrap();
    assert_eq!(fourth.event.title.as_str(), "Late");
    let second = fourth.series.unwrap();
    assert_eq!(second.slug.as_ref().unwrap().as_str(), "jazz-night-2");
    assert_eq!(
        jazz.starts(second.id).await,
        ["03-24 20:00", "03-31 20:00", "04-07 20:00"]
    );
    assert_eq!(jazz.ids().await, ids[..3]);
    assert_eq!(jazz.get(ids[4]).await.unwrap().event.title.as_str(), "Own");
    let first = jazz.get(jazz.series).await.unwrap();
    assert_eq!(first.event.series().unwrap().next, Some(second.id));
    jazz.patch(ids[3], late).await.unwrap();
    let second = jazz.get(second.id).await.unwrap();
    assert_eq!(second.event.series().unwrap().next, None, "one split");
}

#[tokio::test]
async fn a_new_rule_keeps_what_remains() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[4], json!({ "title": "Own" })).await.unwrap();
    let rule = json!({ "recurrence": "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6" });
    let changes = jazz
        .patch(jazz.series, rule)
        .await
        .unwrap()
        .changes
        .unwrap();
    assert_eq!((changes.kept, changes.added, changes.removed), (3, 3, 3));
    assert_eq!(changes.trashed, [ids[4]]);
    assert_eq!(
        jazz.starts(jazz.series).await,
        [
            "03-02 19:00",
            "03-04 19:00",
            "03-09 19:00",
            "03-11 19:00",
            "03-16 19:00",
            "03-18 19:00"
        ]
    );
    assert!(matches!(jazz.get(ids[3]).await, Err(AppError::NotFound(_))));
    let back = jazz
        .patch(ids[4], json!({ "status": "publish" }))
        .await
        .unwrap();
    assert_eq!(back.event.title.as_str(), "Own");
    assert_eq!(jazz.starts(jazz.series).await.len(), 7);
}

#[tokio::test]
async fn a_series_stops_and_starts_again() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[1], json!({ "cancelled": true }))
        .await
        .unwrap();
    let stopped = jazz
        .patch(jazz.series, json!({ "recurrence": "" }))
        .await
        .unwrap();
    assert!(stopped.event.series().is_none());
    assert_eq!(stopped.changes.unwrap().trashed, [ids[1]]);
    assert!(matches!(jazz.get(ids[0]).await, Err(AppError::NotFound(_))));
    let again = json!({ "recurrence": { "frequency": "daily", "count": 3 } });
    jazz.patch(jazz.series, again).await.unwrap();
    assert_eq!(
        jazz.starts(jazz.series).await,
        ["03-02 19:00", "03-03 19:00", "03-04 19:00"]
    );
}

#[tokio::test]
async fn the_trash_keeps_all_of_a_series() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[1], json!({ "title": "Own" })).await.unwrap();
    let delete = async |force: bool| jazz.delete(jazz.series, force).await;
    jazz.delete(ids[4], false).await.unwrap();
    delete(false).await.unwrap();
    for id in &ids {
        assert!(jazz.get(*id).await.is_err());
    }
    jazz.patch(jazz.series, json!({ "status": "publish" }))
        .await
        .unwrap();
    assert_eq!(jazz.ids().await, [&ids[..4], &ids[5..]].concat());
    let fifth = jazz.patch(ids[4], json!({ "status": "publish" })).await;
    assert!(
        fifth
            .unwrap()
            .event
            .occurrence()
            .unwrap()
            .overridden
            .is_empty()
    );
    assert_eq!(jazz.ids().await, ids);
    assert_eq!(jazz.get(ids[1]).await.unwrap().event.title.as_str(), "Own");
    delete(true).await.unwrap();
    for id in &ids {
        assert!(matches!(jazz.get(*id).await, Err(AppError::NotFound(_))));
    }
}

#[tokio::test]
async fn a_detached_occurrence_is_an_event() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    let third = jazz.patch(ids[2], json!({ "detach": true })).await.unwrap();
    assert!(third.event.occurrence().is_none() && third.series.is_none());
    assert_eq!(
        third.event.slug.as_ref().unwrap().as_str(),
        "jazz-night-2027-03-16"
    );
    jazz.patch(jazz.series, json!({ "title": "Other" }))
        .await
        .unwrap();
    assert_eq!(
        jazz.get(ids[2]).await.unwrap().event.title.as_str(),
        "Jazz night"
    );
    assert_eq!(jazz.ids().await.len(), 5);
}

#[tokio::test]
async fn nothing_sent_changes_nothing() {
    let jazz =
        Jazz::with(json!({ "recurrence": { "rrule": "FREQ=WEEKLY", "exdate": ["2027-03-09"] } }))
            .await;
    let before = jazz.get(jazz.series).await.unwrap();
    let after = jazz.patch(jazz.series, json!({})).await.unwrap();
    assert_eq!(before.event, after.event);
    let own = json!({ "recurrence": { "rrule": "FREQ=WEEKLY", "rdate": [], "exdate": ["2027-03-09T19:00:00"] } });
    let after = jazz.patch(jazz.series, own).await.unwrap();
    assert_eq!(before.event, after.event);
    assert!(after.changes.is_none());
}

#[tokio::test]
async fn an_occurrence_beyond_the_horizon_gets_an_id_by_a_write() {
    let jazz = Jazz::with(json!({ "recurrence": "FREQ=WEEKLY" })).await;
    let slot = || RecordKey::Slot(jazz.series, "2099-03-03".parse().unwrap());
    let read = jazz
        .calendar
        .get::<Event>(jazz.editor, slot(), &ReadOptions::default())
        .await;
    assert_eq!(read.unwrap().event.id, None);
    let written = jazz.patch(slot(), json!({ "title": "Far" })).await.unwrap();
    let read = jazz.get(written.event.id.unwrap()).await.unwrap();
    assert_eq!(read.event.title.as_str(), "Far");
}

#[tokio::test]
async fn occurrences_change_in_the_trash_of_their_series() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.delete(ids[2], false).await.unwrap();
    jazz.patch(ids[3], json!({ "title": "Trio" }))
        .await
        .unwrap();
    jazz.delete(jazz.series, false).await.unwrap();
    let duo = jazz.patch(ids[1], json!({ "title": "Duo" })).await.unwrap();
    assert_eq!(Jazz::own(&duo), ["title"]);
    let duo = jazz.patch(ids[1], json!({ "featured": true })).await;
    assert_eq!(Jazz::own(&duo.unwrap()), ["title", "featured"]);
    let plain = jazz.patch(ids[3], json!({ "reset": true })).await.unwrap();
    assert!(Jazz::own(&plain).is_empty());
    jazz.patch(ids[2], json!({ "cancelled": true }))
        .await
        .unwrap();
    jazz.patch(jazz.series, json!({ "status": "publish" }))
        .await
        .unwrap();
    let all = [&ids[..2], &ids[3..]].concat();
    assert_eq!(jazz.ids().await, all);
    assert_eq!(
        Jazz::own(&jazz.get(ids[1]).await.unwrap()),
        ["title", "featured"]
    );
}

#[tokio::test]
async fn what_is_in_the_trash_moves_with_the_series() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[4], json!({ "title": "Own" })).await.unwrap();
    jazz.patch(jazz.series, json!({ "recurrence": "FREQ=WEEKLY;COUNT=2" }))
        .await
        .unwrap();
    let later = json!({ "start_date": "2027-03-23 19:00", "end_date": "2027-03-23 21:00" });
    jazz.patch(jazz.series, later).await.unwrap();
    assert_eq!(jazz.ids().await, ids[..2]);
    let back = jazz
        .patch(ids[4], json!({ "status": "publish" }))
        .await
        .unwrap();
    let slot = back.event.occurrence().unwrap().slot;
    assert_eq!(
        (back.event.title.as_str(), slot.to_string().as_str()),
        ("Own", "2027-04-20T19:00:00")
    );
}

#[tokio::test]
async fn dates_do_not_leave_the_years() {
    let dates = json!({ "rdate": ["2027-03-05 10:00", "0001-01-02 10:00"] });
    let jazz = Jazz::with(json!({ "recurrence": dates })).await;
    let earlier = json!({ "start_date": "2027-02-12 19:00", "end_date": "2027-02-12 21:00" });
    let refused = jazz.patch(jazz.series, earlier).await;
    assert!(matches!(refused, Err(AppError::Invalid(faults)) if faults.contains_key("start_date")));
    assert_eq!(jazz.ids().await.len(), 3);
}

#[tokio::test]
async fn an_occurrence_far_ahead_stays_when_an_endless_rule_changes() {
    let jazz = Jazz::with(json!({ "recurrence": "FREQ=WEEKLY" })).await;
    let slot = RecordKey::Slot(jazz.series, "8999-12-24".parse().unwrap());
    let far = jazz
        .patch(slot, json!({ "title": "Far" }))
        .await
        .unwrap()
        .event;
    let id = far.id.unwrap();
    let moved = json!({ "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 22:00" });
    jazz.patch(jazz.series, moved).await.unwrap();
    let moved = jazz.get(id).await.unwrap();
    let start = moved.event.details.when.start().local.to_string();
    assert_eq!(
        (moved.event.title.as_str(), start.as_str()),
        ("Far", "8999-12-24 20:00:00")
    );
    let changes = jazz
        .patch(jazz.series, json!({ "recurrence": "FREQ=WEEKLY;COUNT=3" }))
        .await;
    assert_eq!(changes.unwrap().changes.unwrap().trashed, [id]);
}

#[tokio::test]
async fn a_split_far_ahead_stores_the_whole_first_half() {
    let jazz = Jazz::with(json!({ "recurrence": "FREQ=WEEKLY" })).await;
    let slot = RecordKey::Slot(jazz.series, "2044-04-05".parse().unwrap());
    let later = json!({ "title": "Later", "scope": "following" });
    let second = jazz.patch(slot, later).await.unwrap().series.unwrap().id;
    let first = jazz.get(jazz.series).await.unwrap();
    let total = first.event.series().unwrap().recurrence.total().unwrap();
    let list = jazz.occurrences(jazz.series, "").await;
    assert_eq!(list.unwrap().total, total as u64);
    assert_ne!(
        jazz.get(second)
            .await
            .unwrap()
            .event
            .series()
            .unwrap()
            .kept_until,
        None
    );
}

#[tokio::test]
async fn fields_are_kept_by_the_trash() {
    let jazz = Jazz::new().await;
    let ids = jazz.ids().await;
    jazz.patch(ids[1], json!({ "title": "Trio", "status": "trash" }))
        .await
        .unwrap();
    assert!(jazz.get(ids[1]).await.is_err());
    let back = jazz
        .patch(ids[1], json!({ "status": "publish" }))
        .await
        .unwrap();
    assert_eq!(back.event.title.as_str(), "Trio");
}

#[tokio::test]
async fn a_series_that_is_hidden_tells_no_dates() {
    let jazz = Jazz::with(json!({ "recurrence": "FREQ=WEEKLY", "status": "draft" })).await;
    for day in ["2027-03-16", "2027-03-17"] {
        let slot = RecordKey::Slot(jazz.series, day.parse().unwrap());
        let options = ReadOptions::default();
        let read = jazz
            .calendar
            .get::<Event>(Caller::Anonymous, slot, &options);
        assert!(
            matches!(read.await, Err(AppError::NotAccessible(_))),
            "{day}"
        );
    }
}

#[tokio::test]
async fn an_end_far_ahead_is_cheap() {
    let jazz = Jazz::with(json!({ "recurrence": "FREQ=DAILY" })).await;
    let list = jazz.occurrences(jazz.series, "ends_after=9999-12-20&ends_before=9999-12-25");
    assert_eq!(list.await.unwrap().total, 5);
    let refused = jazz
        .occurrences(jazz.series, "ends_before=9999-12-25")
        .await;
    assert!(matches!(refused, Err(AppError::Invalid(_))));
}

#[tokio::test]
async fn overrides_move_onto_the_slots_of_others() {
    let jazz = Jazz::with(json!({ "recurrence": "FREQ=DAILY;COUNT=6" })).await;
    let ids = jazz.ids().await;
    for (id, title) in ids[1..4].iter().zip(["Two", "Three", "Four"]) {
        jazz.patch(*id, json!({ "title": title })).await.unwrap();
    }
    let later = json!({ "start_date": "2027-03-03 19:00", "end_date": "2027-03-03 21:00" });
    jazz.patch(jazz.series, later).await.unwrap();
    assert_eq!(jazz.ids().await, ids);
    let third = jazz.get(ids[2]).await.unwrap();
    assert_eq!(third.event.title.as_str(), "Three");
    assert_eq!(
        third.event.slug.as_ref().unwrap().as_str(),
        "jazz-night~2027-03-05"
    );
    jazz.patch(jazz.series, json!({ "all_day": true }))
        .await
        .unwrap();
    assert_eq!(jazz.ids().await, ids);
}
