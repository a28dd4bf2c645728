//! Asks a filter which events it finds, and in which order, with `domain` alone. The programme is a
//! plain list in memory; the same `EventFilter` is what a request to the service turns into, and
//! what the databases are tested against.
//!
//! Run it with `cargo run -p example-filter`.

use std::error::Error;

use domain::{
    Entry, Event, EventId, Status, Stored, UserId,
    event::{EventDetails, EventFilter, EventSort},
    policy::{Caller, Visibility},
    search::Search,
    time::{EventTime, Timestamp, Zone, parse_date},
};

fn main() -> Result<(), Box<dyn Error>> {
    let now = Timestamp::from_seconds(1_800_000_000).ok_or("no time")?; // in January 2027
    let programme = [
        event(1, "River cleanup", "2027-04-17 09:00", Status::Publish, now)?,
        event(2, "Fête de la rivière", "2027-06-12 20:00", Status::Publish, now)?,
        event(3, "Concert at the river", "2027-05-01 19:30", Status::Publish, now)?,
        event(4, "River walk, not announced yet", "2027-05-02 10:00", Status::Draft, now)?,
    ];

    // The search folds letters: "riviere" finds "rivière". It takes whole words and their beginnings.
    let filter = EventFilter {
        search: Search::parse("riv"),
        sort: EventSort::Title,
        ..EventFilter::default()
    };

    // `matches` answers for one event, `compare` orders two, and `list` does both.
    let anybody = Visibility::new(Caller::Anonymous, now);
    assert!(filter.matches(&programme[0], None, &anybody));
    assert!(!filter.matches(&programme[3], None, &anybody), "a draft is not public");
    assert!(filter.compare(&programme[2], &programme[1]).is_lt());
    let found = filter.list(&programme, |_| None, &anybody);

    for event in &found {
        println!("{}  {}", event.details.when.start().local, event.title);
    }
    let ids: Vec<_> = found.iter().map(|event| event.id.get()).collect();
    assert_eq!(ids, [3, 2, 1]);
    Ok(())
}

/// An event of two hours, by the clocks of Paris.
fn event(
    id: i64,
    title: &str,
    start: &str,
    status: Status,
    now: Timestamp,
) -> Result<Stored<Event>, Box<dyn Error>> {
    let zone = "Europe/Paris".parse::<Zone>()?;
    let start = parse_date(start, &zone, now)?;
    let end = parse_date("+2 hours", &zone, start.utc)?;
    let details = EventDetails::new(
        EventTime::between(zone, start, end, false)?,
        format!("{id}@cal.example"),
    );
    let mut content = Entry::new(UserId::from_raw(1), title.parse()?, details, now);
    content.move_to(status, now);
    Ok(Stored { id: EventId::from_raw(id), revision: 1, content })
}
