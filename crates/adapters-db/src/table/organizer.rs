//! The tables of organizers.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{
    Organizer, OrganizerDetails, OrganizerId,
    page::Page,
    query::{PlaceFilter, Query},
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query as Sql, SelectStatement},
};

use super::{
    Column,
    entry::DetailsTable,
    optional_text,
    place::{self, PlaceTable},
    text, website,
};
use crate::{
    over::{Connection, Over},
    row::Row,
    rows::Rows,
};

#[async_trait]
impl DetailsTable for OrganizerDetails {
    const TABLE: &'static str = "organizer";
    const TRANSLATIONS: &'static str = "organizer_translation";
    const READ: &'static [&'static str] = &["phone", "website", "email"];

    fn columns(organizer: &Organizer) -> Vec<Column> {
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

    async fn page<C: Connection>(
        over: &Over<C>,
        query: &Query<PlaceFilter<Self>>,
    ) -> Result<Page<OrganizerId>, StoreError> {
        over.page_of(query.page, place::list(query)).await
    }

    fn linked_rows(organizer: &Organizer, id: OrganizerId, rows: &mut Rows) {
        place::text_rows(organizer, id, rows);
    }

    async fn save_links<C: Connection>(
        over: &Over<C>,
        id: OrganizerId,
        before: Option<&Organizer>,
        after: Option<&Organizer>,
    ) -> Result<(), StoreError> {
        place::save_texts(over, id, before, after).await
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
