//! Properties: content lines in their parts.

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
}

impl Property {
    /// Parses an unfolded line; none without a colon behind its name and parameters.
    pub(super) fn parse(line: u64, text: &str) -> Option<Self> {
        let name_end = text.find([';', ':'])?;
        let (name, mut rest) = text.split_at(name_end);
        let mut parameters = Vec::new();
        while let Some(parameter) = rest.strip_prefix(';') {
            let end = unquoted(parameter, |c| matches!(c, ';' | ':'))?;
            let (parameter, after) = parameter.split_at(end);
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            parameters.push((key.trim().to_ascii_uppercase(), parameter_value(value)));
            rest = after;
        }
        let value = rest.strip_prefix(':')?;
        let name = name.trim().to_ascii_uppercase();
        Some(Self {
            line,
            name,
            parameters,
            value: value.to_owned(),
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
