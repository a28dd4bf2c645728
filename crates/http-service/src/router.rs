//! The router of endpoints, and the layers around them.

use std::sync::Arc;

use app::audit::Actor;
use axum::{
    Router,
    extract::{Request, State},
    http::Method,
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter, on},
};
use indexmap::IndexMap;
use tower::ServiceBuilder;

use crate::{
    endpoint::{Describe, Endpoint, Endpoints, NotFoundPage},
    error::ApiError,
    extract::Auth,
    limits::Proxies,
    middleware::{
        access_log,
        allow::{self, AllowedMethods},
        announce, browsers, cors,
        deliver::{self, Delivery},
        measure::Measure,
        method, one_host, request_id, timeout,
    },
    options,
    response::RouteTemplate,
    site::{BasePathPattern, InvalidBasePath, is_page},
    state::{AppState, EventPreview},
};

/// Parses a further base path of the interface of a service with these endpoints.
///
/// # Errors
///
/// [`InvalidBasePath`] if no request can have the path, or if it hides one of the
/// [routes](Endpoints::routes).
pub fn parse_base_path(
    text: &str,
    served: &[Endpoints],
) -> Result<BasePathPattern, InvalidBasePath> {
    let routes = served.iter().flat_map(Endpoints::routes);
    let routes: Vec<_> = routes.map(|route| route.path.clone()).collect();
    BasePathPattern::parse(text, &routes)
}

/// The service: the endpoints of one or several adapters.
///
/// A program with a login of its own puts an [`Identity`](app::auth::Identity) into the extensions of a
/// request, in a layer around the router; no client can. It takes the place of `Authorization`, on every
/// route. The response to a user is private and never cached; `Identity::ANONYMOUS` makes the router ignore
/// credentials that are meant for the program. Requests that a page of another site may have sent are refused
/// for users, because browsers send cookies by themselves.
///
/// ```
/// use events_calendar_http_service::test_support::Service;
/// use app::{auth::Identity, test_support::{InMemoryStore, add_user}};
/// use axum::{body::Body, http::Request};
/// use domain::Role;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let caller = add_user(&store, "ada", Role::Editor).await;
/// let service = Service::over(store, [api_http::endpoints()]).await;
/// let mut request = Request::get("/cal/events/v1/feeds").body(Body::empty())?;
/// assert_eq!(service.get("/cal/events/v1/feeds").await.status, 401);
/// let name = Some("ada".parse()?);
/// request.extensions_mut().insert(Identity { caller, name, may_write: true });
/// assert_eq!(service.ask(request).await.status, 200);
/// # Ok(())
/// # }
/// ```
///
/// # Panics
///
/// If two endpoints have the same route.
pub fn router(mut state: AppState, served: impl IntoIterator<Item = Endpoints>) -> Router {
    let served = Served::new(served);
    state.event_preview = served.event_preview;
    let access_log = state
        .access_log
        .then(|| from_fn_with_state(state.proxies.clone(), access_log::log));
    let measure = state.is_measured.then(Measure::new);
    let delivery = Arc::new(Delivery::new(&state, served.not_found_page));
    // From the outside to the inside; `middleware` describes each layer.
    let layers = ServiceBuilder::new()
        .layer(from_fn(request_id::name))
        .option_layer(access_log)
        .option_layer(measure)
        .layer(from_fn(one_host::require))
        .layer(from_fn_with_state(state.trusted.clone(), cors::add_headers))
        .layer(from_fn_with_state(
            state.origins(),
            browsers::mark_cross_site,
        ))
        .layer(from_fn(method::read_heads))
        .layer(from_fn_with_state(delivery, deliver::deliver));
    let describe: Arc<[Describe]> = served.describe.into();
    let routes = served
        .paths
        .into_iter()
        .fold(Router::new(), |router, (path, endpoints)| {
            let methods = serve(&path, endpoints, &describe, &state);
            router.route(&path, methods)
        })
        .fallback(no_route)
        .layer(from_fn_with_state(state.proxies.clone(), act))
        .layer(from_fn_with_state(state.limits, timeout::bound))
        .layer(from_fn_with_state(state.is_read_only, refuse_writes))
        .with_state(state);
    // Outside of the router: `deliver` rewrites paths before a route is chosen.
    Router::new().fallback_service(layers.service(routes))
}

/// The endpoints of all adapters together.
#[derive(Default)]
struct Served {
    /// By path, in the order of the adapters.
    paths: IndexMap<String, Vec<Endpoint>>,
    describe: Vec<Describe>,
    /// That of the last adapter with one.
    not_found_page: Option<NotFoundPage>,
    event_preview: Option<EventPreview>,
}

impl Served {
    fn new(adapters: impl IntoIterator<Item = Endpoints>) -> Self {
        let mut served = Self::default();
        for Endpoints {
            list,
            describe,
            not_found_page,
            event_preview,
        } in adapters
        {
            for endpoint in list {
                let path = endpoint.route.path.clone();
                served.paths.entry(path).or_default().push(endpoint);
            }
            served.describe.extend(describe);
            served.not_found_page = not_found_page.or(served.not_found_page);
            served.event_preview = event_preview.or(served.event_preview);
        }
        served
    }
}

/// The methods of a path, with the response to `OPTIONS` and the `Allow` header.
fn serve(
    path: &str,
    endpoints: Vec<Endpoint>,
    describe: &Arc<[Describe]>,
    state: &AppState,
) -> MethodRouter<AppState> {
    let methods = endpoints
        .iter()
        .map(|one| (one.route.method.clone(), one.right));
    let allowed = Arc::new(AllowedMethods {
        methods: methods.collect(),
    });
    let described = (path.to_owned(), Arc::clone(&allowed), Arc::clone(describe));
    let describe = async move |State(state): State<AppState>, request: Request| {
        let (path, allowed, describe) = described;
        options::response(&path, &allowed, &describe, &state, request).await
    };
    let all = endpoints
        .into_iter()
        .fold(on(MethodFilter::OPTIONS, describe), |all, endpoint| {
            all.merge(endpoint.into_service(state))
        })
        .fallback(wrong_method)
        .layer(from_fn_with_state(
            (state.clone(), allowed),
            allow::add_header,
        ));
    let all = if is_page(path) {
        all.layer(from_fn_with_state(state.clone(), announce::announce))
    } else {
        all
    };
    if state.access_log || state.is_measured {
        let template = RouteTemplate::new(path);
        all.layer(from_fn_with_state(template, mark))
    } else {
        all
    }
}

/// Marks the responses of a path with its template.
async fn mark(State(template): State<RouteTemplate>, request: Request, next: Next) -> Response {
    template.mark(next.run(request).await)
}

/// Runs a write, of which the audit trail tells the client and the ID of the request.
async fn act(State(proxies): State<Proxies>, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let client = proxies.client_of(request.extensions(), request.headers());
    let id = request.headers().get(request_id::NAME);
    let id = id.and_then(|id| id.to_str().ok()).map(str::to_owned);
    Actor::request(client, id).act(next.run(request)).await
}

/// Refuses writes to a server that is read-only.
async fn refuse_writes(State(is_read_only): State<bool>, request: Request, next: Next) -> Response {
    let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    if is_read || !is_read_only {
        next.run(request).await
    } else {
        ApiError::ReadOnly.into_response()
    }
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
