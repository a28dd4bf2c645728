//! Reading one record.

mod event_pass;
mod former_address;
mod indexable;
mod preview;
mod public;

pub use event_pass::EventPass;
pub use indexable::IndexableRecords;

use domain::policy::Caller;

use super::{Calendar, find_readable, view};
use crate::{error::AppError, request::RecordKey, resource::Resource, write::ReadOptions};

impl Calendar {
    /// One record, if the caller may read it.
    ///
    /// ```
    /// use events_calendar_app::{AppError, request::RecordKey, write::{NewVenue, ReadOptions}};
    /// use domain::{Venue, VenueId, policy::Caller, slug::Slug};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
    /// let options = ReadOptions::default();
    /// let by_id = calendar.get::<Venue>(Caller::Anonymous, mill.entry.id.into(), &options).await?;
    /// let slug = Slug::normalize("old-mill").unwrap();
    /// let by_slug = calendar.get::<Venue>(Caller::Anonymous, slug.into(), &options).await?;
    /// assert_eq!(by_id, by_slug);
    ///
    /// let nothing = RecordKey::<Venue>::Id(VenueId::from_raw(99));
    /// let refused = calendar.get(Caller::Anonymous, nothing, &options).await;
    /// assert!(matches!(refused, Err(AppError::NotFound(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: no such record, or the reason why the caller may not read it.
    #[tracing::instrument(name = "app.get", skip_all, fields(kind = %R::KIND))]
    pub async fn get<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        options: &ReadOptions,
    ) -> Result<R::View, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let record = find_readable(repositories, &key, &request.visibility()).await?;
        let request = request.about(&key, &record.content);
        view(repositories, &request, record, None).await
    }
}
