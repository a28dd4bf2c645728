//! The wiring of ports to adapters.

use std::{sync::Arc, time::Duration};

use adapters_db::{DbOptions, PrepareError, SeaOrmStore, ZoneDataError};
use adapters_media::Files;
use anyhow::{Context, bail};
use app::{
    Calendar,
    auth::Accounts,
    ports::{Media, SystemClock},
    site::Site,
};
use domain::time::ZoneData;
use tokio::time::timeout;

use crate::settings::{self, MediaLocation, Settings};

/// Timeout for closing the database.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// Opens the database for `serve`, with caches and the replica.
///
/// # Errors
///
/// If it does not answer.
pub(crate) async fn connect_to_serve(settings: &Settings) -> anyhow::Result<SeaOrmStore> {
    let mut options = DbOptions::new(settings.database.expose());
    let replica = settings.replica.as_ref();
    options.read_url = replica.map(|url| url.expose().to_owned().into());
    options.max_staleness = settings.max_staleness;
    options.cache_bytes = settings.record_cache_bytes();
    Ok(adapters_db::connect(&options).await?)
}

/// Refuses an SQLite file that does not exist. Opening it would create it: a misspelt name would
/// look like an empty calendar.
///
/// # Errors
///
/// If the file does not exist.
pub(crate) fn require_database(settings: &Settings) -> anyhow::Result<()> {
    match settings.database.file() {
        Some(file) if !file.exists() => bail!(
            "there is no database: {} does not exist; `events-calendar serve` creates it",
            settings.database
        ),
        _ => Ok(()),
    }
}

/// Opens the database, whatever the version of its schema, runs `work` and closes it.
///
/// # Errors
///
/// If the database does not answer, or if the work fails.
pub(crate) async fn with_store<T>(
    settings: &Settings,
    work: impl AsyncFnOnce(&SeaOrmStore) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut options = DbOptions::new(settings.database.expose());
    // A command reads few records twice.
    options.cache_bytes = 0;
    let store = adapters_db::connect(&options).await?;
    let done = work(&store).await;
    close(store).await;
    done
}

/// As [`with_store`], and migrates the database before the work.
///
/// # Errors
///
/// As [`with_store`], or if the schema of the database is newer than the program.
pub(crate) async fn with_migrated_store<T>(
    settings: &Settings,
    work: impl AsyncFnOnce(&SeaOrmStore) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let work = async |store: &SeaOrmStore| {
        migrate(store).await?;
        work(store).await
    };
    with_store(settings, work).await
}

/// Closes the database, which merges the write-ahead log into an SQLite file. Errors are only
/// logged: the next start merges the log too.
pub(crate) async fn close(store: SeaOrmStore) {
    match timeout(CLOSE_TIMEOUT, store.close()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "cannot close the database"),
        Err(_) => tracing::debug!("the database was still in use when it was closed"),
    }
}

/// Brings the schema and the instants of events up to date. Returns the number of applied
/// migrations.
///
/// # Errors
///
/// If the schema or the time zone data of the database are newer than the program, or if the
/// database fails.
pub(crate) async fn migrate(store: &SeaOrmStore) -> anyhow::Result<u32> {
    store.prepare().await.map_err(|error| match error {
        PrepareError::Schema(error) => {
            anyhow::Error::new(error).context("cannot bring the schema of the database up to date")
        }
        PrepareError::ZoneData(error) => zone_data_error(error),
    })
}

/// Requires that the instants of the database were computed with the time zone data of the program.
/// A new database passes.
///
/// # Errors
///
/// If they were computed with other data, or if the database fails.
pub(crate) async fn require_zone_data(store: &SeaOrmStore) -> anyhow::Result<()> {
    let program = ZoneData::version_in_use();
    let database = store.zone_data().await.map_err(zone_data_error)?;
    if let Some(database) = database.filter(|database| database < program) {
        bail!(
            "the times in the database were computed with the time zone data {database}, and this program \
             has {program}: run `events-calendar migrate`, or leave out --no-migrate"
        );
    }
    store.prepare_instants().await.map_err(zone_data_error)
}

/// Adds advice to the error.
fn zone_data_error(error: ZoneDataError) -> anyhow::Error {
    match &error {
        ZoneDataError::Older { database, .. } => {
            let flag = settings::setting_name("zone-data");
            anyhow::anyhow!(
                "{error}: start a newer version of the program, or set {flag} to a folder with the data \
                 {database} or later"
            )
        }
        ZoneDataError::Failed(_) => {
            anyhow::Error::new(error).context("cannot bring the times of events up to date")
        }
    }
}

/// The use cases of users and tokens.
pub(crate) fn accounts(store: &SeaOrmStore) -> Accounts {
    Accounts::new(Arc::new(store.clone()), Arc::new(SystemClock))
}

/// The adapters of the image ports.
///
/// # Errors
///
/// If the place of the files is not usable.
pub(crate) fn media(settings: &Settings) -> anyhow::Result<Media> {
    let files = match &settings.media {
        MediaLocation::Folder(folder) => Files::in_folder(folder),
        #[cfg(feature = "s3")]
        MediaLocation::Bucket(address) => Files::in_bucket(address),
        #[cfg(not(feature = "s3"))]
        MediaLocation::Bucket(_) => Err(adapters_media::OpenError::Bucket),
    };
    let files = files.with_context(|| settings::setting_name("media"))?;
    Ok(adapters_media::media(files, settings.allow_private_hosts))
}

/// The use cases of the site. The port is a part of its URLs if no public URL is set.
///
/// # Errors
///
/// If the database does not answer.
pub(crate) async fn calendar(
    store: &SeaOrmStore,
    settings: &Settings,
    port: u16,
) -> anyhow::Result<Calendar> {
    let public_url = settings.public_url(port);
    let site = Site {
        zone: settings.zone.clone(),
        language: settings.language,
        currency: settings.currency,
        strict: settings.strict,
        recurrence_months: settings.recurrence_months,
        feed_max: settings.feed_max,
        proposals: settings.proposals,
        proposals_open: settings.proposals_open,
        merge_duplicates: settings.merge_duplicates,
        ..Site::at(public_url.as_str())
    };
    let media = media(settings)?;
    let calendar = Calendar::new(Arc::new(store.clone()), Arc::new(SystemClock), media, site);
    let unread = || format!("cannot read the site's secret in {}", settings.database);
    calendar.await.with_context(unread)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    #[tokio::test]
    async fn the_error_names_a_database_without_tables() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.db").display().to_string();
        let url = format!("sqlite://{file}");
        let cli = ["events-calendar", "--database-url", &url, "serve"];
        let settings = Settings::read(&Cli::try_parse_from(cli).unwrap().settings).unwrap();
        // The file has no tables.
        let opened = with_store(&settings, async |store| calendar(store, &settings, 0).await);
        let error = opened.await.unwrap_err();
        assert!(error.to_string().ends_with(&file), "{error}");
    }
}
