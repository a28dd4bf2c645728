//! Sources as JSON.

use app::ports::StoredSource;
use domain::{
    policy::{Caller, Capability},
    source::{ReportCounts, Source, SourceFinding, SourceReport, SourceRuns},
    time::Timestamp,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::values::Url;

/// A calendar elsewhere that is read on a schedule. Times are in UTC.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Source")]
pub(crate) struct SourceRecord {
    /// The ID.
    id: i64,
    /// The name.
    name: String,
    /// The form: `ics`, `csv` or `tec`.
    format: &'static str,
    /// The address; for others than administrators without path and query.
    url: Url,
    /// The ID of the user whose events it brings.
    user: i64,
    /// The time between two runs.
    every: String,
    /// The status of new events.
    status: &'static str,
    /// The name of a category of all its events; empty for none.
    category: String,
    /// The fields of known events that change.
    policy: &'static str,
    /// Whether events that it has no longer go to the trash.
    prune: bool,
    /// `ok`, `failing` or `paused`.
    state: &'static str,
    /// Whether a server reads it now.
    running: bool,
    /// The end of the last run; empty if there was none.
    last_run: String,
    /// The end of the last run that succeeded; empty if there was none.
    last_success: String,
    /// The reason for which the last run failed, such as `status-404`; empty if it succeeded.
    last_error: String,
    /// The time from which on the next run is due; empty for a source that is paused.
    next_run: String,
    /// The number of events that it brought and did not take back.
    events: u64,
    /// The report of the last run that read a changed file.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<SourceReportRecord>,
}

/// The effects of a run on the records of a source.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SourceReport")]
pub(crate) struct SourceReportRecord {
    /// The number of records that were read.
    read: u64,
    /// The number of new records.
    created: u64,
    /// The number of updated records.
    updated: u64,
    /// The number of records that stay as they are.
    unchanged: u64,
    /// The number of events that were called off.
    cancelled: u64,
    /// The number of events that the source has no longer, and that went to the trash.
    pruned: u64,
    /// The number of pairs of records that look alike, and that nobody knew of.
    duplicates: u64,
    /// The number of these that were merged.
    merged: u64,
    /// The number of parts of the file that say nothing about an event.
    ignored: u64,
    /// The records that were not taken, at most 100.
    refused: Vec<SourceFindingRecord>,
    /// Guesses, and faults that stop nothing, at most 100.
    warnings: Vec<SourceFindingRecord>,
}

/// A finding about a record of a source.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SourceFinding")]
pub(crate) struct SourceFindingRecord {
    /// The line of the file; 0 for a site.
    line: u64,
    /// The unique identifier of the record, if it is known.
    uid: String,
    /// The name of the property, if it is about one.
    property: String,
    /// The kind of the finding.
    code: String,
}

impl SourceRecord {
    /// A source as a caller may see it.
    pub(crate) fn new(stored: &StoredSource, caller: Caller, now: Timestamp) -> Self {
        let Source {
            name,
            format,
            url,
            user,
            every,
            status,
            category,
            policy,
            prune,
            // It names a file of the server.
            header_file: _,
            paused,
        } = &stored.source;
        let SourceRuns {
            ledger: _,
            next_run,
            is_requested: _,
            validators: _,
            last_run,
            last_success,
            failure,
            failures: _,
            failing_since: _,
            told: _,
            events,
            report,
        } = &stored.runs;
        let sees_address = caller.can(Capability::ManageSources);
        let address = if sees_address {
            url.expose()
        } else {
            url.origin()
        };
        let time = |time: Option<Timestamp>| time.map(|time| time.to_string()).unwrap_or_default();
        Self {
            id: stored.id.get(),
            name: name.to_string(),
            format: format.name(),
            url: Url(address.to_owned()),
            user: user.get(),
            every: every.to_string(),
            status: status.name(),
            category: category
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            policy: policy.name(),
            prune: *prune,
            state: stored.runs.state(&stored.source).name(),
            running: stored.is_running(now),
            last_run: time(*last_run),
            last_success: time(*last_success),
            last_error: failure
                .map(|failure| failure.to_string())
                .unwrap_or_default(),
            next_run: time(Some(*next_run).filter(|_| !paused)),
            events: *events,
            report: report.as_ref().map(SourceReportRecord::new),
        }
    }
}

impl SourceReportRecord {
    /// The report of a run. The report of an import, which has all findings, has the same members.
    pub(crate) fn new(report: &SourceReport) -> Self {
        let SourceReport {
            counts,
            refused,
            warnings,
        } = report;
        let ReportCounts {
            read,
            created,
            updated,
            unchanged,
            cancelled,
            pruned,
            duplicates,
            merged,
            ignored,
        } = *counts;
        let findings =
            |all: &[SourceFinding]| all.iter().map(SourceFindingRecord::new).collect::<Vec<_>>();
        Self {
            read,
            created,
            updated,
            unchanged,
            cancelled,
            pruned,
            duplicates,
            merged,
            ignored,
            refused: findings(refused),
            warnings: findings(warnings),
        }
    }
}

impl SourceFindingRecord {
    fn new(finding: &SourceFinding) -> Self {
        let SourceFinding {
            line,
            uid,
            property,
            code,
        } = finding.clone();
        Self {
            line,
            uid,
            property,
            code,
        }
    }
}
