//! Kinds of searches, and the shares of the events that they find.

use std::ops::RangeInclusive;

use anyhow::{Context, ensure};
use domain::time::Timestamp;

use crate::{
    client::{Client, Request},
    facts::{API, RARE, days, get_json},
    process::Server,
};

/// Words that are each in 15 to 24 % of the generated events. Neighbours occur in the same language.
const COMMON: [&str; 12] = [
    "concert",
    "festival",
    "conference",
    "course",
    "walk",
    "lecture",
    "library",
    "children",
    "bicycles",
    "coffee",
    "journee",
    "exposition",
];

/// Words that are each in 3 to 5 % of the generated events.
const OCCASIONAL: [&str; 8] = [
    "introduction",
    "beginners",
    "presents",
    "weekly",
    "london",
    "lyon",
    "tricot",
    "helsinki",
];

/// The rare word, and family names that are each in about one of 6,000 events.
const RARE_WORDS: [&str; 8] = [
    RARE,
    "harwelton",
    "pemgrenfen",
    "thorsormund",
    "kesrodal",
    "linmarcot",
    "berashley",
    "boisvalroche",
];

/// Number of different requests of a kind, as far as words and dates differ.
const REQUESTS: usize = 240;

/// Number of searches whose totals are compared with those of lists.
const CHECKED: usize = 24;

/// Size of the smallest calendar in which shares are not a matter of chance, in events.
const CHECKABLE: usize = 10_000;

/// The dates of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dates {
    /// None: the service lists events from yesterday on, for two years.
    Default,
    /// All dates.
    All,
    /// A window of 30 days within two years.
    Month,
}

/// A kind of search.
#[derive(Debug)]
pub(crate) struct Searches {
    words: Vec<String>,
    dates: Dates,
    /// The mean share of the events that are found, in percent.
    share: RangeInclusive<f64>,
}

impl Searches {
    /// Searches for a word of every fifth event.
    pub(crate) fn common(dates: Dates) -> Self {
        let words = COMMON.map(str::to_owned).to_vec();
        Self {
            words,
            dates,
            share: 15.0..=25.0,
        }
    }

    /// Searches for two such words.
    pub(crate) fn pairs(dates: Dates) -> Self {
        let pair = |index: usize| {
            let other = COMMON[(index + 1) % COMMON.len()];
            format!("{}%20{other}", COMMON[index])
        };
        Self {
            words: (0..COMMON.len()).map(pair).collect(),
            dates,
            share: 3.0..=13.0,
        }
    }

    /// Searches for a word of every 25th event.
    pub(crate) fn occasional(dates: Dates) -> Self {
        let words = OCCASIONAL.map(str::to_owned).to_vec();
        Self {
            words,
            dates,
            share: 3.0..=5.0,
        }
    }

    /// Searches for rare words.
    pub(crate) fn rare(dates: Dates) -> Self {
        let words = RARE_WORDS.map(str::to_owned).to_vec();
        Self {
            words,
            dates,
            share: 0.0..=0.5,
        }
    }

    /// The search for the words of a number, on the dates of another number.
    pub(crate) fn path(&self, words: usize, dates: usize, now: Timestamp) -> String {
        let words = &self.words[words % self.words.len()];
        format!("{}&search={words}", list(self.dates, dates, now))
    }

    /// The different requests.
    pub(crate) fn requests(&self, now: Timestamp) -> Vec<Request> {
        (0..REQUESTS)
            .map(|number| Request::get(&self.path(number, number, now)))
            .collect()
    }

    /// The same lists without words.
    pub(crate) fn lists(&self, now: Timestamp) -> Vec<Request> {
        (0..REQUESTS)
            .map(|number| Request::get(&list(self.dates, number, now)))
            .collect()
    }

    /// Reads which share of the events some of the searches find, in percent, and checks it.
    pub(crate) async fn check(
        &self,
        server: &Server,
        events: usize,
        now: Timestamp,
    ) -> anyhow::Result<f64> {
        let mut client = Client::connect(server.address).await?;
        let (mut found, mut listed) = (0, 0);
        for number in 0..CHECKED {
            found += total(&mut client, &self.path(number, number, now)).await?;
            listed += total(&mut client, &list(self.dates, number, now)).await?;
        }
        #[expect(clippy::cast_precision_loss, reason = "both stay below 2^52")]
        let share = 100.0 * found as f64 / listed as f64;
        ensure!(
            events < CHECKABLE || self.share.contains(&share),
            "{:?} find {share:.2} % of the events, expected {:?}",
            self.words,
            self.share
        );
        Ok(share)
    }
}

/// A list of ten. Its dates depend on the number, except for the default ones.
fn list(dates: Dates, number: usize, now: Timestamp) -> String {
    let events = format!("{API}/events?per_page=10");
    match dates {
        Dates::Default => events,
        Dates::All => {
            let end = 2100 + number % 50;
            format!("{events}&start_date=2000-01-01&end_date={end}-01-01")
        }
        Dates::Month => {
            let first = number * 7 % 700;
            format!("{events}&{}", days(first, 30, now))
        }
    }
}

/// The total of a list.
async fn total(client: &mut Client, path: &str) -> anyhow::Result<u64> {
    let (answer, _) = get_json(client, path).await?;
    answer["total"].as_u64().context("no total")
}
