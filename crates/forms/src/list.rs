//! The filters that lists of several kinds have, and pages.

pub(crate) mod place;

use app::{fault::Fault, site::Site};
use domain::{
    EventId, Kind, Status,
    page::{DEFAULT_PER_PAGE, PageRequest},
    policy::Capability,
    query::Statuses,
    slug::Slug,
};
use serde_json::Value;

use crate::{
    field::{DefaultValue, Param, Schema, values},
    fields::Commas,
    input::{Input, Reading},
};

declare! {
    /// The number of the page, from 1.
    pub(crate) PAGE: Page, Schema::Positive, default(DefaultValue::Number(1)) => values::positive as i64;
    /// Records per page; values above 100 mean 100.
    pub(crate) PER_PAGE: PerPage, Schema::Positive, default(DefaultValue::Number(DEFAULT_PER_PAGE)) => values::positive as i64;
    /// Words that each result contains.
    pub(crate) SEARCH: Search, Schema::Search, example("river");
    /// Names of statuses, or `any`. Callers without the right to write may use `publish` and `any`
    /// only.
    pub(crate) STATUS: Status, Schema::Statuses, example("publish");
    /// Ascending or descending.
    pub(crate) ORDER: Order, Schema::OneOf(&values::ORDER_WORDS), default(DefaultValue::Text("asc")) => values::order as bool;
    /// Slugs: only these.
    pub(crate) SLUGS: Slug, Schema::Text => values::slugs as Vec<Slug>;
    /// Whether events that were withdrawn are named.
    pub(crate) WITHDRAWN: Cancelled, Schema::Boolean => values::boolean as bool;
}

/// Parameters of every list.
pub const PAGING: [Param; 2] = [PAGE.param, PER_PAGE.param];

/// The span of a list without dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// A list with pages.
    Pages,
    /// A list without pages, in the order of starts.
    Whole,
    /// The events that were published last.
    Newest,
    /// A page for people, which has a period of its own.
    Page,
}

/// Reads the page number and the page size of a list request.
pub(crate) fn page(input: &mut Input<'_>, site: &Site) -> PageRequest {
    let number = input.take(&PAGE).unwrap_or(1);
    let per_page = input.take(&PER_PAGE).unwrap_or(DEFAULT_PER_PAGE.into());
    PageRequest::new(
        number.unsigned_abs(),
        per_page.unsigned_abs(),
        site.max_per_page,
    )
}

/// Reads `status`: names of statuses, or `any` for no filter. Callers without the right to list
/// unpublished records may only request `publish`.
pub(crate) fn statuses(input: &mut Input<'_>, kind: Kind, reading: Reading<'_>) -> Statuses {
    let named = input.read_list(&STATUS, Commas::Separate, |value| {
        let names = values::filled_list(value)?;
        if names.len() == 1 && names[0] == "any" {
            return Ok(None);
        }
        let statuses = names
            .iter()
            .map(values::status)
            .collect::<Result<Vec<_>, _>>()?;
        let may_ask = reading.caller.can_in(kind, Capability::ListUnpublished)
            || statuses.iter().all(|status| *status == Status::Publish);
        if may_ask {
            Ok(Some(statuses))
        } else {
            Err(Fault::RequiresCapability(Capability::ListUnpublished))
        }
    });
    Statuses(named.flatten())
}

/// Reads the slugs to which a list of any kind is restricted, if the request may do so.
pub(crate) fn slugs(input: &mut Input<'_>) -> Option<Vec<Slug>> {
    let may = input.takes_slugs();
    may.then(|| input.take_list(&SLUGS)).flatten()
}

/// Reads the ID of an event that restricts a list.
pub(crate) fn event_id(value: &Value) -> Result<EventId, Fault> {
    values::positive(value).map(EventId::from_raw)
}
