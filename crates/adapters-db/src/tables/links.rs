//! The tables that link events with other records.

use migration::Histogram;
use sea_orm::{DynIden, EntityName, sea_query::IntoIden};

use crate::entity::{LinkColumn, event_category, event_in_category, event_organizer, event_tag};

/// A table that links events with other records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// The categories of an event.
    Categories,
    /// The categories of an event and all their ancestors.
    InCategories,
    Tags,
    Organizers,
}

impl Links {
    /// Name of the table.
    pub(crate) fn table(self) -> &'static str {
        match self {
            Self::Categories => event_category::Entity.table_name(),
            Self::InCategories => event_in_category::Entity.table_name(),
            Self::Tags => event_tag::Entity.table_name(),
            Self::Organizers => event_organizer::Entity.table_name(),
        }
    }

    /// The column with the ID of the linked record.
    pub(crate) fn column(self) -> DynIden {
        match self {
            Self::Organizers => event_organizer::Column::PlaceId.into_iden(),
            Self::Categories | Self::InCategories | Self::Tags => LinkColumn::TermId.into_iden(),
        }
    }

    /// The histogram of the events of each linked record.
    pub(crate) fn histogram(self) -> Histogram {
        match self {
            Self::Categories | Self::InCategories => Histogram::CATEGORY,
            Self::Tags => Histogram::TAG,
            Self::Organizers => Histogram::ORGANIZER,
        }
    }
}
