//! Sets of event IDs, as the index stores them and as searches combine them.

use app::ports::StoreError;

use super::broken;

/// The number of bits in a byte of a stored number; the last bit says whether another byte follows.
const BITS: u32 = 7;

const MORE: u8 = 1 << BITS;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Distinct IDs in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ids(Vec<i64>);

impl Ids {
    /// The stored form, in hexadecimal digits: the differences between neighbours, seven bits in
    /// each byte.
    pub(crate) fn encode_hex(&self) -> String {
        let mut digits = String::with_capacity(self.0.len() * 4);
        let mut push = |byte: u8| {
            for digit in [byte >> 4, byte & 15] {
                digits.push(char::from(DIGITS[usize::from(digit)]));
            }
        };
        let mut before = 0;
        for id in &self.0 {
            let mut rest = id.wrapping_sub(before).cast_unsigned();
            before = *id;
            while rest >= u64::from(MORE) {
                push(rest.to_le_bytes()[0] | MORE);
                rest >>= BITS;
            }
            push(rest.to_le_bytes()[0]);
        }
        digits
    }

    /// Reads the stored form, written in hexadecimal digits.
    pub(crate) fn decode_hex(digits: &str) -> Result<Self, StoreError> {
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        let mut ids = Vec::with_capacity(pairs.len());
        let (mut before, mut number, mut shift) = (0_i64, 0_u64, 0);
        for [high, low] in pairs {
            let byte = digit(*high)? << 4 | digit(*low)?;
            let bits = u64::from(byte & !MORE);
            number |= bits.checked_shl(shift).ok_or_else(broken)?;
            if byte & MORE != 0 {
                shift += BITS;
                continue;
            }
            before = before.wrapping_add(number.cast_signed());
            ids.push(before);
            (number, shift) = (0, 0);
        }
        if shift == 0 && rest.is_empty() {
            Ok(Self(ids))
        } else {
            Err(broken())
        }
    }

    pub(crate) fn as_slice(&self) -> &[i64] {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[expect(
        clippy::stable_sort_primitive,
        reason = "the stable sort finds the two ascending runs, and merges them"
    )]
    pub(crate) fn union(&mut self, other: Self) {
        if self.0.is_empty() {
            self.0 = other.0;
        } else if !other.0.is_empty() {
            self.0.extend(other.0);
            self.0.sort();
            self.0.dedup();
        }
    }

    pub(crate) fn intersect(&mut self, other: &Self) {
        self.keep(other, true);
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.keep(other, false);
    }

    /// Keeps the IDs that are in the other set, or those that are not.
    fn keep(&mut self, other: &Self, shared: bool) {
        let mut rest = other.0.as_slice();
        self.0.retain(|id| {
            let skipped = rest.partition_point_from_start(*id);
            rest = &rest[skipped..];
            (rest.first() == Some(id)) == shared
        });
    }
}

/// The value of a hexadecimal digit.
fn digit(digit: u8) -> Result<u8, StoreError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(broken()),
    }
}

impl FromIterator<i64> for Ids {
    fn from_iter<I: IntoIterator<Item = i64>>(ids: I) -> Self {
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        Self(ids)
    }
}

/// A search from the beginning of a sorted slice.
trait Gallop {
    /// The number of values below `id`. The cost grows with the logarithm of this number.
    fn partition_point_from_start(&self, id: i64) -> usize;
}

impl Gallop for [i64] {
    fn partition_point_from_start(&self, id: i64) -> usize {
        let mut end = 1;
        while end < self.len() && self[end] < id {
            end *= 2;
        }
        let begin = end / 2;
        let stretch = &self[begin..self.len().min(end + 1)];
        begin + stretch.partition_point(|one| *one < id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(some: &[i64]) -> Ids {
        some.iter().copied().collect()
    }

    #[test]
    fn a_stored_set_is_read_back() {
        let sets: [&[i64]; 5] = [
            &[],
            &[1],
            &[127, 128, 129, 16_511, 16_512],
            &[0, i64::MAX],
            &[-5, 3, i64::MAX],
        ];
        for set in sets {
            let set = ids(set);
            assert_eq!(Ids::decode_hex(&set.encode_hex()).unwrap(), set);
        }
        assert_eq!(ids(&[1_000_000, 1_006_000]).encode_hex().len(), 10);
    }

    #[test]
    fn broken_bytes_are_an_error() {
        for digits in ["80", "1", "g0", &"ff".repeat(12)] {
            assert!(Ids::decode_hex(digits).is_err(), "{digits}");
        }
    }

    #[test]
    fn sets_are_combined() {
        let all = || ids(&[1, 3, 5, 7, 9, 11]);
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
            intersection.intersect(&ids(other));
            assert_eq!(intersection, ids(&shared), "{other:?}");
            let mut difference = all();
            difference.subtract(&ids(other));
            assert_eq!(difference, ids(&rest), "{other:?}");
            let mut union = all();
            union.union(ids(other));
            assert_eq!(
                union,
                all().as_slice().iter().chain(other).copied().collect()
            );
        }
    }
}
