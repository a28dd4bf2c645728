//! The ways to more events from a list without any.

use app::error::AppError;
use domain::{
    Event, FieldName,
    event::{EventFilter, Window},
    page as list,
};
use forms::PAGE_FILTERS;

use super::{choices::Choices, counts::Shown, read::Finding};
use crate::{
    address::View,
    content::Widening,
    request::PageRequest,
    words::{Word, list as list_of},
};

/// The maximum number of filters whose absence is counted: each count is a read of its own.
const MAX_COUNTED: usize = 4;

/// The dates of a range, which are one filter.
const DATES: [FieldName; 2] = [FieldName::StartDate, FieldName::EndDate];

/// The lists to which an empty one leads: without each of its filters, and at another time. Lists that are known to
/// be empty are left out. `texts` returns the label and the text of each value of a filter.
pub(super) async fn widenings(
    request: &PageRequest,
    url: &str,
    finding: &Finding,
    shown: &Shown,
    texts: impl Fn(FieldName) -> (&'static str, Vec<String>),
) -> Result<Vec<Widening>, AppError> {
    let mut found = without_each(request, url, finding, shown, texts).await?;
    found.extend(at_other_times(request, url, finding).await?);
    found.retain(|one| one.count != Some(0));
    Ok(found)
}

/// The same list without each of its filters.
async fn without_each(
    request: &PageRequest,
    url: &str,
    finding: &Finding,
    shown: &Shown,
    texts: impl Fn(FieldName) -> (&'static str, Vec<String>),
) -> Result<Vec<Widening>, AppError> {
    let has = |name: FieldName| !finding.choices.values(name).is_empty();
    let is_other_date = |name| name == FieldName::EndDate && has(FieldName::StartDate);
    let mut found = Vec::new();
    for name in PAGE_FILTERS {
        if !has(name) || is_other_date(name) {
            continue;
        }
        let is_date = DATES.contains(&name);
        let names = if is_date { &DATES[..] } else { &[name] };
        let rest = finding.choices.without_filters(names);
        let count = if found.len() < MAX_COUNTED {
            Some(count(request, finding.without(name), &rest, shown).await?)
        } else {
            None
        };
        let (label, values) = texts(name);
        let (text, label, value) = if is_date {
            (Word::ALL_DATES, "", String::new())
        } else {
            let values = values.iter().map(String::as_str);
            (Word::WITHOUT, label, list_of(values, request.language()))
        };
        found.push(Widening {
            text: request.word(text),
            label,
            value,
            url: rest.url(url.to_owned()),
            count,
            is_followed: rest.is_indexed(),
        });
    }
    Ok(found)
}

/// The lists of the events that are not over, and of those that are, with the same filters.
async fn at_other_times(
    request: &PageRequest,
    url: &str,
    finding: &Finding,
) -> Result<Vec<Widening>, AppError> {
    let choices = &finding.choices;
    let words = if choices.is_empty() {
        [Word::ALL_UPCOMING, Word::PAST_EVENTS]
    } else {
        [Word::UPCOMING_TOO, Word::PAST_TOO]
    };
    let lists = [
        (View::List, request.not_over(), words[0]),
        (View::Past, request.over(), words[1]),
    ];
    let mut found = Vec::new();
    for (view, window, word) in lists {
        let list = view.url(&request.site);
        if list == url {
            continue;
        }
        found.push(Widening {
            text: request.word(word),
            label: "",
            value: String::new(),
            url: choices.url(list),
            count: Some(total(request, finding.filter.clone(), &window).await?),
            is_followed: choices.is_indexed(),
        });
    }
    Ok(found)
}

/// The number of events of a filter in the shown time; `choices` are those of the filter.
async fn count(
    request: &PageRequest,
    filter: EventFilter,
    choices: &Choices,
    shown: &Shown,
) -> Result<u64, AppError> {
    let (first, last) = match shown {
        Shown::Within(window, _) => return total(request, filter, window).await,
        Shown::Of(period, _) => (period.first(), period.last()),
    };
    let mut agenda = request.state.calendar.agenda(&request.options()).await?;
    if !choices.is_empty() {
        agenda = agenda.only(filter, request.client);
    }
    let (days, _) = agenda.days(first, last).await?;
    Ok(days.within(first, last).count() as u64)
}

/// The total of a list of the events of a window.
async fn total(
    request: &PageRequest,
    filter: EventFilter,
    window: &Window,
) -> Result<u64, AppError> {
    let filter = EventFilter {
        window: filter.window.and(window),
        ..filter
    };
    let page = list::PageRequest::new(1, 1, u32::MAX);
    Ok(request.list::<Event>(filter, page).await?.total)
}
