//! The values of the form of an event: of a stored one, or as they were typed.

use std::collections::{BTreeSet, HashMap};

use app::event::EventView;
use domain::{Language, Status, time::Zone};
use http_service::AppState;
use serde_json::Value as Json;

use super::{repetition::Repetition, tickets};
use crate::{body::Form, words::Word};

/// Values by the name of their input.
#[derive(Debug, Default)]
pub(super) struct Values {
    texts: HashMap<String, String>,
    categories: Vec<String>,
    /// The weekdays of the repetition.
    on: Vec<String>,
    /// The language of the texts of the stored event.
    pub(super) language: Option<Language>,
    /// The repetition of the stored event.
    pub(super) repetition: Repetition,
    /// ID and name of the organizers that the form began with.
    pub(super) known_organizers: Vec<String>,
}

/// A date and time in the form of HTML.
pub(crate) const LOCAL: &str = "%Y-%m-%dT%H:%M";

impl Values {
    /// The values of a new event.
    pub(super) fn blank(state: &AppState, language: Language) -> Self {
        let mut values = Self::default();
        let zone = state.calendar.site().zone.to_string();
        values.set("timezone", zone);
        values.set("language", language.code());
        values.repeat(Repetition::Never);
        values
    }

    /// The values that were typed.
    pub(super) fn sent(form: &Form) -> Self {
        Self {
            texts: form.fields.iter().cloned().collect(),
            categories: form.all("category").map(str::to_owned).collect(),
            on: form.all("on").map(str::to_owned).collect(),
            repetition: Repetition::default(),
            language: None,
            known_organizers: form.all("organizer_known").map(str::to_owned).collect(),
        }
    }

    /// The values of a stored event. The date of publication is in a zone.
    pub(super) fn of(view: &EventView, zone: &Zone) -> Self {
        let (event, details) = (&view.event, &view.event.details);
        let mut values = Self::default();
        values.set("title", event.title.as_str());
        values.set("description", event.description.as_str());
        values.set("excerpt", event.excerpt.as_str());
        values.set("slug", event.slug.as_ref().map_or("", |slug| slug.as_str()));
        let when = &details.when;
        values.set("start_date", when.start().local.format(LOCAL).to_string());
        values.set("end_date", when.end().local.format(LOCAL).to_string());
        values.set("timezone", when.zone().to_string());
        values.set("status", view.status.name());
        let is_dated = matches!(view.status, Status::Publish | Status::Future);
        if is_dated || event.date_is_chosen {
            values.set("date", zone.at(event.date).local.format(LOCAL).to_string());
        }
        values.set("cost", details.cost.lines().replace('\n', ", "));
        let currency = details
            .currency
            .map_or_else(String::new, |one| one.code().to_owned());
        values.set("currency", currency);
        let website = details.website.as_ref().map_or("", |url| url.as_str());
        values.set("website", website);
        for (name, is_on) in [
            ("all_day", when.all_day()),
            ("featured", details.featured),
            ("sticky", details.sticky),
            ("hide_from_listings", details.hide_from_listings),
            ("cancelled", details.cancelled),
            ("show_map", details.show_map),
            ("show_map_link", details.show_map_link),
        ] {
            if is_on {
                values.set(name, "1");
            }
        }
        for (name, text) in tickets::inputs_of(view) {
            values.set(&name, text);
        }
        if let Some(parent) = view.parent {
            values.set("parent", format!("#{parent}"));
        }
        values.set("author", event.author.to_string());
        if let Some(venue) = &view.venue {
            values.set("venue", venue.entry.title.as_str());
        }
        let organizers = view.organizers.iter();
        let names: Vec<_> = organizers
            .clone()
            .map(|one| one.entry.title.as_str())
            .collect();
        values.set("organizer", names.join("\n"));
        let known = organizers.map(|one| format!("{} {}", one.entry.id, one.entry.title.as_str()));
        values.known_organizers = known.collect();
        values.categories = details.categories.iter().map(ToString::to_string).collect();
        let tags: Vec<_> = view.tags.iter().map(|tag| tag.term.name.as_str()).collect();
        values.set("tags", tags.join(", "));
        if let Some(series) = event.series() {
            values.set("recurrence", series.recurrence.lines().join("\n"));
        }
        values.repeat(Repetition::of(view));
        values.language = Some(event.language);
        values.set("language", event.language.code());
        values.at_revision(event.revision)
    }

    /// The values for a new event that is like a stored one.
    pub(super) fn copied(view: &EventView, zone: &Zone) -> Self {
        let mut values = Self::of(view, zone);
        for name in ["slug", "status", "revision", "cancelled", "date", "author"] {
            values.texts.remove(name);
        }
        values
    }

    /// The same values, to replace this revision.
    pub(super) fn at_revision(mut self, revision: i64) -> Self {
        self.set("revision", revision.to_string());
        self
    }

    fn repeat(&mut self, repetition: Repetition) {
        let (inputs, on) = repetition.inputs();
        for (name, text) in inputs {
            self.set(name, text);
        }
        self.on = on;
        self.repetition = repetition;
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.texts.insert(name.to_owned(), value.into());
    }

    /// The value of an input.
    pub(super) fn get(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// The tickets, as the interface takes them.
    pub(super) fn tickets(&self) -> Json {
        tickets::of_inputs(|name| self.texts.get(name).map(String::as_str))
    }

    /// Whether a check box is on.
    pub(super) fn has(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    /// Whether a weekday of the repetition is chosen.
    pub(super) fn is_on(&self, day: &str) -> bool {
        self.on.iter().any(|one| one == day)
    }

    /// Whether a choice is taken: an empty text takes the first one.
    pub(super) fn chooses(&self, name: &str, choice: &str, first: &str) -> bool {
        match self.get(name) {
            "" => choice == first,
            chosen => choice == chosen,
        }
    }

    /// Whether a category is chosen.
    pub(super) fn has_category(&self, id: &str) -> bool {
        self.categories.iter().any(|one| one == id)
    }

    /// Whether these are the categories.
    pub(super) fn has_categories<'a>(&self, ids: impl Iterator<Item = &'a str>) -> bool {
        let chosen: BTreeSet<_> = ids.collect();
        let own = self.categories.iter().map(String::as_str);
        own.collect::<BTreeSet<_>>() == chosen
    }

    /// The status.
    pub(super) fn status(&self) -> Option<Status> {
        self.get("status").parse().ok()
    }

    /// The texts that a person compares, each with its title.
    pub(super) fn told(&self, language: Language) -> Vec<(&'static str, String)> {
        let all = [
            ("title", Word::TITLE),
            ("start_date", Word::STARTS),
            ("end_date", Word::ENDS),
            ("timezone", Word::TIME_ZONE),
            ("venue", Word::VENUE),
            ("organizer", Word::ORGANIZERS),
            ("tags", Word::TAGS),
            ("cost", Word::COST),
            ("excerpt", Word::EXCERPT),
            ("description", Word::DESCRIPTION),
        ];
        let told = all.map(|(name, word)| (word.text(language), self.get(name).to_owned()));
        told.into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect()
    }
}
