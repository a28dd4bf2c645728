//! Lists: pages, and the filters that lists of several kinds have.

use app::{
    calendar::OccurrenceQuery,
    event::{EventQuery, Unbounded},
    fault::{BadFields, Fault},
    place::PlaceQuery,
    resource::Resource,
    site::Site,
    write::ReadOptions,
};
use domain::{
    Event, EventId, Id, Status,
    image::ImageFilter,
    page::{DEFAULT_PER_PAGE, PageRequest},
    policy::Capability,
    query::Statuses,
    search::FieldSearch,
    slug::Slug,
};
use serde_json::Value;

use crate::{
    declare,
    event::{self, OCCURRENCE_DAYS, OPENING_PASSWORD},
    fields::Fields,
    input::{Commas, Input, Reading},
    kind::Form,
    param::{DefaultValue, Param},
    schema::Schema,
    values,
};

declare! {
    /// The number of the page, from 1.
    pub(crate) PAGE: Page, Schema::Positive, default(DefaultValue::Number(1)) => values::positive as i64;
    /// Records per page; values above 100 mean 100.
    PER_PAGE: PerPage, Schema::Positive, default(DefaultValue::Number(DEFAULT_PER_PAGE)) => values::positive as i64;
    /// Words that each result contains.
    pub(crate) SEARCH: Search, Schema::Search, example("river");
    /// Names of statuses, or `any`. Callers without the right to write may use `publish` and `any`
    /// only.
    pub(crate) STATUS: Status, Schema::Statuses, example("publish");
    /// Ascending or descending.
    pub(crate) ORDER: Order, Schema::OneOf(&["asc", "desc"]), default(DefaultValue::Text("asc")) => values::order as bool;
    /// Slugs: only these.
    SLUGS: Slug, Schema::Text => values::slugs as Vec<Slug>;
    /// IDs: only these.
    IMAGES: Include, Schema::Ids => values::ids as Vec<i64>;
    /// The ID of an event: only records linked to it.
    EVENT: Event, Schema::Positive => event_id as EventId;
    /// Only records with linked events, or only others.
    HAS_EVENTS: HasEvents, Schema::LooseBoolean => values::loose_boolean as bool;
    /// Only records of events that start now or later.
    ONLY_WITH_UPCOMING: OnlyWithUpcoming, Schema::LooseBoolean, default(DefaultValue::Flag(false)) => values::loose_boolean as bool;
    /// Whether events that were withdrawn are named.
    pub(crate) WITHDRAWN: Cancelled, Schema::Boolean => values::boolean as bool;
    /// Only cancelled occurrences, or only others.
    CANCELLED: Cancelled, Schema::Boolean => values::boolean as bool;
    /// Only occurrences with fields of their own, or only others.
    OWN: Own, Schema::Boolean => values::boolean as bool;
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
}

/// A page of a list as requested.
#[derive(Clone, Debug)]
pub struct ListForm<Q> {
    /// The filters.
    pub query: Q,
    /// The page.
    pub page: PageRequest,
    /// The language and the password.
    pub options: ReadOptions,
}

/// A list without pages as requested.
#[derive(Clone, Debug)]
pub struct WholeForm<Q> {
    /// The filters.
    pub query: Q,
    /// The language and the password.
    pub options: ReadOptions,
}

/// A feed as requested.
#[derive(Clone, Debug)]
pub struct FeedForm {
    /// The list.
    pub list: WholeForm<EventQuery>,
    /// Whether events that were withdrawn follow at its end.
    pub shows_withdrawals: bool,
    /// Its faults.
    pub faults: Result<(), BadFields>,
}

/// Reads a page of a list.
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters; in a strict request, also for unknown fields.
pub fn query<R: Form>(
    fields: &Fields,
    reading: Reading<'_>,
) -> Result<ListForm<<R as Resource>::Query>, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let page = page(&mut input, reading.site);
    let query = R::read_query(&mut input, reading, Span::Pages);
    input.finish_strict(None)?;
    let options = fields.into();
    Ok(ListForm {
        query,
        page,
        options,
    })
}

/// Reads a list without pages. Unknown fields are accepted: they may be of the file.
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters.
pub fn whole<R: Form>(
    fields: &Fields,
    reading: Reading<'_>,
) -> Result<WholeForm<<R as Resource>::Query>, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let query = R::read_query(&mut input, reading, Span::Whole);
    input.finish()?;
    let options = fields.into();
    Ok(WholeForm { query, options })
}

/// Reads a list of the events that were published last, with its length.
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters.
pub fn newest(
    fields: &Fields,
    reading: Reading<'_>,
) -> Result<(WholeForm<EventQuery>, Option<u64>), BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let per_page = input.take(&PER_PAGE).map(i64::unsigned_abs);
    let query = Event::read_query(&mut input, reading, Span::Newest);
    input.finish()?;
    let options = fields.into();
    Ok((WholeForm { query, options }, per_page))
}

/// Reads a feed. Its version depends on its filters, also on those of a feed with faults.
pub fn feed(fields: &Fields, reading: Reading<'_>) -> FeedForm {
    let mut input = Input::new(fields);
    input.language();
    let query = Event::read_query(&mut input, reading, Span::Whole);
    let shows_withdrawals = input.take(&WITHDRAWN).unwrap_or(true);
    let options = fields.into();
    FeedForm {
        list: WholeForm { query, options },
        shows_withdrawals,
        faults: input.finish(),
    }
}

/// Reads a page of images.
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters; in a strict request, also for unknown fields.
pub fn images(fields: &Fields, site: &Site) -> Result<ListForm<ImageFilter>, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    let page = page(&mut input, site);
    let include = input.take_list(&IMAGES);
    let slugs = input.take_list(&SLUGS);
    let words = input.read(&SEARCH, |value| {
        let words = values::text(value)?.split_whitespace();
        // A word without letters and digits restricts nothing.
        let words = words.filter_map(Slug::normalize);
        Ok(words.map(|word| word.as_str().to_owned()).collect())
    });
    input.finish_strict(None)?;
    let query = ImageFilter {
        include: include.map(|ids| ids.into_iter().map(Id::from_raw).collect()),
        slugs: slugs.map(|slugs| slugs.iter().map(Slug::to_string).collect()),
        words: words.unwrap_or_default(),
    };
    let options = fields.into();
    Ok(ListForm {
        query,
        page,
        options,
    })
}

/// Reads a page of the occurrences of a series.
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters; in a strict request, also for unknown fields.
pub fn occurrences(
    fields: &Fields,
    reading: Reading<'_>,
) -> Result<ListForm<OccurrenceQuery>, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    input.take(&OPENING_PASSWORD);
    let page = page(&mut input, reading.site);
    let (window, upper_bound) = event::window(&mut input, reading, Unbounded::AllTime);
    let query = OccurrenceQuery {
        window,
        upper_bound,
        own: input.take(&OWN),
        cancelled: input.take(&CANCELLED),
        descending: input.take(&ORDER).unwrap_or(false),
    };
    input.finish_strict(None)?;
    let options = fields.into();
    Ok(ListForm {
        query,
        page,
        options,
    })
}

/// The parameters of a list of occurrences, in the order of the interface.
pub fn occurrence_params() -> Vec<Param> {
    [
        &PAGING[..],
        &OCCURRENCE_DAYS,
        &event::BOUNDS,
        &[
            ORDER.param,
            CANCELLED.param,
            OWN.param,
            OPENING_PASSWORD.param,
        ],
    ]
    .concat()
}

impl Fields {
    /// Reads the page of a list of which nothing else is read.
    ///
    /// # Errors
    ///
    /// [`BadFields::Invalid`] for a bad page; in a strict request, also for unknown fields.
    pub fn page(&self, site: &Site) -> Result<PageRequest, BadFields> {
        let mut input = Input::new(self);
        input.language();
        let page = page(&mut input, site);
        input.finish_strict(None)?;
        Ok(page)
    }
}

/// Reads the page number and the page size of a list request.
fn page(input: &mut Input<'_>, site: &Site) -> PageRequest {
    let number = input.take(&PAGE).unwrap_or(1);
    let per_page = input.take(&PER_PAGE).unwrap_or(DEFAULT_PER_PAGE.into());
    PageRequest::new(
        number.unsigned_abs(),
        per_page.unsigned_abs(),
        site.max_per_page,
    )
}

/// The parameters of lists of venues and organizers, without pages.
pub(crate) fn place_filters() -> Vec<Param> {
    vec![
        SEARCH,
        STATUS,
        EVENT.param,
        HAS_EVENTS.param,
        ONLY_WITH_UPCOMING.param,
    ]
}

/// Reads the filters of a list of venues or organizers.
pub(crate) fn read_places(input: &mut Input<'_>, reading: Reading<'_>) -> PlaceQuery {
    PlaceQuery {
        statuses: statuses(input, reading),
        search: input.read(&SEARCH, |value| {
            let search = FieldSearch::parse(values::search(value)?);
            app::fault::check_count(search.words.len())?;
            Ok(search)
        }),
        slugs: slugs(input),
        event: input.take(&EVENT),
        has_events: input.take(&HAS_EVENTS),
        only_with_upcoming: input.take(&ONLY_WITH_UPCOMING).unwrap_or(false),
    }
}

/// Reads `status`: names of statuses, or `any` for no filter. Callers without the right to list
/// unpublished records may only request `publish`.
pub(crate) fn statuses(input: &mut Input<'_>, reading: Reading<'_>) -> Statuses {
    let named = input.read_list(&STATUS, Commas::Separate, |value| {
        let names = values::filled_list(value)?;
        if names.len() == 1 && names[0] == "any" {
            return Ok(None);
        }
        let statuses = names
            .iter()
            .map(values::status)
            .collect::<Result<Vec<_>, _>>()?;
        let may_ask = reading.caller.can(Capability::ListUnpublished)
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
