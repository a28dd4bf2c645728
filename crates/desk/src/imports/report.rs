//! The report of an import, or of a run of a source.

use domain::{
    Language,
    source::{ReportCounts, SourceFinding, SourceReport},
};
use interchange::FindingCode;

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
    /// The report of an import, or of a run.
    pub(crate) fn new(report: &SourceReport, language: Language) -> Self {
        let rows = |all: &[SourceFinding]| {
            let rows = all.iter().take(MAX_FINDINGS).filter_map(|finding| {
                let code: FindingCode = finding.code.parse().ok()?;
                Some(Row {
                    line: finding.line,
                    uid: finding.uid.clone(),
                    property: finding.property.clone(),
                    text: findings::word(code).text(language),
                })
            });
            rows.collect()
        };
        let left_out = |all: &[SourceFinding]| all.len().saturating_sub(MAX_FINDINGS);
        Self {
            counts: in_words(&report.counts, report.refused.len(), language),
            refused: rows(&report.refused),
            warnings: rows(&report.warnings),
            more: left_out(&report.refused) + left_out(&report.warnings),
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

/// The numbers with their words, in the order of [`ReportCounts::named`].
fn in_words(counts: &ReportCounts, refused: usize, language: Language) -> Vec<(&'static str, u64)> {
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
    let counts = counts.named().map(|(_, number)| number);
    words.zip(counts.into_iter().chain([refused])).collect()
}
