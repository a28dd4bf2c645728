//! The kinds of records with a form of the same make: venues, organizers, categories and tags.

use std::sync::Arc;

use app::{
    place::PlaceView,
    term::{TermKind, TermView},
};
use domain::{
    Id, Image, Kind, Organizer, Status, Stored, Term, UserId, Venue, event::EventFilter,
    place::PlaceFilter, query::Statuses, search::FieldSearch, term::TermFilter, text::fold,
    web_url::WebUrl,
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

/// A field of a form, by its name in the interface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(super) name: &'static str,
    pub(super) title: Word,
    pub(super) shape: Shape,
    pub(super) is_needed: bool,
    pub(super) hint: Option<Word>,
}

impl Input {
    const fn new(name: &'static str, title: Word, shape: Shape) -> Self {
        Self {
            name,
            title,
            shape,
            is_needed: false,
            hint: None,
        }
    }

    const fn needed(name: &'static str, title: Word) -> Self {
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
    Input::new("description", Word::DESCRIPTION, Shape::Area).hinted(Word::HTML_HINT);
const PHONE: Input = Input::new("phone", Word::PHONE, Shape::Technical("tel"));
const WEBSITE: Input = Input::new("website", Word::WEBSITE, Shape::Technical("url"));
const STATUS: Input = Input::new("status", Word::STATUS, Shape::Status);

const OF_VENUES: [Input; 16] = [
    Input::needed("venue", Word::NAME),
    Input::new("address", Word::ADDRESS, Shape::Line),
    Input::new("zip", Word::ZIP, Shape::Line),
    Input::new("city", Word::CITY, Shape::Line),
    Input::new("province", Word::PROVINCE, Shape::Line),
    Input::new("state", Word::STATE, Shape::Line),
    Input::new("stateprovince", Word::STATE_PROVINCE, Shape::Line)
        .hinted(Word::STATE_PROVINCE_HINT),
    Input::new("country", Word::COUNTRY, Shape::Line),
    PHONE,
    WEBSITE,
    Input::new("geo_lat", Word::LATITUDE, Shape::Technical("text")).hinted(Word::DEGREES_HINT),
    Input::new("geo_lng", Word::LONGITUDE, Shape::Technical("text")),
    Input::new("show_map", Word::SHOW_MAP, Shape::Flag),
    Input::new("show_map_link", Word::SHOW_MAP_LINK, Shape::Flag),
    DESCRIPTION,
    STATUS,
];

const OF_ORGANIZERS: [Input; 6] = [
    Input::needed("organizer", Word::NAME),
    PHONE,
    Input::new("email", Word::EMAIL, Shape::Technical("email")),
    WEBSITE,
    DESCRIPTION,
    STATUS,
];

const OF_CATEGORIES: [Input; 4] = [
    Input::needed("name", Word::NAME),
    Input::new("slug", Word::SLUG, Shape::Line).hinted(Word::SLUG_HINT),
    Input::new("parent", Word::PARENT, Shape::Parent),
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

    /// The values of a stored record, by the name of the field; a check box that is off has none.
    fn values(view: &Self::View) -> Vec<(&'static str, String)>;

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
    let input = R::INPUTS.iter().find(|input| input.name == name);
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

fn url(url: Option<&WebUrl>) -> String {
    url.map_or_else(String::new, |url| url.as_str().to_owned())
}

fn place_summary<D: domain::entry::Details>(
    view: &PlaceView<D>,
    detail: &str,
    site: &Site,
) -> Summary {
    let entry = &view.entry;
    let is_public = view.status == Status::Publish;
    Summary {
        status: Some(view.status),
        author: Some(entry.author),
        detail: detail.to_owned(),
        count: None,
        image: view.image.clone(),
        page: is_public.then(|| site.page(D::KIND, entry.id, entry.slug.as_ref())),
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

    fn values(view: &Self::View) -> Vec<(&'static str, String)> {
        let (entry, details) = (&view.entry, &view.entry.details);
        let degrees = |of: fn(domain::geo::Position) -> f64| {
            let position = details.position.map(of);
            position.map_or_else(String::new, |degrees| degrees.to_string())
        };
        let mut values = vec![
            ("venue", entry.title.as_str().to_owned()),
            ("address", details.address.clone()),
            ("zip", details.zip.clone()),
            ("city", details.city.clone()),
            ("province", details.province.clone()),
            ("state", details.state.clone()),
            ("stateprovince", details.stateprovince.clone()),
            ("country", details.country.clone()),
            ("phone", details.phone.clone()),
            ("website", url(details.website.as_ref())),
            ("geo_lat", degrees(domain::geo::Position::latitude)),
            ("geo_lng", degrees(domain::geo::Position::longitude)),
            ("description", entry.description.as_str().to_owned()),
            ("status", view.status.name().to_owned()),
        ];
        values.extend(details.show_map.then(|| ("show_map", "1".to_owned())));
        values.extend(
            details
                .show_map_link
                .then(|| ("show_map_link", "1".to_owned())),
        );
        values
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

    fn values(view: &Self::View) -> Vec<(&'static str, String)> {
        let (entry, details) = (&view.entry, &view.entry.details);
        vec![
            ("organizer", entry.title.as_str().to_owned()),
            ("phone", details.phone.clone()),
            ("email", details.email.clone()),
            ("website", url(details.website.as_ref())),
            ("description", entry.description.as_str().to_owned()),
            ("status", view.status.name().to_owned()),
        ]
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

    fn values(view: &TermView<X>) -> Vec<(&'static str, String)> {
        let term = &view.term;
        let parent = term.parent.map_or_else(String::new, |id| id.to_string());
        vec![
            ("name", term.name.as_str().to_owned()),
            ("slug", term.slug.as_str().to_owned()),
            ("parent", parent),
            ("description", term.description.as_str().to_owned()),
        ]
    }

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
