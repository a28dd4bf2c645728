//! The fields that events, venues and organizers share.

use domain::{Entry, Status, UserId, text::Title, time::Timestamp, web_url::WebUrl};

use super::{Builder, New, Update, WriteInput, instant};
use crate::{entry::EntryKind, image::ImageRef, place::Place};

impl<D: Place> WriteInput<Entry<D>, New> {
    /// Starts a venue or an organizer with this name.
    pub fn builder(name: Title) -> Builder<Entry<D>, New> {
        Builder::new().titled(&name)
    }
}

impl<D: EntryKind, P> Builder<Entry<D>, P> {
    pub(super) fn titled(self, title: &Title) -> Self {
        self.set(D::TITLE_FIELD, title.as_str())
    }

    /// The owner; only editors may set another one than themselves.
    pub fn author(self, author: UserId) -> Self {
        self.set("author", author.get())
    }

    /// The date of publication; a later one than now schedules it.
    pub fn date(self, date: Timestamp) -> Self {
        self.set("date_utc", instant(date))
    }

    /// The status. For callers who may not publish, `publish` becomes `pending`.
    pub fn status(self, status: Status) -> Self {
        self.set("status", status.name())
    }

    /// The image: an [`ImageId`](domain::ImageId), or a [`WebUrl`] from which it is fetched once.
    pub fn image(self, image: impl Into<ImageRef>) -> Self {
        match image.into() {
            ImageRef::Id(id) => self.set("image", id.get()),
            ImageRef::Url(url) => self.set("image", url.as_str()),
        }
    }

    /// The web site.
    pub fn website(self, website: WebUrl) -> Self {
        self.set("website", website.as_str())
    }
}

impl<D: EntryKind> Builder<Entry<D>, Update> {
    /// The title or name.
    pub fn title(self, title: Title) -> Self {
        self.titled(&title)
    }

    /// Removes the title of a translation. An original cannot lose its title.
    pub fn clear_title(self) -> Self {
        self.clear(D::TITLE_FIELD)
    }

    /// Removes the image.
    pub fn clear_image(self) -> Self {
        self.clear("image")
    }

    /// Removes the web site.
    pub fn clear_website(self) -> Self {
        self.clear("website")
    }
}
