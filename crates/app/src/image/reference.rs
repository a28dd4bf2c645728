//! References of records to images, by ID or by URL.

use domain::{Image, ImageId, Stored, image::FilePath, policy::Capability, web_url::WebUrl};

use crate::{
    audit,
    error::AppError,
    fault::{Fault, ReferenceKind},
    ports::Repositories,
    request::Request,
    site::Site,
};

/// The reference of a record to its image.
///
/// ```
/// use events_calendar_app::image::ImageRef;
/// use domain::ImageId;
///
/// let by_id = ImageRef::from(ImageId::from_raw(7));
/// let by_url = ImageRef::Url("https://img.example/bank.gif".parse()?);
/// assert_ne!(by_id, by_url);
/// # Ok::<(), domain::web_url::InvalidWebUrl>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageRef {
    /// By ID.
    Id(ImageId),
    /// By URL: fetched once, then found by this URL.
    Url(WebUrl),
}

impl From<ImageId> for ImageRef {
    fn from(id: ImageId) -> Self {
        Self::Id(id)
    }
}

impl From<WebUrl> for ImageRef {
    fn from(url: WebUrl) -> Self {
        Self::Url(url)
    }
}

/// Records the file that was sent with a record, once per unit of work. Returns its ID or its fault.
pub(crate) async fn record_file(
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Result<ImageId, Fault>, AppError> {
    let image = match &request.images.sent {
        Some(Ok(image)) => image,
        Some(Err(fault)) => return Ok(Err(fault.clone())),
        None => return Ok(Err(Fault::RequiresCapability(Capability::Upload))),
    };
    if let Some(recorded) = unit.images().lock_by_file(&image.path()).await? {
        return Ok(Ok(recorded.id));
    }
    let added = unit.images().insert(image.clone()).await?;
    audit::of_image(request.caller.user(), None, Some(&added), request.now, unit).await?;
    Ok(Ok(added.id))
}

/// The ID of the referenced image, or its fault. A fetched image is recorded.
pub(crate) async fn resolve(
    image: &ImageRef,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Result<ImageId, Fault>, AppError> {
    let unknown = Err(Fault::UnknownReference(ReferenceKind::Image));
    let url = match image {
        ImageRef::Id(id) => {
            let found = unit.images().lock(*id).await?;
            return named(found, request, unit).await;
        }
        ImageRef::Url(url) => url,
    };
    if !request.caller.can(Capability::Upload) {
        return Ok(Err(Fault::RequiresCapability(Capability::Upload)));
    }
    if let Some(path) = own_file(url, request.site) {
        let found = unit.images().lock_by_file(&path).await?;
        return named(found, request, unit).await;
    }
    if let Some(image) = unit.images().lock_by_source(url).await? {
        return Ok(Ok(image.id));
    }
    match request.images.get(url) {
        Some(Ok(image)) => Ok(Ok(record(image, request, unit).await?)),
        Some(Err(fault)) => Ok(Err(fault.clone())),
        None => Ok(unknown),
    }
}

/// Records a fetched image, under the ID that it asks for if that is free.
async fn record(
    image: &Image,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<ImageId, AppError> {
    let images = unit.images();
    let wanted = request.wanted_image_id.map(ImageId::from_raw);
    if let Some(id) = wanted
        && images.find_many(&[id]).await?.is_empty()
    {
        let wanted = Stored {
            id,
            revision: 1,
            content: image.clone(),
        };
        images.insert_at(wanted.clone()).await?;
        audit::of_image(
            request.caller.user(),
            None,
            Some(&wanted),
            request.now,
            unit,
        )
        .await?;
        return Ok(id);
    }
    let added = images.insert(image.clone()).await?;
    audit::of_image(request.caller.user(), None, Some(&added), request.now, unit).await?;
    Ok(added.id)
}

/// The referenced image, if the caller may know of it, or if no record shows it yet. Otherwise it
/// is reported as unknown: accepting it would reveal its content to the caller.
/// An image that the caller may name by its ID, which stays free to be deleted.
pub(crate) async fn find(
    id: ImageId,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<Result<ImageId, Fault>, AppError> {
    let found = repositories.images().find_many(&[id]).await?;
    named(found.into_iter().next(), request, repositories).await
}

async fn named(
    image: Option<Stored<Image>>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Result<ImageId, Fault>, AppError> {
    let unknown = Err(Fault::UnknownReference(ReferenceKind::Image));
    let Some(image) = image else {
        return Ok(unknown);
    };
    let (id, images) = (image.id, unit.images());
    let may_name = request.caller.may_see_image_of(image.uploader)
        || !images.is_used(id).await?
        || images
            .find_visible(id, &request.visibility())
            .await?
            .is_some();
    Ok(if may_name { Ok(id) } else { unknown })
}

/// The path of the service's own file that has this URL.
pub(crate) fn own_file(url: &WebUrl, site: &Site) -> Option<FilePath> {
    let path = url.as_str().strip_prefix(site.media_url.as_str())?;
    FilePath::parse(path.strip_prefix('/')?)
}
