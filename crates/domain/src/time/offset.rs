//! UTC offsets in the names of zones.

use super::scan::Scan;

/// Parses the text after `UTC`: `+2`, `-05`, `+5:30`, `+5.5`.
pub(super) fn after_utc(text: &str) -> Option<i32> {
    let mut scan = Scan::new(text);
    let sign = scan.sign()?;
    let hours = scan.short_number()?;
    let minutes = if scan.eat(':') {
        scan.two_digits().filter(|&minutes| minutes < 60)?
    } else if scan.eat('.') {
        let hundredths = match scan.digits() {
            tenths if tenths.len() == 1 => tenths.parse::<u32>().ok()? * 10,
            hundredths if hundredths.len() == 2 => hundredths.parse().ok()?,
            _ => return None,
        };
        // 5.75 hours are 45 minutes past; 5.33 is not a whole number of minutes.
        (hundredths % 5 == 0).then_some(hundredths * 60 / 100)?
    } else {
        0
    };
    seconds(scan, sign, hours, minutes)
}

/// Parses a bare offset: `+02:00`.
pub(super) fn bare(text: &str) -> Option<i32> {
    let mut scan = Scan::new(text);
    let sign = scan.sign()?;
    let hours = scan.two_digits()?;
    let minutes = scan
        .eat(':')
        .then(|| scan.two_digits())?
        .filter(|&minutes| minutes < 60)?;
    seconds(scan, sign, hours, minutes)
}

fn seconds(scan: Scan<'_>, sign: i32, hours: u32, minutes: u32) -> Option<i32> {
    let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
    scan.is_done().then_some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_read_to_the_end() {
        assert_eq!(after_utc("+5:30"), Some(19_800));
        assert_eq!(after_utc("-5.75"), Some(-20_700));
        assert_eq!(bare("-03:30"), Some(-12_600));
        for text in ["", "2", "+", "+2x", "+2:5", "+2:60", "+5.33", "+5."] {
            assert_eq!(after_utc(text), None, "{text}");
        }
        for text in ["", "+2:00", "+0200", "02:00", "+02:00x", "+02:60"] {
            assert_eq!(bare(text), None, "{text}");
        }
    }
}
