//! The filters of a list of events: those of the pages for people, over the events of the list.

use app::{AppError, fault::Faults, place::Place, term::TermKind};
use domain::{
    Entry, FieldName, Term,
    event::EventFilter,
    place::{OrganizerDetails, PlaceFilter, VenueDetails},
    term::{Categories, Tags, TermFilter},
};
use forms::{Fields, Reading};
use http_service::message;

use crate::{request::DeskRequest, words::Word};

/// The filters, in the order of the form.
const NAMES: [(FieldName, Word); 10] = [
    (FieldName::Search, Word::SEARCH),
    (FieldName::Categories, Word::CATEGORIES),
    (FieldName::Tags, Word::TAGS),
    (FieldName::Venue, Word::VENUE),
    (FieldName::City, Word::CITY),
    (FieldName::Organizer, Word::ORGANIZERS),
    (FieldName::Free, Word::COST),
    (FieldName::Ticketed, Word::TICKETS),
    (FieldName::StartDate, Word::FROM_DAY),
    (FieldName::EndDate, Word::UNTIL_DAY),
];

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
        let sent = NAMES.into_iter().filter_map(|(name, _)| {
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
        for (name, label) in NAMES.into_iter().skip(1) {
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
            FieldName::Categories => terms::<Categories>(request).await?,
            FieldName::Tags => terms::<Tags>(request).await?,
            FieldName::Venue => places::<VenueDetails>(request).await?,
            FieldName::Organizer => places::<OrganizerDetails>(request).await?,
            FieldName::Free => either(Word::FREE, Word::NOT_FREE).into(),
            FieldName::Ticketed => either(Word::WITH_TICKETS, Word::WITHOUT_TICKETS).into(),
            _ => Vec::new(),
        })
    }
}

/// The messages about bad filters.
pub(crate) fn told(request: &DeskRequest, faults: &Faults) -> Vec<String> {
    let told = faults.iter().map(|(name, fault)| {
        let label = NAMES.iter().find(|(one, _)| one.as_str() == name);
        let label = label.map_or(name.as_ref(), |(_, label)| request.word(*label));
        message::fault(label, fault, request.language)
    });
    told.collect()
}

async fn terms<X: TermKind>(request: &DeskRequest) -> Result<Vec<(String, String)>, AppError> {
    let terms = request
        .first::<Term<X>>(TermFilter::default())
        .await?
        .into_iter();
    let named = terms.map(|view| (view.term.id.to_string(), view.term.name.as_str().to_owned()));
    Ok(named.collect())
}

async fn places<D: Place>(request: &DeskRequest) -> Result<Vec<(String, String)>, AppError> {
    let places = request
        .first::<Entry<D>>(PlaceFilter::default())
        .await?
        .into_iter();
    let named = places.map(|view| {
        (
            view.entry.id.to_string(),
            view.entry.title.as_str().to_owned(),
        )
    });
    Ok(named.collect())
}
