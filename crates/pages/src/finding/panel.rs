//! The form of a list or a view.

use app::{error::AppError, fault::Faults};
use domain::{FieldName, Kind, text::fold, time::NaiveDate};
use http_service::message;

use super::{
    choices::{Choice, Choices, SELECTS, values_of},
    counts::{Counts, Shown},
    offers::Offers,
    ranges::QuickRange,
    read::{Finding, Sent},
    widen::widenings,
    words::{events, quoted},
};
use crate::{
    address::View,
    content::{Chip, Content, Input, Link, Page, Panel, Select, SelectOption},
    dates,
    request::{Outcome, PageRequest},
    words::{Word, kind, list},
};

/// The form of the view with this URL, which shows these events.
pub(crate) async fn panel(
    request: &PageRequest,
    url: String,
    finding: &Finding,
    shown: &Shown,
) -> Result<Panel, AppError> {
    let (choices, total) = (&finding.choices, shown.total());
    let (counts, records) = Counts::load(request, finding, shown).await?;
    let offers = match records {
        Some(records) => Offers::of_records(records, choices),
        None => Offers::load(request, choices).await?,
    };
    let making = Making {
        request,
        offers,
        counts,
        choices,
        faults: &Faults::default(),
    };
    let chips = choices.iter().map(|choice| making.chip(choice, &url));
    let value = |name| choices.values(name).join("");
    let widenings = if total == 0 {
        let texts = |name| (request.word(label(name)), making.values(name));
        widenings(request, &url, finding, shown, texts).await?
    } else {
        Vec::new()
    };
    Ok(Panel {
        chips: chips.collect(),
        names: making.names(),
        widenings,
        count: Some(events(total, request.language())),
        clear: (!choices.is_empty()).then(|| url.clone()),
        is_too_narrow: total == 0 && !choices.is_empty(),
        ..making.form(url, value)
    })
}

/// The page for filters that cannot be used: the form with the values as sent, and a message beside each
/// bad one.
pub(crate) async fn refused(
    request: &PageRequest,
    url: String,
    sent: &Sent,
    faults: &Faults,
) -> Result<Outcome, AppError> {
    let choices = Choices::default();
    let making = Making {
        request,
        offers: Offers::load(request, &choices).await?,
        counts: Counts::default(),
        choices: &choices,
        faults,
    };
    let value = |name| {
        let last = values_of(&sent.pairs, name).last();
        last.unwrap_or_default().to_owned()
    };
    let panel = Panel {
        clear: Some(url.clone()),
        ..making.form(url, value)
    };
    let body = Content {
        title: request.word(Word::BAD_FILTERS).to_owned(),
        notes: vec![request.word(Word::CORRECT_FILTERS)],
        finding: Some(panel),
        ..Content::default()
    };
    let head = request.plain_head();
    Ok(Outcome::Refused(Box::new(Page { head, body })))
}

/// The data of the parts of a form.
struct Making<'a> {
    request: &'a PageRequest,
    offers: Offers,
    counts: Counts,
    choices: &'a Choices,
    faults: &'a Faults,
}

impl Making<'_> {
    /// The form, whose texts and dates have these values.
    fn form(&self, url: String, value: impl Fn(FieldName) -> String) -> Panel {
        let input = |filter: FieldName, label| Input {
            name: filter.as_str(),
            label: self.request.word(label),
            value: value(filter),
            fault: self.fault(filter),
        };
        let ranges = QuickRange::ALL.map(|one| (one.name(), self.request.word(one.word())));
        Panel {
            action: url,
            list: View::List.url(&self.request.site),
            search: input(FieldName::Search, Word::SEARCH),
            selects: SELECTS.map(|filter| self.select(filter)).into(),
            dates: [
                input(FieldName::StartDate, Word::FROM),
                input(FieldName::EndDate, Word::UNTIL),
            ]
            .into(),
            ranges: ranges.into(),
            ..Panel::default()
        }
    }

    /// The message for a bad value.
    fn fault(&self, filter: FieldName) -> Option<String> {
        let name = filter.as_str();
        let fault = self.faults.get(name)?;
        Some(message::fault(name, fault, self.request.language()))
    }

    fn select(&self, filter: FieldName) -> Select {
        let chosen = self.choices.values(filter);
        let mut options = vec![SelectOption {
            value: String::new(),
            text: self.request.word(Word::ANY).to_owned(),
            depth: 0,
            count: None,
            is_selected: chosen.is_empty(),
        }];
        // Several values stand together: the form keeps them.
        if chosen.len() > 1 {
            options.push(SelectOption {
                value: chosen.join(","),
                text: self.texts(filter),
                is_selected: true,
                ..options[0].clone()
            });
        }
        let offered = self.offered(filter).into_iter();
        let options_of_values = offered.map(|(value, text, depth)| SelectOption {
            count: self.counts.of(filter, &value),
            is_selected: match chosen[..] {
                [one] if filter == FieldName::City => fold(one) == fold(&value),
                [one] => one == value,
                _ => false,
            },
            value,
            text,
            depth,
        });
        // A choice without events leads nowhere.
        let is_offered = |one: &SelectOption| one.is_selected || one.count != Some(0);
        options.extend(options_of_values.filter(is_offered));
        Select {
            name: filter.as_str(),
            label: self.request.word(label(filter)),
            options,
            fault: self.fault(filter),
        }
    }

    /// The choices of a filter: value, text and depth.
    fn offered(&self, filter: FieldName) -> Vec<(String, String, usize)> {
        let either = |yes, no| {
            [("true", yes), ("false", no)]
                .map(|(value, word)| (value.to_owned(), self.request.word(word).to_owned(), 0))
                .into()
        };
        match filter {
            FieldName::Free => either(Word::FREE, Word::NOT_FREE),
            FieldName::Ticketed => either(Word::WITH_TICKETS, Word::WITHOUT_TICKETS),
            _ => {
                let offers = self.offers.of(filter).iter();
                let offers = offers.map(|one| (one.value.clone(), one.text.clone(), one.depth));
                offers.collect()
            }
        }
    }

    fn chip(&self, choice: &Choice, url: &str) -> Chip {
        let rest = self.choices.without(choice);
        Chip {
            label: self.request.word(label(choice.filter)),
            link: Link {
                url: rest.url(url.to_owned()),
                text: self.text(choice.filter, &choice.value),
            },
            is_followed: rest.is_indexed(),
        }
    }

    fn texts(&self, filter: FieldName) -> String {
        let texts = self.values(filter);
        list(texts.iter().map(String::as_str), self.request.language())
    }

    /// The texts of the chosen values of a filter.
    fn values(&self, filter: FieldName) -> Vec<String> {
        let values = self.choices.values(filter).into_iter();
        values.map(|value| self.text(filter, value)).collect()
    }

    /// The chosen values of all filters, in words that tell the filter, too.
    fn names(&self) -> Vec<String> {
        let language = self.request.language();
        let names = self.choices.iter().map(|choice| {
            let text = self.text(choice.filter, &choice.value);
            match choice.filter {
                FieldName::Search => quoted(&text, language),
                FieldName::StartDate | FieldName::EndDate => {
                    format!("{} {text}", self.request.word(label(choice.filter)))
                }
                _ => text,
            }
        });
        names.collect()
    }

    /// The text of a value.
    fn text(&self, filter: FieldName, value: &str) -> String {
        if matches!(filter, FieldName::StartDate | FieldName::EndDate) {
            let date = value.parse::<NaiveDate>();
            return date.map_or(value.to_owned(), |date| {
                dates::day(date, true, self.request.language())
            });
        }
        let is_value = |one: &str| match filter {
            FieldName::City => fold(one) == fold(value),
            _ => one == value,
        };
        let offered = self.offered(filter).into_iter();
        let mut of_value = offered.filter(|(one, ..)| is_value(one));
        of_value
            .next()
            .map_or(value.to_owned(), |(_, text, _)| text)
    }
}

/// The label of a filter.
const fn label(filter: FieldName) -> Word {
    match filter {
        FieldName::Categories => kind(Kind::Category),
        FieldName::Tags => kind(Kind::Tag),
        FieldName::Venue => kind(Kind::Venue),
        FieldName::Organizer => kind(Kind::Organizer),
        FieldName::City => Word::CITY,
        FieldName::Free => Word::COST,
        FieldName::Ticketed => Word::TICKETS,
        FieldName::StartDate => Word::FROM,
        FieldName::EndDate => Word::UNTIL,
        _ => Word::SEARCH,
    }
}
