//! The pages of records.

use std::future::{Future, ready};

use app::{error::AppError, request::RecordKey};
use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use domain::slug::Slug;
use http_service::{
    record::ShownRecord,
    site::{ListUrls, Site},
};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::{
    content::{Content, Page, microformat::FEED},
    files::{Files, ListFilter},
    request::{Outcome, PageRequest},
    words::{Word, shortened},
};

/// A kind of record that has a page.
pub(super) trait HasPage: ShownRecord {
    /// The URL of the page.
    fn url(view: &Self::View, site: &Site) -> String {
        let shown = Self::shown(view);
        site.page(Self::KIND, shown.id, shown.content.slug())
    }

    /// The visible content of the record itself.
    fn content(view: &Self::View, request: &PageRequest) -> Content;

    /// A summary as plain text.
    fn summary(view: &Self::View, request: &PageRequest) -> String;

    /// Reads the record of a page.
    fn read_public(
        key: RecordKey<Self>,
        request: &PageRequest,
    ) -> impl Future<Output = Result<Self::View, AppError>> + Send {
        async move {
            let calendar = &request.state.calendar;
            calendar.get_public(key, &request.options()).await
        }
    }

    /// Whether the page depends on a password, so that no cache may store it.
    fn is_private(_view: &Self::View) -> bool {
        false
    }

    /// The URL of the record in the interface.
    fn json_url(view: &Self::View, site: &Site) -> String {
        site.record(Self::KIND, Self::shown(view).id)
    }

    /// The files with its events; none if it has none.
    fn files(view: &Self::View, site: &Site) -> Option<Files> {
        Self::list_filter(view).map(|filter| Files::of_record(filter, site))
    }

    /// JSON-LD for search engines.
    fn structured_data(_view: &Self::View, _site: &Site) -> Option<Value> {
        None
    }

    /// The filter of the list of events on the page; none for a page without such a list.
    fn list_filter(_view: &Self::View) -> Option<ListFilter> {
        None
    }

    /// The number of records above it in a tree.
    fn depth(_view: &Self::View) -> usize {
        0
    }

    /// The place that an index shows beside the title; empty for none.
    fn place(_view: &Self::View) -> String {
        String::new()
    }

    /// Adds related records that the view does not contain.
    fn load_related<'a>(
        _view: &'a Self::View,
        _request: &'a PageRequest,
        _content: &'a mut Content,
    ) -> impl Future<Output = Result<(), AppError>> + Send + 'a {
        ready(Ok(()))
    }
}

/// `GET` of the page of a record. The last segment of the path is its slug.
pub(super) async fn record<R: HasPage>(
    mut request: PageRequest,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    // No record has a slug that is not UTF-8 or cannot be normalized.
    let slug = path
        .ok()
        .and_then(|Path(path)| Slug::of_url(path.rsplit('/').next()?));
    let outcome = match slug {
        Some(slug) => page_of_slug::<R>(&mut request, slug).await,
        None => Err(R::not_found()),
    };
    // The path of a view at the old site ends in its name, which may be the slug of a category elsewhere.
    let outcome = match outcome {
        Err(AppError::NotFound(_)) | Ok(Outcome::Redirect(_)) => {
            request.old_page().map_or(outcome, Ok)
        }
        outcome => outcome,
    };
    request.response(outcome)
}

/// The page of the record that has a slug, or a redirect from a former one.
pub(super) async fn page_of_slug<R: HasPage>(
    request: &mut PageRequest,
    slug: Slug,
) -> Result<Outcome, AppError> {
    match show::<R>(request, RecordKey::Slug(slug.clone())).await {
        Err(AppError::NotFound(_)) => moved::<R>(request, &slug).await,
        outcome => outcome,
    }
}

/// The page of a record, or a redirect to its own path.
pub(super) async fn show<R: HasPage>(
    request: &mut PageRequest,
    key: RecordKey<R>,
) -> Result<Outcome, AppError> {
    let view = R::read_public(key, request).await?;
    let shown = R::shown(&view);
    request.set_language(shown.language);
    let url = R::url(&view, &request.site);
    if !is_path_of(&request.path, &url, &request.site) {
        return Ok(Outcome::Redirect(url));
    }
    // Calendar programs subscribed to such addresses at the old site.
    let wants_file = ["ical", "outlook-ical"]
        .iter()
        .any(|name| request.query(name).is_some());
    if let Some(list_filter) = R::list_filter(&view).filter(|_| wants_file) {
        let files = Files::of_record(list_filter, &request.site);
        return Ok(Outcome::Moved(files.calendar));
    }
    let languages = shown.content.languages();
    let is_translated = languages.contains(&request.language());
    let mut body = R::content(&view, request);
    body.language = languages.first().copied().filter(|_| !is_translated);
    R::load_related(&view, request, &mut body).await?;
    if let Some(list_filter) = R::list_filter(&view) {
        body.microformat = FEED;
        let heading = Some(request.word(Word::UPCOMING));
        let urls = ListUrls::new(url.clone(), &[], 0);
        let (upcoming, _) = request
            .upcoming(list_filter.filter(), heading, &urls)
            .await?;
        body.events.push(upcoming);
        let past = request.past_of(list_filter, &url).await?;
        body.events.extend(past);
    }
    let mut head = request.head(&languages, |site| R::url(&view, site));
    head.is_private = R::is_private(&view);
    head.json = Some(R::json_url(&view, &request.site));
    head.files = R::files(&view, &request.site);
    head.summary = shortened(&R::summary(&view, request));
    head.picture.clone_from(&body.picture);
    let data = body.structured_data.take();
    let data = data.or_else(|| R::structured_data(&view, &request.site));
    head.structured_data = data.as_ref().map(within_html);
    Ok(Outcome::Page(Box::new(Page { head, body })))
}

/// A redirect from a former slug, if no record has the slug now.
pub(super) async fn moved<R: HasPage>(
    request: &PageRequest,
    slug: &Slug,
) -> Result<Outcome, AppError> {
    let calendar = &request.state.calendar;
    let view = calendar
        .get_public_by_former_slug::<R>(slug, &request.options())
        .await?;
    Ok(Outcome::Moved(R::url(&view, &request.site)))
}

/// Whether a URL of the site has this path. Both are percent-decoded before they are compared.
fn is_path_of(path: &str, url: &str, site: &Site) -> bool {
    let decoded = |path: &str| {
        let path = path.trim_matches('/').to_owned();
        percent_decode_str(&path).collect::<Vec<_>>()
    };
    let own = url
        .strip_prefix(site.page_at("/").as_str())
        .unwrap_or_default();
    decoded(path) == decoded(own)
}

/// JSON escaped for a `script` element.
fn within_html(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}
