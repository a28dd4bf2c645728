//! HTML pages of the events calendar, to which the `url` of a record leads.
//!
//! They show public content, in the language of the path (`/fr/event/…`) or of the site. They need
//! no script and load nothing from other hosts. A browser gets a page instead of a JSON error where a
//! path has no route.
//!
//! [`endpoints`] are served beside those of other adapters, such as `api-http`:
//!
//! ```
//! use events_calendar_pages as pages;
//! use app::test_support::InMemoryStore;
//! use http_service::test_support::Service;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let service = Service::over(InMemoryStore::new(), [pages::endpoints()]).await;
//! let home = service.get("/fr").await;
//! assert_eq!((home.status, home.header("content-language")), (200, "fr"));
//! # }
//! ```

mod address;
mod assets;
mod calendar_links;
mod content;
mod crawlers;
mod dates;
mod event;
mod files;
mod finding;
mod home;
mod index;
mod listing;
mod old_addresses;
mod place;
mod record;
mod request;
mod term;
mod views;
mod words;

use domain::{Category, Organizer, Tag, Venue};
use http_service::{Endpoint, Endpoints, site::SITEMAP};

/// The pages, the page of a 404, and previews of the pages of events.
pub fn endpoints() -> Endpoints {
    let pages = [
        Endpoint::get("/", home::home),
        Endpoint::get("/event/{slug}", event::event),
        Endpoint::post("/event/{slug}", event::unlock),
        Endpoint::get("/event/{slug}/{day}", event::event_of_day),
        Endpoint::get("/venue/{slug}", record::record::<Venue>),
        Endpoint::get("/organizer/{slug}", record::record::<Organizer>),
        Endpoint::get("/events/category/{*path}", record::record::<Category>),
        Endpoint::get("/tag/{slug}", record::record::<Tag>),
        Endpoint::get("/events/list", views::view),
        Endpoint::get("/events/past", views::view),
        Endpoint::get("/events/month", views::view),
        Endpoint::get("/events/month/{date}", views::view),
        Endpoint::get("/events/week", views::view),
        Endpoint::get("/events/week/{date}", views::view),
        Endpoint::get("/events/day", views::view),
        Endpoint::get("/events/day/{date}", views::view),
        Endpoint::get("/embed/list", views::embedded),
        Endpoint::get("/embed/month", views::embedded),
        Endpoint::get("/embed/month/{date}", views::embedded),
        Endpoint::get("/events", old_addresses::moved),
        Endpoint::get("/events/{*rest}", old_addresses::moved),
        Endpoint::get("/series/{slug}", old_addresses::moved),
        Endpoint::get("/venues", index::index::<Venue>),
        Endpoint::get("/organizers", index::index::<Organizer>),
        Endpoint::get("/categories", index::index::<Category>),
        Endpoint::get("/tags", index::index::<Tag>),
        Endpoint::get("/assets/{file}", assets::asset),
        Endpoint::get("/robots.txt", crawlers::robots),
        Endpoint::get(SITEMAP, crawlers::sitemap),
        Endpoint::get("/sitemap/{file}", crawlers::sitemap_file),
    ];
    Endpoints::new(pages)
        .with_not_found_page(request::not_found)
        .with_event_preview(event::preview)
}
