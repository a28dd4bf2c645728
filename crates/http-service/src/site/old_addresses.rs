//! The addresses of sites of The Events Calendar, which people have bookmarked and calendar programs have subscribed to.
//!
//! Each leads to one address of this service: a calendar file or feed, which is sent at once, or a page, by a redirect.

use std::iter::Peekable;

use domain::time::{Datelike as _, Period, PeriodUnit};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::NAMESPACE;

/// The characters of a segment that are percent-encoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The address of this service to which an old address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OldAddress {
    /// A calendar file or feed: the path and query of its route.
    File(String),
    /// A page: its path and query, without language.
    Page(String),
}

impl OldAddress {
    /// Recognises an old address. `path` is the path of a page, without language and trailing slash; ASCII letters are
    /// in lower case. None for every other address, also where the pages of this service have the same one.
    pub fn of(path: &str, query: &str) -> Option<Self> {
        let query = OldQuery::read(query);
        let mut segments = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .peekable();
        let target = match segments.next() {
            None => query.of_home()?,
            Some("feed") if segments.peek().is_none() => feed(&[]),
            Some("events") => List::read(&mut segments, query.clone())?.target(),
            Some("event") => of_event(&segments.collect::<Vec<_>>(), query.wants_file)?,
            Some("series") => match (segments.next(), segments.next()) {
                (Some(slug), None) => event_page(slug),
                _ => return None,
            },
            Some(_) => return None,
        };
        let is_own = match &target {
            Self::Page(own) => own.trim_end_matches('/') == path && !query.is_old(),
            Self::File(_) => false,
        };
        (!is_own).then_some(target)
    }
}

/// The parameters of old addresses.
#[derive(Clone, Debug, Default)]
struct OldQuery {
    is_of_events: bool,
    wants_file: bool,
    view: Option<View>,
    date: Option<Period>,
    slug: Option<String>,
    /// Whether it names a record by its ID.
    has_id: bool,
    category: Option<String>,
    search: Option<String>,
    is_featured: bool,
    page: Option<u32>,
}

impl OldQuery {
    fn read(query: &str) -> Self {
        let mut read = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let set = || (!value.is_empty()).then(|| value.clone().into_owned());
            match &*name {
                "post_type" => read.is_of_events |= value == "tribe_events",
                "tribe_events" => read.slug = set(),
                "p" => read.has_id = true,
                "ical" | "outlook-ical" => read.wants_file |= value != "0",
                "tribe_event_display" | "eventDisplay" => {
                    read.view = View::named(&value).or(read.view);
                }
                "tribe-bar-date" | "eventDate" => read.date = period(&value).or(read.date),
                "tribe-bar-search" => read.search = set(),
                "tribe_events_cat" => read.category = set(),
                "featured" => read.is_featured |= value == "1",
                "tribe_paged" => read.page = value.parse().ok(),
                _ => {}
            }
        }
        read
    }

    /// Whether a parameter has a meaning that it has in old addresses alone.
    fn is_old(&self) -> bool {
        let Self {
            is_of_events: _,
            wants_file,
            view,
            date,
            slug,
            has_id: _,
            category,
            search,
            is_featured,
            page,
        } = self;
        *wants_file
            || *is_featured
            || view.is_some()
            || date.is_some()
            || page.is_some()
            || [slug, category, search].into_iter().any(Option::is_some)
    }

    /// The target of an address of the home page, such as `/?post_type=tribe_events&ical=1`.
    fn of_home(&self) -> Option<OldAddress> {
        let slug = self.slug.as_deref().map(encoded);
        match slug.as_deref() {
            Some(slug) => of_event(&[slug], self.wants_file).or_else(|| Some(event_page(slug))),
            None if self.is_of_events && !self.has_id => Some(List::of(self.clone()).target()),
            None => None,
        }
    }
}

/// A list of events.
#[derive(Debug, Default)]
struct List {
    /// The path of a category.
    category: Option<String>,
    view: Option<View>,
    date: Option<Period>,
    page: Option<u32>,
    form: Form,
    /// The parameters of the same list here.
    filters: Vec<(&'static str, String)>,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Page,
    Calendar,
    Feed,
}

impl List {
    /// The list of a query.
    fn of(query: OldQuery) -> Self {
        let named = [
            ("categories", query.category),
            ("search", query.search),
            ("featured", query.is_featured.then(|| "true".to_owned())),
        ];
        let set = named
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        Self {
            category: None,
            view: query.view,
            date: query.date,
            page: query.page,
            form: if query.wants_file {
                Form::Calendar
            } else {
                Form::Page
            },
            filters: set.collect(),
        }
    }

    /// The list of a path without its first segment, such as `category/music/month/2026-12`, and a query.
    fn read<'a>(
        segments: &mut Peekable<impl Iterator<Item = &'a str>>,
        query: OldQuery,
    ) -> Option<Self> {
        let mut list = Self::of(query);
        if segments.next_if_eq(&"category").is_some() {
            let path = category_path(segments);
            list.filters.push(("categories", decoded(path.last()?)));
            list.category = Some(path.join("/"));
        } else if segments.next_if_eq(&"tag").is_some() {
            list.filters.push(("tags", decoded(segments.next()?)));
        } else if segments.next_if_eq(&"featured").is_some() {
            list.filters.push(("featured", "true".to_owned()));
        }
        if let Some(view) = segments.peek().and_then(|name| View::named(name)) {
            segments.next();
            list.view = list.view.or(Some(view));
        }
        let has_date = !matches!(list.view, Some(View::List | View::Past));
        if has_date && let Some(date) = segments.peek().and_then(|text| period(text)) {
            segments.next();
            list.date = Some(date);
            list.view = list.view.or(Some(View::of(date)));
        }
        while let Some(segment) = segments.next() {
            match segment {
                "page" => list.page = Some(segments.next()?.parse().ok()?),
                "ical" => list.form = Form::Calendar,
                "feed" => list.form = Form::Feed,
                _ => return None,
            }
        }
        Some(list)
    }

    fn target(mut self) -> OldAddress {
        match self.form {
            Form::Feed => feed(&self.filters),
            Form::Calendar => {
                self.filters.extend(self.date.into_iter().flat_map(bounds));
                OldAddress::File(address(&format!("/{NAMESPACE}/events.ics"), &self.filters))
            }
            Form::Page => self.page(),
        }
    }

    fn page(mut self) -> OldAddress {
        let view = self.view.unwrap_or(View::List);
        let date = self.date.map(|date| view.date(date));
        let is_plain = view == View::List && date.is_none() && self.filters.len() == 1;
        let path = match (&self.category, &self.filters[..]) {
            // Categories and tags have pages of their own.
            (Some(path), _) if is_plain => {
                let path = format!("/events/category/{path}/");
                self.filters.clear();
                path
            }
            (None, [("tags", slug)]) if is_plain => {
                let path = format!("/tag/{}/", encoded(slug));
                self.filters.clear();
                path
            }
            _ => format!("/events/{}/{}", view.segment(), date.unwrap_or_default()),
        };
        if view == View::List
            && let Some(date) = self.date
        {
            self.filters.push(("start_date", date.first().to_string()));
        }
        let page = self.page.filter(|page| *page > 1);
        self.filters
            .extend(page.map(|page| ("page", page.to_string())));
        OldAddress::Page(address(&path, &self.filters))
    }
}

/// A view of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    List,
    Month,
    Week,
    Day,
    Past,
}

impl View {
    /// The view of this name. Views that have no page here lead to the list.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "list" | "upcoming" | "photo" | "map" | "summary" | "default" => Self::List,
            "month" => Self::Month,
            "week" => Self::Week,
            "day" | "today" => Self::Day,
            "past" => Self::Past,
            _ => return None,
        })
    }

    /// The view of an address that names a date alone.
    fn of(period: Period) -> Self {
        match period.unit() {
            PeriodUnit::Month => Self::Month,
            PeriodUnit::Week(_) => Self::Week,
            PeriodUnit::Day => Self::Day,
        }
    }

    /// The end of its path here, if that has a date.
    fn date(self, period: Period) -> String {
        let first = period.first();
        match self {
            Self::List | Self::Past => String::new(),
            Self::Month => format!("{:04}-{:02}/", first.year(), first.month()),
            Self::Week | Self::Day => format!("{first}/"),
        }
    }

    /// The segment of its path here.
    fn segment(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Month => "month",
            Self::Week => "week",
            Self::Day => "day",
            Self::Past => "past",
        }
    }
}

/// A month or a day: `2026-12`, `2026-12-05`.
fn period(text: &str) -> Option<Period> {
    match text.len() {
        7 => Some(Period::of(
            format!("{text}-01").parse().ok()?,
            PeriodUnit::Month,
        )),
        10 => Some(Period::of(text.parse().ok()?, PeriodUnit::Day)),
        _ => None,
    }
}

/// The bounds of a list of the interface.
fn bounds(period: Period) -> [(&'static str, String); 2] {
    [
        ("start_date", period.first().to_string()),
        ("end_date", period.last().to_string()),
    ]
}

/// The target of an address below `/event`, such as `jazz-night/ical`.
fn of_event(segments: &[&str], wants_file: bool) -> Option<OldAddress> {
    let file = |slug: &str| OldAddress::File(format!("/{NAMESPACE}/events/by-slug/{slug}.ics"));
    match *segments {
        [slug] if wants_file => Some(file(slug)),
        [slug, "ical"] => Some(file(slug)),
        [_, "feed"] => Some(feed(&[])),
        [slug, "all" | "embed"] => Some(event_page(slug)),
        [slug, date, "ical"] => Some(file(&format!("{slug}~{date}"))),
        [slug, date] if wants_file => Some(file(&format!("{slug}~{date}"))),
        _ => None,
    }
}

/// Takes the path of a category: its first segment, and those before a view, a date or a page.
fn category_path<'a>(segments: &mut Peekable<impl Iterator<Item = &'a str>>) -> Vec<&'a str> {
    let mut path: Vec<_> = segments.next().into_iter().collect();
    let is_category = |segment: &&str| {
        let is_keyword = matches!(*segment, "page" | "feed" | "ical");
        !is_keyword && View::named(segment).is_none() && period(segment).is_none()
    };
    while let Some(segment) = segments.next_if(is_category) {
        path.push(segment);
    }
    path
}

fn event_page(slug: &str) -> OldAddress {
    OldAddress::Page(format!("/event/{slug}/"))
}

fn feed(filters: &[(&'static str, String)]) -> OldAddress {
    OldAddress::File(address(&format!("/{NAMESPACE}/events.atom"), filters))
}

/// A path with parameters.
fn address(path: &str, parameters: &[(&'static str, String)]) -> String {
    if parameters.is_empty() {
        return path.to_owned();
    }
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    format!("{path}?{}", query.finish())
}

/// A segment of a path as text.
fn decoded(segment: &str) -> String {
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// A text as a segment of a path.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

#[cfg(test)]
mod tests;
