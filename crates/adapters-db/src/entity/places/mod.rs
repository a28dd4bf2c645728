//! Venues and organizers.

pub(crate) mod organizer;
pub(crate) mod organizer_text;
pub(crate) mod organizer_translation;
pub(crate) mod organizer_translation_text;
pub(crate) mod venue;
pub(crate) mod venue_city;
pub(crate) mod venue_text;
pub(crate) mod venue_translation;
pub(crate) mod venue_translation_text;
