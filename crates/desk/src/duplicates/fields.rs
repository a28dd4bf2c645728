//! The fields of a record, as the page of a pair compares them.

use app::{AppError, event::EventView, place::PlaceView, resource::Resource};
use domain::{
    Event, FieldName, Id, Kind, Organizer, OrganizerDetails, Venue, VenueDetails, entry::Details,
    html::RichText,
};

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
    let found = match kind {
        Kind::Event => read::<Event>(request, id, of_event).await,
        Kind::Venue => read::<Venue>(request, id, of_venue).await,
        Kind::Organizer => read::<Organizer>(request, id, of_organizer).await,
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
    fields: fn(&R::View) -> Vec<Field>,
) -> Result<Vec<Field>, AppError> {
    let (key, options) = (Id::<R>::from_raw(id).into(), request.options());
    let calendar = &request.state.calendar;
    let view = calendar.get::<R>(request.caller(), key, &options).await?;
    Ok(fields(&view))
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
    let description = shortened(&entry.description);
    vec![
        (title, Word::TITLE, entry.title.as_str().to_owned()),
        (FieldName::Description, Word::DESCRIPTION, description),
        (FieldName::Excerpt, Word::EXCERPT, shortened(&entry.excerpt)),
        (FieldName::Image, Word::PICTURE, image.to_owned()),
    ]
}

fn of_venue(view: &PlaceView<VenueDetails>) -> Vec<Field> {
    let own = &view.entry.details;
    let mut fields = shared(&view.entry.content, FieldName::Venue, view.image.is_some());
    let website = text(own.website.as_ref());
    fields.extend([
        (FieldName::Address, Word::ADDRESS, own.address.clone()),
        (FieldName::City, Word::CITY, own.city.clone()),
        (FieldName::Zip, Word::ZIP, own.zip.clone()),
        (FieldName::Country, Word::COUNTRY, own.country.clone()),
        (FieldName::Phone, Word::PHONE, own.phone.clone()),
        (FieldName::Website, Word::WEBSITE, website),
    ]);
    fields
}

fn of_organizer(view: &PlaceView<OrganizerDetails>) -> Vec<Field> {
    let own = &view.entry.details;
    let mut fields = shared(
        &view.entry.content,
        FieldName::Organizer,
        view.image.is_some(),
    );
    let website = text(own.website.as_ref());
    fields.extend([
        (FieldName::Phone, Word::PHONE, own.phone.clone()),
        (FieldName::Website, Word::WEBSITE, website),
        (FieldName::Email, Word::EMAIL, own.email.clone()),
    ]);
    fields
}

fn of_event(view: &EventView) -> Vec<Field> {
    let event = &view.event.content;
    let own = &event.details;
    let [start, end] =
        [own.when.start(), own.when.end()].map(|one| one.local.format("%Y-%m-%d %H:%M"));
    let when = format!("{start} – {end} {}", own.when.zone());
    let names = |names: Vec<&str>| names.join(", ");
    let venue = view.venue.iter().map(|venue| venue.entry.title.as_str());
    let venue = names(venue.collect());
    let organizers = view.organizers.iter().map(|one| one.entry.title.as_str());
    let organizers = names(organizers.collect());
    let categories = view.categories.iter().map(|one| one.term.name.as_str());
    let categories = names(categories.collect());
    let tags = view.tags.iter().map(|one| one.term.name.as_str());
    let tags = names(tags.collect());
    let website = text(own.website.as_ref());
    let mut fields = shared(event, FieldName::Title, view.image.is_some());
    fields.extend([
        (FieldName::StartDate, Word::WHEN, when),
        (FieldName::Venue, Word::VENUE, venue),
        (FieldName::Organizer, Word::ORGANIZERS, organizers),
        (FieldName::Categories, Word::CATEGORIES, categories),
        (FieldName::Tags, Word::TAGS, tags),
        (FieldName::Website, Word::WEBSITE, website),
        (FieldName::Cost, Word::COST, own.cost.texts().join(", ")),
    ]);
    fields
}
