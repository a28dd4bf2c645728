//! The fields of a random write.

use domain::{Kind, Language, Status, event::OverrideField, time::Timestamp};
use port_tests::Dice;
use serde_json::{Map, Value, json};

use super::state::Model;

/// The number of a record within its kind, in the order of creation. Records of the service have other IDs.
pub(super) type Number = i64;

/// The password of locked events.
pub(super) const PASSWORD: &str = "open sesame";

/// The words of titles.
pub(super) const WORDS: [&str; 5] = ["Jazz", "River", "Été", "مهرجان", "Yoga"];

const HOUR: i64 = 3600;

/// The fields of a write; an absent one is not sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// The language of the texts: `ml_language`.
    pub(super) language: Option<Language>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// The number of days on which a new event happens: it is a series.
    pub(super) days: Option<usize>,
    pub(super) status: Option<Status>,
    /// The time of publication.
    pub(super) date: Option<Timestamp>,
    /// The ID of a user.
    pub(super) author: Option<i64>,
    /// Start and end.
    pub(super) when: Option<[Timestamp; 2]>,
    pub(super) hidden: Option<bool>,
    pub(super) featured: Option<bool>,
    pub(super) locked: Option<bool>,
    /// A venue, or none: its removal.
    pub(super) venue: Option<Vec<Number>>,
    pub(super) organizers: Option<Vec<Number>>,
    pub(super) categories: Option<Vec<Number>>,
    pub(super) tags: Option<Vec<Number>>,
    /// The category above; 0 for none.
    pub(super) parent: Option<Number>,
}

impl Fields {
    /// All required fields of a kind, and some of the others.
    pub(super) fn new(dice: &mut Dice, kind: Kind, model: &Model) -> Self {
        let mut fields = Self::some(dice, kind, model);
        if fields.title.is_none() {
            fields.title = Some(title(dice, kind, model));
        }
        if kind == Kind::Event && fields.when.is_none() {
            fields.when = Some(when(dice));
        }
        if kind == Kind::Event && dice.once_in(3) {
            fields.days = Some(2 + dice.roll(4));
        }
        fields
    }

    /// Some of the fields that a kind has.
    pub(super) fn some(dice: &mut Dice, kind: Kind, model: &Model) -> Self {
        let mut fields = Self::default();
        if dice.once_in(3) {
            fields.language = Some(dice.pick(&Language::ALL));
        }
        if dice.once_in(4) {
            fields.title = Some(title(dice, kind, model));
        }
        if matches!(kind, Kind::Category | Kind::Tag) {
            if kind == Kind::Category && dice.once_in(2) {
                fields.parent = Some(any_number(dice, model, Kind::Category) - 1);
            }
            return fields;
        }
        if dice.once_in(5) {
            fields.description = Some(format!("<p>{}</p>", dice.pick(&WORDS)));
        }
        if dice.once_in(2) {
            fields.status = Some(dice.pick(&[
                Status::Publish,
                Status::Publish,
                Status::Publish,
                Status::Draft,
                Status::Pending,
                Status::Private,
                Status::Future,
                Status::Trash,
            ]));
        }
        if dice.once_in(6) {
            fields.date = Some(model.now().saturating_add(hours(dice, -48, 48)));
        }
        if dice.once_in(8) {
            // The user after the last one does not exist.
            fields.author = Some(i64::try_from(1 + dice.roll(8)).unwrap());
        }
        if kind == Kind::Event {
            fields.add_own(dice, model);
        }
        fields
    }

    fn add_own(&mut self, dice: &mut Dice, model: &Model) {
        if dice.once_in(4) {
            self.when = Some(when(dice));
        }
        self.hidden = dice.once_in(8).then(|| dice.once_in(2));
        self.featured = dice.once_in(5).then(|| dice.once_in(2));
        self.locked = dice.once_in(8).then(|| dice.once_in(2));
        if dice.once_in(3) {
            let venue = any_number(dice, model, Kind::Venue);
            self.venue = Some(if dice.once_in(4) { Vec::new() } else { vec![venue] });
        }
        let mut numbers = |kind| {
            let asks = dice.once_in(3);
            asks.then(|| some_numbers(dice, model, kind))
        };
        self.organizers = numbers(Kind::Organizer);
        self.categories = numbers(Kind::Category);
        self.tags = numbers(Kind::Tag);
    }

    /// The language of the texts.
    pub(super) fn language(&self) -> Language {
        self.language.unwrap_or_default()
    }

    /// Whether the status is the trash.
    pub(super) fn is_trash(&self) -> bool {
        self.status == Some(Status::Trash)
    }

    /// Leaves out what one occurrence cannot have of its own.
    pub(super) fn keep_own(&mut self) {
        (self.status, self.date, self.author, self.locked) = (None, None, None, None);
    }

    /// Whether one occurrence can have all these fields of its own.
    pub(super) fn are_own(&self) -> bool {
        let Self { status, date, author, locked, .. } = self;
        status.is_none() && date.is_none() && author.is_none() && locked.is_none()
    }

    /// Makes the title of a translation another one than all before: an equal one would make its slug again.
    pub(super) fn set_apart(&mut self, model: &Model) {
        if let Some(title) = &mut self.title {
            *title = format!("{title} {}", model.steps());
        }
    }

    /// Whether a field of an event is sent, in a record of a language.
    pub(super) fn sends(&self, field: OverrideField, original: Language) -> bool {
        match field {
            OverrideField::Title => self.title.is_some() && self.language() == original,
            OverrideField::Description => self.description.is_some() && self.language() == original,
            OverrideField::StartDate | OverrideField::EndDate => self.when.is_some(),
            OverrideField::HideFromListings => self.hidden.is_some(),
            OverrideField::Featured => self.featured.is_some(),
            OverrideField::Categories => self.categories.is_some(),
            OverrideField::Tags => self.tags.is_some(),
            OverrideField::Venue => self.venue.is_some(),
            OverrideField::Organizers => self.organizers.is_some(),
            _ => false,
        }
    }

    /// The query of the request.
    pub(super) fn query(&self) -> String {
        let language = self.language.map(|language| format!("?ml_language={}", language.code()));
        language.unwrap_or_default()
    }

    /// The body of the request. `id` is the ID of a record in the service.
    pub(super) fn json(&self, kind: Kind, id: impl Fn(Kind, Number) -> i64) -> Value {
        let Self {
            language: _,
            title,
            description,
            days,
            status,
            date,
            author,
            when,
            hidden,
            featured,
            locked,
            venue,
            organizers,
            categories,
            tags,
            parent,
        } = self;
        let ids = |kind, numbers: &Vec<Number>| {
            numbers.iter().map(|number| id(kind, *number)).collect::<Vec<_>>()
        };
        let [start, end] = [0, 1].map(|index| when.map(|when| when[index].to_string()));
        let members = [
            (title_field(kind), title.as_ref().map(|title| json!(title))),
            ("description", description.as_ref().map(|text| json!(text))),
            ("recurrence", days.map(|days| json!(rule(days)))),
            ("status", status.map(|status| json!(status.name()))),
            ("date_utc", date.map(|date| json!(date.to_string()))),
            ("author", author.map(|author| json!(author))),
            ("start_date", start.map(|start| json!(start))),
            ("end_date", end.map(|end| json!(end))),
            ("hide_from_listings", hidden.map(|hidden| json!(hidden))),
            ("featured", featured.map(|featured| json!(featured))),
            ("password", locked.map(|locked| json!(if locked { PASSWORD } else { "" }))),
            ("venue", venue.as_ref().map(|numbers| json!(ids(Kind::Venue, numbers)))),
            ("organizer", organizers.as_ref().map(|numbers| json!(ids(Kind::Organizer, numbers)))),
            ("categories", categories.as_ref().map(|numbers| json!(ids(Kind::Category, numbers)))),
            ("tags", tags.as_ref().map(|numbers| json!(ids(Kind::Tag, numbers)))),
            (
                "parent",
                parent.map(|number| match number {
                    0 => json!(0),
                    number => json!(id(Kind::Category, number)),
                }),
            ),
        ];
        let members = members.into_iter();
        let members = members.filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(members.collect::<Map<_, _>>())
    }
}

/// The field of the title of a record.
pub(super) const fn title_field(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "title",
        Kind::Venue => "venue",
        Kind::Organizer => "organizer",
        Kind::Category | Kind::Tag => "name",
    }
}

/// The rule of a series of some days.
pub(super) fn rule(days: usize) -> String {
    format!("FREQ=DAILY;COUNT={days}")
}

/// A number of hours between two others, in seconds.
fn hours(dice: &mut Dice, from: i64, to: i64) -> i64 {
    let sides = usize::try_from(to - from).unwrap();
    HOUR * (from + i64::try_from(dice.roll(sides)).unwrap())
}

/// Names of terms are unique, so that no creation finds a twin.
fn title(dice: &mut Dice, kind: Kind, model: &Model) -> String {
    let words = format!("{} {}", dice.pick(&WORDS), dice.pick(&WORDS));
    match kind {
        Kind::Category | Kind::Tag => format!("{words} {}", model.steps()),
        Kind::Event | Kind::Venue | Kind::Organizer => words,
    }
}

/// Times around the start of the clock.
fn when(dice: &mut Dice) -> [Timestamp; 2] {
    let start = app::test_support::at(tests::app::NOW);
    let start = start.saturating_add(hours(dice, -200, 400));
    [start, start.saturating_add(hours(dice, 0, 60))]
}

/// The number of a record that was created, is deleted perhaps, or does not exist yet.
pub(super) fn any_number(dice: &mut Dice, model: &Model, kind: Kind) -> Number {
    let created = usize::try_from(model.created(kind)).unwrap();
    i64::try_from(1 + dice.roll(created + 1)).unwrap()
}

fn some_numbers(dice: &mut Dice, model: &Model, kind: Kind) -> Vec<Number> {
    let created: Vec<_> = (1..=model.created(kind)).collect();
    dice.some(&created, 3)
}
