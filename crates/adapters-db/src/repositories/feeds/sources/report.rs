//! The report of a run as the text of a column.

use std::collections::BTreeMap;

use domain::source::{ReportCounts, SourceFinding, SourceReport};
use serde::{Deserialize, Serialize, de::Error as _};

#[derive(Serialize, Deserialize)]
struct ReportText {
    #[serde(flatten)]
    counts: BTreeMap<String, u64>,
    refused: Vec<FindingText>,
    warnings: Vec<FindingText>,
}

/// Counts that reports of former versions do not have.
const LATER: [&str; 2] = ["duplicates", "merged"];

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
        counts,
        refused,
        warnings,
    } = report;
    let texts = |all: &[SourceFinding]| all.iter().map(FindingText::new).collect();
    let counts = counts.named().into_iter();
    let text = ReportText {
        counts: counts
            .map(|(name, number)| (name.to_owned(), number))
            .collect(),
        refused: texts(refused),
        warnings: texts(warnings),
    };
    serde_json::json!(text).to_string()
}

pub(super) fn read(text: &str) -> Result<SourceReport, serde_json::Error> {
    let ReportText {
        counts,
        refused,
        warnings,
    } = serde_json::from_str(text)?;
    let counts = ReportCounts::from_named(|name| match counts.get(name) {
        Some(number) => Ok(*number),
        None if LATER.contains(&name) => Ok(0),
        None => Err(serde_json::Error::custom(format!("there is no {name}"))),
    })?;
    let findings = |all: Vec<FindingText>| all.into_iter().map(FindingText::into_finding);
    Ok(SourceReport {
        counts,
        refused: findings(refused).collect(),
        warnings: findings(warnings).collect(),
    })
}
