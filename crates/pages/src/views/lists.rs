//! The list of the events that are not over, and that of those that are.

use app::error::AppError;
use domain::{Kind, Language, event::EventFilter};

use crate::{
    address::View,
    content::{Content, Events, Page},
    files::Files,
    request::{Outcome, PageRequest},
    words::Word,
};

/// The events that are not over.
pub(super) async fn upcoming(request: &PageRequest) -> Result<Outcome, AppError> {
    let url = View::List.url(&request.site);
    let events = request.upcoming(None, None, &url).await?;
    let body = Content {
        title: request.word(Word::UPCOMING).to_owned(),
        events: vec![events],
        ..Content::default()
    };
    let mut page = page(request, View::List, body);
    page.head.json = Some(request.site.collection(Kind::Event));
    page.head.files = Some(Files::of_list(None, &request.site));
    Ok(Outcome::Page(Box::new(page)))
}

/// The events that are over, the last one first.
pub(super) async fn past(request: &PageRequest) -> Result<Outcome, AppError> {
    let all = EventFilter::default();
    let found = request.past(all, request.page_number()?).await?;
    let mut body = Content {
        title: request.word(Word::PAST_EVENTS).to_owned(),
        ..Content::default()
    };
    if found.rows.is_empty() {
        body.notes.push(request.word(Word::NO_PAST_EVENTS));
    } else {
        let days = request.days_backwards(&found.rows);
        let pager = request.pager(&found, &View::Past.url(&request.site));
        body.events.push(Events {
            heading: None,
            days,
            all: None,
            pager,
        });
    }
    Ok(Outcome::Page(Box::new(page(request, View::Past, body))))
}

/// A list as a page.
fn page(request: &PageRequest, view: View, body: Content) -> Page {
    let mut head = request.head(&Language::ALL, |site| view.url(site));
    for link in &mut head.views {
        link.is_current = link.view == view;
    }
    Page { head, body }
}
