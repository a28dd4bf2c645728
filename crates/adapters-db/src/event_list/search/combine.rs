//! Combines postings as the words of a search say.

use std::{borrow::Cow, collections::BTreeMap};

use domain::search::{Part, Search, WordParts, parts};

use crate::search_index::Sorted;

/// The maximum number of parts that a search looks up, which bounds its work. The texts of the
/// events that remain are read for other parts.
const PARTS: usize = 16;

/// An event and the block of its start. Sets of entries are in the order of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) block: i64,
    pub(super) id: i64,
}

pub(super) type Entries = Sorted<Entry>;

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
    /// One of its tokens contains the part with this position among [`Words::parts`].
    Part(usize),
}

impl Source {
    /// The number of the source.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Every => 0,
            Self::LongRuns => 1,
            Self::Part(position) => i64::try_from(position)
                .unwrap_or(i64::MAX)
                .saturating_add(2),
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
        let position = self.parts.binary_search(&part);
        Source::Part(position.unwrap_or_else(|position| position))
    }
}

/// The events that each source holds, by its number.
#[derive(Debug, Default)]
pub(super) struct Postings {
    sources: BTreeMap<i64, BySource>,
}

/// The events of a source: one set of those with such an original text, one of those with such a
/// translation.
#[derive(Debug, Default)]
pub(super) struct BySource {
    pub(super) original: Entries,
    pub(super) translated: Entries,
}

/// The events that match a search, and those that may match it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Combined {
    pub(super) sure: Entries,
    pub(super) unsure: Entries,
}

impl Postings {
    /// Adds the events of a source.
    pub(super) fn add(&mut self, source: i64, events: BySource) {
        self.sources.insert(source, events);
    }

    /// The events that match: those whose translation matches, and those without a translation
    /// whose original text matches.
    pub(super) fn combine(&self, words: &Words<'_>) -> Combined {
        let of = |is_translation| {
            let texts = Texts {
                postings: self,
                is_translation,
            };
            (texts.combined(words), texts.get(Source::Every))
        };
        let (mut all, _) = of(false);
        if let (translated, Some(every)) = of(true) {
            all.sure.subtract(every);
            all.unsure.subtract(every);
            all.sure.union(translated.sure);
            all.unsure.union(translated.unsure);
        }
        all
    }
}

/// The postings of the original or the translated texts.
#[derive(Clone, Copy)]
struct Texts<'a> {
    postings: &'a Postings,
    is_translation: bool,
}

impl<'a> Texts<'a> {
    /// The events of a source, if there are any.
    fn get(self, source: Source) -> Option<&'a Entries> {
        let events = self.postings.sources.get(&source.number())?;
        let events = if self.is_translation {
            &events.translated
        } else {
            &events.original
        };
        (!events.is_empty()).then_some(events)
    }

    fn all(self, source: Source) -> Cow<'a, Entries> {
        self.get(source).map_or_else(Cow::default, Cow::Borrowed)
    }

    fn combined(self, words: &Words<'_>) -> Combined {
        let mut sure = None;
        let mut possible = None;
        let meet = |held: &mut Option<Entries>, other: Cow<'_, Entries>| match held {
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
                None => sure = Entries::default(),
            }
        }
        unsure.subtract(&sure);
        Combined { sure, unsure }
    }

    /// The events that certainly contain a word.
    fn that_contain(self, words: &Words<'_>, word: &WordParts<'_>) -> Cow<'a, Entries> {
        match word.parts.as_slice() {
            [Part::InToken(part)] if word.is_exact => self.all(words.source(part)),
            _ => Cow::default(),
        }
    }

    /// The events that contain a word, and perhaps others. None if it may be any event.
    fn that_may_contain(self, words: &Words<'_>, word: &WordParts<'_>) -> Option<Cow<'a, Entries>> {
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

    /// Searches events of which 1 holds "jazz" and "night", 2 "jazz" and "day", 3 "rock", and 4 a
    /// long run; event 1 has a translation, which holds "nuit". Odd ones are in another block.
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
        let parts = words.parts().iter().enumerate();
        let parts = parts.map(|(position, part)| (Source::Part(position), *part));
        for (source, part) in parts.chain([(Source::LongRuns, "+"), (Source::Every, "")]) {
            let of = |translation| {
                let texts = texts.iter().filter(|text| text.1 == translation);
                let texts = texts.filter(|text| text.2.iter().any(|token| token.contains(part)));
                let entries = texts.map(|(id, ..)| Entry {
                    block: id % 2,
                    id: *id,
                });
                entries.collect()
            };
            let events = BySource {
                original: of(false),
                translated: of(true),
            };
            postings.add(source.number(), events);
        }
        let found = postings.combine(&words);
        let ids = |entries: &Entries| {
            let ids = entries.as_slice().iter().map(|entry| entry.id);
            let mut ids: Vec<_> = ids.collect();
            ids.sort_unstable();
            ids
        };
        (ids(&found.sure), ids(&found.unsure))
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
