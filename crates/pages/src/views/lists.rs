//! The list of the events that are not over, and that of those that are.

use app::error::AppError;
use domain::{Kind, Language};

use crate::{
    address::View,
    content::{Content, Events, Page, microformat::FEED},
    files::Files,
    finding::{self, Finding, Shown},
    request::{Outcome, PageRequest},
    words::Word,
};

/// The events that are not over.
pub(super) async fn upcoming(request: &PageRequest, finding: Finding) -> Result<Outcome, AppError> {
    let url = View::List.url(&request.site);
    let urls = finding.choices.urls(url.clone());
    let (events, total) = request
        .upcoming(finding.filter.clone(), None, &urls)
        .await?;
    let shown = Shown::Within(request.not_over(), total);
    let is_too_narrow = total == 0 && !finding.choices.is_empty();
    let panel = finding::panel(request, url, &finding, &shown).await?;
    let (title, panel) = panel.titled(request.word(Word::UPCOMING));
    let body = Content {
        microformat: FEED,
        title,
        finding: Some(panel),
        events: (!is_too_narrow).then_some(events).into_iter().collect(),
        ..Content::default()
    };
    let mut page = page(request, View::List, &finding, total, body);
    let parameters = finding.choices.parameters();
    let json = request.site.collection(Kind::Event);
    page.head.json = Some(finding.choices.url(json));
    page.head.files = Some(Files::of_list(&parameters, &request.site));
    Ok(Outcome::Page(Box::new(page)))
}

/// The events that are over, the last one first.
pub(super) async fn past(request: &PageRequest, finding: Finding) -> Result<Outcome, AppError> {
    let number = request.page_number()?;
    let found = request.past(finding.filter.clone(), number).await?;
    let url = View::Past.url(&request.site);
    let shown = Shown::Within(request.over(), found.total);
    let panel = finding::panel(request, url.clone(), &finding, &shown).await?;
    let (title, panel) = panel.titled(request.word(Word::PAST_EVENTS));
    let mut body = Content {
        microformat: FEED,
        title,
        finding: Some(panel),
        ..Content::default()
    };
    if !found.rows.is_empty() {
        let days = request.days_backwards(&found.rows);
        body.events.push(Events {
            heading: None,
            days,
            all: None,
            pager: request.pager(&found, &finding.choices.urls(url)),
        });
    } else if finding.choices.is_empty() {
        body.notes.push(request.word(Word::NO_PAST_EVENTS));
    }
    let page = page(request, View::Past, &finding, found.total, body);
    Ok(Outcome::Page(Box::new(page)))
}

/// A list as a page.
fn page(request: &PageRequest, view: View, finding: &Finding, total: u64, body: Content) -> Page {
    let mut head = request.head(&Language::ALL, |site| finding.choices.url(view.url(site)));
    for link in &mut head.views {
        link.is_current = link.view == view;
    }
    finding.mark(&mut head, total > 0);
    let outside = view.url(&request.site.unembedded());
    request.mark_embedding(&mut head, (view, outside), |url| finding.choices.url(url));
    Page { head, body }
}
