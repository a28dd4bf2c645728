//! Random lists.

use domain::{Kind, Language, Status, event::EventSort, query::Statuses};
use port_tests::Dice;

use super::{
    fields::{Number, WORDS, any_number},
    state::Model,
};

/// The times that a list of events holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Span {
    /// The window without parameters.
    Usual,
    /// From this moment on: `starts_after`, exact.
    After(i64),
    /// All.
    Always,
}

/// The filters of a list. Each kind uses some of them.
#[derive(Clone, Debug)]
pub(super) struct Query {
    pub(super) kind: Kind,
    /// The language of the answer: `ml_language`.
    pub(super) language: Option<Language>,
    /// The default, a status, or `any`.
    pub(super) status: Option<Statuses>,
    pub(super) span: Span,
    pub(super) search: Option<&'static str>,
    pub(super) venue: Option<Number>,
    pub(super) organizer: Option<Number>,
    pub(super) category: Option<Number>,
    pub(super) tag: Option<Number>,
    pub(super) featured: Option<bool>,
    pub(super) include: Option<Vec<Number>>,
    pub(super) sort: Option<EventSort>,
    pub(super) descending: bool,
    pub(super) has_events: Option<bool>,
    pub(super) upcoming: bool,
    pub(super) hide_empty: bool,
    /// The category above; 0 for none.
    pub(super) parent: Option<Number>,
    pub(super) page: u32,
    pub(super) per_page: u32,
}

impl Query {
    pub(super) fn random(dice: &mut Dice, model: &Model) -> Self {
        let kind = dice.pick(&[
            Kind::Event,
            Kind::Event,
            Kind::Event,
            Kind::Venue,
            Kind::Organizer,
            Kind::Category,
            Kind::Tag,
        ]);
        let statuses = [
            None,
            Some(Status::Publish),
            Some(Status::Draft),
            Some(Status::Future),
            Some(Status::Private),
            Some(Status::Trash),
        ];
        let is_event = kind == Kind::Event;
        let mut number = |of: Kind, sides: usize| {
            let asks = dice.once_in(sides);
            asks.then(|| any_number(dice, model, of))
        };
        let [venue, organizer] = [Kind::Venue, Kind::Organizer].map(|of| number(of, 8));
        let [category, tag] = [Kind::Category, Kind::Tag].map(|of| number(of, 5));
        let parent = number(Kind::Category, 5).map(|number| number - 1);
        let created: Vec<_> = (1..=model.created(Kind::Event)).collect();
        let include = (is_event && dice.once_in(6)).then(|| dice.some(&created, 5));
        let orders = [EventSort::End, EventSort::Modified, EventSort::Title, EventSort::Id];
        Self {
            kind,
            language: dice.once_in(3).then(|| dice.pick(&Language::ALL)),
            status: dice.once_in(2).then(|| Statuses(dice.pick(&statuses).map(|one| vec![one]))),
            span: match dice.roll(3) {
                0 => Span::Usual,
                1 => Span::After(i64::try_from(dice.roll(400)).unwrap()),
                _ => Span::Always,
            },
            search: dice.once_in(5).then(|| dice.pick(&WORDS)),
            venue,
            organizer,
            category,
            tag,
            featured: dice.once_in(8).then(|| dice.once_in(2)),
            include: include.filter(|numbers| !numbers.is_empty()),
            sort: dice.once_in(3).then(|| dice.pick(&orders)),
            descending: dice.once_in(3),
            has_events: dice.once_in(3).then(|| dice.once_in(2)),
            upcoming: dice.once_in(4),
            hide_empty: dice.once_in(2),
            parent,
            page: u32::try_from(1 + dice.roll(2)).unwrap(),
            per_page: dice.pick(&[3, 10, 100]),
        }
    }

    /// The path with its query. `id` is the ID of a record in the service.
    pub(super) fn path(&self, id: impl Fn(Kind, Number) -> i64) -> String {
        let Self {
            kind,
            language,
            status,
            span,
            search,
            venue,
            organizer,
            category,
            tag,
            featured,
            include,
            sort,
            descending,
            has_events,
            upcoming,
            hide_empty,
            parent,
            page,
            per_page,
        } = self;
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        let mut add = |name: &str, value: String| {
            pairs.append_pair(name, &value);
        };
        if let Some(language) = language {
            add("ml_language", language.code().to_owned());
        }
        add("page", page.to_string());
        add("per_page", per_page.to_string());
        if let Some(search) = search {
            add("search", (*search).to_owned());
        }
        let is_term = matches!(kind, Kind::Category | Kind::Tag);
        if let Some(Statuses(named)) = status.as_ref().filter(|_| !is_term) {
            let name = named.as_ref().map_or("any", |named| named[0].name());
            add("status", name.to_owned());
        }
        match kind {
            Kind::Event => {
                match span {
                    Span::Usual => {}
                    Span::After(_) => {
                        add("strict_dates", "true".to_owned());
                        add("starts_after", span.after().to_string());
                    }
                    Span::Always => {
                        add("start_date", "2000-01-01".to_owned());
                        add("end_date", "2100-01-01".to_owned());
                    }
                }
                for (name, kind, number) in [
                    ("venue", Kind::Venue, venue),
                    ("organizer", Kind::Organizer, organizer),
                    ("categories", Kind::Category, category),
                    ("tags", Kind::Tag, tag),
                ] {
                    if let Some(number) = number {
                        add(name, id(kind, *number).to_string());
                    }
                }
                if let Some(featured) = featured {
                    add("featured", featured.to_string());
                }
                if let Some(numbers) = include {
                    let ids = numbers.iter().map(|number| id(Kind::Event, *number).to_string());
                    add("include", ids.collect::<Vec<_>>().join(","));
                }
                if let Some(sort) = sort {
                    add("orderby", sort.name().to_owned());
                }
                add("order", if *descending { "desc" } else { "asc" }.to_owned());
            }
            Kind::Venue | Kind::Organizer => {
                if let Some(has_events) = has_events {
                    add("has_events", has_events.to_string());
                }
                add("only_with_upcoming", upcoming.to_string());
            }
            Kind::Category | Kind::Tag => {
                add("hide_empty", hide_empty.to_string());
                if let Some(number) = parent.filter(|_| *kind == Kind::Category) {
                    let above = if number == 0 { 0 } else { id(Kind::Category, number) };
                    add("parent", above.to_string());
                }
            }
        }
        format!("/{}?{}", super::list_name(*kind), pairs.finish())
    }
}

impl Span {
    /// The moment of [`Span::After`]: some hours behind a moment before the clock.
    pub(super) fn after(self) -> domain::time::Timestamp {
        let hours = match self {
            Self::After(hours) => hours,
            Self::Usual | Self::Always => 0,
        };
        app::test_support::at("2026-12-25 00:00:00").saturating_add(hours * 3600)
    }
}
