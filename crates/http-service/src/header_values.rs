//! Values of headers: lists, parameters, media types, and the qualities in `Accept`, `Accept-Encoding` and
//! `Accept-Language`.
//!
//! # Source
//!
//! RFC 9110, 5.6, 8.3, 12.4.2 and 12.5; RFC 4647, 3.3.1.

use std::cmp::Reverse;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use domain::Language;

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

/// The language that `Accept-Language` prefers; `default` without a preference among the languages of pages. A region
/// makes no difference: `fr-CA` is French. The first of several languages with the same quality counts.
pub fn preferred_language(headers: &HeaderMap, default: Language) -> Language {
    let named: Vec<_> = elements(headers, &header::ACCEPT_LANGUAGE)
        .map(|element| {
            let range = element.split(';').next().unwrap_or_default().trim();
            let language = range.split('-').next().unwrap_or_default();
            let quality = parameter(element, "q").map_or(1000, thousandths);
            (language.to_ascii_lowercase(), quality)
        })
        .collect();
    // The quality of a language, and its index in the header. `*` stands for all languages without a name there, of
    // which the default comes first.
    let rank = |language: Language| {
        let of = |name: &str| {
            let found = named.iter().enumerate().filter(|(_, (one, _))| one == name);
            found
                .map(|(index, (_, quality))| (*quality, Reverse(index)))
                .max()
        };
        of(language.code()).or_else(|| of("*"))
    };
    let others = Language::ALL.into_iter().filter(|one| *one != default);
    let languages = [default].into_iter().chain(others);
    let accepted = languages
        .filter_map(|language| Some((rank(language)?, language)))
        .filter(|((quality, _), _)| *quality > 0);
    // The first language of equal ranks counts.
    accepted
        .reduce(|best, one| if one.0 > best.0 { one } else { best })
        .map_or(default, |(_, language)| language)
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
    fn the_preferred_language() {
        use Language::{Arabic, English, French};
        for (sent, language) in [
            (&[][..], English),
            (&[""], English),
            (&["de"], English),
            (&["fr"], French),
            (&["fr-CA, en;q=0.5"], French),
            (&["FR-be"], French),
            (&["de-DE, de;q=0.9, fr;q=0.3, en;q=0.2"], French),
            (&["en;q=0.5, fr;q=0.6", "ar;q=0.7"], Arabic),
            (&["fr, en"], French),
            (&["en, fr"], English),
            (&["*"], English),
            (&["fr;q=0.5, *;q=0.1"], French),
            (&["fr;q=0.5, *"], English),
            (&["en;q=0, *"], Arabic),
            (&["ar;q=0, fr;q=0, en;q=0"], English),
            (&["fr;q=0"], English),
            (&["fr;q=2, ar;q=0.1"], Arabic),
            (&["fr-CH;q=0.2, fr;q=0.8, en;q=0.5"], French),
            (&["french"], English),
            (&[";;,,-, q=1"], English),
        ] {
            let mut headers = HeaderMap::new();
            for value in sent {
                headers.append(header::ACCEPT_LANGUAGE, value.parse().unwrap());
            }
            assert_eq!(preferred_language(&headers, English), language, "{sent:?}");
        }
        let mut headers = HeaderMap::new();
        headers.append(header::ACCEPT_LANGUAGE, "de".parse().unwrap());
        assert_eq!(preferred_language(&headers, French), French);
    }

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
