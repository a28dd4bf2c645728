//! Actions on several events at once. The desk asks once before an action, which can be undone for ten minutes.

use std::collections::HashMap;

use app::{
    AppError,
    calendar::{Deleted, Precondition},
    request::RecordKey,
    write::{DeleteOptions, EventUpdate},
};
use askama::Template;
use domain::{
    Event, EventId, Status,
    event::{EventFilter, InvalidRemark, Remark},
    page::PageRequest,
    query::Statuses,
};
use serde::{Deserialize, Serialize};

use super::list_of;
use crate::{
    page::{self, Answer, Frame, status_of_form},
    request::{DeskRequest, PathText},
    words::Word,
};

/// The seconds in which an action can be undone.
const UNDO_SECONDS: i64 = 600;

/// The key of the session under which the last action is kept.
const LAST: &str = "last_action";

/// The most events of one action.
const MAX_EVENTS: usize = 100;

/// An action on events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Publish,
    Return,
    Verify,
    Draft,
    Trash,
    Restore,
    Delete,
}

impl Action {
    const ALL: [Self; 7] = [
        Self::Publish,
        Self::Return,
        Self::Verify,
        Self::Draft,
        Self::Trash,
        Self::Restore,
        Self::Delete,
    ];

    /// The name in forms.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Return => "return",
            Self::Verify => "verify",
            Self::Draft => "draft",
            Self::Trash => "trash",
            Self::Restore => "restore",
            Self::Delete => "delete",
        }
    }

    /// The words on the button.
    pub(super) const fn title(self) -> Word {
        match self {
            Self::Publish => Word::PUBLISH,
            Self::Return => Word::RETURN,
            Self::Verify => Word::STILL_RIGHT,
            Self::Draft => Word::TO_DRAFT,
            Self::Trash => Word::TO_TRASH,
            Self::Restore => Word::RESTORE,
            Self::Delete => Word::DELETE,
        }
    }

    /// Whether the former status of an event undoes it.
    fn can_be_undone(self) -> bool {
        !matches!(self, Self::Delete | Self::Verify)
    }

    /// The status that a change of it alone gives.
    const fn status(self) -> Option<Status> {
        match self {
            Self::Publish => Some(Status::Publish),
            Self::Draft | Self::Restore => Some(Status::Draft),
            Self::Return | Self::Verify | Self::Trash | Self::Delete => None,
        }
    }
}

/// The last action of a session.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Last {
    /// Seconds since 1970.
    at: i64,
    /// The name of the action.
    action: String,
    /// The events, each with its former status and the revision that the action made.
    events: Vec<(i64, String, i64)>,
    /// The titles of events with which it failed.
    failed: Vec<String>,
}

/// The last action, as the list tells it.
#[derive(Debug)]
pub(crate) struct Done {
    pub(super) action: &'static str,
    pub(super) count: usize,
    pub(super) failed: Vec<String>,
    pub(super) can_be_undone: bool,
}

/// The question before an action.
#[derive(Debug, Template)]
#[template(path = "confirm.html")]
struct Question {
    frame: Frame,
    action: (&'static str, &'static str),
    events: Vec<(i64, String)>,
    is_final: bool,
    /// The remark of a return, as it was typed.
    remark: Option<String>,
    /// Why the remark is refused.
    fault: Option<&'static str>,
    back: String,
}

/// The remark of a form; `None` if its action has no remark.
fn remark_of(request: &DeskRequest, action: Action) -> Result<Option<Remark>, InvalidRemark> {
    if action != Action::Return {
        return Ok(None);
    }
    let text = request.form.get("remark").unwrap_or_default();
    text.parse().map(Some)
}

/// `POST` of an action on a list: the question first.
pub(crate) async fn act(path: PathText, request: DeskRequest) -> Answer {
    let list = list_of(&path, &request)?;
    let back = format!("/desk/events/{}", list.name());
    let name = request.form.get("action").unwrap_or_default();
    let failed = |()| page::failed(request.language);
    if name == "undo" {
        undo(&request).await.map_err(failed)?;
        return Ok(request.see(&back));
    }
    // The button of a row names its event, whatever boxes are on.
    let of_row = request.form.get(Action::Verify.name());
    let (name, ids) = match of_row {
        Some(id) => (Action::Verify.name(), vec![id]),
        None => (name, request.form.all("event").collect()),
    };
    let ids = ids.into_iter().filter_map(|id| id.parse::<i64>().ok());
    let ids: Vec<_> = ids.take(MAX_EVENTS).collect();
    let action = super::actions(list, &request)
        .into_iter()
        .find(|one| one.name() == name);
    let Some(action) = action.filter(|_| !ids.is_empty()) else {
        return Ok(request.see(&back));
    };
    // A verification changes nothing that readers see: it needs no question.
    if request.form.get("confirmed").is_none() && action != Action::Verify {
        return ask(&request, action, &ids, &back, None).await;
    }
    let remark = match remark_of(&request, action) {
        Ok(remark) => remark,
        Err(fault) => return ask(&request, action, &ids, &back, Some(fault)).await,
    };
    let performed = perform(&request, action, remark.as_ref(), &ids).await;
    performed.map_err(failed)?;
    Ok(request.see(&back))
}

async fn ask(
    request: &DeskRequest,
    action: Action,
    ids: &[i64],
    back: &str,
    fault: Option<InvalidRemark>,
) -> Answer {
    let found = request.found(found(request, ids).await, Word::NO_SUCH_EVENT)?;
    let events = ids
        .iter()
        .filter_map(|id| Some((*id, found.get(id)?.title.clone())));
    let events: Vec<_> = events.collect();
    if events.is_empty() {
        return Err(request.not_found(Word::NO_SUCH_EVENT));
    }
    let page = Question {
        frame: Frame::new(request, request.word(Word::REALLY)),
        action: (action.name(), request.word(action.title())),
        events,
        is_final: action == Action::Delete,
        remark: (action == Action::Return)
            .then(|| request.form.get("remark").unwrap_or_default().to_owned()),
        fault: fault.map(|fault| {
            request.word(match fault {
                InvalidRemark::Empty => Word::REMARK_MISSING,
                InvalidRemark::TooLong => Word::REMARK_TOO_LONG,
            })
        }),
        back: request.url(back),
    };
    let status = status_of_form(fault.is_some());
    Ok(page::response(status, request.language, &page))
}

/// An event of an action.
struct Found {
    title: String,
    status: Status,
}

/// The events with these IDs that the person may change, those in the trash too.
async fn found(request: &DeskRequest, ids: &[i64]) -> Result<HashMap<i64, Found>, AppError> {
    let filter = EventFilter {
        include: Some(ids.iter().copied().map(EventId::from_raw).collect()),
        statuses: Statuses(Some(Status::ALL.to_vec())),
        ..EventFilter::default()
    };
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let count = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    let page = PageRequest::new(1, count.into(), count);
    let options = request.options();
    let page = calendar.query::<Event>(caller, request.network(), filter, page, &options);
    let views = page.await?.rows.into_iter();
    let views = views.filter(|view| caller.may_edit(&view.event.content));
    let found = views.filter_map(|view| {
        let found = Found {
            title: view.event.title.as_str().to_owned(),
            status: view.status,
        };
        Some((view.event.id?.get(), found))
    });
    Ok(found.collect())
}

/// Does an action with each event, and remembers what it did.
async fn perform(
    request: &DeskRequest,
    action: Action,
    remark: Option<&Remark>,
    ids: &[i64],
) -> Result<(), ()> {
    let calendar = &request.state.calendar;
    let mut last = Last {
        at: request.state.accounts.sign_in().now().seconds(),
        action: action.name().to_owned(),
        ..Last::default()
    };
    let found = found(request, ids).await.map_err(|_| ())?;
    for id in ids {
        let Some(before) = found.get(id) else {
            last.failed.push(format!("#{id}"));
            continue;
        };
        let key = RecordKey::<Event>::Id(EventId::from_raw(*id));
        let any = &Precondition::Any;
        let done = if let Some(remark) = remark {
            let returned = calendar.return_event(request.caller(), key, any, remark);
            returned.await.map(|view| view.event.revision)
        } else if action == Action::Verify {
            let options = request.options();
            let verified = calendar.verify(request.caller(), key, &options);
            verified.await.map(|view| view.event.revision)
        } else if let Some(status) = action.status() {
            let write = EventUpdate::builder().status(status).build();
            let update = calendar.update(request.caller(), key, any, &write);
            update.await.map(|view| view.event.revision)
        } else {
            let options = match action {
                Action::Delete => DeleteOptions::permanently(),
                _ => DeleteOptions::default(),
            };
            let deletion = calendar.delete(request.caller(), key, any, &options);
            deletion.await.map(|deleted| match deleted {
                Deleted::Trashed(view) | Deleted::Gone(view) => view.event.revision,
            })
        };
        match done {
            Ok(revision) => {
                let status = before.status.name().to_owned();
                last.events.push((*id, status, revision));
            }
            Err(_) => last.failed.push(before.title.clone()),
        }
    }
    request.session.insert(LAST, last).await.map_err(|_| ())
}

/// Gives the events of the last action their former status, unless they changed meanwhile.
async fn undo(request: &DeskRequest) -> Result<(), ()> {
    let last = request.session.remove::<Last>(LAST).await.map_err(|_| ())?;
    let now = request.state.accounts.sign_in().now().seconds();
    let Some(last) = last.filter(|last| now - last.at < UNDO_SECONDS) else {
        return Ok(());
    };
    let mut undone = Last {
        at: now,
        action: "undo".to_owned(),
        ..Last::default()
    };
    let calendar = &request.state.calendar;
    let ids: Vec<_> = last.events.iter().map(|(id, ..)| *id).collect();
    let titles = found(request, &ids).await.map_err(|_| ())?;
    for (id, status, revision) in last.events {
        let key = RecordKey::<Event>::Id(EventId::from_raw(id));
        let Ok(status) = status.parse::<Status>() else {
            continue;
        };
        let write = EventUpdate::builder().status(status).build();
        let unchanged = Precondition::OneOf(vec![revision]);
        match calendar
            .update(request.caller(), key, &unchanged, &write)
            .await
        {
            Ok(_) => undone.events.push((id, String::new(), 0)),
            Err(_) => undone.failed.push(match titles.get(&id) {
                Some(found) => found.title.clone(),
                None => format!("#{id}"),
            }),
        }
    }
    request.session.insert(LAST, undone).await.map_err(|_| ())
}

/// The last action, for ten minutes. A read changes nothing: browsers repeat it.
pub(super) async fn done(request: &DeskRequest) -> Option<Done> {
    let last = request.session.get::<Last>(LAST).await.ok()??;
    let now = request.state.accounts.sign_in().now().seconds();
    if now - last.at >= UNDO_SECONDS {
        return None;
    }
    let action = Action::ALL
        .into_iter()
        .find(|one| one.name() == last.action);
    Some(Done {
        action: request.word(action.map_or(Word::UNDO, Action::title)),
        count: last.events.len(),
        can_be_undone: action.is_some_and(Action::can_be_undone) && !last.events.is_empty(),
        failed: last.failed,
    })
}
