//! The fields of a category or a tag, and what they do to it.

use domain::{
    Id, Stored, Term,
    html::RichText,
    slug::Slug,
    term::Taxonomy,
    text::{InvalidTitle, Title, fold},
};

use super::TermKind;
use crate::{
    error::AppError,
    input::{self, Fault, Input, Named},
    patch::Patch,
    ports::{Repositories, SlugWish},
    resource::{Purpose, Request},
};

/// The fields of a write.
#[derive(Clone, Debug)]
pub struct TermChanges<X: Taxonomy> {
    name: Option<Name>,
    slug: Option<Slug>,
    description: Option<RichText>,
    /// Cleared: to the top.
    parent: Patch<Id<Term<X>>>,
}

/// A name as sent. One of blanks alone has an error code of its own, which comes after the right.
#[derive(Clone, Debug)]
enum Name {
    Usable(Title),
    Blank,
}

impl<X: TermKind> TermChanges<X> {
    /// Reads them.
    pub fn read(input: &mut Input<'_>, purpose: Purpose) -> Self {
        if purpose == Purpose::Create {
            input.require("name");
        }
        Self {
            name: input.read("name", |value| match Title::parse(input::text(value)?) {
                Ok(name) => Ok(Name::Usable(name)),
                Err(InvalidTitle::Empty) => Ok(Name::Blank),
                Err(error) => Err(Fault::Title(error)),
            }),
            slug: input.read("slug", input::slug),
            description: input.read("description", input::rich_text),
            parent: match input.read("parent", input::integer) {
                None => Patch::Keep,
                Some(0) => Patch::Clear,
                Some(number) => Patch::Set(Id::from_raw(number)),
            },
        }
    }

    fn name(&self) -> Result<Option<Title>, AppError> {
        match &self.name {
            Some(Name::Blank) => Err(AppError::EmptyTermName),
            Some(Name::Usable(name)) => Ok(Some(name.clone())),
            None => Ok(None),
        }
    }

    /// The parent, if it can be one: it exists, and `child` is not above it.
    async fn checked_parent(
        &self,
        child: Option<Id<Term<X>>>,
        unit: &dyn Repositories,
    ) -> Result<Patch<Stored<Term<X>>>, AppError> {
        let parent = match self.parent {
            Patch::Keep => return Ok(Patch::Keep),
            _ if !X::HIERARCHICAL => return Err(AppError::NotHierarchical),
            Patch::Clear => return Ok(Patch::Clear),
            Patch::Set(parent) => parent,
        };
        let lineage = X::repository(unit).with_ancestors(&[parent]).await?;
        let in_a_circle = lineage.iter().any(|term| Some(term.id) == child);
        match lineage.into_iter().find(|term| term.id == parent) {
            Some(term) if !in_a_circle => Ok(Patch::Set(term)),
            _ => Err(AppError::invalid(
                "parent",
                Fault::Unknown(Named::Record(X::KIND)),
            )),
        }
    }

    /// Keeps others from changing the tree, if these changes do: each of two changes could be right
    /// by itself, and both together make a circle.
    pub(super) async fn lock(&self, unit: &dyn Repositories) -> Result<(), AppError> {
        if X::HIERARCHICAL && matches!(self.parent, Patch::Set(_)) {
            X::repository(unit).lock_tree().await?;
        }
        Ok(())
    }

    /// The content of a new term and its slug.
    pub(super) async fn create(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, Option<SlugWish>), AppError> {
        let name = self.name()?.ok_or(AppError::Missing(vec!["name"]))?;
        let mut parent = None;
        self.checked_parent(None, unit).await?.apply(&mut parent);
        NewTerm {
            name,
            slug: self.slug,
            description: self.description.unwrap_or_default(),
            parent,
        }
        .make(request, unit)
        .await
    }

    /// The content of a term after these changes, and its slug if it shall get another.
    pub(super) async fn update(
        self,
        before: &Stored<Term<X>>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, Option<SlugWish>), AppError> {
        let name = self.name()?;
        let parent = self.checked_parent(Some(before.id), unit).await?;
        let mut term = before.content.clone();
        term.name = name.unwrap_or(term.name);
        term.description = self.description.unwrap_or(term.description);
        match parent {
            Patch::Keep => {}
            Patch::Clear => term.parent = None,
            Patch::Set(parent) => term.parent = Some(parent.id),
        }
        let Some(slug) = self.slug.filter(|slug| *slug != before.slug) else {
            return Ok((term, None));
        };
        match X::repository(unit).find_by_slug(&slug).await? {
            Some(other) if other != before.id => Err(AppError::DuplicateTermSlug),
            _ => Ok((term, Some(SlugWish::new(slug)))),
        }
    }
}

/// A term to be made.
#[derive(Clone, Debug)]
pub struct NewTerm<X: Taxonomy> {
    name: Title,
    slug: Option<Slug>,
    description: RichText,
    parent: Option<Stored<Term<X>>>,
}

impl<X: TermKind> NewTerm<X> {
    /// A term with nothing but a name.
    pub fn named(name: Title) -> Self {
        Self {
            name,
            slug: None,
            description: RichText::default(),
            parent: None,
        }
    }

    /// Its content and the slug that it shall get.
    ///
    /// # Errors
    ///
    /// [`AppError::TermExists`] if its name is taken: by a sibling, or by any tag. A slug of its own
    /// lets it have the name all the same.
    pub async fn make(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Term<X>, Option<SlugWish>), AppError> {
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
            term.name.as_str().to_lowercase() == lower
                && term.parent == parent_id
                && slug.as_ref().is_none_or(|slug| *slug == term.slug)
        });
        if let Some(twin) = twin {
            return Err(AppError::TermExists {
                term_id: twin.id.get(),
            });
        }
        let wish = slug.map_or_else(
            || SlugWish::from_name(Term::<X>::slug_from(&name)),
            SlugWish::new,
        );
        let slug = wish.last().clone();
        let mut term = Term::new(name, slug.clone());
        term.language = request.language();
        term.description = description;
        term.parent = parent_id;
        Ok((
            term,
            Some(match parent {
                Some(parent) => wish.or(slug.appended(&parent.slug)),
                None => wish,
            }),
        ))
    }
}
