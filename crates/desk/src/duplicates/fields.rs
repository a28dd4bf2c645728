//! The fields of a record, as the page of a pair compares them.

use app::{AppError, event::EventView, place::PlaceView, resource::Resource};
use domain::{
    Entry, Event, FieldName, Id, Kind, Language, Organizer, Record as _, Venue,
    duplicate::takeable_fields, entry::Details,
};

use crate::{request::DeskRequest, trail, words::Word};

/// The most characters of a text that the page shows.
const MAX_SHOWN: usize = 300;

/// A field: its name, words, and text.
pub(super) type Field = (FieldName, Word, String);

/// The beginning of a text.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}

/// The fields of a record of a pair that a merge may take; nothing if the record is gone.
pub(super) async fn of_record(
    request: &DeskRequest,
    kind: Kind,
    id: i64,
) -> Result<Vec<Field>, AppError> {
    let language = request.language;
    let found = match kind {
        Kind::Event => read::<Event>(request, id, |view| of_event(view, language)).await,
        Kind::Venue => read::<Venue>(request, id, |view| of_place(view, language)).await,
        Kind::Organizer => read::<Organizer>(request, id, |view| of_place(view, language)).await,
        Kind::Category | Kind::Tag => return Ok(Vec::new()),
    };
    match found {
        Err(AppError::NotFound(_)) => Ok(Vec::new()),
        found => found,
    }
}

async fn read<R: Resource>(
    request: &DeskRequest,
    id: i64,
    fields: impl FnOnce(&R::View) -> Vec<Field>,
) -> Result<Vec<Field>, AppError> {
    let (key, options) = (Id::<R>::from_raw(id).into(), request.options());
    let calendar = &request.state.calendar;
    let view = calendar.get::<R>(request.caller(), key, &options).await?;
    Ok(fields(&view))
}

/// The words of a field.
fn word(kind: Kind, field: FieldName) -> Option<Word> {
    match field {
        // The start stands for the whole time, the latitude for the position.
        FieldName::StartDate => Some(Word::WHEN),
        FieldName::Latitude => Some(Word::POSITION),
        field => trail::field_word(kind.into(), field),
    }
}

/// The takeable fields; `shown` has the texts of those that are not shown as they are stored.
fn fields<D: Details>(
    entry: &Entry<D>,
    language: Language,
    shown: impl Fn(FieldName) -> Option<String>,
) -> Vec<Field> {
    let text = |field| {
        let stored = || entry.written(field).unwrap_or_default();
        match field {
            FieldName::Description => entry.description.plain(),
            FieldName::Excerpt => entry.excerpt.plain(),
            FieldName::Cancelled
            | FieldName::ShowMap
            | FieldName::ShowMapLink
            | FieldName::Sticky
            | FieldName::Featured => {
                let is_on = stored().parse().unwrap_or_default();
                let word = if is_on { Word::YES } else { Word::NO };
                word.text(language).to_owned()
            }
            field => shown(field).unwrap_or_else(stored),
        }
    };
    let fields = takeable_fields(D::KIND).iter();
    let fields = fields.filter_map(|field| Some((*field, word(D::KIND, *field)?, text(*field))));
    fields.collect()
}

fn picture(has_one: bool) -> String {
    if has_one { "✓" } else { "" }.to_owned()
}

fn of_place<D: Details>(view: &PlaceView<D>, language: Language) -> Vec<Field> {
    fields(&view.entry.content, language, |field| match field {
        FieldName::Image => Some(picture(view.image.is_some())),
        _ => None,
    })
}

fn of_event(view: &EventView, language: Language) -> Vec<Field> {
    let event = &view.event.content;
    fields(event, language, |field| {
        let names: Vec<&str> = match field {
            FieldName::Image => return Some(picture(view.image.is_some())),
            FieldName::StartDate => {
                let when = &event.details.when;
                let [start, end] =
                    [when.start(), when.end()].map(|one| one.local.format("%Y-%m-%d %H:%M"));
                return Some(format!("{start} – {end} {}", when.zone()));
            }
            FieldName::Venue => {
                let venue = view.venue.iter();
                venue.map(|venue| venue.entry.title.as_str()).collect()
            }
            FieldName::Organizer => {
                let organizers = view.organizers.iter();
                organizers.map(|one| one.entry.title.as_str()).collect()
            }
            FieldName::Categories => {
                let categories = view.categories.iter();
                categories.map(|one| one.term.name.as_str()).collect()
            }
            FieldName::Tags => {
                let tags = view.tags.iter();
                tags.map(|one| one.term.name.as_str()).collect()
            }
            FieldName::Cost => event
                .details
                .cost
                .texts()
                .iter()
                .map(String::as_str)
                .collect(),
            _ => return None,
        };
        Some(names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_takeable_field_has_words() {
        for kind in Kind::ALL {
            for field in takeable_fields(kind) {
                assert!(word(kind, *field).is_some(), "{kind} {field}");
            }
        }
    }
}
