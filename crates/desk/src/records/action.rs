//! Moving a record to the trash and back, and deleting it for good. The desk asks before.

use app::{AppError, calendar::Precondition, write::DeleteOptions};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Event, Status, page::PageRequest};
use forms::{Fields, Reading};

use super::{key, kind::Kept, path, read};
use crate::{
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    words::Word,
};

/// An action on a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Trash,
    Restore,
    Delete,
}

impl Action {
    pub(super) const ALL: [Self; 3] = [Self::Trash, Self::Restore, Self::Delete];

    /// The actions on a record with a status, or of a kind without.
    pub(super) fn of(status: Option<Status>) -> Vec<Self> {
        match status {
            None => vec![Self::Delete],
            Some(Status::Trash) => vec![Self::Restore, Self::Delete],
            Some(_) => vec![Self::Trash],
        }
    }

    /// The name in forms.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Trash => "trash",
            Self::Restore => "restore",
            Self::Delete => "delete",
        }
    }

    /// The words on the button.
    pub(super) const fn title(self) -> Word {
        match self {
            Self::Trash => Word::TO_TRASH,
            Self::Restore => Word::RESTORE,
            Self::Delete => Word::DELETE,
        }
    }
}

/// The question before an action.
#[derive(Debug, Template)]
#[template(path = "record_question.html")]
struct Question {
    frame: Frame,
    action: (&'static str, &'static str),
    title: String,
    /// The number of events with the record.
    events: u64,
    is_final: bool,
    back: String,
}

/// `POST` of an action on a record: the question first.
pub(super) async fn act<R: Kept>(path: PathText, request: DeskRequest) -> Answer {
    let done = try_to_act::<R>(&request, &path).await;
    request.found(done, Word::NO_SUCH_RECORD)
}

async fn try_to_act<R: Kept>(request: &DeskRequest, path: &PathText) -> Result<Response, AppError> {
    let id = path.id().ok_or_else(R::not_found)?;
    let (view, _) = read::<R>(request, id).await?;
    let status = R::summary(&view, &request.state.site).status;
    let name = request.form.get("action").unwrap_or_default();
    let action = Action::of(status)
        .into_iter()
        .find(|one| one.name() == name);
    let Some(action) = action else {
        return Ok(request.see(&super::path::<R>()));
    };
    if request.form.get("confirmed").is_none() {
        return ask::<R>(request, id, &view, action).await;
    }
    perform::<R>(request, id, action).await?;
    let (list, done) = (super::path::<R>(), action.name());
    Ok(request.see(&format!("{list}?done={done}")))
}

async fn ask<R: Kept>(
    request: &DeskRequest,
    id: i64,
    view: &R::View,
    action: Action,
) -> Result<Response, AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let (filter, options) = (R::events_with(id), request.options());
    let one = PageRequest::new(1, 1, 1);
    let events = calendar.query::<Event>(caller, request.network(), filter, one, &options);
    let page = Question {
        frame: Frame::new(request, request.word(Word::REALLY)),
        action: (action.name(), request.word(action.title())),
        title: R::shown(view).content.title().as_str().to_owned(),
        events: events.await?.total,
        is_final: action == Action::Delete,
        back: request.url(&path::<R>()),
    };
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn perform<R: Kept>(request: &DeskRequest, id: i64, action: Action) -> Result<(), AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let options = match action {
        Action::Restore => {
            let status = ("status".to_owned(), Status::Draft.name().into());
            let fields = Fields::from_body([status].into_iter().collect());
            let write = forms::update::<R>(&fields, Reading::of(calendar, caller));
            let update = calendar.update(caller, key(id), &Precondition::Any, &write);
            return update.await.map(drop);
        }
        Action::Trash => DeleteOptions::default(),
        Action::Delete => DeleteOptions::permanently(),
    };
    let deletion = calendar.delete::<R>(caller, key(id), &Precondition::Any, &options);
    deletion.await.map(drop)
}
