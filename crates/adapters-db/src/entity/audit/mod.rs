//! The trail of changes.

pub(crate) mod audit_entry;
