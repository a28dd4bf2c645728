//! The kinds of records that have a history.

use std::future::Future;

use app::{AppError, event::EventView};
use domain::{Event, Id, Status, event::EventFilter, query::Statuses};
use http_service::record::ShownRecord;

use crate::{
    event_form,
    records::{self, Kept},
    request::DeskRequest,
    words::Word,
};

/// A kind whose records have a history on the desk.
pub(crate) trait HasHistory: ShownRecord {
    /// The words for a record that is not there.
    const ABSENT: Word;

    /// The path of the forms of the kind, which the ID follows.
    fn forms() -> String;

    /// The record of a form, for a person who may change it.
    fn read(
        request: &DeskRequest,
        id: i64,
    ) -> impl Future<Output = Result<Self::View, AppError>> + Send;

    /// The filter of some records, in any state.
    fn among(ids: &[i64]) -> Self::Filter;
}

impl HasHistory for Event {
    const ABSENT: Word = Word::NO_SUCH_EVENT;

    fn forms() -> String {
        "/desk/event".to_owned()
    }

    async fn read(request: &DeskRequest, id: i64) -> Result<EventView, AppError> {
        event_form::read(request, id).await
    }

    fn among(ids: &[i64]) -> EventFilter {
        EventFilter {
            statuses: Statuses(Some(Status::ALL.to_vec())),
            include: Some(ids.iter().copied().map(Id::from_raw).collect()),
            ..EventFilter::default()
        }
    }
}

impl<R: Kept> HasHistory for R {
    const ABSENT: Word = Word::NO_SUCH_RECORD;

    fn forms() -> String {
        records::path::<R>()
    }

    async fn read(request: &DeskRequest, id: i64) -> Result<R::View, AppError> {
        Ok(records::read::<R>(request, id).await?.0)
    }

    fn among(ids: &[i64]) -> R::Filter {
        <R as Kept>::among(ids)
    }
}
