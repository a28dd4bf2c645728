//! A request for a page, and its answers.

use std::sync::Arc;

use app::{error::AppError, input::Fields};
use askama::Template as _;
use axum::{
    extract::FromRequestParts,
    http::{HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use domain::Language;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    assets::{ICON, STYLE},
    content::{Content, Head, InLanguage, Page},
    words::Word,
};
use crate::{
    error::ApiError,
    response::ForSearch,
    site::{Site, base_path::BasePath},
    state::AppState,
};

/// Pages load nothing but their stylesheet and pictures of this service, and run nothing.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// A request for a page. Whoever asks, pages show what everybody may see.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(super) state: AppState,
    /// The site in the language that the path names.
    pub(super) site: Site,
    /// The language that texts are asked for in: the one that the path names, or the page's.
    texts: Option<Language>,
    /// The language of the page's own words.
    language: Language,
    /// The path without that language, as it was sent.
    pub(super) path: String,
    query: Map<String, Value>,
    /// The request's place among those that are worked on.
    place: Option<OwnedSemaphorePermit>,
}

impl FromRequestParts<AppState> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Response> {
        let base_path = parts.extensions.get::<Arc<BasePath>>();
        let chosen = base_path.and_then(|base_path| base_path.language);
        let site = state.site.in_language(chosen);
        if site.has_pages_elsewhere() {
            // The addresses of pages end in a slash.
            let path = parts.uri.path().trim_end_matches('/');
            let query = parts
                .uri
                .query()
                .map_or_else(String::new, |query| format!("?{query}"));
            let url = site.page_at(&format!("{path}/{query}"));
            return Err(Redirect::temporary(&url).into_response());
        }
        let query = parts.uri.query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes())
            .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())));
        let mut visit = Self {
            site,
            texts: chosen,
            language: chosen.unwrap_or(state.site.language),
            path: parts.uri.path().to_owned(),
            query: query.collect(),
            place: None,
            state: state.clone(),
        };
        match state.concurrency.try_acquire() {
            Ok(place) => visit.place = Some(place),
            Err(error) => return Err(visit.unavailable(error)),
        }
        Ok(visit)
    }
}

/// Where a visit leads.
pub(super) enum Outcome {
    Page(Box<Page>),
    /// The page has another address.
    Elsewhere(String),
    /// The record gave up the slug in the address and has its page at another one.
    Moved(String),
}

impl Visit {
    /// The language of the page's own words.
    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// Speaks the language of a record that was found: without one in the path, that of its slug.
    pub(super) fn speak(&mut self, language: Language) {
        self.texts = Some(language);
        self.language = language;
    }

    /// A word of the page's own, in its language.
    pub(super) fn say(&self, word: Word) -> &'static str {
        word.text(self.language)
    }

    /// What a use case is asked: these fields, in the language of the page.
    pub(super) fn fields<const N: usize>(&self, fields: [(&str, Value); N]) -> Fields {
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        Fields {
            query: fields.into_iter().collect(),
            language: self.texts,
            ..Fields::default()
        }
    }

    /// A value of the query.
    pub(super) fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name)?.as_str()
    }

    /// The metadata of a page; `url` makes its address on a site in some language, and `languages` are those
    /// of its texts, the original first. Search engines are sent to pages in these languages alone.
    pub(super) fn head(&self, languages: &[Language], url: impl Fn(&Site) -> String) -> Head {
        let in_path = |language| url(&self.state.site.in_language(language));
        // Texts in the language of the site are the same without a language in the path.
        let of = |language| in_path(Some(language).filter(|one| *one != self.state.site.language));
        let has = |language: &Language| languages.contains(language);
        let original = languages.first().copied().unwrap_or_default();
        let default = Some(self.state.site.language).filter(has);
        Head {
            canonical: Some(of(Some(self.language).filter(has).unwrap_or(original))),
            languages: Language::ALL
                .map(|one| InLanguage {
                    canonical: of(one),
                    ..InLanguage::new(one, in_path(Some(one)), has(&one))
                })
                .into(),
            default_language: Some(of(default.unwrap_or(original))),
            ..self.plain_head()
        }
    }

    fn plain_head(&self) -> Head {
        let home = |language| self.state.site.in_language(language).page_at("/");
        Head {
            language: self.language(),
            site: self
                .site
                .name()
                .unwrap_or(self.say(Word::Calendar))
                .to_owned(),
            style: self.site.asset(&STYLE.name),
            icon: self.site.asset(&ICON.name),
            home: self.site.page_at("/"),
            canonical: None,
            languages: Language::ALL
                .map(|one| InLanguage::new(one, home(Some(one)), true))
                .into(),
            default_language: None,
            json: None,
            summary: String::new(),
            picture: None,
            structured: None,
        }
    }

    /// The answer to the visit.
    pub(super) fn answer(&self, outcome: Result<Outcome, AppError>) -> Response {
        match outcome {
            Ok(Outcome::Page(page)) => html(StatusCode::OK, &page),
            Ok(Outcome::Elsewhere(url)) => Redirect::temporary(&url).into_response(),
            Ok(Outcome::Moved(url)) => moved(url),
            Err(error @ AppError::Store(_)) => self.unavailable(error.into()),
            // Whatever else is wrong with a request for a page is its address.
            Err(_) => self.nothing_here(),
        }
    }

    /// A visit of a path that leads nowhere.
    pub(super) fn lost(state: &AppState, language: Language) -> Self {
        let chosen = Some(language).filter(|one| *one != state.site.language);
        Self {
            site: state.site.in_language(chosen),
            texts: chosen,
            language,
            path: String::new(),
            query: Map::new(),
            place: None,
            state: state.clone(),
        }
    }

    /// There is no such page.
    pub(super) fn nothing_here(&self) -> Response {
        self.error(StatusCode::NOT_FOUND, Word::NotFound, Word::NothingHere)
    }

    /// The service cannot answer: what the interface would say, as a page.
    fn unavailable(&self, error: ApiError) -> Response {
        let (status, _) = error.kind();
        let mut response = self.error(status, Word::Unavailable, Word::TryAgain);
        if let Some(seconds) = error.into_response().headers().get(header::RETRY_AFTER) {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.clone());
        }
        response
    }

    fn error(&self, status: StatusCode, title: Word, text: Word) -> Response {
        let page = Page {
            head: self.plain_head(),
            body: Content {
                title: self.say(title).to_owned(),
                notes: vec![self.say(text)],
                ..Content::default()
            },
        };
        html(status, &page)
    }
}

/// The answer of a page that has another address now. Clients ask again each time: another record may take
/// the slug.
fn moved(url: String) -> Response {
    let headers = [
        (header::LOCATION, url),
        (header::CACHE_CONTROL, "max-age=0".to_owned()),
    ];
    (StatusCode::MOVED_PERMANENTLY, headers).into_response()
}

/// A page as an answer.
fn html(status: StatusCode, page: &Page) -> Response {
    const REFERRER: HeaderName = HeaderName::from_static("referrer-policy");
    let body = match page.render() {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(cause = %error, "a page could not be written");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let language = HeaderValue::from_static(page.head.language.code());
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=UTF-8"),
        ),
        (header::CONTENT_LANGUAGE, language),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (
            REFERRER,
            HeaderValue::from_static("strict-origin-when-cross-origin"),
        ),
    ];
    let mut response = (status, headers, body).into_response();
    if status.is_success() {
        response.extensions_mut().insert(ForSearch);
    }
    response
}
