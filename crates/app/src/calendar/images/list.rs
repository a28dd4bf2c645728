//! Listing images.

use domain::{
    Image, Stored,
    image::ImageFilter,
    page::{Page, PageRequest},
    policy::{Caller, Visibility},
};

use crate::{
    calendar::{Calendar, bounded},
    error::AppError,
    write::ReadOptions,
};

impl Calendar {
    /// A page of the images that the caller may see and that match a filter, newest first. A page
    /// beyond the last is empty, and one larger than those of the site is cut.
    ///
    /// ```
    /// use events_calendar_app::write::ReadOptions;
    /// use domain::{image::ImageFilter, page::PageRequest};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let filter = ImageFilter { slugs: Some(vec!["bank".to_owned()]), ..ImageFilter::default() };
    /// let page = PageRequest::new(1, 10, 100);
    /// let images = calendar.query_images(editor, &filter, page, &ReadOptions::default()).await?;
    /// assert_eq!(images.total, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    #[tracing::instrument(name = "app.image.query", skip_all)]
    pub async fn query_images(
        &self,
        caller: Caller,
        filter: &ImageFilter,
        page: PageRequest,
        options: &ReadOptions,
    ) -> Result<Page<Stored<Image>>, AppError> {
        let visibility = self.request_with(caller, options).visibility();
        let page = bounded(page, &self.site);
        self.images_at(filter, page, &visibility).await
    }

    async fn images_at(
        &self,
        filter: &ImageFilter,
        request: PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<Stored<Image>>, AppError> {
        let reads = self.store.reads().await?;
        let page = reads
            .images()
            .list_visible(filter, &request, visibility)
            .await?;
        let mut rows = reads.images().find_many(&page.rows).await?;
        rows.reverse();
        Ok(Page {
            rows,
            total: page.total,
            request,
        })
    }
}
