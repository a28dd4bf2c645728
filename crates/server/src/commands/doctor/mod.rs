//! `doctor`: compares what is derived with what it is computed from, and mends it.

pub(crate) mod images;

use std::{collections::BTreeMap, fmt::Write as _};

use adapters_db::{Check, Difference, SeaOrmStore};
use anyhow::{Context, bail};
use app::{
    Calendar,
    ports::{Clock as _, StoreError, SystemClock},
};
use serde_json::json;

use crate::{cli::DoctorArgs, output::printable, settings::Settings, wiring};

/// The maximum number of attempts of a repair that meets other writers.
const TRIES: u32 = 8;

/// The maximum number of rounds of repairs: one may bring to light what another one mends.
const ROUNDS: u32 = 3;

/// The result of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The differences, each with whether it was mended.
    differences: Vec<(Difference, bool)>,
    repairs: bool,
}

impl Report {
    /// A report of differences of which none was mended.
    pub(crate) fn of(differences: Vec<Difference>) -> Self {
        Self {
            differences: differences.into_iter().map(|one| (one, false)).collect(),
            repairs: false,
        }
    }

    /// Whether nothing differs, or everything that differed was mended.
    pub(crate) fn is_sound(&self) -> bool {
        self.differences.iter().all(|(_, is_mended)| *is_mended)
    }

    /// The number of differences of each check.
    fn counts(&self) -> BTreeMap<Check, usize> {
        let mut counts = BTreeMap::new();
        for (difference, _) in &self.differences {
            *counts.entry(difference.check).or_default() += 1;
        }
        counts
    }

    /// A line for each difference, and one with their numbers.
    pub(crate) fn lines(&self) -> String {
        let mut text = String::new();
        for (difference, is_mended) in &self.differences {
            let Difference {
                check,
                record,
                found,
                expected,
                is_derived,
            } = difference;
            let state = match (is_mended, is_derived, self.repairs) {
                (true, ..) => "mended",
                (false, true, true) => "not mended",
                (false, true, false) => "--repair mends it",
                (false, false, _) => "only a person can mend it",
            };
            let line = format!("{check}: {record}: found {found}, expected {expected} ({state})");
            text.push_str(&printable(&line));
            text.push('\n');
        }
        let counts = self.counts().into_iter();
        let counts = counts.map(|(check, count)| format!("{check} {count}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let mended = self.differences.iter().filter(|(_, mended)| *mended);
        let _ = match self.differences.len() {
            0 => writeln!(text, "nothing differs"),
            found => writeln!(text, "{found} differ, {} mended: {counts}", mended.count()),
        };
        text
    }

    /// The same as one JSON object.
    fn object(&self) -> String {
        let differences = self.differences.iter().map(|(difference, mended)| {
            let Difference {
                check,
                record,
                found,
                expected,
                is_derived,
            } = difference;
            json!({
                "check": check.name(),
                "record": record,
                "found": found,
                "expected": expected,
                "derived": is_derived,
                "mended": mended,
            })
        });
        let differences: Vec<_> = differences.collect();
        let counts = self.counts().into_iter();
        let counts: BTreeMap<_, _> = counts.map(|(check, count)| (check.name(), count)).collect();
        format!(
            "{}\n",
            json!({ "differences": differences, "counts": counts })
        )
    }
}

/// Compares, and mends if the arguments say so. Returns a text, and whether nothing differs any more.
///
/// # Errors
///
/// If the database or the storage of files fails, or if the schema is not the one of this program.
pub(crate) async fn run(settings: &Settings, args: &DoctorArgs) -> anyhow::Result<(String, bool)> {
    wiring::require_database(settings)?;
    let done = wiring::with_store(settings, async |store| {
        require_schema(store).await?;
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await;
        report(settings, store, args.repair.then_some(calendar?)).await
    });
    let report = done.await?;
    let text = if args.json {
        report.object()
    } else {
        report.lines()
    };
    Ok((text, report.is_sound()))
}

/// Refuses a database with the schema of another version: it would be compared with other rules.
///
/// # Errors
///
/// If the schema is another one, or if the database fails.
pub(crate) async fn require_schema(store: &SeaOrmStore) -> anyhow::Result<()> {
    let is_current = store.is_current().await;
    if !is_current.context("cannot read the schema")? {
        bail!("the schema is not the one of this program: run `events-calendar migrate` first");
    }
    Ok(())
}

/// Compares the database and the files; repairs with a calendar.
///
/// # Errors
///
/// If the database or the storage of files fails.
pub(crate) async fn report(
    settings: &Settings,
    store: &SeaOrmStore,
    repairs: Option<Calendar>,
) -> anyhow::Result<Report> {
    let before = examine(settings, store).await?;
    let Some(calendar) = repairs else {
        return Ok(Report::of(before));
    };
    let mut left = before.clone();
    for _ in 0..ROUNDS {
        if !left.iter().any(|one| one.is_derived) {
            break;
        }
        for check in Check::OF_DATABASE {
            if left.iter().any(|one| one.check == check && one.is_derived) {
                repair(store, check).await?;
            }
        }
        let of_files = |one: &Difference| one.check == Check::Images && one.is_derived;
        if left.iter().any(of_files) {
            calendar.remove_lost_files().await?;
        }
        left = examine(settings, store).await?;
    }
    let new = left.iter().filter(|one| !before.contains(one)).cloned();
    let new: Vec<_> = new.map(|one| (one, false)).collect();
    let mut differences: Vec<_> = before
        .into_iter()
        .map(|one| {
            let is_mended = !left.contains(&one);
            (one, is_mended)
        })
        .collect();
    differences.extend(new);
    Ok(Report {
        differences,
        repairs: true,
    })
}

/// The differences of the database, then those of the files.
async fn examine(settings: &Settings, store: &SeaOrmStore) -> anyhow::Result<Vec<Difference>> {
    let examined = store.examine(SystemClock.now()).await?;
    let mut differences = examined.differences;
    let files = wiring::media(settings)?.files;
    differences.extend(images::compare(&*files, &examined.images).await?);
    Ok(differences)
}

async fn repair(store: &SeaOrmStore, check: Check) -> anyhow::Result<()> {
    let mut tries = 1;
    loop {
        match store.repair(check, SystemClock.now()).await {
            Err(StoreError::Conflict) if tries < TRIES => tries += 1,
            done => {
                done.with_context(|| format!("cannot mend {check}"))?;
                return Ok(());
            }
        }
    }
}
