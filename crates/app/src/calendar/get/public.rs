//! Reading one record for a public page.

use domain::policy::Caller;

use crate::calendar::{Calendar, find, view};
use crate::{error::AppError, request::RecordKey, resource::Resource, write::ReadOptions};

impl Calendar {
    /// One record as its public page shows it; if its content is locked, only the parts in lists.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::{NewVenue, ReadOptions}};
    /// use domain::{Status, Venue};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let draft = NewVenue::builder("Old Mill".parse()?).status(Status::Draft).build();
    /// let draft = calendar.create(editor, &draft).await?.entry.id;
    /// let page = calendar.get_public::<Venue>(draft.into(), &ReadOptions::default()).await;
    /// assert!(matches!(page, Err(AppError::NotFound(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::NotFound`], also for a record that is not public: its existence is not revealed.
    #[tracing::instrument(name = "app.get_public", skip_all, fields(kind = %R::KIND))]
    pub async fn get_public<R: Resource>(
        &self,
        key: RecordKey<R>,
        options: &ReadOptions,
    ) -> Result<R::View, AppError> {
        let request = self.request_with(Caller::Anonymous, options);
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let record = find(repositories, &key).await?;
        if !record.has_page(&request.visibility()) {
            return Err(R::not_found());
        }
        let request = request.about(&key, &record.content);
        view(repositories, &request, record, None).await
    }
}
