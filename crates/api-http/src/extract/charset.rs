//! Texts of forms and queries: UTF-8, or the encoding that the request names.
//!
//! # Source
//!
//! WHATWG URL, `application/x-www-form-urlencoded` parsing; WHATWG Encoding, labels (ISO-8859-1 is
//! Windows-1252); RFC 7578, 4.6 (`_charset_`).

use std::borrow::Cow;

use app::fault::{Fault, Faults};
use axum::http::{HeaderMap, header};
use encoding_rs::Encoding;
use http_service::header_values::parameter;
use percent_encoding::percent_decode;

/// The field of a form that names the encoding of the others.
const CHARSET_FIELD: &[u8] = b"_charset_";

/// The encoding of texts that are not UTF-8, if the request names one.
pub(super) type Charset = Option<&'static Encoding>;

/// The charset of a content type.
pub(super) fn of_type(content_type: &str) -> Charset {
    let label = parameter(content_type, "charset")?;
    Encoding::for_label(label.trim_matches('"').as_bytes())
}

/// The charset of the `Content-Type` header.
pub(super) fn of_headers(headers: &HeaderMap) -> Charset {
    of_type(headers.get(header::CONTENT_TYPE)?.to_str().ok()?)
}

/// A name and a value as sent, and the charset of the value alone.
pub(crate) struct RawPair<'a> {
    pub(super) name: Cow<'a, [u8]>,
    pub(super) value: Cow<'a, [u8]>,
    pub(super) charset: Charset,
}

/// Decoded names and values, and the names whose value cannot be decoded.
#[derive(Default)]
pub(super) struct Decoded {
    pub(super) pairs: Vec<(String, String)>,
    pub(super) faults: Faults,
}

/// Decodes the names and values of a form or query.
pub(super) fn decode_form(form: &[u8], charset: Charset) -> Decoded {
    let pairs = form
        .split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty());
    let raw = pairs.map(|pair| {
        let mut halves = pair.splitn(2, |byte| *byte == b'=');
        let mut half = || unescape(halves.next().unwrap_or_default());
        RawPair {
            name: half(),
            value: half(),
            charset: None,
        }
    });
    decode(raw.collect(), charset)
}

/// Undoes the encoding of a form: `+` is a space, `%41` a byte.
fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.iter().any(|byte| matches!(byte, b'+' | b'%')) {
        return Cow::Borrowed(text);
    }
    let spaced: Vec<u8> = text
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    Cow::Owned(percent_decode(&spaced).collect())
}

/// Decodes names and values. The field `_charset_` overrides `charset`.
pub(super) fn decode(raw: Vec<RawPair<'_>>, charset: Charset) -> Decoded {
    let named = raw.iter().find(|pair| *pair.name == *CHARSET_FIELD);
    let charset = named
        .and_then(|pair| Encoding::for_label(&pair.value))
        .or(charset);
    let mut decoded = Decoded::default();
    for pair in raw {
        let name = text(&pair.name, charset);
        let value = text(&pair.value, pair.charset.or(charset));
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // A name that cannot be decoded is no field's name: like any unknown name it is ignored.
        if let (Some(name), None) = (&name, &value) {
            let field = name.split('[').next().unwrap_or(name).to_owned();
            decoded.faults.insert(Cow::Owned(field), Fault::Encoding);
        }
        // With a fault the request is refused; the field still counts as sent.
        decoded.pairs.push((
            name.unwrap_or_else(|| lossy(&pair.name)),
            value.unwrap_or_else(|| lossy(&pair.value)),
        ));
    }
    decoded
}

/// The text of bytes in UTF-8, else in `charset`.
fn text(bytes: &[u8], charset: Charset) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.to_owned());
    }
    let decoded = charset?.decode_without_bom_handling_and_without_replacement(bytes);
    decoded.map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(form: &[u8], content_type: &str) -> Vec<(String, String)> {
        decode_form(form, of_type(content_type)).pairs
    }

    #[test]
    fn forms_are_decoded_by_their_charset() {
        for (form, content_type, value) in [
            (&b"a=Caf%C3%A9+1"[..], "x", "Café 1"),
            (b"a=Caf\xc3\xa9", "x; charset=iso-8859-1", "Café"),
            (b"a=Caf%E9+%80", "x; charset=\"ISO-8859-1\"", "Café €"),
            (b"a=Caf\xe9", "x;charset=windows-1252", "Café"),
            (b"a=%E9&_charset_=latin1", "x", "é"),
            (b"a=%EF%BF%BD", "x", "\u{fffd}"),
            (b"a=1=2%", "x", "1=2%"),
        ] {
            assert_eq!(values(form, content_type)[0].1, value);
        }
        assert_eq!(values(b"&a&&=b", "x").len(), 2);
        assert!(decode_form(b"%ff=1", None).faults.is_empty());
    }

    #[test]
    fn other_bytes_are_faults_of_their_field() {
        for (form, content_type) in [
            (&b"venue[city]=%E9"[..], "x"),
            (b"venue[city]=%E9", "x; charset=utf-8"),
            (b"venue[city]=%E9", "x; charset=nothing"),
        ] {
            let decoded = decode_form(form, of_type(content_type));
            assert_eq!(decoded.faults["venue"], Fault::Encoding);
        }
    }
}
