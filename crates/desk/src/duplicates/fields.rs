//! The fields of a record, as the page of a pair compares them.

use app::{AppError, event::EventView, write::ReadOptions};
use domain::{Event, FieldName, Id, Kind, Organizer, Venue, entry::Details, html::RichText};

use crate::{request::DeskRequest, words::Word};

/// The most characters of a text that are compared on the page.
const MAX_SHOWN: usize = 300;

/// A field: its name, words, and text.
pub(super) type Field = (FieldName, Word, String);

/// The fields of a record of a pair; nothing if it is gone.
pub(super) async fn of_record(
    request: &DeskRequest,
    kind: Kind,
    id: i64,
) -> Result<Vec<Field>, AppError> {
    let (calendar, caller, options) = (
        &request.state.calendar,
        request.caller(),
        ReadOptions::default().language(request.language),
    );
    let found = match kind {
        Kind::Event => {
            let key = Id::<Event>::from_raw(id).into();
            calendar
                .get::<Event>(caller, key, &options)
                .await
                .map(|view| of_event(&view))
        }
        Kind::Venue => {
            let key = Id::<Venue>::from_raw(id).into();
            calendar
                .get::<Venue>(caller, key, &options)
                .await
                .map(|view| {
                    let venue = &view.entry.content;
                    let own = &venue.details;
                    let mut fields = shared(venue, FieldName::Venue, view.image.is_some());
                    fields.extend([
                        (FieldName::Address, Word::ADDRESS, own.address.clone()),
                        (FieldName::City, Word::CITY, own.city.clone()),
                        (FieldName::Zip, Word::ZIP, own.zip.clone()),
                        (FieldName::Country, Word::COUNTRY, own.country.clone()),
                        (FieldName::Phone, Word::PHONE, own.phone.clone()),
                        (
                            FieldName::Website,
                            Word::WEBSITE,
                            text(own.website.as_ref()),
                        ),
                    ]);
                    fields
                })
        }
        Kind::Organizer => {
            let key = Id::<Organizer>::from_raw(id).into();
            calendar
                .get::<Organizer>(caller, key, &options)
                .await
                .map(|view| {
                    let organizer = &view.entry.content;
                    let own = &organizer.details;
                    let mut fields = shared(organizer, FieldName::Organizer, view.image.is_some());
                    fields.extend([
                        (FieldName::Phone, Word::PHONE, own.phone.clone()),
                        (
                            FieldName::Website,
                            Word::WEBSITE,
                            text(own.website.as_ref()),
                        ),
                        (FieldName::Email, Word::EMAIL, own.email.clone()),
                    ]);
                    fields
                })
        }
        Kind::Category | Kind::Tag => return Ok(Vec::new()),
    };
    match found {
        Ok(fields) => Ok(fields),
        Err(AppError::NotFound(_)) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn text(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}

fn shortened(text: &RichText) -> String {
    text.plain().chars().take(MAX_SHOWN).collect()
}

/// The fields that all kinds have.
fn shared<D: Details>(entry: &domain::Entry<D>, title: FieldName, has_image: bool) -> Vec<Field> {
    let image = if has_image { "✓" } else { "" };
    vec![
        (title, Word::TITLE, entry.title.as_str().to_owned()),
        (
            FieldName::Description,
            Word::DESCRIPTION,
            shortened(&entry.description),
        ),
        (FieldName::Excerpt, Word::EXCERPT, shortened(&entry.excerpt)),
        (FieldName::Image, Word::PICTURE, image.to_owned()),
    ]
}

fn of_event(view: &EventView) -> Vec<Field> {
    let event = &view.event.content;
    let own = &event.details;
    let time = |moment: domain::time::Moment| moment.local.format("%Y-%m-%d %H:%M").to_string();
    let when = format!(
        "{} – {} {}",
        time(own.when.start()),
        time(own.when.end()),
        own.when.zone()
    );
    let names = |names: Vec<&str>| names.join(", ");
    let venue = view.venue.iter().map(|venue| venue.entry.title.as_str());
    let organizers = view.organizers.iter().map(|one| one.entry.title.as_str());
    let categories = view.categories.iter().map(|one| one.term.name.as_str());
    let tags = view.tags.iter().map(|one| one.term.name.as_str());
    let mut fields = shared(event, FieldName::Title, view.image.is_some());
    fields.extend([
        (FieldName::StartDate, Word::WHEN, when),
        (FieldName::Venue, Word::VENUE, names(venue.collect())),
        (
            FieldName::Organizer,
            Word::ORGANIZERS,
            names(organizers.collect()),
        ),
        (
            FieldName::Categories,
            Word::CATEGORIES,
            names(categories.collect()),
        ),
        (FieldName::Tags, Word::TAGS, names(tags.collect())),
        (
            FieldName::Website,
            Word::WEBSITE,
            text(own.website.as_ref()),
        ),
        (FieldName::Cost, Word::COST, own.cost.texts().join(", ")),
    ]);
    fields
}
