//! The warning before an event is stored that looks like another one.

use app::{calendar::Prepared, event::EventView, write::ReadOptions};
use domain::{Event, Kind, Status, duplicate::Sketch};
use forms::Fields;

use super::repetition::in_words;
use crate::request::DeskRequest;

/// An event that looks like the event of the form.
#[derive(Debug)]
pub(super) struct Alike {
    pub(super) title: String,
    pub(super) when: String,
    /// The form, or else the page for people.
    pub(super) url: Option<String>,
}

/// The events that look like the event of the form; none if the person knows of them, or the fields by which they are
/// compared stay as they are.
pub(super) async fn find(
    request: &DeskRequest,
    view: Option<&EventView>,
    fields: &Fields,
    prepared: &Prepared<Event>,
) -> Vec<Alike> {
    let changes = |name: &str| fields.body.contains_key(name);
    let is_compared = ["title", "start_date", "venue"]
        .iter()
        .any(|name| changes(name));
    if request.form.get("anyway").is_some() || !is_compared {
        return Vec::new();
    }
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let stored = view.and_then(|view| view.event.clone().stored().ok());
    let Ok((when, _)) = prepared.times(calendar, caller, stored.as_ref()) else {
        return Vec::new();
    };
    let form = &request.form;
    let title = form.get("title").unwrap_or_default();
    let wanted = Sketch::of_plan(title, &when, form.get("venue"));
    let except = stored.map(|event| {
        let series = event.occurrence().map(|one| one.series);
        series.unwrap_or(event.id)
    });
    let options = ReadOptions::default();
    let options = match fields.language {
        Some(language) => options.language(language),
        None => options,
    };
    let found = calendar.similar_events(caller, request.network(), &wanted, except, &options);
    match found.await {
        Ok(found) => found.iter().map(|view| alike(request, view)).collect(),
        Err(error) => {
            // A warning that cannot be given keeps nobody from work.
            tracing::warn!(cause = %error, "cannot look for events that look alike");
            Vec::new()
        }
    }
}

fn alike(request: &DeskRequest, view: &EventView) -> Alike {
    let event = &view.event;
    let id = event.id.map_or(0, domain::EventId::get);
    let is_published = view.status == Status::Publish;
    let page = || {
        let site = &request.state.site;
        is_published.then(|| site.page(Kind::Event, id, event.slug.as_ref()))
    };
    Alike {
        title: event.title.as_str().to_owned(),
        when: in_words(&event.details.when, request.language),
        url: if request.caller().may_edit(&event.content) {
            Some(request.url(&format!("/desk/event/{id}")))
        } else {
            page()
        },
    }
}
