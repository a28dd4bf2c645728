//! Content lines: properties with parameters and values, folded (RFC 5545, section 3.1).

use std::fmt;

use domain::recurrence::{DateValue, Rule};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Most octets of a line, without its line break.
const MAX_OCTETS: usize = 75;

/// The characters that a URI must not contain (RFC 3986, section 2). `%` stays, as URLs are encoded.
const NOT_IN_URI: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The characters that separate parts of a `mailto` URI, besides (RFC 6068, section 2).
const NOT_IN_MAILBOX: &AsciiSet = &NOT_IN_URI
    .add(b'%')
    .add(b'&')
    .add(b'?')
    .add(b'#')
    .add(b'/')
    .add(b';')
    .add(b'[')
    .add(b']');

/// Content lines of a component, as UTF-8.
///
/// No value ends its line: each is escaped by its type, and control characters are left out.
#[derive(Debug, Default)]
pub(crate) struct ContentLines(String);

impl ContentLines {
    /// Begins a property.
    pub(crate) fn property(&mut self, name: &'static str) -> Property<'_> {
        let mut property = Property {
            lines: &mut self.0,
            octets: 0,
        };
        property.write(name);
        property
    }

    /// Writes BEGIN and END of a component around the lines of another function.
    pub(crate) fn component(&mut self, name: &'static str, content: impl FnOnce(&mut Self)) {
        self.property("BEGIN").value(name);
        content(self);
        self.property("END").value(name);
    }

    /// The lines so far.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// A property whose name and parameters are written, and whose value is missing.
#[must_use = "a property without a value leaves its line open"]
pub(crate) struct Property<'a> {
    lines: &'a mut String,
    /// The octets of the present line.
    octets: usize,
}

impl Property<'_> {
    /// Adds a parameter, quoted if need be (RFC 6868).
    pub(crate) fn parameter(mut self, name: &'static str, value: &str) -> Self {
        self.atom(";");
        self.write(name);
        self.atom("=");
        let quote = if value.contains([':', ';', ',']) {
            "\""
        } else {
            ""
        };
        self.atom(quote);
        for c in characters(value) {
            match c {
                Character::LineBreak => self.atom("^n"),
                Character::Other('^') => self.atom("^^"),
                Character::Other('"') => self.atom("^'"),
                Character::Other(c) => self.character(c),
            }
        }
        self.atom(quote);
        self
    }

    /// Ends the line with a value of the type TEXT.
    pub(crate) fn text(self, value: &str) {
        self.texts([value]);
    }

    /// Ends the line with a list of values of the type TEXT.
    pub(crate) fn texts<'t>(mut self, values: impl IntoIterator<Item = &'t str>) {
        self.atom(":");
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.atom(",");
            }
            for c in characters(value) {
                match c {
                    Character::LineBreak => self.atom("\\n"),
                    Character::Other('\\') => self.atom("\\\\"),
                    Character::Other(';') => self.atom("\\;"),
                    Character::Other(',') => self.atom("\\,"),
                    Character::Other(c) => self.character(c),
                }
            }
        }
        self.end();
    }

    /// Ends the line with a URI, as ASCII.
    pub(crate) fn uri(mut self, uri: &str) {
        self.atom(":");
        self.encoded(uri, NOT_IN_URI);
        self.end();
    }

    /// Ends the line with the address of a mailbox.
    pub(crate) fn mailto(mut self, mailbox: &str) {
        self.atom(":");
        self.write("mailto:");
        self.encoded(mailbox, NOT_IN_MAILBOX);
        self.end();
    }

    /// Ends the line with a value that needs no escape.
    pub(crate) fn value(self, value: impl Into<Plain>) {
        self.values([value]);
    }

    /// Ends the line with a list of values that need no escape.
    pub(crate) fn values(mut self, values: impl IntoIterator<Item = impl Into<Plain>>) {
        self.atom(":");
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.atom(",");
            }
            self.write(&value.into().0);
        }
        self.end();
    }

    fn encoded(&mut self, uri: &str, set: &'static AsciiSet) {
        utf8_percent_encode(uri, set).for_each(|piece| self.write(piece));
    }

    /// Writes a text that may be folded between any two of its characters.
    fn write(&mut self, text: &str) {
        text.chars().for_each(|c| self.character(c));
    }

    fn character(&mut self, c: char) {
        self.atom(c.encode_utf8(&mut [0; 4]));
    }

    /// Writes what must stay on one line, and folds before it if it would not fit.
    fn atom(&mut self, atom: &str) {
        if self.octets + atom.len() > MAX_OCTETS {
            self.lines.push_str("\r\n ");
            self.octets = 1;
        }
        self.lines.push_str(atom);
        self.octets += atom.len();
    }

    fn end(self) {
        self.lines.push_str("\r\n");
    }
}

/// A value that consists of printable ASCII characters, none of which needs an escape.
pub(crate) struct Plain(String);

impl Plain {
    /// Formats constants and numbers. Other characters than printable ASCII are left out.
    pub(crate) fn new(arguments: fmt::Arguments<'_>) -> Self {
        let mut text = fmt::format(arguments);
        text.retain(|c| c == ' ' || c.is_ascii_graphic());
        Self(text)
    }
}

impl From<&'static str> for Plain {
    fn from(constant: &'static str) -> Self {
        Self(constant.to_owned())
    }
}

impl From<i64> for Plain {
    fn from(number: i64) -> Self {
        Self(number.to_string())
    }
}

impl From<DateValue> for Plain {
    fn from(date: DateValue) -> Self {
        Self(date.basic())
    }
}

impl From<&Rule> for Plain {
    fn from(rule: &Rule) -> Self {
        Self(rule.to_string())
    }
}

/// A character of a value.
enum Character {
    LineBreak,
    Other(char),
}

/// The characters of a value: each line break as one, control characters but TAB left out.
fn characters(value: &str) -> impl Iterator<Item = Character> {
    let mut after_cr = false;
    value.chars().filter_map(move |c| {
        let is_second = std::mem::replace(&mut after_cr, c == '\r') && c == '\n';
        match c {
            '\n' if is_second => None,
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(Character::LineBreak),
            c if c.is_control() && c != '\t' => None,
            c => Some(Character::Other(c)),
        }
    })
}
