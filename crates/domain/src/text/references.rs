//! Numeric character references, which programs for the Web leave in plain texts.

use std::borrow::Cow;

/// Longest reference without `&` and `;`, in bytes.
const MAX_LENGTH: usize = 8;

/// The characters that browsers show for the references 128 to 159, and a blank where there is none.
const WINDOWS_1252: [char; 32] = [
    '€', ' ', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', ' ', 'Ž', ' ', //
    ' ', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', ' ', 'ž', 'Ÿ',
];

/// A plain text without the numeric character references that programs for the Web leave in it. Those that
/// stand for no visible character or line end stay, and so do names such as `&amp;`.
///
/// ```
/// use events_calendar_domain::text::without_references;
///
/// assert_eq!(without_references("Jazz &#8211; caf&#xe9; &amp; &#150;"), "Jazz – café &amp; –");
/// assert_eq!(without_references("R&#D; 5 &#0; &#x110000;"), "R&#D; 5 &#0; &#x110000;");
/// ```
pub fn without_references(text: &str) -> Cow<'_, str> {
    if !text.contains("&#") {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("&#") {
        let (before, reference) = rest.split_at(at);
        decoded.push_str(before);
        let number = &reference.as_bytes()[2..];
        let end = number
            .iter()
            .take(MAX_LENGTH)
            .position(|byte| *byte == b';');
        let found = end.and_then(|end| Some((character(&reference[2..2 + end])?, 3 + end)));
        let (c, length) = found.unwrap_or(('&', 1));
        decoded.push(c);
        rest = &reference[length..];
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

/// The visible character, or the line end, of `8211` or `x2013`.
fn character(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => digits
            .bytes()
            .all(|one| one.is_ascii_hexdigit())
            .then_some((digits, 16)),
        None => number
            .bytes()
            .all(|one| one.is_ascii_digit())
            .then_some((number, 10)),
    };
    let (digits, radix) = code?;
    let code = u32::from_str_radix(digits, radix).ok()?;
    if let Some(index) = code.checked_sub(128).filter(|index| *index < 32) {
        let c = WINDOWS_1252[usize::try_from(index).ok()?];
        return (c != ' ').then_some(c);
    }
    let c = char::from_u32(code)?;
    (!c.is_control() || matches!(c, '\n' | '\r' | '\t')).then_some(c)
}
