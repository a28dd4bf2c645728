//! The first page: upcoming events.

use app::error::AppError;
use axum::response::Response;
use domain::{Event, Id, Kind, Organizer, Venue, event::EventFilter, policy::Caller};
use http_service::site::ListUrls;

use super::{
    address::View,
    content::{Content, Head, Page, microformat::FEED},
    files::Files,
    finding::{self, Finding, Sent, Shown},
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
        ListUrls::new(request.home_url(request.language()), &[], 0),
    );
    let _turn = request.turn(&all.filter).await?;
    let (events, total) = request
        .upcoming(EventFilter::default(), None, &urls)
        .await?;
    let shown = Shown::Within(request.not_over(), total);
    let body = Content {
        microformat: FEED,
        title: request.word(Word::UPCOMING).to_owned(),
        finding: Some(finding::panel(request, list, &all, &shown).await?),
        events: vec![events],
        ..Content::default()
    };
    let mut head = head(request);
    head.json = Some(request.site.collection(Kind::Event));
    head.files = Some(Files::of_list(&[], &request.site));
    Ok(Outcome::Page(Box::new(Page { head, body })))
}

/// The metadata of the home page. Its address without a language is the one for all other languages.
fn head(request: &PageRequest) -> Head {
    let own = request.home_url(request.language());
    let default = request.state.site.in_language(None).page_at("/");
    let canonical = if request.has_language {
        own
    } else {
        default.clone()
    };
    Head {
        canonical: Some(canonical),
        default_language: Some(default),
        ..request.plain_head()
    }
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
    let (id, options) = (Id::<R>::from_raw(number), request.options());
    let calendar = &request.state.calendar;
    let view = match calendar.get_public(id.into(), &options).await {
        Err(AppError::NotFound(kind)) => {
            // It may be the former address of a record that was merged into another one.
            let present = calendar.resolve_merged(Caller::Anonymous, id, &options);
            let present = present.await?.ok_or(AppError::NotFound(kind))?;
            calendar.get_public::<R>(present.into(), &options).await?
        }
        outcome => outcome?,
    };
    Ok(Outcome::Redirect(R::url(&view, &request.site)))
}
