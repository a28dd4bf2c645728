//! Properties: content lines in their parts.

use super::text_encoding;

/// Most values of a property.
pub(super) const MAX_VALUES: usize = 1000;

/// A property of a component, as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    /// The line, from 1.
    pub(super) line: u64,
    /// The name, in upper case.
    pub(super) name: String,
    /// The parameters, with names in upper case.
    pub(super) parameters: Vec<(String, String)>,
    /// The value, with its escapes.
    pub(super) value: String,
    /// Whether a TZID has a colon, and no quotation marks around it.
    pub(super) is_adjusted: bool,
}

impl Property {
    /// Parses an unfolded line; none without a colon behind its name and parameters.
    pub(super) fn parse(line: u64, text: &str) -> Option<Self> {
        let name_end = text.find([';', ':'])?;
        let (name, mut rest) = text.split_at(name_end);
        let mut parameters = Vec::new();
        let mut is_adjusted = false;
        while let Some(parameter) = rest.strip_prefix(';') {
            let mut end = unquoted(parameter, |c| matches!(c, ';' | ':'))?;
            if let Some(colon) = colon_of_date(parameter, end) {
                (end, is_adjusted) = (colon, true);
            }
            let (parameter, after) = parameter.split_at(end);
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            parameters.push((key.trim().to_ascii_uppercase(), parameter_value(value)));
            rest = after;
        }
        let as_sent = rest.strip_prefix(':')?;
        let name = name.trim().to_ascii_uppercase();
        let value = text_encoding::decoded(as_sent, &parameters);
        let value = value.unwrap_or_else(|| as_sent.to_owned());
        Some(Self {
            line,
            name,
            parameters,
            value,
            is_adjusted,
        })
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value as TEXT.
    pub(super) fn text(&self) -> String {
        unescaped(&self.value)
    }

    /// The values of a list of TEXT.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut is_escaped = false;
        let comma = |c: char| {
            let ends = c == ',' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        };
        self.value.split(comma).map(unescaped).collect()
    }

    /// The number of values that commas separate.
    pub(super) fn has_too_many_values(&self) -> bool {
        self.value.bytes().filter(|byte| *byte == b',').count() >= MAX_VALUES
    }
}

/// The end of a TZID that has colons itself, as `TZID=(UTC-05:00) Eastern Time:20270708T140000`: the
/// last colon before a date; `None` if the first colon ends the parameter.
fn colon_of_date(parameter: &str, end: usize) -> Option<usize> {
    let is_zone = parameter
        .get(..5)
        .is_some_and(|name| name.eq_ignore_ascii_case("TZID="));
    let begins_date = |colon: usize| {
        let mut digits = parameter[colon + 1..].chars().filter(|c| *c != '-');
        (0..8).all(|_| digits.next().is_some_and(|c| c.is_ascii_digit()))
    };
    if !is_zone || !parameter[end..].starts_with(':') || begins_date(end) {
        return None;
    }
    let mut colons = parameter.match_indices(':').map(|(at, _)| at);
    let last = colons.rfind(|at| *at > end && begins_date(*at))?;
    // Another parameter may stand between.
    let rest = &parameter[end..last];
    Some(rest.find(';').map_or(last, |at| end + at))
}

/// The position of the first such character outside of quotation marks.
fn unquoted(text: &str, is_end: impl Fn(char) -> bool) -> Option<usize> {
    let mut is_quoted = false;
    text.find(|c| {
        is_quoted ^= c == '"';
        is_end(c) && !is_quoted
    })
}

/// The value of a parameter without quotation marks and escapes (RFC 6868).
fn parameter_value(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut characters = text.trim().chars().filter(|c| *c != '"').peekable();
    while let Some(c) = characters.next() {
        let escaped = match (c, characters.peek()) {
            ('^', Some('n')) => '\n',
            ('^', Some('^')) => '^',
            ('^', Some('\'')) => '"',
            _ => {
                value.push(c);
                continue;
            }
        };
        characters.next();
        value.push(escaped);
    }
    value
}

/// A TEXT without its escapes. An unknown escape stays.
fn unescaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        match characters.next() {
            Some('n' | 'N') => value.push('\n'),
            Some(escaped @ ('\\' | ';' | ',')) => value.push(escaped),
            Some(other) => value.extend(['\\', other]),
            None => value.push('\\'),
        }
    }
    value
}
