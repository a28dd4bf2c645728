//! `seed`: fills an empty calendar with made-up records.

use adapters_db::SeaOrmStore;
use anyhow::{Context, bail};
use app::{
    auth::Accounts,
    ports::{Clock, SystemClock},
};
use domain::{Role, UserId, time::Timestamp};
use indicatif::ProgressBar;
use seed::{EventGenerator, Generator, RelatedIds};

use super::first_token;
use crate::{output, settings::Settings, wiring};

/// Number of events that are generated and written together.
const BATCH: usize = 2_000;

/// Number of events in one transaction. It bounds the write-ahead log of SQLite.
const TRANSACTION: usize = 20_000;

/// The number of series that are written together.
const SERIES_BATCH: usize = 200;

/// The sizes of a calendar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Events that happen once.
    pub(crate) events: usize,
    /// Weekly series of 100 occurrences.
    pub(crate) series: usize,
    /// Years over which they are spread.
    pub(crate) years: usize,
}

/// Fills the calendar with events and series, and the records that they refer to.
///
/// # Errors
///
/// If the calendar holds records, or if the database fails: committed transactions stay.
pub(crate) async fn run(settings: &Settings, sizes: Sizes, seed: u64) -> anyhow::Result<String> {
    let done = wiring::with_migrated_store(settings, async |store| {
        let author = author(settings, &wiring::accounts(store)).await?;
        let generator = Generator::new(seed, author, midnight(SystemClock.now()));
        let generator = generator.over_years(sizes.years);
        let text = fill(store, generator, sizes).await?;
        let calendar = wiring::calendar(store, settings, settings.listen.port()).await?;
        calendar.skip_comparison().await?;
        Ok(text)
    });
    done.await
}

/// The start of the day in UTC: a seed gives the same records all day.
fn midnight(now: Timestamp) -> Timestamp {
    now.saturating_add(-now.seconds().rem_euclid(24 * 3600))
}

/// The first administrator, who is created with a token if there is no user.
async fn author(settings: &Settings, accounts: &Accounts) -> anyhow::Result<UserId> {
    let path = settings.database.folder().join(first_token::FILE_NAME);
    if first_token::create_in_file(accounts, &path).await? {
        let path = path.display();
        output::notice(&format!(
            "the token of the administrator `admin` is in {path}"
        ));
    }
    let mut users = accounts.users().await?;
    users.retain(|user| user.role == Role::Administrator);
    let first = users.into_iter().min_by_key(|user| user.id);
    Ok(first.context("there is no administrator")?.id)
}

async fn fill(
    store: &SeaOrmStore,
    mut generator: Generator,
    sizes: Sizes,
) -> anyhow::Result<String> {
    let Sizes {
        events: count,
        series,
        years: _,
    } = sizes;
    let venues = (count / 100).max(5);
    let organizers = (count / 50).max(5);
    let related = related(store, &mut generator, venues, organizers).await?;
    let (categories, tags) = (related.categories.len(), related.tags.len());
    let mut events = EventGenerator::new(generator, related, count);
    let bar = output::progress_bar(Some(count as u64));
    for start in (0..count).step_by(TRANSACTION) {
        let end = count.min(start + TRANSACTION);
        events = transaction(store, events, start..end, &bar).await?;
    }
    bar.finish_and_clear();
    let bar = output::progress_bar(Some(series as u64));
    for start in (count..count + series).step_by(SERIES_BATCH) {
        let end = (count + series).min(start + SERIES_BATCH);
        let made: anyhow::Result<Vec<_>> =
            (start..end).map(|number| events.series(number)).collect();
        let mut loader = store.loader().await?;
        bar.inc(loader.add_series(&made?).await?.len() as u64);
        loader.commit().await?;
    }
    bar.finish_and_clear();
    let series = match series {
        0 => String::new(),
        series => format!("{series} series, "),
    };
    Ok(format!(
        "{count} events, {series}{venues} venues, {organizers} organizers, {categories} categories and \
         {tags} tags\n"
    ))
}

/// Adds the records that events refer to.
async fn related(
    store: &SeaOrmStore,
    generator: &mut Generator,
    venues: usize,
    organizers: usize,
) -> anyhow::Result<RelatedIds> {
    let mut loader = store.loader().await?;
    if !loader.finds_nothing().await? {
        bail!(
            "the calendar holds records already: `seed` only fills an empty one; name another \
             database, as --database-url sqlite://seeded.db"
        );
    }
    let mut categories = loader.add(&generator.top_categories()?).await?;
    let children = generator.child_categories(&categories)?;
    categories.extend(loader.add(&children).await?);
    let tags = loader.add(&generator.tags()?).await?;
    let made: anyhow::Result<Vec<_>> = (0..venues).map(|number| generator.venue(number)).collect();
    let venues = loader.add(&made?).await?;
    let made: anyhow::Result<Vec<_>> = (0..organizers)
        .map(|number| generator.organizer(number))
        .collect();
    let organizers = loader.add(&made?).await?;
    loader.commit().await?;
    Ok(RelatedIds {
        venues,
        organizers,
        categories,
        tags,
    })
}

/// Adds events in one transaction. The next batch is generated while one is written.
async fn transaction(
    store: &SeaOrmStore,
    mut events: EventGenerator,
    numbers: std::ops::Range<usize>,
    bar: &ProgressBar,
) -> anyhow::Result<EventGenerator> {
    let mut loader = store.loader().await?;
    let mut batch = Vec::new();
    let mut next = numbers.start;
    while next < numbers.end || !batch.is_empty() {
        let end = numbers.end.min(next + BATCH);
        let generation = tokio::task::spawn_blocking(move || {
            let made: anyhow::Result<Vec<_>> =
                (next..end).map(|number| events.event(number)).collect();
            made.map(|made| (events, made))
        });
        let (generated, written) = tokio::join!(generation, loader.add(&batch));
        bar.inc(written?.len() as u64);
        (events, batch) = generated.context("generating events")??;
        next = end;
    }
    loader.commit().await?;
    Ok(events)
}
