//! The fields of a category or a tag, and their effect on it.

use domain::{
    Id, Language, Record, Stored, Term,
    html::RichText,
    slug::Slug,
    term::Taxonomy,
    text::{InvalidTitle, Title, fold},
};
use serde_json::Value;

use super::{TermKind, is_named};
use crate::{
    error::AppError,
    input::{self, Fault, FieldChange, Input, ReferenceKind},
    ports::{Repositories, SlugRequest, SlugRequests},
    request::{Purpose, Request},
};

/// The fields of a write.
#[derive(Clone, Debug)]
pub struct TermChanges<X: Taxonomy> {
    /// Required except in a translation.
    name: FieldChange<Name>,
    /// Required except in a translation.
    slug: FieldChange<Slug>,
    description: Option<RichText>,
    /// The description as sent, until it is parsed.
    html: Option<String>,
    /// Cleared: the term moves to the top.
    parent: FieldChange<Id<Term<X>>>,
}

/// A name as sent. A blank name has its own error code, which a missing right precedes.
#[derive(Clone, Debug)]
enum Name {
    Usable(Title),
    Blank,
}

impl<X: TermKind> TermChanges<X> {
    /// Reads the fields.
    pub fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> Self {
        if purpose == Purpose::Create {
            input.require("name");
        }
        let may_translate = request.may_translate(X::KIND, purpose);
        let name = |value: &Value| match input::text(value)?.parse::<Title>() {
            Ok(name) => Ok(Name::Usable(name)),
            Err(InvalidTitle::Empty) => Ok(Name::Blank),
            Err(error) => Err(Fault::Title(error)),
        };
        Self {
            name: input.read_translatable("name", may_translate, name),
            slug: input.read_translatable("slug", may_translate, input::slug),
            description: None,
            html: input.read("description", input::html),
            parent: match input.read("parent", input::integer) {
                None => FieldChange::Unchanged,
                Some(0) => FieldChange::Clear,
                Some(number) => FieldChange::Set(Id::from_raw(number)),
            },
        }
    }

    /// Parses the description; reports an invalid one.
    pub(super) fn parse_html(&mut self, input: &mut Input<'_>) {
        let html = self.html.take();
        self.description =
            html.and_then(|html| input.accept("description", RichText::parse_lines(&html)));
    }

    fn name(&self) -> Result<FieldChange<Title>, AppError> {
        Ok(match &self.name {
            FieldChange::Set(Name::Blank) => return Err(AppError::EmptyTermName),
            FieldChange::Set(Name::Usable(name)) => FieldChange::Set(name.clone()),
            FieldChange::Clear => FieldChange::Clear,
            FieldChange::Unchanged => FieldChange::Unchanged,
        })
    }

    /// The parent, after a check: it exists, and `child` is not one of its ancestors.
    async fn checked_parent(
        &self,
        child: Option<Id<Term<X>>>,
        unit: &dyn Repositories,
    ) -> Result<FieldChange<Stored<Term<X>>>, AppError> {
        let parent = match self.parent {
            FieldChange::Unchanged => return Ok(FieldChange::Unchanged),
            _ if !X::HIERARCHICAL => return Err(AppError::NotHierarchical),
            FieldChange::Clear => return Ok(FieldChange::Clear),
            FieldChange::Set(parent) => parent,
        };
        let lineage = X::repository(unit).with_ancestors(&[parent]).await?;
        let in_a_circle = lineage.iter().any(|term| Some(term.id) == child);
        if in_a_circle {
            return Err(AppError::invalid("parent", Fault::CircularParent(X::KIND)));
        }
        let found = lineage.into_iter().find(|term| term.id == parent);
        let unknown = Fault::UnknownReference(ReferenceKind::Record(X::KIND));
        found
            .map(FieldChange::Set)
            .ok_or_else(|| AppError::invalid("parent", unknown))
    }

    /// Whether the changes may move the term in the tree.
    pub(super) fn moves(&self) -> bool {
        !matches!(self.parent, FieldChange::Unchanged)
    }

    /// The content of a new term, and the slugs to request for it.
    pub(super) async fn create(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, SlugRequests), AppError> {
        let FieldChange::Set(name) = self.name()? else {
            return Err(AppError::Missing(vec!["name"]));
        };
        let (mut slug, mut parent) = (None, None);
        self.checked_parent(None, unit).await?.apply(&mut parent);
        self.slug.apply(&mut slug);
        NewTerm {
            name,
            slug,
            description: self.description.unwrap_or_default(),
            parent,
        }
        .make(request, unit)
        .await
    }

    /// The content of a term after these changes, and the slugs to request for it.
    pub(super) async fn update(
        self,
        before: &Stored<Term<X>>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, SlugRequests), AppError> {
        let name = self.name()?;
        let is_original = request.language() == before.language;
        if is_original {
            let mut input = Input::new(request.fields);
            for (field, is_cleared) in [
                ("name", matches!(name, FieldChange::Clear)),
                ("slug", matches!(self.slug, FieldChange::Clear)),
            ] {
                if is_cleared {
                    input.fault(field, Fault::Empty);
                }
            }
            input.finish()?;
        }
        let parent = self.checked_parent(Some(before.id), unit).await?;
        if let FieldChange::Set(slug) = &self.slug
            && let Some(other) = X::repository(unit).find_by_slug(slug).await?
            && other != before.id
        {
            return Err(AppError::DuplicateTermSlug);
        }
        let mut term = before.content.clone();
        match parent {
            FieldChange::Unchanged => {}
            FieldChange::Clear => term.parent = None,
            FieldChange::Set(parent) => term.parent = Some(parent.id),
        }
        if !is_original {
            let slugs = self.translate(&mut term, name, request.language(), unit);
            let slugs = slugs.await?;
            return Ok((term, slugs));
        }
        if let FieldChange::Set(name) = name {
            term.name = name;
        }
        term.description = self.description.unwrap_or(term.description);
        let mut slug = None;
        self.slug.apply(&mut slug);
        let slug = slug.filter(|slug| *slug != before.slug);
        Ok((term, slug.map(SlugRequest::new).into()))
    }

    /// Writes the texts that were sent into a translation, and returns the slug to request for it.
    async fn translate(
        self,
        term: &mut Term<X>,
        name: FieldChange<Title>,
        language: Language,
        unit: &dyn Repositories,
    ) -> Result<SlugRequests, AppError> {
        let mut translation = term.translations.take(language);
        // A slug made from the name is removed with the name.
        let loses_slug = match (&name, &self.slug) {
            (_, FieldChange::Clear) => true,
            (FieldChange::Clear, FieldChange::Unchanged) => translation.is_slug_from_title(X::KIND),
            _ => false,
        };
        if loses_slug {
            translation.slug = None;
        }
        let is_named = matches!(name, FieldChange::Set(_));
        name.apply(&mut translation.title);
        if let Some(description) = self.description {
            translation.description = Some(description).filter(|text| !text.is_empty());
        }
        let slug_request = match (self.slug, &translation.title) {
            (FieldChange::Set(slug), _) => Some(SlugRequest::new(slug))
                .filter(|slug_request| Some(slug_request.last()) != translation.slug.as_ref()),
            // A cleared slug is made again only from a new name.
            (FieldChange::Unchanged, Some(name)) if is_named && translation.slug.is_none() => {
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

/// A term to be created.
#[derive(Clone, Debug)]
pub struct NewTerm<X: Taxonomy> {
    name: Title,
    slug: Option<Slug>,
    description: RichText,
    parent: Option<Stored<Term<X>>>,
}

impl<X: TermKind> NewTerm<X> {
    /// A term that has only a name.
    pub fn named(name: Title) -> Self {
        Self {
            name,
            slug: None,
            description: RichText::default(),
            parent: None,
        }
    }

    /// The content of the term, and the slugs to request for it.
    ///
    /// # Errors
    ///
    /// [`AppError::TermExists`] if a sibling, or any tag, has the name. A term with a slug of its
    /// own may share the name.
    pub async fn make(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, SlugRequests), AppError> {
        let Self {
            name,
            slug,
            description,
            parent,
        } = self;
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
        term.description = description;
        term.parent = parent_id;
        Ok((term, below(slug_request, parent.as_ref()).into()))
    }
}
