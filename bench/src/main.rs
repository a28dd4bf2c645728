//! Measures the program events-calendar from outside: processor time for each request beside that of
//! a server that answers constant bytes, memory, time to start. `docs/PERFORMANCE.md` says how to use
//! it and what it found.

mod bare;
mod client;
mod data;
mod facts;
mod load;
mod process;
mod report;
mod rows;

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::time::Timestamp;

use crate::{
    data::{Program, Store},
    report::Row,
    rows::{Bench, creates, growth, hot, life, slow, stale, texts},
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures the program events-calendar
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure, and print a table
    Run(RunArgs),
    /// Answer constant bytes
    #[command(hide = true)]
    Bare { folder: PathBuf },
}

#[derive(Args)]
struct RunArgs {
    /// Sizes of calendars
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    sizes: Vec<usize>,
    /// Databases; PostgreSQL needs `.ci/postgres run` before the command
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = [StoreArg::Sqlite])]
    stores: Vec<StoreArg>,
    /// Events of the greatest calendar on PostgreSQL, where it is made anew each time; rows that need a
    /// greater one are left out there
    #[arg(long)]
    postgres_events: Option<usize>,
    /// Which rows
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = Part::ALL)]
    parts: Vec<Part>,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Of one measurement
    #[arg(long, default_value_t = 2000)]
    milliseconds: u64,
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// A small run, to see that everything works
    #[arg(long)]
    quick: bool,
    /// The program to measure [default: built now]
    #[arg(long)]
    server: Option<PathBuf>,
    /// Where calendars are kept; they take 7 kB an event
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
    /// A file to put the table into, between its marks
    #[arg(long)]
    write: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StoreArg {
    Sqlite,
    Postgres,
}

/// Rows that are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// At full load
    Hot,
    /// First requests at the greatest size
    Slow,
    /// Creations
    Creates,
    /// From the least to the greatest size
    Growth,
    /// Start and memory
    Start,
    /// A file taken in
    Import,
    /// Answers after writes
    Stale,
    /// Texts that cost much
    Texts,
}

impl Part {
    const ALL: [Self; 8] = [
        Self::Hot,
        Self::Slow,
        Self::Creates,
        Self::Growth,
        Self::Start,
        Self::Import,
        Self::Stale,
        Self::Texts,
    ];
}

impl std::fmt::Display for StoreArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Self::Sqlite {
            "sqlite"
        } else {
            "postgres"
        })
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.to_possible_value();
        f.write_str(
            value
                .as_ref()
                .map_or("", clap::builder::PossibleValue::get_name),
        )
    }
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        // As the program itself is run.
        Task::Bare { folder } => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?
            .block_on(bare::serve(&folder)),
        // One thread: whoever asks shall cost little beside who answers.
        Task::Run(arguments) => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(run(arguments)),
    }
}

async fn run(arguments: RunArgs) -> anyhow::Result<()> {
    let server = match arguments.server {
        Some(server) => server.canonicalize()?,
        None => build()?,
    };
    let mut sizes = if arguments.quick {
        vec![1000, 2000]
    } else {
        arguments.sizes
    };
    sizes.sort_unstable();
    if sizes.is_empty() {
        bail!("no sizes");
    }
    let rounds = if arguments.quick {
        2
    } else {
        arguments.rounds.max(1)
    };
    let milliseconds = if arguments.quick {
        300
    } else {
        arguments.milliseconds
    };
    let stores = arguments.stores.iter().map(|store| match store {
        StoreArg::Sqlite => Store::Sqlite,
        StoreArg::Postgres => Store::Postgres,
    });
    let bench = Bench {
        program: Program::new(server, &arguments.folder, now())?,
        rounds,
        time: Duration::from_millis(milliseconds),
        clients: arguments.clients,
        sizes,
        stores: stores.collect(),
        postgres_events: arguments.postgres_events.unwrap_or(usize::MAX),
    };
    let mut rows = Vec::new();
    for part in &arguments.parts {
        eprintln!("measuring: {part}");
        let measured = measure(&bench, *part)
            .await
            .with_context(|| part.to_string())?;
        rows.extend(measured);
        eprintln!("{}", report::table(&rows, &[]));
    }
    let table = report::table(&rows, &about(&bench)?);
    println!("{table}");
    if let Some(file) = arguments.write {
        report::write(&file, &table)?;
    }
    Ok(())
}

async fn measure(bench: &Bench, part: Part) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    match part {
        Part::Hot => rows = hot::run(bench, now()).await?,
        Part::Slow => {
            for store in &bench.stores {
                let is_left_out =
                    *store == Store::Postgres && bench.size(slow::EVENTS) > bench.postgres_events;
                if !is_left_out {
                    rows.extend(slow::run(bench, *store).await?);
                }
            }
        }
        Part::Creates => rows.push(creates::run(bench).await?),
        Part::Growth => rows = growth::run(bench).await?,
        Part::Start => rows = life::start(bench).await?,
        Part::Import => rows.push(life::import(
            bench,
            Path::new("docs/data/conferences.jsonl"),
        )?),
        Part::Texts => rows.push(texts::run(bench).await?),
        Part::Stale => {
            for store in &bench.stores {
                rows.push(stale::run(bench, *store).await?);
            }
        }
    }
    Ok(rows)
}

/// How it was measured.
fn about(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let size = std::fs::metadata(&bench.program.path)?.len() >> 10;
    let stores = bench.stores.iter().map(|store| match store {
        Store::Postgres if bench.postgres_events < usize::MAX => {
            format!("{} up to {} events", store.name(), bench.postgres_events)
        }
        _ => store.name().to_owned(),
    });
    Ok(vec![
        format!(
            "{} rounds of {} ms, {} clients that keep their connections, databases: {}",
            bench.rounds,
            bench.time.as_millis(),
            bench.clients,
            stores.collect::<Vec<_>>().join(", ")
        ),
        format!("The program has {size} KiB"),
    ])
}

/// Builds the program to measure.
fn build() -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let built = command
        .args(["build", "--profile", "dist", "-p", "server"])
        .status()?;
    if !built.success() {
        bail!("the program cannot be built");
    }
    let own = std::env::current_exe()?;
    let target = own
        .parent()
        .and_then(Path::parent)
        .context("no target folder")?;
    Ok(target.join("dist").join("events-calendar"))
}

fn now() -> Timestamp {
    #[expect(
        clippy::disallowed_methods,
        reason = "nothing here is tested by a clock"
    )]
    let now = std::time::SystemTime::now();
    let passed = now.duration_since(std::time::UNIX_EPOCH);
    let seconds = passed.map_or(0, |passed| passed.as_secs());
    let seconds = i64::try_from(seconds).ok();
    seconds
        .and_then(Timestamp::from_seconds)
        .unwrap_or(Timestamp::MAX)
}
