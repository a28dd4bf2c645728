//! The filters of a list of events: those of the pages for people, over the events of the list.

use app::{AppError, fault::Faults};
use domain::{
    Category, FieldName, Organizer, Tag, Venue, event::EventFilter, place::PlaceFilter,
    term::TermFilter,
};
use forms::{Fields, PAGE_FILTERS, Reading};
use http_service::{message, record::ShownRecord};

use crate::{request::DeskRequest, words::Word};

/// The label of a filter.
const fn label(name: FieldName) -> Option<Word> {
    match name {
        FieldName::Search => Some(Word::SEARCH),
        FieldName::Categories => Some(Word::CATEGORIES),
        FieldName::Tags => Some(Word::TAGS),
        FieldName::Venue => Some(Word::VENUE),
        FieldName::City => Some(Word::CITY),
        FieldName::Organizer => Some(Word::ORGANIZERS),
        FieldName::Free => Some(Word::COST),
        FieldName::Ticketed => Some(Word::TICKETS),
        FieldName::StartDate => Some(Word::FROM_DAY),
        FieldName::EndDate => Some(Word::UNTIL_DAY),
        _ => None,
    }
}

/// A filter of the form.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) label: Word,
    pub(crate) value: String,
    /// The choices, value and text; none of a text.
    pub(crate) choices: Vec<(String, String)>,
    pub(crate) kind: &'static str,
}

impl Input {
    /// Whether a choice is taken.
    pub(crate) fn chooses(&self, value: &str) -> bool {
        self.value == value
    }
}

/// The filters of a request, as sent: names and values, without blank ones.
pub(crate) struct Filters(Vec<(FieldName, String)>);

impl Filters {
    pub(crate) fn of(get: impl Fn(&str) -> Option<String>) -> Self {
        let sent = PAGE_FILTERS.into_iter().filter_map(|name| {
            let value = get(name.as_str())?;
            let value = value.trim();
            (!value.is_empty()).then(|| (name, value.to_owned()))
        });
        Self(sent.collect())
    }

    fn get(&self, name: FieldName) -> &str {
        let mut sent = self.0.iter();
        sent.find(|(one, _)| *one == name)
            .map_or("", |(_, value)| value)
    }

    /// The search.
    pub(crate) fn search(&self) -> &str {
        self.get(FieldName::Search)
    }

    /// Whether there are filters beside the search.
    pub(crate) fn are_chosen(&self) -> bool {
        self.0.iter().any(|(name, _)| *name != FieldName::Search)
    }

    /// The parameters of an address with these filters.
    pub(crate) fn query(&self) -> form_urlencoded::Serializer<'static, String> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &self.0 {
            query.append_pair(name.as_str(), value);
        }
        query
    }

    /// The filter of the events that match.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for values that are none of the filter, and records that the person may not read.
    pub(crate) async fn read(&self, request: &DeskRequest) -> Result<EventFilter, AppError> {
        let calendar = &request.state.calendar;
        let caller = request.caller();
        let fields = Fields::from_query(&self.query().finish());
        let query = forms::page_filters(&fields, Reading::of(calendar, caller))?;
        calendar.filter(caller, query, &request.options()).await
    }

    /// The inputs of the form, without the search.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub(crate) async fn inputs(&self, request: &DeskRequest) -> Result<Vec<Input>, AppError> {
        let mut inputs = Vec::new();
        for name in PAGE_FILTERS {
            let Some(label) = label(name).filter(|_| name != FieldName::Search) else {
                continue;
            };
            let choices = self.choices(name, request).await?;
            let is_text = matches!(
                name,
                FieldName::City | FieldName::StartDate | FieldName::EndDate
            );
            if choices.is_empty() && !is_text {
                continue;
            }
            inputs.push(Input {
                name: name.as_str(),
                label,
                value: self.get(name).to_owned(),
                choices,
                kind: match name {
                    FieldName::StartDate | FieldName::EndDate => "date",
                    _ => "text",
                },
            });
        }
        Ok(inputs)
    }

    async fn choices(
        &self,
        name: FieldName,
        request: &DeskRequest,
    ) -> Result<Vec<(String, String)>, AppError> {
        let either = |yes, no| {
            let choices = [("true", yes), ("false", no)];
            choices.map(|(value, word)| (value.to_owned(), request.word(word).to_owned()))
        };
        Ok(match name {
            FieldName::Categories => named::<Category>(request, TermFilter::default()).await?,
            FieldName::Tags => named::<Tag>(request, TermFilter::default()).await?,
            FieldName::Venue => named::<Venue>(request, PlaceFilter::default()).await?,
            FieldName::Organizer => named::<Organizer>(request, PlaceFilter::default()).await?,
            FieldName::Free => either(Word::FREE, Word::NOT_FREE).into(),
            FieldName::Ticketed => either(Word::WITH_TICKETS, Word::WITHOUT_TICKETS).into(),
            _ => Vec::new(),
        })
    }
}

/// The messages about bad filters.
pub(crate) fn told(request: &DeskRequest, faults: &Faults) -> Vec<String> {
    let told = faults.iter().map(|(name, fault)| {
        let label = name.parse().ok().and_then(label);
        let label = label.map_or(name.as_ref(), |label| request.word(label));
        message::fault(label, fault, request.language)
    });
    told.collect()
}

/// The records of a kind that can be chosen: ID and title.
async fn named<R: ShownRecord>(
    request: &DeskRequest,
    filter: R::Filter,
) -> Result<Vec<(String, String)>, AppError> {
    let records = request.first::<R>(filter).await?;
    let named = records.iter().map(|view| {
        let shown = R::shown(view);
        (
            shown.id.to_string(),
            shown.content.title().as_str().to_owned(),
        )
    });
    Ok(named.collect())
}
