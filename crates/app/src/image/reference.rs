//! Images that records name, by number or by address.

use domain::{Image, ImageId, Stored, image::FilePath, policy::Capability, web_url::WebUrl};
use serde_json::Value;

use crate::{
    error::AppError,
    input::{self, ExpectedType, Fault, ReferenceKind},
    ports::Repositories,
    request::Request,
    site::Site,
};

/// How a record names its image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageRef {
    /// By its number.
    Id(ImageId),
    /// By an address: fetched once, and known from then on.
    Url(WebUrl),
}

/// Reads how a record names its image.
pub(crate) fn read_ref(value: &Value) -> Result<ImageRef, Fault> {
    let is_url = value.as_str().is_some_and(|text| text.contains("://"));
    if is_url {
        return input::web_url(value).map(ImageRef::Url);
    }
    match input::integer(value) {
        Ok(number) if number > 0 => Ok(ImageRef::Id(ImageId::from_raw(number))),
        _ => Err(Fault::Type(ExpectedType::ImageId)),
    }
}

/// The ID of the image that a record names, or what is wrong. What was fetched is recorded.
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
        Some(Ok(image)) => Ok(Ok(unit.images().insert(image.clone()).await?.id)),
        Some(Err(fault)) => Ok(Err(fault.clone())),
        None => Ok(unknown),
    }
}

/// An image that a record names, if its caller may know of it, or if no record shows it yet. Else it
/// is as if it did not exist: to show it would tell what it is.
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
        || !images.is_shown(id).await?
        || images
            .find_shown(id, &request.visibility())
            .await?
            .is_some();
    Ok(if may_name { Ok(id) } else { unknown })
}

/// The file of ours to which an address leads.
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
