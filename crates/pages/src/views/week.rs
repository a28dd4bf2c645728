//! The view of a week.

use std::collections::HashMap;

use app::{error::AppError, event::EventView};
use askama::Template;
use domain::{EventId, event::DaySpans, time::NaiveDate};

use super::{frame::Frame, titles};
use crate::{
    content::{Head, Item, Link, Panel, PeriodLinks},
    dates,
    request::Outcome,
    words::Word,
};

/// The maximum number of events of a day.
const MAX_EVENTS: usize = 12;

/// A week, ready to be rendered.
#[derive(Debug, Template)]
#[template(path = "week.html")]
struct WeekPage {
    head: Head,
    body: Week,
}

#[derive(Debug)]
struct Week {
    title: String,
    period: PeriodLinks,
    finding: Panel,
    notes: Vec<&'static str>,
    days: Vec<Column>,
}

/// A day of a week.
#[derive(Debug)]
struct Column {
    date: NaiveDate,
    weekday: &'static str,
    number: String,
    is_today: bool,
    /// The URL of the view of the day, if it has events.
    url: Option<String>,
    items: Vec<Item>,
    /// The number of the events that are left out, with a link to the day.
    more: Option<Link>,
}

/// The events of a week, day by day.
pub(super) async fn show(frame: &Frame<'_>) -> Result<Outcome, AppError> {
    let (first, last) = (frame.period.first(), frame.period.last());
    let (spans, is_complete) = frame.agenda.days(first, last).await?;
    let mut ids: Vec<_> = frame
        .period
        .days()
        .flat_map(|day| spans.on(day).into_iter().take(MAX_EVENTS))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let events = frame.agenda.load(&ids).await?;
    let has_events = !ids.is_empty();
    let days = frame.period.days();
    let (title, panel) = frame.panel(&spans).await?.titled(frame.title());
    let body = Week {
        title,
        period: frame.links(&spans).await?,
        finding: panel,
        notes: frame.notes(has_events, is_complete),
        days: days
            .map(|day| column(frame, day, &spans, &events))
            .collect(),
    };
    let mut days = frame.period.days();
    let head = frame.head(days.find(|day| !spans.on(*day).is_empty()));
    let is_stored = head.is_stored;
    Ok(Outcome::View(WeekPage { head, body }.render(), is_stored))
}

fn column(
    frame: &Frame<'_>,
    date: NaiveDate,
    spans: &DaySpans,
    events: &HashMap<EventId, EventView>,
) -> Column {
    let language = frame.request.language();
    let ids = spans.on(date);
    let shown = ids.iter().take(MAX_EVENTS).filter_map(|id| events.get(id));
    let more = ids.len().saturating_sub(MAX_EVENTS);
    Column {
        date,
        weekday: dates::weekday(date, language),
        number: dates::day_of_month(date, language),
        is_today: date == frame.bounds.today,
        url: (!ids.is_empty()).then(|| frame.day_url(date)),
        items: shown
            .map(|view| frame.request.item(view, frame.time(view)))
            .collect(),
        more: (more > 0).then(|| Link {
            url: frame.day_url(date),
            text: titles::more(more, language),
        }),
    }
}
