//! Parses one text of a price.

use super::amount::{Amount, Number, are_groups, is_currency_sign};
use super::{Entry, InvalidCost, Position};

/// Most characters of a symbol, in Unicode scalar values: one more than `dollars` has. A longer
/// text is a remark, and is displayed unchanged.
const MAX_SYMBOL_CHARS: usize = 8;

/// Parses a text (one line, blanks collapsed): a list or range of amounts, or words that may
/// contain amounts.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, InvalidCost> {
    let found = numbers(text);
    for (index, number) in found.iter().enumerate() {
        if is_negative(gap(text, &found, index), index == 0) {
            return Err(InvalidCost::Negative {
                amount: text[number.start..number.end].to_owned(),
            });
        }
    }
    if let Some((amounts, remark)) = list(text, &found) {
        let remark = remark.map(|text| Entry::Text {
            text: text.to_owned(),
            amounts: Vec::new(),
        });
        return Ok(amounts
            .into_iter()
            .map(Entry::Amount)
            .chain(remark)
            .collect());
    }
    let symbol = |index: usize| sign_beside(gap(text, &found, index), gap(text, &found, index + 1));
    let symbols: Vec<_> = (0..found.len()).map(symbol).collect();
    // Among words, a number without a currency may count something else: `2 for $5`; not in `10/8 €`.
    let has_currency = symbols.iter().any(Option::is_some);
    let is_alternative = |index: usize| {
        let is_slash = |index| gap(text, &found, index).trim() == "/";
        is_slash(index) || is_slash(index + 1)
    };
    let amounts = found.iter().zip(symbols).enumerate();
    let amounts = amounts
        .filter(|(index, (_, symbol))| !has_currency || symbol.is_some() || is_alternative(*index));
    let amounts = amounts.filter_map(|(_, (at, symbol))| {
        let number = at.number.clone()?;
        Some(Amount { number, symbol })
    });
    Ok(vec![Entry::Text {
        text: text.to_owned(),
        amounts: amounts.collect(),
    }])
}

/// A number in a text.
struct Found {
    start: usize,
    end: usize,
    /// `None` if its separators contradict each other.
    number: Option<Number>,
}

/// The text between number `index` and the number before it; for `index` = count, the text after
/// the last number.
fn gap<'a>(text: &'a str, found: &[Found], index: usize) -> &'a str {
    let start = index
        .checked_sub(1)
        .and_then(|before| found.get(before))
        .map_or(0, |before| before.end);
    let end = found.get(index).map_or(text.len(), |number| number.start);
    &text[start..end]
}

/// Finds the numbers of a text.
fn numbers(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(digit) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let mut start = at + digit;
        // `.50`, but not the dot of `kr.50`.
        if let Some(before) = text[at..start].strip_suffix('.')
            && before
                .chars()
                .next_back()
                .map_or(at == 0, |c| c == ' ' || is_currency_sign(c))
        {
            start -= 1;
        }
        let end = number_end(text, at + digit);
        let run = &text[start..end];
        match Number::read(run) {
            None if run.contains(',') => {
                for part in run.split(',') {
                    found.push(Found {
                        start,
                        end: start + part.len(),
                        number: Number::read(part),
                    });
                    start += part.len() + 1;
                }
            }
            number => found.push(Found { start, end, number }),
        }
        at = end;
    }
    found
}

/// The end of the number whose first digit is at `start`.
fn number_end(text: &str, start: usize) -> usize {
    let mut end = start + digits(&text[start..]);
    if let Some(groups_end) = spaced_groups_end(text, start, end) {
        end = groups_end;
    }
    while let Some(separator) = text[end..].chars().next() {
        let next = end + separator.len_utf8();
        let goes_on = match separator {
            '.' | ',' => digits(&text[next..]) > 0,
            '\'' | '’' => matches!(digits(&text[next..]), 2..=4),
            _ => false,
        };
        if !goes_on {
            break;
        }
        end = next + digits(&text[next..]);
    }
    end
}

/// The number of digits at the start of a text.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The end of blank-separated groups of digits; the first group is at `start..end`. None if there
/// are no further groups, or if they do not have two or three digits: `10 20` is two numbers.
fn spaced_groups_end(text: &str, start: usize, mut end: usize) -> Option<usize> {
    let first = end - start;
    let mut groups = Vec::new();
    let mut found = None;
    while let Some(rest) = text[end..].strip_prefix(' ') {
        let width = digits(rest);
        if !matches!(width, 2 | 3) {
            break;
        }
        groups.push(width);
        end += 1 + width;
        if are_groups(first, &groups) {
            found = Some(end);
        }
    }
    found
}

/// The amounts, if the text is a list or range of them, and the words that follow after a
/// separator: `5 – donation`.
fn list<'a>(text: &'a str, found: &[Found]) -> Option<(Vec<Amount>, Option<&'a str>)> {
    let (first, rest) = found.split_first()?;
    let mut prefix = symbol(gap(text, found, 0))?;
    let mut amounts = Vec::new();
    let mut remark = None;
    for (index, number) in std::iter::once(first).chain(rest).enumerate() {
        let after = gap(text, found, index + 1);
        let (suffix, next_prefix) = if index < rest.len() {
            let separator = after.find(is_separator)?;
            let behind = after[separator..].trim_start_matches(is_separator_once());
            (symbol(&after[..separator])?, symbol(behind)?)
        } else {
            let suffix;
            (suffix, remark) = last_suffix(after)?;
            (suffix, "")
        };
        let symbol = match (prefix, suffix) {
            ("", "") => None,
            (before, "") => Some((before.to_owned(), Position::Prefix)),
            ("", after) => Some((after.to_owned(), Position::Postfix)),
            _ => return None,
        };
        amounts.push(Amount {
            number: number.number.clone()?,
            symbol,
        });
        prefix = next_prefix;
    }
    share_symbol(&mut amounts);
    Some((amounts, remark))
}

/// Splits the text after the last number of a list into its symbol and the words after a separator.
fn last_suffix(after: &str) -> Option<(&str, Option<&str>)> {
    // `10.`, `10,-`, `10.– €`
    let after = after.trim_start_matches(['.', ',']);
    let after = match after.strip_prefix(['-', '–', '—']) {
        Some(rest) if !rest.starts_with(char::is_alphabetic) => rest,
        _ => after,
    };
    let Some(at) = separator_before_words(after) else {
        return Some((symbol(after.trim_end_matches([',', ';']))?, None));
    };
    let (own, words) = after.split_at(at);
    let words = words.trim_matches(|c| is_separator(c) || c == ' ');
    match symbol(own)? {
        // `10 - EUR`
        "" if is_sign(words) => Some((words, None)),
        own => Some((own, Some(words))),
    }
}

/// The position of a separator that words follow. A dash within a word is not a separator.
fn separator_before_words(text: &str) -> Option<usize> {
    let (at, separator) = text.char_indices().find(|&(at, c)| {
        let before = text[..at].chars().next_back();
        let after = text[at + c.len_utf8()..].chars().next();
        let is_dash = !matches!(c, ',' | ';' | '|');
        is_separator(c) && (!is_dash || before.is_none_or(|c| c == ' ') || after == Some(' '))
    })?;
    let words = &text[at + separator.len_utf8()..];
    words.contains(char::is_alphanumeric).then_some(at)
}

/// Applies a single symbol in a text to each number without one: `10-20 €`.
fn share_symbol(amounts: &mut [Amount]) {
    let mut symbols = amounts.iter().filter_map(|amount| amount.symbol.as_ref());
    let Some(shared) = symbols.next().cloned() else {
        return;
    };
    if symbols.all(|symbol| *symbol == shared) {
        for amount in amounts {
            amount.symbol.get_or_insert_with(|| shared.clone());
        }
    }
}

/// Whether a character separates the amounts of a list or range.
fn is_separator(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '−' | '~' | ',' | ';' | '|')
}

/// Matches a separator once.
fn is_separator_once() -> impl FnMut(char) -> bool {
    let mut first = true;
    move |c| std::mem::take(&mut first) && is_separator(c)
}

/// Words before a number that are no symbol, in lower case: English, French, German, Arabic.
const PREPOSITIONS: [&str; 17] = [
    "from",
    "about",
    "approx",
    "only",
    "min",
    "max",
    "de",
    "dès",
    "à",
    "env",
    "environ",
    "ab",
    "bis",
    "ca",
    "nur",
    "من",
    "حوالي",
];

/// `text`, trimmed, if it is empty or may be the symbol of a number: `$`, `USD`, `kr.`, `US$`,
/// `S/`.
fn symbol(text: &str) -> Option<&str> {
    let text = text.trim();
    let says_money = |c: char| c.is_alphabetic() || is_currency_sign(c);
    let fits = text.chars().count() <= MAX_SYMBOL_CHARS
        && text.starts_with(says_money)
        && text
            .chars()
            .all(|c| says_money(c) || matches!(c, '.' | '/'))
        && !PREPOSITIONS.contains(&text.trim_end_matches('.').to_lowercase().as_str());
    (fits || text.is_empty()).then_some(text)
}

/// Whether the text `before` a number makes it negative.
fn is_negative(before: &str, first: bool) -> bool {
    let is_minus = |c: char| matches!(c, '-' | '−' | '–');
    let before = if first {
        before
    } else {
        // The first dash after a number marks a range.
        match before.find(is_separator) {
            Some(at) => before[at..].trim_start_matches(is_separator_once()),
            None => return false,
        }
    };
    let is_short_symbol =
        |text: &str| symbol(text).is_some_and(|symbol| symbol.chars().count() <= 4);
    match before.strip_suffix(is_minus) {
        Some(word) => word.ends_with(' ') || is_short_symbol(word),
        None => before
            .trim()
            .strip_prefix(is_minus)
            .is_some_and(is_short_symbol),
    }
}

/// Whether a word is a currency sign or code.
fn is_sign(word: &str) -> bool {
    !word.is_empty()
        && (word.chars().all(is_currency_sign)
            || (word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase())))
}

/// The currency sign or code next to a number among words; the nearest one is preferred.
fn sign_beside(before: &str, after: &str) -> Option<(String, Position)> {
    let is_rest = |c: char| !c.is_alphabetic() && !is_currency_sign(c);
    let last = before
        .trim_end()
        .rsplit(is_rest)
        .next()
        .filter(|word| is_sign(word));
    let next = after
        .trim_start()
        .split(is_rest)
        .next()
        .filter(|word| is_sign(word));
    let prefix = |sign: &str| (sign.to_owned(), Position::Prefix);
    let postfix = |sign: &str| (sign.to_owned(), Position::Postfix);
    last.filter(|_| !before.ends_with(' '))
        .map(prefix)
        .or_else(|| next.map(postfix))
        .or_else(|| last.map(prefix))
}
