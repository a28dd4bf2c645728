//! Reading a list.

use domain::{
    page::{DEFAULT_PER_PAGE, Page, PageRequest},
    policy::Caller,
    query::Query,
};

use super::Calendar;
use crate::{
    error::AppError,
    input::{self, Fields, Input},
    resource::{FilterInput as _, Resource, View as _},
    site::Site,
};

/// Reads the page number and the page size of a list request.
pub(crate) fn read_page(input: &mut Input<'_>, site: &Site) -> PageRequest {
    let number = input.read("page", input::positive).unwrap_or(1);
    let per_page = input
        .read("per_page", input::positive)
        .unwrap_or(DEFAULT_PER_PAGE.into());
    PageRequest::new(
        number.unsigned_abs(),
        per_page.unsigned_abs(),
        site.max_per_page,
    )
}

impl Calendar {
    /// A page of the records that the caller may see and that match the filters.
    ///
    /// # Errors
    ///
    /// [`AppError`]: bad fields, filters that name a record that does not exist, or a page beyond
    /// the last.
    #[tracing::instrument(name = "app.list", skip_all, fields(kind = %R::KIND))]
    pub async fn list<R: Resource>(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<Page<R::View>, AppError> {
        let request = self.request(caller, fields);
        let mut input = Input::new(fields);
        input.language();
        let page = read_page(&mut input, &self.site);
        let wanted = R::FilterInput::read(&mut input, &request);
        input.finish_strict(None)?;

        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let filter = wanted.look_up(&request, repositories).await?;
        let visibility = request.visibility();
        let repository = R::repository(repositories);
        let query = Query {
            visibility,
            filter,
            page,
        };
        let ids = repository.page(&query).await?;
        if ids.rows.is_empty() && page.number() > 1 {
            return Err(AppError::PageNotFound(R::KIND));
        }
        let mut records = repository.find_many(&ids.rows).await?;
        // A record may have been withdrawn after its ID was found.
        records.retain(|record| record.is_visible(&query.visibility));
        let rows = R::View::load(records, &query.visibility, repositories).await?;
        Ok(Page {
            rows,
            total: ids.total,
            request: page,
        })
    }
}
