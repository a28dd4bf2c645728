//! The error of every port of the store.

/// A failure of the store.
///
/// ```
/// use events_calendar_app::ports::StoreError;
///
/// let gone = StoreError::Unavailable("connection refused".to_owned());
/// assert_eq!(gone.to_string(), "the store is not available: connection refused");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// A concurrent transaction changed the same rows. Use cases repeat the whole unit of work, at most
    /// eight times in all, with a short random pause before each repetition. Programs that use a store
    /// without them should do the same.
    #[error("a concurrent transaction changed the same rows")]
    Conflict,
    /// The database cannot be reached, or is overloaded.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Any other failure. The text is for the log, never for a client.
    #[error("the store failed: {0}")]
    Internal(String),
}
