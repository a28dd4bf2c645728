//! Fetching the images that a write names by URL, before its unit of work begins.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use domain::{
    Image, ImageId, UserId,
    image::AltTexts,
    policy::{Caller, Capability},
    web_url::WebUrl,
};
use futures_util::lock::{Mutex, OwnedMutexGuard};

use super::store::IncomingFile;
use crate::{
    calendar::Calendar,
    error::AppError,
    fault::{Fault, ReferenceKind},
    image::own_file,
    ports::{MAX_IMAGE_BYTES, Repositories},
    request::FetchedImages,
    site::Site,
    write::Upload,
};

/// Most images fetched for one request.
pub(crate) const MAX_FETCHES: usize = 4;

/// Locks that serialize fetches from the same URL. Different URLs rarely share a lock.
#[derive(Clone, Debug)]
pub(crate) struct FetchLocks(Arc<[Arc<Mutex<()>>; 16]>);

impl Default for FetchLocks {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Arc::default())))
    }
}

impl FetchLocks {
    /// Waits until no other request fetches from these URLs. All requests take the locks in the
    /// same order.
    async fn acquire(&self, urls: &[&WebUrl]) -> Vec<OwnedMutexGuard<()>> {
        let index = |url: &&WebUrl| {
            let mut hasher = DefaultHasher::new();
            url.as_str().hash(&mut hasher);
            // The low four bits: an index from 0 to 15.
            usize::from(hasher.finish().to_le_bytes()[0] & 15)
        };
        let indexes: BTreeSet<usize> = urls.iter().map(index).collect();
        let mut guards = Vec::with_capacity(indexes.len());
        for index in indexes {
            guards.push(Arc::clone(&self.0[index]).lock_owned().await);
        }
        guards
    }
}

/// The image that was fetched from a URL before, or whose own file has this URL.
async fn find_known(
    url: &WebUrl,
    site: &Site,
    repositories: &dyn Repositories,
) -> Result<Option<ImageId>, AppError> {
    let images = repositories.images();
    if let Some(path) = own_file(url, site) {
        return Ok(images.lock_by_file(&path).await?.map(|image| image.id));
    }
    Ok(images.lock_by_source(url).await?.map(|image| image.id))
}

impl Calendar {
    /// Fetches the images that are not stored yet, at most `max`, and writes their files. It runs
    /// before the unit of work, which must not wait for other servers.
    ///
    /// # Errors
    ///
    /// If the store or the files fail. An image that cannot be fetched is a fault in the result.
    pub async fn fetch_images(
        &self,
        caller: Caller,
        mut urls: Vec<&WebUrl>,
        max: usize,
    ) -> Result<FetchedImages, AppError> {
        let Some(uploader) = caller.user().filter(|_| caller.can(Capability::Upload)) else {
            return Ok(FetchedImages::default());
        };
        urls.sort_by_key(|url| url.as_str());
        urls.dedup();
        let mut fetched = FetchedImages {
            images: Vec::new(),
            sent: None,
            _locks: self.fetch_locks.acquire(&urls).await,
        };
        // Not from a replica: the result decides about a write.
        let repositories: &dyn Repositories = &*self.store;
        for (index, url) in urls.into_iter().enumerate() {
            if find_known(url, &self.site, repositories).await?.is_some() {
                continue;
            }
            let image = if own_file(url, &self.site).is_some() {
                Err(Fault::UnknownReference(ReferenceKind::Image))
            } else if index >= max {
                Err(Fault::TooManyImageUrls(max))
            } else {
                self.fetch(url, uploader).await?
            };
            fetched.images.push((url.clone(), image));
        }
        Ok(fetched)
    }

    /// Fetches the images of a record's URLs, and stores the file of its request.
    pub(crate) async fn images_of_write(
        &self,
        caller: Caller,
        urls: Vec<&WebUrl>,
        file: Option<&Upload>,
    ) -> Result<FetchedImages, AppError> {
        let mut images = self.fetch_images(caller, urls, MAX_FETCHES).await?;
        let uploader = caller.user().filter(|_| caller.can(Capability::Upload));
        if let (Some(uploader), Some(file)) = (uploader, file) {
            let stored = self.store_file(uploader, file.clone()).await;
            match stored {
                Ok(stored) => images.sent = Some(stored.map_err(Fault::Image)),
                Err(error) => {
                    self.discard_unused(&images).await;
                    return Err(error);
                }
            }
        }
        Ok(images)
    }

    async fn fetch(
        &self,
        url: &WebUrl,
        uploader: UserId,
    ) -> Result<Result<Image, Fault>, AppError> {
        let file = match self.media.fetcher.fetch(url, MAX_IMAGE_BYTES).await {
            Ok(file) => file,
            Err(error) => return Ok(Err(Fault::Fetch(error))),
        };
        let placed = self.store_image(IncomingFile {
            uploader,
            file_name: file_name(url),
            declared: Some(file.declared),
            source: Some(url),
            content: file.content,
            alt: AltTexts::default(),
            now: self.now(),
        });
        Ok(placed.await?.map_err(Fault::Image))
    }

    /// Removes the files of fetched and sent images that were not recorded.
    pub async fn discard_unused(&self, fetched: &FetchedImages) {
        for (_, image) in &fetched.images {
            if let Ok(image) = image {
                self.remove_files_unless_recorded(image).await;
            }
        }
        if let Some(Ok(image)) = &fetched.sent {
            self.remove_files_unless_recorded(image).await;
        }
    }
}

/// The file name in a URL.
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
            assert_eq!(file_name(&url.parse::<WebUrl>().unwrap()), name);
        }
    }
}
