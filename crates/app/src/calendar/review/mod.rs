//! The review of events that wait for an editor.

mod proposals;
mod verification;

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{
    Event, EventId, Kind, Stage, Status,
    event::Remark,
    policy::{Caller, Capability},
};

pub use proposals::{ProposalTexts, Proposed};

use super::{Calendar, Precondition, Work, require_in, view, writes::begin_change};
use crate::{
    error::AppError,
    event::{EventView, EventWrite},
    ports::{EventRemark, UnitOfWork},
    request::{RecordKey, Request},
    resource::{Changed, Resource as _},
    write::EventUpdate,
};

/// Returns an event that waits for an editor.
struct Return<'a> {
    request: Request<'a>,
    key: &'a RecordKey<Event>,
    expected: &'a Precondition,
    write: &'a EventWrite,
    remark: &'a Remark,
}

#[async_trait]
impl Work for Return<'_> {
    type Output = EventView;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<EventView, AppError> {
        let (write, expected) = (self.write, self.expected);
        let changed = begin_change(write, self.key, expected, self.request, unit).await?;
        let (before, request) = changed;
        if before.stage != Stage::Pending {
            return Err(AppError::PreconditionFailed);
        }
        let Changed { record, slots } =
            Event::change(write.clone(), before, &request, unit).await?;
        let remark = EventRemark {
            event: record.id,
            text: self.remark.clone(),
            author: request.caller.user(),
            at: request.now,
        };
        unit.reviews().put_remark(&remark).await?;
        view(unit, &request, record, slots).await
    }
}

impl Calendar {
    /// Returns an event that waits for an editor to its author: it becomes a draft, with a remark. The remark ends
    /// when the event is sent again or published.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::Precondition, write::{EventUpdate, NewEvent}};
    /// use domain::{Status, time::{EventTime, Zone, parse_civil}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let writer = add_user(&store, "ben", Role::Contributor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let nine = parse_civil("2030-03-10 09:00:00").unwrap();
    /// let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// let fair = NewEvent::builder("Fair".parse()?, when);
    /// let fair = calendar.create(writer, &fair.status(Status::Pending).build()).await?;
    /// let (id, any) = (fair.event.id.unwrap(), Precondition::Any);
    /// let remark = "Which hall?".parse()?;
    /// let refused = calendar.return_event(writer, id.into(), &any, &remark).await;
    /// assert!(matches!(refused, Err(AppError::Forbidden)));
    ///
    /// let returned = calendar.return_event(editor, id.into(), &any, &remark).await?;
    /// assert_eq!(returned.status, Status::Draft);
    /// assert_eq!(calendar.remarks(writer, &[&returned]).await?[&id].text, remark);
    ///
    /// let again = EventUpdate::builder().status(Status::Pending).build();
    /// let again = calendar.update(writer, id.into(), &any, &again).await?;
    /// assert!(calendar.remarks(writer, &[&again]).await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no right to change the events of others, no such event, another
    /// revision, an event that does not wait.
    #[tracing::instrument(name = "app.return_event", skip_all)]
    pub async fn return_event(
        &self,
        caller: Caller,
        key: RecordKey<Event>,
        expected: &Precondition,
        remark: &Remark,
    ) -> Result<EventView, AppError> {
        require_in(caller, Kind::Event, Capability::EditOthers)?;
        let draft = EventUpdate::builder().status(Status::Draft).build();
        let returned = Return {
            request: self.request_of(caller),
            key: &key,
            expected,
            write: &draft.write,
            remark,
        };
        self.in_unit(&returned).await
    }

    /// The remarks on the events that the caller may change, by event.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn remarks(
        &self,
        caller: Caller,
        events: &[&EventView],
    ) -> Result<HashMap<EventId, EventRemark>, AppError> {
        let own = events.iter().map(|view| &view.event);
        let own =
            own.filter(|event| event.stage == Stage::Draft && caller.may_edit(&event.content));
        let ids: Vec<_> = own.filter_map(|event| event.id).collect();
        let remarks = self.store.repositories().reviews().remarks(&ids).await?;
        Ok(remarks.into_iter().map(|one| (one.event, one)).collect())
    }
}
