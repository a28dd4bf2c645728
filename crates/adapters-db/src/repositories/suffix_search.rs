//! The search for a free numeric suffix in few lookups.

/// The maximum number of candidates in a lookup.
const AT_ONCE: u32 = 32;

/// The number of candidates in the first lookup: few records share a name.
const FIRST: u32 = 8;

/// A search for a free number from 2 on.
///
/// The first numbers are looked up one by one. Names that many records share, such as a weekly
/// event over years, need exponential steps: a number that a step skips stays unused.
#[derive(Debug)]
pub(crate) struct SuffixSearch {
    /// The highest number known to be taken.
    below: u32,
    /// The lowest number known to be free.
    above: Option<u32>,
}

/// The result of a lookup.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The number to use.
    Free(u32),
    /// The next lookup covers a smaller range.
    Narrower,
    /// All numbers are taken.
    NoneLeft,
}

impl Default for SuffixSearch {
    fn default() -> Self {
        Self {
            below: 1,
            above: None,
        }
    }
}

impl SuffixSearch {
    /// The numbers to look up next, ascending.
    pub(crate) fn candidates(&self) -> Vec<u32> {
        match self.above {
            None if self.below == 1 => (2..2 + FIRST).collect(),
            None => {
                let mut leaps: Vec<_> = (0..u32::BITS).map(|power| 1 << power).collect();
                leaps.push(u32::MAX);
                leaps.retain(|number| *number > self.below);
                leaps
            }
            Some(above) => {
                let step = (above - self.below).div_ceil(AT_ONCE + 1);
                let between = (1..=AT_ONCE).filter_map(|n| self.below.checked_add(n * step));
                between.take_while(|number| *number < above).collect()
            }
        }
    }

    /// Takes the index of the first free candidate of a lookup.
    pub(crate) fn observe(&mut self, candidates: &[u32], free: Option<usize>) -> Outcome {
        let last_taken = match free {
            Some(0) => None,
            Some(index) => Some(candidates[index - 1]),
            None => candidates.last().copied(),
        };
        self.below = last_taken.unwrap_or(self.below);
        self.above = free.map(|index| candidates[index]).or(self.above);
        match self.above {
            Some(above) if above == self.below + 1 => Outcome::Free(above),
            None if self.below == u32::MAX => Outcome::NoneLeft,
            _ => Outcome::Narrower,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The number found, and the number of lookups.
    fn search(is_taken: impl Fn(u32) -> bool) -> (Option<u32>, u32) {
        let mut search = SuffixSearch::default();
        for lookups in 1.. {
            let candidates = search.candidates();
            assert!((1..=33).contains(&candidates.len()), "{candidates:?}");
            assert!(candidates.is_sorted_by(|a, b| a < b), "{candidates:?}");
            let free = candidates.iter().position(|number| !is_taken(*number));
            match search.observe(&candidates, free) {
                Outcome::Free(number) => return (Some(number), lookups),
                Outcome::NoneLeft => return (None, lookups),
                Outcome::Narrower => {}
            }
        }
        unreachable!()
    }

    #[test]
    fn the_first_gap_is_found_if_it_is_near() {
        assert_eq!(search(|_| false), (Some(2), 1));
        assert_eq!(search(|number| number != 7), (Some(7), 1));
        assert_eq!(search(|number| number <= 33), (Some(34), 3));
    }

    #[test]
    fn many_that_are_taken_take_few_questions() {
        for last in [34, 63, 64, 65, 100, 1000, 99_999, 1_000_000, u32::MAX - 1] {
            let (found, lookups) = search(|number| number <= last);
            assert_eq!(found, Some(last + 1));
            assert!(lookups <= 9, "{last}: {lookups}");
        }
        assert_eq!(search(|_| true), (None, 2));
    }

    #[test]
    fn what_is_found_is_free_whatever_is_taken() {
        // A fixed pseudo-random sequence.
        let mut seed = 1_u32;
        let mut roll = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        for _ in 0..200 {
            let range = 2 + roll() % 3000;
            let taken: BTreeSet<u32> = (0..roll() % 3000).map(|_| 2 + roll() % range).collect();
            let (found, _) = search(|number| taken.contains(&number));
            let found = found.unwrap();
            assert!(found >= 2 && !taken.contains(&found));
        }
    }
}
