//! The reading of the values that the audit trail has of an event.

use std::collections::BTreeSet;

use super::{EventDetails, OverriddenFields, Repetition, Series};
use crate::{
    Event, FieldName, Id, Language, Record as _, Stored,
    audit::{FieldKey, TrailReader, TrailValues},
    cost::{Cost, Currency},
    event::OverrideField,
    recurrence::{Recurrence, RecurrenceParts, Slot},
    ticket::{OnSale, Ticket},
    time::{EventTime, Moment, Timestamp, Zone, parse_civil},
    web_url::WebUrl,
};

/// The length of an instant as text, such as `2030-01-01 09:00:00`.
const INSTANT_BYTES: usize = 19;

pub(super) fn restore(details: &mut EventDetails, reader: &mut TrailReader<'_>) {
    restore_time(details, reader);
    restore_repetition(details, reader);
    let flag = |text: &str| text.parse().ok();
    for (field, to) in [
        (FieldName::Cancelled, &mut details.cancelled),
        (FieldName::ShowMap, &mut details.show_map),
        (FieldName::ShowMapLink, &mut details.show_map_link),
        (FieldName::HideFromListings, &mut details.hide_from_listings),
        (FieldName::Sticky, &mut details.sticky),
        (FieldName::Featured, &mut details.featured),
    ] {
        reader.read(field, to, flag);
    }
    macro_rules! optional {
        ($($field:ident => $member:ident),*) => {
            $(reader.read_or_none((FieldName::$field, None), &mut details.$member, |text| {
                text.parse().ok().map(Some)
            });)*
        };
    }
    optional!(Venue => venue, Parent => parent);
    reader.read_or_none((FieldName::Currency, None), &mut details.currency, |code| {
        Currency::of_code(code).map(Some)
    });
    reader.read_or_none((FieldName::Website, None), &mut details.website, |text| {
        WebUrl::of_text(text).map(Some)
    });
    reader.read_or_none((FieldName::Cost, None), &mut details.cost, |text| {
        Cost::parse_lines(text).ok()
    });
    reader.read_or_none((FieldName::Tickets, None), &mut details.tickets, |text| {
        text.lines().map(ticket).collect()
    });
    reader.read_or_none((FieldName::Categories, None), &mut details.categories, ids);
    reader.read_or_none((FieldName::Tags, None), &mut details.tags, ids);
    reader.read_or_none((FieldName::Organizer, None), &mut details.organizers, ids);
}

/// The IDs with commas between them.
fn ids<R>(text: &str) -> Option<Vec<Id<R>>> {
    text.split(',').map(|id| id.parse().ok()).collect()
}

/// The ticket of a line, whose name stands at its end.
fn ticket(line: &str) -> Option<Ticket> {
    let mut parts = line.splitn(4, ' ');
    let (price, currency, url) = (parts.next()?, parts.next()?, parts.next()?);
    let (from, rest) = instant(parts.next()?)?;
    let (until, name) = instant(rest)?;
    Some(Ticket {
        name: name.parse().ok()?,
        price: price.parse().ok()?,
        currency: Currency::of_code(currency)?,
        url: match url {
            "" => None,
            url => Some(WebUrl::of_text(url)?),
        },
        on_sale: OnSale::new(from, until).ok()?,
    })
}

/// The instant at the beginning of a text, which may be none, and the text behind it.
fn instant(text: &str) -> Option<(Option<Timestamp>, &str)> {
    if let Some(rest) = text.strip_prefix(' ') {
        return Some((None, rest));
    }
    let (instant, rest) = text.split_at_checked(INSTANT_BYTES)?;
    Some((Some(instant.parse().ok()?), rest.strip_prefix(' ')?))
}

/// Restores start, end, zone and whole days, which make one value.
fn restore_time(details: &mut EventDetails, reader: &mut TrailReader<'_>) {
    let fields = [
        FieldName::StartDate,
        FieldName::EndDate,
        FieldName::TimeZone,
        FieldName::AllDay,
    ];
    if !fields.iter().any(|field| reader.covers((*field, None))) {
        return;
    }
    let when = &details.when;
    let (mut zone, mut all_day) = (when.zone().clone(), when.all_day());
    reader.read(FieldName::TimeZone, &mut zone, |text| text.parse().ok());
    reader.read(FieldName::AllDay, &mut all_day, |text| text.parse().ok());
    let [mut start, mut end] = [when.start(), when.end()].map(|moment| zone.at(moment.utc));
    let read = |text: &str| moment(text, &zone);
    reader.read(FieldName::StartDate, &mut start, read);
    reader.read(FieldName::EndDate, &mut end, read);
    let key = (FieldName::StartDate, None);
    let time = EventTime::between(zone.clone(), start, end, all_day);
    reader.accept(key, &mut details.when, time.ok());
}

/// The moment of a wall clock, or of an instant, which ends with `Z`.
fn moment(text: &str, zone: &Zone) -> Option<Moment> {
    match text.strip_suffix('Z') {
        Some(instant) => Some(zone.at(instant.parse::<Timestamp>().ok()?)),
        None => zone.at_local(parse_civil(text)?).ok(),
    }
}

/// Restores the recurrence. An occurrence stays one.
fn restore_repetition(details: &mut EventDetails, reader: &mut TrailReader<'_>) {
    let key = (FieldName::Recurrence, None);
    let series = match &details.repetition {
        Repetition::Occurrence(_) => return,
        Repetition::Series(series) => Some(&**series),
        Repetition::Once => None,
    };
    let when = &details.when;
    let same_start = series.filter(|series| series.recurrence.first() == when);
    let mut repetition = details.repetition.clone();
    reader.read_or_none(key, &mut repetition, |text| {
        let lines: Vec<_> = text.lines().collect();
        if let Some(same) = same_start
            && same.recurrence.lines() == lines
        {
            return Some(details.repetition.clone());
        }
        let parts = RecurrenceParts::from_lines(&lines, when.zone()).ok()?;
        let recurrence = match same_start {
            Some(same) => {
                let (extra, deleted) = (Some(parts.extra), Some(parts.deleted));
                same.recurrence.with_parts(parts.rule, extra, deleted)
            }
            None => Recurrence::new(when.clone(), parts),
        };
        Some(Repetition::Series(Box::new(Series {
            kept_until: series.and_then(|series| series.kept_until),
            previous: series.and_then(|series| series.previous),
            next: series.and_then(|series| series.next),
            recurrence: recurrence.ok()?,
        })))
    });
    details.repetition = repetition;
}

/// The fields of its own that an occurrence had, which it gets. An event that is an occurrence no longer gets those fields
/// alone.
pub(super) fn restore_own(
    details: &mut EventDetails,
    values: &TrailValues,
) -> Option<BTreeSet<FieldKey>> {
    let own = values.get(&(FieldName::Own, None));
    let own = own.map(|own| own.parse::<OverriddenFields>().unwrap_or_default());
    if let Repetition::Occurrence(one) = &mut details.repetition {
        one.overridden = own.clone().unwrap_or_default();
        return Some(keys(&one.overridden));
    }
    own.map(|own| keys(&own))
}

fn keys(own: &OverriddenFields) -> BTreeSet<FieldKey> {
    let mut keys = BTreeSet::new();
    for field in OverrideField::ALL {
        let Ok(name) = field.name().parse::<FieldName>() else {
            continue;
        };
        if own.contains(field) {
            keys.insert((name, None));
        }
        for language in Language::ALL {
            if own.contains_translation(field, language) {
                keys.insert((name, Some(language)));
            }
        }
    }
    keys
}

impl Stored<Event> {
    /// An occurrence of this series with the fields of its own that it had in a former state, and the others of the series;
    /// and the fields that are not readable. `None` without an occurrence of the series.
    ///
    /// ```
    /// use events_calendar_domain::{*, audit::TrailValues, event::{EventDetails, OverrideField, Repetition, Series}};
    /// use events_calendar_domain::{recurrence::Recurrence, time::{EventTime, Zone, parse_civil}};
    ///
    /// let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let when = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let recurrence = Recurrence::from_stored(when.clone(), rule, [].into(), [].into());
    /// let mut details = EventDetails::new(when.clone(), "1@cal".into());
    /// details.repetition = Repetition::Series(Box::new(Series::new(recurrence)));
    /// let content = Entry::new(UserId::from_raw(1), "Yoga".parse()?, details, when.start().utc);
    /// let series = Stored { id: EventId::from_raw(1), revision: 1, content };
    /// let one = series.occurrence_at("2027-03-09T19:00:00".parse()?).unwrap();
    ///
    /// let own = [(FieldName::Own, "title"), (FieldName::Title, "Dance"), (FieldName::Website, "https://a.example/")];
    /// let values: TrailValues = own.map(|(field, value)| ((field, None), value.to_owned())).into();
    /// let (restored, unread) = series.restored_occurrence(&one, &values, when.start().utc).unwrap();
    /// assert_eq!((restored.title.as_str(), &restored.details.website, unread.len()), ("Dance", &None, 0));
    /// assert!(restored.occurrence().unwrap().overridden.contains(OverrideField::Title));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restored_occurrence(
        &self,
        occurrence: &Event,
        values: &TrailValues,
        now: Timestamp,
    ) -> Option<(Event, Vec<FieldKey>)> {
        let slot: Slot = occurrence.occurrence()?.slot;
        let mut event = self.occurrence_at(slot)?;
        event.modified = occurrence.modified;
        event.details.uid.clone_from(&occurrence.details.uid);
        event.details.sequence = occurrence.details.sequence;
        event.details.rescheduling = occurrence.details.rescheduling;
        let unread = event.restore_fields(values, now);
        Some((self.inherited_by(&event, slot)?, unread))
    }
}
