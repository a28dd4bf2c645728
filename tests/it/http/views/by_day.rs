//! The events of each day, compared with the list of the interface.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::{between, view};

/// Zones that differ by up to 26 hours.
const ZONES: [&str; 5] =
    ["UTC", "Europe/Paris", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Niue"];

/// Adds events of March 2027 and around it: of hours, of whole days and of several days.
async fn add_events(app: &TestApp) {
    // A fixed sequence of numbers.
    let mut seed = 3_u32;
    let mut roll = |sides: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % sides
    };
    for number in 0..90 {
        let (day, hour) = (roll(38), roll(24));
        let length = if roll(3) == 0 { roll(8) } else { 0 };
        let date = |day: u32| match day {
            0..=2 => format!("2027-02-{}", 26 + day),
            3..=33 => format!("2027-03-{:02}", day - 2),
            _ => format!("2027-04-{:02}", day - 33),
        };
        let end_hour = if length == 0 { hour + roll(24 - hour) } else { roll(24) };
        app.admin()
            .event(json!({
                "title": format!("Event {number}"),
                "start_date": format!("{} {hour:02}:00:00", date(day)),
                "end_date": format!("{} {end_hour:02}:30:00", date(day + length)),
                "timezone": ZONES[number % ZONES.len()],
                "all_day": roll(5) == 0,
                "sticky": roll(9) == 0,
            }))
            .await;
    }
}

/// The titles of the events of each day, by the dates of the interface.
async fn expected(app: &TestApp) -> BTreeMap<String, BTreeSet<String>> {
    let mut days: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let list = "/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50&page=";
    for page in 1..=2 {
        let list = app.anonymous().get(&format!("{list}{page}")).await.json();
        for event in list["events"].as_array().unwrap() {
            let title = event["title"].as_str().unwrap();
            for day in 1..=31 {
                let day = format!("2027-03-{day:02}");
                let date = |field: &str| event[field].as_str().unwrap()[..10].to_owned();
                if (date("start_date")..=date("end_date")).contains(&day) {
                    days.entry(day).or_default().insert(title.to_owned());
                }
            }
        }
    }
    days
}

/// The titles of the links to events in a part of a page.
fn titles(html: &str) -> BTreeSet<String> {
    let html = html.replace("<bdi class=\"p-name\">", "<bdi>");
    let titles = html.split("<bdi>Event ").skip(1);
    titles.map(|rest| format!("Event {}", rest.split_once('<').unwrap().0)).collect()
}

/// The number of events that a part of a page leaves out.
fn more(html: &str) -> usize {
    let Some((before, _)) = html.split_once(" more<") else {
        return 0;
    };
    before.rsplit_once('+').unwrap().1.parse().unwrap()
}

/// Each event is in the cell of each of its days or counted there, and on the page of the day.
#[both_stores]
async fn each_event_is_on_each_of_its_days(app: &TestApp) {
    add_events(app).await;
    let expected = expected(app).await;
    let month = view(&app.anonymous(), "month/2027-03/").await;
    let grid = between(&month, "<table", "</table>");
    let (mut full, mut zones) = (0, 0);
    for (day, events) in &expected {
        let cell = grid.split("<td").find(|cell| cell.contains(&format!("datetime=\"{day}\"")));
        let cell = cell.unwrap();
        let shown = titles(cell);
        assert!(shown.is_subset(events), "{day}: {shown:?} {events:?}");
        assert_eq!(shown.len() + more(cell), events.len(), "{day}: {cell}");
        assert!(shown.len() <= 4, "{day}: {cell}");
        full += usize::from(more(cell) > 0);
        zones += cell.matches("<small>").count();
        let of_day = view(&app.anonymous(), &format!("day/{day}/")).await;
        let mut on_page = titles(between(&of_day, "<article class=\"h-feed\">", "</article>"));
        if of_day.contains("rel=\"next\" href=\"https://cal.example/events/day")
            && events.len() > 25
        {
            let rest = view(&app.anonymous(), &format!("day/{day}/?page=2")).await;
            on_page.extend(titles(between(&rest, "<article class=\"h-feed\">", "</article>")));
        }
        assert_eq!(&on_page, events, "{day}");
    }
    assert!(expected.len() > 25 && full > 5 && zones > 10, "{} {full} {zones}", expected.len());
    // The list for narrow screens has the same events.
    let agenda = month.split_once("<div class=\"agenda\">").unwrap().1;
    let of_days = |html: &str| titles(html).len();
    assert!(of_days(agenda) > 40);
}

/// Each event is in the section of each of its days of a week.
#[both_stores]
async fn a_week_has_seven_days(app: &TestApp) {
    add_events(app).await;
    let expected = expected(app).await;
    for (path, first) in
        [("week/2027-03-08/", 8), ("fr:week/2027-03-08/", 8), ("ar:week/2027-03-06/", 6)]
    {
        let html = view(&app.anonymous(), path).await;
        let week = between(&html, "<div class=\"week\">", "</article>");
        let days: Vec<_> = week.split("<section").skip(1).collect();
        assert_eq!(days.len(), 7);
        for (number, section) in (first..).zip(days) {
            let day = format!("2027-03-{number:02}");
            assert!(section.contains(&format!("<time datetime=\"{day}\">")), "{day}: {section}");
            assert_eq!(titles(section), expected[&day], "{day}");
        }
    }
}

/// A month takes no more statements for more events. A neighbour with events takes one, where one without takes two.
#[both_stores]
async fn a_full_month_takes_no_more_statements(app: &TestApp) {
    let admin = app.admin();
    let reading = app.uncached().await.anonymous();
    let mut counts = Vec::new();
    for (first, last) in [(0, 1), (1, 60)] {
        for number in first..last {
            let day = format!("2027-03-{:02}", 1 + number % 28);
            let fields = json!({
                "title": format!("Event {number}"), "start_date": day, "end_date": day,
                "venue": {"venue": format!("Venue {number}")}, "tags": [format!("Tag {number}")],
            });
            admin.event(fields).await;
        }
        for path in ["month/2027-03/", "week/2027-03-01/", "day/2027-03-01/"] {
            let before = app.db.statements();
            view(&reading, path).await;
            counts.push(app.db.statements() - before);
        }
    }
    let (few, many) = counts.split_at(3);
    assert!(many.iter().zip(few).all(|(many, few)| many <= few), "{counts:?}");
    assert!(counts.iter().all(|count| (5..=45).contains(count)), "{counts:?}");
}

/// An event until midnight is not on the day that begins then.
#[both_stores]
async fn midnight_ends_a_day(app: &TestApp) {
    let party = json!({"title": "Event 1", "start_date": "2027-03-10 20:00", "end_date": "2027-03-11 00:00"});
    let party: Value = app.admin().event(party).await;
    assert_eq!(party["end_date"], "2027-03-11 00:00:00");
    assert_eq!(titles(&view(&app.anonymous(), "day/2027-03-10/").await).len(), 1);
    assert!(titles(&view(&app.anonymous(), "day/2027-03-11/").await).is_empty());
}
