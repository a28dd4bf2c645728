//! `import tec`: moves a running site of The Events Calendar here.

use interchange::import::{self, SiteCounts, SiteImport, SiteProgress, SiteReport};
use std::{
    collections::HashMap,
    env,
    fmt::Write as _,
    fs,
    io::{self, BufRead, IsTerminal, Write as _},
};

use adapters_tec::{Access, Login, Site};
use anyhow::{Context, bail};
use app::auth::Accounts;
use domain::{Kind, Secret, UserId};
use indicatif::{HumanCount, ProgressBar};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::caller;
use crate::{cli::TecArgs, output, settings::Settings, wiring};

/// The variable with the password.
const PASSWORD_VARIABLE: &str = "EVENTS_CALENDAR_SITE_PASSWORD";

/// Imports a site. Shows remarks about single records on standard error.
///
/// # Errors
///
/// If the site cannot be read, if the user may not import, or if the database fails. The records
/// imported before stay, and another run continues.
pub(crate) async fn run(
    settings: &Settings,
    args: TecArgs,
) -> anyhow::Result<(String, SiteReport)> {
    let access = Access {
        login: login(&args)?,
        allow_private: settings.allow_private_hosts,
        ..Access::default()
    };
    // The site is found first: a mistyped URL must not create a database.
    let site = Site::find(&args.url, access).await?;
    let report = wiring::with_migrated_store(settings, async |store| {
        let accounts = wiring::accounts(store);
        let caller = caller(&accounts, args.user.as_deref()).await?;
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        let options = SiteImport {
            policy: args.policy,
            status: None,
            category: None,
            merge_duplicates: None,
            dry_run: args.dry_run,
            join_copies: args.join_copies,
            prune: args.prune,
            keep_image_links: args.keep_image_links,
            authors: authors(&accounts, &args.map_author).await?,
        };
        let progress = output::count_bar();
        let observer = |step: SiteProgress<'_>| show(&progress, step);
        let done = import::import_site(&calendar, caller, &site, &options, &observer);
        let done = done.await;
        progress.finish_and_clear();
        done.context("the import stopped; the same command continues it")
    });
    let report = report.await?;
    Ok((text(&report, args.dry_run), report))
}

/// The user of the site, with a password that is not on the command line.
fn login(args: &TecArgs) -> anyhow::Result<Option<Login>> {
    let Some(name) = args.login.clone() else {
        return Ok(None);
    };
    let password = match (&args.password_file, env::var(PASSWORD_VARIABLE)) {
        (Some(file), _) => {
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
        }
        (None, Ok(password)) => password,
        (None, Err(_)) if io::stdin().is_terminal() => ask(&name).context("the terminal")?,
        (None, Err(_)) => {
            bail!("--login needs --password-file, or the variable {PASSWORD_VARIABLE}")
        }
    };
    let password = Secret::new(password.trim().to_owned());
    Ok(Some(Login { name, password }))
}

/// Asks for a password on the terminal, which does not show it.
fn ask(name: &str) -> io::Result<String> {
    let input = io::stdin();
    let shown = tcgetattr(&input)?;
    let mut hidden = shown.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    let mut error = io::stderr();
    write!(error, "Application password of {name}: ")?;
    error.flush()?;
    tcsetattr(&input, OptionalActions::Flush, &hidden)?;
    let mut line = String::new();
    let read = input.lock().read_line(&mut line);
    tcsetattr(&input, OptionalActions::Flush, &shown)?;
    writeln!(error)?;
    read.map(|_| line)
}

/// The users of `--map-author`, by author.
async fn authors(
    accounts: &Accounts,
    pairs: &[(String, String)],
) -> anyhow::Result<HashMap<String, UserId>> {
    let mut authors = HashMap::new();
    for (author, user) in pairs {
        authors.insert(author.to_lowercase(), accounts.user(user).await?.id);
    }
    Ok(authors)
}

fn show(progress: &ProgressBar, step: SiteProgress<'_>) {
    match step {
        SiteProgress::List(kind, total) => {
            progress.set_message(kind.plural());
            progress.set_position(0);
            progress.set_length(total.unwrap_or_default());
        }
        SiteProgress::Record => progress.inc(1),
        SiteProgress::Remark(remark) => {
            progress.suspend(|| output::notice(&output::printable(remark)));
        }
    }
}

/// The report as a table, with a line for each further number.
fn text(report: &SiteReport, dry_run: bool) -> String {
    let kinds = [
        Kind::Category,
        Kind::Tag,
        Kind::Venue,
        Kind::Organizer,
        Kind::Event,
    ];
    let rows = kinds.map(|kind| {
        let SiteCounts {
            created,
            updated,
            unchanged,
            refused,
        } = report.counts.get(&kind).copied().unwrap_or_default();
        let numbers = [created, updated, unchanged, refused];
        let [created, updated, unchanged, refused] =
            numbers.map(|number| HumanCount(number).to_string());
        [
            kind.plural().to_owned(),
            created,
            updated,
            unchanged,
            refused,
        ]
    });
    let header = ["KIND", "CREATED", "UPDATED", "UNCHANGED", "REFUSED"];
    let mut text = output::table(header, rows.to_vec());
    for (number, what) in [
        (report.renumbered, "records have another ID here"),
        (report.wrong_utc, "events had other times in UTC there"),
        (report.failed_images, "images were not taken"),
        (report.copies, "groups of events at regular dates"),
        (report.joined, "events became dates of a series"),
        (report.gone, "records are not in the site any more"),
        (report.pruned, "records went to the trash"),
        (report.duplicates, "pairs of records look alike"),
        (report.merged, "pairs were merged"),
    ] {
        if number > 0 {
            // Writing to a text does not fail.
            let _ = writeln!(text, "{}: {what}", HumanCount(number));
        }
    }
    if report.is_prune_refused {
        text += "Nothing was pruned.\n";
    }
    if dry_run {
        text += "Nothing was written: this was a dry run.\n";
    } else if report.is_unchanged() {
        text += "Nothing changed.\n";
    }
    text
}
