//! Reading the filters of a request.

use app::error::AppError;
use domain::{
    FieldName,
    event::{EventFilter, Window},
    policy::Caller,
    search::Search,
};
use forms::{Fields, PAGE_FILTERS, Reading};
use http_service::site::ListUrls;

use super::{
    choices::{Choices, base},
    ranges::{QuickRange, RANGE},
};
use crate::{address::View, content::Head, request::PageRequest};

/// The filters of a list or a view.
#[derive(Debug, Default)]
pub(crate) struct Finding {
    pub(crate) filter: EventFilter,
    pub(crate) choices: Choices,
}

impl Finding {
    /// The filter of the list without one filter; the dates are one.
    pub(super) fn without(&self, name: FieldName) -> EventFilter {
        let mut filter = self.filter.clone();
        match name {
            FieldName::Categories => filter.categories = None,
            FieldName::Tags => filter.tags = None,
            FieldName::Venue => filter.venues = None,
            FieldName::City => filter.cities = None,
            FieldName::Organizer => filter.organizers = None,
            FieldName::Free => filter.free = None,
            FieldName::Ticketed => filter.ticketed = None,
            FieldName::Search => filter.search = Search::default(),
            FieldName::StartDate | FieldName::EndDate => filter.window = Window::default(),
            _ => {}
        }
        filter
    }

    /// Marks a page with these filters for crawlers and the response cache, and keeps the filters in its links
    /// to views. Search engines leave out a page without events, and all pages of which there are too many;
    /// those with filters are not stored either.
    pub(crate) fn mark(&self, head: &mut Head, has_events: bool) {
        let (choices, is_indexed) = (&self.choices, self.choices.is_indexed());
        if choices.is_empty() {
            return;
        }
        head.noindex |= !is_indexed || !has_events;
        head.nofollow = !is_indexed;
        head.is_stored = !head.noindex;
        for link in &mut head.views {
            link.url = choices.url(std::mem::take(&mut link.url));
            link.is_followed &= is_indexed;
        }
    }
}

/// The filters of a request, as sent.
#[derive(Debug)]
pub(crate) struct Sent {
    /// Names and values, without blank ones.
    pub(super) pairs: Vec<(String, String)>,
    has_blanks: bool,
    range: Option<QuickRange>,
}

impl Sent {
    /// The filters of a request. Other parameters are left out.
    pub(crate) fn of(request: &PageRequest) -> Self {
        let sent = request.parameters.iter();
        let is_filter = |name: &str| {
            PAGE_FILTERS
                .into_iter()
                .any(|filter| filter.as_str() == base(name))
        };
        let (pairs, blanks): (Vec<_>, Vec<_>) = sent
            .filter(|(name, _)| is_filter(name))
            .cloned()
            .partition(|(_, value)| !value.trim().is_empty());
        Self {
            pairs,
            has_blanks: !blanks.is_empty(),
            range: request.query(RANGE).and_then(QuickRange::named),
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.range.is_none()
    }

    /// The address to which the form leads: the one without blank fields at the URL of the view, or the list
    /// of a quick range. None for an address that a form did not make.
    pub(crate) fn chosen(&self, url: String, request: &PageRequest) -> Option<String> {
        if let Some(range) = self.range {
            let now = request.state.calendar.now();
            let today = request.site.zone.at(now).local.date();
            let days = range.days(today, request.language());
            let names = [FieldName::StartDate, FieldName::EndDate];
            let is_date = |name: &str| names.iter().any(|one| one.as_str() == base(name));
            let mut pairs = self.pairs.clone();
            pairs.retain(|(name, _)| !is_date(name));
            for (name, day) in names.iter().zip(days) {
                pairs.push((name.as_str().to_owned(), day.to_string()));
            }
            return Some(ListUrls::new(View::List.url(&request.site), &pairs, 0).this());
        }
        self.has_blanks.then(|| self.keep(url))
    }

    /// A URL with these filters.
    pub(crate) fn keep(&self, url: String) -> String {
        self.urls(url).this()
    }

    /// A URL with these filters, and those of its further pages.
    pub(crate) fn urls(&self, url: String) -> ListUrls {
        ListUrls::new(url, &self.pairs, 0)
    }

    /// Reads the filters, as lists of the interface do.
    pub(crate) async fn read(&self, request: &PageRequest) -> Result<Finding, AppError> {
        if self.pairs.is_empty() {
            return Ok(Finding::default());
        }
        let calendar = &request.state.calendar;
        let query = self.keep(String::new());
        let fields = Fields::from_query(query.trim_start_matches('?'));
        let query = forms::page_filters(&fields, Reading::of(calendar, Caller::Anonymous))?;
        let options = request.options();
        let filter = calendar.filter(Caller::Anonymous, query, &options).await?;
        let (zone, now) = (&request.site.zone, calendar.now());
        let choices = Choices::of(&filter, &self.pairs, zone, now);
        Ok(Finding { filter, choices })
    }
}
