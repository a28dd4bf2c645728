//! The frame of the pages of the desk, and their responses.

use askama::Template;
use axum::{
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use domain::{Kind, Language, policy::Capability};
use http_service::{
    error::ApiError,
    response::asset::{Asset, ICON},
};

use crate::{
    assets::{SCRIPT, STYLE},
    list::List,
    visit::{DESK, Visit, caller_of},
    words::Word,
};

/// Content security policy: pages load their stylesheet and images of this service, send forms to it alone, and run
/// no scripts but those of the service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The pages of other records than events: path, words, and the right that a person needs to change something there.
const RECORDS: [(&str, Word, Capability); 11] = [
    ("/desk/venues", Word::VENUES, Capability::Write(Kind::Venue)),
    (
        "/desk/organizers",
        Word::ORGANIZERS,
        Capability::Write(Kind::Organizer),
    ),
    (
        "/desk/categories",
        Word::CATEGORIES,
        Capability::Write(Kind::Category),
    ),
    ("/desk/tags", Word::TAGS, Capability::Write(Kind::Tag)),
    ("/desk/images", Word::IMAGES, Capability::Upload),
    ("/desk/imports", Word::IMPORTS, Capability::EditOthers),
    ("/desk/duplicates", Word::DUPLICATES, Capability::EditOthers),
    ("/desk/sources", Word::SOURCES, Capability::EditOthers),
    ("/desk/users", Word::USERS, Capability::ManageUsers),
    ("/desk/site", Word::SITE, Capability::ChangeSite),
    ("/desk/trail", Word::TRAIL, Capability::ReadAudit),
];

/// The answer to a request: the page that it asked for, or the page that says why there is none.
pub(crate) type Answer = Result<Response, Response>;

/// A link of the navigation.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) url: String,
    pub(crate) text: &'static str,
    /// The number of events that the list asks about.
    pub(crate) count: Option<usize>,
    pub(crate) is_current: bool,
}

/// The frame of a page.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) language: Language,
    pub(crate) title: String,
    /// The name of the site.
    pub(crate) site: String,
    /// The address of the calendar for people.
    pub(crate) home: String,
    /// The address of the folder of assets.
    pub(crate) assets: String,
    pub(crate) style: String,
    pub(crate) icon: String,
    /// The name of the person.
    pub(crate) user: Option<String>,
    pub(crate) links: Vec<Link>,
    /// The links to other records than events.
    pub(crate) records: Vec<Link>,
    pub(crate) sign_out: String,
    pub(crate) account: String,
    /// The confirmation of what was done.
    pub(crate) notice: Option<String>,
    /// The parts of it that had no effect.
    pub(crate) left_out: Vec<String>,
}

impl Frame {
    /// The frame of a page of a visit.
    pub(crate) fn new(visit: &Visit, title: impl Into<String>) -> Self {
        let (state, language) = (&visit.state, visit.language);
        let site = state.site.name_in(language);
        let assets = visit.url("/desk/assets/");
        let path = visit.path();
        let (mut links, mut records) = (Vec::new(), Vec::new());
        if let Some(user) = &visit.user {
            let is_editor = caller_of(user).can(Capability::EditOthers);
            let lists = List::ALL.into_iter();
            for list in lists.filter(|list| is_editor || !list.is_of_editors()) {
                let own = format!("/desk/events/{}", list.name());
                let is_first = path.trim_end_matches('/') == DESK;
                links.push(Link {
                    is_current: path == own || (is_first && list == List::Mine),
                    url: visit.url(&own),
                    text: visit.word(list.title()),
                    count: (list == List::StillRight && visit.to_verify > 0)
                        .then_some(visit.to_verify),
                });
            }
            for (own, text, right) in RECORDS {
                if caller_of(user).can(right) {
                    let is_below = path
                        .strip_prefix(own)
                        .is_some_and(|rest| rest.starts_with('/'));
                    records.push(Link {
                        count: None,
                        is_current: path == own || is_below,
                        url: visit.url(own),
                        text: visit.word(text),
                    });
                }
            }
        }
        Self {
            language,
            title: title.into(),
            site: site.unwrap_or_else(|| visit.word(Word::CALENDAR).to_owned()),
            home: state.site.page_at("/"),
            style: format!("{assets}{}", STYLE.name),
            icon: format!("{assets}{}", ICON.name),
            assets,
            user: visit.user.as_ref().map(|user| user.name.to_string()),
            links,
            records,
            sign_out: visit.url("/desk/sign-out"),
            account: visit.url("/desk/account"),
            notice: None,
            left_out: Vec::new(),
        }
    }

    /// The frame with a notice, if there is one.
    pub(crate) fn told(mut self, notice: Option<Word>) -> Self {
        self.notice = notice.map(|word| self.word(word).to_owned());
        self
    }

    /// Confirms what was done to the record of a form: it was stored, or has a former state.
    pub(crate) async fn confirm(&mut self, visit: &Visit) {
        if visit.parameter("saved").is_some() {
            self.notice = Some(visit.word(Word::SAVED).to_owned());
        } else if let Some(restored) = visit.restored().await {
            let text = visit.word(Word::STATE_RESTORED);
            self.notice = Some(format!("{text} {}", restored.revision));
            self.left_out = restored.warnings;
        }
    }

    /// The address of the script.
    pub(crate) fn script(&self) -> String {
        self.asset(&SCRIPT)
    }

    /// The address of a file that pages load.
    pub(crate) fn asset(&self, asset: &Asset) -> String {
        format!("{}{}", self.assets, asset.name)
    }

    /// The direction of the language.
    pub(crate) fn direction(&self) -> &'static str {
        direction(self.language)
    }

    /// A text in the language of the page.
    pub(crate) fn word(&self, word: Word) -> &'static str {
        word.text(self.language)
    }
}

/// The direction of the writing of a language.
pub(crate) const fn direction(language: Language) -> &'static str {
    match language {
        Language::Arabic => "rtl",
        Language::English | Language::French => "ltr",
    }
}

/// A page with a message alone.
#[derive(Debug, Template)]
#[template(path = "message.html")]
struct Message {
    frame: Frame,
    text: &'static str,
}

/// The response with a page. No cache stores it.
pub(crate) fn response(status: StatusCode, language: Language, page: &impl Template) -> Response {
    const REFERRER: HeaderName = HeaderName::from_static("referrer-policy");
    let body = match page.render() {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(cause = %error, "cannot render a page");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=UTF-8"),
        (header::CONTENT_LANGUAGE, language.code()),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "private, no-store"),
        (REFERRER, "same-origin"),
    ];
    (status, headers, body).into_response()
}

/// The status of the page of a form, which may be shown again with what is wrong.
pub(crate) const fn status_of_form(is_refused: bool) -> StatusCode {
    if is_refused {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    }
}

/// A page with a message.
pub(crate) fn message(visit: &Visit, status: StatusCode, title: Word, text: Word) -> Response {
    let page = Message {
        frame: Frame::new(visit, visit.word(title)),
        text: visit.word(text),
    };
    response(status, visit.language, &page)
}

/// The page of a refusal by a limit.
pub(crate) fn unavailable(visit: &Visit, error: &ApiError) -> Response {
    let (status, _) = error.kind();
    message(visit, status, Word::UNAVAILABLE, Word::TRY_AGAIN)
}

/// The page of a session that could not be read.
pub(crate) fn failed(language: Language) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=UTF-8"),
        (header::CACHE_CONTROL, "private, no-store"),
    ];
    let text = Word::TRY_AGAIN.text(language);
    (StatusCode::SERVICE_UNAVAILABLE, headers, text).into_response()
}
