//! Environment variables that look like settings and are none.

/// The beginning of the names of all variables of the program.
const PREFIX: &str = "EVENTS_CALENDAR_";

/// The variable that filters the log.
const LOG: &str = "EVENTS_CALENDAR_LOG";

/// A variable that no setting has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownVariable {
    /// Its name.
    pub(crate) name: String,
    /// The most similar name of a variable of a setting.
    pub(crate) nearest: Option<String>,
}

/// The variables among `set` that look like settings and are none, by name. `settings` has the variables of
/// all settings.
pub(crate) fn unknown_variables(
    set: impl Iterator<Item = String>,
    settings: &[String],
) -> Vec<UnknownVariable> {
    let mut known = settings.to_vec();
    known.extend(settings.iter().map(|name| format!("{name}_FILE")));
    known.push(LOG.to_owned());
    let mut unknown: Vec<_> = set
        .filter(|name| name.starts_with(PREFIX) && !known.contains(name) && !is_foreign(name))
        .map(|name| UnknownVariable {
            nearest: nearest(&name, &known),
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

/// The known name with the smallest edit distance, if the distance is at most a third of the own part of the
/// name.
fn nearest(name: &str, known: &[String]) -> Option<String> {
    let distances = known
        .iter()
        .map(|one| (strsim::osa_distance(name, one), one));
    let (least, one) = distances.min_by_key(|(distance, _)| *distance)?;
    let own = one.len().saturating_sub(PREFIX.len());
    (3 * least <= own.max(6)).then(|| one.clone())
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
