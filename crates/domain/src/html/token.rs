//! Tags and texts of well-formed HTML.

use std::borrow::Cow;

/// A token of HTML.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    /// Text with escaped special characters.
    Text(&'a str),
    /// A tag.
    Tag {
        /// The tag with its angle brackets.
        raw: &'a str,
        name: &'a str,
        closing: bool,
    },
}

/// Splits HTML in which each `<` and `>` outside of tags is escaped.
pub(super) fn tokens(html: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = if rest.starts_with('<') {
            rest.split_at(rest.find('>').map_or(rest.len(), |end| end + 1))
        } else {
            rest.split_at(rest.find('<').unwrap_or(rest.len()))
        };
        rest = after;
        tokens.push(match piece.strip_prefix('<') {
            None => Token::Text(piece),
            Some(inner) => {
                let name = inner.trim_start_matches('/');
                let end = name
                    .find(|c: char| !c.is_ascii_alphanumeric())
                    .unwrap_or(name.len());
                Token::Tag {
                    raw: piece,
                    name: &name[..end],
                    closing: inner.starts_with('/'),
                }
            }
        });
    }
    tokens
}

/// Whether an element is a block: it stands beside paragraphs, not in them.
#[rustfmt::skip]
pub(super) fn is_block(name: &str) -> bool {
    matches!(name,
        "address" | "article" | "aside" | "blockquote" | "caption" | "center" | "col" | "colgroup"
        | "dd" | "details" | "div" | "dl" | "dt" | "figcaption" | "figure" | "footer" | "h1" | "h2"
        | "h3" | "h4" | "h5" | "h6" | "header" | "hr" | "li" | "main" | "nav" | "ol" | "p" | "pre"
        | "section" | "summary" | "table" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr" | "ul")
}

/// Whether an element is void: it has no content.
pub(super) fn is_void(name: &str) -> bool {
    matches!(name, "br" | "col" | "hr" | "img" | "wbr")
}

/// `text` with decoded character references: those that the filter leaves, and numeric ones.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else {
        return Cow::Borrowed(text);
    };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(after) = rest.strip_prefix('&') {
        // The longest reference has ten characters.
        let end = after.bytes().take(10).position(|b| b == b';');
        if let Some((c, end)) = end.and_then(|end| Some((character(&after[..end])?, end))) {
            decoded.push(c);
            rest = &after[end + 1..];
        } else {
            decoded.push('&');
            rest = after;
        }
        let next = rest.find('&').unwrap_or(rest.len());
        decoded.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(decoded)
}

/// The character that a reference (without `&` and `;`) stands for.
fn character(reference: &str) -> Option<char> {
    Some(match reference {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => {
            let number = reference.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}
