//! An index of tokens answers each search as the domain's rule does, for a million pairs of a text and
//! a search.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    search::{Part, Search, WordParts, parts, tokens},
    text::fold,
};
use port_tests::{Dice, rounds, search::texts};

/// Texts, and searches, of a group; each text is compared with each search.
const GROUP: usize = 320;

/// Numbers of texts.
type Numbers = BTreeSet<usize>;

/// An index of texts by their tokens, as a store keeps it.
struct Index<'a> {
    texts: &'a [String],
    postings: BTreeMap<&'a str, Numbers>,
    long: Numbers,
}

impl<'a> Index<'a> {
    fn of(texts: &'a [String]) -> Self {
        let mut index = Self { texts, postings: BTreeMap::new(), long: Numbers::new() };
        for (number, text) in texts.iter().enumerate() {
            let tokens = tokens(text);
            if tokens.has_long_run {
                index.long.insert(number);
            }
            for token in tokens.words {
                index.postings.entry(token).or_default().insert(number);
            }
        }
        index
    }

    /// The texts with a token that contains this.
    fn with_token(&self, part: &str) -> Numbers {
        let held = self.postings.iter().filter(|(token, _)| token.contains(part));
        held.flat_map(|(_, numbers)| numbers).copied().collect()
    }

    /// The texts that contain a word, and the number of texts that were read to know it.
    fn holding(&self, word: &str) -> (Numbers, usize) {
        let WordParts { parts, is_exact } = parts(word);
        let mut certain = Numbers::new();
        let mut possible: Numbers = (0..self.texts.len()).collect();
        for part in parts {
            match part {
                Part::InLongRun => possible.retain(|number| self.long.contains(number)),
                Part::InToken(part) => {
                    let with_token = self.with_token(part);
                    possible
                        .retain(|number| with_token.contains(number) || self.long.contains(number));
                    if is_exact {
                        certain = with_token;
                    }
                }
            }
        }
        let unsure: Vec<_> = possible.difference(&certain).copied().collect();
        let read = unsure.len();
        certain.extend(unsure.into_iter().filter(|number| self.texts[*number].contains(word)));
        (certain, read)
    }

    /// The texts that match a search, and the number of texts that were read to know it.
    fn matching(&self, search: &Search) -> (Numbers, usize) {
        let mut matching: Numbers = (0..self.texts.len()).collect();
        let mut read = 0;
        for (words, is_wanted) in [(&search.wanted, true), (&search.excluded, false)] {
            for word in words {
                let (holding, texts) = self.holding(word);
                matching.retain(|number| holding.contains(number) == is_wanted);
                read += texts;
            }
        }
        (matching, read)
    }
}

/// The folded text of an event: up to three lines.
fn folded(dice: &mut Dice) -> String {
    let title = texts::title(dice);
    let others = [texts::text(dice, 4), texts::text(dice, 24)];
    let lines = [title].into_iter().chain(others).map(|line| fold(&line));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_index_of_tokens_finds_what_the_rule_finds() {
    let mut dice = Dice(31);
    let (mut pairs, mut matches, mut words, mut read, mut long) = (0, 0, 0, 0, 0);
    let groups = rounds(10);
    for group in 0..groups {
        let texts: Vec<_> = (0..GROUP).map(|_| folded(&mut dice)).collect();
        let index = Index::of(&texts);
        long += index.long.len();
        for _ in 0..GROUP {
            let raw = texts::search(&mut dice, &texts);
            let search = Search::parse(&raw);
            let (found, texts_read) = index.matching(&search);
            for (number, text) in texts.iter().enumerate() {
                let expected = search.matches(text);
                assert_eq!(
                    found.contains(&number),
                    expected,
                    "group {group}, search {raw:?} ({search:?}), text {text:?}"
                );
                pairs += 1;
                matches += usize::from(expected);
            }
            words += (search.wanted.len() + search.excluded.len()) * texts.len();
            read += texts_read;
        }
    }
    println!("{pairs} pairs, {matches} matches, {words} words, {read} texts read, {long} long");
    assert!(pairs >= 1_000_000, "{pairs} pairs");
    assert!(matches * 10 >= pairs, "{matches} matches of {pairs} pairs");
    assert!(long * 10 >= groups * GROUP, "{long} texts with a long run");
    let unread = words - read;
    assert!(unread * 3 > words, "{read} texts were read for {words} pairs of a text and a word");
}
