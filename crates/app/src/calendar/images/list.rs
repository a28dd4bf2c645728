//! Listing images.

use domain::{Id, Image, Stored, image::ImageFilter, page::Page, policy::Caller, slug::Slug};

use crate::{
    calendar::{Calendar, read_page},
    error::AppError,
    input::{self, Commas, Fields, Input},
};

impl Calendar {
    /// A page of the images that the caller may see and that match the filters, newest first. A
    /// page beyond the last is empty.
    ///
    /// # Errors
    ///
    /// [`AppError`]: bad fields.
    #[tracing::instrument(name = "app.image.list", skip_all)]
    pub async fn images(
        &self,
        caller: Caller,
        fields: &Fields,
    ) -> Result<Page<Stored<Image>>, AppError> {
        let mut input = Input::new(fields);
        input.language();
        let request = read_page(&mut input, &self.site);
        let include = input.read_list("include", Commas::Separate, input::ids);
        let slug = input.read("slug", |value| Ok(Slug::normalize(input::text(value)?)));
        input.finish_strict(None)?;
        let filter = ImageFilter {
            include: include.map(|ids| ids.into_iter().map(Id::from_raw).collect()),
            // A text without letters and digits matches no image.
            slug: slug.map(|slug| slug.map_or_else(String::new, |slug| slug.as_str().to_owned())),
        };
        let visibility = self.request(caller, fields).visibility();
        let reads = self.store.reads().await?;
        let page = reads
            .images()
            .list_visible(&filter, &request, &visibility)
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
