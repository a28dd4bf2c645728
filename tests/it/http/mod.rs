//! The interface, request by request.

mod create_event_cost;
mod create_event_dates;
mod create_event_html;
mod create_event_links;
mod create_event_status;
mod create_event_terms;
mod create_event_texts;
mod create_event_zones;
