//! The namespace of the interface.

/// The namespace of the interface, and its default base path.
pub const NAMESPACE: &str = "cal/events/v1";
