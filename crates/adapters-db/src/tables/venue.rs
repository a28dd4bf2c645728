//! The tables of venues.

use app::ports::StoreError;
use domain::{Venue, VenueDetails, VenueId, geo::Position, web_url::WebUrl};
use sea_orm::{
    ColumnTrait, DynIden, ExprTrait,
    sea_query::{Expr, SelectStatement},
};

use super::{
    entry::DetailsTable,
    place::{self, PlaceTable},
};
use crate::{
    entity::{
        event,
        venue::{self, Column},
        venue_text, venue_translation, venue_translation_text,
    },
    error::broken_row,
    sql::{ColumnValue, InsertBatch, Row, from, set},
};

impl DetailsTable for VenueDetails {
    type Entity = venue::Entity;
    type Translations = venue_translation::Entity;

    fn columns(venue: &Venue) -> Vec<ColumnValue> {
        let Self {
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
        } = &venue.details;
        let direction = position.map(Position::direction);
        vec![
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
        ]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let (latitude, longitude): (Option<f64>, Option<f64>) =
            (row.get(Column::Latitude)?, row.get(Column::Longitude)?);
        Ok(Self {
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

    fn linked_rows(venue: &Venue, id: VenueId, rows: &mut InsertBatch) {
        place::text_rows(venue, id, rows);
    }
}

impl PlaceTable for VenueDetails {
    type Texts = venue_text::Entity;
    type TranslatedTexts = venue_translation_text::Entity;

    fn linked() -> SelectStatement {
        let venue = Expr::col((event::Entity, event::Column::VenueId));
        from(event::Entity).and_where(venue.is_not_null()).take()
    }

    fn listed() -> SelectStatement {
        from(event::Entity)
            .and_where(Expr::col((event::Entity, event::Column::Listed)))
            .and_where(Expr::col((event::Entity, event::Column::PasswordHash)).is_null())
            .take()
    }

    fn linked_id() -> (DynIden, DynIden) {
        event::Column::VenueId.as_column_ref()
    }
}
