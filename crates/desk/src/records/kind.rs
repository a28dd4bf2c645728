//! The kinds of records with a form of the same make: venues, organizers, categories and tags.

use std::sync::Arc;

use app::{
    place::PlaceView,
    term::{TermKind, TermView},
};
use domain::{
    FieldName, Id, Image, Kind, Organizer, Status, Stored, Term, UserId, Venue, event::EventFilter,
    place::PlaceFilter, query::Statuses, search::FieldSearch, term::TermFilter, text::fold,
};
use forms::Form;
use http_service::{
    record::{ShownRecord, term_page},
    site::Site,
};

use crate::words::Word;

/// The shape of a field in the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line of text in any direction.
    Line,
    /// A line that is written from left to right, with the type of its input.
    Technical(&'static str),
    /// A text of several lines.
    Area,
    /// A check box.
    Flag,
    /// The status of an entry.
    Status,
    /// The category above.
    Parent,
}

/// A field of a form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(super) name: FieldName,
    pub(super) title: Word,
    pub(super) shape: Shape,
    pub(super) is_needed: bool,
    pub(super) hint: Option<Word>,
}

impl Input {
    const fn new(name: FieldName, title: Word, shape: Shape) -> Self {
        Self {
            name,
            title,
            shape,
            is_needed: false,
            hint: None,
        }
    }

    const fn needed(name: FieldName, title: Word) -> Self {
        Self {
            is_needed: true,
            ..Self::new(name, title, Shape::Line)
        }
    }

    const fn hinted(self, hint: Word) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }
}

const DESCRIPTION: Input =
    Input::new(FieldName::Description, Word::DESCRIPTION, Shape::Area).hinted(Word::HTML_HINT);
const PHONE: Input = Input::new(FieldName::Phone, Word::PHONE, Shape::Technical("tel"));
const WEBSITE: Input = Input::new(FieldName::Website, Word::WEBSITE, Shape::Technical("url"));
const STATUS: Input = Input::new(FieldName::Status, Word::STATUS, Shape::Status);

const OF_VENUES: [Input; 16] = [
    Input::needed(FieldName::Venue, Word::NAME),
    Input::new(FieldName::Address, Word::ADDRESS, Shape::Line),
    Input::new(FieldName::Zip, Word::ZIP, Shape::Line),
    Input::new(FieldName::City, Word::CITY, Shape::Line),
    Input::new(FieldName::Province, Word::PROVINCE, Shape::Line),
    Input::new(FieldName::State, Word::STATE, Shape::Line),
    Input::new(FieldName::StateProvince, Word::STATE_PROVINCE, Shape::Line)
        .hinted(Word::STATE_PROVINCE_HINT),
    Input::new(FieldName::Country, Word::COUNTRY, Shape::Line),
    PHONE,
    WEBSITE,
    Input::new(
        FieldName::Latitude,
        Word::LATITUDE,
        Shape::Technical("text"),
    )
    .hinted(Word::DEGREES_HINT),
    Input::new(
        FieldName::Longitude,
        Word::LONGITUDE,
        Shape::Technical("text"),
    ),
    Input::new(FieldName::ShowMap, Word::SHOW_MAP, Shape::Flag),
    Input::new(FieldName::ShowMapLink, Word::SHOW_MAP_LINK, Shape::Flag),
    DESCRIPTION,
    STATUS,
];

const OF_ORGANIZERS: [Input; 6] = [
    Input::needed(FieldName::Organizer, Word::NAME),
    PHONE,
    Input::new(FieldName::Email, Word::EMAIL, Shape::Technical("email")),
    WEBSITE,
    DESCRIPTION,
    STATUS,
];

const OF_CATEGORIES: [Input; 4] = [
    Input::needed(FieldName::Name, Word::NAME),
    Input::new(FieldName::Slug, Word::SLUG, Shape::Line).hinted(Word::SLUG_HINT),
    Input::new(FieldName::Parent, Word::PARENT, Shape::Parent),
    DESCRIPTION,
];

const OF_TAGS: [Input; 3] = [OF_CATEGORIES[0], OF_CATEGORIES[1], DESCRIPTION];

/// The titles of the pages of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Titles {
    pub(super) list: Word,
    pub(super) new: Word,
    pub(super) edit: Word,
}

/// The parts of a record beside its fields.
#[derive(Debug)]
pub(crate) struct Summary {
    /// The status, of kinds that have one.
    pub(super) status: Option<Status>,
    pub(super) author: Option<UserId>,
    /// A short text beside the name in lists.
    pub(super) detail: String,
    /// The number of published events, of kinds that count them.
    pub(super) count: Option<u64>,
    pub(super) image: Option<Arc<Stored<Image>>>,
    /// The page for people, if it is public.
    pub(super) page: Option<String>,
}

/// A kind of record with a form.
pub(crate) trait Kept: ShownRecord + Form {
    /// The titles of its pages.
    const TITLES: Titles;

    /// The fields of its form, beside the picture.
    const INPUTS: &'static [Input];

    /// The status, of kinds that have one.
    fn status(_view: &Self::View) -> Option<Status> {
        None
    }

    /// The other parts of a record.
    fn summary(view: &Self::View, site: &Site) -> Summary;

    /// The filter of a list: of the trash, or of everything else.
    fn filter(search: &str, of_trash: bool) -> Self::Filter;

    /// The filter of the events with the record.
    fn events_with(id: i64) -> EventFilter;

    /// Whether records have a status, a trash and a picture.
    fn is_entry() -> bool {
        !matches!(Self::KIND, Kind::Category | Kind::Tag)
    }
}

/// The words of a field of the interface in the form of a kind.
pub(crate) fn title_of<R: Kept>(name: &str) -> Option<Word> {
    let input = R::INPUTS.iter().find(|input| input.name.as_str() == name);
    input.map(|input| input.title)
}

/// The statuses of a list.
fn statuses(of_trash: bool) -> Statuses {
    let all = Status::ALL.iter().copied();
    Statuses(Some(
        all.filter(|status| (*status == Status::Trash) == of_trash)
            .collect(),
    ))
}

fn place_filter<D: Default>(search: &str, of_trash: bool) -> PlaceFilter<D> {
    let search = FieldSearch::parse(search);
    PlaceFilter {
        statuses: statuses(of_trash),
        search: (!search.words.is_empty()).then_some(search),
        ..PlaceFilter::default()
    }
}

fn place_summary<D: domain::entry::Details>(
    view: &PlaceView<D>,
    detail: &str,
    site: &Site,
) -> Summary {
    let entry = &view.entry;
    let is_published = view.status == Status::Publish;
    Summary {
        status: Some(view.status),
        author: Some(entry.author),
        detail: detail.to_owned(),
        count: None,
        image: view.image.clone(),
        page: is_published.then(|| site.page(D::KIND, entry.id, entry.slug.as_ref())),
    }
}

/// Every event that the caller sees, those in the trash too.
fn all_events() -> EventFilter {
    EventFilter {
        statuses: Statuses(Some(Status::ALL.to_vec())),
        with_hidden: true,
        ..EventFilter::default()
    }
}

impl Kept for Venue {
    const TITLES: Titles = Titles {
        list: Word::VENUES,
        new: Word::NEW_VENUE,
        edit: Word::EDIT_VENUE,
    };
    const INPUTS: &'static [Input] = &OF_VENUES;

    fn status(view: &Self::View) -> Option<Status> {
        Some(view.status)
    }

    fn summary(view: &Self::View, site: &Site) -> Summary {
        place_summary(view, &view.entry.details.city, site)
    }

    fn filter(search: &str, of_trash: bool) -> Self::Filter {
        place_filter(search, of_trash)
    }

    fn events_with(id: i64) -> EventFilter {
        EventFilter {
            venues: Some(vec![Id::from_raw(id)]),
            ..all_events()
        }
    }
}

impl Kept for Organizer {
    const TITLES: Titles = Titles {
        list: Word::ORGANIZERS,
        new: Word::NEW_ORGANIZER,
        edit: Word::EDIT_ORGANIZER,
    };
    const INPUTS: &'static [Input] = &OF_ORGANIZERS;

    fn status(view: &Self::View) -> Option<Status> {
        Some(view.status)
    }

    fn summary(view: &Self::View, site: &Site) -> Summary {
        place_summary(view, &view.entry.details.email, site)
    }

    fn filter(search: &str, of_trash: bool) -> Self::Filter {
        place_filter(search, of_trash)
    }

    fn events_with(id: i64) -> EventFilter {
        EventFilter {
            organizers: Some(vec![Id::from_raw(id)]),
            ..all_events()
        }
    }
}

impl<X: TermKind> Kept for Term<X> {
    const TITLES: Titles = if X::HIERARCHICAL {
        Titles {
            list: Word::CATEGORIES,
            new: Word::NEW_CATEGORY,
            edit: Word::EDIT_CATEGORY,
        }
    } else {
        Titles {
            list: Word::TAGS,
            new: Word::NEW_TAG,
            edit: Word::EDIT_TAG,
        }
    };
    const INPUTS: &'static [Input] = if X::HIERARCHICAL {
        &OF_CATEGORIES
    } else {
        &OF_TAGS
    };

    fn summary(view: &TermView<X>, site: &Site) -> Summary {
        Summary {
            status: None,
            author: None,
            detail: view.term.slug.as_str().to_owned(),
            count: Some(view.count),
            image: None,
            page: Some(term_page(view, site)),
        }
    }

    fn filter(search: &str, _of_trash: bool) -> TermFilter<X> {
        let search = search.trim();
        TermFilter {
            search: (!search.is_empty()).then(|| fold(search)),
            ..TermFilter::default()
        }
    }

    fn events_with(id: i64) -> EventFilter {
        if X::HIERARCHICAL {
            EventFilter {
                categories: Some(vec![Id::from_raw(id)]),
                ..all_events()
            }
        } else {
            EventFilter {
                tags: Some(vec![Id::from_raw(id)]),
                ..all_events()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use app::request::Purpose;
    use domain::{Category, Tag};

    use super::*;

    /// The fields of writes without an input: the picture has a part of its own on the page, and the desk sets neither author
    /// nor date of publication.
    const ELSEWHERE: [FieldName; 4] = [
        FieldName::Author,
        FieldName::Date,
        FieldName::DateUtc,
        FieldName::Image,
    ];

    fn assert_whole<R: Kept>() {
        for field in R::fields(Purpose::Create) {
            let has_input = R::INPUTS.iter().any(|input| input.name == field.name);
            let is_elsewhere = ELSEWHERE.contains(&field.name);
            assert_ne!(has_input, is_elsewhere, "{}: {}", R::KIND, field.name);
        }
    }

    #[test]
    fn every_field_of_a_write_has_an_input_or_is_elsewhere() {
        assert_whole::<Venue>();
        assert_whole::<Organizer>();
        assert_whole::<Category>();
        assert_whole::<Tag>();
    }
}
