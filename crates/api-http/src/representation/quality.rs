//! Lists of what a client accepts, with how much it likes each.
//!
//! # Source
//!
//! RFC 9110, 12.4.2 and 12.5.

use axum::http::{HeaderMap, HeaderName};

/// What a header lists, in lower case, each with its quality in thousandths.
pub(crate) fn listed(headers: &HeaderMap, name: &HeaderName) -> Vec<(String, u16)> {
    let values = headers.get_all(name).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(item)
        .filter(|(name, _)| !name.is_empty())
        .collect()
}

/// One of them: `gzip;q=0.5`.
fn item(text: &str) -> (String, u16) {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let quality = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
    });
    (name, quality.map_or(1000, thousandths))
}

/// A quality; what is none counts as not accepted.
fn thousandths(text: &str) -> u16 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{fraction:0<3}");
    match (whole, digits.parse::<u16>()) {
        ("0", Ok(thousandths)) if digits.len() == 3 => thousandths,
        ("1", Ok(0)) => 1000,
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
            header::ACCEPT,
            "gzip ; Q=0.5, BR,, x;level=1;q=0".parse().unwrap(),
        );
        headers.append(
            header::ACCEPT,
            "y;q=1.000, z;q=2, w;q=0.1234".parse().unwrap(),
        );
        let listed = listed(&headers, &header::ACCEPT);
        let listed: Vec<_> = listed.iter().map(|(name, q)| (name.as_str(), *q)).collect();
        assert_eq!(
            listed,
            [
                ("gzip", 500),
                ("br", 1000),
                ("x", 0),
                ("y", 1000),
                ("z", 0),
                ("w", 0)
            ]
        );
    }
}
