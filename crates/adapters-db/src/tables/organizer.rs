//! The tables of organizers.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{Organizer, OrganizerDetails, OrganizerId, web_url::WebUrl};
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
    session::Session,
    sql::{ColumnValue, InsertBatch, Row, optional_text, text},
};

#[async_trait]
impl DetailsTable for OrganizerDetails {
    const TABLE: &'static str = "organizer";
    const TRANSLATIONS: &'static str = "organizer_translation";
    const READ: &'static [&'static str] = &["phone", "website", "email"];

    fn columns(organizer: &Organizer) -> Vec<ColumnValue> {
        let Self {
            phone,
            website,
            email,
        } = &organizer.details;
        vec![
            text("phone", phone),
            optional_text("website", website.as_ref().map(WebUrl::as_str)),
            text("email", email),
        ]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            phone: row.get("phone")?,
            website: website(row)?,
            email: row.get("email")?,
        })
    }

    fn linked_rows(organizer: &Organizer, id: OrganizerId, rows: &mut InsertBatch) {
        place::text_rows(organizer, id, rows);
    }

    async fn save_links<C: Connection>(
        session: &Session<C>,
        id: OrganizerId,
        before: Option<&Organizer>,
        after: Option<&Organizer>,
    ) -> Result<(), StoreError> {
        place::save_texts(session, id, before, after).await
    }
}

impl PlaceTable for OrganizerDetails {
    const TEXTS: &'static str = "organizer_text";
    const TRANSLATED_TEXTS: &'static str = "organizer_translation_text";

    fn linked() -> SelectStatement {
        let same = Expr::col(("event_organizer", "event_id")).equals(("event", "id"));
        Sql::select()
            .from("event_organizer")
            .inner_join("event", same)
            .take()
    }

    fn listed() -> SelectStatement {
        Sql::select()
            .from("event_organizer")
            .and_where(Expr::col(("event_organizer", "listed")))
            .take()
    }

    fn linked_id() -> (&'static str, &'static str) {
        ("event_organizer", "place_id")
    }
}
