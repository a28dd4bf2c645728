//! The first page: what comes up next.

use app::{error::AppError, request::RecordKey};
use axum::response::Response;
use domain::{Event, Id, Kind, Language, Organizer, Venue};

use super::{
    Shown,
    content::{Content, Page},
    visit::{Outcome, Visit},
    words::Word,
};

/// `GET` of the root: what comes up next; with `p`, the page of a record by its number.
pub(crate) async fn home(visit: Visit) -> Response {
    let outcome = match visit.query("p") {
        Some(number) => by_number(&visit, number).await,
        None => upcoming(&visit).await,
    };
    visit.answer(outcome)
}

async fn upcoming(visit: &Visit) -> Result<Outcome, AppError> {
    let url = visit.site.page_at("/");
    let body = Content {
        title: visit.say(Word::Upcoming).to_owned(),
        events: Some(visit.upcoming(None, None, &url).await?),
        ..Content::default()
    };
    let mut head = visit.head(&Language::ALL, |site| site.page_at("/"));
    head.json = Some(visit.site.collection(Kind::Event));
    Ok(Outcome::Page(Box::new(Page { head, body })))
}

/// Records have such an address as long as they have no slug. By the time that everybody may see
/// them they have one.
async fn by_number(visit: &Visit, number: &str) -> Result<Outcome, AppError> {
    let number = number.parse().unwrap_or(0);
    let kind = visit.query("post_type").unwrap_or_default();
    match Kind::ALL.into_iter().find(|one| one.name() == kind) {
        Some(Kind::Venue) => elsewhere::<Venue>(visit, number).await,
        Some(Kind::Organizer) => elsewhere::<Organizer>(visit, number).await,
        Some(Kind::Event) => elsewhere::<Event>(visit, number).await,
        Some(kind @ (Kind::Category | Kind::Tag)) => Err(AppError::NotFound(kind)),
        None => Err(AppError::NotFound(Kind::Event)),
    }
}

async fn elsewhere<R: Shown>(visit: &Visit, number: i64) -> Result<Outcome, AppError> {
    let key = RecordKey::<R>::Id(Id::from_raw(number));
    let view = visit
        .state
        .calendar
        .get_public(key, &visit.fields([]))
        .await?;
    Ok(Outcome::Elsewhere(R::url(&view, &visit.site)))
}
