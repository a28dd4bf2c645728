//! Reading one record.

use domain::{Kind, policy::Caller};

use super::{Calendar, find, view};
use crate::{
    error::AppError,
    input::{self, Fields, Input},
    request::RecordKey,
    resource::Resource,
};

impl Calendar {
    /// One record, if the caller may read it.
    ///
    /// # Errors
    ///
    /// [`AppError`]: bad fields, no such record, or the reason why the caller may not read it.
    #[tracing::instrument(name = "app.get", skip_all, fields(kind = %R::KIND))]
    pub async fn get<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        options: &(impl AsRef<Fields> + Sync),
    ) -> Result<R::View, AppError> {
        let fields = options.as_ref();
        let mut input = Input::new(fields);
        input.language();
        if R::KIND == Kind::Event {
            input.read("password", |value| input::text(value).map(str::to_owned));
        }
        input.finish_strict(None)?;
        let request = self.request(caller, fields);
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let record = find(repositories, &key).await?;
        record.check_readable(&request.visibility())?;
        let request = request.about(&key, &record.content);
        view(repositories, &request, record).await
    }
}
