//! The fields that events, venues and organizers share, and their effect on an entry.

use domain::{
    Entry, FieldName, ImageId, Kind, Language, Record, Stage, Status, Translation, UserId,
    entry::Details,
    html::RichText,
    policy::{Caller, Capability},
    slug::Slug,
    text::Title,
    time::{SentDate, Timestamp},
    web_url::WebUrl,
};

use crate::{
    change::Change,
    error::AppError,
    fault::{Fault, FaultCollector, ReferenceKind, SentHtml},
    image::{self, ImageRef},
    ports::{Repositories, SlugRequest, SlugRequests},
    request::Request,
};

/// Formatted texts as sent, not yet parsed.
#[derive(Clone, Debug, Default)]
pub struct SentTexts {
    /// Long text.
    pub description: Option<SentHtml>,
    /// Short text; events only.
    pub excerpt: Option<SentHtml>,
}

/// The fields of a write that events, venues and organizers share.
#[derive(Clone, Debug, Default)]
pub struct EntryFields {
    /// Title or name; required except in a translation.
    pub title: Change<Title>,
    /// The owner.
    pub author: Option<UserId>,
    /// Publication date, in the zone of the site.
    pub date: Option<SentDate>,
    /// Publication date as an instant, which takes precedence: it is unambiguous.
    pub date_utc: Option<Timestamp>,
    /// Long text, parsed from `html`.
    pub description: Option<RichText>,
    /// Short text, parsed from `html`; events only.
    pub excerpt: Option<RichText>,
    /// Both formatted texts as sent, until they are parsed.
    pub html: SentTexts,
    /// Slug; events only. Only the slug of a translation can be cleared.
    pub slug: Change<Slug>,
    /// The requested status.
    pub status: Option<Status>,
    /// The image.
    pub image: Change<ImageRef>,
    /// Whether the image is the file of the request.
    pub has_image_file: bool,
}

impl EntryFields {
    /// Parses the formatted texts; reports those that are not usable.
    pub(crate) fn parse_html(&mut self, faults: &mut FaultCollector) {
        let SentTexts {
            description,
            excerpt,
        } = std::mem::take(&mut self.html);
        let mut parse = |name, sent: Option<SentHtml>| {
            sent.and_then(|html| faults.parse_html(name, &html, RichText::parse))
        };
        self.description = parse(FieldName::Description, description);
        self.excerpt = parse(FieldName::Excerpt, excerpt);
    }

    /// The title or name that was sent.
    pub(crate) fn new_title(&self) -> Option<&Title> {
        match &self.title {
            Change::Set(title) => Some(title),
            Change::Keep | Change::Clear => None,
        }
    }

    /// Checks the rights that these fields need, for an entry of `owner`, or for a new one without owner.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`] if the changes set another author or bring a file, and the caller
    /// lacks the right to that.
    pub(crate) fn authorize(
        &self,
        caller: Caller,
        kind: Kind,
        owner: Option<UserId>,
    ) -> Result<(), AppError> {
        let owner = owner.or(caller.user());
        let gives_away = self.author.is_some() && self.author != owner;
        if gives_away && !caller.can_in(kind, Capability::EditOthers) {
            return Err(AppError::Forbidden);
        }
        if self.has_image_file && !caller.can(Capability::Upload) {
            return Err(AppError::Forbidden);
        }
        Ok(())
    }

    /// The publication date that was sent. Of the two instants of a wall time that a change of clocks repeats, it is
    /// the one beside `shown`.
    pub(crate) fn publication(&self, shown: Timestamp, request: &Request<'_>) -> Option<Timestamp> {
        let in_zone = || {
            let date = self.date?;
            Some(date.beside([request.site.zone.at(shown)]).utc)
        };
        self.date_utc.or_else(in_zone)
    }

    /// The URL of an image to fetch.
    pub(crate) fn image_url(&self) -> Option<&WebUrl> {
        match &self.image {
            Change::Set(ImageRef::Url(url)) => Some(url),
            _ => None,
        }
    }

    /// Whether `image` is compatible with the image that was sent, if one was sent.
    pub(crate) fn image_fits(&self, image: Option<ImageId>) -> bool {
        self.image.fits(image.map(ImageRef::Id).as_ref())
    }

    /// Takes out what a record shows already: a client may send back a record as it read it. A text
    /// that the language of the request takes from the original makes no translation.
    pub(crate) fn drop_shown<D: Details>(&mut self, before: &Entry<D>, request: &Request<'_>) {
        let shown = before.clone().localized(request.language());
        // A title that is sent without a slug makes the slug of a translation again.
        let translation = before.translations.get(request.language());
        let has_title = translation.is_some_and(|one| one.title.is_some());
        if !has_title || self.slug != Change::Keep {
            self.title.drop_shown(|title| *title == shown.title, false);
        }
        let is_slug = |slug: &Slug| {
            let mut shown = shown.slug.iter();
            shown.any(|one| one == slug || Slug::normalize(one.as_str()).as_ref() == Some(slug))
        };
        self.slug.drop_shown(is_slug, shown.slug.is_none());
        let is_image = |image: &ImageRef| before.image.map(ImageRef::Id).as_ref() == Some(image);
        self.image.drop_shown(is_image, before.image.is_none());
        let differs = |text: &RichText, shown: &RichText| text != shown;
        self.description = self
            .description
            .take()
            .filter(|text| differs(text, &shown.description));
        self.excerpt = self
            .excerpt
            .take()
            .filter(|text| differs(text, &shown.excerpt));
        if self.publication(before.date, request) == Some(before.date) {
            (self.date, self.date_utc) = (None, None);
        }
        self.status = self
            .status
            .filter(|status| *status != before.status(request.now));
    }

    /// Reports a status that the caller may not set, and references to records that do not exist.
    /// Records the image of a URL or of the file of the request, and replaces it by its ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub(crate) async fn check(
        &mut self,
        kind: Kind,
        request: &Request<'_>,
        repositories: &dyn Repositories,
        faults: &mut FaultCollector,
    ) -> Result<(), AppError> {
        let caller = request.caller;
        if self
            .status
            .is_some_and(|status| caller.granted(kind, status).is_none())
        {
            faults.fault(
                FieldName::Status,
                Fault::RequiresCapability(Capability::Publish),
            );
        }
        if let Some(author) = self.author
            && Some(author) != caller.user()
            && repositories.users().find(author).await?.is_none()
        {
            faults.fault(
                FieldName::Author,
                Fault::UnknownReference(ReferenceKind::User),
            );
        }
        if let Change::Set(image) = &self.image {
            match image::resolve(image, request, repositories).await? {
                Ok(id) => self.image = Change::Set(ImageRef::Id(id)),
                Err(fault) => faults.fault(FieldName::Image, fault),
            }
        }
        if self.has_image_file {
            match image::record_file(request, repositories).await? {
                Ok(id) => self.image = Change::Set(ImageRef::Id(id)),
                Err(fault) => faults.fault(FieldName::Image, fault),
            }
        }
        Ok(())
    }

    /// Moves the texts that were sent into a translation. An empty text removes the translated
    /// text. Removing the title also removes a slug made from it, unless another slug was sent.
    ///
    /// Returns whether the translation gets a slug from its title: true if a title was sent, false if
    /// the slug was cleared.
    pub(crate) fn translate(&mut self, kind: Kind, translation: &mut Translation) -> Option<bool> {
        let loses_slug = loses_slug(&self.title, &self.slug, kind, translation);
        let is_named = matches!(self.title, Change::Set(_));
        if loses_slug {
            self.slug = Change::Keep;
            translation.slug = None;
            translation.former_slug = None;
        }
        std::mem::take(&mut self.title).apply(&mut translation.title);
        for (sent, text) in [
            (&mut self.description, &mut translation.description),
            (&mut self.excerpt, &mut translation.excerpt),
        ] {
            if let Some(sent) = sent.take() {
                *text = Some(sent).filter(|sent| !sent.is_empty());
            }
        }
        (loses_slug || is_named).then_some(!loses_slug)
    }

    /// The entry of a write that creates it, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for the `faults`.
    pub(crate) fn into_entry<D: Details>(
        self,
        details: D,
        request: &Request<'_>,
        faults: FaultCollector,
    ) -> Result<(Entry<D>, SlugRequests), AppError> {
        faults.finish()?;
        // Checked before: a title is required, and only users may write.
        let (Some(title), Some(user)) = (self.new_title().cloned(), request.caller.user()) else {
            return Err(AppError::Missing(vec![
                FieldName::title_of(D::KIND).as_str(),
            ]));
        };
        let mut entry = new_entry(user, title, details, request);
        let slugs = self.apply(&mut entry, true, None, request);
        if let Some(modified) = request.wanted_modified {
            entry.modified = modified.min(request.now);
        }
        Ok((entry, slugs))
    }

    /// Applies the shared fields to an entry and returns the slugs that it requests.
    ///
    /// `is_new` marks an entry that is not stored yet. `names_translation` is the result of
    /// [`translate`](Self::translate).
    pub(crate) fn apply<D: Details>(
        self,
        entry: &mut Entry<D>,
        is_new: bool,
        names_translation: Option<bool>,
        request: &Request<'_>,
    ) -> SlugRequests {
        let (caller, now) = (request.caller, request.now);
        let date = self.publication(entry.date, request);
        let Self {
            title,
            author,
            date: _,
            date_utc: _,
            description,
            excerpt,
            html: _,
            slug,
            status,
            image,
            has_image_file: _,
        } = self;
        if let Change::Set(title) = title {
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
            Change::Clear => entry.image = None,
            Change::Set(ImageRef::Id(id)) => entry.image = Some(id),
            Change::Keep | Change::Set(ImageRef::Url(_)) => {}
        }
        let was = entry.stage;
        let status = match status {
            Some(wanted) => caller.granted(D::KIND, wanted),
            None if is_new => Some(caller.default_status(D::KIND)),
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
        let mut sent = None;
        slug.apply(&mut sent);
        let change = Move::new(entry, was, caller, is_new);
        change.slugs(entry, request.language(), sent.as_ref(), names_translation)
    }
}

/// A new draft of the caller, in the language of the request.
pub(crate) fn new_entry<D>(
    user: UserId,
    title: Title,
    details: D,
    request: &Request<'_>,
) -> Entry<D> {
    let mut entry = Entry::new(user, title, details, request.now);
    entry.language = request.language();
    entry
}

/// Whether a change of title and slug removes the slug of a translation: the slug is cleared, or
/// the title from which it was made.
pub(crate) fn loses_slug<T>(
    title: &Change<T>,
    slug: &Change<Slug>,
    kind: Kind,
    translation: &Translation,
) -> bool {
    match (title, slug) {
        (_, Change::Clear) => true,
        (Change::Clear, Change::Keep) => translation.is_slug_from_title(kind),
        _ => false,
    }
}

/// Requests the slugs of an entry that was just put in the trash.
pub(super) fn into_trash<D: Details>(entry: &mut Entry<D>) -> SlugRequests {
    let into_trash = Move {
        was_trashed: false,
        is_trashed: true,
        needs_slug: false,
        moves: true,
    };
    into_trash.slugs(entry, entry.language, None, None)
}

/// The change of an entry's stage, as far as its slugs depend on it.
struct Move {
    was_trashed: bool,
    is_trashed: bool,
    /// Whether a slug is made from the title if none was chosen.
    needs_slug: bool,
    /// Whether the stage changed, or the entry is new.
    moves: bool,
}

impl Move {
    fn new<D: Details>(entry: &Entry<D>, was: Stage, caller: Caller, is_new: bool) -> Self {
        let publishes = caller.can_in(D::KIND, Capability::Publish);
        Self {
            was_trashed: !is_new && was == Stage::Trashed,
            is_trashed: entry.stage == Stage::Trashed,
            // Drafts and pending events need no slug, nor do pending places of callers who may not publish.
            needs_slug: match entry.stage {
                Stage::Published | Stage::Private => true,
                Stage::Trashed => is_new,
                Stage::Draft => D::KIND != Kind::Event,
                Stage::Pending => D::KIND != Kind::Event && publishes,
            },
            moves: is_new || was != entry.stage,
        }
    }

    /// The slugs to request for the entry; `sent` is the slug sent in `language`, and
    /// `names_translation` says whether the translation into `language` gets a slug from its title.
    fn slugs<D: Details>(
        &self,
        entry: &mut Entry<D>,
        language: Language,
        sent: Option<&Slug>,
        names_translation: Option<bool>,
    ) -> SlugRequests {
        let original = entry.language;
        let sent_in = |one| sent.filter(|_| one == language).cloned();
        let from_title = entry.slug_from_title();
        let mut requests = SlugRequests::from(self.request(
            entry.slug.as_ref(),
            &mut entry.former_slug,
            sent_in(original),
            Some(from_title),
        ));
        for other in Language::ALL.into_iter().filter(|one| *one != original) {
            let mut translation = entry.translations.take(other);
            // A cleared slug is made again only by a new title or a new stage.
            let named = names_translation.filter(|_| other == language);
            let from_title = translation
                .title
                .as_ref()
                .filter(|_| named.unwrap_or(self.moves));
            let request = self.request(
                translation.slug.as_ref(),
                &mut translation.former_slug,
                sent_in(other),
                from_title.map(|title| D::KIND.slug_of(title)),
            );
            entry.translations.put(other, translation);
            requests
                .translations
                .extend(request.map(|request| (other, request)));
        }
        requests
    }

    /// The slug to request in one language, if it differs from the present one.
    fn request(
        &self,
        slug: Option<&Slug>,
        former: &mut Option<Slug>,
        sent: Option<Slug>,
        from_title: Option<Slug>,
    ) -> Option<SlugRequest> {
        // The slug outside the trash: the one sent, else the one it has or had, else one from the
        // title.
        let own = if self.was_trashed {
            former.clone()
        } else {
            slug.cloned()
        };
        let public = sent
            .or(own)
            .or_else(|| from_title.filter(|_| self.needs_slug));
        if self.is_trashed {
            let already_there = self.was_trashed && *former == public;
            former.clone_from(&public);
            return public
                .filter(|_| !already_there)
                .map(|slug| SlugRequest::new(slug.trashed()));
        }
        *former = None;
        public
            .filter(|public| self.was_trashed || slug != Some(public))
            .map(SlugRequest::new)
    }
}
