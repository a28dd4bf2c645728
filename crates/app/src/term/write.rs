//! The fields of a category or a tag, and their effect on it.

use domain::{
    FieldName, Id, Language, Record, Stored, Term,
    html::RichText,
    slug::Slug,
    term::Taxonomy,
    text::{Title, fold},
};

use super::{TermKind, is_named};
use crate::{
    change::Change,
    entry::loses_slug,
    error::AppError,
    fault::{Fault, FaultCollector, SentHtml},
    ports::{Repositories, SlugRequest, SlugRequests},
    request::Request,
};

/// The fields of a write.
#[derive(Clone, Debug)]
pub struct TermWrite<X: Taxonomy> {
    /// Required except in a translation.
    pub name: Change<TermName>,
    /// Required except in a translation.
    pub slug: Change<Slug>,
    /// Text of one line.
    pub description: Option<RichText>,
    /// The description as sent, until it is parsed.
    pub html: Option<SentHtml>,
    /// Cleared: the term moves to the top.
    pub parent: Change<Id<Term<X>>>,
}

impl<X: Taxonomy> Default for TermWrite<X> {
    fn default() -> Self {
        Self {
            name: Change::Keep,
            slug: Change::Keep,
            description: None,
            html: None,
            parent: Change::Keep,
        }
    }
}

/// A name as sent.
///
/// ```
/// use events_calendar_app::{term::{TermName, TermWrite}, write::Change};
/// use domain::term::Tags;
///
/// let name = Change::Set(TermName::Usable("Loud".parse()?));
/// let write = TermWrite::<Tags> { name, ..TermWrite::default() };
/// assert!(write.description.is_none());
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
///
/// A blank name has its own error code, which a missing right precedes.
#[derive(Clone, Debug)]
pub enum TermName {
    /// A name with a letter or a sign.
    Usable(Title),
    /// Blanks alone.
    Blank,
}

impl<X: TermKind> TermWrite<X> {
    /// Parses the description.
    pub(super) fn parse_html(&mut self, faults: &mut FaultCollector) {
        let html = self.html.take();
        self.description = html.and_then(|html| {
            faults.parse_html(FieldName::Description, &html, RichText::parse_lines)
        });
    }

    /// The content of a new term, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::TermExists`] if a sibling, or any tag, has the name. A term with a slug of its
    /// own may share the name.
    pub(super) async fn new_content(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, SlugRequests), AppError> {
        let Change::Set(name) = self.name()? else {
            return Err(AppError::Missing(vec![FieldName::Name.as_str()]));
        };
        let (mut slug, mut parent) = (None, None);
        self.checked_parent(None, unit).await?.apply(&mut parent);
        self.slug.apply(&mut slug);
        let parent_id = parent.as_ref().map(|parent| parent.id);
        let lower = name.as_str().to_lowercase();
        let folded = [fold(name.as_str())];
        X::repository(unit).lock_names(&folded).await?;
        let named = X::repository(unit).find_named(&folded).await?;
        let twin = named.iter().find(|term| {
            is_named(&term.content, &lower)
                && term.parent == parent_id
                && slug
                    .as_ref()
                    .is_none_or(|slug| term.slugs().any(|(_, one)| one == slug))
        });
        if let Some(twin) = twin {
            return Err(AppError::TermExists {
                term_id: twin.id.get(),
            });
        }
        let slug_request = slug.map_or_else(
            || SlugRequest::from_name(Term::<X>::slug_from(&name)),
            SlugRequest::new,
        );
        let mut term = Term::new(name, slug_request.last().clone());
        term.language = request.language();
        term.description = self.description.unwrap_or_default();
        term.parent = parent_id;
        Ok((term, below(slug_request, parent.as_ref()).into()))
    }

    /// The content of a term after a change, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for fields that contradict stored data.
    pub(super) async fn changed_content(
        mut self,
        before: &Stored<Term<X>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, SlugRequests), AppError> {
        let mut name = self.name()?;
        self.drop_shown(&mut name, before, request.language());
        let is_original = request.language() == before.language;
        if is_original {
            let mut faults = FaultCollector::default();
            faults.refuse_cleared(FieldName::Name, &name);
            faults.refuse_cleared(FieldName::Slug, &self.slug);
            faults.finish()?;
        }
        let parent = self.checked_parent(Some(before.id), unit).await?;
        if let Change::Set(slug) = &self.slug
            && let Some(other) = X::repository(unit).find_by_slug(slug).await?
            && other != before.id
        {
            return Err(AppError::DuplicateTermSlug);
        }
        let mut term = before.content.clone();
        match parent {
            Change::Keep => {}
            Change::Clear => term.parent = None,
            Change::Set(parent) => term.parent = Some(parent.id),
        }
        if !is_original {
            let slugs = self.translate(&mut term, name, request.language(), unit);
            let slugs = slugs.await?;
            return Ok((term, slugs));
        }
        if let Change::Set(name) = name {
            term.name = name;
        }
        term.description = self.description.unwrap_or(term.description);
        let mut slug = None;
        self.slug.apply(&mut slug);
        let slug = slug.filter(|slug| *slug != before.slug);
        Ok((term, slug.map(SlugRequest::new).into()))
    }

    /// The fields of a new term that has only a name.
    pub(crate) fn named(name: Title) -> Self {
        Self {
            name: Change::Set(TermName::Usable(name)),
            ..Self::default()
        }
    }

    /// Sets the name, or clears it.
    pub(crate) fn set_name(&mut self, name: Option<Title>) {
        let name = name.map(TermName::Usable);
        self.name = name.map_or(Change::Clear, Change::Set);
    }

    /// Takes out what the term shows already, as for entries.
    fn drop_shown(
        &mut self,
        name: &mut Change<Title>,
        before: &Stored<Term<X>>,
        language: Language,
    ) {
        let shown = before.content.clone().localized(language);
        let translation = before.translations.get(language);
        let has_name = translation.is_some_and(|one| one.title.is_some());
        if !has_name || self.slug != Change::Keep {
            name.drop_shown(|name| *name == shown.name, false);
        }
        self.slug.drop_shown(|slug| *slug == shown.slug, false);
        let description = self.description.take();
        self.description = description.filter(|text| *text != shown.description);
    }

    fn name(&self) -> Result<Change<Title>, AppError> {
        Ok(match &self.name {
            Change::Set(TermName::Blank) => return Err(AppError::EmptyTermName),
            Change::Set(TermName::Usable(name)) => Change::Set(name.clone()),
            Change::Clear => Change::Clear,
            Change::Keep => Change::Keep,
        })
    }

    /// The parent, after a check: it exists, and `child` is not one of its ancestors.
    async fn checked_parent(
        &self,
        child: Option<Id<Term<X>>>,
        unit: &dyn Repositories,
    ) -> Result<Change<Stored<Term<X>>>, AppError> {
        let parent = match self.parent {
            Change::Keep => return Ok(Change::Keep),
            _ if !X::HIERARCHICAL => return Err(AppError::NotHierarchical),
            Change::Clear => return Ok(Change::Clear),
            Change::Set(parent) => parent,
        };
        let lineage = X::repository(unit).with_ancestors(&[parent]).await?;
        let in_a_circle = lineage.iter().any(|term| Some(term.id) == child);
        if in_a_circle {
            return Err(AppError::invalid(
                FieldName::Parent,
                Fault::CircularParent(X::KIND),
            ));
        }
        let found = lineage.into_iter().find(|term| term.id == parent);
        found
            .map(Change::Set)
            .ok_or_else(|| AppError::invalid(FieldName::Parent, Fault::unknown(X::KIND)))
    }

    /// Writes the texts that were sent into a translation, and returns the slug to request for it.
    async fn translate(
        self,
        term: &mut Term<X>,
        name: Change<Title>,
        language: Language,
        unit: &dyn Repositories,
    ) -> Result<SlugRequests, AppError> {
        let mut translation = term.translations.take(language);
        if loses_slug(&name, &self.slug, X::KIND, &translation) {
            translation.slug = None;
        }
        let is_named = matches!(name, Change::Set(_));
        name.apply(&mut translation.title);
        if let Some(description) = self.description {
            translation.description = Some(description).filter(|text| !text.is_empty());
        }
        let slug_request = match (self.slug, &translation.title) {
            (Change::Set(slug), _) => Some(SlugRequest::new(slug))
                .filter(|slug_request| Some(slug_request.last()) != translation.slug.as_ref()),
            // A cleared slug is made again only from a new name.
            (Change::Keep, Some(name)) if is_named && translation.slug.is_none() => {
                let slug = Term::<X>::slug_from(name);
                let parent = match term.parent {
                    Some(parent) => X::repository(unit).find(parent).await?,
                    None => None,
                };
                let parent = parent.map(|parent| parent.localized(language));
                Some(below(SlugRequest::from_name(slug), parent.as_ref()))
            }
            _ => None,
        };
        term.translations.put(language, translation);
        Ok(SlugRequests {
            translations: slug_request
                .map(|slug_request| (language, slug_request))
                .into_iter()
                .collect(),
            ..SlugRequests::default()
        })
    }
}

/// Adds a candidate with the parent's slug appended, which precedes numbered candidates.
fn below<X: Taxonomy>(request: SlugRequest, parent: Option<&Stored<Term<X>>>) -> SlugRequest {
    match parent {
        Some(parent) => {
            let longer = request.last().appended(&parent.slug);
            request.or(longer)
        }
        None => request,
    }
}
