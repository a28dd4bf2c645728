//! Results as a table.

use std::{fmt::Write, fs, path::Path, process::Command};

use anyhow::{Context, bail};

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    name: String,
    /// Whether `must` and `goal` are lower bounds; else they are upper ones.
    is_least: bool,
    must: f64,
    goal: f64,
    /// The unit, printed behind a number and a space.
    unit: &'static str,
    /// One value per round.
    values: Vec<f64>,
    pub(crate) remark: String,
}

impl Row {
    /// A row whose value is at most `must`, or better at most `goal`.
    pub(crate) fn most(name: impl Into<String>, must: f64, goal: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            is_least: false,
            must,
            goal,
            unit,
            values: Vec::new(),
            remark: String::new(),
        }
    }

    /// A row whose value is at least `must`, or better at least `goal`.
    pub(crate) fn least(name: impl Into<String>, must: f64, goal: f64, unit: &'static str) -> Self {
        Self {
            is_least: true,
            ..Self::most(name, must, goal, unit)
        }
    }

    /// Adds the value of a round, and replaces the remark.
    pub(crate) fn push(&mut self, value: f64, remark: impl Into<String>) {
        self.values.push(value);
        self.remark = remark.into();
    }

    fn holds(&self, bound: f64, value: f64) -> bool {
        if self.is_least {
            value >= bound
        } else {
            value <= bound
        }
    }

    fn line(&self) -> String {
        let Self { name, unit, .. } = self;
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let median = median(&sorted);
        let verdict = match median {
            None => "not measured",
            Some(value) if self.holds(self.goal, value) => "goal",
            Some(value) if self.holds(self.must, value) => "must",
            Some(_) => "missed",
        };
        let measured = median.map_or("–".to_owned(), |value| format!("{}{unit}", number(value)));
        let spread = match sorted[..] {
            [low, .., high] => format!("{} to {}", number(low), number(high)),
            _ => "–".to_owned(),
        };
        let sign = if self.is_least { "≥" } else { "≤" };
        let bound = |bound| format!("{sign} {}{unit}", number(bound));
        let (must, goal, remark) = (bound(self.must), bound(self.goal), &self.remark);
        format!("| {name} | {must} | {goal} | {measured} | {spread} | {verdict} | {remark} |")
    }
}

/// The median of sorted values.
pub(crate) fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let above = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], above)
    } else {
        above
    })
}

/// A number with its significant digits.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        size if size.fract() <= 0.0 && size < 1e9 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// The whole table, with lines about machine and configuration.
pub(crate) fn table(rows: &[Row], about: &[String]) -> String {
    let mut text = String::new();
    for line in machine().iter().chain(about) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "- {line}");
    }
    text.push_str("\n| work | must | goal | measured | spread | reached | remark |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    text
}

/// Lines about the machine.
fn machine() -> Vec<String> {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.lines().next()?.trim().to_owned())
    };
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = field("/proc/cpuinfo", "model name").unwrap_or_default();
    let memory = field("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kernel = run("uname", &["-sr"]).unwrap_or_default();
    let date = run("date", &["-u", "+%Y-%m-%d %H:%M UTC"]).unwrap_or_default();
    let commit = run("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_default();
    let compiler = run("rustc", &["--version"]).unwrap_or_default();
    let load = field("/proc/loadavg", "").unwrap_or_default();
    vec![
        format!("Machine: {cores} cores, {model}, {memory} memory, {kernel}"),
        format!("Load of the machine at the end: {load}"),
        format!("Measured {date}, commit {commit}, {compiler}"),
    ]
}

const BEGIN: &str = "<!-- bench: begin -->";
const END: &str = "<!-- bench: end -->";

/// Replaces the table between the marks of a file.
pub(crate) fn write(path: &Path, table: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let Some(((before, _), (_, after))) = text.split_once(BEGIN).zip(text.split_once(END)) else {
        bail!("{} has no `{BEGIN}` and `{END}`", path.display());
    };
    fs::write(path, format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_decides() {
        let mut row = Row::most("list", 4.0, 2.0, " ×");
        for (values, expected) in [
            (&[][..], "| – | – | not measured |"),
            (&[9.0, 1.5, 1.0], "| 1.50 × | 1 to 9 | goal |"),
            (&[3.0, 3.2], "| 3.10 × | 3 to 3.20 | must |"),
        ] {
            row.values = values.to_vec();
            let line = row.line();
            let expected = format!("| list | ≤ 4 × | ≤ 2 × {expected}  |");
            assert_eq!(line, expected);
        }
    }
}
