//! The tables of venues.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{Venue, VenueDetails, VenueId, geo::Position, web_url::WebUrl};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query as Sql, SelectStatement},
};

use super::{
    entry::DetailsTable,
    place::{self, PlaceTable},
    website,
};
use crate::{
    connection::Connection,
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Row, optional_text, text},
};

#[async_trait]
impl DetailsTable for VenueDetails {
    const TABLE: &'static str = "venue";
    const TRANSLATIONS: &'static str = "venue_translation";
    const READ: &'static [&'static str] = &[
        "address",
        "city",
        "country",
        "province",
        "state",
        "stateprovince",
        "zip",
        "phone",
        "website",
        "show_map",
        "show_map_link",
    ];
    const REALS: &'static [&'static str] = &["latitude", "longitude"];

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
            text("address", address),
            text("city", city),
            text("country", country),
            text("province", province),
            text("state", state),
            text("stateprovince", stateprovince),
            text("zip", zip),
            text("phone", phone),
            optional_text("website", website.as_ref().map(WebUrl::as_str)),
            ("show_map", (*show_map).into()),
            ("show_map_link", (*show_map_link).into()),
            ("latitude", position.map(Position::latitude).into()),
            ("longitude", position.map(Position::longitude).into()),
            ("direction_x", direction.map(|[x, _, _]| x).into()),
            ("direction_y", direction.map(|[_, y, _]| y).into()),
            ("direction_z", direction.map(|[_, _, z]| z).into()),
        ]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let (latitude, longitude): (Option<f64>, Option<f64>) =
            (row.get("latitude")?, row.get("longitude")?);
        Ok(Self {
            address: row.get("address")?,
            city: row.get("city")?,
            country: row.get("country")?,
            province: row.get("province")?,
            state: row.get("state")?,
            stateprovince: row.get("stateprovince")?,
            zip: row.get("zip")?,
            phone: row.get("phone")?,
            website: website(row)?,
            show_map: row.get("show_map")?,
            show_map_link: row.get("show_map_link")?,
            position: latitude
                .zip(longitude)
                .map(|(latitude, longitude)| Position::new(latitude, longitude))
                .transpose()
                .map_err(|error| broken_row(row.table, "latitude", error))?,
        })
    }

    fn linked_rows(venue: &Venue, id: VenueId, rows: &mut InsertBatch) {
        place::text_rows(venue, id, rows);
    }

    async fn save_links<C: Connection>(
        session: &Session<C>,
        id: VenueId,
        before: Option<&Venue>,
        after: Option<&Venue>,
    ) -> Result<(), StoreError> {
        place::save_texts(session, id, before, after).await
    }
}

impl PlaceTable for VenueDetails {
    const TEXTS: &'static str = "venue_text";
    const TRANSLATED_TEXTS: &'static str = "venue_translation_text";

    fn linked() -> SelectStatement {
        let venue = Expr::col(("event", "venue_id"));
        Sql::select()
            .from("event")
            .and_where(venue.is_not_null())
            .take()
    }

    fn listed() -> SelectStatement {
        Sql::select()
            .from("event")
            .and_where(Expr::col(("event", "listed")))
            .and_where(Expr::col(("event", "password_hash")).is_null())
            .take()
    }

    fn linked_id() -> (&'static str, &'static str) {
        ("event", "venue_id")
    }
}
