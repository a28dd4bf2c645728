//! The interface, request by request.

mod create_event_cost;
mod create_event_dates;
mod create_event_html;
mod create_event_links;
mod create_event_status;
mod create_event_terms;
mod create_event_texts;
mod create_event_zones;
mod delete_event;
mod get_event;
mod guesses;
mod organizers;
mod places;
mod places_list;
mod places_read;
mod places_rights;
mod places_write;
mod records;
mod term_names;
mod update_event;
mod update_event_rights;
mod update_event_times;
mod venues;
