//! Records that requests name, and whether the caller may read or change them.

use domain::policy::{Caller, Visibility};

use super::{Located, Resource};
use crate::{error::AppError, ports::Repositories, request::RecordKey};

/// Finds the record that a request names.
pub(crate) async fn find<R: Resource>(
    repositories: &dyn Repositories,
    key: &RecordKey<R>,
) -> Result<Located<R>, AppError> {
    let found = R::locate(repositories, key, false).await?;
    found.ok_or_else(R::not_found)
}

/// The series of a key that names no occurrence of it. Callers who may not read or change it learn
/// no date of it.
async fn of_series<R: Resource>(
    repositories: &dyn Repositories,
    key: &RecordKey<R>,
) -> Result<Option<Located<R>>, AppError> {
    match key.of_series() {
        Some(series) => R::locate(repositories, &series, false).await,
        None => Ok(None),
    }
}

/// The record of a key, if it is readable.
pub(crate) async fn find_readable<R: Resource>(
    repositories: &dyn Repositories,
    key: &RecordKey<R>,
    visibility: &Visibility,
) -> Result<Located<R>, AppError> {
    let Some(record) = R::locate(repositories, key, false).await? else {
        if let Some(series) = of_series(repositories, key).await? {
            series.check_readable(visibility)?;
        }
        return Err(R::not_found());
    };
    check_not_merged(repositories, &record).await?;
    record.check_readable(visibility)?;
    Ok(record)
}

/// A record that was merged into another one exists no more, whatever is left of it in the trash.
pub(crate) async fn check_not_merged<R: Resource>(
    repositories: &dyn Repositories,
    record: &Located<R>,
) -> Result<(), AppError> {
    let Some(id) = record.id.filter(|_| record.is_in_trash()) else {
        return Ok(());
    };
    let merged = repositories.duplicates().merged_into(R::KIND, id.get());
    match merged.await? {
        Some(_) => Err(R::not_found()),
        None => Ok(()),
    }
}

/// Locks the record that a request names within this unit of work, and checks the right to change
/// it.
pub(crate) async fn find_for_change<R: Resource>(
    unit: &dyn Repositories,
    key: &RecordKey<R>,
    caller: Caller,
) -> Result<Located<R>, AppError> {
    let found = R::locate(unit, key, true).await?;
    let Some(found) = found else {
        return match of_series(unit, key).await? {
            Some(series) if !series.may_edit(caller) => Err(AppError::Forbidden),
            Some(_) | None => Err(R::not_found()),
        };
    };
    if found.may_edit(caller) {
        check_not_merged(unit, &found).await?;
        Ok(found)
    } else {
        Err(AppError::Forbidden)
    }
}
