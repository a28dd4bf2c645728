//! Links that add an event to a calendar, or subscribe a calendar to a list. Nothing is loaded from
//! these services until a reader follows a link.

use app::event::EventView;
use domain::{
    Kind, Language,
    recurrence::Rule,
    time::{EventTime, NaiveDate, Zone},
};
use http_service::{
    record::{json_ld::iso8601, shown_id},
    site::Site,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    files::Files,
    words::{list, shortened},
};

const GOOGLE: &str = "https://calendar.google.com/calendar";
const OUTLOOK: [(&str, &str); 2] = [
    ("Outlook.com", "https://outlook.live.com/calendar/0"),
    ("Microsoft 365", "https://outlook.office.com/calendar/0"),
];

/// A calendar on the web.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) name: &'static str,
    /// The URL that adds the event, or the subscription.
    pub(super) url: String,
}

/// The ways to add an event to a calendar.
#[derive(Debug)]
pub(super) struct AddToCalendar {
    /// The file; an occurrence that is not stored has none.
    pub(super) file: Option<String>,
    /// Calendars on the web.
    pub(super) services: Vec<Service>,
}

/// The ways to subscribe a calendar to a list.
#[derive(Debug)]
pub(super) struct Subscription {
    /// For calendar programs.
    pub(super) webcal: String,
    /// The address of the calendar file, to be copied.
    pub(super) address: String,
    /// For feed readers.
    pub(super) atom: String,
    /// Calendars on the web.
    pub(super) services: Vec<Service>,
}

impl AddToCalendar {
    /// The links of an event, a series or an occurrence, at its public time. Of a locked event, they
    /// tell what lists do.
    pub(super) fn of(
        view: &EventView,
        when: &EventTime,
        file: Option<String>,
        (site, language): (&Site, Language),
    ) -> Self {
        let event = &view.event;
        let title = event.title.as_str();
        let url = site.page(Kind::Event, shown_id(event.id), event.slug.as_ref());
        let summary = shortened(&event.description.plain());
        let details = if view.open && !summary.is_empty() {
            format!("{summary}\n\n{url}")
        } else {
            url
        };
        let place = place(view, language);
        let rule = event.series().map(|series| series.recurrence.rule());
        let mut services = vec![Service {
            name: "Google",
            url: google_event(title, &details, &place, when, rule.flatten()),
        }];
        // Outlook takes no rules: its link would add one date alone.
        if rule.is_none() {
            services.extend(OUTLOOK.map(|(name, base)| Service {
                name,
                url: outlook_event(base, title, &details, &place, when),
            }));
        }
        Self { file, services }
    }
}

impl Subscription {
    /// The links of the list of a page; none if the page has no list.
    pub(super) fn of(files: &Files, title: &str) -> Option<Self> {
        let feeds = files.feeds.as_ref()?;
        let google = Service {
            name: "Google",
            url: format!("{GOOGLE}/r{}", query(&[("cid", &feeds.webcal)])),
        };
        let outlook = OUTLOOK.map(|(name, base)| {
            let query = query(&[("url", &files.calendar), ("name", title)]);
            Service {
                name,
                url: format!("{base}/addfromweb{query}"),
            }
        });
        Some(Self {
            webcal: feeds.webcal.clone(),
            address: files.calendar.clone(),
            atom: feeds.atom.clone(),
            services: [google].into_iter().chain(outlook).collect(),
        })
    }
}

/// The name and the address of the venue, in one line.
fn place(view: &EventView, language: Language) -> String {
    let Some(venue) = view.venue.as_ref().filter(|_| view.open) else {
        return String::new();
    };
    let details = &venue.entry.details;
    let town = format!("{} {}", details.zip, details.city);
    let parts = [
        venue.entry.title.as_str(),
        &details.address,
        town.trim(),
        &details.country,
    ];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    list(parts, language)
}

/// The start and the end of an event in the form of Google: local times with the name of the zone, or
/// days, of which the last is the one after the event.
fn google_event(
    title: &str,
    details: &str,
    place: &str,
    when: &EventTime,
    rule: Option<&Rule>,
) -> String {
    let dates = match (when.all_day(), named(when.zone())) {
        (true, _) => {
            let [start, end] = days(when).map(|day| day.format("%Y%m%d").to_string());
            format!("{start}/{end}")
        }
        (false, true) => {
            let [start, end] = [when.start(), when.end()].map(|one| one.local);
            format!("{}/{}", start.format(BASIC), end.format(BASIC))
        }
        (false, false) => {
            let [start, end] = [when.start(), when.end()].map(|one| one.utc.civil());
            format!("{}Z/{}Z", start.format(BASIC), end.format(BASIC))
        }
    };
    let rule = rule.map_or(String::new(), |rule| format!("RRULE:{rule}"));
    let zone = Some(when.zone()).filter(|zone| named(zone));
    let query = query(&[
        ("action", "TEMPLATE"),
        ("text", title),
        ("dates", &dates),
        ("ctz", zone.map_or("", |zone| zone.name())),
        ("recur", &rule),
        ("location", place),
        ("details", details),
    ]);
    format!("{GOOGLE}/render{query}")
}

fn outlook_event(base: &str, title: &str, details: &str, place: &str, when: &EventTime) -> String {
    let [start, end] = if when.all_day() {
        days(when).map(|day| day.to_string())
    } else {
        [when.start(), when.end()].map(iso8601)
    };
    let query = query(&[
        ("path", "/calendar/action/compose"),
        ("rru", "addevent"),
        ("subject", title),
        ("startdt", &start),
        ("enddt", &end),
        ("allday", if when.all_day() { "true" } else { "" }),
        ("location", place),
        ("body", details),
    ]);
    format!("{base}/deeplink/compose{query}")
}

const BASIC: &str = "%Y%m%dT%H%M%S";

/// The first day of an event, and the day after its last one.
fn days(when: &EventTime) -> [NaiveDate; 2] {
    let [first, last] = [when.start(), when.end()].map(|moment| moment.local.date());
    [first, last.succ_opt().unwrap_or(last)]
}

/// Whether a zone has a name that calendars know, rather than an offset.
fn named(zone: &Zone) -> bool {
    zone.name().contains('/')
}

/// A query string of the parameters that are not empty.
fn query(parameters: &[(&str, &str)]) -> String {
    let parameters = parameters.iter().filter(|(_, value)| !value.is_empty());
    // Outlook shows the plus signs of a form as they are, so blanks are `%20`.
    let parts = parameters.map(|(name, value)| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        format!("{name}={value}")
    });
    let parts: Vec<_> = parts.collect();
    format!("?{}", parts.join("&"))
}
