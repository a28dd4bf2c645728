//! Requests for pages, and their responses.

use std::{net::IpAddr, sync::Arc};

use app::{
    error::AppError,
    request::RecordKey,
    resource::Resource,
    search_queue::{Client, Turn},
    write::ReadOptions,
};
use askama::Template as _;
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use domain::{
    Event, EventId, Filter as _, Language, Secret,
    event::{EventFilter, Proposers},
    page,
    policy::Caller,
};
use forms::Fields;
use http_service::{
    AppState,
    error::ApiError,
    limits::network,
    response::{NotStored, ResponseKind},
    site::{BasePath, HomeLanguage, RenamedPath, SentPath, Site},
};
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    address::{self, View},
    content::{Content, EmbedFrame, Head, InLanguage, Page},
    words::Word,
};

/// Content security policy: pages load stylesheets, images and one script of this service, send forms to it alone, and
/// run no inline script. `connect-src` is for the script, which shows the page of a day in that of its month.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors ";

/// `Cache-Control` of what depends on a password.
pub(super) const PRIVATE: &str = "private, no-store";

/// A request for a page. Pages show public content to every client, whatever its credentials; the
/// page of a locked event alone reads the pass of a browser.
#[derive(Debug)]
pub(crate) struct PageRequest {
    pub(super) state: AppState,
    /// The site in the language of the path.
    pub(super) site: Site,
    /// The language of the record's texts: that of the path, or of the slug.
    texts: Option<Language>,
    /// The language of the page's own texts.
    language: Language,
    /// The path of the route, without the language.
    pub(super) path: String,
    /// Whether the path as sent has a language.
    pub(super) has_language: bool,
    /// Whether the path as sent has another name for `/events`.
    is_renamed: bool,
    /// The path as sent.
    pub(super) sent_path: String,
    /// The query as sent.
    pub(super) raw_query: String,
    query: Map<String, Value>,
    /// The parameters of the query, in their order.
    pub(super) parameters: Vec<(String, String)>,
    /// The network of the client.
    pub(super) client: Client,
    /// The address of the client.
    pub(super) address: Option<IpAddr>,
    /// The cookies of the client.
    cookies: Vec<Secret>,
    /// The permit of the concurrency limit, held while the request is processed.
    permit: Option<OwnedSemaphorePermit>,
}

impl FromRequestParts<AppState> for PageRequest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Response> {
        let base_path = parts.extensions.get::<Arc<BasePath>>();
        let chosen = base_path.and_then(|base_path| base_path.language);
        let home = parts.extensions.get::<HomeLanguage>();
        let offered = home.map(|HomeLanguage(language)| *language);
        let shown = chosen.or(offered);
        // Links of the home page lead to the language of the site by addresses without a language.
        let is_of_site = parts.uri.path() == "/" && shown == Some(state.site.language);
        let mut site = state.site.in_language(shown.filter(|_| !is_of_site));
        if parts.uri.path().starts_with("/embed/") {
            site = site.embedded();
        }
        if site.has_pages_elsewhere() {
            let url = url_at(&site, parts.uri.path(), parts.uri.query());
            return Err(Redirect::temporary(&url).into_response());
        }
        let raw_query = parts.uri.query().unwrap_or_default();
        let parameters = form_urlencoded::parse(raw_query.as_bytes()).into_owned();
        let parameters: Vec<_> = parameters.collect();
        let query = parameters.iter().cloned();
        let sent = parts.extensions.get::<SentPath>();
        let client = state.proxies.client_of(&parts.extensions, &parts.headers);
        let mut request = Self {
            site,
            texts: shown,
            language: shown.unwrap_or(state.site.language),
            path: parts.uri.path().to_owned(),
            has_language: chosen.is_some(),
            is_renamed: parts.extensions.get::<RenamedPath>().is_some(),
            sent_path: sent.map_or(parts.uri.path(), SentPath::as_str).to_owned(),
            raw_query: raw_query.to_owned(),
            query: query
                .map(|(name, value)| (name, Value::String(value)))
                .collect(),
            parameters,
            client: client.map(network),
            address: client,
            cookies: cookies(&parts.headers),
            permit: None,
            state: state.clone(),
        };
        match state.concurrency.try_acquire() {
            Ok(permit) => request.permit = Some(permit),
            Err(error) => return Err(request.unavailable(error)),
        }
        // The path of a category may end like that of a view; the category wins.
        let may_be_old = !request.path.starts_with("/events/category/");
        match request.old_page().filter(|_| may_be_old) {
            Some(outcome) => Err(request.response(Ok(outcome))),
            None => Ok(request),
        }
    }
}

/// The outcome of a request.
pub(super) enum Outcome {
    Page(Box<Page>),
    /// A page of another template, and whether the response cache stores it.
    View(askama::Result<String>, bool),
    /// A page that says what there is instead.
    Absent(Box<Page>),
    /// An event was here, and is not public any more.
    Gone,
    /// A page that says which parameters are bad.
    Refused(Box<Page>),
    /// A redirect from another address to the one of the page.
    Redirect(String),
    /// A redirect from a former address.
    Moved(String),
    /// A redirect to what a form chose.
    Chosen(String),
}

impl PageRequest {
    /// The language of the page's own texts.
    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// Sets the language: without one in the path, that of the slug.
    pub(super) fn set_language(&mut self, language: Language) {
        self.texts = Some(language);
        self.language = language;
    }

    /// A text of the page itself, in its language.
    pub(super) fn word(&self, word: Word) -> &'static str {
        word.text(self.language)
    }

    /// Waits for the turn of a view. One whose filter scans waits for the turns of its searches instead.
    pub(super) async fn turn(&self, filter: &EventFilter) -> Result<Option<Turn>, AppError> {
        if filter.scans() {
            return Ok(None);
        }
        let queue = self.state.calendar.view_queue();
        Ok(Some(queue.turn(self.client).await?))
    }

    /// The options of a read: the language of the texts.
    pub(super) fn options(&self) -> ReadOptions {
        let options = ReadOptions::default();
        match self.texts {
            Some(language) => options.language(language),
            None => options,
        }
    }

    /// The options of the read of one event: those of other reads, and the pass of the browser for it.
    pub(super) async fn options_with_pass(
        &self,
        event: &RecordKey<Event>,
    ) -> Result<ReadOptions, AppError> {
        if self.cookies.is_empty() {
            return Ok(self.options());
        }
        let calendar = &self.state.calendar;
        let pass = |event| self.pass(event);
        calendar.with_pass(event, self.options(), pass).await
    }

    /// The pass of the browser for a locked event.
    fn pass(&self, event: EventId) -> Option<Secret> {
        let name = cookie_name(event);
        let mut pairs = self
            .cookies
            .iter()
            .filter_map(|cookie| cookie.expose().split_once('='));
        let (_, pass) = pairs.find(|(one, _)| *one == name)?;
        Some(Secret::new(pass.to_owned()))
    }

    /// A page of the records that everybody can list, in the language of the texts.
    pub(super) async fn list<R: Resource>(
        &self,
        filter: R::Filter,
        page: page::PageRequest,
    ) -> Result<page::Page<R::View>, AppError> {
        let (calendar, options) = (&self.state.calendar, self.options());
        let listing = calendar.query::<R>(Caller::Anonymous, self.client, filter, page, &options);
        listing.await
    }

    /// The number of the page of a list.
    pub(super) fn page_number(&self) -> Result<u64, AppError> {
        self.number_of_page("page")
    }

    /// The number of a page in a parameter.
    pub(super) fn number_of_page(&self, parameter: &str) -> Result<u64, AppError> {
        let sent = self
            .query(parameter)
            .map(|page| ("page".to_owned(), page.into()));
        let sent = Fields {
            query: sent.into_iter().collect(),
            ..Fields::default()
        };
        Ok(sent.page_number()?)
    }

    /// The value of a query parameter.
    pub(super) fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name)?.as_str()
    }

    /// The metadata of a page. `url` returns its URL on a site in some language. `languages` are
    /// those of its texts, the original first; canonical URLs are in these languages only.
    pub(super) fn head(&self, languages: &[Language], url: impl Fn(&Site) -> String) -> Head {
        let of = |language| url(&self.canonical_site(language));
        let has = |language: &Language| languages.contains(language);
        let original = languages.first().copied().unwrap_or_default();
        let default = Some(self.state.site.language).filter(has);
        Head {
            canonical: Some(of(Some(self.language).filter(has).unwrap_or(original))),
            languages: Language::ALL
                .map(|one| InLanguage::new(one, of(one), has(&one)))
                .into(),
            default_language: Some(of(default.unwrap_or(original))),
            ..self.plain_head()
        }
    }

    /// The URL of the home page in a language, also in that of the site: at the address without one, the browser chooses.
    pub(super) fn home_url(&self, language: Language) -> String {
        let site = self.state.site.in_language(Some(language));
        site.page_at("/")
    }

    /// The site whose URLs are canonical for a language: paths of the site's own language have no language segment.
    fn canonical_site(&self, language: Language) -> Site {
        let segment = Some(language).filter(|one| *one != self.state.site.language);
        self.state.site.in_language(segment)
    }

    /// The frame of the page, which leads to the list of all events.
    fn frame(&self) -> Option<EmbedFrame> {
        let ancestors = self.state.embed_ancestors.as_ref()?;
        self.site.is_embedded().then(|| EmbedFrame {
            ancestors: Arc::clone(ancestors),
            outside: View::List.url(&self.site.unembedded()),
        })
    }

    /// The page on which visitors propose events, in the language of this page, if all may.
    fn propose(&self) -> Option<String> {
        let is_open = self.state.calendar.site().proposals == Proposers::Anybody;
        let language = self.language().code();
        is_open.then(|| format!("{}/propose?language={language}", self.state.site.root()))
    }

    /// The metadata of a page without an address of its own.
    pub(super) fn plain_head(&self) -> Head {
        Head {
            language: self.language(),
            site: self
                .site
                .name_in(self.language())
                .unwrap_or_else(|| self.word(Word::CALENDAR).to_owned()),
            face: self.site.face.shown(),
            assets: self.site.asset(""),
            documentation: self.site.address("/doc"),
            propose: self.propose(),
            home: self.home_url(self.language()),
            canonical: None,
            languages: Language::ALL
                .map(|one| InLanguage::new(one, self.home_url(one), true))
                .into(),
            default_language: None,
            json: None,
            files: None,
            summary: String::new(),
            picture: None,
            is_private: false,
            structured_data: None,
            views: address::links(&self.site, self.language()),
            indexes: address::index_links(&self.site, self.language()),
            noindex: false,
            nofollow: false,
            frame: self.frame(),
            snippet: None,
            is_stored: true,
        }
    }

    /// The response.
    pub(super) fn response(&self, outcome: Result<Outcome, AppError>) -> Response {
        match outcome {
            Ok(Outcome::Page(_) | Outcome::View(..)) if self.is_renamed => moved(self.own_url()),
            Ok(Outcome::Page(page)) => page_response(StatusCode::OK, &page),
            Ok(Outcome::View(rendered, is_stored)) => {
                let frame = self.frame();
                let response = html(StatusCode::OK, self.language, frame.as_ref(), rendered);
                stored_if(is_stored, response)
            }
            Ok(Outcome::Refused(page)) => page_response(StatusCode::BAD_REQUEST, &page),
            Ok(Outcome::Absent(page)) => page_response(StatusCode::NOT_FOUND, &page),
            Ok(Outcome::Gone) => self.error(StatusCode::GONE, Word::GONE, Word::WITHDRAWN),
            Ok(Outcome::Redirect(url) | Outcome::Moved(url)) => moved(url),
            Ok(Outcome::Chosen(url)) => Redirect::to(&url).into_response(),
            Err(error @ (AppError::Store(_) | AppError::Overloaded)) => {
                self.unavailable(error.into())
            }
            // Every other error is an error of the URL.
            Err(_) => self.not_found_page(),
        }
    }

    /// The URL of the page here, whatever the path of the request.
    fn own_url(&self) -> String {
        let query = Some(&*self.raw_query).filter(|query| !query.is_empty());
        url_at(&self.site, &self.path, query)
    }

    /// A request for a path without route.
    pub(super) fn unrouted(state: &AppState, language: Language) -> Self {
        let chosen = Some(language).filter(|one| *one != state.site.language);
        Self {
            site: state.site.in_language(chosen),
            texts: chosen,
            language,
            path: String::new(),
            has_language: false,
            is_renamed: false,
            sent_path: String::new(),
            raw_query: String::new(),
            query: Map::new(),
            parameters: Vec::new(),
            client: None,
            address: None,
            cookies: Vec::new(),
            permit: None,
            state: state.clone(),
        }
    }

    /// The response 404.
    pub(super) fn not_found_page(&self) -> Response {
        self.error(StatusCode::NOT_FOUND, Word::NOT_FOUND, Word::NOTHING_HERE)
    }

    /// An error of the service, as a page with the same status and `Retry-After`.
    fn unavailable(&self, error: ApiError) -> Response {
        let (status, _) = error.kind();
        let mut response = self.error(status, Word::UNAVAILABLE, Word::TRY_AGAIN);
        if let Some(seconds) = error.into_response().headers().get(header::RETRY_AFTER) {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.clone());
        }
        response
    }

    pub(super) fn error(&self, status: StatusCode, title: Word, text: Word) -> Response {
        let page = Page {
            head: self.plain_head(),
            body: Content {
                title: self.word(title).to_owned(),
                notes: vec![self.word(text)],
                search: Some(View::List.url(&self.site)),
                ..Content::default()
            },
        };
        page_response(status, &page)
    }
}

/// The URL of a page, which ends in a slash before its query.
fn url_at(site: &Site, path: &str, query: Option<&str>) -> String {
    let path = path.trim_end_matches('/');
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    site.page_at(&format!("{path}/{query}"))
}

/// The page of a path without route.
pub(super) fn not_found(state: &AppState, language: Language) -> Response {
    PageRequest::unrouted(state, language).not_found_page()
}

/// A permanent redirect that clients must not cache: another record may take the slug.
fn moved(url: String) -> Response {
    let headers = [
        (header::LOCATION, url),
        (header::CACHE_CONTROL, "max-age=0".to_owned()),
    ];
    (StatusCode::MOVED_PERMANENTLY, headers).into_response()
}

/// The name of the cookie with the pass for an event.
pub(super) fn cookie_name(event: EventId) -> String {
    format!("event-{event}")
}

/// The cookies of a request that can be passes.
fn cookies(headers: &HeaderMap) -> Vec<Secret> {
    let sent = headers.get_all(header::COOKIE).into_iter();
    let sent = sent.filter_map(|value| value.to_str().ok());
    let pairs = sent.flat_map(|value| value.split(';')).map(str::trim);
    let passes = pairs.filter(|pair| pair.starts_with("event-"));
    passes.map(|pair| Secret::new(pair.to_owned())).collect()
}

/// The response with a page.
pub(super) fn page_response(status: StatusCode, page: &Page) -> Response {
    let mut response = html(
        status,
        page.head.language,
        page.head.frame.as_ref(),
        page.render(),
    );
    if page.head.is_private {
        let caching = HeaderValue::from_static(PRIVATE);
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, caching);
    }
    stored_if(page.head.is_stored, response)
}

/// A response that the response cache stores or not.
fn stored_if(is_stored: bool, mut response: Response) -> Response {
    if !is_stored {
        response.extensions_mut().insert(NotStored);
    }
    response
}

/// The response with a rendered page, which other sites may show in a frame alone.
fn html(
    status: StatusCode,
    language: Language,
    frame: Option<&EmbedFrame>,
    rendered: askama::Result<String>,
) -> Response {
    const REFERRER: HeaderName = HeaderName::from_static("referrer-policy");
    let body = match rendered {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(cause = %error, "cannot render a page");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let ancestors = frame.map_or("'none'", |frame| &*frame.ancestors);
    let policy = format!("{POLICY}{ancestors}");
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=UTF-8"),
        (header::CONTENT_LANGUAGE, language.code()),
        (header::CONTENT_SECURITY_POLICY, &*policy),
        (REFERRER, "strict-origin-when-cross-origin"),
    ];
    let mut response = (status, headers, body).into_response();
    if status.is_success() {
        response.extensions_mut().insert(ResponseKind::Page);
    }
    response
}
