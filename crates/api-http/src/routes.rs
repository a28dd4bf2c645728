//! The table of all routes.

use std::sync::Arc;

use app::term::TermKind;
use axum::{Router, http::HeaderMap};
use domain::{
    Category, Event, Organizer, Tag, Venue,
    policy::Capability,
    term::{Categories, Tags},
    time::Timestamp,
};
#[cfg(test)]
use http_service::Route;
use http_service::{
    AppState, Endpoint, Endpoints, NAMESPACE, Right,
    site::{self, Site},
};
use serde_json::Value;

use crate::{
    describe::{Document, document_asset, index::Namespace},
    extract::RequestContext,
    host,
    resources::{
        RestResource, audit, changes, document, duplicates, images, imports, index, negotiated,
        occurrences, probes, records, revisions, secret_feeds, sources, upload,
    },
};

/// The endpoints of the REST interface under its namespace, with those of the host, `/media`, `/healthz`,
/// `/livez` and `/readyz`.
pub fn endpoints() -> Endpoints {
    let endpoints = calendar_endpoints().into_iter().chain(host_endpoints());
    Endpoints::new(endpoints).described_by(describe)
}

/// The service with the REST interface alone. [`http_service::router`] serves it beside other adapters.
pub fn router(state: AppState) -> Router {
    http_service::router(state, [endpoints()])
}

/// The description of a path. Only the namespace and the host interface have descriptions.
fn describe(path: &str, site: &Site, now: Timestamp) -> Option<Value> {
    match path.strip_prefix(&format!("/{NAMESPACE}")) {
        Some(path) => Namespace::of_calendar(site, now).route(path),
        None => host::route(path, site, now),
    }
}

/// The endpoints of the calendar itself.
fn calendar_endpoints() -> Vec<Endpoint> {
    let documents = Arc::<Document>::default();
    let document = async move |headers: HeaderMap, context: RequestContext| {
        document::document(&documents, &headers, &context)
    };
    let mut endpoints = vec![
        Endpoint::get("/healthz", probes::health),
        Endpoint::get("/livez", probes::live),
        Endpoint::get("/readyz", probes::ready),
        Endpoint::get(format!("/{NAMESPACE}"), index::index),
        Endpoint::get(format!("/{NAMESPACE}/doc"), document),
        Endpoint::get("/assets/doc/{file}", document_asset),
        Endpoint::get(format!("/{NAMESPACE}/changes"), changes::list),
    ];
    endpoints.extend(entries::<Event>());
    let occurrences = format!("{}/{{id}}/occurrences", collection::<Event>());
    endpoints.extend(record::<Event>(&format!("{occurrences}/{{recurrence_id}}")));
    endpoints.push(Endpoint::get(occurrences, occurrences::list));
    let verified = format!("{}/{{id}}/verify", collection::<Event>());
    let verify = Endpoint::post(verified, records::verify).needing(Right::change::<Event>());
    endpoints.push(verify);
    endpoints.extend(entries::<Venue>());
    endpoints.extend(entries::<Organizer>());
    endpoints.extend(records::<Category>());
    endpoints.extend(records::<Tag>());
    let collection = format!("/{NAMESPACE}/images");
    let image = format!("{collection}/{{id}}");
    endpoints.extend([
        Endpoint::post(collection, upload::upload).needing(Right::Can(Capability::Upload)),
        Endpoint::get(image.clone(), images::get),
        Endpoint::delete(image.clone(), images::delete).needing(Right::change_image()),
        Endpoint::post(image.clone(), images::update).needing(Right::change_image()),
        Endpoint::put(image.clone(), images::update).needing(Right::change_image()),
        Endpoint::patch(image, images::update).needing(Right::change_image()),
        Endpoint::get("/media/{*path}", images::file),
        Endpoint::post(format!("/{NAMESPACE}/imports"), imports::import)
            .needing(Right::Can(Capability::EditOthers)),
    ]);
    let collection = format!("/{NAMESPACE}/feeds");
    let feed = format!("{collection}/{{id}}");
    endpoints.extend([
        Endpoint::get(collection.clone(), secret_feeds::list).needing(Right::LoggedIn),
        Endpoint::post(collection, secret_feeds::create).needing(Right::LoggedIn),
        Endpoint::get(feed.clone(), secret_feeds::get).needing(Right::manage_feed()),
        Endpoint::delete(feed, secret_feeds::delete).needing(Right::manage_feed()),
    ]);
    endpoints.extend(source_endpoints());
    endpoints.extend(duplicate_endpoints());
    endpoints.push(
        Endpoint::get(format!("/{NAMESPACE}/audit"), audit::list)
            .needing(Right::Can(Capability::ReadAudit)),
    );
    endpoints
}

/// The endpoints of sources.
fn source_endpoints() -> [Endpoint; 10] {
    const READ: Right = Right::Can(Capability::EditOthers);
    const WRITE: Right = Right::Can(Capability::ManageSources);
    let collection = format!("/{NAMESPACE}/sources");
    let source = format!("{collection}/{{id}}");
    let order = |name: &str| format!("{source}/{name}");
    [
        Endpoint::get(collection.clone(), sources::list).needing(READ),
        Endpoint::post(collection, sources::create).needing(WRITE),
        Endpoint::get(source.clone(), sources::get).needing(READ),
        Endpoint::post(source.clone(), sources::update).needing(WRITE),
        Endpoint::put(source.clone(), sources::update).needing(WRITE),
        Endpoint::patch(source.clone(), sources::update).needing(WRITE),
        Endpoint::delete(source.clone(), sources::delete).needing(WRITE),
        Endpoint::post(order("run"), sources::run).needing(READ),
        Endpoint::post(order("pause"), sources::pause).needing(WRITE),
        Endpoint::post(order("resume"), sources::resume).needing(WRITE),
    ]
}

/// The endpoints of pairs of records that look alike.
fn duplicate_endpoints() -> [Endpoint; 4] {
    const RIGHT: Right = Right::Can(Capability::EditOthers);
    let collection = format!("/{NAMESPACE}/duplicates");
    let order = |name: &str| format!("{collection}/{{id}}/{name}");
    [
        Endpoint::get(collection.clone(), duplicates::list).needing(RIGHT),
        Endpoint::post(order("merge"), duplicates::merge).needing(RIGHT),
        Endpoint::post(order("dismiss"), duplicates::dismiss).needing(RIGHT),
        Endpoint::post(order("undo"), duplicates::undo).needing(RIGHT),
    ]
}

/// The endpoints below the roots of base paths.
fn host_endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        Endpoint::get(site::HOST_ROOT, host::discovery),
        Endpoint::get(of_host("/users/me"), host::me),
        Endpoint::get(of_host("/settings"), host::settings)
            .needing(Right::Can(Capability::ReadSettings)),
        Endpoint::get(of_host("/media"), host::list_media),
        Endpoint::post(of_host("/media"), host::upload_media)
            .needing(Right::Can(Capability::Upload)),
        Endpoint::get(of_host("/media/{id}"), host::get_media),
    ];
    endpoints.extend(entries_of_host::<Event>());
    endpoints.extend(entries_of_host::<Venue>());
    endpoints.extend(entries_of_host::<Organizer>());
    endpoints.extend(terms_of_host::<Categories>());
    endpoints.extend(terms_of_host::<Tags>());
    endpoints
}

/// The routes of [`host_endpoints`].
#[cfg(test)]
pub(crate) fn routes_of_host() -> Vec<Route> {
    let endpoints = host_endpoints();
    endpoints.iter().map(|one| one.route().clone()).collect()
}

fn of_host(path: &str) -> String {
    format!("{}/{}{path}", site::HOST_ROOT, site::HOST_NAMESPACE)
}

fn entries_of_host<R: RestResource>() -> [Endpoint; 2] {
    let list = of_host(host::path(R::KIND));
    let one = format!("{list}/{{id}}");
    [
        Endpoint::get(list, host::list_entries::<R>),
        Endpoint::get(one, host::get_entry::<R>),
    ]
}

fn terms_of_host<X: TermKind>() -> [Endpoint; 3] {
    let list = of_host(host::path(X::KIND));
    let one = format!("{list}/{{id}}");
    [
        Endpoint::get(list.clone(), host::list_terms::<X>),
        Endpoint::post(list, host::create_term::<X>)
            .needing(Right::Can(Capability::Write(X::KIND))),
        Endpoint::get(one, host::get_term::<X>),
    ]
}

/// The routes of a kind whose records have slugs.
fn entries<R: RestResource>() -> Vec<Endpoint> {
    let by_slug = format!("{}/by-slug/{{slug}}", collection::<R>());
    let mut endpoints = records::<R>();
    endpoints.extend(record::<R>(&by_slug));
    endpoints
}

/// The routes of a kind.
fn records<R: RestResource>() -> Vec<Endpoint> {
    let collection = collection::<R>();
    let by_id = format!("{collection}/{{id}}");
    let mut endpoints = vec![
        Endpoint::get(collection.clone(), negotiated::list::<R>),
        Endpoint::post(collection, records::create::<R>)
            .needing(Right::Can(Capability::Write(R::KIND))),
    ];
    endpoints.extend(record::<R>(&by_id));
    let (all, right) = (format!("{by_id}/revisions"), Right::change::<R>());
    let restore = format!("{all}/{{n}}/restore");
    endpoints.extend([
        Endpoint::get(all, revisions::list::<R>).needing(right),
        Endpoint::post(restore, revisions::restore::<R>).needing(right),
    ]);
    endpoints
}

fn collection<R: RestResource>() -> String {
    format!("/{NAMESPACE}/{}", R::KIND.plural())
}

/// The methods of one record.
fn record<R: RestResource>(path: &str) -> [Endpoint; 5] {
    let right = Right::change::<R>();
    [
        Endpoint::get(path, negotiated::get::<R>),
        Endpoint::delete(path, records::delete::<R>).needing(right),
        Endpoint::post(path, records::update::<R>).needing(right),
        Endpoint::put(path, records::update::<R>).needing(right),
        Endpoint::patch(path, records::update::<R>).needing(right),
    ]
}
