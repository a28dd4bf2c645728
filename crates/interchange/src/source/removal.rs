//! The removal of a source, with or without its events.

use app::{
    calendar::{Calendar, LeasedSource, require},
    error::AppError,
    ports::StoredSource,
};
use domain::{
    Id, UnknownName,
    policy::{Caller, Capability},
    source::Source,
};

use super::run::import_in_turns;
use crate::import::{ImportOptions, trash_of};

/// The fate of the events of a source that is removed.
///
/// ```
/// use events_calendar_interchange::source::Fate;
/// assert_eq!("trash".parse(), Ok(Fate::Trash));
/// assert!(Fate::ALL.iter().all(|fate| fate.name().parse() == Ok(*fate)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They stay.
    Keep,
    /// They go to the trash.
    Trash,
}

impl Fate {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Keep, Self::Trash];

    /// The name in requests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Trash => "trash",
        }
    }
}

impl std::str::FromStr for Fate {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == name).ok_or(UnknownName)
    }
}

/// Removes a source, for administrators. Its events go to the trash some at a time; a removal that was
/// interrupted is continued by another one.
///
/// The [module](crate::source) has an example.
///
/// # Errors
///
/// [`AppError`]: no right, no such source, a run under way; or if the store fails.
pub async fn remove_source(
    calendar: &Calendar,
    caller: Caller,
    id: Id<Source>,
    events: Fate,
) -> Result<StoredSource, AppError> {
    require(caller, Capability::ManageSources)?;
    if events == Fate::Keep {
        return calendar.delete_source(caller, id, None).await;
    }
    let leased = calendar.lease_source(id).await?;
    match trash(calendar, caller, &leased).await {
        Ok(()) => calendar.delete_source(caller, id, Some(&leased)).await,
        Err(error) => {
            calendar.finish_source(&leased, &leased.stored.runs).await?;
            Err(error)
        }
    }
}

async fn trash(calendar: &Calendar, caller: Caller, leased: &LeasedSource) -> Result<(), AppError> {
    let options = ImportOptions::from_source(&*leased.stored.runs.ledger);
    let import = trash_of(calendar, caller, options).await?;
    let trashing = import_in_turns(import);
    super::run::while_leased(calendar, leased, trashing).await?;
    Ok(())
}
