//! Which adapter stands behind which port.

use std::{sync::Arc, time::Duration};

use adapters_db::{DbOptions, SeaOrmStore, ZoneDataError};
use adapters_media::Files;
use anyhow::{Context, bail};
use app::{Calendar, auth::Accounts, ports::Media, site::Site};
use domain::time::ZoneData;
use tokio::time::timeout;

use crate::{
    clock::SystemClock,
    settings::{self, MediaPlace, PublicUrl, Settings},
};

/// How long the database may take to be closed.
const CLOSING: Duration = Duration::from_millis(500);

/// Opens the database, whatever its schema.
///
/// # Errors
///
/// If it does not answer.
pub(crate) async fn connect(settings: &Settings) -> anyhow::Result<SeaOrmStore> {
    let mut options = DbOptions::new(settings.database.expose());
    // What is done once reads little twice.
    options.cache_bytes = 0;
    Ok(adapters_db::connect(&options).await?)
}

/// The same to serve from: what is only read may come from a replica.
///
/// # Errors
///
/// If it does not answer.
pub(crate) async fn connect_to_serve(settings: &Settings) -> anyhow::Result<SeaOrmStore> {
    let mut options = DbOptions::new(settings.database.expose());
    options.read_url = settings.replica.as_ref().map(|url| url.expose().to_owned());
    options.max_staleness = settings.max_staleness;
    options.cache_bytes = settings.record_cache_bytes();
    Ok(adapters_db::connect(&options).await?)
}

/// Opens the database, brings its schema up to date, does some work and closes the database.
///
/// # Errors
///
/// If the database does not answer, if its schema is newer than the program, or if the work fails.
pub(crate) async fn with_store<T>(
    settings: &Settings,
    work: impl AsyncFnOnce(&SeaOrmStore) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let store = connect(settings).await?;
    let done = match migrate(&store).await {
        Ok(_) => work(&store).await,
        Err(error) => Err(error),
    };
    close(store).await;
    done
}

/// Closes the database, so that an SQLite file is whole without the files beside it. It is as good
/// if that fails: the next start makes up for it.
pub(crate) async fn close(store: SeaOrmStore) {
    match timeout(CLOSING, store.close()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the database was not closed in order"),
        Err(_) => tracing::debug!("the database was still in use when it was to be closed"),
    }
}

/// Brings the schema and the instants of events up to date; tells how many migrations that took.
///
/// # Errors
///
/// If the schema or the time zone data of the database are newer than the program, or if the database fails.
pub(crate) async fn migrate(store: &SeaOrmStore) -> anyhow::Result<u32> {
    // Before the schema is changed: the former program, whose time zone data are newer, must be able to go on.
    if let Ok(Some(database)) = store.zone_data().await {
        let program = ZoneData::version_in_use().clone();
        if database > program {
            return Err(zone_data_error(ZoneDataError::Older { database, program }));
        }
    }
    let applied = store
        .migrate()
        .await
        .context("cannot bring the schema of the database up to date")?;
    if applied > 0 {
        tracing::info!(migrations = applied, "the schema is up to date now");
    }
    rework_instants(store).await?;
    Ok(applied)
}

/// Works the instants of events out anew, if the program has newer time zone data than the database.
async fn rework_instants(store: &SeaOrmStore) -> anyhow::Result<()> {
    let program = ZoneData::version_in_use();
    let database = store.zone_data().await.map_err(zone_data_error)?;
    if database.as_ref() == Some(program) {
        return Ok(());
    }
    if let Some(database) = database.filter(|database| database < program) {
        tracing::info!(%database, %program, "newer time zone data: working out the times of events anew");
    }
    let done = store.rework_instants().await.map_err(zone_data_error)?;
    if done.events > 0 {
        tracing::info!(
            events = done.events,
            moved = done.moved,
            "the times of events are up to date now; `events-calendar zones` lists what moved"
        );
    }
    Ok(())
}

/// Fails unless the instants of the database were worked out with the time zone data of the program; those
/// of a new database will be.
///
/// # Errors
///
/// If not, or if the database fails.
pub(crate) async fn require_zone_data(store: &SeaOrmStore) -> anyhow::Result<()> {
    let program = ZoneData::version_in_use();
    let database = store.zone_data().await.map_err(zone_data_error)?;
    if let Some(database) = database.filter(|database| database < program) {
        bail!(
            "the times in the database were worked out with the time zone data {database}, and this program \
             has {program}: run `events-calendar migrate`, or leave out --no-migrate"
        );
    }
    rework_instants(store).await
}

/// The error, and what to do about it.
fn zone_data_error(error: ZoneDataError) -> anyhow::Error {
    match &error {
        ZoneDataError::Older { database, .. } => {
            let flag = settings::name_of("zone-data");
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

/// Users and tokens.
pub(crate) fn accounts(store: &SeaOrmStore) -> Accounts {
    Accounts::new(Arc::new(store.clone()), Arc::new(SystemClock))
}

/// Files of images, and what makes and fetches them.
fn media(settings: &Settings) -> anyhow::Result<Media> {
    let files = match &settings.media {
        MediaPlace::Folder(folder) => Files::in_folder(folder),
        #[cfg(feature = "s3")]
        MediaPlace::Bucket(address) => Files::in_bucket(address),
        #[cfg(not(feature = "s3"))]
        MediaPlace::Bucket(_) => Err(adapters_media::OpenError::Bucket),
    };
    let files = files.with_context(|| settings::name_of("media"))?;
    Ok(adapters_media::media(
        files,
        settings.allow_private_image_hosts,
    ))
}

/// The use cases for a site that others reach under an address.
///
/// # Errors
///
/// If the database does not answer.
pub(crate) async fn calendar(
    store: &SeaOrmStore,
    settings: &Settings,
    public_url: &PublicUrl,
) -> anyhow::Result<Calendar> {
    let site = Site {
        zone: settings.zone.clone(),
        language: settings.language,
        currency: settings.currency,
        strict: settings.strict,
        media_url: format!("{public_url}/media"),
        host: public_url.host().to_owned(),
        ..Site::default()
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
    async fn a_database_that_does_not_fit_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.db").display().to_string();
        let url = format!("sqlite://{file}");
        let cli = ["events-calendar", "--database-url", &url, "serve"];
        let settings = Settings::read(&Cli::try_parse_from(cli).unwrap().settings).unwrap();
        let store = connect(&settings).await.unwrap();
        let public_url = PublicUrl::parse("https://cal.example").unwrap();
        // It has no tables.
        let error = calendar(&store, &settings, &public_url).await.unwrap_err();
        assert!(error.to_string().ends_with(&file), "{error}");
        close(store).await;
    }
}
