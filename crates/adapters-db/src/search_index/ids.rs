//! Sets of event IDs, as the index stores them.

use app::ports::StoreError;

use super::{Sorted, broken};

/// The number of bits in a byte of a stored number; the last bit says whether another byte follows.
const BITS: u32 = 7;

const MORE: u8 = 1 << BITS;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

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
    /// The stored form, in hexadecimal digits: the differences between neighbours, seven bits in
    /// each byte.
    pub(crate) fn encode_hex(&self) -> String {
        let mut digits = String::with_capacity(self.len() * 4);
        let mut push = |byte: u8| {
            for digit in [byte >> 4, byte & 15] {
                digits.push(char::from(DIGITS[usize::from(digit)]));
            }
        };
        let mut before = 0;
        for id in self.as_slice() {
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
        let mut ids = Vec::with_capacity(digits.len() / 2);
        each_id(digits, |id| ids.push(id))?;
        Ok(ids.into())
    }
}

/// Calls a function with each ID of a stored set, which is written in hexadecimal digits.
pub(crate) fn each_id(digits: &str, mut each: impl FnMut(i64)) -> Result<(), StoreError> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let (mut before, mut number, mut shift) = (0_i64, 0_u64, 0);
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
        before = before.wrapping_add(number.cast_signed());
        each(before);
        (number, shift) = (0, 0);
    }
    if shift == 0 && rest.is_empty() {
        Ok(())
    } else {
        Err(broken())
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
            let upper = set.encode_hex().to_uppercase();
            assert_eq!(Ids::decode_hex(&upper).unwrap(), set);
        }
        assert_eq!(ids(&[1_000_000, 1_006_000]).encode_hex().len(), 10);
    }

    #[test]
    fn broken_bytes_are_an_error() {
        for digits in ["80", "1", "g0", "0/", &"ff".repeat(12)] {
            assert!(Ids::decode_hex(digits).is_err(), "{digits}");
        }
    }
}
