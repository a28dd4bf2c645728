//! Lists as requested.

use app::{
    calendar::OccurrenceQuery,
    event::{EventQuery, Unbounded},
    fault::BadFields,
    resource::Resource,
    site::Site,
    write::ReadOptions,
};
use domain::{Event, FieldName, Id, image::ImageFilter, page::PageRequest, slug::Slug};

use crate::{
    event::{self, OCCURRENCE_DAYS, OPENING_PASSWORD},
    field::{Param, Schema, values},
    fields::Fields,
    input::{Input, Reading},
    kind::Form,
    list::{ORDER, PAGE, PAGING, PER_PAGE, SEARCH, SLUGS, Span, WITHDRAWN, page},
};

declare! {
    /// IDs: only these.
    IMAGES: Include, Schema::Ids => values::ids as Vec<i64>;
    /// Only cancelled occurrences, or only others.
    CANCELLED: Cancelled, Schema::Boolean => values::boolean as bool;
    /// Only occurrences with fields of their own, or only others.
    OWN: Own, Schema::Boolean => values::boolean as bool;
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
    pub shows_tombstones: bool,
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

/// The filters of a page for people, in the order of addresses and forms.
pub const PAGE_FILTERS: [FieldName; 10] = [
    FieldName::Search,
    FieldName::Categories,
    FieldName::Tags,
    FieldName::Venue,
    FieldName::City,
    FieldName::Organizer,
    FieldName::Free,
    FieldName::Ticketed,
    FieldName::StartDate,
    FieldName::EndDate,
];

/// Reads the filters of a page for people, which has a period of its own: without dates, all time.
///
/// ```
/// use app::site::Site;
/// use domain::{event::Window, policy::Caller};
/// use events_calendar_forms::{Fields, Reading, page_filters};
/// # let now = app::test_support::at("2030-01-01 09:00:00");
///
/// let reading = Reading { caller: Caller::Anonymous, site: &Site::default(), now };
/// let query = page_filters(&Fields::from_query("free=true"), reading)?;
/// assert_eq!((query.filter.free, query.filter.window), (Some(true), Window::default()));
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields::Invalid`] for bad filters.
pub fn page_filters(fields: &Fields, reading: Reading<'_>) -> Result<EventQuery, BadFields> {
    let mut input = Input::new(fields);
    let query = Event::read_query(&mut input, reading, Span::Page);
    input.finish()?;
    Ok(query)
}

/// Reads a feed. Its version depends on its filters, also on those of a feed with faults.
pub fn feed(fields: &Fields, reading: Reading<'_>) -> FeedForm {
    let mut input = Input::new(fields);
    input.language();
    let query = Event::read_query(&mut input, reading, Span::Whole);
    let shows_tombstones = input.take(&WITHDRAWN).unwrap_or(true);
    let options = fields.into();
    FeedForm {
        list: WholeForm { query, options },
        shows_tombstones,
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
        uploader: None,
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
    /// The requested page of a list, from 1.
    ///
    /// ```
    /// use events_calendar_forms::Fields;
    ///
    /// let mut fields = Fields::default();
    /// assert_eq!(fields.page_number()?, 1);
    /// fields.query.insert("page".to_owned(), "0".into());
    /// assert!(fields.page_number().is_err());
    /// # Ok::<(), app::fault::BadFields>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BadFields::Invalid`] for a value that is no whole number from 1 on.
    pub fn page_number(&self) -> Result<u64, BadFields> {
        let mut input = Input::new(self);
        let number = input.take(&PAGE).unwrap_or(1);
        input.finish()?;
        Ok(number.unsigned_abs())
    }

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
