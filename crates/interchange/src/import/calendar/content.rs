//! The fields of the writes by which an event of a file becomes one of this calendar.

use std::{borrow::Cow, collections::HashSet};

use domain::{
    EmailAddress, Language, Status,
    html::RichText,
    recurrence::{DateValue, Recurrence, RecurrenceParts, Shortened},
    text::{Title, has_elements, without_references},
    time::{EventTime, Timestamp},
};
use serde_json::{Map, Value, json};

use super::{fields::Body, file::FileEvent};
use crate::{Finding, FindingCode, ReadEvent, ReadOrganizer, ReadPlace};
use app::{feed::FeedStatus, hashing};
use forms::Fields;

/// The fields of an event that a file may have, and that an empty text clears.
const TEXTS: [&str; 4] = ["description", "website", "venue", "recurrence"];

/// The fields that an empty list clears.
const LISTS: [&str; 2] = ["organizer", "categories"];

/// The properties whose blank value clears a field of an occurrence, with the field, and whether that is a
/// list.
const BLANKS: [(&str, &str, bool); 5] = [
    ("DESCRIPTION", "description", false),
    ("LOCATION", "venue", false),
    ("URL", "website", false),
    ("ORGANIZER", "organizer", true),
    ("CATEGORIES", "categories", true),
];

/// The fields that a write of one occurrence does not take.
const OF_SERIES: [&str; 2] = ["recurrence", "status"];

/// The present, and the instant up to which the dates of series without an end are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    pub(super) now: Timestamp,
    pub(super) horizon: Timestamp,
}

/// The writes by which an event of a file becomes one of this calendar.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// The fields of the event.
    pub(super) fields: Fields,
    /// The dates of occurrences, each with its fields.
    pub(super) occurrences: Vec<(DateValue, Fields)>,
    /// Splits (`RANGE=THISANDFUTURE`) by date, each with the fields of the new series.
    pub(super) splits: Vec<(DateValue, Fields)>,
    pub(super) warnings: Vec<Finding>,
}

impl Content {
    /// Makes the writes of an event and its occurrences. A series with too many dates begins later, or
    /// ends earlier.
    pub(super) fn of(
        event: &ReadEvent,
        occurrences: &[ReadEvent],
        until: Until,
    ) -> Result<Self, Finding> {
        let (mut event, mut occurrences) = (Cow::Borrowed(event), Cow::Borrowed(occurrences));
        let mut is_shortened = false;
        // Occurrences that the rule does not give can be too many with the others.
        for is_merged in [false, true] {
            if is_merged && let Some(merged) = merged(&event, &occurrences)? {
                event = Cow::Owned(merged);
            }
            if let Some(shortened) = shortened(&event, until)? {
                is_shortened = true;
                occurrences = Cow::Owned(left(&shortened, &occurrences)?);
                event = Cow::Owned(shortened);
            }
        }
        let mut warnings = Vec::new();
        if is_shortened {
            warnings.push(event.finding("RRULE", FindingCode::TooManyDates));
        }
        let mut fields = fields(&event, &mut warnings)?;
        if event.recurrence != RecurrenceParts::default() {
            let body = Body(fields.body).recurrence(&event.recurrence);
            fields.body = body.0;
        }
        let mut content = Self {
            fields,
            occurrences: Vec::new(),
            splits: Vec::new(),
            warnings,
        };
        for (date, when) in &event.periods {
            let of_time = ReadEvent {
                when: when.clone(),
                ..event.clone().into_owned()
            };
            let fields = self::fields(&of_time, &mut Vec::new())?;
            let of_time = ["timezone", "start_date", "end_date", "all_day"];
            content
                .occurrences
                .push((*date, only(fields, |name| of_time.contains(&name))));
        }
        content.add_occurrences(&event, occurrences.iter())?;
        Ok(content)
    }

    /// Adds the writes of occurrences.
    pub(super) fn add_occurrences<'a>(
        &mut self,
        event: &ReadEvent,
        occurrences: impl IntoIterator<Item = &'a ReadEvent>,
    ) -> Result<(), Finding> {
        for one in occurrences {
            let Some(id) = &one.recurrence_id else {
                continue;
            };
            let date = id.value_in(event.when.zone());
            let is_off = one.status == FeedStatus::Cancelled;
            // An occurrence inherits what it leaves out from its series.
            let has_title = !one.title.trim().is_empty();
            let mut fields = if is_off && !has_title {
                Fields::default()
            } else {
                let titled = titled(one, &event.title);
                let fields = self::fields(&titled, &mut self.warnings)?;
                only(fields, |name| {
                    !OF_SERIES.contains(&name) && (has_title || name != "title")
                })
            };
            for (property, field, blank) in BLANKS {
                if one.blanks.iter().any(|name| name == property) {
                    let blank = if blank { json!([]) } else { json!("") };
                    fields.body.insert(field.to_owned(), blank);
                }
            }
            fields.body.insert("cancelled".to_owned(), is_off.into());
            if id.and_following {
                fields.body.insert("scope".to_owned(), "following".into());
                self.splits.push((date, fields));
            } else {
                self.occurrences.push((date, fields));
            }
        }
        self.splits.sort_by_key(|(date, _)| date.basic());
        Ok(())
    }

    /// The fields of an update: what the file has no longer is removed. A parent that is not here removes
    /// nothing.
    pub(super) fn update(&self, event: &ReadEvent) -> Fields {
        let mut fields = with_blanks(self.fields.clone());
        if event.parent_uid.is_none() {
            fields.body.insert("parent".to_owned(), 0.into());
        }
        fields
    }

    /// The digest of the content. The sequence number is a part of it, the time of the export is not.
    pub(super) fn digest(&self, sequence: i64) -> String {
        let parts = |all: &[(DateValue, Fields)]| {
            let all = all.iter();
            let all = all.map(|(date, fields)| json!([date.basic(), fields.body]));
            all.collect::<Vec<_>>()
        };
        let whole = json!([
            sequence,
            self.fields.body,
            parts(&self.occurrences),
            parts(&self.splits)
        ]);
        hashing::sha256_hex(&whole.to_string())
    }
}

/// The event of a file that has only occurrences of it: the first of them, and the others as extra
/// dates. It is as new as the newest of them.
pub(super) fn of_occurrences(event: &FileEvent) -> Option<(ReadEvent, Vec<ReadEvent>)> {
    let mut occurrences = event.occurrences.clone();
    occurrences.retain(|one| one.status != FeedStatus::Cancelled);
    occurrences.sort_by_key(|one| one.when.start().utc);
    let all = event.occurrences.iter();
    let first = ReadEvent {
        recurrence_id: None,
        sequence: all.clone().map(|one| one.sequence).max()?,
        stamp: all.filter_map(|one| one.stamp).max(),
        ..occurrences.first()?.clone()
    };
    Some((first, occurrences.split_off(1)))
}

/// The event with a title: its own, or else this one.
pub(super) fn titled<'a>(event: &'a ReadEvent, title: &str) -> Cow<'a, ReadEvent> {
    if !event.title.trim().is_empty() {
        return Cow::Borrowed(event);
    }
    Cow::Owned(ReadEvent {
        title: title.to_owned(),
        ..event.clone()
    })
}

/// The title of an event without one.
pub(super) fn untitled(language: Language) -> &'static str {
    match language {
        Language::Arabic => "بلا عنوان",
        Language::English => "Untitled",
        Language::French => "Sans titre",
    }
}

/// The event without its oldest dates, if it has too many.
fn shortened(event: &ReadEvent, until: Until) -> Result<Option<ReadEvent>, Finding> {
    if event.recurrence == RecurrenceParts::default() {
        return Ok(None);
    }
    let shortened = event
        .recurrence
        .shortened(&event.when, until.now, until.horizon);
    let shortened = shortened.map_err(|_| event.finding("RRULE", FindingCode::Recurrence))?;
    let Some(Shortened { first, parts }) = shortened else {
        return Ok(None);
    };
    let mut event = ReadEvent {
        when: first,
        recurrence: parts,
        ..event.clone()
    };
    let (when, dates) = (event.when.clone(), event.recurrence.extra.iter());
    let dates: HashSet<_> = dates.filter_map(|date| instant(*date, &when)).collect();
    let is_left = |date| instant(date, &when).is_some_and(|instant| dates.contains(&instant));
    event.periods.retain(|(date, _)| is_left(*date));
    Ok(Some(event))
}

/// The occurrences that are not before the start of their series.
fn left(series: &ReadEvent, occurrences: &[ReadEvent]) -> Result<Vec<ReadEvent>, Finding> {
    let start = series.when.start().utc;
    let is_left = |one: &&ReadEvent| {
        let id = one.recurrence_id.as_ref();
        let instant = id.and_then(|id| instant(id.value_in(series.when.zone()), &series.when));
        instant.is_some_and(|instant| instant >= start)
    };
    let is_split = |one: &ReadEvent| {
        one.recurrence_id
            .as_ref()
            .is_some_and(|id| id.and_following)
    };
    // A change of all following dates holds for the dates that are left, too.
    if occurrences
        .iter()
        .any(|one| is_split(one) && !is_left(&one))
    {
        return Err(series.finding("RRULE", FindingCode::Recurrence));
    }
    Ok(occurrences.iter().filter(is_left).cloned().collect())
}

/// The instant of a date of a series.
fn instant(date: DateValue, when: &EventTime) -> Option<Timestamp> {
    let local = match date {
        DateValue::Day(day) => day.and_time(when.start().local.time()),
        DateValue::Local(local) => local,
        DateValue::Instant(instant) => return Some(instant),
    };
    when.zone().at_local(local).ok().map(|moment| moment.utc)
}

/// The event with the dates of occurrences that its rule does not give; `None` if it gives all.
fn merged(event: &ReadEvent, occurrences: &[ReadEvent]) -> Result<Option<ReadEvent>, Finding> {
    let dates: Vec<_> = occurrences
        .iter()
        .filter_map(|one| one.recurrence_id.as_ref())
        .map(|id| id.value_in(event.when.zone()))
        .collect();
    if dates.is_empty() {
        return Ok(None);
    }
    let bad = |_| event.finding("RRULE", FindingCode::Recurrence);
    let parts = &event.recurrence;
    let whole = Recurrence::new(event.when.clone(), parts.clone()).map_err(bad)?;
    let (mut extra, mut deleted) = (parts.extra.clone(), whole.deleted().clone());
    let mut is_changed = false;
    for date in dates {
        if let Some(slot) = whole.find(date) {
            is_changed |= deleted.remove(&slot);
        } else {
            extra.push(date);
            is_changed = true;
        }
    }
    let deleted = deleted.into_iter().map(|slot| whole.recurrence_id(slot));
    Ok(is_changed.then(|| ReadEvent {
        recurrence: RecurrenceParts {
            rule: parts.rule.clone(),
            extra,
            deleted: deleted.collect(),
        },
        ..event.clone()
    }))
}

/// The fields that the file has, but for the recurrence.
fn fields(event: &ReadEvent, warnings: &mut Vec<Finding>) -> Result<Fields, Finding> {
    let title = title(event)?;
    let mut body = Body::default()
        .set("title", title.as_str())
        .time(&event.when);
    if let Some(text) = &event.description {
        let html = if has_elements(text) {
            text.clone()
        } else {
            let text = RichText::from_plain(&without_references(text));
            let bad = |_| event.finding("DESCRIPTION", FindingCode::BadValue);
            text.map_err(bad)?.as_str().to_owned()
        };
        body = body.set("description", html);
    }
    let of_place = event.place.as_ref().map(|place| &place.url);
    let of_place = of_place.filter(|url| !url.is_empty());
    if let Some(url) = event.url.as_ref().or(of_place) {
        match url.parse() {
            Ok(url) => body = body.website(&url),
            Err(_) => warnings.push(event.finding("URL", FindingCode::BadValue)),
        }
    }
    if let Some(place) = &event.place
        && !place.name.is_empty()
    {
        body = body.set("venue", venue(event, place)?);
    }
    if let Some(organizer) = &event.organizer
        && let Some(name) = name(organizer)
    {
        let bad = |_| event.finding("ORGANIZER", FindingCode::BadValue);
        let name: Title = without_references(name).parse().map_err(bad)?;
        let mut own = Body::default().set("organizer", name.as_str());
        if organizer.email.parse::<EmailAddress>().is_ok() {
            own = own.set("email", &*organizer.email);
        }
        body = body.set("organizer", vec![own.0]);
    }
    let categories = event.categories.iter();
    let categories = categories.filter_map(|name| without_references(name).parse().ok());
    let categories: Vec<Title> = categories.collect();
    if !categories.is_empty() {
        body = body.categories(&categories);
    }
    if event.is_private {
        body = body.status(Status::Private);
    }
    Ok(Fields::from_body(body.0))
}

fn title(event: &ReadEvent) -> Result<Title, Finding> {
    let bad = |error| {
        event.finding(
            "SUMMARY",
            match error {
                domain::text::InvalidTitle::Empty => FindingCode::NoTitle,
                domain::text::InvalidTitle::TooLong { .. } => FindingCode::BadValue,
            },
        )
    };
    without_references(&event.title).parse().map_err(bad)
}

fn venue(event: &ReadEvent, place: &ReadPlace) -> Result<Map<String, Value>, Finding> {
    let bad = |_| event.finding("LOCATION", FindingCode::BadValue);
    let name: Title = without_references(&place.name).parse().map_err(bad)?;
    let mut venue = Body::default().set("venue", name.as_str());
    if !place.address.is_empty() {
        let address = without_references(&place.address);
        let lines = address.lines().map(str::trim);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        venue = venue.set("address", lines.join(", "));
    }
    if let Some(position) = event.position {
        venue = venue.position(position);
    }
    Ok(venue.0)
}

/// The name of an organizer; without one, its e-mail address.
fn name(organizer: &ReadOrganizer) -> Option<&str> {
    let mut names = [&*organizer.name, &*organizer.email].into_iter();
    names.find(|name| !name.trim().is_empty())
}

/// The fields with the names that `is_kept` says.
fn only(mut fields: Fields, is_kept: impl Fn(&str) -> bool) -> Fields {
    fields.body.retain(|name, _| is_kept(name));
    fields
}

/// The fields, with those cleared that a file may have and this one has not.
fn with_blanks(mut fields: Fields) -> Fields {
    let texts = TEXTS.map(|name| (name, json!("")));
    let lists = LISTS.map(|name| (name, json!([])));
    for (name, blank) in texts.into_iter().chain(lists) {
        fields.body.entry(name).or_insert(blank);
    }
    fields
}
