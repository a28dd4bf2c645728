//! The sitemap: the addresses of all pages, for search engines.
//!
//! # Source
//!
//! <https://www.sitemaps.org/protocol.html>: a file has at most 50,000 addresses, and 50 MiB.

use std::fmt::{self, Display, Formatter};

use app::{Calendar, calendar::IndexableRecords};
use axum::{
    body::Bytes,
    extract::{Path, State, rejection::PathRejection},
    http::header,
    response::{IntoResponse, Response},
};
use domain::{
    Category, Event, Id, Kind, Language, Organizer, Tag, Venue, text::escape_markup,
    time::Timestamp,
};
use http_service::{AppState, error::ApiError, response::streamed_from, site::Site};
use tokio::sync::OwnedSemaphorePermit;

use crate::record::HasPage;

/// The number of IDs of which a file has the records. Each record has an address in each of its
/// languages, at most three.
const IDS: i64 = 10_000;

/// The name of the file with the first page.
const HOME: &str = "home.xml";

const MEDIA_TYPE: [(header::HeaderName, &str); 1] =
    [(header::CONTENT_TYPE, "text/xml; charset=utf-8")];

/// `GET` of the index: the files that hold the address of a page.
pub(crate) async fn index(State(state): State<AppState>) -> Result<Response, ApiError> {
    let _permit = admit(&state)?;
    let mut files = vec![HOME.to_owned()];
    add_files::<Event>(&state.calendar, &mut files).await?;
    add_files::<Venue>(&state.calendar, &mut files).await?;
    add_files::<Organizer>(&state.calendar, &mut files).await?;
    add_files::<Category>(&state.calendar, &mut files).await?;
    add_files::<Tag>(&state.calendar, &mut files).await?;
    let root = escape_markup(state.site.root());
    let files = files.iter();
    let files = files.map(|file| format!("<sitemap><loc>{root}/sitemap/{file}</loc></sitemap>\n"));
    let index = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</sitemapindex>\n",
        files.collect::<String>(),
    );
    Ok((MEDIA_TYPE, index).into_response())
}

/// Adds the names of the files with the records of a kind.
async fn add_files<R: HasPage>(
    calendar: &Calendar,
    files: &mut Vec<String>,
) -> Result<(), ApiError> {
    let mut after = None;
    while let Some(id) = calendar.next_indexable::<R>(after).await? {
        let number = (id.get() - 1) / IDS;
        files.push(format!("{}-{number}.xml", R::KIND.name()));
        after = Some(Id::from_raw((number + 1).saturating_mul(IDS)));
    }
    Ok(())
}

/// `GET` of a file of the sitemap.
pub(crate) async fn file(
    State(state): State<AppState>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let _permit = admit(&state)?;
    let Path(name) = name.map_err(|_| ApiError::NoRoute)?;
    if name == HOME {
        let home = Addresses::of_home(&state.site);
        return Ok((MEDIA_TYPE, format!("{BEGIN}{home}{END}")).into_response());
    }
    let (kind, first) = named(&name).ok_or(ApiError::NoRoute)?;
    match kind {
        Kind::Event => records::<Event>(state, first).await,
        Kind::Venue => records::<Venue>(state, first).await,
        Kind::Organizer => records::<Organizer>(state, first).await,
        Kind::Category => records::<Category>(state, first).await,
        Kind::Tag => records::<Tag>(state, first).await,
    }
}

/// The kind of the records in a file, and the ID before the first one: `event-3.xml`.
fn named(file: &str) -> Option<(Kind, i64)> {
    let (kind, number) = file.strip_suffix(".xml")?.split_once('-')?;
    let kind = Kind::ALL.into_iter().find(|one| one.name() == kind)?;
    let index: i64 = number.parse().ok()?;
    // Each file has one name.
    let is_canonical = index >= 0 && index.to_string() == number;
    Some((kind, index.checked_mul(IDS)?)).filter(|_| is_canonical)
}

/// The file with the records of a kind after an ID, written as the client reads it.
async fn records<R: HasPage>(state: AppState, before: i64) -> Result<Response, ApiError> {
    let last = before.saturating_add(IDS);
    let mut records = IndexableRecords::<R>::after(Id::from_raw(before), Id::from_raw(last));
    let Some(first) = read(&state, &mut records).await? else {
        return Err(ApiError::NoRoute);
    };
    let begin = Bytes::from([BEGIN.as_bytes(), &first].concat());
    let rest = Rest {
        state,
        records,
        is_ended: false,
    };
    let file = streamed_from(begin, rest, async |mut rest| {
        let part = rest.next().await?;
        Ok(part.map(|part| (part, rest)))
    });
    Ok((MEDIA_TYPE, file.await?).into_response())
}

/// The rest of a file, which is not written yet.
struct Rest<R> {
    state: AppState,
    records: IndexableRecords<R>,
    is_ended: bool,
}

impl<R: HasPage> Rest<R> {
    /// The next part; none after the last one.
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        if self.is_ended {
            return Ok(None);
        }
        let part = read(&self.state, &mut self.records).await?;
        self.is_ended = part.is_none();
        Ok(Some(part.unwrap_or(Bytes::from_static(END.as_bytes()))))
    }
}

/// The addresses of the next records; none after the last one.
async fn read<R: HasPage>(
    state: &AppState,
    records: &mut IndexableRecords<R>,
) -> Result<Option<Bytes>, ApiError> {
    let Some(read) = state.calendar.read_indexable(records).await? else {
        return Ok(None);
    };
    let pages = read
        .iter()
        .filter_map(|views| Addresses::of::<R>(views, &state.site));
    let text: String = pages.map(|page| page.to_string()).collect();
    Ok(Some(text.into()))
}

const BEGIN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n";

const END: &str = "</urlset>\n";

/// The addresses of a page in its languages.
struct Addresses {
    all: Vec<(Language, String)>,
    /// The address for readers of any other language.
    default: String,
    modified: Option<Timestamp>,
}

impl Addresses {
    /// The addresses of the page of a record, by its views.
    fn of<R: HasPage>(views: &[R::View], site: &Site) -> Option<Self> {
        let content = R::shown(views.first()?).content;
        let original = content.languages().first().copied();
        let address = |view| {
            let language = R::shown(view).language;
            (language, R::url(view, &in_language(site, language)))
        };
        let all: Vec<_> = views.iter().map(address).collect();
        let of = |wanted| all.iter().find(|(language, _)| Some(*language) == wanted);
        let (_, default) = of(Some(site.language)).or_else(|| of(original))?;
        Some(Self {
            default: default.clone(),
            modified: content.modified(),
            all,
        })
    }

    /// The addresses of the first page; the one without a language is in that of the reader.
    fn of_home(site: &Site) -> Self {
        let address = |language| site.in_language(Some(language)).page_at("/");
        Self {
            all: Language::ALL.map(|one| (one, address(one))).into(),
            default: site.in_language(None).page_at("/"),
            modified: None,
        }
    }
}

impl Display for Addresses {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let link = |language: &str, address: &str| {
            let address = escape_markup(address);
            format!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\"/>\n")
        };
        let others = match &*self.all {
            [_] => String::new(),
            all => {
                let all = all
                    .iter()
                    .map(|(language, address)| link(language.code(), address));
                all.chain([link("x-default", &self.default)]).collect()
            }
        };
        let addresses = self.all.iter().map(|(_, address)| address);
        let is_other = !addresses.clone().any(|address| *address == self.default);
        for address in is_other
            .then_some(&self.default)
            .into_iter()
            .chain(addresses)
        {
            write!(f, "<url>\n<loc>{}</loc>\n", escape_markup(address))?;
            if let Some(modified) = self.modified {
                let modified = modified.to_string().replacen(' ', "T", 1);
                writeln!(f, "<lastmod>{modified}Z</lastmod>")?;
            }
            writeln!(f, "{others}</url>")?;
        }
        Ok(())
    }
}

/// The site in a language. The addresses of its own language name none.
fn in_language(site: &Site, language: Language) -> Site {
    site.in_language(Some(language).filter(|one| *one != site.language))
}

/// A permit of the concurrency limit; an error if another site has the pages.
fn admit(state: &AppState) -> Result<OwnedSemaphorePermit, ApiError> {
    if state.site.has_pages_elsewhere() {
        return Err(ApiError::NoRoute);
    }
    state.concurrency.try_acquire()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name() {
        assert_eq!(named("event-0.xml"), Some((Kind::Event, 0)));
        assert_eq!(named("tag-12.xml"), Some((Kind::Tag, 120_000)));
        for unknown in [
            "event-00.xml",
            "event--1.xml",
            "event-+1.xml",
            "event-.xml",
            "event.xml",
            "event-1",
            "user-0.xml",
            "event-9223372036854775807.xml",
        ] {
            assert_eq!(named(unknown), None, "{unknown}");
        }
    }
}
