//! The filters of the audit trail.

use app::{fault::BadFields, site::Site};
use domain::{
    Id,
    audit::{AuditAction, AuditFilter, AuditedKind},
    page::PageRequest,
    time::Timestamp,
};
use serde_json::Value;

use crate::{
    field::{Param, Schema, values},
    fields::Fields,
    input::Input,
    list::page,
};

declare! {
    /// Only entries of records of this kind.
    KIND: Kind, Schema::OneOf(&AuditedKind::NAMES);
    /// Only entries of records with this ID, which is one of each kind.
    RECORD: Record, Schema::Positive, example("7") => values::positive as i64;
    /// Only writes of the user with this ID, who may have been removed.
    USER: User, Schema::Positive, example("1") => values::positive as i64;
    /// Only entries with this effect.
    ACTION: Action, Schema::OneOf(&AuditAction::NAMES);
    /// Only writes from this moment on.
    AFTER: After, Schema::Date, example("2026-11-01 00:00:00");
    /// Only writes before this moment.
    BEFORE: Before, Schema::Date, example("2026-12-01 00:00:00");
    /// Only entries with a smaller number, as `next_rest_url` has it.
    BEFORE_ID: BeforeId, Schema::Positive, example("1200") => values::positive as i64;
}

/// The filters of the audit trail.
pub const AUDIT_FILTERS: [Param; 7] = [
    KIND,
    RECORD.param,
    USER.param,
    ACTION,
    AFTER,
    BEFORE,
    BEFORE_ID.param,
];

/// Reads a page of the audit trail.
///
/// ```
/// use app::site::Site;
/// use domain::{audit::AuditedKind, time::Timestamp};
/// use events_calendar_forms::{Fields, audit};
///
/// let now = Timestamp::from_seconds(0).unwrap();
/// let read = |query| audit(&Fields::from_query(query), &Site::default(), now);
/// let (filter, page) = read("kind=event&record=7&per_page=5")?;
/// assert_eq!((filter.kind, filter.record, page.per_page()), (Some(AuditedKind::Event), Some(7), 5));
/// assert!(read("kind=moon").is_err() && read("after=soon").is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters; in a strict request, also for unknown fields.
pub fn audit(
    fields: &Fields,
    site: &Site,
    now: Timestamp,
) -> Result<(AuditFilter, PageRequest), BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let instant = |value: &Value| values::date(value, &site.zone, now).map(|moment| moment.utc);
    let filter = AuditFilter {
        kind: input.word(&KIND),
        record: input.take(&RECORD),
        user: input.take(&USER).map(Id::from_raw),
        action: input.word(&ACTION),
        from: input.read(&AFTER, instant),
        until: input.read(&BEFORE, instant),
        below: input.take(&BEFORE_ID),
    };
    let page = page(&mut input, site);
    input.finish_strict(None)?;
    Ok((filter, page))
}

/// The parameters of a list of the revisions of a record, besides those of its pages.
pub const REVISION_FILTERS: [Param; 1] = [BEFORE_ID.param];

/// Reads a page of the revisions of a record: the number of the entry below which they are, and the page.
///
/// ```
/// use app::site::Site;
/// use events_calendar_forms::{Fields, revisions};
///
/// let (below, page) = revisions(&Fields::from_query("before_id=7&per_page=5"), &Site::default())?;
/// assert_eq!((below, page.per_page()), (Some(7), 5));
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad fields; in a strict request, also for unknown fields.
pub fn revisions(fields: &Fields, site: &Site) -> Result<(Option<i64>, PageRequest), BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let below = input.take(&BEFORE_ID);
    let page = page(&mut input, site);
    input.finish_strict(None)?;
    Ok((below, page))
}
