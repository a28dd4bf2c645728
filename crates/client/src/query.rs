//! Queries of lists.

use std::fmt::Display;

use domain::FieldName;

/// The parameters of a list: filters, order, pages.
///
/// ```
/// use domain::FieldName;
/// use events_calendar_client::ListQuery;
///
/// let jazz = ListQuery::default()
///     .with(FieldName::Categories, "jazz,blues")
///     .with(FieldName::StartDate, "2027-06-01")
///     .with(FieldName::Featured, true);
/// assert_eq!(jazz.to_string(), "categories=jazz%2Cblues&start_date=2027-06-01&featured=true");
/// ```
///
/// The description of the interface has the parameters of each list. A value is as a query has it: commas separate
/// several ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery(Vec<(FieldName, String)>);

impl ListQuery {
    /// Sets a parameter.
    #[must_use]
    pub fn with(mut self, name: FieldName, value: impl Display) -> Self {
        self.0.retain(|(one, _)| *one != name);
        self.0.push((name, value.to_string()));
        self
    }

    pub(crate) fn has(&self, name: FieldName) -> bool {
        self.0.iter().any(|(one, _)| *one == name)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl Display for ListQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        f.write_str(&query.extend_pairs(self.pairs()).finish())
    }
}
