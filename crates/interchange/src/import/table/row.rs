//! A row of a table as a record: its identity, and the fields of its writes.

use std::collections::{HashMap, HashSet};

use app::hashing;
use domain::{
    Event, Kind, Record as _, Stored,
    text::{Title, fold},
    time::{Moment, Timestamp, Zone, format_civil, parse_date, parse_day},
};
use forms::{Digits, Fields, values};
use serde_json::{Map, Value};

use super::cells::Cells;

/// Begins the identifier in the ledger of a row without UID and ID.
pub(super) const OF_ROW: &str = "row:";

/// A row that is read completely.
#[derive(Debug)]
pub(super) struct TableRow {
    pub(super) kind: Kind,
    /// Its line, from 1.
    pub(super) line: u64,
    /// The identifier in the ledger.
    pub(super) key: String,
    /// The number of rows before it with the same identity, but other fields.
    pub(super) ordinal: usize,
    pub(super) identity: Identity,
    pub(super) fields: Fields,
    /// SHA-256 of the fields.
    pub(super) digest: String,
}

/// The cells by which a row's record is known again.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) uid: Option<String>,
    pub(super) id: Option<i64>,
    /// Folded.
    pub(super) title: String,
    /// The start of an event, if it can be read.
    start: Option<Moment>,
}

/// The time and the zones in which rows are read.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    pub(super) kind: Kind,
    pub(super) now: Timestamp,
    pub(super) site_zone: &'a Zone,
    /// The zone of rows that name none, if the import names one.
    pub(super) zone: Option<&'a Zone>,
    /// The name of a category of all events.
    pub(super) category: Option<&'a Title>,
    /// For each key, the digests of its rows.
    seen: HashMap<String, Vec<String>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        kind: Kind,
        now: Timestamp,
        site_zone: &'a Zone,
        zone: Option<&'a Zone>,
    ) -> Self {
        Self {
            kind,
            now,
            site_zone,
            zone,
            category: None,
            seen: HashMap::new(),
        }
    }

    /// The row at a line.
    pub(super) fn row(&mut self, line: u64, cells: &Cells) -> TableRow {
        let body = self.fields(cells);
        let identity = self.identity(cells, &body);
        let digest = hashing::sha256_hex(&Value::Object(body.clone()).to_string());
        let key = identity.key(self.kind).unwrap_or_else(|| digest.clone());
        let (mut ordinal, mut key) = match (&identity.uid, identity.id) {
            (Some(uid), _) => (None, uid.clone()),
            (None, Some(id)) => (None, format!("id:{id}")),
            (None, None) => (Some(0), format!("{OF_ROW}{key}")),
        };
        if let Some(ordinal) = &mut ordinal {
            let seen = self.seen.entry(key.clone()).or_default();
            let before = seen.iter().position(|one| *one == digest);
            *ordinal = before.unwrap_or(seen.len());
            if *ordinal == seen.len() {
                seen.push(digest.clone());
            }
            if *ordinal > 0 {
                key = format!("{key}:{ordinal}");
            }
        }
        TableRow {
            kind: self.kind,
            line,
            key,
            ordinal: ordinal.unwrap_or(0),
            identity,
            digest,
            fields: Fields {
                digits: Digits::Name,
                ..Fields::from_body(body)
            },
        }
    }

    /// The fields of a row, with the zone of the import.
    fn fields(&self, cells: &Cells) -> Map<String, Value> {
        let mut fields = cells.fields();
        if let Some(zone) = self.zone.filter(|_| fields.contains_key("start_date")) {
            let name = || Value::from(zone.name());
            fields.entry("timezone").or_insert_with(name);
        }
        if let Some(category) = self.category.filter(|_| self.kind == Kind::Event) {
            let empty = || Value::Array(Vec::new());
            let categories = fields.entry("categories").or_insert_with(empty);
            if let Some(names) = categories.as_array_mut()
                && !names.iter().any(|name| name == category.as_str())
            {
                names.push(category.as_str().into());
            }
        }
        fields
    }

    /// Reads the identity of a row from its cells.
    fn identity(&self, cells: &Cells, fields: &Map<String, Value>) -> Identity {
        let title = cells.title(self.kind);
        let title = match title.parse::<Title>() {
            Ok(title) => fold(title.as_str()),
            Err(_) => fold(title),
        };
        let start = || {
            let zone = fields.get("timezone");
            let zone = zone.map(|zone| values::zone(zone, self.site_zone));
            let zone = zone.transpose().ok()?;
            let zone = zone.as_ref().unwrap_or(self.site_zone);
            let text = fields.get("start_date")?.as_str()?;
            let is_day = fields.get("all_day") == Some(&Value::Bool(true));
            let parse = if is_day { parse_day } else { parse_date };
            parse(text, zone, self.now).ok()
        };
        Identity {
            uid: cells.uid.clone(),
            id: cells.id,
            title,
            start: start().filter(|_| self.kind == Kind::Event),
        }
    }
}

impl Identity {
    /// The identity of a row without UID and ID: title and start of an event, else the name; none if the
    /// start cannot be read.
    fn key(&self, kind: Kind) -> Option<String> {
        let text = if kind == Kind::Event {
            format!("{}\n{}", self.title, format_civil(self.start?.local))
        } else {
            self.title.clone()
        };
        Some(hashing::sha256_hex(&text))
    }

    /// The start of an event.
    pub(super) fn start(&self) -> Option<Timestamp> {
        self.start.map(|start| start.utc)
    }
}

/// The events that a table still has, by what its rows say, refused ones included.
#[derive(Debug, Default)]
pub(super) struct Present {
    keys: HashSet<String>,
    ids: HashSet<(i64, String)>,
    dates: HashSet<(String, Timestamp)>,
    /// Titles of refused rows without a start.
    titles: HashSet<String>,
    /// Starts of refused rows without a title.
    starts: HashSet<Timestamp>,
}

impl Present {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &TableRow) {
        self.keys.insert(row.key.clone());
        self.add_identity(&row.identity);
    }

    /// Adds a row that is refused: every event that it may be about stays.
    pub(super) fn add_refused(&mut self, cells: &Cells, rows: &Rows<'_>) {
        let identity = rows.identity(cells, &rows.fields(cells));
        self.keys.extend(identity.id.map(|id| format!("id:{id}")));
        match (identity.start(), identity.title.is_empty()) {
            (Some(start), true) => drop(self.starts.insert(start)),
            (None, false) => drop(self.titles.insert(identity.title.clone())),
            _ => {}
        }
        self.add_identity(&identity);
    }

    fn add_identity(&mut self, identity: &Identity) {
        let title = &identity.title;
        self.keys.extend(identity.uid.clone());
        self.ids.extend(identity.id.map(|id| (id, title.clone())));
        let start = identity.start();
        self.dates.extend(start.map(|start| (title.clone(), start)));
    }

    /// Whether the table may have an event that its source brought under a key.
    pub(super) fn has(&self, event: &Stored<Event>, key: &str) -> bool {
        let start = event.details.when.start().utc;
        let title = fold(event.title().as_str());
        self.keys.contains(key)
            || self.keys.contains(&event.details.uid)
            || self.titles.contains(&title)
            || self.starts.contains(&start)
            || self.ids.contains(&(event.id.get(), title.clone()))
            || self.dates.contains(&(title, start))
    }
}
