//! An event of another program, as the form of an event takes it.

use domain::{
    Language,
    recurrence::{Recurrence, RecurrenceParts},
    time::EventTime,
};

use crate::event_form::{LOCAL, in_words, inputs_of};

/// The most events that are choices.
pub(super) const MAX_FOUND: usize = 10;

/// An event that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) title: String,
    pub(super) when: EventTime,
    pub(super) recurrence: RecurrenceParts,
    /// HTML, which is filtered once it is stored.
    pub(super) description: String,
    pub(super) venue: String,
    /// One name a line.
    pub(super) organizers: String,
    pub(super) website: String,
    /// Separated by commas.
    pub(super) tags: String,
    pub(super) cost: String,
    pub(super) currency: String,
    pub(super) is_cancelled: bool,
}

impl Found {
    /// An event with nothing but a title and a time.
    pub(super) fn new(title: String, when: EventTime) -> Self {
        Self {
            title,
            when,
            recurrence: RecurrenceParts::default(),
            description: String::new(),
            venue: String::new(),
            organizers: String::new(),
            website: String::new(),
            tags: String::new(),
            cost: String::new(),
            currency: String::new(),
            is_cancelled: false,
        }
    }

    /// The start, in words.
    pub(super) fn in_words(&self, language: Language) -> String {
        in_words(&self.when, language)
    }

    /// The inputs of the form of an event, with their values.
    pub(super) fn inputs(self, language: Language) -> Vec<(&'static str, String)> {
        let local = |moment: domain::time::Moment| moment.local.format(LOCAL).to_string();
        let mut inputs = vec![
            ("language", language.code().to_owned()),
            ("start_date", local(self.when.start())),
            ("end_date", local(self.when.end())),
            ("timezone", self.when.zone().to_string()),
            ("title", self.title),
            ("description", self.description),
            ("venue", self.venue),
            ("organizer", self.organizers),
            ("website", self.website),
            ("tags", self.tags),
            ("cost", self.cost),
            ("currency", self.currency),
        ];
        if self.when.all_day() {
            inputs.push(("all_day", "1".to_owned()));
        }
        if self.is_cancelled {
            inputs.push(("cancelled", "1".to_owned()));
        }
        let has_dates = self.recurrence.rule.is_some() || !self.recurrence.extra.is_empty();
        if has_dates && let Ok(recurrence) = Recurrence::new(self.when, self.recurrence) {
            inputs.extend(inputs_of(&recurrence));
        }
        inputs.retain(|(_, text)| !text.is_empty());
        inputs
    }
}
