//! Results as a table.

use std::{fmt::Write, fs, path::Path, process::Command};

use anyhow::{Context, bail};

/// A bound of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Bound {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtMost(max) => value <= max,
            Self::AtLeast(min) => value >= min,
        }
    }

    fn text(self, unit: &str) -> String {
        match self {
            Self::AtMost(max) => format!("≤ {}{unit}", number(max)),
            Self::AtLeast(min) => format!("≥ {}{unit}", number(min)),
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) must: Bound,
    pub(crate) goal: Bound,
    /// The unit, printed behind a number and a space.
    pub(crate) unit: &'static str,
    /// One value per round.
    pub(crate) values: Vec<f64>,
    pub(crate) remark: String,
}

impl Row {
    pub(crate) fn new(
        name: impl Into<String>,
        must: Bound,
        goal: Bound,
        unit: &'static str,
    ) -> Self {
        Self {
            name: name.into(),
            must,
            goal,
            unit,
            values: Vec::new(),
            remark: String::new(),
        }
    }

    pub(crate) fn most(name: impl Into<String>, must: f64, goal: f64, unit: &'static str) -> Self {
        Self::new(name, Bound::AtMost(must), Bound::AtMost(goal), unit)
    }

    pub(crate) fn least(name: impl Into<String>, must: f64, goal: f64, unit: &'static str) -> Self {
        Self::new(name, Bound::AtLeast(must), Bound::AtLeast(goal), unit)
    }

    fn verdict(&self) -> &'static str {
        match median(&self.values) {
            None => "not measured",
            Some(value) if self.goal.holds(value) => "goal",
            Some(value) if self.must.holds(value) => "must",
            Some(_) => "missed",
        }
    }

    fn line(&self) -> String {
        let Self {
            name,
            must,
            goal,
            unit,
            values,
            remark,
        } = self;
        let measured =
            median(values).map_or("–".to_owned(), |value| format!("{}{unit}", number(value)));
        let spread = match (low(values), high(values)) {
            (Some(low), Some(high)) if values.len() > 1 => {
                format!("{} to {}", number(low), number(high))
            }
            _ => "–".to_owned(),
        };
        let (must, goal, verdict) = (must.text(unit), goal.text(unit), self.verdict());
        format!("| {name} | {must} | {goal} | {measured} | {spread} | {verdict} | {remark} |")
    }
}

/// The median.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 0 => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
        _ => Some(sorted[middle]),
    }
}

fn low(values: &[f64]) -> Option<f64> {
    values.iter().copied().min_by(f64::total_cmp)
}

fn high(values: &[f64]) -> Option<f64> {
    values.iter().copied().max_by(f64::total_cmp)
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
        assert_eq!(row.verdict(), "not measured");
        row.values = vec![9.0, 1.5, 1.0];
        assert_eq!(row.verdict(), "goal");
        assert!(
            row.line()
                .contains("| ≤ 4 × | ≤ 2 × | 1.50 × | 1 to 9 | goal |"),
            "{}",
            row.line()
        );
        row.values = vec![3.0, 3.2];
        assert_eq!(row.verdict(), "must");
    }
}
