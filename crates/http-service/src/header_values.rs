//! Values of headers: lists, parameters, media types, and the qualities in `Accept` and
//! `Accept-Encoding`.
//!
//! # Source
//!
//! RFC 9110, 5.6, 8.3, 12.4.2 and 12.5.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The elements of a list, which several headers of the same name may hold. Quoted strings with
/// commas are split, too.
pub(crate) fn elements<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> + use<'a> {
    let values = headers.get_all(name).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(','))
}

/// The value of a parameter: of `x` in `text; x=value`. Letter case of its name makes no difference.
/// Quoted strings with semicolons are split, too.
pub fn parameter<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    element.split(';').skip(1).find_map(|part| {
        let (found, value) = part.split_once('=')?;
        let is_meant = found.trim().eq_ignore_ascii_case(name);
        is_meant.then(|| value.trim())
    })
}

/// The media type in `Content-Type`, without parameters; empty if there is none.
pub fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE);
    let text = value.and_then(|value: &HeaderValue| value.to_str().ok());
    text.and_then(|text| text.split(';').next())
        .unwrap_or_default()
        .trim()
}

/// The quality of the first of `names` in a header, in thousandths; none if the header has none of
/// them. Letter case makes no difference.
pub fn quality(headers: &HeaderMap, header: &HeaderName, names: &[&str]) -> Option<u16> {
    elements(headers, header).find_map(|element| {
        let name = element.split(';').next()?.trim();
        let is_meant = names.iter().any(|one| one.eq_ignore_ascii_case(name));
        is_meant.then(|| parameter(element, "q").map_or(1000, thousandths))
    })
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
