//! Images that records name, by number or by address.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use domain::{
    Image, ImageId, Stored,
    image::FilePath,
    policy::{Caller, Capability},
    web_url::WebUrl,
};
use futures_util::lock::{Mutex, OwnedMutexGuard};
use serde_json::Value;

use super::{MAX_FILE, place::Incoming};
use crate::{
    calendar::Calendar,
    error::AppError,
    input::{self, Fault, Named, Wanted},
    ports::Repositories,
    resource::Request,
    site::Site,
};

/// So many addresses a request may have fetched: each takes its time.
const MAX_FETCHES: usize = 4;

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
        _ => Err(Fault::Type(Wanted::ImageId)),
    }
}

/// What became of the addresses that a request names, before its unit of work begins.
#[derive(Debug, Default)]
pub struct FetchedImages {
    images: Vec<(WebUrl, Result<Image, Fault>)>,
    /// Who names the same address waits until this is recorded, and need not fetch it.
    _turns: Vec<OwnedMutexGuard<()>>,
}

impl FetchedImages {
    /// Nothing was fetched.
    pub(crate) const NONE: &'static Self = &Self {
        images: Vec::new(),
        _turns: Vec::new(),
    };

    fn get(&self, url: &WebUrl) -> Option<&Result<Image, Fault>> {
        let mut fetched = self.images.iter();
        fetched.find(|(one, _)| one == url).map(|(_, image)| image)
    }
}

/// Lets those who fetch from the same address follow each other. Different addresses rarely share a
/// lock.
#[derive(Clone, Debug)]
pub(crate) struct Turns(Arc<[Arc<Mutex<()>>; 16]>);

impl Default for Turns {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Arc::default())))
    }
}

impl Turns {
    /// Waits until nobody else fetches from these; all wait in the same order.
    async fn take(&self, urls: &[&WebUrl]) -> Vec<OwnedMutexGuard<()>> {
        let place = |url: &&WebUrl| {
            let mut hasher = DefaultHasher::new();
            url.as_str().hash(&mut hasher);
            // 16 places: the last four bits.
            usize::from(hasher.finish().to_le_bytes()[0] & 15)
        };
        let places: BTreeSet<usize> = urls.iter().map(place).collect();
        let mut turns = Vec::with_capacity(places.len());
        for place in places {
            turns.push(Arc::clone(&self.0[place]).lock_owned().await);
        }
        turns
    }
}

/// The ID of the image that a record names, or what is wrong. What was fetched is recorded.
pub(crate) async fn resolve(
    image: &ImageRef,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Result<ImageId, Fault>, AppError> {
    let unknown = Err(Fault::Unknown(Named::Image));
    let url = match image {
        ImageRef::Id(id) => {
            let found = unit.images().hold(*id).await?;
            return named(found, request, unit).await;
        }
        ImageRef::Url(url) => url,
    };
    if !request.caller.can(Capability::Upload) {
        return Ok(Err(Fault::Needs(Capability::Upload)));
    }
    if let Some(path) = own_file(url, request.site) {
        let found = unit.images().hold_file(&path).await?;
        return named(found, request, unit).await;
    }
    if let Some(image) = unit.images().hold_source(url).await? {
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
    let unknown = Err(Fault::Unknown(Named::Image));
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

/// The image that was fetched from an address before, or whose own address it is.
async fn find_known(
    url: &WebUrl,
    site: &Site,
    repositories: &dyn Repositories,
) -> Result<Option<ImageId>, AppError> {
    let images = repositories.images();
    if let Some(path) = own_file(url, site) {
        return Ok(images.hold_file(&path).await?.map(|image| image.id));
    }
    Ok(images.hold_source(url).await?.map(|image| image.id))
}

/// The file of ours to which an address leads.
fn own_file(url: &WebUrl, site: &Site) -> Option<FilePath> {
    let path = url.as_str().strip_prefix(site.media_url.as_str())?;
    FilePath::parse(path.strip_prefix('/')?)
}

impl Calendar {
    /// Fetches what is not here yet and writes the files, before a unit of work begins: nothing in
    /// one waits for others.
    pub(crate) async fn fetch_images(
        &self,
        caller: Caller,
        mut urls: Vec<&WebUrl>,
    ) -> Result<FetchedImages, AppError> {
        let Some(uploader) = caller.user().filter(|_| caller.can(Capability::Upload)) else {
            return Ok(FetchedImages::default());
        };
        urls.sort_by_key(|url| url.as_str());
        urls.dedup();
        let mut fetched = FetchedImages {
            images: Vec::new(),
            _turns: self.turns.take(&urls).await,
        };
        // Not from a replica: it decides about a write.
        let repositories: &dyn Repositories = &*self.store;
        for (place, url) in urls.into_iter().enumerate() {
            if find_known(url, &self.site, repositories).await?.is_some() {
                continue;
            }
            let image = if own_file(url, &self.site).is_some() {
                Err(Fault::Unknown(Named::Image))
            } else if place >= MAX_FETCHES {
                Err(Fault::TooManyAddresses(MAX_FETCHES))
            } else {
                self.fetch(url, uploader).await?
            };
            fetched.images.push((url.clone(), image));
        }
        Ok(fetched)
    }

    async fn fetch(
        &self,
        url: &WebUrl,
        uploader: domain::UserId,
    ) -> Result<Result<Image, Fault>, AppError> {
        let file = match self.media.fetcher.fetch(url, MAX_FILE).await {
            Ok(file) => file,
            Err(error) => return Ok(Err(Fault::Fetch(error))),
        };
        let placed = self.place(Incoming {
            uploader,
            file_name: file_name(url),
            declared: Some(file.declared),
            source: Some(url),
            content: file.content,
            now: self.now(),
        });
        Ok(placed.await?.map_err(Fault::Image))
    }

    /// Removes the files of what was fetched and then not recorded.
    pub(crate) async fn discard_unused(&self, fetched: &FetchedImages) {
        for (_, image) in &fetched.images {
            if let Ok(image) = image {
                self.discard_unless_kept(image).await;
            }
        }
    }
}

/// What the file at an address is called.
fn file_name(url: &WebUrl) -> &str {
    let path = url.as_str().split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    path.split_once('/').map_or("", |(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_as_in_their_address() {
        for (url, name) in [
            ("https://a.example/x/bank.jpg?w=1#a", "x/bank.jpg"),
            ("https://a.example", ""),
            ("https://a.example?a=/b", ""),
        ] {
            assert_eq!(file_name(&WebUrl::parse(url).unwrap()), name);
        }
    }

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
