//! The rows of venues and organizers, and the columns that they share with events.

use app::{cpu_limiter, ports::StoreError};
use domain::{
    Entry, Id, Language, Organizer, OrganizerDetails, OrganizerId, Record as _, Translations,
    Venue, VenueDetails, VenueId,
    entry::{Details, EntryId},
    geo::Position,
    html::RichText,
    page::Page,
    query::Query,
    slug::Slug,
    text::fold,
    time::Timestamp,
    web_url::WebUrl,
};
use sea_orm::EntityName;

use super::{
    Table, Tables,
    place_list::{self, EventLinks},
};
use crate::{
    entity::{
        EntryColumn as Column, PlaceTextColumn,
        organizer::{self, Column as OrganizerColumn},
        organizer_text, organizer_translation, organizer_translation_text,
        venue::{self, Column as VenueColumn},
        venue_city, venue_text, venue_translation, venue_translation_text,
    },
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Row, set},
};

impl Table for Venue {
    fn tables() -> Tables {
        Tables::of::<venue::Entity, venue_translation::Entity>()
    }

    fn columns(&self) -> Vec<ColumnValue> {
        let VenueDetails {
            address,
            city,
            country,
            province,
            state,
            stateprovince,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = &self.details;
        let direction = position.map(Position::direction);
        let mut columns = shared_columns(self);
        columns.extend([
            set(VenueColumn::Address, address),
            set(VenueColumn::City, city),
            set(VenueColumn::Country, country),
            set(VenueColumn::Province, province),
            set(VenueColumn::State, state),
            set(VenueColumn::Stateprovince, stateprovince),
            set(VenueColumn::Zip, zip),
            set(VenueColumn::Phone, phone),
            set(VenueColumn::Website, website.as_ref().map(WebUrl::as_str)),
            set(VenueColumn::ShowMap, *show_map),
            set(VenueColumn::ShowMapLink, *show_map_link),
            set(VenueColumn::Latitude, position.map(Position::latitude)),
            set(VenueColumn::Longitude, position.map(Position::longitude)),
            set(VenueColumn::DirectionX, direction.map(|[x, _, _]| x)),
            set(VenueColumn::DirectionY, direction.map(|[_, y, _]| y)),
            set(VenueColumn::DirectionZ, direction.map(|[_, _, z]| z)),
        ]);
        columns
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        read(row, venue_details)
    }

    fn linked_rows(&self, id: VenueId, rows: &mut InsertBatch) {
        text_rows(self, id, venue_texts(), rows);
        city_rows(self, id, rows);
    }

    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<VenueId>, StoreError> {
        place_list::page(session, query, &EventLinks::of_venues(), venue_texts()).await
    }
}

fn venue_details(row: &Row<'_>) -> Result<VenueDetails, StoreError> {
    let (latitude, longitude): (Option<f64>, Option<f64>) = (
        row.get(VenueColumn::Latitude)?,
        row.get(VenueColumn::Longitude)?,
    );
    Ok(VenueDetails {
        address: row.get(VenueColumn::Address)?,
        city: row.get(VenueColumn::City)?,
        country: row.get(VenueColumn::Country)?,
        province: row.get(VenueColumn::Province)?,
        state: row.get(VenueColumn::State)?,
        stateprovince: row.get(VenueColumn::Stateprovince)?,
        zip: row.get(VenueColumn::Zip)?,
        phone: row.get(VenueColumn::Phone)?,
        website: row.parse_optional(VenueColumn::Website)?,
        show_map: row.get(VenueColumn::ShowMap)?,
        show_map_link: row.get(VenueColumn::ShowMapLink)?,
        position: latitude
            .zip(longitude)
            .map(|(latitude, longitude)| Position::new(latitude, longitude))
            .transpose()
            .map_err(|error| broken_row(row.table, VenueColumn::Latitude, error))?,
    })
}

/// The rows of the folded city in each language that shows one.
fn city_rows(venue: &Venue, id: VenueId, rows: &mut InsertBatch) {
    for language in Language::ALL {
        let city_key = fold(venue.shown_city(language));
        if !city_key.is_empty() {
            rows.push_model(&venue_city::Model {
                venue_id: id.get(),
                language: language.code().to_owned(),
                city_key,
            });
        }
    }
}

/// The tables of the folded fields, of the original and of translations.
fn venue_texts() -> [&'static str; 2] {
    [
        venue_text::Entity.table_name(),
        venue_translation_text::Entity.table_name(),
    ]
}

impl Table for Organizer {
    fn tables() -> Tables {
        Tables::of::<organizer::Entity, organizer_translation::Entity>()
    }

    fn columns(&self) -> Vec<ColumnValue> {
        let OrganizerDetails {
            phone,
            website,
            email,
        } = &self.details;
        let mut columns = shared_columns(self);
        columns.extend([
            set(OrganizerColumn::Phone, phone),
            set(
                OrganizerColumn::Website,
                website.as_ref().map(WebUrl::as_str),
            ),
            set(OrganizerColumn::Email, email),
        ]);
        columns
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        read(row, |row| {
            Ok(OrganizerDetails {
                phone: row.get(OrganizerColumn::Phone)?,
                website: row.parse_optional(OrganizerColumn::Website)?,
                email: row.get(OrganizerColumn::Email)?,
            })
        })
    }

    fn linked_rows(&self, id: OrganizerId, rows: &mut InsertBatch) {
        text_rows(self, id, organizer_texts(), rows);
    }

    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<OrganizerId>, StoreError> {
        place_list::page(
            session,
            query,
            &EventLinks::of_organizers(),
            organizer_texts(),
        )
        .await
    }
}

/// The tables of the folded fields, of the original and of translations.
fn organizer_texts() -> [&'static str; 2] {
    [
        organizer_text::Entity.table_name(),
        organizer_translation_text::Entity.table_name(),
    ]
}

/// The rows of the folded fields in all languages.
fn text_rows<D: Details>(
    place: &Entry<D>,
    id: EntryId<D>,
    [texts, translated_texts]: [&'static str; 2],
    rows: &mut InsertBatch,
) {
    let mut add = |table, language: Option<Language>, fields: Vec<String>| {
        for (position, folded) in (0_i64..).zip(fields) {
            let row = [
                set(PlaceTextColumn::PlaceId, id.get()),
                set(PlaceTextColumn::Position, position),
                set(PlaceTextColumn::Folded, folded),
            ];
            let language = language.map(Language::code);
            let language = language.map(|code| set(PlaceTextColumn::Language, code));
            rows.push(table, row.into_iter().chain(language));
        }
    };
    add(texts, None, folded(place));
    for language in Language::ALL {
        if place.translations.get(language).is_some() {
            let shown = place.clone().localized(language);
            add(translated_texts, Some(language), folded(&shown));
        }
    }
}

/// The folded fields that searches read. Folding long texts takes CPU time.
pub(super) fn folded<D: Details>(entry: &Entry<D>) -> Vec<String> {
    let bytes = entry.description.as_str().len() + entry.excerpt.as_str().len();
    cpu_limiter::run_unlimited(bytes, || entry.folded_fields())
}

/// The columns to write that all entries have.
pub(super) fn shared_columns<D: Details>(entry: &Entry<D>) -> Vec<ColumnValue> {
    let Entry {
        author,
        stage,
        date,
        date_is_chosen,
        published_at,
        modified,
        language,
        translations: _,
        title,
        slug,
        former_slug,
        description,
        excerpt,
        image,
        details: _,
    } = entry;
    vec![
        set(Column::AuthorId, author.get()),
        set(Column::Stage, stage.name()),
        set(Column::DateUtc, date.seconds()),
        set(Column::DateIsChosen, *date_is_chosen),
        set(Column::PublishedUtc, published_at.map(Timestamp::seconds)),
        set(Column::ModifiedUtc, modified.seconds()),
        set(Column::Language, language.code()),
        set(Column::Title, title.as_str()),
        set(Column::TitleKey, fold(title.as_str())),
        set(Column::Slug, slug.as_ref().map(Slug::as_str)),
        set(Column::FormerSlug, former_slug.as_ref().map(Slug::as_str)),
        set(Column::Description, description.as_str()),
        set(Column::Excerpt, excerpt.as_str()),
        set(Column::ImageId, image.map(Id::get)),
    ]
}

/// Reads an entry, without its translations.
pub(super) fn read<D: Details>(
    row: &Row<'_>,
    details: impl FnOnce(&Row<'_>) -> Result<D, StoreError>,
) -> Result<Entry<D>, StoreError> {
    let slug = |column: Column| {
        Ok::<_, StoreError>(row.get::<Option<String>>(column)?.map(Slug::from_stored))
    };
    Ok(Entry {
        author: row.get(Column::AuthorId)?,
        stage: row.word(Column::Stage, |word| word.parse().ok())?,
        date: row.moment(Column::DateUtc)?,
        date_is_chosen: row.get(Column::DateIsChosen)?,
        published_at: row.optional_moment(Column::PublishedUtc)?,
        modified: row.moment(Column::ModifiedUtc)?,
        language: row.parse(Column::Language)?,
        translations: Translations::default(),
        title: row.parse(Column::Title)?,
        slug: slug(Column::Slug)?,
        former_slug: slug(Column::FormerSlug)?,
        description: RichText::from_stored(row.get(Column::Description)?),
        excerpt: RichText::from_stored(row.get(Column::Excerpt)?),
        image: row.get(Column::ImageId)?,
        details: details(row)?,
    })
}
