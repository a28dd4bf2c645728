//! Combines postings as the words of a search say.

use std::{borrow::Cow, collections::BTreeMap};

use domain::search::{Part, Search, WordParts, parts};

use crate::search_index::Ids;

/// The maximum number of parts that a search looks up, which bounds its work. The texts of the
/// events that remain are read for other parts.
const PARTS: usize = 16;

/// The words of a search, as the index finds them.
#[derive(Debug)]
pub(super) struct Words<'a> {
    wanted: Vec<WordParts<'a>>,
    excluded: Vec<WordParts<'a>>,
    /// The distinct parts in tokens, in order.
    parts: Vec<&'a str>,
}

/// Why the index holds an event in a posting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// It is an event.
    Every,
    /// Its text has a long run.
    LongRuns,
    /// One of its tokens contains the part with this place among [`Words::parts`].
    Part(usize),
}

impl Source {
    /// The number of the source.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Every => 0,
            Self::LongRuns => 1,
            Self::Part(place) => i64::try_from(place).unwrap_or(i64::MAX).saturating_add(2),
        }
    }
}

impl<'a> Words<'a> {
    pub(super) fn of(search: &'a Search) -> Self {
        let each = |words: &'a [String]| words.iter().map(|word| parts(word)).collect::<Vec<_>>();
        let (mut wanted, mut excluded) = (each(&search.wanted), each(&search.excluded));
        let all = wanted.iter().chain(&excluded).flat_map(|word| &word.parts);
        let in_tokens = all.filter_map(|part| match part {
            Part::InToken(part) => Some(*part),
            Part::InLongRun => None,
        });
        let mut distinct: Vec<&str> = in_tokens.collect();
        // A long part is in few tokens.
        distinct.sort_unstable_by_key(|part| (std::cmp::Reverse(part.len()), *part));
        distinct.dedup();
        distinct.truncate(PARTS);
        distinct.sort_unstable();
        for word in wanted.iter_mut().chain(&mut excluded) {
            let before = word.parts.len();
            word.parts.retain(|part| match part {
                Part::InToken(part) => distinct.binary_search(part).is_ok(),
                Part::InLongRun => true,
            });
            word.is_exact &= word.parts.len() == before;
        }
        Self {
            parts: distinct,
            wanted,
            excluded,
        }
    }

    pub(super) fn parts(&self) -> &[&'a str] {
        &self.parts
    }

    /// Whether a wanted word narrows the search in the index.
    pub(super) fn narrow(&self) -> bool {
        self.wanted.iter().any(|word| !word.parts.is_empty())
    }

    fn source(&self, part: &str) -> Source {
        let place = self.parts.binary_search(&part);
        Source::Part(place.unwrap_or_else(|place| place))
    }
}

/// The number of a source, and whether the texts are translations.
type Key = (i64, bool);

/// The events of a block, by the source that holds them.
type Sets = BTreeMap<Key, Ids>;

/// Postings, by block.
#[derive(Debug, Default)]
pub(super) struct Postings {
    blocks: BTreeMap<i64, Sets>,
}

/// The events of a block that match a search, and those that may match it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Combined {
    pub(super) sure: Ids,
    pub(super) unsure: Ids,
}

impl Postings {
    /// Adds the IDs of a posting to those of its source.
    pub(super) fn add(&mut self, key: Key, block: i64, ids: Ids) {
        let of_block = self.blocks.entry(block).or_default();
        of_block.entry(key).or_default().union(ids);
    }

    /// The events that match, by block: those whose translation matches, and those without a
    /// translation whose original text matches.
    pub(super) fn combine(self, words: &Words<'_>) -> impl Iterator<Item = (i64, Combined)> {
        self.blocks.into_iter().map(|(block, sets)| {
            let of = |is_translation| {
                let texts = Texts {
                    sets: &sets,
                    is_translation,
                };
                texts.combined(words)
            };
            let mut all = of(false);
            if let Some(every) = sets.get(&(Source::Every.number(), true)) {
                let translated = of(true);
                all.sure.subtract(every);
                all.unsure.subtract(every);
                all.sure.union(translated.sure);
                all.unsure.union(translated.unsure);
            }
            (block, all)
        })
    }
}

/// The postings of the original or the translated texts of a block.
#[derive(Clone, Copy)]
struct Texts<'a> {
    sets: &'a Sets,
    is_translation: bool,
}

impl<'a> Texts<'a> {
    fn get(self, source: Source) -> Option<&'a Ids> {
        self.sets.get(&(source.number(), self.is_translation))
    }

    fn all(self, source: Source) -> Cow<'a, Ids> {
        self.get(source).map_or_else(Cow::default, Cow::Borrowed)
    }

    fn combined(self, words: &Words<'_>) -> Combined {
        let mut sure = None;
        let mut possible = None;
        let meet = |held: &mut Option<Ids>, other: Cow<'_, Ids>| match held {
            Some(held) => held.intersect(&other),
            None => *held = Some(other.into_owned()),
        };
        for word in &words.wanted {
            meet(&mut sure, self.that_contain(words, word));
            if let Some(may_contain) = self.that_may_contain(words, word) {
                meet(&mut possible, may_contain);
            }
        }
        let every = || self.all(Source::Every).into_owned();
        let mut sure = sure.unwrap_or_else(every);
        let mut unsure = possible.unwrap_or_else(every);
        for word in &words.excluded {
            unsure.subtract(&self.that_contain(words, word));
            match self.that_may_contain(words, word) {
                Some(may_contain) => sure.subtract(&may_contain),
                None => sure = Ids::default(),
            }
        }
        unsure.subtract(&sure);
        Combined { sure, unsure }
    }

    /// The events that certainly contain a word.
    fn that_contain(self, words: &Words<'_>, word: &WordParts<'_>) -> Cow<'a, Ids> {
        match word.parts.as_slice() {
            [Part::InToken(part)] if word.is_exact => self.all(words.source(part)),
            _ => Cow::default(),
        }
    }

    /// The events that contain a word, and perhaps others. None if it may be any event.
    fn that_may_contain(self, words: &Words<'_>, word: &WordParts<'_>) -> Option<Cow<'a, Ids>> {
        let long = self.get(Source::LongRuns);
        let of_part = |part: &Part<'_>| match (part, long) {
            (Part::InLongRun, _) => self.all(Source::LongRuns),
            (Part::InToken(part), None) => self.all(words.source(part)),
            (Part::InToken(part), Some(long)) => {
                let mut ids = self.all(words.source(part)).into_owned();
                ids.union(long.clone());
                Cow::Owned(ids)
            }
        };
        let parts = word.parts.iter().map(of_part);
        parts.reduce(|mut all, part| {
            all.to_mut().intersect(&part);
            all
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(some: &[i64]) -> Ids {
        some.iter().copied().collect()
    }

    /// Searches a block in which event 1 holds "jazz" and "night", 2 "jazz" and "day", 3 "rock",
    /// and 4 a long run; event 1 has a translation, which holds "nuit".
    fn searched(raw: &str) -> (Vec<i64>, Vec<i64>) {
        let search = Search::parse(raw);
        let words = Words::of(&search);
        let texts: [(i64, bool, &[&str]); 5] = [
            (1, false, &["jazz", "night"]),
            (2, false, &["jazz", "day"]),
            (3, false, &["rock"]),
            (4, false, &["+"]),
            (1, true, &["nuit"]),
        ];
        let mut postings = Postings::default();
        for (id, is_translation, tokens) in texts {
            let parts = words.parts().iter().enumerate();
            let parts = parts.filter(|(_, part)| tokens.iter().any(|token| token.contains(**part)));
            let parts = parts.map(|(place, _)| Source::Part(place));
            let long = tokens.contains(&"+").then_some(Source::LongRuns);
            for source in parts.chain(long).chain([Source::Every]) {
                postings.add((source.number(), is_translation), 7, ids(&[id]));
            }
        }
        let (block, found) = postings.combine(&words).next().unwrap();
        assert_eq!(block, 7);
        (
            found.sure.as_slice().to_vec(),
            found.unsure.as_slice().to_vec(),
        )
    }

    #[test]
    fn many_words_are_looked_up_in_part() {
        let texts: Vec<_> = (10..99).map(|number| format!("word{number}")).collect();
        let search = Search::parse(&format!("jazz {}", texts.join(" ")));
        let words = Words::of(&search);
        assert_eq!(words.parts().len(), PARTS);
        let exact = words.wanted.iter().filter(|word| word.is_exact);
        assert_eq!(exact.count(), PARTS);
        assert!(words.narrow());
    }

    #[test]
    fn words_are_found() {
        let cases: [(&str, &[i64], &[i64]); 10] = [
            ("jazz", &[2], &[4]),
            ("nuit", &[1], &[4]),
            ("jazz day", &[2], &[4]),
            ("rock -jazz", &[3], &[4]),
            ("-jazz", &[1, 3], &[4]),
            ("\"jazz day\"", &[], &[2, 4]),
            ("-\"jazz day\"", &[1, 3], &[2, 4]),
            ("~", &[], &[1, 2, 3, 4]),
            ("rock -~", &[], &[3, 4]),
            ("opera", &[], &[4]),
        ];
        for (search, sure, unsure) in cases {
            assert_eq!(
                searched(search),
                (sure.to_vec(), unsure.to_vec()),
                "{search}"
            );
        }
    }
}
