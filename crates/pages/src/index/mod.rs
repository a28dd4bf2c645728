//! Indexes: all venues, organizers, categories or tags, each with the number of its upcoming events.

mod tree;
mod words;

use app::{calendar::Indexed, error::AppError};
use askama::Template;
use axum::response::Response;
use domain::{Kind, Language, page as list};
use http_service::site::ListUrls;

use super::{
    address::Index,
    content::{Head, Link, Pager},
    record::HasPage,
    request::{Outcome, PageRequest},
    words::Word,
};
use tree::{Nesting, nest};

/// The number of records on a page.
const PER_PAGE: u64 = 50;

/// An index, ready to be rendered.
#[derive(Debug, Template)]
#[template(path = "index.html")]
struct IndexPage {
    head: Head,
    body: Body,
}

#[derive(Debug)]
struct Body {
    title: &'static str,
    rows: Vec<Row>,
    pager: Option<Pager>,
}

/// A record of an index.
#[derive(Debug)]
struct Row {
    link: Link,
    /// The language of the title, if it differs from that of the page.
    language: Option<Language>,
    /// The city of a venue.
    place: String,
    /// The number of upcoming events in words.
    events: String,
    has_events: bool,
    nesting: Nesting,
}

/// `GET` of an index. Each other spelling of its address leads to the one spelling that has a page.
pub(super) async fn index<R: HasPage>(request: PageRequest) -> Response {
    let outcome = show::<R>(&request).await;
    request.response(outcome)
}

async fn show<R: HasPage>(request: &PageRequest) -> Result<Outcome, AppError> {
    let (site, address) = (&request.site, Index(R::KIND));
    let url = address.url(site);
    if request.sent_path != address.path(site) {
        let page = request.query("page");
        let page = page.and_then(|page| page.parse::<u64>().ok());
        let page = page.map_or_else(String::new, |page| format!("?page={page}"));
        return Ok(Outcome::Moved(url + &page));
    }
    let page = list::PageRequest::new(request.page_number()?, PER_PAGE, u32::MAX);
    let (calendar, options) = (&request.state.calendar, request.options());
    let found = calendar.index::<R>(request.client, page, &options).await?;
    let page = IndexPage {
        head: head(R::KIND, request),
        body: Body {
            title: request.word(address.title()),
            pager: request.pager(&found, &ListUrls::new(url, &[], 0)),
            rows: rows::<R>(&found.rows, request),
        },
    };
    Ok(Outcome::View(page.render(), true))
}

fn head(kind: Kind, request: &PageRequest) -> Head {
    let mut head = request.head(&Language::ALL, |site| Index(kind).url(site));
    head.json = Some(request.site.collection(kind));
    head.summary = request.word(words::summary(kind)).to_owned();
    for link in &mut head.indexes {
        link.is_current = link.kind == kind;
    }
    head
}

fn rows<R: HasPage>(found: &[Indexed<R::View>], request: &PageRequest) -> Vec<Row> {
    let depths: Vec<_> = found.iter().map(|one| R::depth(&one.view)).collect();
    let rows = found.iter().zip(nest(&depths));
    rows.map(|(one, nesting)| row::<R>(one, nesting, request))
        .collect()
}

fn row<R: HasPage>(one: &Indexed<R::View>, nesting: Nesting, request: &PageRequest) -> Row {
    let shown = R::shown(&one.view);
    let languages = shown.content.languages();
    let is_translated = languages.contains(&request.language());
    Row {
        link: Link {
            url: R::url(&one.view, &request.site),
            text: shown.content.title().as_str().to_owned(),
        },
        language: languages.first().copied().filter(|_| !is_translated),
        place: R::place(&one.view).to_owned(),
        events: words::upcoming(one.upcoming, request.language()),
        has_events: one.upcoming > 0,
        nesting,
    }
}
