//! The periods that have a page.

use domain::time::{NaiveDate, Period};

/// The days between which periods have a page: from that of the first event to the one after that of the last,
/// and the present one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The day of the first and of the last event; none without events.
    extent: Option<[NaiveDate; 2]>,
    pub(super) today: NaiveDate,
}

impl Bounds {
    pub(super) fn new(extent: Option<[NaiveDate; 2]>, today: NaiveDate) -> Self {
        Self { extent, today }
    }

    /// The first and the last period, of the length of another.
    fn ends(&self, period: Period) -> Option<[Period; 2]> {
        let [first, last] = self.extent?.map(|day| Period::of(day, period.unit()));
        Some([first, last.next().unwrap_or(last)])
    }

    /// Whether a period has a page.
    pub(super) fn hold(&self, period: Period) -> bool {
        let is_between =
            |[first, last]: [Period; 2]| (first.first()..=last.first()).contains(&period.first());
        period.holds(self.today) || self.ends(period).is_some_and(is_between)
    }

    /// The period of the first or the last event that is nearest to one without a page; none without events.
    pub(super) fn nearest(&self, period: Period) -> Option<Period> {
        let [first, last] = self.extent?;
        let day = if period.first() < first { first } else { last };
        Some(Period::of(day, period.unit()))
    }

    /// The period before one, or the last one if that is long before.
    pub(super) fn previous(&self, period: Period) -> Option<Period> {
        let [first, last] = self.ends(period)?;
        let previous = period.previous()?;
        let previous = if previous.first() > last.first() {
            last
        } else {
            previous
        };
        (previous.first() >= first.first()).then_some(previous)
    }

    /// The period after one, or the first one if that is long after.
    pub(super) fn next(&self, period: Period) -> Option<Period> {
        let [first, last] = self.ends(period)?;
        let next = period.next()?;
        let next = if next.first() < first.first() {
            first
        } else {
            next
        };
        (next.first() <= last.first()).then_some(next)
    }

    /// The first and the last day that a form offers.
    pub(super) fn days(&self) -> [NaiveDate; 2] {
        self.extent.unwrap_or([self.today; 2])
    }

    /// A day of a period that has a page in every view: today, else the first one.
    pub(super) fn day_of(&self, period: Period) -> NaiveDate {
        let [first, last] = self.days();
        if period.holds(self.today) || first > last {
            self.today
        } else {
            period.first().clamp(first, last)
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::time::PeriodUnit;

    use super::*;

    fn month(text: &str) -> Period {
        Period::of(format!("{text}-01").parse().unwrap(), PeriodUnit::Month)
    }

    fn bounds(today: &str) -> Bounds {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        Bounds::new(Some([day("2027-03-10"), day("2027-05-02")]), day(today))
    }

    #[test]
    fn periods_with_a_page() {
        let bounds = bounds("2028-01-15");
        for (period, is_held) in [
            ("2027-02", false),
            ("2027-03", true),
            ("2027-05", true),
            ("2027-06", true),
            ("2027-07", false),
            ("2028-01", true),
            ("2028-02", false),
        ] {
            assert_eq!(bounds.hold(month(period)), is_held, "{period}");
        }
        let alone = Bounds::new(None, bounds.today);
        assert!(alone.hold(month("2028-01")) && !alone.hold(month("2027-03")));
        assert_eq!(alone.next(month("2028-01")), None);
    }

    #[test]
    fn neighbours_have_a_page() {
        for (today, period, previous, next) in [
            ("2027-04-01", "2027-04", Some("2027-03"), Some("2027-05")),
            ("2027-04-01", "2027-03", None, Some("2027-04")),
            ("2027-04-01", "2027-06", Some("2027-05"), None),
            // The present month is long before or after.
            ("2026-01-01", "2026-01", None, Some("2027-03")),
            ("2029-01-01", "2029-01", Some("2027-06"), None),
        ] {
            let bounds = bounds(today);
            let found = [bounds.previous(month(period)), bounds.next(month(period))];
            assert_eq!(
                found,
                [previous, next].map(|one| one.map(month)),
                "{period}"
            );
        }
    }

    #[test]
    fn the_nearest_period() {
        let bounds = bounds("2027-04-01");
        assert_eq!(bounds.nearest(month("2020-01")), Some(month("2027-03")));
        assert_eq!(bounds.nearest(month("2030-01")), Some(month("2027-05")));
    }

    #[test]
    fn a_day_with_a_page_in_every_view() {
        for (today, period, day) in [
            ("2027-04-05", "2027-04", "2027-04-05"),
            ("2027-04-05", "2027-05", "2027-05-01"),
            ("2027-04-05", "2027-03", "2027-03-10"),
            ("2027-04-05", "2027-06", "2027-05-02"),
        ] {
            assert_eq!(bounds(today).day_of(month(period)).to_string(), day);
        }
    }
}
