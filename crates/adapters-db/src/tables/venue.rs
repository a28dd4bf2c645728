//! The tables of venues.

use app::ports::StoreError;
use domain::{
    Language, Venue, VenueDetails, VenueId, geo::Position, page::Page, query::Query, text::fold,
    web_url::WebUrl,
};
use sea_orm::{ColumnTrait, EntityName, ExprTrait, sea_query::Expr};

use super::{
    Table, Tables, entry,
    place::{self, EventLinks},
};
use crate::{
    entity::{
        event,
        venue::{self, Column},
        venue_city, venue_text, venue_translation, venue_translation_text,
    },
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Row, from, set},
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
        let mut columns = entry::columns(self);
        columns.extend([
            set(Column::Address, address),
            set(Column::City, city),
            set(Column::Country, country),
            set(Column::Province, province),
            set(Column::State, state),
            set(Column::Stateprovince, stateprovince),
            set(Column::Zip, zip),
            set(Column::Phone, phone),
            set(Column::Website, website.as_ref().map(WebUrl::as_str)),
            set(Column::ShowMap, *show_map),
            set(Column::ShowMapLink, *show_map_link),
            set(Column::Latitude, position.map(Position::latitude)),
            set(Column::Longitude, position.map(Position::longitude)),
            set(Column::DirectionX, direction.map(|[x, _, _]| x)),
            set(Column::DirectionY, direction.map(|[_, y, _]| y)),
            set(Column::DirectionZ, direction.map(|[_, _, z]| z)),
        ]);
        columns
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        entry::read(row, details)
    }

    fn linked_rows(&self, id: VenueId, rows: &mut InsertBatch) {
        place::text_rows(self, id, texts(), rows);
        city_rows(self, id, rows);
    }

    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<VenueId>, StoreError> {
        place::page(session, query, &links(), texts()).await
    }
}

fn details(row: &Row<'_>) -> Result<VenueDetails, StoreError> {
    let (latitude, longitude): (Option<f64>, Option<f64>) =
        (row.get(Column::Latitude)?, row.get(Column::Longitude)?);
    Ok(VenueDetails {
        address: row.get(Column::Address)?,
        city: row.get(Column::City)?,
        country: row.get(Column::Country)?,
        province: row.get(Column::Province)?,
        state: row.get(Column::State)?,
        stateprovince: row.get(Column::Stateprovince)?,
        zip: row.get(Column::Zip)?,
        phone: row.get(Column::Phone)?,
        website: row.parse_optional(Column::Website)?,
        show_map: row.get(Column::ShowMap)?,
        show_map_link: row.get(Column::ShowMapLink)?,
        position: latitude
            .zip(longitude)
            .map(|(latitude, longitude)| Position::new(latitude, longitude))
            .transpose()
            .map_err(|error| broken_row(row.table, Column::Latitude, error))?,
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
fn texts() -> [&'static str; 2] {
    [
        venue_text::Entity.table_name(),
        venue_translation_text::Entity.table_name(),
    ]
}

/// The links between events and venues.
fn links() -> EventLinks {
    let event = |column: event::Column| Expr::col((event::Entity, column));
    EventLinks {
        all: from(event::Entity)
            .and_where(event(event::Column::VenueId).is_not_null())
            .take(),
        listed: from(event::Entity)
            .and_where(event(event::Column::Listed))
            .and_where(event(event::Column::PasswordHash).is_null())
            .take(),
        id: event::Column::VenueId.as_column_ref(),
    }
}
