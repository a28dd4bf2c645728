//! The error of every port of the store.

/// A failure of the store.
///
/// ```
/// use app::ports::StoreError;
///
/// let gone = StoreError::Unavailable("connection refused".to_owned());
/// assert_eq!(gone.to_string(), "the store is not available: connection refused");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// A concurrent transaction changed the same rows: a retry of the whole unit of work may succeed.
    #[error("a concurrent transaction changed the same rows")]
    Conflict,
    /// The database cannot be reached, or is overloaded.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Any other failure. The text is for the log, never for a client.
    #[error("the store failed: {0}")]
    Internal(String),
}
