//! Sets of event IDs, as the index stores them.

use app::ports::StoreError;

use super::{Sorted, broken};

/// The number of bits in a byte of a stored number; the last bit says whether another byte follows.
const BITS: u32 = 7;

const MORE: u8 = 1 << BITS;

pub(super) const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The values of hexadecimal digits, by their bytes, and [`NO_DIGIT`] for other bytes.
const VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        let digit = DIGITS[value as usize];
        values[digit as usize] = value;
        values[digit.to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    values
};

const NO_DIGIT: u8 = 16;

/// Distinct IDs in ascending order.
pub(crate) type Ids = Sorted<i64>;

impl Ids {
    /// The stored form: the differences between neighbours, seven bits in each byte.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len() * 2);
        let mut before = 0;
        for id in self.as_slice() {
            let mut rest = id.wrapping_sub(before).cast_unsigned();
            before = *id;
            while rest >= u64::from(MORE) {
                bytes.push(rest.to_le_bytes()[0] | MORE);
                rest >>= BITS;
            }
            bytes.push(rest.to_le_bytes()[0]);
        }
        bytes
    }

    /// Reads stored forms, as [`each_id`] does.
    pub(crate) fn decode_hex(digits: &str) -> Result<Self, StoreError> {
        let mut ids = Vec::with_capacity(digits.len() / 2);
        each_id(digits, |id| ids.push(id))?;
        Ok(ids.into())
    }
}

/// Calls a function with each ID of stored forms, which are written in hexadecimal digits. There is a
/// zero byte between two of them, which no difference is.
pub(crate) fn each_id(digits: &str, mut each: impl FnMut(i64)) -> Result<(), StoreError> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let (mut before, mut number, mut shift) = (None, 0_u64, 0);
    for [high, low] in pairs {
        let (high, low) = (VALUES[usize::from(*high)], VALUES[usize::from(*low)]);
        if high == NO_DIGIT || low == NO_DIGIT {
            return Err(broken());
        }
        let byte = high << 4 | low;
        let bits = u64::from(byte & !MORE);
        number |= bits.checked_shl(shift).ok_or_else(broken)?;
        if byte & MORE != 0 {
            shift += BITS;
            continue;
        }
        let difference = number.cast_signed();
        (number, shift) = (0, 0);
        if difference == 0 && before.is_some() {
            before = None;
            continue;
        }
        let id = before.unwrap_or(0_i64).wrapping_add(difference);
        each(id);
        before = Some(id);
    }
    let is_complete = shift == 0 && rest.is_empty();
    if is_complete && (before.is_some() || pairs.is_empty()) {
        Ok(())
    } else {
        Err(broken())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::hex, *};

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
            let digits = hex(&set.encode());
            assert_eq!(Ids::decode_hex(&digits).unwrap(), set);
            assert_eq!(Ids::decode_hex(&digits.to_uppercase()).unwrap(), set);
        }
        assert_eq!(ids(&[1_000_000, 1_006_000]).encode().len(), 5);
    }

    #[test]
    fn sets_that_are_stored_together_are_read_as_one() {
        let sets: [&[i64]; 5] = [&[300, 1_000], &[7, 300], &[0, 1_001], &[0], &[200]];
        let stored = sets.map(|set| hex(&ids(set).encode())).join("00");
        let all = ids(sets.concat().as_slice());
        assert_eq!(Ids::decode_hex(&stored).unwrap(), all);
    }

    #[test]
    fn broken_bytes_are_an_error() {
        for digits in ["80", "1", "g0", "0/", "0100", &"ff".repeat(12)] {
            assert!(Ids::decode_hex(digits).is_err(), "{digits}");
        }
    }
}
