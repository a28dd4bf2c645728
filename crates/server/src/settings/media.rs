//! The storage of image files.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// The storage of image files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MediaLocation {
    /// A folder.
    Folder(PathBuf),
    /// Object storage, `s3://BUCKET/PREFIX`.
    Bucket(String),
}

impl MediaLocation {
    /// Parses a setting. The default is the folder `media` beside the database.
    ///
    /// # Errors
    ///
    /// The reason why it is invalid.
    pub(crate) fn parse(set: Option<&str>, beside: &Path) -> Result<Self, String> {
        match set {
            None => Ok(Self::Folder(beside.join("media"))),
            Some("") => Err("must name a folder".to_owned()),
            Some(address) if address.starts_with("s3://") && cfg!(feature = "s3") => {
                Ok(Self::Bucket(address.to_owned()))
            }
            Some(address) if address.starts_with("s3://") => {
                Err("this program was built without S3 (the feature `s3` of cargo)".to_owned())
            }
            Some(address) if address.contains("://") => Err(format!(
                "`{address}` is neither a folder nor s3://BUCKET/PREFIX"
            )),
            Some(folder) => Ok(Self::Folder(folder.into())),
        }
    }
}

impl fmt::Display for MediaLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => {
                let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
                write!(f, "the folder {}", absolute.display())
            }
            Self::Bucket(address) => f.write_str(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_beside_the_database_or_elsewhere() {
        let read = |set| MediaLocation::parse(set, Path::new("/srv/cal"));
        let folder = |path: &str| Ok(MediaLocation::Folder(path.into()));
        assert_eq!(read(None), folder("/srv/cal/media"));
        assert_eq!(read(Some("pictures")), folder("pictures"));
        assert!(read(Some("")).is_err());
        assert!(read(Some("https://bucket.example")).is_err());
        assert_eq!(read(Some("s3://bucket/cal")).is_ok(), cfg!(feature = "s3"));
    }
}
