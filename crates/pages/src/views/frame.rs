//! The parts that the views of all periods share.

use app::{calendar::Agenda, error::AppError, event::EventView};
use domain::{
    Language,
    event::DaySpans,
    text::escape_markup,
    time::{Days, EventTime, NaiveDate, Period, PeriodUnit},
};
use http_service::site::Site;

use super::{
    bounds::Bounds,
    nearest::{Side, nearest},
    titles,
};
use crate::{
    address::View,
    content::{Content, Head, Link, Page, Panel, PeriodLink, PeriodLinks},
    dates,
    finding::{self, Finding, Shown},
    listing::shown_time,
    request::{Outcome, PageRequest},
    words::Word,
};

/// The view of a period, with what its parts need.
pub(super) struct Frame<'a> {
    pub(super) request: &'a PageRequest,
    pub(super) view: View,
    pub(super) period: Period,
    pub(super) bounds: Bounds,
    pub(super) agenda: Agenda<'a>,
    pub(super) finding: Finding,
}

impl Frame<'_> {
    /// The title of the page.
    pub(super) fn title(&self) -> String {
        titles::title(self.period, self.request.language())
    }

    /// The metadata of the page, by the first day of the period that has events.
    pub(super) fn head(&self, first: Option<NaiveDate>) -> Head {
        let has_events = first.is_some();
        let url = |site: &Site| self.finding.choices.url(self.url(site));
        let mut head = self.request.head(&Language::ALL, url);
        head.noindex = !has_events;
        head.summary = format!("{}, {}", self.request.word(Word::OVERVIEW), self.title());
        let holds_today = self.period.holds(self.bounds.today);
        let day = first.filter(|_| !holds_today);
        let day = day.unwrap_or_else(|| self.bounds.day_of(self.period));
        for link in &mut head.views {
            link.is_current = link.view == self.view;
            if let Some(unit) = link.view.unit(&self.request.site) {
                let period = if link.is_current {
                    self.period
                } else {
                    Period::of(day, unit)
                };
                link.url = link.view.url_of(period, &self.request.site);
                // Crawlers find each period with events by the links to neighbours.
                link.is_followed = link.is_current && has_events;
            }
        }
        self.finding.mark(&mut head, has_events);
        let outside = self
            .view
            .url_of(self.period, &self.request.site.unembedded());
        let view = (self.view, outside);
        self.request
            .mark_embedding(&mut head, view, |url| self.kept(url));
        head
    }

    /// The form, and the number of events of the period.
    pub(super) async fn panel(&self, days: &DaySpans) -> Result<Panel, AppError> {
        let found = days.within(self.period.first(), self.period.last());
        let shown = Shown::Of(self.period, found.collect());
        let url = self.view.url_of(self.period, &self.request.site);
        finding::panel(self.request, url, &self.finding, &shown).await
    }

    /// The URL of the page on a site in some language. Weeks of languages begin on different days: that with
    /// most of the days is the same one.
    fn url(&self, site: &Site) -> String {
        let first = self.period.first();
        let (Some(own), Some(unit)) = (self.view.unit(&self.request.site), self.view.unit(site))
        else {
            return self.view.url(site);
        };
        let period = if own == unit {
            self.period
        } else {
            let middle = first.checked_add_days(Days::new(3));
            Period::of(middle.unwrap_or(first), unit)
        };
        self.view.url_of(period, site)
    }

    /// The links to other periods, of which the events that were read tell some.
    pub(super) async fn links(&self, days: &DaySpans) -> Result<PeriodLinks, AppError> {
        let (previous, next) = (
            self.bounds.previous(self.period),
            self.bounds.next(self.period),
        );
        Ok(PeriodLinks {
            previous: self.link(previous, Side::Earlier, days).await?,
            next: self.link(next, Side::Later, days).await?,
            today: self.kept(self.view.url(&self.request.site)),
            filters: self.finding.choices.parameters(),
            date: self.bounds.day_of(self.period),
            bounds: self.bounds.days(),
        })
    }

    /// The link to the nearest period with events, from an adjacent one on.
    async fn link(
        &self,
        adjacent: Option<Period>,
        side: Side,
        days: &DaySpans,
    ) -> Result<Option<PeriodLink>, AppError> {
        let Some(adjacent) = adjacent else {
            return Ok(None);
        };
        let (period, has_events) = if days.any(adjacent.first(), adjacent.last()) {
            (adjacent, true)
        } else {
            nearest(&self.agenda, &self.bounds, adjacent, side).await?
        };
        Ok(Some(PeriodLink {
            url: self.kept(self.view.url_of(period, &self.request.site)),
            text: titles::title(period, self.request.language()),
            // Crawlers find periods by the links without filters.
            is_followed: has_events && self.finding.choices.is_empty(),
        }))
    }

    /// A URL with the filters of the page.
    fn kept(&self, url: String) -> String {
        self.finding.choices.url(url)
    }

    /// The URL of the view of a day.
    pub(super) fn day_url(&self, day: NaiveDate) -> String {
        let day = Period::of(day, PeriodUnit::Day);
        self.kept(View::Day.url_of(day, &self.request.site))
    }

    /// The notes of a page about its events.
    pub(super) fn notes(&self, has_events: bool, is_complete: bool) -> Vec<&'static str> {
        let is_empty = !has_events && self.finding.choices.is_empty();
        let empty = is_empty.then_some(Word::NO_EVENTS);
        let cut = (!is_complete).then_some(Word::TOO_MANY);
        let notes = empty.into_iter().chain(cut);
        notes.map(|note| self.request.word(note)).collect()
    }

    /// The abbreviation of the zone of an event, if it is not that of the site.
    pub(super) fn other_zone(&self, when: &EventTime) -> Option<String> {
        let is_other = !when.all_day() && when.zone() != &self.request.site.zone;
        is_other.then(|| when.zone().abbreviation(when.start().utc))
    }

    /// The time of an event on one of its days, as HTML.
    pub(super) fn time(&self, view: &EventView) -> String {
        let when = shown_time(view);
        let time = dates::short(&when, self.request.language());
        let is_of_day = when.start().local.date() == when.end().local.date();
        match self.other_zone(&when).filter(|_| !is_of_day) {
            Some(zone) => {
                let zone = escape_markup(&zone);
                format!("{time} <small><bdi>{zone}</bdi></small>")
            }
            None => time,
        }
    }

    /// The page of a period beyond the bounds.
    pub(super) fn absent(&self) -> Outcome {
        let request = self.request;
        let nearest = self.bounds.nearest(self.period);
        let nearest = nearest.map(|period| Link {
            url: self.kept(self.view.url_of(period, &request.site)),
            text: titles::title(period, request.language()),
        });
        let nearest = nearest.map(|link| (request.word(Word::NEAREST), vec![link]));
        let body = Content {
            title: request.word(Word::NOT_FOUND).to_owned(),
            notes: vec![request.word(Word::NO_EVENTS)],
            children: nearest,
            ..Content::default()
        };
        Outcome::Absent(Box::new(Page {
            head: request.plain_head(),
            body,
        }))
    }
}
