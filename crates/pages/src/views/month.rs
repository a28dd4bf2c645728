//! The view of a month: a grid of its weeks, and a list of its days for narrow screens.

use std::collections::HashMap;

use app::{error::AppError, event::EventView};
use askama::Template;
use domain::{
    Event, EventId,
    event::{DayCell, Placed},
    time::NaiveDate,
};

use super::{frame::Frame, titles};
use crate::{
    content::{Head, Link, Panel, PeriodLinks, microformat::Times},
    dates,
    listing::shown_time,
    record::HasPage as _,
    request::Outcome,
    words::Word,
};

/// The maximum number of events of a cell.
const MAX_EVENTS: usize = 4;

/// A month, ready to be rendered.
#[derive(Debug, Template)]
#[template(path = "month.html")]
struct MonthPage {
    head: Head,
    body: Month,
}

#[derive(Debug)]
struct Month {
    title: String,
    period: PeriodLinks,
    finding: Panel,
    notes: Vec<&'static str>,
    weekdays: Vec<Weekday>,
    weeks: Vec<Vec<Cell>>,
}

impl Month {
    /// The days of the month that have events.
    fn days(&self) -> impl Iterator<Item = &Cell> {
        let cells = self.weeks.iter().flatten();
        cells.filter(|cell| cell.is_in_month && cell.url.is_some())
    }
}

/// The heading of a column.
#[derive(Debug)]
struct Weekday {
    name: &'static str,
    short: &'static str,
}

/// A day of the grid.
#[derive(Debug)]
struct Cell {
    date: NaiveDate,
    number: String,
    /// The day in words.
    label: String,
    is_in_month: bool,
    is_today: bool,
    /// The URL of the view of the day, if it has events.
    url: Option<String>,
    entries: Vec<Entry>,
    /// The number of the events that are left out, with a link to the day.
    more: Option<Link>,
}

/// An event in a cell.
#[derive(Debug)]
struct Entry {
    title: Link,
    /// The time of the start as HTML, on the first day.
    start: Option<String>,
    /// The time in the list of days, as HTML.
    when: String,
    /// The abbreviation of its zone, if it is not that of the site.
    zone: Option<String>,
    cancelled: bool,
    /// Set where the event begins: programs find each event once.
    times: Option<Times>,
    continues: bool,
    /// The classes that place it.
    class: String,
}

/// The events of a month.
pub(super) async fn show(frame: &Frame<'_>) -> Result<Outcome, AppError> {
    let language = frame.request.language();
    let weeks: Vec<_> = frame
        .period
        .weeks(frame.request.site.week_start())
        .collect();
    let first = weeks
        .first()
        .map_or(frame.period.first(), |week| week.first());
    let last = weeks.last().map_or(frame.period.last(), |week| week.last());
    let (spans, is_complete) = frame.agenda.days(first, last).await?;
    let cells = weeks
        .iter()
        .map(|week| spans.week(week.first(), MAX_EVENTS));
    let cells: Vec<_> = cells.collect();
    let placed = cells.iter().flatten().flat_map(|cell| &cell.placed);
    let mut ids: Vec<_> = placed.map(|placed| placed.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let events = frame.agenda.load_alone(&ids).await?;
    let has_events = spans.any(frame.period.first(), frame.period.last());
    let weeks = cells
        .iter()
        .map(|week| week.iter().map(|day| cell(frame, day, &events)).collect());
    let (title, panel) = frame.panel(&spans).await?.titled(frame.title());
    let body = Month {
        title,
        period: frame.links(&spans).await?,
        finding: panel,
        notes: frame.notes(has_events, is_complete),
        weekdays: weekdays(first, language),
        weeks: weeks.collect(),
    };
    let own = cells.iter().flatten();
    let mut own = own.filter(|day| frame.period.holds(day.date));
    let first = own.find(|day| !day.placed.is_empty() || day.more > 0);
    let head = frame.head(first.map(|day| day.date));
    let is_stored = head.is_stored;
    Ok(Outcome::View(MonthPage { head, body }.render(), is_stored))
}

/// The headings of the columns, from a day on.
fn weekdays(first: NaiveDate, language: domain::Language) -> Vec<Weekday> {
    let days = first.iter_days().take(7);
    let weekday = |day: NaiveDate| Weekday {
        name: dates::weekday(day, language),
        short: dates::short_weekday(day, language),
    };
    days.map(weekday).collect()
}

fn cell(frame: &Frame<'_>, day: &DayCell, events: &HashMap<EventId, EventView>) -> Cell {
    let language = frame.request.language();
    let date = day.date;
    let has_events = !day.placed.is_empty() || day.more > 0;
    let entries = day
        .placed
        .iter()
        .filter_map(|placed| Some(entry(frame, placed, events.get(&placed.id)?)));
    Cell {
        date,
        number: dates::day_of_month(date, language),
        label: dates::day(date, true, language),
        is_in_month: frame.period.holds(date),
        is_today: date == frame.bounds.today,
        url: has_events.then(|| frame.day_url(date)),
        entries: entries.collect(),
        more: (day.more > 0).then(|| Link {
            url: frame.day_url(date),
            text: titles::more(day.more, language),
        }),
    }
}

fn entry(frame: &Frame<'_>, placed: &Placed, view: &EventView) -> Entry {
    let when = shown_time(view);
    let start = (placed.begins && !when.all_day()).then(|| {
        let start = when.start();
        dates::element(&dates::iso(start, &when), &dates::clock(start))
    });
    Entry {
        title: Link {
            url: Event::url(view, &frame.request.site),
            text: view.event.title.as_str().to_owned(),
        },
        zone: frame.other_zone(&when).filter(|_| start.is_some()),
        start,
        when: frame.time(view),
        cancelled: view.open && view.event.details.cancelled,
        times: placed.begins.then(|| Times::of(&when)),
        continues: !placed.begins,
        class: classes(placed),
    }
}

/// The classes that place an event: its row, and the ends of a bar across its days.
fn classes(placed: &Placed) -> String {
    let mut class = format!("row-{}", placed.row);
    if placed.begins && placed.ends {
        return class;
    }
    class += " bar";
    for (name, is_so) in [
        (" begins", placed.begins),
        (" ends", placed.ends),
        (" leads", placed.leads),
    ] {
        if is_so {
            class += name;
        }
    }
    if placed.leads {
        format!("{class} cells-{}", placed.cells)
    } else {
        class
    }
}
