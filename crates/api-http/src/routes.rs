//! The table of all routes, and the layers around them.

use std::sync::Arc;

use app::term::TermKind;
use axum::{
    Router,
    extract::{Request, State},
    handler::Handler,
    http::Method,
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter, on},
};
use domain::{
    Category, Event, Organizer, Tag, Venue,
    policy::Capability,
    term::{Categories, Tags},
};
use indexmap::IndexMap;
use tower::ServiceBuilder;

use crate::{
    error::ApiError,
    extract::Auth,
    host,
    middleware::{
        access_log,
        allow::{self, AllowedMethods, Right},
        browsers, cors,
        deliver::{self, Delivery},
        method, one_host, request_id, timeout,
    },
    options, pages,
    resources::{
        RestResource, document, images, imports, index, negotiated, occurrences, probes, records,
        secret_feeds, upload,
    },
    site::{self, BasePathPattern, InvalidBasePath, NAMESPACE, is_page},
    state::AppState,
};

/// A route: a method of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method. A `GET` route serves `HEAD`, too.
    pub method: Method,
    /// The pattern of the path: `/cal/events/v1/events/{id}`.
    pub path: String,
}

/// The routes that [`router`] serves in every configuration.
pub fn routes() -> Vec<Route> {
    endpoints()
        .into_iter()
        .map(|endpoint| endpoint.route)
        .collect()
}

/// Parses a further base path of the interface.
///
/// # Errors
///
/// [`InvalidBasePath`] if no request can have the path, or if it hides one of [`routes`].
pub fn parse_base_path(text: &str) -> Result<BasePathPattern, InvalidBasePath> {
    let routes: Vec<_> = routes().into_iter().map(|route| route.path).collect();
    BasePathPattern::parse(text, &routes)
}

/// The service: the interface under its namespace, the pages for people, `/healthz` and `/livez`.
///
/// A program with a login of its own puts an [`Identity`](app::auth::Identity) into the extensions of a
/// request, in a layer around the router; no client can. It takes the place of `Authorization`, on every
/// route. The response to a user is private and never cached; `Identity::ANONYMOUS` makes the router ignore
/// credentials that are meant for the program. Requests that a page of another site may have sent are refused
/// for users, because browsers send cookies by themselves.
///
/// ```
/// use events_calendar_api_http::test_support::Service;
/// use app::{auth::Identity, test_support::{InMemoryStore, add_user}};
/// use axum::{body::Body, http::Request};
/// use domain::Role;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let caller = add_user(&store, "ada", Role::Editor).await;
/// let service = Service::over(store).await;
/// let mut request = Request::get("/cal/events/v1/feeds").body(Body::empty())?;
/// assert_eq!(service.get("/cal/events/v1/feeds").await.status, 401);
/// let name = Some("ada".parse()?);
/// request.extensions_mut().insert(Identity { caller, name, may_write: true });
/// assert_eq!(service.ask(request).await.status, 200);
/// # Ok(())
/// # }
/// ```
pub fn router(state: AppState) -> Router {
    let access_log = state
        .access_log
        .then(|| from_fn_with_state(state.proxies.clone(), access_log::log));
    let delivery = Arc::new(Delivery::new(&state));
    // From the outside to the inside; `middleware` describes each layer.
    let layers = ServiceBuilder::new()
        .layer(from_fn(request_id::name))
        .option_layer(access_log)
        .layer(from_fn(one_host::require))
        .layer(from_fn_with_state(state.trusted.clone(), cors::add_headers))
        .layer(from_fn_with_state(
            state.origins(),
            browsers::mark_cross_site,
        ))
        .layer(from_fn(method::read_heads))
        .layer(from_fn_with_state(delivery, deliver::deliver));
    let routes = by_path()
        .into_iter()
        .fold(Router::new(), |router, (path, endpoints)| {
            router.route(&path, serve(&path, endpoints, &state))
        })
        .fallback(no_route)
        .layer(from_fn_with_state(state.limits, timeout::bound))
        .with_state(state);
    // Outside of the router: `deliver` rewrites paths before a route is chosen.
    Router::new().fallback_service(layers.service(routes))
}

/// A route with its handler and the right that it needs.
struct Endpoint {
    route: Route,
    service: MethodRouter<AppState>,
    right: Right,
}

impl Endpoint {
    /// Sets the right that the route needs.
    fn needing(self, right: Right) -> Self {
        Self { right, ..self }
    }
}

/// The endpoints by path, in the order of the table.
fn by_path() -> IndexMap<String, Vec<Endpoint>> {
    let mut paths: IndexMap<_, Vec<_>> = IndexMap::new();
    for endpoint in endpoints().into_iter().chain(host_endpoints()) {
        let path = endpoint.route.path.clone();
        paths.entry(path).or_default().push(endpoint);
    }
    paths
}

/// The methods of a path, with the response to `OPTIONS` and the `Allow` header.
fn serve(path: &str, endpoints: Vec<Endpoint>, state: &AppState) -> MethodRouter<AppState> {
    let methods = endpoints
        .iter()
        .map(|one| (one.route.method.clone(), one.right));
    let allowed = Arc::new(AllowedMethods {
        methods: methods.collect(),
    });
    let described = (path.to_owned(), Arc::clone(&allowed));
    let describe = async move |State(state): State<AppState>, request: Request| {
        let (path, allowed) = described;
        options::response(&path, &allowed, &state, request).await
    };
    let all = endpoints
        .into_iter()
        .fold(on(MethodFilter::OPTIONS, describe), |all, endpoint| {
            all.merge(endpoint.service)
        })
        .fallback(wrong_method)
        .layer(from_fn_with_state(
            (state.clone(), allowed),
            allow::add_header,
        ));
    if is_page(path) {
        all.layer(from_fn_with_state(state.clone(), host::announce))
    } else {
        all
    }
}

/// A method in the types of requests and of the router.
type Verb = (Method, MethodFilter);

const GET: Verb = (Method::GET, MethodFilter::GET);
const POST: Verb = (Method::POST, MethodFilter::POST);
const PUT: Verb = (Method::PUT, MethodFilter::PUT);
const PATCH: Verb = (Method::PATCH, MethodFilter::PATCH);
const DELETE: Verb = (Method::DELETE, MethodFilter::DELETE);

/// The table of routes.
fn endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        endpoint("/healthz", GET, probes::health),
        endpoint("/livez", GET, probes::live),
        endpoint(format!("/{NAMESPACE}"), GET, index::index),
        endpoint(format!("/{NAMESPACE}/doc"), GET, document::document),
    ];
    endpoints.extend(entries::<Event>());
    let occurrences = format!("{}/{{id}}/occurrences", collection::<Event>());
    endpoints.extend(record::<Event>(&format!("{occurrences}/{{recurrence_id}}")));
    endpoints.push(endpoint(occurrences, GET, occurrences::list));
    endpoints.extend(entries::<Venue>());
    endpoints.extend(entries::<Organizer>());
    endpoints.extend(records::<Category>());
    endpoints.extend(records::<Tag>());
    endpoints.extend([
        endpoint("/", GET, pages::home),
        endpoint("/event/{slug}", GET, pages::event),
        endpoint("/event/{slug}/{day}", GET, pages::event_of_day),
        endpoint("/venue/{slug}", GET, pages::record::<Venue>),
        endpoint("/organizer/{slug}", GET, pages::record::<Organizer>),
        endpoint("/events/category/{*path}", GET, pages::record::<Category>),
        endpoint("/tag/{slug}", GET, pages::record::<Tag>),
        endpoint("/assets/{file}", GET, pages::asset),
    ]);
    let collection = format!("/{NAMESPACE}/images");
    let image = format!("{collection}/{{id}}");
    endpoints.extend([
        endpoint(collection, POST, upload::upload).needing(Right::Can(Capability::Upload)),
        endpoint(image.clone(), GET, images::get),
        endpoint(image.clone(), DELETE, images::delete).needing(Right::change_image()),
        update_image(&image, POST),
        update_image(&image, PUT),
        update_image(&image, PATCH),
        endpoint("/media/{*path}", GET, images::file),
        endpoint(format!("/{NAMESPACE}/imports"), POST, imports::import)
            .needing(Right::Can(Capability::EditOthers)),
    ]);
    let collection = format!("/{NAMESPACE}/feeds");
    let feed = format!("{collection}/{{id}}");
    endpoints.extend([
        endpoint(collection.clone(), GET, secret_feeds::list).needing(Right::LoggedIn),
        endpoint(collection, POST, secret_feeds::create).needing(Right::LoggedIn),
        endpoint(feed.clone(), GET, secret_feeds::get).needing(Right::manage_feed()),
        endpoint(feed, DELETE, secret_feeds::delete).needing(Right::manage_feed()),
    ]);
    endpoints
}

/// The endpoints below the roots of base paths.
fn host_endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        endpoint(site::HOST_ROOT, GET, host::discovery),
        endpoint(of_host("/users/me"), GET, host::me),
        endpoint(of_host("/settings"), GET, host::settings)
            .needing(Right::Can(Capability::ReadSettings)),
        endpoint(of_host("/media"), GET, host::list_media),
        endpoint(of_host("/media"), POST, host::upload_media)
            .needing(Right::Can(Capability::Upload)),
        endpoint(of_host("/media/{id}"), GET, host::get_media),
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
pub(crate) fn routes_of_host() -> impl Iterator<Item = Route> {
    host_endpoints().into_iter().map(|endpoint| endpoint.route)
}

fn of_host(path: &str) -> String {
    format!("{}/{}{path}", site::HOST_ROOT, site::HOST_NAMESPACE)
}

fn entries_of_host<R: RestResource>() -> [Endpoint; 2] {
    let list = of_host(host::path(R::KIND));
    let one = format!("{list}/{{id}}");
    [
        endpoint(list, GET, host::list_entries::<R>),
        endpoint(one, GET, host::get_entry::<R>),
    ]
}

fn terms_of_host<X: TermKind>() -> [Endpoint; 3] {
    let list = of_host(host::path(X::KIND));
    let one = format!("{list}/{{id}}");
    [
        endpoint(list.clone(), GET, host::list_terms::<X>),
        endpoint(list, POST, host::create_term::<X>)
            .needing(Right::Can(Capability::Write(X::KIND))),
        endpoint(one, GET, host::get_term::<X>),
    ]
}

fn endpoint<T: 'static>(
    path: impl Into<String>,
    (method, filter): Verb,
    handler: impl Handler<T, AppState>,
) -> Endpoint {
    Endpoint {
        route: Route {
            method,
            path: path.into(),
        },
        service: on(filter, handler),
        right: Right::Public,
    }
}

fn update_image(path: &str, verb: Verb) -> Endpoint {
    endpoint(path, verb, images::update).needing(Right::change_image())
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
        endpoint(collection.clone(), GET, negotiated::list::<R>),
        endpoint(collection, POST, records::create::<R>)
            .needing(Right::Can(Capability::Write(R::KIND))),
    ];
    endpoints.extend(record::<R>(&by_id));
    endpoints
}

fn collection<R: RestResource>() -> String {
    format!("/{NAMESPACE}/{}", R::KIND.plural())
}

/// The methods of one record.
fn record<R: RestResource>(path: &str) -> [Endpoint; 5] {
    let right = Right::change::<R>();
    let update = |verb| endpoint(path, verb, records::update::<R>).needing(right);
    [
        endpoint(path, GET, negotiated::get::<R>),
        endpoint(path, DELETE, records::delete::<R>).needing(right),
        update(POST),
        update(PUT),
        update(PATCH),
    ]
}

/// Unknown path: 404, or the empty description for `OPTIONS`.
async fn no_route(method: Method) -> Response {
    if method == Method::OPTIONS {
        options::nothing()
    } else {
        ApiError::NoRoute.into_response()
    }
}

/// Known path, unsupported method: 404 `rest_no_route`. The caller is authenticated for the `Allow`
/// header.
async fn wrong_method(_: Result<Auth, ApiError>) -> ApiError {
    ApiError::NoRoute
}
