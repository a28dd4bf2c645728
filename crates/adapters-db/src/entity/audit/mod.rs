//! The audit trail.

pub(crate) mod audit_entry;
