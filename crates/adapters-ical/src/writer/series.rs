//! Series: a VEVENT with a rule, and one for each occurrence that differs from it.

use std::collections::{BTreeMap, BTreeSet};

use app::feed::{FeedEvent, FeedSeries};
use domain::recurrence::{Deviation, Slot};

use super::{content_line::ContentLines, event, times::Form};

/// The VEVENTs of a series: what a reader of its rule must be told besides.
pub(super) struct Components<'a> {
    series: &'a FeedSeries,
    form: Form<'a>,
    /// The slots at which the rule and the extra dates have no occurrence in the file.
    without: BTreeSet<Slot>,
    /// The occurrences with a VEVENT of their own: with own values, or only with another time.
    own: BTreeMap<Slot, FeedEvent>,
}

impl<'a> Components<'a> {
    pub(super) fn of(series: &'a FeedSeries) -> Self {
        let FeedSeries {
            event,
            recurrence,
            left_out,
            overrides,
            until: _,
        } = series;
        let mut without: BTreeSet<_> = recurrence.deleted().union(left_out).copied().collect();
        let overrides = overrides.iter().filter(|one| !without.contains(&one.slot));
        let mut own: BTreeMap<_, _> = overrides.map(|one| (one.slot, one.event.clone())).collect();
        for deviation in recurrence.deviations(series.horizon()) {
            match deviation {
                Deviation::Missing(slot) => {
                    without.insert(slot);
                }
                Deviation::Time(one) if !without.contains(&one.slot) => {
                    let plain = || FeedEvent {
                        when: one.when,
                        ..event.clone()
                    };
                    own.entry(one.slot).or_insert_with(plain);
                }
                Deviation::Time(_) => {}
            }
        }
        Self {
            series,
            form: Form::of_series(recurrence.first()),
            without,
            own,
        }
    }

    /// The times of all events, for the zones that the file must define: the form of each, and the event.
    pub(super) fn forms(&self) -> impl Iterator<Item = (Form<'_>, &FeedEvent)> {
        let own = self
            .own
            .values()
            .map(|one| (Form::of_event(&one.when), one));
        std::iter::once((self.form, &self.series.event)).chain(own)
    }

    /// Writes the VEVENT of the series.
    pub(super) fn write_series(&self, lines: &mut ContentLines, is_transparent: bool) {
        let FeedSeries {
            event, recurrence, ..
        } = self.series;
        event::write(lines, event, is_transparent, |lines| {
            self.form
                .write_series(lines, recurrence.first_slot(), recurrence.first());
            if let Some(rule) = recurrence.portable_rule() {
                lines.property("RRULE").value(&rule);
            }
            self.form.slots(lines, "RDATE", self.extra_dates());
            self.form
                .slots(lines, "EXDATE", self.without.iter().copied());
        });
    }

    /// The extra dates, with the start unless the rule gives it: not all readers take a start for an
    /// occurrence that no rule and no date gives.
    fn extra_dates(&self) -> impl Iterator<Item = Slot> {
        let recurrence = &self.series.recurrence;
        let start = recurrence.first_slot();
        let is_given = recurrence.rule_gives_start() || recurrence.extra().contains(&start);
        let start = (!is_given && !self.without.contains(&start)).then_some(start);
        start.into_iter().chain(recurrence.extra().iter().copied())
    }

    /// The texts that the series has, and an occurrence has not: readers may take an absent one for that of
    /// the series.
    fn cleared(&self, one: &FeedEvent) -> impl Iterator<Item = &'static str> {
        let contents = self.series.event.content.as_ref().zip(one.content.as_ref());
        let cleared = contents.map(|(series, own)| {
            let is_cleared = |of_series: bool, of_own: bool| of_series && !of_own;
            [
                is_cleared(series.description.is_some(), own.description.is_some())
                    .then_some("DESCRIPTION"),
                is_cleared(series.place.is_some(), own.place.is_some()).then_some("LOCATION"),
                is_cleared(!series.categories.is_empty(), !own.categories.is_empty())
                    .then_some("CATEGORIES"),
            ]
        });
        cleared.into_iter().flatten().flatten()
    }

    /// Writes the VEVENTs of occurrences, each with a function of its own.
    pub(super) fn own(&self, is_transparent: bool) -> impl Iterator<Item = ContentLines> {
        self.own.iter().map(move |(slot, one)| {
            let mut lines = ContentLines::default();
            event::write(&mut lines, one, is_transparent, |lines| {
                self.form.slots(lines, "RECURRENCE-ID", [*slot]);
                Form::of_event(&one.when).write(lines, &one.when);
                for name in self.cleared(one) {
                    lines.property(name).text("");
                }
            });
            lines
        })
    }
}
