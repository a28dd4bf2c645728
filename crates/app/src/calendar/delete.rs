//! Deleting a record.

use async_trait::async_trait;
use domain::policy::Caller;

use super::{Calendar, Precondition, Work, find_for_change, require_write, view};
use crate::{
    error::AppError,
    event::Scope,
    ports::UnitOfWork,
    request::{RecordKey, Request},
    resource::Resource,
    write::DeleteOptions,
};

/// The result of a deletion.
#[derive(Debug)]
pub enum Deleted<V> {
    /// The record is in the trash; its view.
    Trashed(V),
    /// The record is removed; its last view.
    Gone(V),
}

/// Deletes a record, for a caller who may write such records.
pub(crate) struct Delete<'a, R: Resource> {
    request: Request<'a>,
    key: RecordKey<R>,
    expected: &'a Precondition,
    force: bool,
    scope: Option<Scope>,
}

impl<'a, R: Resource> Delete<'a, R> {
    /// Checks the right to write such records.
    pub(crate) fn prepare(
        request: Request<'a>,
        key: RecordKey<R>,
        expected: &'a Precondition,
        options: &DeleteOptions,
    ) -> Result<Self, AppError> {
        require_write::<R>(request.caller)?;
        Ok(Self {
            request,
            key,
            expected,
            force: options.force,
            scope: options.scope,
        })
    }
}

#[async_trait]
impl<R: Resource> Work for Delete<'_, R> {
    type Output = Deleted<R::View>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Deleted<R::View>, AppError> {
        let repositories = &*unit;
        R::lock_for(None, repositories).await?;
        let before = find_for_change(repositories, &self.key, self.request.caller).await?;
        let request = self.request.about(&self.key, &before.content);
        let trashed = if self.force {
            None
        } else {
            if before.is_gone() {
                return Err(R::not_found());
            }
            before.trash(request.now)?
        };
        self.expected.check(before.revision, before.modified())?;
        if let Some(trashed) = trashed {
            let record =
                R::put_in_trash(before, trashed, self.scope, &request, repositories).await?;
            return Ok(Deleted::Trashed(
                view(repositories, &request, record, None).await?,
            ));
        }
        let view = view(repositories, &request, before.clone(), None).await?;
        let id = before.id;
        R::remove(before, self.scope, &request, repositories).await?;
        if let Some(id) = id.filter(|_| self.force) {
            let trail = repositories.audit();
            trail.forget_values(R::KIND.into(), id.get()).await?;
        }
        Ok(Deleted::Gone(view))
    }
}

impl Calendar {
    /// Deletes a record: into the trash if its kind has one and `force` was not sent.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::{Deleted, Precondition}, write::{DeleteOptions, NewVenue}};
    /// use domain::{Status, Venue};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
    /// let (key, any) = (|| mill.entry.id.into(), Precondition::Any);
    /// let deleted = calendar.delete::<Venue>(editor, key(), &any, &DeleteOptions::default()).await?;
    /// assert!(matches!(deleted, Deleted::Trashed(view) if view.status == Status::Trash));
    /// let again = calendar.delete::<Venue>(editor, key(), &any, &DeleteOptions::default()).await;
    /// assert!(matches!(again, Err(AppError::InTrash(_))));
    /// let deleted = calendar.delete::<Venue>(editor, key(), &any, &DeleteOptions::permanently()).await?;
    /// assert!(matches!(deleted, Deleted::Gone(_)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no right to delete such records, no
    /// such record, no right to delete this one, in the trash already, revision mismatch.
    #[tracing::instrument(name = "app.delete", skip_all, fields(kind = %R::KIND))]
    pub async fn delete<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        expected: &Precondition,
        options: &DeleteOptions,
    ) -> Result<Deleted<R::View>, AppError> {
        let request = Request {
            language: options.language,
            ..self.request_of(caller)
        };
        self.in_unit(&Delete::prepare(request, key, expected, options)?)
            .await
    }
}
