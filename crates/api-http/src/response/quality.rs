//! Quality values in `Accept` and `Accept-Encoding`.
//!
//! # Source
//!
//! RFC 9110, 12.4.2 and 12.5.

use axum::http::{HeaderMap, HeaderName};

/// The quality of the first of `names` in a header, in thousandths; none if the header has none of
/// them. Letter case makes no difference.
pub(crate) fn quality(headers: &HeaderMap, header: &HeaderName, names: &[&str]) -> Option<u16> {
    let values = headers.get_all(header).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .find_map(|item| {
            let mut parts = item.split(';').map(str::trim);
            let name = parts.next()?;
            let is_meant = names.iter().any(|one| one.eq_ignore_ascii_case(name));
            is_meant.then(|| of_parameters(parts))
        })
}

/// The quality in the parameters of an item: `q=0.5`.
fn of_parameters<'a>(mut parameters: impl Iterator<Item = &'a str>) -> u16 {
    let quality = parameters.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
    });
    quality.map_or(1000, thousandths)
}

/// Parses a quality; a malformed one is 0.
fn thousandths(text: &str) -> u16 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let digits = fraction.bytes().chain([b'0'; 3]).take(3);
    let thousandths = digits.fold(0, |sum, digit| {
        sum * 10 + u16::from(digit.saturating_sub(b'0'))
    });
    match (whole, thousandths) {
        _ if !is_number => 0,
        ("0", thousandths) => thousandths,
        ("1", 0) => 1000,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    #[test]
    fn qualities() {
        let mut headers = HeaderMap::new();
        headers.append(
            header::ACCEPT_ENCODING,
            "gzip ; Q=0.5, BR,, x;level=1;q=0".parse().unwrap(),
        );
        headers.append(
            header::ACCEPT_ENCODING,
            "y;q=1.000, z;q=2, w;q=0.1234".parse().unwrap(),
        );
        for (name, expected) in [
            ("gzip", Some(500)),
            ("br", Some(1000)),
            ("x", Some(0)),
            ("Y", Some(1000)),
            ("z", Some(0)),
            ("w", Some(0)),
            ("v", None),
        ] {
            let found = quality(&headers, &header::ACCEPT_ENCODING, &[name]);
            assert_eq!(found, expected, "{name}");
        }
        let either = quality(&headers, &header::ACCEPT_ENCODING, &["y", "br"]);
        assert_eq!(either, Some(1000));
    }
}
