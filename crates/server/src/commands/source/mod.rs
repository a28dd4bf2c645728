//! `source`: calendars elsewhere that are read on a schedule.

use std::{collections::HashMap, fmt::Write as _, path::Path};

use adapters_ical::ICalendar;
use anyhow::{Context, bail};
use app::{Calendar, auth::Accounts, calendar::SourceWrite, ports::StoredSource};
use domain::{
    UserId, UserName,
    page::PageRequest,
    policy::Caller,
    source::{ReportCounts, SourceFinding, SourceFormat, SourceReport, SourceRuns},
    time::Timestamp,
};
use interchange::source::{remove_source, run_source};

use super::import::administrator;
use crate::{
    cli::{SourceAddArgs, SourceCommand},
    output,
    settings::Settings,
    source_reader::Reader,
    wiring,
};

/// Runs a command about sources. Returns the text to print.
///
/// # Errors
///
/// If the source or user does not exist, if the source is read now, or if the database fails.
pub(crate) async fn run(settings: &Settings, command: SourceCommand) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let done = wiring::with_migrated_store(settings, async |store| {
        let accounts = wiring::accounts(store);
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let admin = administrator(&accounts).await?;
        match command {
            SourceCommand::Add(args) => add(&calendar, &accounts, admin, *args).await,
            SourceCommand::List => list(&calendar, &accounts, admin).await,
            SourceCommand::Show { name } => {
                let stored = named(&calendar, &name).await?;
                Ok(text(&stored, &accounts.names().await?))
            }
            SourceCommand::Run { name } => {
                let stored = named(&calendar, &name).await?;
                let leased = calendar.lease_source(stored.id).await?;
                let reader = Reader::new(settings);
                let run = run_source(&calendar, &ICalendar, &reader, &leased).await?;
                outcome(&name, &run.runs)
            }
            SourceCommand::Pause { name } => pause(&calendar, admin, &name, true).await,
            SourceCommand::Resume { name } => pause(&calendar, admin, &name, false).await,
            SourceCommand::Remove { name, events } => {
                let stored = named(&calendar, &name).await?;
                remove_source(&calendar, admin, stored.id, events).await?;
                Ok(format!("the source {name} is removed\n"))
            }
        }
    });
    done.await
}

/// The source with a name.
async fn named(calendar: &Calendar, name: &str) -> anyhow::Result<StoredSource> {
    let found = calendar.source_named(name).await;
    found.with_context(|| format!("the source `{name}`"))
}

async fn add(
    calendar: &Calendar,
    accounts: &Accounts,
    admin: Caller,
    args: SourceAddArgs,
) -> anyhow::Result<String> {
    let user = match &args.user {
        Some(login) => Some(accounts.user(login).await?.id),
        None => None,
    };
    if args.header_file.is_some() && args.format == Some(SourceFormat::Site) {
        bail!("--header-file is for calendar files and tables");
    }
    let write = SourceWrite {
        name: Some(args.name),
        format: args.format,
        url: Some(args.url),
        user,
        every: args.every,
        status: args.status,
        category: Some(args.category),
        policy: args.policy,
        prune: Some(args.prune),
        header_file: args.header_file.as_deref().map(absolute).transpose()?,
    };
    let stored = calendar.create_source(admin, &write).await?;
    let name = &stored.source.name;
    Ok(format!(
        "the source {name} is added; `serve` reads it soon, and `source run` at once\n"
    ))
}

/// The path of a file that `serve` finds from any folder. The file must exist.
fn absolute(file: &Path) -> anyhow::Result<domain::Secret> {
    let unreadable = || format!("cannot read {}", file.display());
    let path = file.canonicalize().with_context(unreadable)?;
    let path = path.to_str().context("the name of the file is not UTF-8")?;
    Ok(path.to_owned().into())
}

async fn pause(
    calendar: &Calendar,
    admin: Caller,
    name: &str,
    paused: bool,
) -> anyhow::Result<String> {
    let stored = named(calendar, name).await?;
    calendar.pause_source(admin, stored.id, paused).await?;
    let state = if paused { "paused" } else { "read again" };
    Ok(format!("the source {name} is {state}\n"))
}

async fn list(calendar: &Calendar, accounts: &Accounts, admin: Caller) -> anyhow::Result<String> {
    let names = accounts.names().await?;
    let mut rows = Vec::new();
    for number in 1.. {
        let page = calendar.sources(admin, PageRequest::new(number, 50, 50));
        let page = page.await?.rows;
        if page.is_empty() {
            break;
        }
        rows.extend(page.iter().map(|stored| row(stored, &names)));
    }
    let header = [
        "NAME", "STATE", "EVERY", "USER", "EVENTS", "LAST RUN", "NEXT RUN", "ADDRESS",
    ];
    Ok(output::table(header, rows))
}

/// The time of a run in words; `None` for a run that was not, or that is not planned.
fn when(run: Option<Timestamp>) -> String {
    run.map_or_else(|| "never".to_owned(), |time| format!("{time} UTC"))
}

/// The time of the next run of a source.
fn next_run(stored: &StoredSource) -> String {
    when((!stored.source.paused).then_some(stored.runs.next_run))
}

fn row(stored: &StoredSource, names: &HashMap<UserId, UserName>) -> [String; 8] {
    let (source, runs) = (&stored.source, &stored.runs);
    let user = names.get(&source.user).map(ToString::to_string);
    [
        source.name.to_string(),
        runs.state(source).to_string(),
        source.every.to_string(),
        user.unwrap_or_default(),
        runs.events.to_string(),
        when(runs.last_run),
        next_run(stored),
        source.url.origin().to_owned(),
    ]
}

/// All about a source, one fact a line. The operator sees the whole address.
fn text(stored: &StoredSource, names: &HashMap<UserId, UserName>) -> String {
    let (source, runs) = (&stored.source, &stored.runs);
    let user = names.get(&source.user).map_or("", UserName::as_str);
    let category = source.category.as_ref().map(ToString::to_string);
    let failure = runs.failure.map(|failure| failure.to_string());
    let facts = [
        ("Name", source.name.to_string()),
        ("Address", source.url.expose().to_owned()),
        ("Format", source.format.to_string()),
        ("Every", source.every.to_string()),
        ("User", user.to_owned()),
        ("Status", source.status.to_string()),
        ("Category", category.unwrap_or_default()),
        ("Policy", source.policy.to_string()),
        ("Prune", source.prune.to_string()),
        ("State", runs.state(source).to_string()),
        ("Events", runs.events.to_string()),
        ("Last run", when(runs.last_run)),
        ("Last success", when(runs.last_success)),
        ("Last error", failure.unwrap_or_default()),
        ("Next run", next_run(stored)),
    ];
    let mut text = String::new();
    for (name, value) in facts {
        // Writing to a text does not fail.
        let _ = writeln!(text, "{}", format!("{name:<13} {value}").trim_end());
    }
    if let Some(report) = &runs.report {
        text += &report_text(report);
    }
    text
}

/// The result of a run, or its failure as an error.
fn outcome(name: &str, runs: &SourceRuns) -> anyhow::Result<String> {
    if let Some(failure) = runs.failure {
        bail!("the source {name} was not read: {failure}");
    }
    let report = runs.report.as_ref().map(report_text);
    Ok(format!(
        "the source {name} is read\n{}",
        report.unwrap_or_default()
    ))
}

/// The numbers of a report, and a line for each finding.
fn report_text(report: &SourceReport) -> String {
    let SourceReport {
        counts,
        refused,
        warnings,
    } = report;
    let ReportCounts {
        read: _,
        created,
        updated,
        unchanged,
        cancelled,
        pruned,
        duplicates,
        merged,
        ignored: _,
    } = counts;
    let mut text = format!(
        "Report        {created} created, {updated} updated, {unchanged} unchanged, {cancelled} cancelled, \
         {pruned} no longer there, {} refused\n\
         Duplicates    {duplicates} pairs look alike, {merged} merged\n",
        refused.len()
    );
    let all = refused.iter().map(|finding| ("refused", finding));
    for (what, finding) in all.chain(warnings.iter().map(|finding| ("warning", finding))) {
        let SourceFinding {
            line,
            uid,
            property,
            code,
        } = finding;
        let line = format!("{what}: line {line} {uid} {property} {code}");
        let words: Vec<_> = line.split_whitespace().collect();
        text += &output::printable(&words.join(" "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use app::test_support::{at, source};
    use domain::source::{ReadFault, Validators};

    use super::*;

    fn stored() -> StoredSource {
        let source = source("Club", UserId::from_raw(1));
        let mut runs = SourceRuns::new(&source, at("2030-01-01 00:00:00"));
        runs.succeed(source.every, at("2030-01-01 00:00:00"), 0);
        let finding = SourceFinding {
            line: 8,
            code: "bad-date".to_owned(),
            ..SourceFinding::default()
        };
        let report = SourceReport {
            counts: ReportCounts {
                created: 2,
                ..ReportCounts::default()
            },
            refused: vec![finding],
            ..SourceReport::default()
        };
        runs.brought(2, report, Validators::default());
        StoredSource {
            id: domain::Id::from_raw(1),
            source,
            runs,
            lease: None,
        }
    }

    #[test]
    fn lists_show_the_host_alone() {
        let names = HashMap::from([(UserId::from_raw(1), "ann".parse().unwrap())]);
        assert_eq!(
            row(&stored(), &names),
            [
                "Club",
                "ok",
                "1h",
                "ann",
                "2",
                "2030-01-01 00:00:00 UTC",
                "2030-01-01 01:00:00 UTC",
                "https://club.example"
            ]
        );
    }

    #[test]
    fn a_run_tells_what_it_brought() {
        let mut runs = stored().runs;
        let text = outcome("Club", &runs).unwrap();
        assert!(text.contains("2 created") && text.contains("refused: line 8 bad-date\n"));
        let failure = ReadFault::TooSlow.into();
        runs.fail(
            stored().source.every,
            at("2030-01-01 00:00:00"),
            0,
            failure,
            None,
        );
        let error = outcome("Club", &runs).unwrap_err().to_string();
        assert_eq!(error, "the source Club was not read: too-slow");
    }
}
