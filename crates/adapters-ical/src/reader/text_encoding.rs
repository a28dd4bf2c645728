//! Encodings of single texts (vCalendar 1.0): quoted-printable, and character sets of their own.

use encoding_rs::{Encoding, WINDOWS_1252};

/// The parameter by which vCalendar 1.0 says how a text is written.
const QUOTED_PRINTABLE: &str = "QUOTED-PRINTABLE";

/// Whether a line is quoted-printable and goes on in the next one.
pub(super) fn ends_softly(line: &[u8]) -> bool {
    line.ends_with(b"=") && is_quoted_printable(&head(line))
}

/// The encoding that a line names.
pub(super) fn of_line(line: &[u8]) -> Option<&'static Encoding> {
    let head = head(line);
    let charset = head
        .split(';')
        .find_map(|one| one.strip_prefix("CHARSET="))?;
    of_label(charset)
}

fn of_label(charset: &str) -> Option<&'static Encoding> {
    Encoding::for_label(charset.trim_matches(['"', ' ']).as_bytes())
}

/// The name and the parameters of a line, in capitals.
fn head(line: &[u8]) -> String {
    let end = line.iter().take(1000).position(|byte| *byte == b':');
    let head = line.get(..end.unwrap_or_default()).unwrap_or_default();
    String::from_utf8_lossy(head).to_ascii_uppercase()
}

fn is_quoted_printable(head: &str) -> bool {
    let mut parameters = head.split(';').skip(1);
    parameters.any(|one| one.trim_start_matches("ENCODING=").trim_matches('"') == QUOTED_PRINTABLE)
}

/// Decodes a value by the parameters of its property; `None` if they name no encoding.
pub(super) fn decoded(value: &str, parameters: &[(String, String)]) -> Option<String> {
    let is_encoded = parameters.iter().any(|(name, value)| {
        name == QUOTED_PRINTABLE
            || (name == "ENCODING" && value.eq_ignore_ascii_case(QUOTED_PRINTABLE))
    });
    let charset = parameters.iter().find(|(name, _)| name == "CHARSET");
    let charset = charset.and_then(|(_, charset)| of_label(charset));
    is_encoded.then(|| quoted_printable(value, charset))
}

/// Decodes a text (RFC 2045, section 6.7). An `=` without a number is a character like others.
fn quoted_printable(text: &str, charset: Option<&'static Encoding>) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (byte, length) = match rest.get(1..3).and_then(|digits| hex(c, digits)) {
            Some(byte) => (Some(byte), 3),
            None => (u8::try_from(c).ok().filter(u8::is_ascii), c.len_utf8()),
        };
        if let Some(byte) = byte {
            bytes.push(byte);
        } else {
            decoded.push_str(&characters(&bytes, charset));
            decoded.push(c);
            bytes.clear();
        }
        rest = &rest[length..];
    }
    decoded.push_str(&characters(&bytes, charset));
    decoded.replace("\r\n", "\n").replace('\r', "\n")
}

/// The byte of `=E9`.
fn hex(sign: char, digits: &str) -> Option<u8> {
    let is_number = sign == '=' && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// The characters of bytes; without a character set, of UTF-8 or else of Windows-1252.
fn characters(bytes: &[u8], charset: Option<&'static Encoding>) -> String {
    if let Some(charset) = charset {
        return charset.decode_without_bom_handling(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}
