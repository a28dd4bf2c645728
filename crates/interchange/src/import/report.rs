//! The report of an import of a file.

use domain::source::{ReportCounts, SourceFinding, SourceReport};

use crate::{Finding, FindingCode};

/// Most warnings of a report.
const MAX_WARNINGS: usize = 10_000;

/// The result of an import of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// The numbers.
    pub counts: ReportCounts,
    /// The records that were not taken, in the order of their lines.
    pub refused: Vec<Finding>,
    /// Guesses and faults that stop nothing, in the order of their lines.
    pub warnings: Vec<Finding>,
}

impl ImportReport {
    /// Adds a warning, unless there are too many.
    pub(super) fn warn(&mut self, finding: Finding) {
        match self.warnings.len() {
            0..MAX_WARNINGS => self.warnings.push(finding),
            MAX_WARNINGS => self.warnings.push(Finding {
                uid: None,
                property: None,
                code: FindingCode::MoreWarnings,
                ..finding
            }),
            _ => {}
        }
    }
}

impl From<ImportReport> for SourceReport {
    /// The report with all findings.
    fn from(report: ImportReport) -> Self {
        let ImportReport {
            counts,
            refused,
            warnings,
        } = report;
        let stored = |all: Vec<Finding>| all.into_iter().map(SourceFinding::from).collect();
        Self {
            counts,
            refused: stored(refused),
            warnings: stored(warnings),
        }
    }
}

impl From<Finding> for SourceFinding {
    fn from(finding: Finding) -> Self {
        let Finding {
            line,
            uid,
            property,
            code,
        } = finding;
        Self {
            line,
            uid: uid.unwrap_or_default(),
            property: property.unwrap_or_default(),
            code: code.name().to_owned(),
        }
    }
}
