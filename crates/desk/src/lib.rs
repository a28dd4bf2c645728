//! The desk of the events calendar: pages on which people sign in with a password and keep events, venues and other records.
//!
//! The pages are rendered by the service, in the language of the person, and work without script. Each right is
//! that of a use case: the desk hides what a person may not do, and the use case refuses it.
//!
//! ```
//! use events_calendar_desk as desk;
//! use app::test_support::InMemoryStore;
//! use http_service::test_support::Service;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let service = Service::over(InMemoryStore::new(), [desk::endpoints()]).await;
//! let page = service.get("/desk/sign-in").await;
//! assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
//! # }
//! ```

#![expect(
    clippy::result_large_err,
    reason = "the error of a handler is the page that says it"
)]

mod account;
mod assets;
mod body;
mod duplicates;
mod event_form;
mod events;
mod fault;
mod feeds;
mod fill;
mod images;
mod imports;
mod list;
mod page;
mod propose;
mod records;
mod request;
mod second_factor;
mod session;
mod sign_in;
mod sign_in_result;
mod site;
mod sources;
mod trail;
mod users;
mod visit;
mod words;

use domain::{Category, Organizer, Tag, Venue};
use http_service::{Endpoint, Endpoints};

use visit::DESK;

/// The pages of the desk.
pub fn endpoints() -> Endpoints {
    let pages = [
        Endpoint::get(DESK, events::mine),
        Endpoint::get("/desk/sign-in", sign_in::page),
        Endpoint::post("/desk/sign-in", sign_in::sign_in),
        Endpoint::get("/desk/sign-in/code", second_factor::page),
        Endpoint::post("/desk/sign-in/code", second_factor::sign_in),
        Endpoint::post("/desk/account/second-factor", second_factor::offer),
        Endpoint::post("/desk/account/second-factor/add", second_factor::add),
        Endpoint::post("/desk/account/second-factor/end", second_factor::end),
        Endpoint::post("/desk/sign-out", sign_in::sign_out),
        Endpoint::get("/desk/invitation/{text}", sign_in::invitation),
        Endpoint::post("/desk/invitation/{text}", sign_in::accept),
        Endpoint::get("/desk/account", account::page),
        Endpoint::post("/desk/account/password", account::change_password),
        Endpoint::post("/desk/account/language", account::change_language),
        Endpoint::post("/desk/account/sessions", account::end_sessions),
        Endpoint::get("/desk/events/{list}", events::list),
        Endpoint::post("/desk/events/{list}", events::act),
        Endpoint::get("/desk/event/new", event_form::new),
        Endpoint::post("/desk/event/new", event_form::create),
        Endpoint::get("/desk/event/fill", fill::page),
        Endpoint::post("/desk/event/fill", fill::read),
        Endpoint::get("/desk/event/{id}", event_form::edit),
        Endpoint::post("/desk/event/{id}", event_form::update),
        Endpoint::get("/desk/event/{id}/dates", event_form::dates),
        Endpoint::post("/desk/event/{id}/dates", event_form::act),
        Endpoint::get("/desk/event/{id}/translations", event_form::translations),
        Endpoint::post("/desk/event/{id}/translations", event_form::translate),
        Endpoint::get("/admin", sign_in::lead_on),
        Endpoint::get("/login", sign_in::lead_on),
        Endpoint::get("/propose", propose::form),
        Endpoint::post("/propose", propose::send),
        Endpoint::get("/propose/{text}", propose::proposal),
        Endpoint::post("/propose/{text}", propose::withdraw),
    ];
    let pages = pages
        .into_iter()
        .chain(records::endpoints::<Venue>())
        .chain(records::endpoints::<Organizer>())
        .chain(records::endpoints::<Category>())
        .chain(records::endpoints::<Tag>())
        .chain(images::endpoints())
        .chain(imports::endpoints())
        .chain(duplicates::endpoints())
        .chain(sources::endpoints())
        .chain(feeds::endpoints())
        .chain(users::endpoints())
        .chain(trail::endpoints())
        .chain(site::endpoints());
    let pages = pages.map(|page| page.wrapped(session::with_session));
    let assets = Endpoint::get("/desk/assets/{file}", assets::asset);
    Endpoints::new(pages.chain([assets]))
}
