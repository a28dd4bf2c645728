//! The chosen values of filters, and the addresses with them.

use domain::{
    FieldName, Id,
    event::EventFilter,
    time::{Timestamp, Zone, parse_date},
};
use forms::{PAGE_FILTERS, values::split_commas};
use http_service::site::ListUrls;

/// The filters with a list of choices, in the order of the form.
pub(crate) const SELECTS: [FieldName; 7] = [
    FieldName::Categories,
    FieldName::Tags,
    FieldName::Venue,
    FieldName::City,
    FieldName::Organizer,
    FieldName::Free,
    FieldName::Ticketed,
];

/// A chosen value of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) filter: FieldName,
    /// The value as addresses spell it.
    pub(crate) value: String,
}

/// All chosen values, in the order of addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices(Vec<Choice>);

impl Choices {
    /// The values of a filter that was read from these names and values.
    pub(crate) fn of(
        filter: &EventFilter,
        sent: &[(String, String)],
        zone: &Zone,
        now: Timestamp,
    ) -> Self {
        let mut choices = Vec::new();
        for name in PAGE_FILTERS {
            let mut values = match name {
                FieldName::Categories => ids(filter.categories.as_deref()),
                FieldName::Tags => ids(filter.tags.as_deref()),
                FieldName::Venue => ids(filter.venues.as_deref()),
                FieldName::Organizer => ids(filter.organizers.as_deref()),
                FieldName::Free => filter.free.iter().map(bool::to_string).collect(),
                FieldName::Ticketed => filter.ticketed.iter().map(bool::to_string).collect(),
                FieldName::City => texts(sent, name),
                FieldName::StartDate | FieldName::EndDate => {
                    let last = values_of(sent, name).last();
                    let date = last.and_then(|text| parse_date(text, zone, now).ok());
                    date.map(|date| date.local.date().to_string())
                        .into_iter()
                        .collect()
                }
                _ => {
                    let last = values_of(sent, name).last().map(str::trim);
                    last.map(str::to_owned).into_iter().collect()
                }
            };
            let mut seen = Vec::new();
            values.retain(|value| {
                let is_new = !seen.contains(value);
                seen.push(value.clone());
                is_new
            });
            let of_filter = values.into_iter().map(|value| Choice {
                filter: name,
                value,
            });
            choices.extend(of_filter);
        }
        Self(choices)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Choice> {
        self.0.iter()
    }

    /// The values of one filter.
    pub(crate) fn values(&self, filter: FieldName) -> Vec<&str> {
        let of_filter = self.0.iter().filter(|one| one.filter == filter);
        of_filter.map(|one| one.value.as_str()).collect()
    }

    /// All values but one.
    pub(crate) fn without(&self, choice: &Choice) -> Self {
        let others = self.0.iter().filter(|one| *one != choice);
        Self(others.cloned().collect())
    }

    /// All values but those of some filters.
    pub(crate) fn without_filters(&self, filters: &[FieldName]) -> Self {
        let others = self.0.iter().filter(|one| !filters.contains(&one.filter));
        Self(others.cloned().collect())
    }

    /// Whether search engines may list a page of these filters: there are few such pages.
    pub(crate) fn is_indexed(&self) -> bool {
        let is_open_ended = |one: &Choice| {
            matches!(
                one.filter,
                FieldName::Search | FieldName::StartDate | FieldName::EndDate
            )
        };
        self.0.len() <= 1 && !self.0.iter().any(is_open_ended)
    }

    /// The parameters of an address.
    pub(crate) fn parameters(&self) -> Vec<(String, String)> {
        let of_filter = |name: FieldName| {
            let values = self.values(name);
            (!values.is_empty()).then(|| (name.as_str().to_owned(), values.join(",")))
        };
        PAGE_FILTERS.into_iter().filter_map(of_filter).collect()
    }

    /// A URL with these filters, and those of its further pages.
    pub(crate) fn urls(&self, url: String) -> ListUrls {
        ListUrls::new(url, &self.parameters(), 0)
    }

    /// A URL with these filters.
    pub(crate) fn url(&self, url: String) -> String {
        self.urls(url).this()
    }
}

fn ids<R>(ids: Option<&[Id<R>]>) -> Vec<String> {
    ids.unwrap_or_default().iter().map(Id::to_string).collect()
}

/// The values of a name, as sent.
pub(crate) fn values_of(
    sent: &[(String, String)],
    filter: FieldName,
) -> impl DoubleEndedIterator<Item = &str> {
    let named = sent
        .iter()
        .filter(move |(name, _)| base(name) == filter.as_str());
    named.map(|(_, value)| value.as_str())
}

/// The values of a name whose commas separate values.
fn texts(sent: &[(String, String)], filter: FieldName) -> Vec<String> {
    let values = values_of(sent, filter).flat_map(split_commas);
    let texts = values.filter_map(|value| value.as_str().map(str::to_owned));
    texts.collect()
}

/// A name without its brackets.
pub(crate) fn base(name: &str) -> &str {
    name.split_once('[').map_or(name, |(base, _)| base)
}
