//! The time zone data in use: those of the program, or newer ones from a folder.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    iter::successors,
    path::{Component, Path, PathBuf},
};

use domain::time::{ZoneData, ZoneDataVersion};

use crate::settings::InvalidSetting;

/// The file in a folder of time zone data with its release and the names of zones.
const INDEX: &str = "tzdata.zi";

/// Prefix of the first line of the index.
const VERSION: &str = "# version ";

/// The source of the time zone data in use.
#[derive(Debug)]
pub(crate) enum ZoneDataSource {
    /// The data of the program.
    Bundled,
    /// The data of a folder, which are newer.
    Folder(PathBuf),
    /// The data of the program, because those of the folder are not newer.
    BundledOver {
        folder: PathBuf,
        version: ZoneDataVersion,
    },
}

impl ZoneDataSource {
    /// Logs the source. Commands other than `serve` only log a warning if the folder has older
    /// data.
    pub(crate) fn log(&self, serves: bool) {
        let version = ZoneData::version_in_use();
        match self {
            Self::BundledOver {
                folder,
                version: other,
            } if other < version => tracing::warn!(
                %version,
                folder = %folder.display(),
                folder_version = %other,
                "time zone data of the program: those of the folder are older"
            ),
            _ if !serves => {}
            Self::Folder(folder) => {
                tracing::info!(%version, folder = %folder.display(), "time zone data of a folder");
            }
            Self::Bundled | Self::BundledOver { .. } => {
                tracing::info!(%version, "time zone data of the program");
            }
        }
    }
}

impl fmt::Display for ZoneDataSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time zone data {}", ZoneData::version_in_use())?;
        match self {
            Self::Bundled => Ok(()),
            Self::Folder(folder) => write!(f, ", from {}", folder.display()),
            Self::BundledOver { folder, version } => {
                write!(f, " ({} has {version})", folder.display())
            }
        }
    }
}

/// Installs the time zone data of a folder if they are newer than those of the program.
///
/// # Errors
///
/// If the folder does not hold a release.
pub(crate) fn install(folder: Option<&Path>) -> Result<ZoneDataSource, InvalidSetting> {
    let Some(folder) = folder else {
        return Ok(ZoneDataSource::Bundled);
    };
    let invalid = |reason: String| InvalidSetting::of("zone-data", reason);
    let (version, index) = index(folder).map_err(invalid)?;
    if version <= ZoneData::bundled_version() {
        let folder = folder.to_owned();
        return Ok(ZoneDataSource::BundledOver { folder, version });
    }
    let files = files(folder, &index).map_err(invalid)?;
    let data = ZoneData::from_files(version, files)
        .map_err(|error| invalid(format!("{}: {error}", folder.display())))?;
    data.install().map_err(|error| invalid(error.to_string()))?;
    Ok(ZoneDataSource::Folder(folder.to_owned()))
}

/// Reads the index of a folder, and its version.
fn index(folder: &Path) -> Result<(ZoneDataVersion, String), String> {
    let path = folder.join(INDEX);
    let index = fs::read_to_string(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if folder.is_dir() => format!(
            "{} has no file {INDEX}, which says the version of time zone data",
            folder.display()
        ),
        _ => format!("cannot read {}: {error}", path.display()),
    })?;
    let line = index.lines().next().unwrap_or_default();
    let version = line.strip_prefix(VERSION).map(str::trim);
    let version = version.and_then(|version| version.parse().ok());
    let version = version.ok_or_else(|| {
        let shown: String = line.chars().take(60).collect();
        format!(
            "{} does not begin with a version as `{VERSION}2026c`, but with `{shown}`",
            path.display()
        )
    })?;
    Ok((version, index))
}

/// Reads the files of the zones in an index. An alias without a file has the file of its zone.
fn files(folder: &Path, index: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut zones = BTreeMap::new();
    for line in index.lines() {
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("Z"), Some(name), _) => zones.insert(name, None),
            (Some("L"), Some(zone), Some(alias)) => zones.insert(alias, Some(zone)),
            _ => continue,
        };
    }
    let file = |name: &str| {
        let path = folder.join(name);
        let stays_inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !stays_inside {
            return Err(format!("{INDEX} names the zone `{name}`, which is no name"));
        }
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        }
    };
    let mut files = Vec::with_capacity(zones.len());
    for name in zones.keys() {
        // An alias may refer to another alias.
        let targets = successors(Some(*name), |name| zones.get(name).copied().flatten());
        let found = targets.take(5).map(file).find_map(Result::transpose);
        let bytes = found.transpose()?.ok_or_else(|| {
            format!(
                "{} lacks the file {name}, which {INDEX} names",
                folder.display()
            )
        })?;
        files.push(((*name).to_owned(), bytes));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(write: impl FnOnce(&Path)) -> String {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        let error = install(Some(folder.path())).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        error.replace(&folder.path().display().to_string(), "FOLDER")
    }

    #[test]
    fn a_folder_without_a_version_is_refused() {
        assert!(refused(|_| ()).contains("FOLDER has no file tzdata.zi"));
        for line in [
            "",
            "# version",
            "# version unknown",
            "2099a",
            "Z Etc/UTC 0 - UTC",
        ] {
            let error = refused(|folder| fs::write(folder.join(INDEX), line).unwrap());
            assert!(error.contains("does not begin with a version"), "{error}");
        }
        let error = install(Some(Path::new("/nowhere/at/all"))).unwrap_err();
        assert!(error.to_string().contains("cannot read"), "{error}");
        let error = refused(|folder| fs::write(folder.join(INDEX), [0xff, 0xfe]).unwrap());
        assert!(error.contains("cannot read"), "{error}");
    }

    #[test]
    fn a_folder_without_its_files_is_refused() {
        for (index, expected) in [
            (
                "# version 2099a\nZ Europe/Paris 0 - UTC\n",
                "lacks the file Europe/Paris",
            ),
            ("# version 2099a\nL Europe/Paris A\n", "lacks the file A"),
            ("# version 2099a\nL A B\nL B A\n", "lacks the file A"),
            ("# version 2099a\nZ ../a 0 - UTC\n", "which is no name"),
            ("# version 2099a\n", "is missing"),
        ] {
            let error = refused(|folder| fs::write(folder.join(INDEX), index).unwrap());
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_folder_with_older_data_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(INDEX), "# version 2020a\n").unwrap();
        let used = install(Some(folder.path())).unwrap();
        let shown = used.to_string();
        assert!(shown.ends_with("has 2020a)"), "{shown}");
    }
}
