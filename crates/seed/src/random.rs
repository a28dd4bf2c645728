//! Reproducible pseudo-random numbers.

/// A pseudo-random sequence (`SplitMix64`). A seed gives the same sequence in every version of the
/// program.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of one record, which does not depend on other records.
    pub(crate) fn of(seed: u64, kind: domain::Kind, number: usize) -> Self {
        let mut random = Self(seed ^ ((kind as u64) << 56));
        let start = random.next();
        let mut random = Self(start ^ number as u64);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let product = u128::from(self.next()) * end as u128;
        usize::try_from(product >> 64).unwrap_or_default()
    }

    /// A number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the significand of an f64 holds 53 bits"
        )]
        let fraction = (self.next() >> 11) as f64;
        fraction / 9_007_199_254_740_992.0
    }

    /// True in `share` of 1,000 cases.
    pub(crate) fn permille(&mut self, share: usize) -> bool {
        self.below(1000) < share
    }

    /// A random element.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number below `end`, small ones more often.
    pub(crate) fn skewed(&mut self, end: usize) -> usize {
        #[expect(clippy::cast_precision_loss, reason = "`end` is small")]
        let number = self.unit().powi(2) * end as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the product lies between 0 and `end`"
        )]
        let number = number as usize;
        number.min(end - 1)
    }
}

#[cfg(test)]
mod tests {
    use domain::Kind;

    use super::*;

    #[test]
    fn each_record_has_a_sequence_of_its_own() {
        let first = |seed, kind, number| Random::of(seed, kind, number).next();
        assert_eq!(first(1, Kind::Event, 5), first(1, Kind::Event, 5));
        let others = [
            first(2, Kind::Event, 5),
            first(1, Kind::Venue, 5),
            first(1, Kind::Event, 6),
        ];
        assert!(!others.contains(&first(1, Kind::Event, 5)));
    }

    #[test]
    fn numbers_stay_within_bounds() {
        let mut random = Random::of(1, Kind::Tag, 0);
        for _ in 0..1000 {
            assert!(random.below(7) < 7);
            assert!(random.skewed(7) < 7);
            assert!((0.0..1.0).contains(&random.unit()));
        }
    }
}
