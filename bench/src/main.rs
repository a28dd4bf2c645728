//! Benchmarks of the program events-calendar as a process: CPU time of a request, relative to a
//! server of constant bytes, memory and start-up time. `docs/PERFORMANCE.md` describes usage and
//! results.

mod bare;
mod client;
mod data;
mod facts;
mod load;
mod process;
mod report;
mod rows;
mod searches;

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, ensure};
use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::time::Timestamp;

use crate::{
    data::{Program, Store},
    report::Row,
    rows::{
        Bench,
        ablation::{self, Mechanism},
        changes, creates, feeds, flood, growth, hot, life, pages, search, series, slow, stale,
        texts,
    },
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Benchmarks of the program events-calendar
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure, and print a table
    Run(RunArgs),
    /// Serve constant bytes
    #[command(hide = true)]
    Bare { folder: PathBuf },
}

#[derive(Args)]
struct RunArgs {
    /// Sizes of calendars
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    sizes: Vec<usize>,
    /// Databases; PostgreSQL needs `.ci/postgres run` before the command
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = [Store::Sqlite])]
    stores: Vec<Store>,
    /// Events of the largest calendar on PostgreSQL, where calendars are seeded in each run; rows
    /// that need a larger one are left out
    #[arg(long)]
    postgres_events: Option<usize>,
    /// Groups of rows
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = Part::value_variants().to_vec())]
    parts: Vec<Part>,
    /// Mechanisms whose gain is measured, instead of the parts: the program with and without each
    /// of them, in turn
    #[arg(long, value_delimiter = ',', value_enum)]
    without: Vec<Mechanism>,
    /// Number of rounds
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Duration of one measurement
    #[arg(long, default_value_t = 2000)]
    milliseconds: u64,
    /// Number of connections
    #[arg(long, default_value_t = 8)]
    clients: usize,
    /// A small run, as a check that everything works
    #[arg(long)]
    quick: bool,
    /// The program to measure [default: built with the profile `dist`]
    #[arg(long)]
    server: Option<PathBuf>,
    /// Folder for calendars, which take 7 kB an event
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
    /// File whose table is replaced, between its marks
    #[arg(long)]
    write: Option<PathBuf>,
}

/// A group of rows that are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// At full load
    Hot,
    /// Calendar feeds
    Feeds,
    /// First requests at the greatest size
    Slow,
    /// Searches for common and rare words, without caches
    Search,
    /// A flood of searches, and lists meanwhile
    Flood,
    /// Creations
    Creates,
    /// Growth from the smallest to the largest size
    Growth,
    /// Months as pages for people
    Pages,
    /// Start and memory
    Start,
    /// Import of a file
    Import,
    /// Responses after writes
    Stale,
    /// Expensive texts
    Texts,
    /// Series and their occurrences
    Series,
    /// Polls and streams of changes
    Changes,
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        // The runtime is the same as in the program.
        Task::Bare { folder } => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?
            .block_on(bare::serve(&folder)),
        // One thread: the clients must take little CPU time from the server.
        Task::Run(arguments) => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(run(arguments)),
    }
}

async fn run(arguments: RunArgs) -> anyhow::Result<()> {
    let server = match arguments.server {
        Some(server) => server.canonicalize()?,
        None => build(!arguments.without.is_empty())?,
    };
    let (mut sizes, rounds, milliseconds) = if arguments.quick {
        (vec![1000, 2000], 2, 300)
    } else {
        let rounds = arguments.rounds.max(1);
        (arguments.sizes, rounds, arguments.milliseconds)
    };
    sizes.sort_unstable();
    ensure!(!sizes.is_empty(), "no sizes");
    let bench = Bench {
        program: Program::new(server, &arguments.folder, now())?,
        rounds,
        time: Duration::from_millis(milliseconds),
        clients: arguments.clients,
        sizes,
        stores: arguments.stores,
        postgres_events: arguments.postgres_events.unwrap_or(usize::MAX),
    };
    if !arguments.without.is_empty() {
        let table = ablation::run(&bench, &arguments.without, now()).await?;
        println!("{table}");
        return Ok(());
    }
    let mut rows = Vec::new();
    for part in &arguments.parts {
        eprintln!("measuring: {part:?}");
        let measured = measure(&bench, *part)
            .await
            .with_context(|| format!("{part:?}"))?;
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
        Part::Search => {
            for store in &bench.stores {
                rows.extend(search::run(bench, *store, now()).await?);
            }
        }
        Part::Flood => {
            for store in &bench.stores {
                rows.extend(flood::run(bench, *store, now()).await?);
            }
        }
        Part::Creates => {
            rows.push(creates::run(bench).await?);
            for store in &bench.stores {
                rows.extend(creates::full(bench, *store, now()).await?);
            }
        }
        Part::Growth => rows = growth::run(bench).await?,
        Part::Pages => rows = pages::run(bench, now()).await?,
        Part::Start => rows = life::start(bench).await?,
        Part::Import => {
            let file = Path::new("docs/data/conferences.jsonl");
            rows.push(life::import(bench, file).await?);
        }
        Part::Series => {
            for store in &bench.stores {
                rows.extend(series::writes(bench, *store).await?);
                rows.push(series::reads(bench, *store).await?);
                rows.extend(series::changes::run(bench, *store).await?);
                rows.extend(series::lists::run(bench, *store, now()).await?);
            }
        }
        Part::Feeds => rows = feeds::run(bench).await?,
        Part::Changes => {
            for store in &bench.stores {
                rows.extend(changes::run(bench, *store).await?);
            }
        }
        Part::Texts => rows.push(texts::run(bench).await?),
        Part::Stale => {
            for store in &bench.stores {
                rows.push(stale::run(bench, *store).await?);
            }
        }
    }
    Ok(rows)
}

/// Lines about the configuration.
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
            "{} rounds of {} ms, {} clients with persistent connections, databases: {}",
            bench.rounds,
            bench.time.as_millis(),
            bench.clients,
            stores.collect::<Vec<_>>().join(", ")
        ),
        format!("The program has {size} KiB"),
    ])
}

/// Builds the program to measure, which may leave mechanisms out.
fn build(has_ablation: bool) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let built = command
        .args(["build", "--profile", "dist", "-p", "server"])
        .args(has_ablation.then_some("--features=adapters-db/ablation"))
        .status()?;
    ensure!(built.success(), "cannot build the program");
    let own = std::env::current_exe()?;
    let target = own
        .parent()
        .and_then(Path::parent)
        .context("no target folder")?;
    Ok(target.join("dist").join("events-calendar"))
}

fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "no test needs another clock")]
    let now = std::time::SystemTime::now();
    let passed = now.duration_since(std::time::UNIX_EPOCH);
    let seconds = passed.map_or(0, |passed| passed.as_secs());
    let seconds = i64::try_from(seconds).ok();
    seconds
        .and_then(Timestamp::from_seconds)
        .unwrap_or(Timestamp::MAX)
}
