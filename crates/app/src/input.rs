//! What a request sends, read field by field so that every bad one is reported at once.

use domain::{
    Kind, Language, Status,
    cost::{Cost, InvalidCost},
    html::{RichText, TooLong},
    slug::Slug,
    text::{InvalidTitle, Title, collapsed_line},
    time::{InvalidDate, InvalidEventTime, InvalidZone, Moment, Timestamp, Zone, parse_date},
    web_url::{InvalidWebUrl, WebUrl},
};
use serde_json::{Map, Value};

use crate::{
    error::{AppError, Faults},
    patch::Patch,
};

/// At most this many values in a list that a request sends.
pub const MAX_LIST: usize = 100;

/// At most this many characters in a one-line text other than a title.
pub const MAX_LINE_CHARS: usize = 1000;

/// What a request sends: its body and its query, fields by name.
///
/// A field with the value `null` counts as not sent.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// From the body, which wins.
    pub body: Map<String, Value>,
    /// From the query.
    pub query: Map<String, Value>,
}

impl Fields {
    /// Fields that come from a body alone.
    pub fn from_body(body: Map<String, Value>) -> Self {
        Self {
            body,
            query: Map::new(),
        }
    }

    /// The value of a field, if it was sent.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let sent =
            |fields: &'_ Map<String, Value>| fields.get(name).is_some_and(|value| !value.is_null());
        if sent(&self.body) {
            self.body.get(name)
        } else if sent(&self.query) {
            self.query.get(name)
        } else {
            None
        }
    }
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another type is wanted.
    #[error("must be {0}")]
    Type(&'static str),
    /// It is empty.
    #[error("must not be empty")]
    Empty,
    /// It is not one of the known words.
    #[error("must be one of {}", .0.join(", "))]
    NotOneOf(Vec<&'static str>),
    /// It is known, and not for this caller.
    #[error("may not be set to this value by the caller")]
    NotAllowed,
    /// It is too small or too great.
    #[error("must be {0}")]
    OutOfRange(&'static str),
    /// It is too long.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// The list is too long.
    #[error("must have at most {MAX_LIST} values")]
    TooMany,
    /// It cannot be a title or a name.
    #[error(transparent)]
    Title(#[from] InvalidTitle),
    /// It cannot be a text with formatting.
    #[error(transparent)]
    RichText(#[from] TooLong),
    /// It is not a date.
    #[error(transparent)]
    Date(#[from] InvalidDate),
    /// It does not fit the other date.
    #[error(transparent)]
    EventTime(#[from] InvalidEventTime),
    /// It is not a time zone.
    #[error(transparent)]
    Zone(#[from] InvalidZone),
    /// It is not a web address.
    #[error(transparent)]
    WebUrl(#[from] InvalidWebUrl),
    /// It is not a price.
    #[error(transparent)]
    Cost(#[from] InvalidCost),
    /// Nothing usable is left of a slug.
    #[error("must contain a letter or a digit")]
    Slug,
    /// It names a record that does not exist, or that the caller may not see.
    #[error("names no {0} that exists")]
    Unknown(&'static str),
    /// A record given in full is not usable.
    #[error("is not usable as {kind}: {reason}")]
    Inline {
        /// What it was to be.
        kind: Kind,
        /// Which of its fields are missing or wrong, and why.
        reason: String,
    },
}

impl Fault {
    /// Whether the value is of another type than the field's.
    pub fn is_type(&self) -> bool {
        matches!(self, Self::Type(_))
    }
}

/// Reads fields and collects what is wrong with them.
#[derive(Debug)]
pub struct Input<'a> {
    fields: &'a Fields,
    missing: Vec<&'static str>,
    faults: Faults,
}

impl<'a> Input<'a> {
    /// Starts to read.
    pub fn new(fields: &'a Fields) -> Self {
        Self {
            fields,
            missing: Vec::new(),
            faults: Faults::new(),
        }
    }

    /// Notes that a field is required; if it was not sent, that is reported.
    pub fn require(&mut self, name: &'static str) {
        if self.fields.get(name).is_none() {
            self.missing.push(name);
        }
    }

    /// Notes what is wrong with a field.
    pub fn fault(&mut self, name: &'static str, fault: impl Into<Fault>) {
        self.faults.entry(name).or_insert_with(|| fault.into());
    }

    /// Reads a field that was sent.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Option<T> {
        let value = self.fields.get(name)?;
        match read(value) {
            Ok(value) => Some(value),
            Err(fault) => {
                self.fault(name, fault);
                None
            }
        }
    }

    /// Reads a field that can be emptied by an empty text.
    pub fn patch<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, Fault>,
    ) -> Patch<T> {
        match self.fields.get(name) {
            None => Patch::Keep,
            Some(Value::String(text)) if text.is_empty() => Patch::Clear,
            Some(_) => self.read(name, read).map_or(Patch::Keep, Patch::Set),
        }
    }

    /// The value of a field as it was sent.
    pub fn raw(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name)
    }

    /// The language in which the request speaks, if it says so.
    pub fn language(&mut self) -> Option<Language> {
        self.read("ml_language", |value| {
            Language::from_code(text(value)?).ok_or_else(|| {
                Fault::NotOneOf(Language::ALL.iter().map(|one| one.code()).collect())
            })
        })
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// [`AppError::Missing`] if a required field was not sent; else [`AppError::Invalid`] if
    /// something is wrong with one.
    pub fn finish(self) -> Result<(), AppError> {
        if !self.missing.is_empty() {
            return Err(AppError::Missing(self.missing));
        }
        if !self.faults.is_empty() {
            return Err(AppError::Invalid(self.faults));
        }
        Ok(())
    }
}

type Read<T> = Result<T, Fault>;

/// A text of at least one character.
pub fn text(value: &Value) -> Read<&str> {
    match value {
        Value::String(text) if text.is_empty() => Err(Fault::Empty),
        Value::String(text) => Ok(text),
        _ => Err(Fault::Type("text")),
    }
}

fn any_text(value: &Value) -> Read<&str> {
    value.as_str().ok_or(Fault::Type("text"))
}

/// A title or a name.
pub fn title(value: &Value) -> Read<Title> {
    Ok(Title::parse(text(value)?)?)
}

/// A one-line text that may be empty.
pub fn line(value: &Value) -> Read<String> {
    let line = collapsed_line(any_text(value)?);
    if line.chars().count() > MAX_LINE_CHARS {
        return Err(Fault::TooLong(MAX_LINE_CHARS));
    }
    Ok(line)
}

/// A text with formatting that may be empty.
pub fn rich_text(value: &Value) -> Read<RichText> {
    Ok(RichText::parse(any_text(value)?)?)
}

/// A slug, normalised.
pub fn slug(value: &Value) -> Read<Slug> {
    Slug::normalize(text(value)?).ok_or(Fault::Slug)
}

/// A web address.
pub fn web_url(value: &Value) -> Read<WebUrl> {
    Ok(WebUrl::parse(text(value)?)?)
}

/// Exactly true or false: `true`, `false`, `1`, `0` as themselves or as text, words in any case.
pub fn boolean(value: &Value) -> Read<bool> {
    const WANTED: Fault = Fault::Type("true or false");
    match value {
        Value::Bool(value) => Ok(*value),
        // Not `as_u64`: 1.0 is no boolean.
        Value::Number(number) if number.is_u64() => match number.as_u64() {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(WANTED),
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(WANTED),
        },
        _ => Err(WANTED),
    }
}

/// True for `1`, `true`, `yes`, `y`, `on`, `enable`, `enabled` in any case, false for all else.
pub fn loose_boolean(value: &Value) -> Read<bool> {
    Ok(match value {
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() == Some(1.0),
        Value::String(text) => matches!(
            text.to_ascii_lowercase().as_str(),
            "1" | "true" | "yes" | "y" | "on" | "enable" | "enabled"
        ),
        _ => return Err(Fault::Type("true or false")),
    })
}

/// `1`, `true`, `yes`, `on` or `0`, `false`, `no`, `off`, in any case.
pub fn switch(value: &Value) -> Read<bool> {
    let known = || Fault::NotOneOf(vec!["true", "false", "1", "0", "yes", "no", "on", "off"]);
    match value {
        Value::Bool(value) => Ok(*value),
        Value::Number(number) => match number.as_u64() {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(known()),
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Ok(true),
            "0" | "false" | "no" | "off" => Ok(false),
            _ => Err(known()),
        },
        _ => Err(Fault::Type("true or false")),
    }
}

/// A whole number, as number or as text; `2.0` is whole.
pub fn integer(value: &Value) -> Read<i64> {
    const WANTED: Fault = Fault::Type("a whole number");
    let from_float = |number: f64| {
        // 2^53: above it, not every whole number is a float.
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

/// Digits, with a sign and zeros as decimals at will; beyond the range of IDs the greatest ID,
/// under which nothing is kept.
fn whole(text: &str) -> Read<i64> {
    const WANTED: Fault = Fault::Type("a whole number");
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

/// A whole number from 1 on.
pub fn positive(value: &Value) -> Read<i64> {
    match integer(value)? {
        number if number > 0 => Ok(number),
        _ => Err(Fault::OutOfRange("1 or more")),
    }
}

/// `asc` or `desc`, in any case; true for descending.
pub fn order(value: &Value) -> Read<bool> {
    match text(value)?.to_ascii_lowercase().as_str() {
        "asc" => Ok(false),
        "desc" => Ok(true),
        _ => Err(Fault::NotOneOf(vec!["asc", "desc"])),
    }
}

/// A number from `min` to `max`, which `range` says in words.
pub fn number(value: &Value, min: f64, max: f64, range: &'static str) -> Read<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.ok_or(Fault::Type("a number"))?;
    if (min..=max).contains(&number) {
        Ok(number)
    } else {
        Err(Fault::OutOfRange(range))
    }
}

/// The ID of an image.
pub fn image(value: &Value) -> Read<i64> {
    match integer(value) {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(Fault::Type("the ID of an image")),
    }
}

/// A status by its name.
pub fn status(value: &Value) -> Read<Status> {
    Status::from_name(text(value)?).ok_or_else(unknown_status)
}

/// What is wrong with a status that is none.
pub fn unknown_status() -> Fault {
    Fault::NotOneOf(Status::ALL.iter().map(|one| one.name()).collect())
}

/// A time zone; empty for the site's.
pub fn zone(value: &Value, site: &Zone) -> Read<Zone> {
    match any_text(value)? {
        "" => Ok(site.clone()),
        name => Ok(Zone::parse(name)?),
    }
}

/// A date, as text or as a number of Unix seconds.
pub fn date_text(value: &Value) -> Read<String> {
    match value {
        Value::String(text) if text.is_empty() => Err(Fault::Empty),
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) if number.is_i64() => Ok(number.to_string()),
        _ => Err(Fault::Type("a date")),
    }
}

/// A date, read in a zone.
pub fn date(value: &Value, zone: &Zone, now: Timestamp) -> Read<Moment> {
    Ok(parse_date(&date_text(value)?, zone, now)?)
}

/// What an event costs: a number, a text or a list of these; empty for nothing said.
pub fn cost(value: &Value) -> Read<Cost> {
    let amount = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Fault::Type("text, a number or a list of these")),
    };
    let amounts = match value {
        Value::Array(values) if values.len() > MAX_LIST => return Err(Fault::TooMany),
        Value::Array(values) => values.iter().map(amount).collect::<Read<Vec<_>>>()?,
        value => vec![amount(value)?],
    };
    Ok(Cost::parse(&amounts)?)
}

/// The values of a list: `[1, 2]`, `"1,2"`, or one value. Blanks around values and empty values are
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
    if values.len() > MAX_LIST {
        return Err(Fault::TooMany);
    }
    Ok(values)
}

fn split_commas(text: &str) -> Vec<Value> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(Value::from)
        .collect()
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// The values of a list that must have one.
pub fn filled_list(value: &Value) -> Read<Vec<Value>> {
    let values = match value {
        // In a query `x[]=1,2` is the same as `x=1,2`.
        Value::Array(values) => {
            let mut all = Vec::new();
            for value in values {
                all.extend(list(value)?);
            }
            all
        }
        value => list(value)?,
    };
    match values.len() {
        0 => Err(Fault::Empty),
        length if length > MAX_LIST => Err(Fault::TooMany),
        _ => Ok(values),
    }
}

/// A list of IDs that must have one.
pub fn ids(value: &Value) -> Read<Vec<i64>> {
    filled_list(value)?.iter().map(positive).collect()
}
