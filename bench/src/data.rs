//! Calendars of different sizes, seeded once and copied for rows that write.

use std::{
    cell::RefCell,
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use anyhow::{Context, ensure};
use domain::time::Timestamp;

use crate::{
    client::HOST,
    process::{self, Server},
    rows::ablation::Mechanism,
};

/// The list of migrations; their number is the version of the schema.
const MIGRATIONS: &str = include_str!("../../migration/src/lib.rs");

/// A database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The program, and the folder of its calendars.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) folder: PathBuf,
    /// Version, schema and day, which a reused calendar must have.
    mark: String,
    /// Names of the calendars on PostgreSQL, which are seeded once a run.
    on_server: RefCell<HashSet<String>>,
}

/// A calendar.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    pub(crate) store: Store,
    pub(crate) events: usize,
    url: String,
    folder: PathBuf,
}

/// The caches of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caches {
    Default,
    Off,
}

impl Program {
    /// The program at `path`, with calendars in `folder`.
    pub(crate) fn new(path: PathBuf, folder: &Path, now: Timestamp) -> anyhow::Result<Self> {
        let output = Command::new(&path).arg("--version").output();
        let output = output.with_context(|| format!("cannot run {}", path.display()))?;
        let version = String::from_utf8_lossy(&output.stdout);
        let schema = MIGRATIONS.matches("::Migration)").count();
        let now = now.to_string();
        let day = now.split(' ').next().unwrap_or_default();
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.canonicalize()?,
            mark: format!("{}, {schema} migrations, {day}\n", version.trim()),
            on_server: RefCell::default(),
            path,
        })
    }

    /// An empty calendar in a new SQLite file.
    pub(crate) fn empty(&self, name: &str) -> anyhow::Result<Calendar> {
        let folder = self.folder.join(name);
        renew(&folder)?;
        Ok(Calendar::in_file(folder, 0))
    }

    /// A calendar with this number of events, for rows that only read.
    pub(crate) fn seeded(&self, store: Store, events: usize) -> anyhow::Result<Calendar> {
        self.filled(
            store,
            events,
            events.to_string(),
            &["--events", &events.to_string()],
        )
    }

    /// A calendar with this number of series and few events, for rows that only read.
    pub(crate) fn seeded_series(&self, store: Store, series: usize) -> anyhow::Result<Calendar> {
        let sizes = ["--events", "1000", "--series", &series.to_string()];
        self.filled(store, 1000, format!("series_{series}"), &sizes)
    }

    /// A calendar with this number of events over this number of years, for rows that only read.
    pub(crate) fn seeded_over(&self, events: usize, years: usize) -> anyhow::Result<Calendar> {
        let sizes = [
            "--events",
            &events.to_string(),
            "--years",
            &years.to_string(),
        ];
        let name = format!("{events}-years-{years}");
        self.filled(Store::Sqlite, events, name, &sizes)
    }

    fn filled(
        &self,
        store: Store,
        events: usize,
        name: String,
        sizes: &[&str],
    ) -> anyhow::Result<Calendar> {
        let folder = self.folder.join(format!("{}-{name}", store.name()));
        let calendar = match store {
            Store::Sqlite => Calendar::in_file(folder, events),
            Store::Postgres => Calendar::on_server(folder, events, &format!("bench_{name}"))?,
        };
        let done = calendar.folder.join("seeded");
        let exists = match store {
            // The file may be of another day or version.
            Store::Sqlite => fs::read_to_string(&done).is_ok_and(|mark| mark == self.mark),
            Store::Postgres => self.on_server.borrow().contains(&name),
        };
        if exists {
            return Ok(calendar);
        }
        renew(&calendar.folder)?;
        if store == Store::Postgres {
            calendar.create_database("")?;
        }
        eprintln!("seeding {}, {}", sizes.join(" "), store.name());
        calendar.run(self, &[&["seed"], sizes].concat())?;
        match store {
            Store::Sqlite => fs::write(done, &self.mark)?,
            Store::Postgres => {
                // Otherwise autovacuum would run during a measurement.
                psql(&calendar.url, "VACUUM ANALYZE")?;
                self.on_server.borrow_mut().insert(name);
            }
        }
        Ok(calendar)
    }

    /// A copy of a seeded calendar, for rows that write.
    pub(crate) fn copy(&self, store: Store, events: usize, name: &str) -> anyhow::Result<Calendar> {
        let original = self.seeded(store, events)?;
        let folder = self.folder.join(name);
        renew(&folder)?;
        if store == Store::Postgres {
            let copy = Calendar::on_server(folder, events, &format!("bench_{name}"))?;
            copy.create_database(&format!("TEMPLATE {}", original.database_name()))?;
            return Ok(copy);
        }
        let from = original.folder.join(".");
        let copied = Command::new("cp")
            .arg("-a")
            .arg(from)
            .arg(&folder)
            .status()?;
        ensure!(
            copied.success(),
            "cannot copy {}",
            original.folder.display()
        );
        Ok(Calendar::in_file(folder, events))
    }

    /// Starts a server for a calendar.
    pub(crate) fn serve(&self, calendar: &Calendar, caches: Caches) -> anyhow::Result<Server> {
        self.serve_without(calendar, caches, None)
    }

    /// Starts a server for a calendar that leaves a mechanism out.
    pub(crate) fn serve_without(
        &self,
        calendar: &Calendar,
        caches: Caches,
        without: Option<Mechanism>,
    ) -> anyhow::Result<Server> {
        let mut command = calendar.command(self);
        command.args(["serve", "--listen", "127.0.0.1:0", "--public-url"]);
        command.arg(format!("http://{HOST}"));
        // A variable, not a flag: programs of an earlier version do not know it.
        command.env("EVENTS_CALENDAR_FEED_MAX", "200000");
        if let Some(mechanism) = without {
            command.env("EVENTS_CALENDAR_ABLATION", mechanism.name());
        }
        if caches == Caches::Off {
            command.args(["--cache-mib", "0"]);
        }
        Server::start(&mut command, calendar.database()?)
    }
}

impl Calendar {
    fn in_file(folder: PathBuf, events: usize) -> Self {
        Self {
            store: Store::Sqlite,
            events,
            url: format!("sqlite://{}", folder.join("calendar.db").display()),
            folder,
        }
    }

    fn on_server(folder: PathBuf, events: usize, name: &str) -> anyhow::Result<Self> {
        let server = postgres_url()?;
        let base = server.rsplit_once('/').context("no name in the URL")?.0;
        Ok(Self {
            store: Store::Postgres,
            events,
            url: format!("{base}/{name}"),
            folder,
        })
    }

    fn database_name(&self) -> &str {
        self.url.rsplit('/').next().unwrap_or_default()
    }

    /// Creates its database on the server.
    fn create_database(&self, how: &str) -> anyhow::Result<()> {
        let (server, name) = (postgres_url()?, self.database_name());
        psql(&server, &format!("DROP DATABASE IF EXISTS {name}"))?;
        psql(&server, &format!("CREATE DATABASE {name} {how}"))
    }

    /// Reads the SQLite file into the page cache, so that rows measure the service and not the
    /// disk.
    pub(crate) fn warm(&self) -> anyhow::Result<()> {
        if let Some(file) = self.url.strip_prefix("sqlite://") {
            std::io::copy(&mut fs::File::open(file)?, &mut std::io::sink())?;
        }
        Ok(())
    }

    fn command(&self, program: &Program) -> Command {
        let mut command = Command::new(&program.path);
        command
            .current_dir(&self.folder)
            .env("EVENTS_CALENDAR_LOG", "error")
            .args(["--database-url", &self.url]);
        command
    }

    /// Runs a command of the program, and returns its output.
    pub(crate) fn run(&self, program: &Program, arguments: &[&str]) -> anyhow::Result<String> {
        let done = self.output(program, arguments)?;
        ensure!(
            done.status.success(),
            "{arguments:?} ended with {}",
            done.status
        );
        Ok(String::from_utf8(done.stdout)?)
    }

    /// Imports a file, of which some lines may be rejected. Returns the summary.
    pub(crate) fn import(&self, program: &Program, file: &Path) -> anyhow::Result<String> {
        let done = self.output(program, &["import", &file.to_string_lossy()])?;
        let said = String::from_utf8(done.stdout)?.trim().to_owned();
        ensure!(
            said.contains(" imported, "),
            "nothing was imported: {}",
            done.status
        );
        Ok(said)
    }

    fn output(&self, program: &Program, arguments: &[&str]) -> anyhow::Result<Output> {
        let mut command = self.command(program);
        Ok(command.args(arguments).stderr(Stdio::null()).output()?)
    }

    /// Creates a token of the administrator.
    pub(crate) fn token(&self, program: &Program) -> anyhow::Result<String> {
        let made = self.run(
            program,
            &["token", "create", "--user", "admin", "--name", "bench"],
        )?;
        let words = made.split_whitespace();
        let token = words.max_by_key(|word| word.len());
        Ok(token.context("no token")?.to_owned())
    }

    /// Size on disk, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files
            .filter_map(|file| Some(file.metadata().ok()?.len()))
            .sum()
    }

    fn database(&self) -> anyhow::Result<Option<u32>> {
        if self.store == Store::Sqlite {
            return Ok(None);
        }
        let url = postgres_url()?;
        let port = url
            .rsplit(':')
            .next()
            .and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or(5432);
        process::postmaster(port).map(Some)
    }
}

/// The URL of the PostgreSQL server on which databases may be created.
pub(crate) fn postgres_url() -> anyhow::Result<String> {
    let name = "EVENTS_CALENDAR_TEST_POSTGRES_URL";
    std::env::var(name).with_context(|| format!("{name} names no server: use `.ci/postgres run`"))
}

/// Runs a statement on a database of PostgreSQL.
fn psql(url: &str, sql: &str) -> anyhow::Result<()> {
    let mut command = Command::new("psql");
    let done = command.args(["-q", "-c", sql]).arg(url).status();
    ensure!(done.context("psql")?.success(), "psql: {sql}");
    Ok(())
}

/// Creates an empty folder.
fn renew(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    Ok(())
}
