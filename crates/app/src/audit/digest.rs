//! The trail of records that were deleted for good.

use domain::audit::FieldChange;

use crate::hashing::sha256_hex;

/// Changes without their values, of which SHA-256 digests in hexadecimal digits are left.
///
/// ```
/// use events_calendar_app::audit::digested;
/// use domain::{FieldName, audit::{FieldChange, TrailValues}};
/// let lyon = TrailValues::from([((FieldName::City, None), "Lyon".to_owned())]);
/// let change = &digested(&FieldChange::of_values(&TrailValues::new(), &lyon))[0];
/// assert!(change.to_string().starts_with("city: digest – → b9ae62"), "{change}");
/// ```
pub fn digested(changes: &[FieldChange]) -> Vec<FieldChange> {
    let changes = changes.iter().map(|change| FieldChange {
        change: change.change.digested(sha256_hex),
        ..change.clone()
    });
    changes.collect()
}
