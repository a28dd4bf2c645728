//! The checks of `/readyz` that only the program can make: schema, time zone data, and free disk.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use adapters_db::SeaOrmStore;
use domain::time::ZoneData;
use http_service::Readiness;
use rustix::fs::statvfs;

use crate::settings::{MediaLocation, Settings};

/// The least free bytes of a disk: some hours of writes of a busy calendar.
const LEAST_FREE: u64 = 64 * 1024 * 1024;

struct Checks {
    store: SeaOrmStore,
    /// The folders of the database and of the images, each with its name.
    folders: Vec<(&'static str, PathBuf)>,
}

/// The checks of a program over a store.
pub(crate) fn checks(store: SeaOrmStore, settings: &Settings) -> Readiness {
    let mut folders = Vec::new();
    if settings.database.file().is_some() {
        folders.push(("database", settings.database.folder().to_owned()));
    }
    if let MediaLocation::Folder(folder) = &settings.media {
        folders.push(("images", folder.clone()));
    }
    let checks = Arc::new(Checks { store, folders });
    Readiness::new(move || {
        let checks = Arc::clone(&checks);
        async move { checks.problems().await }
    })
}

impl Checks {
    async fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        match self.store.is_current().await {
            Ok(true) => {}
            Ok(false) => problems.push("the schema of the database is not up to date".to_owned()),
            Err(error) => problems.push(error.to_string()),
        }
        let program = ZoneData::version_in_use();
        match self.store.zone_data().await {
            Ok(Some(database)) if database != *program => problems.push(format!(
                "the times in the database were computed with the time zone data {database}, and this program has {program}"
            )),
            Ok(_) => {}
            Err(error) => problems.push(error.to_string()),
        }
        for (name, folder) in &self.folders {
            if let Some(free) = free_bytes(folder).filter(|free| *free < LEAST_FREE) {
                let mebibytes = free / (1024 * 1024);
                problems.push(format!("the disk of the {name} has {mebibytes} MiB left"));
            }
        }
        problems
    }
}

/// The bytes that the program may still write on the file system of a folder, or of the nearest folder above it that exists.
fn free_bytes(folder: &Path) -> Option<u64> {
    let folder = folder.ancestors().find(|folder| folder.exists());
    let of_nothing = Path::new(".");
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let found = statvfs(folder.unwrap_or(of_nothing)).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_does_not_exist_yet_has_the_room_of_the_one_above() {
        let folder = tempfile::tempdir().unwrap();
        let [here, below] = [folder.path().to_owned(), folder.path().join("a/b")];
        assert!(free_bytes(&here).unwrap() > 0 && free_bytes(&below).unwrap() > 0);
    }
}
