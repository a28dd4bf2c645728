//! The fields that events, venues and organizers share.

use domain::{
    Entry, Status, UserId,
    text::Title,
    time::{Timestamp, Zone},
    web_url::WebUrl,
};

use super::{Builder, New, Update, WriteInput};
use crate::{
    entry::{DetailsChanges as _, EntryKind},
    image::ImageRef,
    input::FieldChange,
    place::Place,
};

impl<D: Place> WriteInput<Entry<D>, New> {
    /// Starts a venue or an organizer with this name.
    pub fn builder(name: Title) -> Builder<Entry<D>, New> {
        Builder::new().titled(name)
    }
}

impl<D: EntryKind, P> Builder<Entry<D>, P> {
    pub(super) fn titled(self, title: Title) -> Self {
        self.set(D::TITLE_FIELD, |(shared, _)| {
            shared.title = FieldChange::Set(title);
        })
    }

    /// The owner; only editors may set another one than themselves.
    pub fn author(self, author: UserId) -> Self {
        self.set("author", |(shared, _)| shared.author = Some(author))
    }

    /// The date of publication; a later one than now schedules it.
    pub fn date(self, date: Timestamp) -> Self {
        self.set("date_utc", |(shared, _)| {
            shared.date = Some(Zone::utc().at(date).into());
            shared.sends_dates = [false, true];
        })
    }

    /// The status. For callers who may not publish, `publish` becomes `pending`.
    pub fn status(self, status: Status) -> Self {
        self.set("status", |(shared, _)| shared.status = Some(status))
    }

    /// The image: an [`ImageId`](domain::ImageId), or a [`WebUrl`] from which it is fetched once.
    pub fn image(self, image: impl Into<ImageRef>) -> Self {
        let image = FieldChange::Set(image.into());
        self.set("image", |(shared, _)| shared.image = image)
    }

    /// The web site.
    pub fn website(self, website: WebUrl) -> Self {
        let website = FieldChange::Set(website);
        self.set("website", |(_, own)| *own.website() = website)
    }
}

impl<D: EntryKind> Builder<Entry<D>, Update> {
    /// The title or name.
    pub fn title(self, title: Title) -> Self {
        self.titled(title)
    }

    /// Removes the title of a translation. An original cannot lose its title.
    pub fn clear_title(self) -> Self {
        self.set(D::TITLE_FIELD, |(shared, _)| {
            shared.title = FieldChange::Clear;
        })
    }

    /// Removes the image.
    pub fn clear_image(self) -> Self {
        self.set("image", |(shared, _)| shared.image = FieldChange::Clear)
    }

    /// Removes the web site.
    pub fn clear_website(self) -> Self {
        self.set("website", |(_, own)| *own.website() = FieldChange::Clear)
    }
}
