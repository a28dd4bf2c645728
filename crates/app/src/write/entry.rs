//! The fields that events, venues and organizers share.

use domain::{
    Entry, Event, FieldName, Organizer, Status, UserId, Venue, entry::Details, text::Title,
    time::Timestamp, web_url::WebUrl,
};

use super::{Builder, Change, New, Update, WriteInput};
use crate::{entry::EntryWrite, image::ImageRef, place::Place, resource::Resource};

impl<D: Place> WriteInput<Entry<D>, New> {
    /// Starts a venue or an organizer with this name.
    pub fn builder(name: Title) -> Builder<Entry<D>, New> {
        Builder::new().titled(name)
    }
}

impl<D: Details, F, P> Builder<Entry<D>, P>
where
    Entry<D>: Resource<Write = EntryWrite<F>>,
{
    pub(super) fn titled(self, title: Title) -> Self {
        self.set(FieldName::title_of(D::KIND), |write| {
            write.shared.title = Change::Set(title);
        })
    }

    /// The owner; only editors may set another one than themselves.
    pub fn author(self, author: UserId) -> Self {
        self.set(FieldName::Author, |write| {
            write.shared.author = Some(author);
        })
    }

    /// The date of publication; a later one than now schedules it.
    pub fn date(self, date: Timestamp) -> Self {
        self.set(FieldName::DateUtc, |write| {
            write.shared.date_utc = Some(date);
        })
    }

    /// The status. For callers who may not publish, `publish` becomes `pending`.
    pub fn status(self, status: Status) -> Self {
        self.set(FieldName::Status, |write| {
            write.shared.status = Some(status);
        })
    }

    /// The image: an [`ImageId`](domain::ImageId), or a [`WebUrl`] from which it is fetched once.
    pub fn image(self, image: impl Into<ImageRef>) -> Self {
        let image = Change::Set(image.into());
        self.set(FieldName::Image, |write| write.shared.image = image)
    }
}

impl<D: Details, F> Builder<Entry<D>, Update>
where
    Entry<D>: Resource<Write = EntryWrite<F>>,
{
    /// The title or name.
    pub fn title(self, title: Title) -> Self {
        self.titled(title)
    }

    /// Removes the title of a translation. An original cannot lose its title.
    pub fn clear_title(self) -> Self {
        self.set(FieldName::title_of(D::KIND), |write| {
            write.shared.title = Change::Clear;
        })
    }

    /// Removes the image.
    pub fn clear_image(self) -> Self {
        self.set(FieldName::Image, |write| write.shared.image = Change::Clear)
    }
}

/// The web site, of each kind of entry.
macro_rules! website {
    ($($record:ty),*) => {$(
        impl<P> Builder<$record, P> {
            /// The web site.
            pub fn website(self, website: WebUrl) -> Self {
                let website = Change::Set(website);
                self.set(FieldName::Website, |write| write.own.website = website)
            }
        }

        impl Builder<$record, Update> {
            /// Removes the web site.
            pub fn clear_website(self) -> Self {
                self.set(FieldName::Website, |write| write.own.website = Change::Clear)
            }
        }
    )*};
}
website!(Event, Venue, Organizer);
