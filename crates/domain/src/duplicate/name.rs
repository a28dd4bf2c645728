//! Titles and names as words, and how much two of them look alike.

use std::collections::BTreeSet;

use super::DuplicateReason;
use crate::text::fold;

/// The points of equal titles.
pub(super) const MOST: i32 = 60;

/// The share of the longer title that a shortened one must have, in percent.
const LEAST_SHARE: usize = 45;

/// Words that say little of what a record is.
const LIGHT: [&str; 45] = [
    "a",
    "al",
    "an",
    "and",
    "annual",
    "at",
    "by",
    "conf",
    "conference",
    "congress",
    "d",
    "da",
    "das",
    "de",
    "dem",
    "den",
    "der",
    "des",
    "di",
    "die",
    "du",
    "edition",
    "el",
    "en",
    "et",
    "event",
    "for",
    "in",
    "international",
    "l",
    "la",
    "le",
    "les",
    "of",
    "on",
    "online",
    "s",
    "summit",
    "the",
    "und",
    "virtual",
    "with",
    "y",
    "world",
    "و",
];

/// Words that tell a part of an event, or what goes before it, from the event.
const PARTS: [&str; 26] = [
    "academy",
    "after",
    "afterparty",
    "bootcamp",
    "call",
    "cfp",
    "deadline",
    "dinner",
    "formation",
    "hackathon",
    "junior",
    "kids",
    "masterclass",
    "meetup",
    "mini",
    "papers",
    "party",
    "pre",
    "registration",
    "satellite",
    "training",
    "tutorial",
    "tutorials",
    "unconference",
    "workshop",
    "workshops",
];

/// The words of a title or name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    words: Vec<String>,
}

/// How two names look alike.
pub(super) struct NameLikeness {
    pub(super) points: i32,
    pub(super) reason: DuplicateReason,
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        let folded = fold(text);
        // An apostrophe joins a letter to a word as often as it parts them.
        let words = folded.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        Self {
            words: words.map(str::to_owned).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// The words that say what it is; all of them if none does.
    pub(super) fn telling_words(&self) -> impl Iterator<Item = &String> {
        let all_light = self.words.iter().all(|word| LIGHT.contains(&word.as_str()));
        let words = self.words.iter();
        words.filter(move |word| all_light || !LIGHT.contains(&word.as_str()))
    }

    /// How much two names look alike; `None` if they name two things. The words `known` say little, as both records have
    /// them anyway: such as their year and town.
    pub(super) fn compare(&self, other: &Self, known: &BTreeSet<&str>) -> Option<NameLikeness> {
        if self.is_empty() || other.is_empty() {
            return None;
        }
        let [one, two] = [self, other].map(|name| name.words.concat());
        if one == two {
            return Some(NameLikeness {
                points: MOST,
                reason: DuplicateReason::Title,
            });
        }
        let numbers = [self, other].map(|name| name.numbers(known));
        if numbers[0] != numbers[1] && numbers.iter().all(|numbers| !numbers.is_empty()) {
            return None;
        }
        let size = |name: &Self| (name.weight(known), name.letters());
        let (shorter, longer) = if size(self) <= size(other) {
            (self, other)
        } else {
            (other, self)
        };
        let found = shorter.matches_in(longer, known);
        let is_split_otherwise = self.words.len() != other.words.len()
            && shorter.letters() >= 8
            && edits(&one, &two) <= 1;
        if found.is_none() && is_split_otherwise {
            return Some(NameLikeness {
                points: MOST - 6,
                reason: DuplicateReason::TitleSpelling,
            });
        }
        let found = found?;
        let says_more = |word: &&String| !is_light(word, known);
        let order = 3 * i32::from(!found.is_in_order());
        let spelling = (4 * found.typing_errors).min(20);
        if !found.rest.iter().any(says_more) {
            let is_complete = found.rest.is_empty() && found.unmatched.is_empty();
            let reason = match (found.typing_errors, is_complete) {
                (0, false) => DuplicateReason::TitlePart,
                (0, true) => DuplicateReason::TitleOrder,
                _ => DuplicateReason::TitleSpelling,
            };
            let points = MOST - spelling - order - 3 * i32::from(!is_complete);
            return Some(NameLikeness { points, reason });
        }
        let share = 100 * shorter.weight(known) / longer.weight(known).max(1);
        let is_other_part = found.rest.iter().any(|word| PARTS.contains(&word.as_str()))
            || found.unmatched.iter().any(|word| word.chars().count() > 3);
        if share < LEAST_SHARE || is_other_part || !found.is_connected() {
            return None;
        }
        // The end of a title is what most abbreviations leave out.
        let missing = i32::try_from(100 - share).unwrap_or_default() / 5;
        let inner = 9 * i32::from(found.indexes.first() != Some(&0));
        let number = 9 * i32::from(numbers[0] != numbers[1]);
        Some(NameLikeness {
            points: MOST - 6 - spelling - missing - inner - number,
            reason: DuplicateReason::TitlePart,
        })
    }

    /// The counterparts of the words in a longer name; `None` if a word that says something has none, or no word says
    /// anything.
    fn matches_in<'a>(&'a self, longer: &'a Self, known: &BTreeSet<&str>) -> Option<Matches<'a>> {
        let mut free: Vec<_> = longer.words.iter().map(Some).collect();
        let mut indexes: Vec<_> = self
            .words
            .iter()
            .map(|word| {
                let index = free.iter().position(|one| *one == Some(word))?;
                free[index] = None;
                Some(index)
            })
            .collect();
        let (mut typing_errors, mut unmatched) = (0, Vec::new());
        for (word, index) in self.words.iter().zip(&mut indexes) {
            if index.is_some() {
                continue;
            }
            let close = free.iter().enumerate().filter_map(|(index, one)| {
                let edits = edits(word, (*one)?);
                (edits <= allowed_edits(word, (*one)?)).then_some((edits, index))
            });
            *index = close.min().map(|(_, index)| index);
            match *index {
                Some(index) => {
                    free[index] = None;
                    typing_errors += 1;
                }
                None if is_light(word, known) => unmatched.push(word),
                None => return None,
            }
        }
        let matched = self.words.iter().zip(&indexes);
        let says_something = matched
            .filter(|(_, index)| index.is_some())
            .any(|(word, _)| !is_light(word, known) && word.chars().count() > 1);
        says_something.then(|| Matches {
            indexes: indexes.into_iter().flatten().collect(),
            typing_errors,
            unmatched,
            rest: free.into_iter().flatten().collect(),
        })
    }

    fn numbers(&self, known: &BTreeSet<&str>) -> BTreeSet<&str> {
        let words = self.words.iter().map(String::as_str);
        words
            .filter(|word| is_number(word) && !known.contains(word))
            .collect()
    }

    fn weight(&self, known: &BTreeSet<&str>) -> usize {
        self.words.iter().map(|word| weight(word, known)).sum()
    }

    fn letters(&self) -> usize {
        self.words.iter().map(|word| word.chars().count()).sum()
    }
}

/// How the words of a name are found in a longer one.
struct Matches<'a> {
    /// The indexes of the counterparts, in the order of the words.
    indexes: Vec<usize>,
    /// The words that have one but for typing errors.
    typing_errors: i32,
    /// The words that have none.
    unmatched: Vec<&'a String>,
    /// The words of the longer name that are no counterparts.
    rest: Vec<&'a String>,
}

impl Matches<'_> {
    fn is_in_order(&self) -> bool {
        self.indexes.is_sorted()
    }

    /// Whether the counterparts follow one another.
    fn is_connected(&self) -> bool {
        self.indexes.windows(2).all(|pair| pair[0] + 1 == pair[1])
    }
}

fn is_light(word: &str, known: &BTreeSet<&str>) -> bool {
    LIGHT.contains(&word) || known.contains(word)
}

fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_numeric())
}

/// Long words say more than short ones.
fn weight(word: &str, known: &BTreeSet<&str>) -> usize {
    let letters = word.chars().count().clamp(2, 10);
    if is_light(word, known) {
        letters / 2
    } else {
        letters
    }
}

/// The typing errors that two words may have between them. Numbers have none.
fn allowed_edits(word: &str, other: &str) -> usize {
    if is_number(word) || is_number(other) {
        return 0;
    }
    match word.chars().count().min(other.chars().count()) {
        0..=2 => 0,
        // Two letters in the wrong order.
        3 => usize::from(sorted(word) == sorted(other)),
        4..=7 => 1,
        _ => 2,
    }
}

fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<_> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// The number of letters to add, leave out, replace, or exchange with the next one, each at most once in its place, that
/// makes one word of the other.
fn edits(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|word| word.chars().collect::<Vec<_>>());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, counterpart) in other.iter().enumerate() {
            let replaced = row[j] + usize::from(letter != counterpart);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *counterpart {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(one: &str, other: &str) -> Option<(i32, DuplicateReason)> {
        let [one, other] = [one, other].map(Name::new);
        let nothing = BTreeSet::new();
        let forth = one.compare(&other, &nothing);
        let back = other.compare(&one, &nothing);
        let [forth, back] =
            [forth, back].map(|alike| alike.map(|alike| (alike.points, alike.reason)));
        assert_eq!(forth, back, "the order of the two does not matter");
        forth
    }

    #[test]
    fn edits_are_counted() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("jazz", "jazz", 0),
            ("jazz", "jaz", 1),
            ("jazz", "jzaz", 1),
            ("jazz", "razz", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edits(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn names_that_look_alike() {
        use DuplicateReason::*;
        for (one, other, expected) in [
            ("Été à la plage", "ete a la PLAGE!", Title),
            ("Ruby Conf", "RubyConf", Title),
            ("Jazz night", "Night of jazz", TitlePart),
            ("Jazz night", "Night, jazz", TitleOrder),
            (
                "Jazz night at the mill",
                "Jazz nihgt at the mill",
                TitleSpelling,
            ),
            ("RubyConf Australia", "RubyConf", TitlePart),
            ("EuroSTAR", "EuroSTAR Conference", TitlePart),
            ("الحفل الموسيقي", "الحفل الموسيقى", TitleSpelling),
        ] {
            let found = points(one, other).map(|(_, reason)| reason);
            assert_eq!(found, Some(expected), "{one} | {other}");
        }
    }

    #[test]
    fn names_of_two_things() {
        for (one, other) in [
            ("Workshop, part 1", "Workshop, part 2"),
            ("Fair, day 2", "Fair, day 3"),
            (
                "International JavaScript Conference Munich",
                "International PHP Conference Munich",
            ),
            ("API Conference Berlin", "SLA Conference Berlin"),
            ("ODSC West", "ODSC West - Mini-Bootcamp"),
            ("CypressConf", "CypressConf | Call For Papers"),
            ("JavaScript/Angular/React/HTML & CSS Days", "React Days"),
            (
                "AI_dev: Open Source GenAI & ML Summit",
                "Open Source Summit",
            ),
            ("DeveloperWeek Latin America", "DeveloperWeek Online"),
            ("Conference", "API Conference"),
            ("Jazz", ""),
            ("!", "?"),
        ] {
            assert_eq!(points(one, other), None, "{one} | {other}");
        }
    }
}
