//! The view of a day.

use app::error::AppError;
use domain::{EventId, Kind, page as list};

use super::frame::Frame;
use crate::{
    content::{Content, Day, Events, Page, microformat::FEED},
    dates,
    listing::{PER_PAGE, shown_time},
    request::Outcome,
    words::Word,
};

/// The events of a day, a page at a time.
pub(super) async fn show(frame: &Frame<'_>) -> Result<Outcome, AppError> {
    let (request, day) = (frame.request, frame.period.first());
    let (days, is_complete) = frame.agenda.days(day, day).await?;
    let number = list::PageRequest::new(request.page_number()?, PER_PAGE, u32::MAX);
    let found: list::Page<EventId> = list::Page::of(days.on(day), number);
    if found.rows.is_empty() && number.number() > 1 {
        return Err(AppError::PageNotFound(Kind::Event));
    }
    let events = frame.agenda.load(&found.rows).await?;
    let shown = found.rows.iter().filter_map(|id| events.get(id));
    let items = shown.map(|view| {
        let when = shown_time(view);
        let is_of_day = when.start().local.date() == when.end().local.date();
        let when = if is_of_day {
            frame.time(view)
        } else {
            dates::full(&when, request.language())
        };
        request.item(view, when)
    });
    let items: Vec<_> = items.collect();
    let has_events = found.total > 0;
    let url = frame.view.url_of(frame.period, &request.site);
    let urls = frame.finding.choices.urls(url);
    let list = (!items.is_empty()).then(|| Events {
        heading: None,
        days: vec![Day {
            heading: request.word(Word::OF_DAY).to_owned(),
            items,
        }],
        all: None,
        pager: request.pager(&found, &urls),
    });
    let (title, panel) = frame.panel(&days).await?.titled(frame.title());
    let body = Content {
        microformat: FEED,
        title,
        period: Some(frame.links(&days).await?),
        finding: Some(panel),
        notes: frame.notes(has_events, is_complete),
        events: list.into_iter().collect(),
        ..Content::default()
    };
    let head = frame.head(has_events.then_some(frame.period.first()));
    Ok(Outcome::Page(Box::new(Page { head, body })))
}
