//! Servers as processes: start, stop, CPU time and memory.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

/// Timeout of a stop.
const STOP_TIMEOUT: Duration = Duration::from_mins(10);

/// A running server, which is killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// The first process of a PostgreSQL server.
    database: Option<u32>,
}

/// Memory of a server, in MiB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Resident set size (RSS).
    pub(crate) resident: f64,
    /// The largest resident set size so far.
    pub(crate) peak: f64,
    /// Proportional set size (PSS).
    pub(crate) proportional: f64,
}

impl Server {
    /// Starts a server, and reads its address from a line that ends in `listening on ADDRESS:PORT`.
    pub(crate) fn start(command: &mut Command, database: Option<u32>) -> anyhow::Result<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().context("no output")?;
        let mut lines = BufReader::new(out).lines();
        while let Some(line) = lines.next().transpose()? {
            let last = line.rsplit(' ').next().unwrap_or_default();
            if let (true, Ok(address)) = (line.contains("listening on"), last.parse()) {
                // A thread drains the rest of the output, so that the server never blocks.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(Self {
                    child,
                    address,
                    database,
                });
            }
        }
        bail!("{command:?} did not start: {:?}", child.wait()?)
    }

    /// CPU time of all its threads, and of its database, since the start.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        let mut nanoseconds = threads(self.child.id())?;
        if let Some(database) = self.database {
            for process in family(database)? {
                // A process may end meanwhile.
                nanoseconds += threads(process).unwrap_or(0);
            }
            nanoseconds += ended(database)?;
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    pub(crate) fn memory(&self) -> anyhow::Result<Memory> {
        let folder = format!("/proc/{}", self.child.id());
        let mib = |file: &str, name: &str| -> anyhow::Result<f64> {
            let text = fs::read_to_string(format!("{folder}/{file}"))?;
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            let kib: f64 = number.with_context(|| format!("no {name}"))?.parse()?;
            Ok(kib / 1024.0)
        };
        Ok(Memory {
            resident: mib("status", "VmRSS:")?,
            peak: mib("status", "VmHWM:")?,
            proportional: mib("smaps_rollup", "Pss:")?,
        })
    }

    /// Stops the server gracefully.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status()?;
        let begun = Instant::now();
        while self.child.try_wait()?.is_none() {
            if begun.elapsed() > STOP_TIMEOUT {
                bail!("a server does not stop");
            }
            sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// CPU time of the threads of a process, in nanoseconds.
fn threads(process: u32) -> anyhow::Result<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        // A thread may end meanwhile.
        let Ok(text) = fs::read_to_string(thread?.path().join("schedstat")) else {
            continue;
        };
        let run = text.split(' ').next().unwrap_or_default();
        sum += run.parse::<u64>()?;
    }
    Ok(sum)
}

/// CPU time of the children of a process that have ended, in nanoseconds.
fn ended(process: u32) -> anyhow::Result<u64> {
    // Fields 16 and 17, of which the first two end with the last parenthesis, in steps of 10 ms.
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, rest) = text.rsplit_once(')').context("no name of a process")?;
    let times = rest.split_whitespace().skip(13).take(2);
    let steps = times.map(str::parse::<u64>).sum::<Result<u64, _>>()?;
    Ok(steps * 10_000_000)
}

/// A process and its children.
fn family(first: u32) -> anyhow::Result<Vec<u32>> {
    let children = fs::read_to_string(format!("/proc/{first}/task/{first}/children"))?;
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    Ok(std::iter::once(first).chain(children).collect())
}

/// The first process of the PostgreSQL server that listens on a port of this machine.
pub(crate) fn postmaster(port: u16) -> anyhow::Result<u32> {
    let (number, flag) = (port.to_string(), format!("-p{port}"));
    let servers = fs::read_dir("/proc")?.flatten().filter_map(|process| {
        let id = process.file_name().to_str()?.parse::<u32>().ok()?;
        let command = fs::read_to_string(process.path().join("cmdline")).ok()?;
        let mut words = command.split('\0');
        let is_server = words.next()?.ends_with("postgres")
            && words.any(|word| word == number || word.ends_with(&flag));
        is_server.then_some(id)
    });
    let first = servers.min();
    first.with_context(|| format!("no PostgreSQL server on this machine listens on port {port}"))
}
