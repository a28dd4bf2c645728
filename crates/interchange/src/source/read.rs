//! The port of the servers of sources.

use async_trait::async_trait;
use bytes::Bytes;
use domain::source::{ReadFault, Source, SourceFailure, Validators};

use crate::source_site::SourceSite;

/// The file of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceFile {
    /// It matches the validators.
    Unchanged,
    /// It is another one.
    Changed {
        /// The content, which may be compressed.
        content: Bytes,
        /// The validators by which the next request asks.
        validators: Validators,
    },
}

/// The reason for which a source is not read. It does not have the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The reason.
    pub failure: SourceFailure,
    /// The pause that the server asks for, in seconds.
    pub retry_after: Option<u32>,
}

impl From<ReadFault> for ReadError {
    fn from(fault: ReadFault) -> Self {
        Self {
            failure: fault.into(),
            retry_after: None,
        }
    }
}

/// Reads sources.
///
/// It MUST send requests to public addresses alone unless others are permitted, and the headers of a source to
/// the origin of its address alone. A request ends after a minute.
///
/// The [module](crate::source) has an example.
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait SourceReader: Send + Sync {
    /// The file of a source, unless it matches the validators.
    ///
    /// # Errors
    ///
    /// [`ReadError`].
    async fn file(&self, source: &Source, validators: &Validators)
    -> Result<SourceFile, ReadError>;

    /// The site of a source.
    ///
    /// # Errors
    ///
    /// [`ReadError`].
    async fn site(&self, source: &Source) -> Result<Box<dyn SourceSite>, ReadError>;
}

/// A failure of the site after it was found.
pub(super) const SITE_FAILED: ReadFault = ReadFault::Unreachable;
