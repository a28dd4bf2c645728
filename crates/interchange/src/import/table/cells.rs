//! The fields of a record, of the cells of its row.

use domain::Kind;
use serde_json::{Map, Value, json};

use crate::table::unguarded;

/// Other labels of columns in files of other programs, without case, blanks and signs, each with
/// its field.
const OTHER_LABELS: [(Kind, &str, &str); 17] = [
    // Headings of Google's calendar and of Outlook.
    (Kind::Event, "subject", "title"),
    (Kind::Event, "location", "venue"),
    (Kind::Event, "meetingorganizer", "organizer"),
    (Kind::Event, "private", "private"),
    (Kind::Event, "sensitivity", "private"),
    (Kind::Event, "eventorganizername", "organizer"),
    (Kind::Event, "eventorganizers", "organizer"),
    (Kind::Event, "eventorganizernames", "organizer"),
    (Kind::Event, "eventvenue", "venue"),
    (Kind::Event, "eventcategories", "categories"),
    (Kind::Event, "eventtimezone", "timezone"),
    (Kind::Event, "timezone", "timezone"),
    (Kind::Event, "currencycode", "currency_code"),
    (Kind::Venue, "venuestate", "stateprovince"),
    (Kind::Venue, "venueprovince", "stateprovince"),
    (Kind::Venue, "venuepostalcode", "zip"),
    (Kind::Organizer, "organizeremailaddress", "email"),
];

/// The columns whose cells say nothing that an import takes.
const NOT_TAKEN: [&str; 4] = ["image", "url", "currency_symbol", "currency_position"];

/// The field of a column with a label; none for an unknown one.
pub(super) fn field(kind: Kind, label: &str) -> Option<&'static str> {
    let plain = |text: &str| {
        let text = text.chars().filter(|c| c.is_alphanumeric());
        text.flat_map(char::to_lowercase).collect::<String>()
    };
    let sent = plain(label);
    let columns = crate::table::labels(kind);
    let known = columns.into_iter().find(|(label, field)| {
        let of_kind = plain(label);
        let short = of_kind.strip_prefix(kind.name()).unwrap_or(&of_kind);
        [&*of_kind, short, &plain(field)].contains(&&*sent)
    });
    let mut others = OTHER_LABELS.iter();
    known.map(|(_, field)| field).or_else(|| {
        others
            .find(|(of, label, _)| *of == kind && *label == sent)
            .map(|(.., field)| *field)
    })
}

/// A row as the fields of a record, with its identifiers.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) uid: Option<String>,
    pub(super) id: Option<i64>,
    pub(super) times: Times,
    /// The other fields.
    pub(super) body: Map<String, Value>,
    /// The first field with a value that cannot be taken.
    pub(super) bad: Option<&'static str>,
}

impl Cells {
    /// Reads the cells of a row, each with its field.
    pub(super) fn read<'a>(
        kind: Kind,
        cells: impl Iterator<Item = (&'static str, &'a str)>,
    ) -> Self {
        let mut read = Self::default();
        for (field, cell) in cells {
            if read.add(kind, field, unguarded(cell).trim()).is_err() {
                read.bad.get_or_insert(field);
            }
        }
        read
    }

    fn add(&mut self, kind: Kind, field: &'static str, text: &str) -> Result<(), ()> {
        match field {
            "uid" => self.uid = (!text.is_empty()).then(|| text.to_owned()),
            "id" if text.is_empty() => {}
            "id" => self.id = Some(text.parse().map_err(drop)?),
            "start_date" => text.clone_into(&mut self.times.start_date),
            "start_time" => text.clone_into(&mut self.times.start_time),
            "end_date" => text.clone_into(&mut self.times.end_date),
            "end_time" => text.clone_into(&mut self.times.end_time),
            _ if NOT_TAKEN.contains(&field) => {}
            _ => {
                let name = match field {
                    "currency_code" => "currency",
                    "private" => "status",
                    field => field,
                };
                let value = value(kind, field, text)?;
                self.body
                    .extend(value.map(|value| (name.to_owned(), value)));
            }
        }
        Ok(())
    }

    /// All fields of a request.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let mut fields = self.body.clone();
        self.times.add_to(&mut fields);
        fields
    }

    /// The title or the name.
    pub(super) fn title(&self, kind: Kind) -> &str {
        let name = match kind {
            Kind::Venue => "venue",
            Kind::Organizer => "organizer",
            Kind::Event | Kind::Category | Kind::Tag => "title",
        };
        self.body
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

/// The value of a field; none if a blank cell leaves the field as it is.
fn value(kind: Kind, field: &str, text: &str) -> Result<Option<Value>, ()> {
    let parts = || {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
    };
    let is_event = kind == Kind::Event;
    Ok(match field {
        "all_day" | "hide_from_listings" | "sticky" | "featured" | "show_map" | "show_map_link" => {
            flag(text)?.map(Value::from)
        }
        "timezone" | "status" | "title" if text.is_empty() => None,
        "cost" if text.contains('\n') => Some(text.lines().collect()),
        "status" => Some(json!(text.to_lowercase())),
        "private" => is_private(text)?.then(|| json!("private")),
        "venue" if is_event && text.is_empty() => Some(json!("")),
        "venue" if is_event => Some(json!({ "venue": text })),
        "organizer" if is_event => {
            let organizers = parts().map(|part| match part.parse::<i64>() {
                Ok(id) => json!(id),
                Err(_) => json!({ "organizer": part }),
            });
            Some(organizers.collect())
        }
        "categories" | "tags" => Some(parts().map(Value::from).collect()),
        _ => Some(json!(text)),
    })
}

/// Whether a cell says that an event is private: a flag, or a sensitivity.
fn is_private(text: &str) -> Result<bool, ()> {
    match &*text.to_lowercase() {
        "private" | "personal" | "confidential" => Ok(true),
        "normal" => Ok(false),
        _ => Ok(flag(text)?.unwrap_or(false)),
    }
}

/// A flag; none for a blank cell.
fn flag(text: &str) -> Result<Option<bool>, ()> {
    match &*text.to_lowercase() {
        "" => Ok(None),
        "1" | "true" | "yes" | "y" | "t" | "on" => Ok(Some(true)),
        "0" | "false" | "no" | "n" | "f" | "off" => Ok(Some(false)),
        _ => Err(()),
    }
}

/// Start and end, in parts.
#[derive(Debug, Default)]
pub(super) struct Times {
    pub(super) start_date: String,
    start_time: String,
    pub(super) end_date: String,
    end_time: String,
}

impl Times {
    /// The dates of start and end.
    pub(super) fn dates(&self) -> [&str; 2] {
        [&self.start_date, &self.end_date]
    }

    /// Adds start and end, if the row has a start. Without a day of the end, it is that of the start;
    /// without its time, too.
    fn add_to(&self, body: &mut Map<String, Value>) {
        if self.start_date.is_empty() {
            return;
        }
        let or = |end, start| if str::is_empty(end) { start } else { end };
        let end_date = or(&*self.end_date, &*self.start_date);
        let end_time = or(&*self.end_time, &*self.start_time);
        for (name, date, time) in [
            ("start_date", &*self.start_date, &*self.start_time),
            ("end_date", end_date, end_time),
        ] {
            let text = format!("{date} {time}");
            body.insert(name.to_owned(), json!(text.trim()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_by_label_and_field() {
        for (kind, label, expected) in [
            (Kind::Event, "Event Name", Some("title")),
            (Kind::Event, "EVENT NAME", Some("title")),
            (Kind::Event, "name", Some("title")),
            (Kind::Event, "title", Some("title")),
            (
                Kind::Event,
                "Event Organizer Name(s) or ID(s)",
                Some("organizer"),
            ),
            (Kind::Event, "event_organizer_name", Some("organizer")),
            (Kind::Event, "All Day Event", Some("all_day")),
            (Kind::Event, "start_date", Some("start_date")),
            (Kind::Event, "Subject", Some("title")),
            (Kind::Event, "Location", Some("venue")),
            (Kind::Event, "Sensitivity", Some("private")),
            (Kind::Event, "Venue City", None),
            (Kind::Venue, "Venue State/Province", Some("stateprovince")),
            (Kind::Venue, "stateprovince", Some("stateprovince")),
            (Kind::Organizer, "Email", Some("email")),
            (Kind::Organizer, "Fax", None),
        ] {
            assert_eq!(field(kind, label), expected, "{kind} {label}");
        }
    }
}
