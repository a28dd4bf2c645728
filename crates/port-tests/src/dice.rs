//! Random values of tests.

/// Pseudo-random numbers, the same in each run.
#[derive(Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        // Knuth's MMIX generator; its upper bits are the good ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    /// True once in `sides` times.
    pub fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    /// One of these values.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }

    /// Some of these values, each at most once, in any order.
    pub fn some<T: Clone>(&mut self, from: &[T], at_most: usize) -> Vec<T> {
        let mut left = from.to_vec();
        let mut taken = Vec::new();
        for _ in 0..self.roll(at_most.min(from.len()) + 1) {
            let index = self.roll(left.len());
            taken.push(left.swap_remove(index));
        }
        taken
    }
}

/// The environment variable with a number by which the rounds of random tests are multiplied.
pub const ROUNDS: &str = "EVENTS_CALENDAR_TEST_ROUNDS";

/// The number of rounds of a random test: `usual` ones, or as many times more as [`ROUNDS`] says.
pub fn rounds(usual: usize) -> usize {
    let times = std::env::var(ROUNDS).map_or(1, |times| times.parse().unwrap());
    usual * times
}

/// The environment variable with the number of steps that the test of the model takes on each store, at least.
pub const STEPS: &str = "EVENTS_CALENDAR_TEST_STEPS";

/// The number of steps that [`STEPS`] asks for.
pub fn steps() -> Option<usize> {
    let steps = std::env::var(STEPS).ok()?;
    Some(steps.parse().unwrap())
}
