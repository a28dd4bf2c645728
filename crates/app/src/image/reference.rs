//! References of records to images, by ID or by URL.

use domain::{Image, ImageId, Stored, image::FilePath, policy::Capability, web_url::WebUrl};
use serde_json::Value;

use crate::{
    error::AppError,
    input::{self, ExpectedType, Fault, FieldChange, Input, ReferenceKind},
    ports::Repositories,
    request::Request,
    site::Site,
};

/// The reference of a record to its image.
///
/// ```
/// use app::image::ImageRef;
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

/// Reads whether the request has the file of the record's image. A file beside a value is a fault.
pub(crate) fn read_file(input: &mut Input<'_>) -> bool {
    let has_file = input.take_image_file();
    if has_file && input.raw("image").is_some() {
        input.fault("image", Fault::Repeated);
    }
    has_file
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
    Ok(Ok(unit.images().insert(image.clone()).await?.id))
}

/// Reads the image of a record. An empty text removes it, and so does `false`, which is no image in
/// answers.
pub(crate) fn read(input: &mut Input<'_>) -> FieldChange<ImageRef> {
    let read = input.read("image", |value| match value {
        Value::String(text) if text.is_empty() => Ok(None),
        Value::Bool(false) => Ok(None),
        value => read_ref(input::reference(value)).map(Some),
    });
    match read {
        None => FieldChange::Unchanged,
        Some(None) => FieldChange::Clear,
        Some(Some(image)) => FieldChange::Set(image),
    }
}

/// Reads a reference to an image.
fn read_ref(value: &Value) -> Result<ImageRef, Fault> {
    let is_url = value.as_str().is_some_and(|text| text.contains("://"));
    if is_url {
        return input::web_url(value).map(ImageRef::Url);
    }
    match input::integer(value) {
        Ok(number) if number > 0 => Ok(ImageRef::Id(ImageId::from_raw(number))),
        _ => Err(Fault::Type(ExpectedType::ImageId)),
    }
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
        Some(Ok(image)) => Ok(Ok(record(image, request.wanted_image_id, unit).await?)),
        Some(Err(fault)) => Ok(Err(fault.clone())),
        None => Ok(unknown),
    }
}

/// Records a fetched image, under the ID that it asks for if that is free.
async fn record(
    image: &Image,
    wanted: Option<i64>,
    unit: &dyn Repositories,
) -> Result<ImageId, AppError> {
    let images = unit.images();
    if let Some(id) = wanted.map(ImageId::from_raw)
        && images.find_many(&[id]).await?.is_empty()
    {
        let wanted = Stored {
            id,
            revision: 1,
            content: image.clone(),
        };
        images.insert_at(wanted).await?;
        return Ok(id);
    }
    Ok(images.insert(image.clone()).await?.id)
}

/// The referenced image, if the caller may know of it, or if no record shows it yet. Otherwise it
/// is reported as unknown: accepting it would reveal its content to the caller.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_addresses_name_images() {
        let read = |value: Value| read_ref(&value);
        assert_eq!(read(7.into()), Ok(ImageRef::Id(ImageId::from_raw(7))));
        assert_eq!(read("7".into()), Ok(ImageRef::Id(ImageId::from_raw(7))));
        assert!(matches!(
            read("https://a.example".into()),
            Ok(ImageRef::Url(_))
        ));
        for bad in [
            "foo bar",
            "0",
            "-1",
            "ftp://a.example/x.png",
            "data:image/png;base64,AA",
            "//x",
        ] {
            assert!(read(bad.into()).is_err(), "{bad}");
        }
    }
}
