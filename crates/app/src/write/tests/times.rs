//! The time of an event arrives exactly.

use domain::time::{EventTime, Timestamp, Zone, parse_date};

use super::{
    super::{EventUpdate, NewEvent},
    World, noon, time, title,
};

/// Times whose text in wall clocks would be ambiguous, or at the edge of what is stored.
fn times() -> Vec<(&'static str, EventTime)> {
    let zone = |name: &str| name.parse::<Zone>().unwrap();
    let between = |name: &str, start: &str, end: &str| {
        let read = |text: &str| parse_date(text, &zone(name), Timestamp::MIN).unwrap();
        EventTime::between(zone(name), read(start), read(end), false).unwrap()
    };
    let new_york = "America/New_York";
    vec![
        (
            "a plain time",
            time(
                "Asia/Tokyo",
                "2030-03-10 09:00:00",
                "2030-03-10 11:30:30",
                false,
            ),
        ),
        (
            "a zone without a name",
            time(
                "UTC+5.5",
                "2030-03-10 09:00:00",
                "2030-03-10 09:00:00",
                false,
            ),
        ),
        (
            "first occurrence",
            between(new_york, "2027-11-07T05:30:00Z", "2027-11-07T05:45:00Z"),
        ),
        (
            "second occurrence",
            between(new_york, "2027-11-07T06:30:00Z", "2027-11-07T06:45:00Z"),
        ),
        (
            "from the first to the second",
            between(new_york, "2027-11-07T05:30:00Z", "2027-11-07T06:15:00Z"),
        ),
        (
            "a start in a gap",
            time(
                new_york,
                "2027-03-14 02:30:00",
                "2027-03-14 03:15:00",
                false,
            ),
        ),
        (
            "whole days",
            time(new_york, "2027-11-06 09:00:00", "2027-11-08 08:00:00", true),
        ),
        (
            "a day that begins late",
            time(
                "America/Nuuk",
                "2027-03-27 00:00:00",
                "2027-03-28 00:00:00",
                true,
            ),
        ),
        (
            "a skipped day",
            time(
                "Pacific/Apia",
                "2011-12-30 00:00:00",
                "2011-12-30 00:00:00",
                true,
            ),
        ),
        (
            "local mean time",
            time(
                "Europe/Paris",
                "1789-07-14 10:00:00",
                "1789-07-14 17:30:00",
                false,
            ),
        ),
        (
            "the first and the last second",
            time("UTC", "0001-01-01 00:00:00", "9999-12-31 23:59:59", false),
        ),
        (
            "the first and the last day",
            time("UTC", "0001-01-01 00:00:00", "9999-12-31 00:00:00", true),
        ),
    ]
}

#[tokio::test]
async fn of_new_events_and_of_updates() {
    let world = World::new().await;
    for (name, time) in times() {
        let made = NewEvent::builder(title(name), time.clone()).build();
        assert_eq!(world.create(&made).await.details.when, time, "{name}");
        // The stored time does not decide: neither another zone nor whole days.
        for before in [noon(), time.clone(), whole_days(time.zone())] {
            let event = world
                .create(&NewEvent::builder(title(name), before).build())
                .await;
            let changed = EventUpdate::builder().time(time.clone()).build();
            assert_eq!(
                world.update(event.id, &changed).await.details.when,
                time,
                "{name}"
            );
        }
    }
}

fn whole_days(zone: &Zone) -> EventTime {
    time(
        zone.name(),
        "2030-06-01 00:00:00",
        "2030-06-02 00:00:00",
        true,
    )
}

/// The second occurrence of a wall clock replaces the first one.
#[tokio::test]
async fn of_another_occurrence_of_the_stored_wall_clock() {
    let world = World::new().await;
    let [first, second] = ["first occurrence", "second occurrence"].map(|name| {
        let found = times().into_iter().find(|(one, _)| *one == name);
        found.unwrap().1
    });
    assert_eq!(first.start().local, second.start().local);
    let event = world
        .create(&NewEvent::builder(title("Ghosts"), first).build())
        .await;
    let changed = EventUpdate::builder().time(second.clone()).build();
    assert_eq!(world.update(event.id, &changed).await.details.when, second);
}
