//! The first page: upcoming events.

use app::{error::AppError, request::RecordKey};
use axum::response::Response;
use domain::{Event, Id, Kind, Language, Organizer, Venue, event::EventFilter};
use http_service::site::ListUrls;

use super::{
    address::View,
    content::{Content, Page},
    files::Files,
    finding::{self, Finding, Sent},
    record::HasPage,
    request::{Outcome, PageRequest},
    words::Word,
};

/// `GET` of the root: upcoming events. With the parameter `p`, a redirect to the page of a record
/// by its ID.
pub(crate) async fn home(request: PageRequest) -> Response {
    let outcome = match request.query("p") {
        Some(number) => by_number(&request, number).await,
        None => upcoming(&request).await,
    };
    request.response(outcome)
}

async fn upcoming(request: &PageRequest) -> Result<Outcome, AppError> {
    let list = View::List.url(&request.site);
    let sent = Sent::of(request);
    if !sent.is_empty() {
        let chosen = sent.chosen(list.clone(), request);
        return Ok(Outcome::Chosen(chosen.unwrap_or_else(|| sent.keep(list))));
    }
    let (all, urls) = (
        Finding::default(),
        ListUrls::new(request.site.page_at("/"), &[], 0),
    );
    let (events, total) = request
        .upcoming(EventFilter::default(), None, &urls)
        .await?;
    let body = Content {
        title: request.word(Word::UPCOMING).to_owned(),
        finding: Some(finding::panel(request, list, &all, total).await?),
        events: vec![events],
        ..Content::default()
    };
    let mut head = request.head(&Language::ALL, |site| site.page_at("/"));
    head.json = Some(request.site.collection(Kind::Event));
    head.files = Some(Files::of_list(&[], &request.site));
    Ok(Outcome::Page(Box::new(Page { head, body })))
}

/// Redirects `?p=<ID>`, the URL of a record without slug, to the page of its slug. A public record
/// always has a slug.
async fn by_number(request: &PageRequest, number: &str) -> Result<Outcome, AppError> {
    let number = number.parse().unwrap_or(0);
    let kind = request.query("post_type").unwrap_or_default();
    match kind.strip_prefix("tribe_").unwrap_or(kind) {
        "venue" => redirect::<Venue>(request, number).await,
        "organizer" => redirect::<Organizer>(request, number).await,
        "event" | "events" => redirect::<Event>(request, number).await,
        // Without a kind, the number is the ID of any record; kinds share the IDs of the old site.
        "" => match redirect::<Event>(request, number).await {
            Err(AppError::NotFound(_)) => match redirect::<Venue>(request, number).await {
                Err(AppError::NotFound(_)) => redirect::<Organizer>(request, number).await,
                outcome => outcome,
            },
            outcome => outcome,
        },
        _ => Err(AppError::NotFound(Kind::Event)),
    }
}

async fn redirect<R: HasPage>(request: &PageRequest, number: i64) -> Result<Outcome, AppError> {
    let key = RecordKey::<R>::Id(Id::from_raw(number));
    let view = request
        .state
        .calendar
        .get_public(key, &request.options())
        .await?;
    Ok(Outcome::Redirect(R::url(&view, &request.site)))
}
