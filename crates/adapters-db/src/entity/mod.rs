//! The SeaORM entities: the only place that spells the names of tables and columns.
//!
//! The `Model` of events, venues, organizers, categories, tags and their translations is only a list
//! of columns. `tables` reads such a record with its translations and links as JSON in one
//! statement, so that all parts belong to one snapshot, and writes them in one batch.
//!
//! A test compares every entity with the migrated schema of both databases.

mod accounts;
mod audit;
mod changes;
mod duplicates;
mod events;
mod places;
mod search;
mod storage;
mod terms;

pub(crate) use accounts::*;
pub(crate) use audit::*;
pub(crate) use changes::*;
pub(crate) use duplicates::*;
pub(crate) use events::*;
pub(crate) use places::*;
pub(crate) use search::*;
pub(crate) use storage::*;
pub(crate) use terms::*;

use sea_orm::{
    ColumnTrait, ColumnType, DbBackend, EntityTrait, IdenStatic, Iterable, PrimaryKeyToColumn,
};

/// The names that every entity uses.
mod prelude {
    pub(crate) use sea_orm::entity::prelude::*;

    /// The relations of an entity that declares none.
    #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}
}

/// The columns that the tables of all kinds of records share.
pub(crate) type RecordColumn = event::Column;
/// The columns that the tables of events, venues and organizers share.
pub(crate) type EntryColumn = event::Column;
/// The columns that the tables of categories and tags share.
pub(crate) type TermColumn = category::Column;
/// The columns that the tables of translations share.
pub(crate) type TranslationColumn = event_translation::Column;
/// The columns that the tables between events and other records share.
pub(crate) type LinkColumn = event_category::Column;
/// The columns that the tables of the folded fields of places share.
pub(crate) type PlaceTextColumn = venue_translation_text::Column;

/// A column as an entity declares it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct EntityColumn {
    pub table: &'static str,
    pub column: &'static str,
    pub kind: ColumnType,
    pub nullable: bool,
    pub primary_key: bool,
}

/// Lists the columns of all entities that a database has.
#[doc(hidden)]
#[must_use]
pub fn entity_columns(backend: DbBackend) -> Vec<EntityColumn> {
    macro_rules! columns {
        ($($entity:ident),* $(,)?) => { [$(columns_of::<$entity::Entity>()),*].concat() };
    }
    let shared = columns![
        account,
        account_invitation,
        account_password,
        account_second_factor,
        account_token,
        audit_entry,
        browser_session,
        category,
        category_path,
        category_translation,
        duplicate,
        duplicate_moved,
        event,
        event_category,
        event_in_category,
        event_organizer,
        event_remark,
        event_starts,
        event_tag,
        event_ticket,
        event_tombstone,
        event_translation,
        event_verification,
        feed,
        former_slug,
        idempotency_key,
        image,
        image_name,
        import_row,
        import_source,
        journal,
        occurrence,
        occurrence_in,
        organizer,
        organizer_text,
        organizer_translation,
        organizer_translation_text,
        proposal,
        search_posting,
        search_suffix,
        search_waiting,
        series_in,
        setting,
        site_setting,
        slug,
        source,
        tag,
        tag_translation,
        venue,
        venue_city,
        venue_text,
        venue_translation,
        venue_translation_text,
        zone_move,
    ];
    let own = if backend == DbBackend::Postgres {
        columns![change_postgres, change_pruned, journal_end]
    } else {
        columns![change_sqlite]
    };
    [shared, own].concat()
}

fn columns_of<E: EntityTrait>() -> Vec<EntityColumn> {
    let declared = |column: E::Column| EntityColumn {
        table: E::default().table_name(),
        column: column.as_str(),
        kind: column.def().get_column_type().clone(),
        nullable: column.def().is_null(),
        primary_key: E::PrimaryKey::from_column(column).is_some(),
    };
    E::Column::iter().map(declared).collect()
}
