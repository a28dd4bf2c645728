//! Events and the tables that belong to them.

pub(crate) mod event;
pub(crate) mod event_category;
pub(crate) mod event_in_category;
pub(crate) mod event_organizer;
pub(crate) mod event_remark;
pub(crate) mod event_starts;
pub(crate) mod event_tag;
pub(crate) mod event_ticket;
pub(crate) mod event_translation;
pub(crate) mod event_verification;
pub(crate) mod occurrence;
pub(crate) mod occurrence_in;
pub(crate) mod proposal;
pub(crate) mod series_in;
