//! Venues, organizers, categories and tags: lists, forms and deletion, the same for each kind.

mod action;
mod fields;
mod form;
mod kind;
mod list;
mod tree;

use domain::{Id, Language};
use http_service::Endpoint;

use app::{AppError, request::RecordKey, write::ReadOptions};
use http_service::record::{Shown, ShownRecord};

use crate::request::DeskRequest;
use kind::Kept;

pub(crate) use kind::title_of;

/// The pages of a kind.
pub(crate) fn endpoints<R: Kept>() -> [Endpoint; 6] {
    let list = path::<R>();
    let (new, one) = (format!("{list}/new"), format!("{list}/{{id}}"));
    let action = format!("{one}/action");
    [
        Endpoint::get(list, list::list::<R>),
        Endpoint::get(new.clone(), form::new::<R>),
        Endpoint::post(new, form::create::<R>),
        Endpoint::get(one.clone(), form::edit::<R>),
        Endpoint::post(one, form::update::<R>),
        Endpoint::post(action, action::act::<R>),
    ]
}

/// The path of the list of a kind.
fn path<R: Kept>() -> String {
    format!("/desk/{}", R::KIND.plural())
}

fn key<R: ShownRecord>(id: i64) -> RecordKey<R> {
    RecordKey::Id(Id::from_raw(id))
}

/// A record that the person may change, with the texts of the original, and the language of these.
pub(crate) async fn read<R: ShownRecord>(
    request: &DeskRequest,
    id: i64,
) -> Result<(R::View, Language), AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let view = calendar
        .get::<R>(caller, key(id), &request.options())
        .await?;
    let Shown { content, .. } = R::shown(&view);
    if !content.may_edit(caller) {
        return Err(AppError::Forbidden);
    }
    let language = content.language();
    let original = ReadOptions::default().language(language);
    let view = calendar.get::<R>(caller, key(id), &original).await?;
    Ok((view, language))
}
