//! One amount of a price.

use std::cmp::Ordering;

use super::{Position, PriceStyle};

/// A number as typed, with the symbol that stands next to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) number: Number,
    pub(super) symbol: Option<(String, Position)>,
}

impl Amount {
    /// The amount as displayed: `free` for zero; an amount without a symbol gets `site_symbol` as
    /// prefix.
    pub(super) fn label(&self, site_symbol: &str, free: &str) -> String {
        let typed = &self.number.typed;
        match &self.symbol {
            _ if self.number.is_zero() => free.to_owned(),
            None => format!("{site_symbol}{typed}"),
            Some((symbol, position)) => {
                let blank = if is_word(symbol) { " " } else { "" };
                match position {
                    Position::Prefix => format!("{symbol}{blank}{typed}"),
                    Position::Postfix => format!("{typed}{blank}{symbol}"),
                }
            }
        }
    }

    /// The amount in the style of a language; one without a symbol gets `site_symbol`.
    pub(super) fn styled(&self, site_symbol: &str, style: PriceStyle<'_>) -> String {
        if self.number.is_zero() {
            return style.free.to_owned();
        }
        let symbol = self.symbol.as_ref();
        let symbol = symbol.map_or(site_symbol, |(symbol, _)| symbol);
        (style.amount)(&self.number.value, symbol)
    }

    /// The amount as a text that parses to the same amount.
    pub(super) fn canonical(&self) -> String {
        let typed = &self.number.typed;
        let Some((symbol, position)) = &self.symbol else {
            return typed.clone();
        };
        // The dot of `kr.` must not become part of the number.
        let blank = if symbol.chars().all(is_currency_sign) {
            ""
        } else {
            " "
        };
        match position {
            Position::Prefix => format!("{symbol}{blank}{typed}"),
            Position::Postfix => format!("{typed}{blank}{symbol}"),
        }
    }
}

/// A number that is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The number as typed, with its separators.
    pub(super) typed: String,
    /// Digits, and `.` before decimals.
    pub(super) value: String,
}

impl Number {
    /// Reads digits with separators. If both a comma and a dot occur, the last one is decimal. A
    /// single one before exactly three digits separates groups, and so do blanks and apostrophes;
    /// see [`are_groups`]. `None` if the separators contradict each other.
    pub(super) fn read(typed: &str) -> Option<Self> {
        let (whole, decimals) = parts(typed)?;
        let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            whole => whole,
        };
        let value = match decimals {
            Some(decimals) => format!("{whole}.{decimals}"),
            None => whole.to_owned(),
        };
        Some(Self {
            typed: typed.to_owned(),
            value,
        })
    }

    pub(super) fn is_zero(&self) -> bool {
        self.value.bytes().all(|b| matches!(b, b'0' | b'.'))
    }

    /// Compares by value.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let key = |number: &Self| {
            let (whole, decimals) = number.value.split_once('.').unwrap_or((&number.value, ""));
            (
                whole.len(),
                whole.to_owned(),
                decimals.trim_end_matches('0').to_owned(),
            )
        };
        key(self).cmp(&key(other))
    }
}

/// The whole part with its separators, and the decimals.
fn parts(typed: &str) -> Option<(&str, Option<&str>)> {
    let decimal = |at: usize| (&typed[..at], Some(&typed[at + 1..]));
    let points: Vec<(usize, char)> = typed
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | ','))
        .collect();
    let whole_end = points.first().map_or(typed.len(), |&(at, _)| at);
    let is_mark = |c: char| matches!(c, ' ' | '\'' | '’');
    if typed.contains(is_mark) {
        let is_grouped =
            typed[..whole_end].contains(is_mark) && grouped(&typed[..whole_end], is_mark);
        return match points[..] {
            [] if is_grouped => Some((typed, None)),
            [(at, _)] if is_grouped && !typed[at..].contains(is_mark) => Some(decimal(at)),
            _ => None,
        };
    }
    match points[..] {
        [] => Some((typed, None)),
        [(at, _)] if typed.len() - at == 4 && grouped(typed, |c| matches!(c, '.' | ',')) => {
            Some((typed, None))
        }
        [(at, _)] => Some(decimal(at)),
        [.., (at, last)] => {
            let others = &points[..points.len() - 1];
            let separator = others[0].1;
            if others.iter().any(|&(_, c)| c != separator) {
                None
            } else if separator == last {
                grouped(typed, |c| c == separator).then_some((typed, None))
            } else {
                grouped(&typed[..at], |c| c == separator).then(|| decimal(at))
            }
        }
    }
}

/// Whether `is_separator` separates groups of digits.
fn grouped(whole: &str, is_separator: impl Fn(char) -> bool) -> bool {
    let mut groups = whole.split(is_separator);
    let first = groups.next().unwrap_or_default();
    let rest: Vec<_> = groups.map(str::len).collect();
    !first.starts_with('0') && are_groups(first.len(), &rest)
}

/// Whether digits form groups: of three each (`1,234,567`), of four each (`1,2345,6789`), or of two
/// and at the end of three (`12,34,567`). The first group may be shorter.
pub(super) fn are_groups(first: usize, rest: &[usize]) -> bool {
    let Some((last, middle)) = rest.split_last() else {
        return (1..=4).contains(&first);
    };
    let all = |width| *last == width && middle.iter().all(|group| *group == width);
    let is_indian = *last == 3 && middle.iter().all(|group| *group == 2);
    (1..=3).contains(&first) && all(3)
        || (1..=4).contains(&first) && all(4)
        || (1..=2).contains(&first) && is_indian
}

/// Whether a symbol is a word, which a blank separates from its number: `dollars`.
fn is_word(symbol: &str) -> bool {
    let is_of_word = |c: char| c.is_lowercase() || matches!(c, '\u{600}'..='\u{6ff}');
    symbol.chars().all(char::is_alphabetic) && symbol.chars().any(is_of_word)
}

/// Whether a character alone is a symbol of a currency.
pub(super) fn is_currency_sign(c: char) -> bool {
    matches!(c,
        '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '૱' | '௹' | '฿' | '៛' | '\u{20a0}'..='\u{20cf}'
        | '﷼' | '﹩' | '＄' | '￠' | '￡' | '￥' | '￦')
}
