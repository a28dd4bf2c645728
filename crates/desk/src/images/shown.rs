//! The pictures that a person may change, as pages show them.

use app::AppError;
use domain::{
    Id, Image, Stored,
    image::ImageFilter,
    page::{Page, PageRequest},
    policy::Capability,
    slug::Slug,
};

use crate::request::DeskRequest;

/// The path of the library.
pub(super) const IMAGES: &str = "/desk/images";

/// A picture of the library.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) id: i64,
    pub(crate) thumbnail: String,
    pub(crate) alt: String,
    pub(crate) name: String,
    /// The page of the picture.
    pub(crate) url: String,
}

impl Shown {
    pub(super) fn new(request: &DeskRequest, image: &Stored<Image>) -> Self {
        let site = &request.state.site;
        let smallest = image
            .sizes
            .iter()
            .min_by_key(|size| size.dimensions.width());
        let path = smallest.map_or_else(|| image.path(), |size| image.size_path(size));
        Self {
            id: image.id.get(),
            thumbnail: site.file(&path),
            alt: image.alt.shown(request.language).to_owned(),
            name: image.name.slug().to_owned(),
            url: request.url(&format!("{IMAGES}/{}", image.id)),
        }
    }
}

/// A picture that the person may change, by its ID in a form or a path.
pub(super) async fn find(request: &DeskRequest, id: &str) -> Result<Stored<Image>, AppError> {
    let id = id.parse().ok().filter(|id| *id > 0);
    let id = Id::from_raw(id.ok_or(AppError::ImageNotFound)?);
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let image = calendar.image(caller, id, request.options()).await?;
    if caller.may_change_image_of(image.uploader) {
        Ok(image)
    } else {
        Err(AppError::Forbidden)
    }
}

/// A page of the pictures that the person may change, the newest first.
pub(super) async fn read(
    request: &DeskRequest,
    search: &str,
    page: PageRequest,
) -> Result<Page<Stored<Image>>, AppError> {
    let caller = request.caller();
    if !caller.can(Capability::Upload) {
        return Err(AppError::Forbidden);
    }
    let words = search.split_whitespace().filter_map(Slug::normalize);
    let filter = ImageFilter {
        words: words.map(|word| word.as_str().to_owned()).collect(),
        uploader: (!caller.can(Capability::EditOthers)).then_some(request.user.id),
        ..ImageFilter::default()
    };
    let (calendar, options) = (&request.state.calendar, request.options());
    calendar.query_images(caller, &filter, page, &options).await
}

/// The newest pictures, of which a form offers a choice.
pub(super) async fn newest(request: &DeskRequest, count: u32) -> Result<Vec<Shown>, AppError> {
    let page = PageRequest::new(1, count.into(), count);
    let found = read(request, "", page).await?;
    let shown = found.rows.iter().map(|image| Shown::new(request, image));
    Ok(shown.collect())
}
