//! The fields that events, venues and organizers share, and what they do to an entry.

use domain::{
    Entry, ImageId, Kind, Stage, Status, UserId,
    entry::Details,
    html::RichText,
    policy::{Caller, Capability},
    slug::Slug,
    text::Title,
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    error::AppError,
    image::{self, ImageRef},
    input::{self, Fault, Input, Named},
    patch::Patch,
    ports::{Repositories, SlugWish},
    resource::Request,
    site::Site,
};

/// The fields of a request that events, venues and organizers share.
#[derive(Clone, Debug, Default)]
pub struct EntryChanges {
    /// Title or name.
    pub title: Option<Title>,
    /// Who owns it.
    pub author: Option<UserId>,
    /// Publication date.
    pub date: Option<Timestamp>,
    /// Long text.
    pub description: Option<RichText>,
    /// Short text; events only.
    pub excerpt: Option<RichText>,
    /// Name in addresses; events only.
    pub slug: Option<Slug>,
    /// Wanted status.
    pub status: Option<Status>,
    /// Picture.
    pub image: Patch<ImageRef>,
}

impl EntryChanges {
    /// Reads the shared fields; `title_field` is what the kind calls its title.
    pub fn read(
        input: &mut Input<'_>,
        kind: Kind,
        title_field: &'static str,
        site: &Site,
        now: Timestamp,
    ) -> Self {
        let is_event = kind == Kind::Event;
        let title = input.read(title_field, input::title);
        let author = input.read("author", input::integer).map(UserId::from_raw);
        let date = input.read("date", |value| input::date(value, &site.zone, now));
        let date_utc = input.read("date_utc", |value| {
            input::date(value, &domain::time::Zone::utc(), now)
        });
        let description = input.read("description", input::rich_text);
        let excerpt = if is_event {
            input.read("excerpt", input::rich_text)
        } else {
            None
        };
        let slug = if is_event {
            input.read("slug", input::slug)
        } else {
            None
        };
        let status = input.read("status", input::status);
        let image = input.patch("image", image::read_ref);
        // `date_utc` says the same as `date`, and cannot be misread.
        let date = date_utc.or(date).map(|moment| moment.utc);
        Self {
            title,
            author,
            date,
            description,
            excerpt,
            slug,
            status,
            image,
        }
    }

    /// Whether the caller may ask for such changes to an entry of `owner` (none: a new one).
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`] if the entry would be given to somebody else.
    pub fn authorize(&self, caller: Caller, owner: Option<UserId>) -> Result<(), AppError> {
        let owner = owner.or(caller.user());
        let gives_away = self.author.is_some() && self.author != owner;
        if gives_away && !caller.can(Capability::EditOthers) {
            return Err(AppError::Forbidden);
        }
        Ok(())
    }

    /// The address of an image that is to be fetched.
    pub fn image_url(&self) -> Option<&WebUrl> {
        match &self.image {
            Patch::Set(ImageRef::Url(url)) => Some(url),
            _ => None,
        }
    }

    /// Whether an image contradicts nothing that was sent.
    pub fn image_fits(&self, image: Option<ImageId>) -> bool {
        self.image.fits(image.map(ImageRef::Id).as_ref())
    }

    /// Reports a status that the caller may not ask for, and records that do not exist. An image is
    /// known by its number afterwards.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn check(
        &mut self,
        request: &Request<'_>,
        repositories: &dyn Repositories,
        input: &mut Input<'_>,
    ) -> Result<(), AppError> {
        let caller = request.caller;
        if self
            .status
            .is_some_and(|status| caller.granted(status).is_none())
        {
            input.fault("status", Fault::NotAllowed);
        }
        if let Some(author) = self.author
            && Some(author) != caller.user()
            && repositories.users().find(author).await?.is_none()
        {
            input.fault("author", Fault::Unknown(Named::User));
        }
        if let Patch::Set(image) = &self.image {
            match image::resolve(image, request, repositories).await? {
                Ok(id) => self.image = Patch::Set(ImageRef::Id(id)),
                Err(fault) => input.fault("image", fault),
            }
        }
        Ok(())
    }

    /// Brings the shared fields into an entry; answers the slug that it shall get, if another one.
    ///
    /// `is_new` says whether nobody has seen the entry yet.
    pub fn apply<D: Details>(
        self,
        entry: &mut Entry<D>,
        caller: Caller,
        is_new: bool,
        now: Timestamp,
    ) -> Option<SlugWish> {
        let Self {
            title,
            author,
            date,
            description,
            excerpt,
            slug,
            status,
            image,
        } = self;
        if let Some(title) = title {
            entry.title = title;
        }
        if let Some(author) = author {
            entry.author = author;
        }
        if let Some(date) = date {
            entry.date = date;
            entry.date_is_chosen = true;
        }
        if let Some(description) = description {
            entry.description = description;
        }
        if let Some(excerpt) = excerpt {
            entry.excerpt = excerpt;
        }
        match image {
            Patch::Clear => entry.image = None,
            Patch::Set(ImageRef::Id(id)) => entry.image = Some(id),
            Patch::Keep | Patch::Set(ImageRef::Url(_)) => {}
        }
        let was = entry.stage;
        let status = match status {
            Some(wanted) => caller.granted(wanted),
            None if is_new => Some(caller.default_status()),
            None => None,
        };
        match status {
            Some(status) => entry.move_to(status, now),
            // A new date may schedule a published entry, or publish a scheduled one.
            None if date.is_some() && entry.stage == Stage::Published => {
                entry.move_to(Status::Publish, now);
            }
            None => {}
        }
        slug_wish(entry, was, slug, caller, is_new)
    }
}

/// The slug that an entry shall get after a change, if another one than it has.
fn slug_wish<D: Details>(
    entry: &mut Entry<D>,
    was: Stage,
    sent: Option<Slug>,
    caller: Caller,
    is_new: bool,
) -> Option<SlugWish> {
    let was_trashed = !is_new && was == Stage::Trashed;
    let is_trashed = entry.stage == Stage::Trashed;
    // The slug outside the trash: the one sent, else the one it has or had, else one from the title.
    let own = if was_trashed {
        entry.former_slug.clone()
    } else {
        entry.slug.clone()
    };
    let public = sent
        .or(own)
        .or_else(|| needs_slug(entry, caller, is_new).then(|| entry.slug_from_title()));
    if is_new && entry.stage == Stage::Pending && !caller.can(Capability::Publish) {
        return None;
    }
    if is_trashed {
        let already_there = was_trashed && entry.former_slug == public;
        entry.former_slug.clone_from(&public);
        return public
            .filter(|_| !already_there)
            .map(|slug| SlugWish::new(slug.trashed()));
    }
    entry.former_slug = None;
    public
        .filter(|slug| was_trashed || entry.slug.as_ref() != Some(slug))
        .map(SlugWish::new)
}

/// Whether an entry must have a slug even if nobody gave it one: drafts of events can do without.
fn needs_slug<D: Details>(entry: &Entry<D>, caller: Caller, is_new: bool) -> bool {
    match entry.stage {
        Stage::Published | Stage::Private => true,
        Stage::Trashed => is_new,
        Stage::Draft => D::KIND != Kind::Event,
        Stage::Pending => D::KIND != Kind::Event && caller.can(Capability::Publish),
    }
}
