//! The addresses of the views of the calendar.

mod index;
mod words;

pub(super) use index::{Index, IndexLink, index_links};

use domain::{
    Language,
    time::{Datelike as _, NaiveDate, Period, PeriodUnit},
};

use http_service::site::Site;

use super::words::Word;

/// A view of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The events that are not over.
    List,
    Month,
    Week,
    Day,
    /// The events that are over.
    Past,
}

impl View {
    /// All views, in the order of their links.
    pub(super) const ALL: [Self; 5] = [Self::List, Self::Month, Self::Week, Self::Day, Self::Past];

    const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Month => "month",
            Self::Week => "week",
            Self::Day => "day",
            Self::Past => "past",
        }
    }

    /// Whether other sites may show the view in a frame.
    pub(super) const fn is_embeddable(self) -> bool {
        matches!(self, Self::List | Self::Month)
    }

    const fn word(self) -> Word {
        match self {
            Self::List => Word::VIEW_LIST,
            Self::Month => Word::VIEW_MONTH,
            Self::Week => Word::VIEW_WEEK,
            Self::Day => Word::VIEW_DAY,
            Self::Past => Word::VIEW_PAST,
        }
    }

    /// The length of the shown period; none for a list.
    pub(super) fn unit(self, site: &Site) -> Option<PeriodUnit> {
        match self {
            Self::List | Self::Past => None,
            Self::Month => Some(PeriodUnit::Month),
            Self::Week => Some(PeriodUnit::Week(site.week_start())),
            Self::Day => Some(PeriodUnit::Day),
        }
    }

    /// The URL of the view of the present period.
    pub(super) fn url(self, site: &Site) -> String {
        site.page_at(&self.path(site))
    }

    /// The path. In a frame, views that frames show stand below `/embed/`.
    fn path(self, site: &Site) -> String {
        let folder = if site.is_embedded() && self.is_embeddable() {
            "embed"
        } else {
            "events"
        };
        format!("/{folder}/{}/", self.name())
    }

    /// The URL of the view of a period.
    pub(super) fn url_of(self, period: Period, site: &Site) -> String {
        site.page_at(&self.path_of(period, site))
    }

    fn path_of(self, period: Period, site: &Site) -> String {
        let path = self.path(site);
        let first = period.first();
        match period.unit() {
            PeriodUnit::Month => {
                format!("{path}{:04}-{:02}/", first.year(), first.month())
            }
            PeriodUnit::Week(_) | PeriodUnit::Day => format!("{path}{first}/"),
        }
    }
}

/// The view that a path names, with the period of its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) view: View,
    /// None for the present one.
    pub(super) period: Option<Period>,
}

impl Address {
    /// Reads the path of a route; none if its date does not exist.
    pub(super) fn read(path: &str, site: &Site) -> Option<Self> {
        let mut segments = path.split('/').skip(2);
        let name = segments.next()?;
        let view = View::ALL.into_iter().find(|view| view.name() == name)?;
        let period = match segments.next() {
            Some(date) => Some(Period::of(date_in(date)?, view.unit(site)?)),
            None => None,
        };
        Some(Self { view, period })
    }

    /// The path, with the language of the request.
    pub(super) fn path(self, site: &Site) -> String {
        let path = match self.period {
            Some(period) => self.view.path_of(period, site),
            None => self.view.path(site),
        };
        let language = site.base_path().language;
        match language {
            Some(language) => format!("/{language}{path}"),
            None => path,
        }
    }

    /// The URL.
    pub(super) fn url(self, site: &Site) -> String {
        match self.period {
            Some(period) => self.view.url_of(period, site),
            None => self.view.url(site),
        }
    }
}

/// A date of a path or a form, with or without a day: `2026-11-25`, `2026-11`. Zeros may be missing.
pub(super) fn date_in(text: &str) -> Option<NaiveDate> {
    let number = |part: &str| {
        let is_number = part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    };
    let numbers: Option<Vec<_>> = text.split('-').map(number).collect();
    let (year, month, day) = match *numbers?.as_slice() {
        [year, month] => (year, month, 1),
        [year, month, day] => (year, month, day),
        _ => return None,
    };
    let year = i32::try_from(year).ok().filter(|year| *year > 0)?;
    NaiveDate::from_ymd_opt(year, month, day)
}

/// A link to a view.
#[derive(Debug)]
pub(super) struct ViewLink {
    pub(super) view: View,
    pub(super) url: String,
    pub(super) text: &'static str,
    pub(super) is_current: bool,
    /// Whether search engines follow the link.
    pub(super) is_followed: bool,
}

/// Links to all views of the present period. In a frame, they lead to the views that frames show.
pub(super) fn links(site: &Site, language: Language) -> Vec<ViewLink> {
    let link = |view: View| ViewLink {
        view,
        url: view.url(site),
        text: view.word().text(language),
        is_current: false,
        is_followed: true,
    };
    let views = View::ALL.into_iter();
    views
        .filter(|view| view.is_embeddable() || !site.is_embedded())
        .map(link)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_paths() {
        let day = |text: &str| text.parse::<NaiveDate>().ok();
        for (text, date) in [
            ("2026-11-25", day("2026-11-25")),
            ("2026-11", day("2026-11-01")),
            ("2026-2-3", day("2026-02-03")),
            ("0001-01-01", day("0001-01-01")),
            ("2026-02-29", None),
            ("2026-13", None),
            ("0000-01-01", None),
            ("12026-01", None),
            ("2026", None),
            ("2026-01-01-01", None),
            ("-2026-01", None),
            ("2026-+1-01", None),
            ("٢٠٢٦-١١", None),
            ("", None),
            ("today", None),
        ] {
            assert_eq!(date_in(text), date, "{text}");
        }
    }
}
