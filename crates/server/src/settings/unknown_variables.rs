//! Environment variables that look like settings and are none.

use std::fmt;

use super::names::{CONFIG, PREFIX, nearest, variable};

/// The variables that are read and that no setting has: the filter of the log, and the password of `import tec`.
const OTHERS: [&str; 2] = ["EVENTS_CALENDAR_LOG", "EVENTS_CALENDAR_SITE_PASSWORD"];

/// A variable that no setting has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownVariable {
    /// Its name.
    pub(crate) name: String,
    /// The most similar name of a variable of a setting.
    pub(crate) nearest: Option<String>,
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, nearest } = self;
        write!(f, "no setting has the variable {name}")?;
        match nearest {
            Some(nearest) => write!(f, ": is {nearest} meant?"),
            None => Ok(()),
        }
    }
}

/// The variables among `set` that look like settings and are none, by name. `settings` has the variables of
/// all settings.
pub(crate) fn unknown_variables(
    set: impl Iterator<Item = String>,
    settings: &[String],
) -> Vec<UnknownVariable> {
    let mut known = settings.to_vec();
    // The variable of the file of settings names a file itself.
    let config = variable(CONFIG);
    let in_files = settings.iter().filter(|name| **name != config);
    known.extend(in_files.map(|name| format!("{name}_FILE")));
    known.extend(OTHERS.map(str::to_owned));
    let mut unknown: Vec<_> = set
        .filter(|name| name.starts_with(PREFIX) && !known.contains(name) && !is_foreign(name))
        .map(|name| UnknownVariable {
            nearest: nearest(&name, known.iter().map(String::as_str), PREFIX).map(str::to_owned),
            name,
        })
        .collect();
    unknown.sort_by(|one, other| one.name.cmp(&other.name));
    unknown
}

/// Whether tests or an orchestrator set the variable. For a service of the name `events-calendar`, Kubernetes
/// sets `EVENTS_CALENDAR_SERVICE_HOST`, `EVENTS_CALENDAR_PORT` and `EVENTS_CALENDAR_PORT_8080_TCP`.
fn is_foreign(name: &str) -> bool {
    let own = name.strip_prefix(PREFIX).unwrap_or(name);
    own == "PORT"
        || ["TEST_", "SERVICE_", "PORT_"]
            .iter()
            .any(|start| own.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_variable_has_its_nearest_setting() {
        let settings = [
            "EVENTS_CALENDAR_LISTEN",
            "EVENTS_CALENDAR_DATABASE_URL",
            "EVENTS_CALENDAR_PUBLIC_URL",
            "EVENTS_CALENDAR_CONFIG",
        ]
        .map(str::to_owned);
        let of = |name: &str| unknown_variables([name.to_owned()].into_iter(), &settings);
        for (name, nearest) in [
            (
                "EVENTS_CALENDAR_DATABSE_URL",
                Some("EVENTS_CALENDAR_DATABASE_URL"),
            ),
            ("EVENTS_CALENDAR_LISTEN_", Some("EVENTS_CALENDAR_LISTEN")),
            (
                "EVENTS_CALENDAR_PUBLIC_URL_FIEL",
                Some("EVENTS_CALENDAR_PUBLIC_URL_FILE"),
            ),
            ("EVENTS_CALENDAR_LGO", Some("EVENTS_CALENDAR_LOG")),
            ("EVENTS_CALENDAR_COLOUR_OF_BUTTONS", None),
            ("EVENTS_CALENDAR_CONFIG_FILE", None),
        ] {
            let expected = UnknownVariable {
                name: name.to_owned(),
                nearest: nearest.map(str::to_owned),
            };
            assert_eq!(of(name), [expected]);
        }
        for known in [
            "EVENTS_CALENDAR_LISTEN",
            "EVENTS_CALENDAR_LISTEN_FILE",
            "EVENTS_CALENDAR_LOG",
            "EVENTS_CALENDAR_SITE_PASSWORD",
            "EVENTS_CALENDAR_CONFIG",
            "EVENTS_CALENDAR_TEST_POSTGRES_URL",
            "EVENTS_CALENDAR_SERVICE_HOST",
            "EVENTS_CALENDAR_PORT",
            "EVENTS_CALENDAR_PORT_8080_TCP_ADDR",
            "EVENTS_CALENDARS",
            "PATH",
        ] {
            assert_eq!(of(known), [], "{known}");
        }
    }
}
