//! The report of a run as the text of a column.

use domain::source::{SourceFinding, SourceReport};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct ReportText {
    read: u64,
    created: u64,
    updated: u64,
    unchanged: u64,
    cancelled: u64,
    pruned: u64,
    #[serde(default)]
    duplicates: u64,
    #[serde(default)]
    merged: u64,
    ignored: u64,
    refused: Vec<FindingText>,
    warnings: Vec<FindingText>,
}

#[derive(Serialize, Deserialize)]
struct FindingText {
    line: u64,
    uid: String,
    property: String,
    code: String,
}

impl FindingText {
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

    fn into_finding(self) -> SourceFinding {
        let Self {
            line,
            uid,
            property,
            code,
        } = self;
        SourceFinding {
            line,
            uid,
            property,
            code,
        }
    }
}

pub(super) fn write(report: &SourceReport) -> String {
    let SourceReport {
        read,
        created,
        updated,
        unchanged,
        cancelled,
        pruned,
        duplicates,
        merged,
        ignored,
        refused,
        warnings,
    } = report;
    let texts = |all: &[SourceFinding]| all.iter().map(FindingText::new).collect();
    let text = ReportText {
        read: *read,
        created: *created,
        updated: *updated,
        unchanged: *unchanged,
        cancelled: *cancelled,
        pruned: *pruned,
        duplicates: *duplicates,
        merged: *merged,
        ignored: *ignored,
        refused: texts(refused),
        warnings: texts(warnings),
    };
    serde_json::json!(text).to_string()
}

pub(super) fn read(text: &str) -> Result<SourceReport, serde_json::Error> {
    let ReportText {
        read,
        created,
        updated,
        unchanged,
        cancelled,
        pruned,
        duplicates,
        merged,
        ignored,
        refused,
        warnings,
    } = serde_json::from_str(text)?;
    let findings = |all: Vec<FindingText>| all.into_iter().map(FindingText::into_finding);
    Ok(SourceReport {
        read,
        created,
        updated,
        unchanged,
        cancelled,
        pruned,
        duplicates,
        merged,
        ignored,
        refused: findings(refused).collect(),
        warnings: findings(warnings).collect(),
    })
}
