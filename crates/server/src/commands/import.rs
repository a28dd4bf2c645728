//! `import`: imports events from a file.

mod batch_size;
mod lines;
pub(crate) mod tec;
mod whole_file;

use interchange::import::{self, Outcome, Row};
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use app::{Calendar, auth::Accounts};
use domain::{
    Kind, Role, Stored, User,
    policy::{Caller, Capability},
};
use indicatif::{HumanCount, ProgressBar};

use self::{batch_size::BatchSize, lines::Rows};
use super::restore;
use crate::{
    cli::{ImportArgs, ImportFormat},
    output,
    settings::Settings,
    wiring,
};

/// Size of a batch, in bytes, at which it ends before its maximum number of rows.
const BATCH_BYTES: u64 = 1 << 20;

/// Pause in which other processes may write to an SQLite file. Processes that wait for the lock
/// retry every 25 ms at first, and less often later.
const PAUSE: Duration = Duration::from_millis(25);

/// Working time between pauses.
const PAUSE_INTERVAL: Duration = Duration::from_millis(200);

type FileRows = Rows<Box<dyn BufRead>>;

/// The result of an import.
pub(crate) struct Imported {
    /// The numbers of records.
    pub(crate) text: String,
    /// Whether a record was rejected.
    pub(crate) rejected: bool,
}

/// Imports a file, or standard input for `-`, and shows the faults; or restores an archive.
///
/// # Errors
///
/// If the file cannot be read, if the user may not create events, or if the database fails.
/// Committed batches stay.
pub(crate) async fn run(settings: &Settings, import: &ImportArgs) -> anyhow::Result<Imported> {
    match import.file()? {
        (ImportFormat::Ics, file) => {
            if import.kind.is_some() || import.date_order.is_some() {
                bail!("--kind and --date-order are for tables alone");
            }
            whole_file::run(settings, file, import, false).await
        }
        (ImportFormat::Csv, file) => {
            if import.prune && import.kind.is_some_and(|kind| kind != Kind::Event) {
                bail!("--prune is for events alone");
            }
            whole_file::run(settings, file, import, true).await
        }
        (ImportFormat::Jsonl, file) => {
            let is_plain = import.source.is_none() && import.policy.is_none();
            let is_plain = is_plain && import.kind.is_none() && import.date_order.is_none();
            if !is_plain || import.prune || import.dry_run {
                bail!(
                    "--source, --policy, --prune, --dry-run, --kind and --date-order are for calendar files and tables"
                );
            }
            let (user, images) = (import.user.as_deref(), import.images.as_deref());
            import_rows(settings, Path::new(file), user, images).await
        }
    }
}

/// Imports the rows of a file; or restores an archive, whose files of images are in the folder `images`.
async fn import_rows(
    settings: &Settings,
    file: &Path,
    user: Option<&str>,
    images: Option<&Path>,
) -> anyhow::Result<Imported> {
    // The file is opened first: a mistyped name must not create a database.
    let (mut source, bytes) = open(file)?;
    if restore::is_archive(&mut source).context("cannot read further")? {
        let progress = output::progress_bar(bytes);
        let text = restore::run(settings, file, source, images, progress).await?;
        let rejected = false;
        return Ok(Imported { text, rejected });
    }
    let mut rows = Rows::new(source);
    let done = wiring::with_migrated_store(settings, async |store| {
        let caller = caller(&wiring::accounts(store), user).await?;
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let progress = output::progress_bar(bytes);
        let pause = pause(settings);
        let mut summary = Summary::default();
        let done = import(&calendar, caller, &mut rows, pause, &progress, &mut summary).await;
        progress.finish_and_clear();
        done.with_context(|| format!("{}: stopped after {}", file.display(), summary.text()))?;
        Ok(Imported {
            text: summary.text(),
            rejected: summary.rejected > 0,
        })
    });
    done.await
}

/// The pause in which other processes may write.
fn pause(settings: &Settings) -> Duration {
    if settings.database.is_file() {
        PAUSE
    } else {
        Duration::ZERO
    }
}

/// Opens a file. Returns its length in bytes if it has one.
fn open(file: &Path) -> anyhow::Result<(Box<dyn BufRead>, Option<u64>)> {
    if file == Path::new("-") {
        return Ok((Box::new(BufReader::new(io::stdin())), None));
    }
    let context = || format!("cannot read {}", file.display());
    let opened = File::open(file).with_context(context)?;
    let metadata = opened.metadata().with_context(context)?;
    if metadata.is_dir() {
        bail!("cannot read {}: it is a folder", file.display());
    }
    let bytes = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(BufReader::new(opened)), bytes))
}

/// The author of the events.
async fn caller(accounts: &Accounts, name: Option<&str>) -> anyhow::Result<Caller> {
    let user = match name {
        Some(name) => accounts.user(name).await?,
        None => first_administrator(accounts.users().await?).context(
            "there is no administrator as their author: start `events-calendar serve` \
             once, or `events-calendar user add NAME --role administrator`",
        )?,
    };
    if user.disabled {
        bail!("the user `{}` is disabled", user.name);
    }
    let caller = Caller::of(user.id, user.role);
    if !caller.can(Capability::Write(Kind::Event)) {
        bail!(
            "the user `{}` may not create events: the role is {}",
            user.name,
            user.role
        );
    }
    Ok(caller)
}

/// The first administrator, in whose name the command line acts.
pub(super) async fn administrator(accounts: &Accounts) -> anyhow::Result<Caller> {
    let first = first_administrator(accounts.users().await?);
    let user = first.context(
        "there is no administrator: `events-calendar user add NAME --role administrator`",
    )?;
    Ok(Caller::of(user.id, user.role))
}

fn first_administrator(users: Vec<Stored<User>>) -> Option<Stored<User>> {
    users
        .into_iter()
        .filter(|user| user.role == Role::Administrator && !user.disabled)
        .min_by_key(|user| user.id)
}

/// Imports all rows as events of a user, counts the outcomes and shows faults. Sleeps for `pause`
/// after each [`PAUSE_INTERVAL`].
async fn import(
    calendar: &Calendar,
    caller: Caller,
    rows: &mut FileRows,
    pause: Duration,
    progress: &ProgressBar,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let mut size = BatchSize::default();
    let mut worked = Duration::ZERO;
    loop {
        let batch = next_batch(rows, size.rows()).context("cannot read further")?;
        if batch.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let outcomes = import::import_rows(calendar, caller, &batch).await?;
        let took = begun.elapsed();
        size.adapt(batch.len(), took);
        worked += took;
        for (row, outcome) in batch.iter().zip(outcomes) {
            if let Some(faults) = summary.count(row.line, outcome) {
                progress.suspend(|| output::notice(&faults));
            }
        }
        progress.set_position(rows.bytes());
        if worked >= PAUSE_INTERVAL {
            tokio::time::sleep(pause).await;
            worked = Duration::ZERO;
        }
    }
}

fn next_batch(rows: &mut FileRows, max: usize) -> io::Result<Vec<Row>> {
    let end = rows.bytes() + BATCH_BYTES;
    let mut batch = Vec::with_capacity(max);
    while batch.len() < max && rows.bytes() < end {
        match rows.next() {
            Some(row) => batch.push(row?),
            None => break,
        }
    }
    Ok(batch)
}

/// Numbers of rows by outcome.
#[derive(Debug, Default)]
struct Summary {
    imported: u64,
    present: u64,
    rejected: u64,
}

impl Summary {
    /// Counts a row. Returns its faults in one line, if there are any.
    fn count(&mut self, line: u64, outcome: Outcome) -> Option<String> {
        match outcome {
            Outcome::Imported(_) => self.imported += 1,
            Outcome::ImportedInPart(_, unknown) => {
                self.imported += 1;
                return Some(fault_line(line, &unknown));
            }
            Outcome::AlreadyImported => self.present += 1,
            Outcome::Rejected(faults) => {
                self.rejected += 1;
                return Some(fault_line(line, &faults));
            }
        }
        None
    }

    /// The numbers as text: `6,006 imported, 0 already present, 2 rejected`.
    fn text(&self) -> String {
        let [imported, present, rejected] =
            [self.imported, self.present, self.rejected].map(HumanCount);
        format!("{imported} imported, {present} already present, {rejected} rejected")
    }
}

/// The faults of a row, in one line: `line 1039: website: must be …`.
fn fault_line(line: u64, faults: &[(String, String)]) -> String {
    let faults: Vec<String> = faults
        .iter()
        .map(|(field, fault)| match field.as_str() {
            "" => fault.clone(),
            field => format!("{field}: {fault}"),
        })
        .collect();
    output::printable(&format!("line {line}: {}", faults.join("; ")))
}

#[cfg(test)]
mod tests;
