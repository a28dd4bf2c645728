//! Parsers of values, one for each type. The error is the fault of the value.

#![expect(
    clippy::missing_errors_doc,
    reason = "the errors are the faults of values"
)]

use std::str::FromStr;

use app::fault::{ExpectedType, Fault, MAX_LINE_CHARS, MAX_LIST, Range, check_count, checked_line};
use domain::{
    Language, Status,
    cost::{Cost, Currency},
    slug::Slug,
    text::Title,
    ticket::Price,
    time::{Moment, SentDate, Timestamp, Zone, read_date},
    web_url::WebUrl,
};
use serde_json::{Number, Value};

/// A value, or its fault.
pub type Read<T> = Result<T, Fault>;

/// Reads a text of at least one character.
pub fn text(value: &Value) -> Read<&str> {
    match value {
        Value::String(text) if text.is_empty() => Err(Fault::Empty),
        Value::String(text) => Ok(text),
        _ => Err(Fault::Type(ExpectedType::Text)),
    }
}

/// The maximum number of characters in a name that a filter compares.
pub const MAX_NAME_CHARS: usize = 200;

/// Reads a name that a filter compares.
pub fn name(value: &Value) -> Read<&str> {
    let name = text(value)?;
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(Fault::TooLong(MAX_NAME_CHARS));
    }
    Ok(name)
}

/// Reads a search text.
pub fn search(value: &Value) -> Read<&str> {
    let text = text(value)?;
    if text.chars().count() > MAX_LINE_CHARS {
        return Err(Fault::TooLong(MAX_LINE_CHARS));
    }
    Ok(text)
}

/// Reads a text that may be empty.
pub fn any_text(value: &Value) -> Read<&str> {
    value.as_str().ok_or(Fault::Type(ExpectedType::Text))
}

/// Reads the name of a value of an enum, one of `names`.
pub fn named<T: FromStr>(name: &str, names: &[&'static str]) -> Read<T> {
    name.parse().map_err(|_| Fault::NotOneOf(names.to_vec()))
}

/// Reads the code of a language.
pub fn language(value: &Value) -> Read<Language> {
    named(any_text(value)?, &Language::NAMES)
}

/// Reads a text of at least one character, as it is.
pub fn owned_text(value: &Value) -> Read<String> {
    text(value).map(str::to_owned)
}

/// Reads a title or a name.
pub fn title(value: &Value) -> Read<Title> {
    Ok(text(value)?.parse::<Title>()?)
}

/// Reads a one-line text that may be empty.
pub fn line(value: &Value) -> Read<String> {
    checked_line(any_text(value)?)
}

/// Reads a list of slugs. A text that cannot be a slug is left out: no record has it.
pub fn slugs(value: &Value) -> Read<Vec<Slug>> {
    let slugs = filled_list(value)?;
    let slugs = slugs.iter().map(|value| Ok(Slug::typed(text(value)?)));
    Ok(slugs
        .collect::<Read<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// Reads and normalizes a slug.
pub fn slug(value: &Value) -> Read<Slug> {
    Slug::typed(text(value)?).ok_or(Fault::Slug)
}

/// Reads a web URL.
pub fn web_url(value: &Value) -> Read<WebUrl> {
    Ok(text(value)?.parse::<WebUrl>()?)
}

/// The words of booleans, in turn one that means true and one that means false.
pub(super) const BOOLEAN_WORDS: [&str; 8] = ["true", "false", "1", "0", "yes", "no", "on", "off"];

/// How many of [`BOOLEAN_WORDS`] a strict boolean accepts.
pub(super) const STRICT_WORDS: usize = 4;

/// The truth value that a boolean, 1 or 0, or one of these words means, in any letter case.
fn truth(value: &Value, words: &[&str]) -> Option<bool> {
    let word = match value {
        Value::Bool(value) => return Some(*value),
        // 1.0 is not a boolean.
        Value::Number(number) => number.as_u64()?.to_string(),
        Value::String(text) => text.to_ascii_lowercase(),
        _ => return None,
    };
    let index = words.iter().position(|one| *one == word);
    index.map(|index| index % 2 == 0)
}

/// Reads a strict boolean: `true`, `false`, `1` or `0`, also as text in any letter case.
pub fn boolean(value: &Value) -> Read<bool> {
    truth(value, &BOOLEAN_WORDS[..STRICT_WORDS]).ok_or(Fault::Type(ExpectedType::Boolean))
}

/// Reads a lenient boolean: true for `1`, `true`, `yes`, `y`, `on`, `enable`, `enabled` in any
/// letter case, false for any other value.
pub fn loose_boolean(value: &Value) -> Read<bool> {
    const TRUE: [&str; 7] = ["1", "true", "yes", "y", "on", "enable", "enabled"];
    match value {
        Value::Number(number) => Ok(number.as_f64() == Some(1.0)),
        Value::Bool(value) => Ok(*value),
        Value::String(text) => Ok(TRUE.contains(&&*text.to_ascii_lowercase())),
        _ => Err(Fault::Type(ExpectedType::Boolean)),
    }
}

/// Reads `1`, `true`, `yes`, `on` or `0`, `false`, `no`, `off`, in any letter case.
pub fn switch(value: &Value) -> Read<bool> {
    truth(value, &BOOLEAN_WORDS).ok_or_else(|| match value {
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Fault::NotOneOf(BOOLEAN_WORDS.to_vec())
        }
        _ => Fault::Type(ExpectedType::Boolean),
    })
}

/// Reads a whole number, as number or as text; `2.0` is whole.
pub fn integer(value: &Value) -> Read<i64> {
    const WANTED: Fault = Fault::Type(ExpectedType::WholeNumber);
    let from_float = |number: f64| {
        // 2^53: beyond it, floats do not represent every whole number.
        (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0)
            .then(|| format!("{number:.0}").parse().ok())
            .flatten()
            .ok_or(WANTED)
    };
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Ok(number),
            (None, Some(number)) => from_float(number),
            (None, None) => Err(WANTED),
        },
        Value::String(text) => whole(text),
        _ => Err(WANTED),
    }
}

/// Reads digits, with an optional sign and zero decimals. A number beyond the range of IDs becomes
/// the greatest ID, which no record has.
fn whole(text: &str) -> Read<i64> {
    const WANTED: Fault = Fault::Type(ExpectedType::WholeNumber);
    let text = text.trim();
    let text = match text.split_once('.') {
        Some((whole, decimals)) if !decimals.is_empty() && decimals.bytes().all(|b| b == b'0') => {
            whole
        }
        _ => text,
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(WANTED);
    }
    let number = digits.parse().unwrap_or(i64::MAX);
    Ok(if negative { -number } else { number })
}

/// Reads a whole number from 1 on.
pub fn positive(value: &Value) -> Read<i64> {
    match integer(value)? {
        number if number > 0 => Ok(number),
        _ => Err(Fault::OutOfRange(Range::From(1))),
    }
}

/// The words for ascending and descending.
pub(crate) const ORDER_WORDS: [&str; 2] = ["asc", "desc"];

/// Reads `asc` or `desc`, in any letter case; true for descending.
pub fn order(value: &Value) -> Read<bool> {
    let word = text(value)?.to_ascii_lowercase();
    let index = ORDER_WORDS.iter().position(|one| *one == word);
    let index = index.ok_or_else(|| Fault::NotOneOf(ORDER_WORDS.to_vec()))?;
    Ok(index == 1)
}

/// Reads a number from `min` to `max`.
pub fn number(value: &Value, min: i32, max: i32) -> Read<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.ok_or(Fault::Type(ExpectedType::Number))?;
    if (f64::from(min)..=f64::from(max)).contains(&number) {
        Ok(number)
    } else {
        Err(Fault::OutOfRange(Range::Within(min, max)))
    }
}

/// Reads a latitude.
pub fn latitude(value: &Value) -> Read<f64> {
    number(value, -90, 90)
}

/// Reads a longitude.
pub fn longitude(value: &Value) -> Read<f64> {
    number(value, -180, 180)
}

/// Reads the name of a status.
pub fn status(value: &Value) -> Read<Status> {
    named(text(value)?, &Status::NAMES)
}

/// Reads a time zone; an empty text is the site's zone.
pub fn zone(value: &Value, site: &Zone) -> Read<Zone> {
    match any_text(value)? {
        "" => Ok(site.clone()),
        name => Ok(name.parse::<Zone>()?),
    }
}

/// Reads a date, as text or as a number of Unix seconds.
pub fn date_text(value: &Value) -> Read<String> {
    match value {
        Value::String(text) if text.is_empty() => Err(Fault::Empty),
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) => {
            let seconds = integer(value).map_err(|_| Fault::Type(ExpectedType::Date))?;
            Ok(seconds.to_string())
        }
        _ => Err(Fault::Type(ExpectedType::Date)),
    }
}

/// Reads a date in a zone.
pub fn date(value: &Value, zone: &Zone, now: Timestamp) -> Read<Moment> {
    sent_date(value, zone, now).map(|sent| sent.moment())
}

/// Reads a date in a zone, for comparison with a stored one.
pub fn sent_date(value: &Value, zone: &Zone, now: Timestamp) -> Read<SentDate> {
    Ok(read_date(&date_text(value)?, zone, now)?)
}

/// Reads the cost of an event: a number, a text or a list of these. An empty text is no cost.
pub fn cost(value: &Value) -> Read<Cost> {
    let amounts = match value {
        Value::Array(values) if values.len() > MAX_LIST => return Err(Fault::TooMany),
        Value::Array(values) => values.iter().map(amount).collect::<Read<Vec<_>>>()?,
        value => vec![amount(value)?],
    };
    Ok(Cost::parse(&amounts)?)
}

/// Reads one amount of a cost.
pub fn amount(value: &Value) -> Read<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(plain_amount(number)),
        _ => Err(Fault::Type(ExpectedType::Price)),
    }
}

/// Formats a number in plain digits, which the cost parser reads as the same amount.
fn plain_amount(number: &Number) -> String {
    let plain = match (number.is_f64(), number.as_f64()) {
        (true, Some(number)) => number.to_string(),
        _ => number.to_string(),
    };
    // Three digits after a separator would be read as a group.
    match plain.split_once('.') {
        Some((_, decimals)) if decimals.len() == 3 => plain + "0",
        _ => plain,
    }
}

/// Reads the code of a currency.
pub fn currency(value: &Value) -> Read<Currency> {
    text(value)?
        .parse::<Currency>()
        .map_err(|_| Fault::Type(ExpectedType::Currency))
}

/// Reads the price of a ticket: a number, or a decimal number as text.
pub fn price(value: &Value) -> Read<Price> {
    match value {
        Value::Number(number) => Ok(number.to_string().parse::<Price>()?),
        value => Ok(text(value)?.parse::<Price>()?),
    }
}

/// The reference that a value is: the ID of a record in the form of an answer, else the value itself.
pub fn reference(value: &Value) -> &Value {
    let id = value.get("id").filter(|id| !is_nothing(id));
    id.unwrap_or(value)
}

/// Whether a value stands for no record.
pub fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => matches!(text.trim(), "" | "0"),
        Value::Number(number) => number.as_f64() == Some(0.0),
        _ => false,
    }
}

/// Reads IDs and names of related records: a [`list`] in which a text such as `3,4` within an array
/// stands for several IDs. A name within an array may contain commas.
pub fn links(value: &Value) -> Read<Vec<Value>> {
    let is_id = |item: &Value| {
        let text = item.as_str().unwrap_or_default();
        text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut values = Vec::new();
    for value in list(value)? {
        let ids = value.as_str().map(split_commas);
        match ids.filter(|ids| ids.iter().all(is_id)) {
            Some(ids) => values.extend(ids),
            None => values.push(value),
        }
    }
    check_count(values.len())?;
    Ok(values)
}

/// Reads a list: `[1, 2]`, `"1,2"`, or one value. Blanks around values and empty values are
/// dropped.
pub fn list(value: &Value) -> Read<Vec<Value>> {
    let values: Vec<Value> = match value {
        Value::String(text) => split_commas(text),
        Value::Array(values) => values
            .iter()
            .filter(|value| !is_blank(value))
            .cloned()
            .collect(),
        value => vec![value.clone()],
    };
    check_count(values.len())?;
    Ok(values)
}

/// Splits a comma-separated text into values.
pub fn split_commas(text: &str) -> Vec<Value> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(Value::from)
        .collect()
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Reads a list of at least one value.
pub fn filled_list(value: &Value) -> Read<Vec<Value>> {
    let values = match value {
        // In a query, `x[]=1,2` equals `x=1,2`.
        Value::Array(values) => {
            let mut all = Vec::new();
            for value in values {
                all.extend(list(value)?);
            }
            all
        }
        value => list(value)?,
    };
    if values.is_empty() {
        return Err(Fault::Empty);
    }
    check_count(values.len())?;
    Ok(values)
}

/// Reads a list of at least one ID.
pub fn ids(value: &Value) -> Read<Vec<i64>> {
    filled_list(value)?.iter().map(positive).collect()
}
