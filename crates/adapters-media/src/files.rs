//! Stores image files in a folder or in object storage.

use std::{io, path::Path, sync::Arc};

use app::ports::{FilesError, ImageFiles, StoredFile};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{image::FilePath, time::Timestamp};
use futures_util::{StreamExt, TryStreamExt};
use object_store::{
    Error, ObjectStore, ObjectStoreExt, PutMode, local::LocalFileSystem, memory::InMemory,
    path::Path as ObjectPath,
};

/// The storage of image files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Files(Arc<dyn ObjectStore>);

/// Why a storage was not opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder does not exist and cannot be created.
    #[error("cannot make the folder {folder}: {cause}")]
    Folder {
        /// Path of the folder.
        folder: String,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// The storage rejected its configuration.
    #[error(transparent)]
    Store(#[from] Error),
    /// The address names no bucket.
    #[error("must be s3://BUCKET or s3://BUCKET/PREFIX")]
    Bucket,
}

impl Files {
    /// Opens a folder. A missing folder is created.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created or opened.
    pub fn in_folder(folder: &Path) -> Result<Self, OpenError> {
        std::fs::create_dir_all(folder).map_err(|cause| OpenError::Folder {
            folder: folder.display().to_string(),
            cause,
        })?;
        // An acknowledged file is on disk even after a power failure.
        let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self(Arc::new(store)))
    }

    /// Opens a storage in memory, for tests.
    pub fn in_memory() -> Self {
        Self(Arc::new(InMemory::new()))
    }

    /// Opens a bucket, `s3://BUCKET/PREFIX`. Keys, region and endpoint come from the environment
    /// variables of the AWS programs: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`,
    /// `AWS_ENDPOINT`, `AWS_ALLOW_HTTP`.
    ///
    /// # Errors
    ///
    /// If the address or an environment variable is invalid.
    #[cfg(feature = "s3")]
    pub fn in_bucket(address: &str) -> Result<Self, OpenError> {
        adapters_http::install_tls();
        let rest = address.strip_prefix("s3://").ok_or(OpenError::Bucket)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(OpenError::Bucket);
        }
        let store = object_store::aws::AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .build()?;
        let prefix = ObjectPath::parse(prefix).map_err(Error::from)?;
        Ok(Self(Arc::new(object_store::prefix::PrefixStore::new(
            store, prefix,
        ))))
    }
}

fn object(path: &FilePath) -> ObjectPath {
    ObjectPath::from(path.as_str())
}

fn failed(error: &Error) -> FilesError {
    FilesError(error.to_string())
}

#[async_trait]
impl ImageFiles for Files {
    async fn add(&self, path: &FilePath, content: Bytes) -> Result<bool, FilesError> {
        let mode = PutMode::Create.into();
        match self.0.put_opts(&object(path), content.into(), mode).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(failed(&error)),
        }
    }

    async fn open(&self, path: &FilePath) -> Result<Option<StoredFile>, FilesError> {
        let found = match self.0.get(&object(path)).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(failed(&error)),
        };
        Ok(Some(StoredFile {
            length: found.meta.size,
            content: found.into_stream().map_err(io::Error::other).boxed(),
        }))
    }

    async fn remove(&self, path: &FilePath) -> Result<(), FilesError> {
        match self.0.delete(&object(path)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }

    async fn written_before(&self, moment: Timestamp) -> Result<Vec<FilePath>, FilesError> {
        let old = self.0.list(None).try_filter_map(async |file| {
            let is_old = file.last_modified.timestamp() < moment.seconds();
            // Other files do not belong to the service.
            Ok(FilePath::parse(file.location.as_ref()).filter(|_| is_old))
        });
        old.try_collect().await.map_err(|error| failed(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn files_are_stored_once_and_removed(files: &Files) {
        let path = FilePath::parse("2027/01/bank.jpg").unwrap();
        assert!(files.open(&path).await.unwrap().is_none());
        files.remove(&path).await.unwrap();
        assert!(files.add(&path, Bytes::from_static(b"one")).await.unwrap());
        assert!(!files.add(&path, Bytes::from_static(b"two")).await.unwrap());
        let stored = files.open(&path).await.unwrap().unwrap();
        assert_eq!(stored.length, 3);
        let content: Vec<Bytes> = stored.content.try_collect().await.unwrap();
        assert_eq!(content.concat(), b"one");
        let (past, future) = (Timestamp::MIN, Timestamp::MAX);
        assert_eq!(files.written_before(past).await.unwrap(), []);
        assert_eq!(
            files.written_before(future).await.unwrap(),
            std::slice::from_ref(&path)
        );
        files.remove(&path).await.unwrap();
        assert!(files.open(&path).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn files_are_kept_in_memory() {
        files_are_stored_once_and_removed(&Files::in_memory()).await;
    }

    #[tokio::test]
    async fn files_are_kept_in_a_folder_beside_others() {
        let folder = tempfile::tempdir().unwrap();
        let media = folder.path().join("deep/media");
        let files = Files::in_folder(&media).unwrap();
        std::fs::create_dir_all(media.join("2027/01")).unwrap();
        for other in ["notes.txt", "2027/holiday.jpg", "2027/01/Holiday.jpg"] {
            std::fs::write(media.join(other), "mine").unwrap();
        }
        files_are_stored_once_and_removed(&files).await;
        assert!(media.join("2027/01/Holiday.jpg").exists());
    }

    #[test]
    fn the_error_names_a_folder_that_cannot_be_created() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let error = Files::in_folder(&folder.path().join("file/media")).unwrap_err();
        assert!(error.to_string().contains("file/media"), "{error}");
    }

    /// Runs if `EVENTS_CALENDAR_TEST_S3=s3://…` names a bucket and the environment holds its keys.
    #[cfg(feature = "s3")]
    #[tokio::test]
    async fn files_are_kept_in_a_bucket() {
        let Ok(address) = std::env::var("EVENTS_CALENDAR_TEST_S3") else {
            eprintln!("not tested with S3: EVENTS_CALENDAR_TEST_S3 is not set");
            return;
        };
        files_are_stored_once_and_removed(&Files::in_bucket(&address).unwrap()).await;
    }

    #[cfg(feature = "s3")]
    #[test]
    fn addresses_of_no_bucket_are_refused() {
        for address in ["", "media", "s3://", "s3:///x", "https://bucket.example"] {
            assert!(matches!(Files::in_bucket(address), Err(OpenError::Bucket)));
        }
    }
}
