//! Unknown fields of strict requests.

use app::fault::MAX_LIST;
use domain::Kind;

/// The names that are known in every request, besides the fields that are read for it.
const EVERYWHERE: [&str; 10] = [
    "_fields",
    "_envelope",
    "_embed",
    "_jsonp",
    "_method",
    "_locale",
    "context",
    "format",
    "password",
    "rest_route",
];

/// Read-only fields of every record: a client may send back a record as it received it.
const OF_RECORDS: [&str; 12] = [
    "id",
    "url",
    "language",
    "translations",
    "global_id",
    "global_id_lineage",
    "modified",
    "modified_utc",
    "json_ld",
    "rest_url",
    "_links",
    "_embedded",
];

const OF_EVENTS: [&str; 13] = [
    "previous_start_date",
    "start_date_details",
    "end_date_details",
    "utc_start_date",
    "utc_start_date_details",
    "utc_end_date",
    "utc_end_date_details",
    "timezone_abbr",
    "custom_fields",
    "ticketed",
    "series",
    "recurrence_changes",
    "warnings",
];

const OF_PLACES: [&str; 2] = ["excerpt", "slug"];

const OF_TERMS: [&str; 4] = ["count", "taxonomy", "meta", "urls"];

/// The read-only fields of a kind of record; none without a kind.
fn read_only_names(kind: Option<Kind>) -> impl Iterator<Item = &'static str> {
    let (shared, own): (&[_], &[_]) = match kind {
        None => (&[], &[]),
        Some(Kind::Event) => (&OF_RECORDS, &OF_EVENTS),
        Some(Kind::Venue | Kind::Organizer) => (&OF_RECORDS, &OF_PLACES),
        Some(Kind::Category | Kind::Tag) => (&OF_RECORDS, &OF_TERMS),
    };
    shared.iter().chain(own).copied()
}

/// The unknown names among `sent`, each with the most similar known name.
pub(super) fn unknown<'a>(
    sent: impl Iterator<Item = &'a str>,
    read: &[&'static str],
    read_only: Option<Kind>,
) -> Vec<(&'a str, Option<&'static str>)> {
    let known = || {
        let read = read.iter().copied();
        read.chain(EVERYWHERE).chain(read_only_names(read_only))
    };
    let is_unknown = |name: &&str| !known().any(|one| one == *name);
    let unknown = sent.filter(is_unknown).take(MAX_LIST);
    unknown.map(|name| (name, nearest(name, known()))).collect()
}

/// The known name with the smallest edit distance to `name`, if the distance is at most half its
/// length.
fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_lowercase();
    let differences = known.map(|one| (strsim::osa_distance(&name, one), one));
    let (least, one) = differences.min_by_key(|(differences, _)| *differences)?;
    (2 * least <= one.chars().count().max(4)).then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_have_the_nearest_known_one() {
        const READ: [&str; 4] = ["categories", "start_date", "end_date", "page"];
        for (name, near) in [
            ("categorie", Some("categories")),
            ("Categories", Some("categories")),
            ("startdate", Some("start_date")),
            ("_feilds", Some("_fields")),
            ("pgae", Some("page")),
            ("xyzzy", None),
            ("", None),
            ("utc_start", None),
        ] {
            let found = unknown([name].into_iter(), &READ, None);
            assert_eq!(found, [(name, near)]);
        }
        let long = "categories".repeat(7);
        let found = unknown([&*long].into_iter(), &READ, None);
        assert_eq!(found, [(&*long, None)]);
        for name in READ.iter().chain(&EVERYWHERE) {
            assert!(unknown([*name].into_iter(), &READ, None).is_empty());
        }
        let answered = Some(Kind::Event);
        assert!(unknown(["utc_start_date"].into_iter(), &READ, answered).is_empty());
        assert!(unknown(["count"].into_iter(), &READ, answered).len() == 1);
    }
}
