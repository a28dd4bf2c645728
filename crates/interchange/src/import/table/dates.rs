//! The order of day and month in the dates of a table.

use domain::{
    Language,
    time::{DateOrder, NumericDate},
};

use super::cells::Cells;
use crate::calendar_file::FindingCode;

/// How the dates of a table are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DateReading {
    /// `None` if as many dates have the one order as the other.
    order: Option<DateOrder>,
    /// Says how dates were read that could be others.
    pub(super) warning: Option<FindingCode>,
}

/// A date that contradicts the order: the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction(pub(super) &'static str);

impl DateReading {
    /// The reading of all dates of a table: in the order that was told, else in the order of most
    /// dates that have one alone, else in the order of the language.
    pub(super) fn of<'a>(
        rows: impl Iterator<Item = &'a Cells>,
        told: Option<DateOrder>,
        language: Language,
    ) -> Self {
        let (mut votes, mut is_ambiguous) = ([0_u64; 2], false);
        for text in rows.flat_map(|row| row.times.dates()) {
            let Some(date) = NumericDate::read(text) else {
                continue;
            };
            is_ambiguous |= date.is_ambiguous();
            let order = date.only_order();
            let mut votes = DateOrder::ALL.into_iter().zip(&mut votes);
            if let Some((_, votes)) = votes.find(|(one, _)| Some(*one) == order) {
                *votes += 1;
            }
        }
        let [month_first, day_first] = votes;
        let order = told.or_else(|| match month_first.cmp(&day_first) {
            std::cmp::Ordering::Greater => Some(DateOrder::MonthFirst),
            std::cmp::Ordering::Less => Some(DateOrder::DayFirst),
            std::cmp::Ordering::Equal if month_first == 0 => Some(language.date_order()),
            std::cmp::Ordering::Equal => None,
        });
        let is_told = told.is_some() || (month_first == 0) != (day_first == 0);
        let warning = order.map(|order| match order {
            DateOrder::MonthFirst => FindingCode::MonthFirst,
            DateOrder::DayFirst => FindingCode::DayFirst,
        });
        Self {
            order,
            warning: warning.filter(|_| is_ambiguous && !is_told),
        }
    }

    /// Reads the dates of a row.
    pub(super) fn read(self, row: &mut Cells) -> Result<(), Contradiction> {
        let times = &mut row.times;
        for (field, text) in [
            ("start_date", &mut times.start_date),
            ("end_date", &mut times.end_date),
        ] {
            let Some(date) = NumericDate::read(text) else {
                continue;
            };
            let is_clear = date.only_order().is_none() && !date.is_ambiguous();
            let order = self.order.or(is_clear.then_some(DateOrder::DayFirst));
            let read = order.and_then(|order| date.text(order));
            *text = read.ok_or(Contradiction(field))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(start: &str, end: &str) -> Cells {
        let mut cells = Cells::default();
        (cells.times.start_date, cells.times.end_date) = (start.to_owned(), end.to_owned());
        cells
    }

    /// The starts as they are read, with the warning.
    fn read(
        starts: &[&str],
        told: Option<DateOrder>,
        language: Language,
    ) -> (Vec<String>, Option<FindingCode>) {
        let mut rows: Vec<_> = starts.iter().map(|start| row(start, "")).collect();
        let reading = DateReading::of(rows.iter(), told, language);
        let starts = rows.iter_mut().map(|row| match reading.read(row) {
            Ok(()) => row.times.start_date.clone(),
            Err(Contradiction(field)) => field.to_owned(),
        });
        (starts.collect(), reading.warning)
    }

    #[test]
    fn one_date_tells_the_order_of_all() {
        for (starts, expected) in [
            (["05/12/2027", "25/12/2027"], ["2027-12-05", "2027-12-25"]),
            (["05/12/2027", "12/25/2027"], ["2027-05-12", "2027-12-25"]),
            (["2027-12-05", "25-12-2027"], ["2027-12-05", "2027-12-25"]),
        ] {
            for language in [Language::English, Language::French] {
                let (read, warning) = read(&starts, None, language);
                assert_eq!((read, warning), (expected.map(str::to_owned).into(), None));
            }
        }
    }

    #[test]
    fn the_language_tells_what_no_date_tells() {
        let starts = ["05/12/2027", "1/1/2027"];
        let (months, days) = (FindingCode::MonthFirst, FindingCode::DayFirst);
        for (told, language, first, code) in [
            (None, Language::English, "2027-05-12", Some(months)),
            (None, Language::French, "2027-12-05", Some(days)),
            (None, Language::Arabic, "2027-12-05", Some(days)),
            (
                Some(DateOrder::MonthFirst),
                Language::French,
                "2027-05-12",
                None,
            ),
            (
                Some(DateOrder::DayFirst),
                Language::English,
                "2027-12-05",
                None,
            ),
        ] {
            let (read, warning) = read(&starts, told, language);
            assert_eq!((&*read[0], &*read[1], warning), (first, "2027-01-01", code));
        }
        assert_eq!(read(&["5/5/2027"], None, Language::English).1, None);
    }

    #[test]
    fn contradictions_stay_out() {
        let all = [
            "05/12/2027",
            "25/12/2027",
            "12/25/2027",
            "2/2/2027",
            "2027-01-09",
        ];
        let (refused, none) = ("start_date", "2027-02-02");
        let (tied, warning) = read(&all, None, Language::English);
        assert_eq!(tied, [refused, refused, refused, none, "2027-01-09"]);
        assert_eq!(warning, None);
        let (most, warning) = read(
            &[&all[..], &["31/1/2027"]].concat(),
            None,
            Language::English,
        );
        assert_eq!(most[..3], ["2027-12-05", "2027-12-25", refused]);
        assert_eq!(
            (&*most[5], warning),
            ("2027-01-31", Some(FindingCode::DayFirst))
        );
        let (told, _) = read(&all, Some(DateOrder::MonthFirst), Language::French);
        assert_eq!(told[..3], ["2027-05-12", refused, "2027-12-25"]);
        let mut row = row("5/12/2027", "31/12/2027");
        let reading = DateReading::of(std::iter::once(&row), None, Language::English);
        assert_eq!(reading.read(&mut row), Ok(()));
        assert_eq!(row.times.start_date, "2027-12-05");
    }
}
