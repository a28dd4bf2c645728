//! The report of an import, or of a run of a source.

use domain::{Language, source::SourceReport};
use interchange::{Finding, FindingCode, import::ImportReport};

use super::findings;
use crate::words::Word;

/// The most findings that a report shows.
const MAX_FINDINGS: usize = 1000;

/// A report.
#[derive(Debug)]
pub(crate) struct Report {
    /// Words and number.
    pub(crate) counts: Vec<(&'static str, u64)>,
    refused: Vec<Row>,
    warnings: Vec<Row>,
    /// Findings beyond those shown.
    pub(crate) more: usize,
}

/// A finding.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) line: u64,
    pub(crate) uid: String,
    pub(crate) property: String,
    pub(crate) text: &'static str,
}

impl Report {
    /// The report of an import.
    pub(crate) fn of_import(report: &ImportReport, language: Language) -> Self {
        let rows = |all: &[Finding]| {
            let shown = all.iter().take(MAX_FINDINGS);
            let rows = shown.map(|finding| Row {
                line: finding.line,
                uid: finding.uid.clone().unwrap_or_default(),
                property: finding.property.clone().unwrap_or_default(),
                text: findings::told(finding.code, language),
            });
            rows.collect()
        };
        let left_out = |all: &[Finding]| all.len().saturating_sub(MAX_FINDINGS);
        let counts = [
            report.read,
            report.created,
            report.updated,
            report.unchanged,
            report.cancelled,
            report.pruned,
            report.duplicates,
            report.merged,
            report.ignored,
        ];
        Self {
            counts: in_words(counts, report.refused.len(), language),
            refused: rows(&report.refused),
            warnings: rows(&report.warnings),
            more: left_out(&report.refused) + left_out(&report.warnings),
        }
    }

    /// The report of a run, which has the first findings alone.
    pub(crate) fn of_source(report: &SourceReport, language: Language) -> Self {
        let rows = |all: &[domain::source::SourceFinding]| {
            let rows = all.iter().filter_map(|finding| {
                let code: FindingCode = finding.code.parse().ok()?;
                Some(Row {
                    line: finding.line,
                    uid: finding.uid.clone(),
                    property: finding.property.clone(),
                    text: findings::told(code, language),
                })
            });
            rows.collect()
        };
        let counts = [
            report.read,
            report.created,
            report.updated,
            report.unchanged,
            report.cancelled,
            report.pruned,
            report.duplicates,
            report.merged,
            report.ignored,
        ];
        Self {
            counts: in_words(counts, report.refused.len(), language),
            refused: rows(&report.refused),
            warnings: rows(&report.warnings),
            more: 0,
        }
    }

    /// The tables of findings: the ID of the heading, its words, and the rows.
    pub(crate) fn findings(&self) -> [(&'static str, Word, &[Row]); 2] {
        [
            ("refused-title", Word::COUNT_REFUSED, &self.refused),
            ("warnings-title", Word::WARNINGS, &self.warnings),
        ]
    }
}

fn in_words(counts: [u64; 9], refused: usize, language: Language) -> Vec<(&'static str, u64)> {
    let refused = u64::try_from(refused).unwrap_or(u64::MAX);
    let words = [
        Word::COUNT_READ,
        Word::COUNT_CREATED,
        Word::COUNT_UPDATED,
        Word::COUNT_UNCHANGED,
        Word::COUNT_CANCELLED,
        Word::COUNT_PRUNED,
        Word::COUNT_DUPLICATES,
        Word::COUNT_MERGED,
        Word::COUNT_IGNORED,
        Word::COUNT_REFUSED,
    ];
    let words = words.into_iter().map(|word| word.text(language));
    words.zip(counts.into_iter().chain([refused])).collect()
}
