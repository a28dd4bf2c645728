//! Sets as sorted lists, which searches combine.

/// Distinct values in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sorted<T>(Vec<T>);

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + Ord> Sorted<T> {
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, value: &T) -> bool {
        let bounds = self.0.first().zip(self.0.last());
        let may = bounds.is_some_and(|(first, last)| first <= value && value <= last);
        may && self.0.binary_search(value).is_ok()
    }

    pub(crate) fn union(&mut self, other: Self) {
        if self.0.is_empty() {
            self.0 = other.0;
        } else if !other.0.is_empty() {
            self.0.extend(other.0);
            *self = std::mem::take(&mut self.0).into();
        }
    }

    pub(crate) fn intersect(&mut self, other: &Self) {
        self.keep(other, true);
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.keep(other, false);
    }

    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&T) -> bool) {
        self.0.retain(is_kept);
    }

    /// Keeps the values that are in the other set, or those that are not.
    fn keep(&mut self, other: &Self, shared: bool) {
        let mut rest = other.0.as_slice();
        self.0.retain(|value| {
            let skipped = gallop(rest, value);
            rest = &rest[skipped..];
            (rest.first() == Some(value)) == shared
        });
    }
}

/// The number of values below `value` in an ascending list. The cost grows with the logarithm of
/// this number.
fn gallop<T: Ord>(values: &[T], value: &T) -> usize {
    let mut end = 1;
    while end < values.len() && values[end] < *value {
        end *= 2;
    }
    let begin = end / 2;
    let stretch = &values[begin..values.len().min(end + 1)];
    begin + stretch.partition_point(|one| one < value)
}

impl<T: Copy + Ord> From<Vec<T>> for Sorted<T> {
    /// Sorts values. The stable sort finds lists that ascend, and merges them.
    fn from(mut values: Vec<T>) -> Self {
        values.sort();
        values.dedup();
        Self(values)
    }
}

impl<T: Copy + Ord> FromIterator<T> for Sorted<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        values.into_iter().collect::<Vec<_>>().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_combined() {
        let set = |some: &[i64]| some.iter().copied().collect::<Sorted<_>>();
        let all = || set(&[1, 3, 5, 7, 9, 11]);
        let cases: [&[i64]; 6] = [
            &[],
            &[1],
            &[11],
            &[0, 3, 4, 9, 12],
            &[2, 4],
            &[1, 3, 5, 7, 9, 11],
        ];
        for other in cases {
            let is_in = |id: &i64| other.contains(id);
            let (shared, rest): (Vec<_>, Vec<_>) =
                all().as_slice().iter().partition(|id| is_in(id));
            let mut intersection = all();
            intersection.intersect(&set(other));
            assert_eq!(intersection, set(&shared), "{other:?}");
            let mut difference = all();
            difference.subtract(&set(other));
            assert_eq!(difference, set(&rest), "{other:?}");
            let mut union = all();
            union.union(set(other));
            assert_eq!(
                union,
                all().as_slice().iter().chain(other).copied().collect()
            );
            for value in 0..13 {
                assert_eq!(set(other).contains(&value), is_in(&value), "{other:?}");
            }
        }
    }
}
