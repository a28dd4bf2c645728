//! The tables of organizers.

use app::ports::StoreError;
use domain::{Organizer, OrganizerDetails, OrganizerId, web_url::WebUrl};
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
        event, event_organizer,
        organizer::{self, Column},
        organizer_text, organizer_translation, organizer_translation_text,
    },
    sql::{ColumnValue, InsertBatch, Row, from, set},
};

impl DetailsTable for OrganizerDetails {
    type Entity = organizer::Entity;
    type Translations = organizer_translation::Entity;

    fn columns(organizer: &Organizer) -> Vec<ColumnValue> {
        let Self {
            phone,
            website,
            email,
        } = &organizer.details;
        vec![
            set(Column::Phone, phone),
            set(Column::Website, website.as_ref().map(WebUrl::as_str)),
            set(Column::Email, email),
        ]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            phone: row.get(Column::Phone)?,
            website: row.parse_optional(Column::Website)?,
            email: row.get(Column::Email)?,
        })
    }

    fn linked_rows(organizer: &Organizer, id: OrganizerId, rows: &mut InsertBatch) {
        place::text_rows(organizer, id, rows);
    }
}

impl PlaceTable for OrganizerDetails {
    type Texts = organizer_text::Entity;
    type TranslatedTexts = organizer_translation_text::Entity;

    fn linked() -> SelectStatement {
        let same = Expr::col((event_organizer::Entity, event_organizer::Column::EventId))
            .equals((event::Entity, event::Column::Id));
        from(event_organizer::Entity)
            .inner_join(event::Entity, same)
            .take()
    }

    fn listed() -> SelectStatement {
        from(event_organizer::Entity)
            .and_where(Expr::col((
                event_organizer::Entity,
                event_organizer::Column::Listed,
            )))
            .take()
    }

    fn linked_id() -> (DynIden, DynIden) {
        event_organizer::Column::PlaceId.as_column_ref()
    }
}
