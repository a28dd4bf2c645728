//! Pages for people: what the `url` of a record leads to.
//!
//! They show what everybody may see, in the language that the path names (`/fr/event/…`) or in that
//! of the site. They are HTML without scripts; nothing of them is loaded from elsewhere.

mod assets;
mod content;
mod dates;
mod event;
mod home;
mod listing;
mod lost;
mod place;
mod term;
mod visit;
mod words;

use std::future::{Future, ready};

use app::{error::AppError, request::RecordKey};
use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use domain::slug::Slug;
use percent_encoding::percent_decode_str;
use serde_json::Value;

pub(crate) use assets::asset;
pub(crate) use home::home;
pub(crate) use lost::{Browsing, nothing_here};

use content::{Content, Page};
use listing::Narrowed;
use visit::{Outcome, Visit};
use words::Word;

use crate::{resources::kind::RestResource, site::Site};

/// A kind of record that has a page.
pub(crate) trait Shown: RestResource {
    /// The address of the page.
    fn url(view: &Self::View, site: &Site) -> String;

    /// What people read of the record itself.
    fn content(view: &Self::View, visit: &Visit) -> Content;

    /// What the page is about, in plain words.
    fn summary(view: &Self::View) -> String;

    /// What search engines are told.
    fn structured(view: &Self::View, site: &Site) -> Option<Value>;

    /// By what the list of its events is narrowed, if the page has one.
    fn narrowed(view: &Self::View) -> Option<Narrowed>;

    /// Adds what the view does not hold.
    fn complete<'a>(
        _view: &'a Self::View,
        _visit: &'a Visit,
        _content: &'a mut Content,
    ) -> impl Future<Output = Result<(), AppError>> + Send + 'a {
        ready(Ok(()))
    }
}

/// `GET` of the page of a record, which the last segment of the path names.
pub(crate) async fn record<R: Shown>(
    mut visit: Visit,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    // Bytes that are no text, and what cannot be a slug, name nothing.
    let slug = path
        .ok()
        .and_then(|Path(path)| Slug::normalize(path.rsplit('/').next()?));
    let outcome = match slug {
        Some(slug) => match show::<R>(&mut visit, RecordKey::Slug(slug.clone())).await {
            Err(AppError::NotFound(_)) => moved::<R>(&visit, &slug).await,
            outcome => outcome,
        },
        None => Err(R::not_found()),
    };
    visit.answer(outcome)
}

/// The page of a record; if it was asked for by another path than its own, that.
async fn show<R: Shown>(visit: &mut Visit, key: RecordKey<R>) -> Result<Outcome, AppError> {
    let calendar = &visit.state.calendar;
    let view = calendar.get_public(key, &visit.fields([])).await?;
    visit.speak(R::spoken(&view));
    let url = R::url(&view, &visit.site);
    if !is_path_of(&visit.path, &url, &visit.site) {
        return Ok(Outcome::Elsewhere(url));
    }
    let record = R::stored(&view);
    let languages = record.languages();
    let is_translated = languages.contains(&visit.language());
    let mut body = R::content(&view, visit);
    body.language = languages.first().copied().filter(|_| !is_translated);
    R::complete(&view, visit, &mut body).await?;
    if let Some(narrowed) = R::narrowed(&view) {
        let heading = Some(visit.say(Word::Upcoming));
        body.events = Some(visit.upcoming(Some(narrowed), heading, &url).await?);
    }
    let mut head = visit.head(&languages, |site| R::url(&view, site));
    head.json = Some(visit.site.record(R::KIND, record.id));
    head.summary = shortened(&R::summary(&view));
    head.picture = body.picture.as_ref().map(|picture| picture.url.clone());
    head.structured = R::structured(&view, &visit.site).map(|value| within_html(&value));
    Ok(Outcome::Page(Box::new(Page { head, body })))
}

/// The present page of the record that gave up a slug, if no record has the slug now.
async fn moved<R: Shown>(visit: &Visit, slug: &Slug) -> Result<Outcome, AppError> {
    let calendar = &visit.state.calendar;
    let view = calendar
        .get_public_by_former_slug::<R>(slug, &visit.fields([]))
        .await?;
    Ok(Outcome::Moved(R::url(&view, &visit.site)))
}

/// Whether an address of the site has this path; both are compared decoded.
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

/// JSON that cannot end the element that it stands in.
fn within_html(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// The beginning of a text, as long as search engines show it.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 160;
    let Some((end, _)) = text.char_indices().nth(MAX_CHARS) else {
        return text.to_owned();
    };
    let start = &text[..end];
    let words = start.rsplit_once(' ').map_or(start, |(words, _)| words);
    format!("{words}…")
}
