//! The single dates of a series: their list, and what is done with one of them.

use app::{
    AppError,
    calendar::{OccurrenceQuery, Precondition},
    event::EventView,
    resource::Resource as _,
    write::{EventUpdate, ReadOptions},
};
use askama::Template;
use axum::http::StatusCode;
use domain::{Event, EventId, Status, event::Window, page::PageRequest};

use super::{
    read::{key, read},
    repetition::in_words,
};
use crate::{
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    words::Word,
};

/// The dates of a page.
const PER_PAGE: u32 = 50;

/// The next dates on the form of a series.
const NEXT: u32 = 5;

/// One date.
#[derive(Debug)]
pub(super) struct Date {
    id: i64,
    /// The day and the time, in words.
    pub(super) when: String,
    /// The form.
    pub(super) edit: String,
    /// The title, if it differs from the title of the series.
    pub(super) title: Option<String>,
    /// Whether it has fields of its own.
    pub(super) is_changed: bool,
    pub(super) is_cancelled: bool,
    status: Option<&'static str>,
}

/// The way from a form to the dates of its series.
#[derive(Debug)]
pub(super) struct NextDates {
    /// The form of the series, on the form of an occurrence.
    pub(super) series: Option<String>,
    /// The list of all dates.
    pub(super) all: String,
    /// The next ones, on the form of the series.
    pub(super) dates: Vec<Date>,
}

/// The list of dates.
#[derive(Debug, Template)]
#[template(path = "dates.html")]
struct DatesPage {
    frame: Frame,
    /// The form of the series.
    series: String,
    title: String,
    /// The list of the other dates: past ones or coming ones.
    others: String,
    is_past: bool,
    dates: Vec<Date>,
    total: u64,
    previous: Option<String>,
    next: Option<String>,
}

/// The next dates of a series, or the link from an occurrence to the dates of its series.
///
/// # Errors
///
/// If the store cannot answer.
pub(super) async fn next(
    request: &DeskRequest,
    view: &EventView,
) -> Result<Option<NextDates>, AppError> {
    let series = match (view.event.series(), view.event.occurrence()) {
        (Some(_), _) => view.event.id,
        (None, Some(one)) => Some(one.series),
        (None, None) => None,
    };
    let Some(series) = series else {
        return Ok(None);
    };
    let of_series = format!("/desk/event/{series}");
    let all = request.url(&format!("{of_series}/dates"));
    if view.event.series().is_none() {
        return Ok(Some(NextDates {
            series: Some(request.url(&of_series)),
            all,
            dates: Vec::new(),
        }));
    }
    let first = PageRequest::new(1, NEXT.into(), NEXT);
    let (dates, _, _) = list(request, series, view, false, first).await?;
    Ok(Some(NextDates {
        series: None,
        all,
        dates,
    }))
}

/// `GET` of the dates of a series.
pub(crate) async fn dates(path: PathText, request: DeskRequest) -> Answer {
    let page = load(&request, path.id()).await;
    let page = request.found(page, Word::NO_SUCH_EVENT)?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

/// `POST` of a change of one date: it is cancelled, takes place after all, or follows the series again.
pub(crate) async fn act(path: PathText, request: DeskRequest) -> Answer {
    let series = path.id();
    let series = series.ok_or_else(|| request.not_found(Word::NO_SUCH_EVENT))?;
    let form = &request.form;
    let actions = ["cancel", "hold", "follow"];
    let chosen = actions.iter().find_map(|name| {
        let id = form.get(name)?.parse::<i64>().ok()?;
        Some((*name, id))
    });
    let back = match form.get("past") {
        Some(_) => format!("/desk/event/{series}/dates?past=1"),
        None => format!("/desk/event/{series}/dates"),
    };
    let Some((action, id)) = chosen.filter(|(_, id)| *id > 0) else {
        return Ok(request.see(&back));
    };
    let changed = change(&request, series, action, id).await;
    request.found(changed, Word::NO_SUCH_EVENT)?;
    Ok(request.see(&back))
}

/// Changes one date of the series.
async fn change(request: &DeskRequest, series: i64, action: &str, id: i64) -> Result<(), AppError> {
    let view = read(request, id).await?;
    let of_series = view.event.occurrence().map(|one| one.series.get());
    if of_series != Some(series) {
        return Err(Event::not_found());
    }
    let write = EventUpdate::builder();
    let write = match action {
        "cancel" => write.cancelled(true),
        "hold" => write.cancelled(false),
        _ => write.reset_all(),
    };
    let calendar = &request.state.calendar;
    let (caller, write) = (request.caller(), write.build());
    let expected = Precondition::OneOf(vec![view.event.revision]);
    calendar.update(caller, key(id), &expected, &write).await?;
    Ok(())
}

/// A page of dates, their number, and whether more follow.
async fn list(
    request: &DeskRequest,
    series: EventId,
    view: &EventView,
    is_past: bool,
    page: PageRequest,
) -> Result<(Vec<Date>, u64, bool), AppError> {
    let calendar = &request.state.calendar;
    let now = calendar.now();
    let window = if is_past {
        Window {
            end_max: Some(now.saturating_add(-1)),
            ..Window::default()
        }
    } else {
        Window {
            end_min: Some(now),
            ..Window::default()
        }
    };
    let wanted = OccurrenceQuery {
        window,
        descending: is_past,
        ..OccurrenceQuery::default()
    };
    let caller = request.caller();
    // The texts are compared with the texts of the series.
    let options = ReadOptions::default().language(view.language);
    let found = calendar.occurrences(caller, series.into(), wanted, page, &options);
    let found = found.await?;
    let has_next = found.has_next();
    let title = view.event.title.as_str();
    let dates = found
        .rows
        .iter()
        .filter_map(|view| date(request, view, title));
    Ok((dates.collect(), found.total, has_next))
}

fn date(request: &DeskRequest, view: &EventView, title: &str) -> Option<Date> {
    let id = view.event.id?.get();
    let own = &view.event.occurrence()?.overridden;
    let is_cancelled = view.event.details.cancelled;
    let own_title = view.event.title.as_str();
    Some(Date {
        id,
        when: in_words(&view.event.details.when, request.language),
        edit: request.url(&format!("/desk/event/{id}")),
        title: (own_title != title).then(|| own_title.to_owned()),
        is_changed: !own.is_empty(),
        is_cancelled,
        status: (view.status != Status::Publish)
            .then(|| request.word(Word::of_status(view.status))),
    })
}

async fn load(request: &DeskRequest, id: Option<i64>) -> Result<DatesPage, AppError> {
    let id = id.ok_or_else(Event::not_found)?;
    let view = read(request, id).await?;
    let (Some(_), Some(series)) = (view.event.series(), view.event.id) else {
        return Err(Event::not_found());
    };
    let is_past = request.parameter("past").is_some();
    let page = request.page(PER_PAGE);
    let number = page.number();
    let title = view.event.title.as_str();
    let found = list(request, series, &view, is_past, page).await?;
    let (dates, total, has_next) = found;
    let path = format!("/desk/event/{id}/dates");
    let address = |number: u64| {
        let past = if is_past { "past=1&" } else { "" };
        request.url(&format!("{path}?{past}page={number}"))
    };
    let others = if is_past {
        request.url(&path)
    } else {
        request.url(&format!("{path}?past=1"))
    };
    Ok(DatesPage {
        frame: Frame::new(request, request.word(Word::DATES)),
        series: request.url(&format!("/desk/event/{id}")),
        title: title.to_owned(),
        others,
        is_past,
        dates,
        total,
        previous: (number > 1).then(|| address(number - 1)),
        next: has_next.then(|| address(number + 1)),
    })
}
