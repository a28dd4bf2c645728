//! `import`: take in events from a file with one of them in each line.

mod batch_size;
mod lines;
mod progress;

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use app::{
    Calendar,
    auth::Accounts,
    import::{Outcome, Row},
};
use domain::{
    Kind, Role, Stored, User,
    policy::{Caller, Capability},
};

use self::{batch_size::BatchSize, lines::Rows, progress::Progress};
use crate::{output, settings::Settings, wiring};

/// Bytes of a batch, after which it is large enough however few its rows are.
const BATCH_BYTES: u64 = 1 << 20;

/// How long an SQLite file is left to others now and then. They look every 25 milliseconds when they have
/// waited for as long as a batch takes, and less and less often later.
const PAUSE: Duration = Duration::from_millis(25);

/// After so much work it is.
const WORK: Duration = Duration::from_millis(200);

type FileRows = Rows<Box<dyn BufRead>>;

/// Takes in the rows of a file, or of standard input for `-`.
///
/// # Errors
///
/// If the file cannot be read, if the user may not create events, or if the database fails. Rows of
/// earlier batches stay.
pub(crate) async fn run(
    settings: &Settings,
    file: &Path,
    user: Option<&str>,
) -> anyhow::Result<ExitCode> {
    // Opened first: a mistyped name must not leave a database behind.
    let (mut rows, bytes) = open(file)?;
    let tally = wiring::with_store(settings, async |store| {
        let caller = caller(&wiring::accounts(store), user).await?;
        let public_url = settings.public_url(settings.listen.port());
        let calendar = wiring::calendar(store, settings, &public_url).await?;

        let mut progress = Progress::start(bytes);
        let mut tally = Tally::default();
        let import = Import {
            calendar,
            caller,
            pause: if settings.database.is_file() {
                PAUSE
            } else {
                Duration::ZERO
            },
        };
        let taken = import.take(&mut rows, &mut progress, &mut tally).await;
        progress.end();
        taken.with_context(|| format!("{}: stopped after {}", file.display(), tally.summary()))?;
        Ok(tally)
    });
    let tally = tally.await?;
    output::print_list(&format!("{}\n", tally.summary())).context("standard output")?;
    Ok(if tally.refused == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The rows of a file, and its length in bytes if it has one.
fn open(file: &Path) -> anyhow::Result<(FileRows, Option<u64>)> {
    if file == Path::new("-") {
        return Ok((Rows::new(Box::new(BufReader::new(io::stdin()))), None));
    }
    let context = || format!("cannot read {}", file.display());
    let opened = File::open(file).with_context(context)?;
    let metadata = opened.metadata().with_context(context)?;
    if metadata.is_dir() {
        bail!("cannot read {}: it is a folder", file.display());
    }
    let bytes = metadata.is_file().then_some(metadata.len());
    Ok((Rows::new(Box::new(BufReader::new(opened))), bytes))
}

/// Whose events they become.
async fn caller(accounts: &Accounts, name: Option<&str>) -> anyhow::Result<Caller> {
    let user = match name {
        Some(name) => accounts.user(name).await?,
        None => first_administrator(accounts.users().await?).context(
            "there is no administrator whose events they could be: start `events-calendar serve` \
             once, or `events-calendar user add NAME --role administrator`",
        )?,
    };
    if user.disabled {
        bail!("the user `{}` is disabled", user.name);
    }
    let caller = Caller::User {
        id: user.id,
        role: user.role,
    };
    if !caller.can(Capability::Write(Kind::Event)) {
        bail!(
            "the user `{}` may not create events: the role is {}",
            user.name,
            user.role
        );
    }
    Ok(caller)
}

fn first_administrator(users: Vec<Stored<User>>) -> Option<Stored<User>> {
    users
        .into_iter()
        .filter(|user| user.role == Role::Administrator && !user.disabled)
        .min_by_key(|user| user.id)
}

/// Takes in rows as events of a user.
struct Import {
    calendar: Calendar,
    caller: Caller,
    /// After some work.
    pause: Duration,
}

impl Import {
    /// Takes in all rows, and counts and shows what becomes of them.
    async fn take(
        &self,
        rows: &mut FileRows,
        progress: &mut Progress,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        let mut size = BatchSize::default();
        let mut worked = Duration::ZERO;
        loop {
            let batch = next_batch(rows, size.rows()).context("cannot read on")?;
            if batch.is_empty() {
                return Ok(());
            }
            let begun = Instant::now();
            let outcomes = self.calendar.import(self.caller, &batch).await?;
            let took = begun.elapsed();
            size.adapt(batch.len(), took);
            worked += took;
            for (row, outcome) in batch.iter().zip(outcomes) {
                if let Some(remark) = tally.count(row.line, outcome) {
                    progress.remark(&remark);
                }
            }
            progress.at(rows.bytes());
            if worked >= WORK {
                tokio::time::sleep(self.pause).await;
                worked = Duration::ZERO;
            }
        }
    }
}

fn next_batch(rows: &mut FileRows, most: usize) -> io::Result<Vec<Row>> {
    let end = rows.bytes() + BATCH_BYTES;
    let mut batch = Vec::with_capacity(most);
    while batch.len() < most && rows.bytes() < end {
        match rows.next() {
            Some(row) => batch.push(row?),
            None => break,
        }
    }
    Ok(batch)
}

/// What became of the rows so far.
#[derive(Debug, Default)]
struct Tally {
    taken: u64,
    known: u64,
    refused: u64,
}

impl Tally {
    /// Counts a row; tells what is wrong with it, if something is.
    fn count(&mut self, line: u64, outcome: Outcome) -> Option<String> {
        match outcome {
            Outcome::Imported(_) => self.taken += 1,
            Outcome::ImportedInPart(_, unknown) => {
                self.taken += 1;
                return Some(remark(line, &unknown));
            }
            Outcome::AlreadyImported => self.known += 1,
            Outcome::Rejected(faults) => {
                self.refused += 1;
                return Some(remark(line, &faults));
            }
        }
        None
    }

    fn summary(&self) -> String {
        let Self {
            taken,
            known,
            refused,
        } = self;
        format!(
            "{} imported, {} already present, {} rejected",
            output::number(*taken),
            output::number(*known),
            output::number(*refused)
        )
    }
}

/// The faults of a row, in one line: `line 1039: website: must be …`.
fn remark(line: u64, faults: &[(String, String)]) -> String {
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
