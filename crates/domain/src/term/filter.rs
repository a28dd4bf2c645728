//! Filters and sort orders of lists of categories and tags.

use std::cmp::Ordering;

use super::Taxonomy;
use crate::{Filter, Id, Language, Record, Stored, Term, slug::Slug, text::fold};

named_enum! {
    /// The sort key of a list of terms. Ties are broken by ID, in the same direction.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum TermSort, name {
        /// Folded name.
        #[default]
        Name = "name",
        /// ID alone.
        Id = "id",
        /// Slug.
        Slug = "slug",
        /// Number of published events.
        Count = "count",
        /// Description.
        Description = "description",
        /// ID of the parent.
        Parent = "parent",
        /// Order of [`TermFilter::include`].
        Include = "include",
    }
}

/// The filter and the sort order of a list of categories or tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermFilter<X: Taxonomy> {
    /// Part of the folded name or of the slug.
    pub search: Option<String>,
    /// Only these.
    pub include: Option<Vec<Id<Term<X>>>>,
    /// Without these.
    pub exclude: Vec<Id<Term<X>>>,
    /// Only the children of this term; `Some(None)`: only terms at the top.
    pub parent: Option<Option<Id<Term<X>>>>,
    /// Only the term with this slug, in any language.
    pub slug: Option<Slug>,
    /// Only terms with published events.
    pub hide_empty: bool,
    /// The sort key.
    pub sort: TermSort,
    /// Descending order.
    pub descending: bool,
}

// Written by hand: a derive would require `X: Default`.
impl<X: Taxonomy> Default for TermFilter<X> {
    fn default() -> Self {
        Self {
            search: None,
            include: None,
            exclude: Vec::new(),
            parent: None,
            slug: None,
            hide_empty: false,
            sort: TermSort::default(),
            descending: false,
        }
    }
}

impl<X: Taxonomy> Filter for TermFilter<X> {
    fn scans(&self) -> bool {
        self.search.is_some()
    }
}

impl<X: Taxonomy> TermFilter<X> {
    /// Whether the list includes this term; `count` is its number of published events.
    ///
    /// ```
    /// # use events_calendar_domain::{*, term::TermFilter, slug::Slug, text::Title};
    /// # let content = Tag::new("Rust".parse::<Title>()?, Slug::normalize("rust").unwrap());
    /// # let tag = Stored { id: TagId::from_raw(1), revision: 1, content };
    /// let used = TermFilter { hide_empty: true, ..TermFilter::default() };
    /// assert!(used.matches(&tag, 1));
    /// assert!(!used.matches(&tag, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(&self, term: &Stored<Term<X>>, count: u64) -> bool {
        let Self {
            search,
            include,
            exclude,
            parent,
            slug,
            hide_empty,
            sort: _,
            descending: _,
        } = self;
        search.as_ref().is_none_or(|part| {
            fold(term.name.as_str()).contains(part) || term.slug.as_str().contains(part)
        }) && include.as_ref().is_none_or(|ids| ids.contains(&term.id))
            && !exclude.contains(&term.id)
            && parent.is_none_or(|parent| parent == term.parent)
            && slug
                .as_ref()
                .is_none_or(|slug| term.slugs().any(|(_, one)| one == slug))
            && (!hide_empty || count > 0)
    }

    /// The list in a language: the terms that match, localized, in their order. `count` is the
    /// number of published events of a term, see [`Event::is_counted`](crate::Event::is_counted).
    /// Every caller sees the same terms.
    ///
    /// ```
    /// # use events_calendar_domain::{*, term::*, slug::Slug, text::Title};
    /// # let tag = |id, name: &str| Stored {
    /// #     id: TagId::from_raw(id),
    /// #     revision: 1,
    /// #     content: Tag::new(name.parse::<Title>().unwrap(), Slug::normalize(name).unwrap()),
    /// # };
    /// let tags = [tag(1, "Loud"), tag(2, "Free")];
    /// let by_name = TermFilter::default().list(&tags, |_| 0, Language::English);
    /// assert_eq!(by_name, [tags[1].clone(), tags[0].clone()]);
    /// let used = TermFilter { hide_empty: true, ..TermFilter::default() };
    /// assert!(used.list(&tags, |_| 0, Language::English).is_empty());
    /// ```
    pub fn list<'a>(
        &self,
        terms: impl IntoIterator<Item = &'a Stored<Term<X>>>,
        count: impl Fn(Id<Term<X>>) -> u64,
        language: Language,
    ) -> Vec<Stored<Term<X>>> {
        let terms = terms.into_iter().cloned();
        let shown = terms.map(|term| (count(term.id), term.localized(language)));
        let mut list: Vec<_> = shown
            .filter(|(count, term)| self.matches(term, *count))
            .collect();
        list.sort_by(|(a_count, a), (b_count, b)| self.compare((a, *a_count), (b, *b_count)));
        list.into_iter().map(|(_, term)| term).collect()
    }

    /// Compares two terms, each with its count, by the sort order.
    ///
    /// ```
    /// use events_calendar_domain::term::{TermFilter, TermSort};
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = |id, name: &str| Stored {
    ///     id: TagId::from_raw(id),
    ///     revision: 1,
    ///     content: Tag::new(name.parse::<Title>().unwrap(), Slug::normalize(name).unwrap()),
    /// };
    /// assert!(TermFilter::default().compare((&tag(2, "alpha"), 0), (&tag(1, "Beta"), 0)).is_lt());
    /// let most_used = TermFilter { sort: TermSort::Count, descending: true, ..TermFilter::default() };
    /// assert!(most_used.compare((&tag(2, "alpha"), 0), (&tag(1, "Beta"), 5)).is_gt());
    /// ```
    pub fn compare(&self, a: (&Stored<Term<X>>, u64), b: (&Stored<Term<X>>, u64)) -> Ordering {
        let ((a, a_count), (b, b_count)) = (a, b);
        let index = |id| {
            self.include
                .as_ref()
                .and_then(|ids| ids.iter().position(|one| *one == id))
        };
        let order = match self.sort {
            TermSort::Name => fold(a.name.as_str()).cmp(&fold(b.name.as_str())),
            TermSort::Id => Ordering::Equal,
            TermSort::Slug => a.slug.cmp(&b.slug),
            TermSort::Count => a_count.cmp(&b_count),
            TermSort::Description => a.description.as_str().cmp(b.description.as_str()),
            TermSort::Parent => a.parent.cmp(&b.parent),
            TermSort::Include => index(a.id).cmp(&index(b.id)),
        };
        let order = order.then(a.id.cmp(&b.id));
        if self.descending {
            order.reverse()
        } else {
            order
        }
    }
}
