//! Copies of one event at regular dates: sites whose events cannot repeat have them.

use std::collections::BTreeMap;

use app::ports::ImportedRecord;
use domain::{
    Event, EventId, Kind,
    recurrence::{Rule, Slot},
    time::{NaiveDate, NaiveDateTime},
};
use serde_json::json;

use super::{
    Arrived, Move, SiteImportError,
    arrival::digest,
    joined_copies::{content_of, dates, digest_of_copy},
};
use crate::source_site::SourceRecord;

/// The state of an event that may be a copy of others.
#[derive(Debug)]
enum State {
    /// It is new, and kept until all copies are known.
    New(Box<SourceRecord>),
    /// It is imported by itself.
    Single,
    /// It is an occurrence of this series, at the date that it has there.
    OfSeries(EventId),
}

/// An event that may be a copy of others.
#[derive(Debug)]
struct Copy {
    start: NaiveDateTime,
    url: String,
    /// The digest of all that copies have in common.
    content: String,
    state: State,
}

/// The events that were read, by title, venue, time of day, length, zone and status.
#[derive(Debug, Default)]
pub(super) struct Copies(BTreeMap<String, Vec<Copy>>);

impl Copies {
    /// Collects an event with its state. An event without dates is no copy.
    fn collect(&mut self, record: &SourceRecord, state: State) {
        let Some((start, end)) = dates(record) else {
            return;
        };
        let related = record.related.iter();
        let venue = related
            .filter(|one| one.kind == Kind::Venue)
            .map(|one| one.id);
        let field = |name| record.fields.get(name);
        let key = json!([
            field("title"),
            venue.collect::<Vec<_>>(),
            start.time().to_string(),
            (end - start).num_seconds(),
            field("all_day"),
            field("timezone"),
            field("status"),
        ]);
        self.0.entry(key.to_string()).or_default().push(Copy {
            start,
            url: record.url.clone(),
            content: digest(&content_of(record)),
            state,
        });
    }
}

/// New copies at regular dates, in their order.
struct Series<'a> {
    copies: Vec<&'a SourceRecord>,
    rule: Rule,
    missing: Vec<NaiveDate>,
}

impl Move<'_> {
    /// Imports an event of a list. One that may be a copy is kept until all of them are known, if copies
    /// are to be joined.
    pub(super) async fn take_event(&mut self, record: SourceRecord) -> Result<(), SiteImportError> {
        let uid = record.uid(self.site.name());
        let known = self.known(Kind::Event, &uid).cloned();
        let state = match known {
            Some(row) if row.slot.is_some() => match self.arrive_at_slot(&record, row).await? {
                Some(series) => State::OfSeries(series),
                None => State::Single,
            },
            None if self.options.join_copies && dates(&record).is_some() => {
                State::New(Box::new(record.clone()))
            }
            _ => {
                self.arrive::<Event>(&record).await?;
                State::Single
            }
        };
        self.copies.collect(&record, state);
        Ok(())
    }

    /// Reports copies; if they are to be joined, imports the events that were kept. Series are the
    /// last, as their occurrences take IDs.
    pub(super) async fn join_copies(&mut self) -> Result<(), SiteImportError> {
        let mut regular = Vec::new();
        for mut copies in std::mem::take(&mut self.copies).0.into_values() {
            copies.sort_by_key(|copy| copy.start);
            let of_series = |copy: &Copy| match copy.state {
                State::OfSeries(series) => Some((series, copy.content.clone())),
                State::New(_) | State::Single => None,
            };
            let known: Vec<_> = copies.iter().filter_map(of_series).collect();
            if !known.is_empty() {
                self.add_to_series(copies, &known).await?;
                continue;
            }
            let dates: Vec<_> = copies.iter().map(|copy| copy.start.date()).collect();
            match Rule::of_dates(&dates) {
                Some(rule) => regular.push((copies, rule)),
                None => self.separate(copies).await?,
            }
        }
        for (copies, (rule, missing)) in regular {
            self.report.copies += 1;
            let (number, url) = (copies.len(), copies[0].url.clone());
            let found = format!("{number} events with this title and venue are regular ({rule})");
            let new = copies.iter().filter_map(|copy| match &copy.state {
                State::New(record) => Some(&**record),
                State::Single | State::OfSeries(_) => None,
            });
            let new: Vec<_> = new.collect();
            let result = if !self.options.join_copies {
                "--join-copies makes a series of them"
            } else if new.len() < copies.len() {
                "they stay separate, as an earlier import brought them"
            } else if copies.iter().any(|copy| copy.content != copies[0].content) {
                "they stay separate, as other fields differ"
            } else {
                let series = Series {
                    copies: new,
                    rule,
                    missing,
                };
                self.join(&series).await?;
                self.remark(url, format_args!("{found}: one series here"));
                continue;
            };
            self.remark(url, format_args!("{found}: {result}"));
            self.separate(copies).await?;
        }
        for (_, is_changed) in std::mem::take(&mut self.series) {
            let counts = self.report.counts.entry(Kind::Event).or_default();
            if is_changed {
                counts.updated += 1;
            } else {
                counts.unchanged += 1;
            }
        }
        Ok(())
    }

    /// Imports events one by one, if they were kept.
    async fn separate(&mut self, copies: Vec<Copy>) -> Result<(), SiteImportError> {
        for copy in copies {
            if let State::New(record) = copy.state {
                self.arrive::<Event>(&record).await?;
            }
        }
        Ok(())
    }

    /// Imports copies as a series.
    async fn join(&mut self, series: &Series<'_>) -> Result<(), SiteImportError> {
        let mut record = series.copies[0].clone();
        let missing: Vec<_> = series.missing.iter().map(ToString::to_string).collect();
        let recurrence =
            json!({ "rrule": series.rule.to_string(), "rdate": [], "exdate": missing });
        record.fields.insert("recurrence".to_owned(), recurrence);
        let rows = series.copies.iter().filter_map(|copy| {
            let slot = Slot::new(dates(copy)?.0);
            Some(self.row_of_slot(copy, 0, slot))
        });
        let rows: Vec<_> = rows.collect();
        self.arrive_as::<Event>(&record, None, &rows).await?;
        let arrived = self.arrived.get(&(Kind::Event, record.id));
        if !matches!(arrived, Some(Arrived::Refused)) {
            self.report.joined += rows.len() as u64;
        }
        Ok(())
    }

    /// The row of the ledger of a copy that is an occurrence of a series.
    pub(super) fn row_of_slot(
        &self,
        copy: &SourceRecord,
        series: i64,
        slot: Slot,
    ) -> ImportedRecord {
        ImportedRecord {
            id: series,
            slot: Some(slot),
            ..self.row(copy, digest_of_copy(copy))
        }
    }

    /// Adds new copies to the series that has others with the same content.
    async fn add_to_series(
        &mut self,
        copies: Vec<Copy>,
        known: &[(EventId, String)],
    ) -> Result<(), SiteImportError> {
        let mut added: BTreeMap<EventId, Vec<SourceRecord>> = BTreeMap::new();
        for copy in copies {
            let State::New(record) = copy.state else {
                continue;
            };
            // The first of two series that are alike.
            let same = known.iter().filter(|(_, content)| *content == copy.content);
            if let Some(series) = same.map(|(series, _)| *series).min() {
                added.entry(series).or_default().push(*record);
            } else {
                let remark = "it stays separate, as it differs from the series of this title";
                self.remark(copy.url, remark);
                self.arrive::<Event>(&record).await?;
            }
        }
        for (series, records) in added {
            self.extend(series, &records).await?;
        }
        Ok(())
    }
}
