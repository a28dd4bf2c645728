//! The names of settings.

/// The beginning of the names of all variables of the program.
pub(super) const PREFIX: &str = "EVENTS_CALENDAR_";

/// The flag that names the file of settings.
pub(crate) const CONFIG: &str = "config";

/// The environment variable of a setting.
pub(super) fn variable(flag: &str) -> String {
    format!("{PREFIX}{}", flag.replace('-', "_").to_ascii_uppercase())
}

/// The names of a setting for users: `--cache-mib (EVENTS_CALENDAR_CACHE_MIB)`.
pub(crate) fn setting_name(flag: &str) -> String {
    format!("--{flag} ({})", variable(flag))
}

/// The known name with the smallest edit distance, if the distance is at most a third of the length of that name,
/// without its beginning that all names have.
pub(super) fn nearest<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    beginning: &str,
) -> Option<&'a str> {
    let distances = known
        .into_iter()
        .map(|one| (strsim::osa_distance(name, one), one));
    let (least, one) = distances.min_by_key(|(distance, _)| *distance)?;
    let own = one.len().saturating_sub(beginning.len());
    (3 * least <= own.max(6)).then_some(one)
}
