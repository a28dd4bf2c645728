//! The fields of a list of changes.

use app::{
    calendar::ListChanges,
    fault::{BadFields, Fault, Range},
    write::ReadOptions,
};
use domain::{Category, Event, FieldName, Kind, Organizer, Tag, Venue};
use serde_json::Value;

use crate::{
    field::{DefaultValue, Param, Schema, values},
    fields::Fields,
    input::Input,
    kind::Form as _,
    list::PAGE,
};

/// The longest wait for news, in seconds.
const MAX_WAIT: u32 = 50;

declare! {
    /// The `sync_token` of an earlier answer: what changed since. Without it, all records.
    SYNC_TOKEN: SyncToken, Schema::Text => values::owned_text as String;
    /// The place at which the list goes on, as `next_rest_url` has it.
    PAGE_TOKEN: PageToken, Schema::Text => values::owned_text as String;
    /// Kinds of records; by default the kinds of the token, or all kinds without one.
    KINDS: Kinds, Schema::Kinds, example("venue") => kinds as Vec<Kind>;
    /// Most changes on a page; values above 500 mean 500.
    PER_PAGE: PerPage, Schema::Positive, default(DefaultValue::Number(ListChanges::DEFAULT_PER_PAGE)) => values::positive as i64;
    /// Whether changes have the records.
    RECORDS: Records, Schema::Boolean, default(DefaultValue::Flag(true)) => values::boolean as bool;
    /// `all` adds `texts` to each record: its own texts in each of its languages.
    TEXTS: Texts, Schema::OneOf(&["all"]) => all_texts as bool;
    /// The seconds for which an answer waits for news; only together with `sync_token`.
    WAIT: Wait, Schema::Number { min: 0, max: 50 } => wait as u32;
}

/// The parameters of a list of changes.
pub const CHANGES: [Param; 7] = [
    SYNC_TOKEN.param,
    PAGE_TOKEN.param,
    KINDS.param,
    PER_PAGE.param,
    RECORDS.param,
    TEXTS.param,
    WAIT.param,
];

/// A list of changes as a request asks for it.
///
/// ```
/// use events_calendar_forms::{ChangesForm, Fields};
///
/// let ChangesForm { list, wait_seconds } = ChangesForm::read(&Fields::from_query("per_page=1000"))?;
/// assert_eq!((list.per_page, wait_seconds), (500, 0));
/// assert!(ChangesForm::read(&Fields::from_query("status=draft")).is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChangesForm {
    /// The list.
    pub list: ListChanges,
    /// How long the answer waits for news.
    pub wait_seconds: u32,
}

impl ChangesForm {
    /// Reads a list of changes.
    ///
    /// # Errors
    ///
    /// [`BadFields::Invalid`], also for a filter of a list of records: a list of changes has none.
    pub fn read(fields: &Fields) -> Result<Self, BadFields> {
        let mut input = Input::new(fields);
        input.language();
        let sync_token = input.take(&SYNC_TOKEN);
        let page_token = input.take(&PAGE_TOKEN);
        let kinds = input.take_list(&KINDS);
        let per_page = input.take(&PER_PAGE);
        let with_records = input.take(&RECORDS);
        let with_texts = input.take(&TEXTS);
        let wait = input.take(&WAIT);
        if wait.is_some() && sync_token.is_none() {
            input.fault(&WAIT, Fault::RequiresField(FieldName::SyncToken));
        }
        for filter in filters() {
            if input.raw(&filter).is_some() {
                input.fault(&filter, Fault::UnknownField { nearest: None });
            }
        }
        input.finish_strict(None)?;
        let per_page = per_page.and_then(|number| u32::try_from(number).ok());
        Ok(Self {
            list: ListChanges {
                sync_token,
                page_token,
                kinds,
                per_page: per_page
                    .unwrap_or(ListChanges::DEFAULT_PER_PAGE)
                    .min(ListChanges::MAX_PER_PAGE),
                with_records: with_records.unwrap_or(true),
                with_texts: with_texts.unwrap_or(false),
                options: fields
                    .language()
                    .map_or_else(ReadOptions::default, |language| {
                        ReadOptions::default().language(language)
                    }),
            },
            wait_seconds: wait.unwrap_or(0),
        })
    }
}

/// The filters of the lists of all kinds, and their pages. A password has no effect on a list of changes.
fn filters() -> impl Iterator<Item = Param> {
    let all = [
        Event::filters(),
        Venue::filters(),
        Organizer::filters(),
        Category::filters(),
        Tag::filters(),
    ];
    let all = all.into_iter().flatten().chain([PAGE.param]);
    all.filter(|filter| filter.name != FieldName::Password)
}

fn kinds(value: &Value) -> Result<Vec<Kind>, Fault> {
    let names = values::filled_list(value)?;
    let kinds = names
        .iter()
        .map(|name| values::named(values::text(name)?, &Kind::NAMES));
    kinds.collect()
}

fn all_texts(value: &Value) -> Result<bool, Fault> {
    match values::text(value)? {
        "all" => Ok(true),
        _ => Err(Fault::NotOneOf(vec!["all"])),
    }
}

fn wait(value: &Value) -> Result<u32, Fault> {
    let seconds = u32::try_from(values::integer(value)?).ok();
    let fault = Fault::OutOfRange(Range::Within(0, MAX_WAIT.cast_signed()));
    seconds.filter(|seconds| *seconds <= MAX_WAIT).ok_or(fault)
}
