//! `seed`: fill an empty calendar with made-up records, to see how it behaves when it is large.

mod cities;
mod events;
mod random;
mod records;
mod texts;
mod words;

use std::process::ExitCode;

use adapters_db::SeaOrmStore;
use anyhow::{Context, bail};
use app::{auth::Accounts, ports::Clock};
use domain::{Role, UserId, time::Timestamp};
use indicatif::{ProgressBar, ProgressStyle};

use self::{
    events::{Events, Named},
    records::{Slugs, World},
};
use super::first_token;
use crate::{clock::SystemClock, output, settings::Settings, wiring};

/// Events that are made and written together.
const BATCH: usize = 2_000;

/// Events of one transaction: what SQLite writes at once must be copied from its log later.
const TRANSACTION: usize = 20_000;

/// Fills the calendar with so many events, and with what they name.
///
/// # Errors
///
/// If the calendar holds something already, or if the database fails: what was committed stays.
pub(crate) async fn run(settings: &Settings, events: usize, seed: u64) -> anyhow::Result<ExitCode> {
    let done = wiring::with_store(settings, async |store| {
        let author = author(settings, &wiring::accounts(store)).await?;
        let world = World {
            seed,
            author,
            now: midnight(SystemClock.now()),
        };
        fill(store, world, events).await
    });
    output::print_list(&format!("{}\n", done.await?)).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// The beginning of the day, so that a calendar can be made again on the same day.
fn midnight(now: Timestamp) -> Timestamp {
    now.saturating_add(-now.seconds().rem_euclid(24 * 3600))
}

/// Whose records they are: the first administrator's, who is made with a token if there is nobody.
async fn author(settings: &Settings, accounts: &Accounts) -> anyhow::Result<UserId> {
    let path = settings.database.folder().join(first_token::FILE_NAME);
    if first_token::make_in_file(accounts, &path).await? {
        let path = path.display();
        output::remark(&format!(
            "the token of the administrator `admin` is in {path}"
        ));
    }
    let mut users = accounts.users().await?;
    users.retain(|user| user.role == Role::Administrator);
    let first = users.into_iter().min_by_key(|user| user.id);
    Ok(first.context("there is no administrator")?.id)
}

async fn fill(store: &SeaOrmStore, world: World, count: usize) -> anyhow::Result<String> {
    let venues = (count / 100).max(5);
    let organizers = (count / 50).max(5);
    let named = named(store, world, venues, organizers).await?;
    let (categories, tags) = (named.categories.len(), named.tags.len());
    let mut events = Events {
        world,
        named,
        count,
        slugs: Slugs::default(),
    };
    let bar = bar(count);
    let mut done = 0;
    while done < count {
        let end = count.min(done + TRANSACTION);
        events = transaction(store, events, done..end, &bar).await?;
        done = end;
    }
    bar.finish_and_clear();
    Ok(format!(
        "{count} events, {venues} venues, {organizers} organizers, {categories} categories and \
         {tags} tags"
    ))
}

fn bar(count: usize) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Adds what events name, if there is nothing yet.
async fn named(
    store: &SeaOrmStore,
    world: World,
    venues: usize,
    organizers: usize,
) -> anyhow::Result<Named> {
    let mut loader = store.loader().await?;
    if !loader.finds_nothing().await? {
        bail!(
            "the calendar holds records already: `seed` only fills an empty one; name another \
             database, as --database-url sqlite://seeded.db"
        );
    }
    let mut slugs = Slugs::default();
    let top = records::top_categories(&mut slugs)?;
    let mut categories = loader.categories(&top).await?;
    let below = records::sub_categories(&categories, &mut slugs)?;
    categories.extend(loader.categories(&below).await?);
    let tags = loader.tags(&records::tags(&mut Slugs::default())?).await?;
    let mut slugs = Slugs::default();
    let places = (0..venues).map(|number| world.venue(number, &mut slugs));
    let venues = loader
        .venues(&places.collect::<Result<Vec<_>, _>>()?)
        .await?;
    let mut slugs = Slugs::default();
    let hosts = (0..organizers).map(|number| world.organizer(number, &mut slugs));
    let organizers = loader
        .organizers(&hosts.collect::<Result<Vec<_>, _>>()?)
        .await?;
    loader.commit().await?;
    Ok(Named {
        venues,
        organizers,
        categories,
        tags,
    })
}

/// Adds some events in one transaction. While some are written, the next are made.
async fn transaction(
    store: &SeaOrmStore,
    mut events: Events,
    numbers: std::ops::Range<usize>,
    bar: &ProgressBar,
) -> anyhow::Result<Events> {
    let mut loader = store.loader().await?;
    let mut batch = Vec::new();
    let mut next = numbers.start;
    while next < numbers.end || !batch.is_empty() {
        let end = numbers.end.min(next + BATCH);
        let making = tokio::task::spawn_blocking(move || {
            let made: anyhow::Result<Vec<_>> =
                (next..end).map(|number| events.event(number)).collect();
            made.map(|made| (events, made))
        });
        let (made, written) = tokio::join!(making, loader.events(&batch));
        bar.inc(written?.len() as u64);
        (events, batch) = made.context("making events")??;
        next = end;
    }
    loader.commit().await?;
    Ok(events)
}

#[cfg(test)]
mod tests;
