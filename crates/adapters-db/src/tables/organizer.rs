//! The tables of organizers.

use app::ports::StoreError;
use domain::{Organizer, OrganizerDetails, OrganizerId, page::Page, query::Query, web_url::WebUrl};
use sea_orm::{ColumnTrait, EntityName, ExprTrait, sea_query::Expr};

use super::{
    Table, Tables, entry,
    place::{self, EventLinks},
};
use crate::{
    entity::{
        event, event_organizer,
        organizer::{self, Column},
        organizer_text, organizer_translation, organizer_translation_text,
    },
    session::Session,
    sql::{ColumnValue, InsertBatch, Row, from, set},
};

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
        let mut columns = entry::columns(self);
        columns.extend([
            set(Column::Phone, phone),
            set(Column::Website, website.as_ref().map(WebUrl::as_str)),
            set(Column::Email, email),
        ]);
        columns
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        entry::read(row, |row| {
            Ok(OrganizerDetails {
                phone: row.get(Column::Phone)?,
                website: row.parse_optional(Column::Website)?,
                email: row.get(Column::Email)?,
            })
        })
    }

    fn linked_rows(&self, id: OrganizerId, rows: &mut InsertBatch) {
        place::text_rows(self, id, texts(), rows);
    }

    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<OrganizerId>, StoreError> {
        place::page(session, query, &links(), texts()).await
    }
}

/// The tables of the folded fields, of the original and of translations.
fn texts() -> [&'static str; 2] {
    [
        organizer_text::Entity.table_name(),
        organizer_translation_text::Entity.table_name(),
    ]
}

/// The links between events and organizers.
fn links() -> EventLinks {
    let link = |column: event_organizer::Column| Expr::col((event_organizer::Entity, column));
    let same = link(event_organizer::Column::EventId).equals((event::Entity, event::Column::Id));
    EventLinks {
        all: from(event_organizer::Entity)
            .inner_join(event::Entity, same)
            .take(),
        listed: from(event_organizer::Entity)
            .and_where(link(event_organizer::Column::Listed))
            .take(),
        id: event_organizer::Column::PlaceId.as_column_ref(),
    }
}
