//! Copies of one event at regular dates: sites whose events cannot repeat have them.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Event, Kind,
    recurrence::Rule,
    time::{NaiveDate, NaiveDateTime, parse_civil},
};
use serde_json::json;

use super::{Arrived, Move, SiteImportError, arrival::digest};
use crate::{
    error::AppError,
    hashing::sha256_hex,
    ports::{ImportedRecord, SourceRecord},
};

/// The fields in which copies differ, because they follow from their dates.
const OF_DATES: [&str; 6] = [
    "start_date",
    "end_date",
    "slug",
    "date",
    "date_utc",
    "author",
];

/// The identifiers in one lookup.
const LOOKUP: usize = 500;

/// An event that may be a copy of others.
#[derive(Debug)]
struct Copy {
    start: NaiveDateTime,
    url: String,
    /// The digest of all that copies have in common.
    content: String,
    /// The event, if copies are joined.
    record: Option<SourceRecord>,
}

/// The events that were read, by title, venue, time of day, length, zone and status.
#[derive(Debug, Default)]
pub(super) struct Copies(BTreeMap<String, Vec<Copy>>);

impl Copies {
    /// Collects an event. Returns whether it is kept for [`Move::join_copies`].
    pub(super) fn collect(&mut self, record: &SourceRecord, join: bool) -> bool {
        let date = |name| parse_civil(record.fields.get(name)?.as_str()?);
        let (Some(start), Some(end)) = (date("start_date"), date("end_date")) else {
            return false;
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
        let mut common = SourceRecord {
            slug: None,
            author: None,
            ..record.clone()
        };
        common.fields.retain(|name, _| !OF_DATES.contains(&&**name));
        self.0.entry(key.to_string()).or_default().push(Copy {
            start,
            url: record.url.clone(),
            content: digest(&common),
            record: join.then(|| record.clone()),
        });
        join
    }
}

/// Copies at regular dates, in their order.
struct Series {
    copies: Vec<Copy>,
    rule: Rule,
    missing: Vec<NaiveDate>,
}

/// The copies as a series, or one by one if their dates are not regular.
fn series(mut copies: Vec<Copy>) -> Result<Series, Vec<Copy>> {
    copies.sort_by_key(|copy| copy.start);
    let dates: Vec<_> = copies.iter().map(|copy| copy.start.date()).collect();
    match Rule::of_dates(&dates) {
        Some((rule, missing)) => Ok(Series {
            copies,
            rule,
            missing,
        }),
        None => Err(copies),
    }
}

impl Move<'_> {
    /// Reports copies; if they are to be joined, imports the events that were kept. Series are the
    /// last, as their occurrences take IDs.
    pub(super) async fn join_copies(&mut self) -> Result<(), SiteImportError> {
        let mut regular = Vec::new();
        for copies in std::mem::take(&mut self.copies).0.into_values() {
            match series(copies) {
                Ok(series) => regular.push(series),
                Err(copies) => self.separate(copies).await?,
            }
        }
        for series in regular {
            self.report.copies += 1;
            let first = &series.copies[0];
            let (number, rule, url) = (series.copies.len(), &series.rule, first.url.clone());
            let found = format!("{number} events with this title and venue are regular ({rule})");
            let differ = series
                .copies
                .iter()
                .any(|copy| copy.content != first.content);
            if !self.options.join_copies {
                self.remark(
                    url,
                    format_args!("{found}: --join-copies makes a series of them"),
                );
            } else if differ {
                let remark = format!("{found}: they stay separate, as other fields differ");
                self.remark(url, remark);
                self.separate(series.copies).await?;
            } else if self.join(&series).await? {
                self.remark(url, format_args!("{found}: one series here"));
            } else {
                let remark =
                    format!("{found}: they stay separate, as an earlier import brought them");
                self.remark(url, remark);
                self.separate(series.copies).await?;
            }
        }
        Ok(())
    }

    /// Imports events one by one, if they were kept.
    async fn separate(&mut self, copies: Vec<Copy>) -> Result<(), SiteImportError> {
        for record in copies.into_iter().filter_map(|copy| copy.record) {
            self.arrive::<Event>(&record).await?;
        }
        Ok(())
    }

    /// Imports copies as a series. Returns false if some of them are here as events of their own.
    async fn join(&mut self, series: &Series) -> Result<bool, SiteImportError> {
        let records = series.copies.iter().filter_map(|copy| copy.record.as_ref());
        let records: Vec<_> = records.collect();
        let Some(&first) = records.first() else {
            return Ok(true);
        };
        let mut record = first.clone();
        let missing: Vec<_> = series.missing.iter().map(ToString::to_string).collect();
        let recurrence =
            json!({ "rrule": series.rule.to_string(), "rdate": [], "exdate": missing });
        record.fields.insert("recurrence".to_owned(), recurrence);
        let uids: Vec<_> = records
            .iter()
            .map(|one| one.uid(self.site.name()))
            .collect();
        let digest = sha256_hex(&format!("{} {}", digest(&record), uids.join(" ")));
        let rows: Vec<_> = records
            .iter()
            .map(|record| self.row(record, digest.clone()))
            .collect();
        let mut known: Vec<ImportedRecord> = Vec::new();
        for uids in uids.chunks(LOOKUP) {
            let imports = self.calendar.store.imports();
            let found = imports.find(self.site.name(), Kind::Event, uids).await;
            known.append(&mut found.map_err(AppError::from)?);
        }
        let ids: BTreeSet<_> = known.iter().map(|row| row.id).collect();
        if ids.len() > 1 {
            return Ok(false);
        }
        self.arrive_as::<Event>(&record, known.into_iter().next(), &rows)
            .await?;
        let arrived = self.arrived.get(&(Kind::Event, record.id));
        if !matches!(arrived, Some(Arrived::Refused)) {
            self.report.joined += records.len() as u64;
        }
        Ok(true)
    }
}
