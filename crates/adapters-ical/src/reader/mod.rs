//! Reading of iCalendar files.
//!
//! A file is divided by line into components. Events wait for the end of their calendar, as the zones and
//! the method that they need may stand behind them. Properties are parsed here, not by a library: those read whole files, forget the numbers of lines, or bring a time
//! zone database of their own.

mod dates;
mod display_names;
mod event;
mod lines;
mod property;
mod rule_text;
mod rules;
mod scales;
#[cfg(test)]
mod tests;
mod text_encoding;
mod wall_slots;
mod windows_zones;
mod zones;

use std::{
    collections::VecDeque,
    io::{self, Read},
};

use domain::time::Zone;
use interchange::{Finding, FindingCode, ReadItem};

use self::{
    event::EventReader,
    lines::{Line, Lines},
    property::Property,
    zones::{Definition, Zones},
};

/// Most bytes of the lines of a component.
const MAX_COMPONENT: usize = 1024 * 1024;

/// Most components within each other.
const MAX_DEPTH: usize = 8;

/// Most properties of an event.
const MAX_PROPERTIES: usize = 1000;

/// Reads one iCalendar file.
pub(crate) struct Reader {
    lines: Lines,
    zones: Zones,
    /// The names of the open components, the outermost first, up to [`MAX_DEPTH`].
    open: Vec<String>,
    /// The open components beyond.
    beyond: usize,
    /// The open event or definition of a zone.
    component: Option<Component>,
    /// The components of the open calendar so far, in the order of the file.
    waiting: Vec<Waiting>,
    /// The method of the open calendar, in capitals.
    method: Option<Method>,
    /// Items that are read and not given yet.
    items: VecDeque<ReadItem>,
    /// Whether any component began.
    has_components: bool,
    has_recoded: bool,
    is_at_end: bool,
}

/// A part of a calendar that is not given yet.
#[derive(Debug)]
enum Waiting {
    Item(ReadItem),
    Event(Component),
}

/// The methods of calendars (RFC 5546) that say more than the events in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// All events are called off.
    Cancel,
    /// An answer to an invitation.
    Answer,
}

impl Method {
    fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_uppercase().as_str() {
            "CANCEL" => Some(Self::Cancel),
            "REPLY" | "COUNTER" | "DECLINECOUNTER" | "REFRESH" => Some(Self::Answer),
            _ => None,
        }
    }
}

/// An event, or the definition of a zone, before its end.
#[derive(Debug)]
struct Component {
    /// The line of its beginning.
    line: u64,
    /// The number of open components with it.
    depth: usize,
    is_event: bool,
    bytes: usize,
    properties: Vec<Property>,
    /// The properties of each observance of a zone.
    observances: Vec<Vec<Property>>,
    /// The first reason to refuse it.
    refused: Option<Finding>,
}

impl Component {
    fn new(line: u64, depth: usize, is_event: bool) -> Self {
        Self {
            line,
            depth,
            is_event,
            bytes: 0,
            properties: Vec::new(),
            observances: Vec::new(),
            refused: None,
        }
    }

    /// Refuses the component, and forgets its properties.
    fn refuse(&mut self, line: u64, property: Option<String>, code: FindingCode) {
        let uid = self
            .properties
            .iter()
            .find(|property| property.name == "UID");
        let uid = uid.map(Property::text);
        self.refused.get_or_insert(Finding {
            line,
            uid,
            property,
            code,
        });
        self.properties = Vec::new();
        self.observances = Vec::new();
    }

    /// Adds a property of the component, or of an observance in it.
    fn add(&mut self, property: Property, depth: usize) {
        if self.refused.is_some() {
            return;
        }
        let list = match self.observances.last_mut() {
            Some(observance) if !self.is_event && depth > self.depth => observance,
            _ => &mut self.properties,
        };
        list.push(property);
    }

    fn count(&self) -> usize {
        self.properties.len() + self.observances.iter().map(Vec::len).sum::<usize>()
    }
}

impl Reader {
    pub(crate) fn new(file: Box<dyn Read + Send>, zone: Zone) -> Self {
        Self {
            lines: Lines::new(file),
            zones: Zones::new(zone),
            open: Vec::new(),
            beyond: 0,
            component: None,
            waiting: Vec::new(),
            method: None,
            items: VecDeque::new(),
            has_components: false,
            has_recoded: false,
            is_at_end: false,
        }
    }

    fn warn(&mut self, line: u64, property: Option<String>, code: FindingCode) {
        self.wait(ReadItem::Warning(Finding {
            line,
            uid: None,
            property,
            code,
        }));
    }

    fn wait(&mut self, item: ReadItem) {
        self.waiting.push(Waiting::Item(item));
    }

    fn line(&mut self, line: Line) {
        let Line {
            number,
            text,
            is_cut,
            is_recoded,
        } = line;
        if is_recoded && !self.has_recoded {
            self.has_recoded = true;
            self.warn(number, None, FindingCode::Encoding);
        }
        let is_refused = self
            .component
            .as_ref()
            .is_some_and(|one| one.refused.is_some());
        if is_refused && !is_structure(&text) {
            return;
        }
        let property = Property::parse(number, &text);
        if let Some(component) = &mut self.component {
            component.bytes += text.len();
            let name = property.as_ref().map(|property| property.name.clone());
            if is_cut || component.bytes > MAX_COMPONENT {
                component.refuse(number, name, FindingCode::TooLarge);
                if is_cut {
                    return;
                }
            }
        } else if is_cut {
            self.warn(number, None, FindingCode::TooLarge);
            return;
        }
        let Some(property) = property else {
            if !text.trim().is_empty() {
                self.warn(number, None, FindingCode::NoColon);
            }
            return;
        };
        match property.name.as_str() {
            "BEGIN" => self.begin(number, property.value.trim().to_ascii_uppercase()),
            "END" => self.end(number, &property.value.trim().to_ascii_uppercase()),
            _ => self.property(property),
        }
    }

    fn begin(&mut self, line: u64, name: String) {
        self.has_components = true;
        let is_event = name == "VEVENT";
        // Each calendar has zones and a method of its own.
        if name == "VCALENDAR" {
            if !self.open.is_empty() {
                self.warn(line, Some(name.clone()), FindingCode::NotClosed);
                self.close(0);
            }
            self.end_calendar();
        }
        // Events and definitions of zones do not contain each other: the one before has no end.
        if is_event || name == "VTIMEZONE" {
            let enclosing = self.component.as_ref().map(|component| component.depth);
            if let Some(depth) = enclosing {
                self.warn(line, Some(name.clone()), FindingCode::NotClosed);
                self.close(depth - 1);
            }
        }
        if self.open.len() >= MAX_DEPTH {
            self.beyond += 1;
            match &mut self.component {
                Some(component) => component.refuse(line, Some(name), FindingCode::TooDeep),
                None if self.beyond == 1 => self.warn(line, Some(name), FindingCode::TooDeep),
                None => {}
            }
            return;
        }
        self.open.push(name);
        let depth = self.open.len();
        let name = self.open.last().map(String::as_str).unwrap_or_default();
        match (&mut self.component, name) {
            (None, "VCALENDAR") => {}
            (None, "VEVENT" | "VTIMEZONE") => {
                self.component = Some(Component::new(line, depth, is_event));
            }
            (Some(component), "STANDARD" | "DAYLIGHT") if !component.is_event => {
                if component.refused.is_none() {
                    component.observances.push(Vec::new());
                }
            }
            (_, name) => {
                let name = name.to_owned();
                self.wait(ReadItem::Ignored { line, name });
            }
        }
    }

    fn end(&mut self, line: u64, name: &str) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let Some(depth) = self.open.iter().rposition(|open| open == name) else {
            return;
        };
        if depth + 1 < self.open.len() {
            self.warn(line, Some(name.to_owned()), FindingCode::NotClosed);
        }
        self.close(depth);
    }

    /// Closes all components but the outermost ones, up to a number.
    fn close(&mut self, depth: usize) {
        self.open.truncate(depth);
        self.beyond = 0;
        if self
            .component
            .as_ref()
            .is_some_and(|component| component.depth > depth)
            && let Some(component) = self.component.take()
        {
            self.finish(component);
        }
        if depth == 0 {
            self.end_calendar();
        }
    }

    fn finish(&mut self, mut component: Component) {
        match component.refused.take() {
            Some(finding) if component.is_event => self.wait(ReadItem::Refused(finding)),
            Some(finding) => self.wait(ReadItem::Warning(finding)),
            None if component.is_event => self.waiting.push(Waiting::Event(component)),
            None => {
                let Component {
                    properties,
                    observances,
                    ..
                } = &component;
                if let Some((name, definition)) = Definition::read(properties, observances) {
                    self.zones.define(name, definition);
                }
            }
        }
    }

    /// Reads the events of a calendar, all of whose zones are known now.
    fn end_calendar(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Item(item) => self.items.push_back(item),
                Waiting::Event(component) => self.event(&component),
            }
        }
        self.zones.forget();
        self.method = None;
    }

    fn event(&mut self, component: &Component) {
        let Component {
            line, properties, ..
        } = component;
        let mut reader = EventReader::new(*line, properties, &mut self.zones);
        if self.method == Some(Method::Answer) {
            let (name, finding) = ("VEVENT".to_owned(), reader.answer());
            self.items.push_back(ReadItem::Warning(finding));
            self.items
                .push_back(ReadItem::Ignored { line: *line, name });
            return;
        }
        let event = reader.read(self.method == Some(Method::Cancel));
        let warnings = std::mem::take(&mut reader.warnings);
        self.items
            .extend(warnings.into_iter().map(ReadItem::Warning));
        self.items.push_back(match event {
            Ok(event) => ReadItem::Event(Box::new(event)),
            Err(finding) => ReadItem::Refused(finding),
        });
    }

    fn property(&mut self, property: Property) {
        let depth = self.open.len();
        let Some(component) = &mut self.component else {
            match property.name.as_str() {
                "X-WR-TIMEZONE" if depth <= 1 => self.zones.set_calendar(&property.text()),
                "METHOD" if depth <= 1 => self.method = Method::parse(&property.value),
                _ => {}
            }
            return;
        };
        // Properties of an alarm, or of another component in the event.
        if self.beyond > 0 || (component.is_event && depth > component.depth) {
            return;
        }
        if matches!(property.name.as_str(), "ATTACH" | "IMAGE") {
            let (line, name) = (property.line, property.name);
            self.wait(ReadItem::Ignored { line, name });
            return;
        }
        let is_list = ["EXDATE", "RDATE", "CATEGORIES"].contains(&property.name.as_str());
        if component.count() >= MAX_PROPERTIES {
            component.refuse(
                property.line,
                Some(property.name),
                FindingCode::TooManyProperties,
            );
        } else if is_list && property.has_too_many_values() {
            component.refuse(
                property.line,
                Some(property.name),
                FindingCode::TooManyValues,
            );
        } else {
            component.add(property, depth);
        }
    }
}

/// Whether a line begins or ends a component.
fn is_structure(text: &str) -> bool {
    let starts = |name: &str| {
        text.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    starts("BEGIN") || starts("END")
}

impl Iterator for Reader {
    type Item = io::Result<ReadItem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Some(Ok(item));
            }
            if self.is_at_end {
                return None;
            }
            match self.lines.next() {
                Ok(Some(line)) => {
                    self.line(line);
                    continue;
                }
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
            self.is_at_end = true;
            if let Some(name) = self.open.last().cloned() {
                self.warn(self.lines.number(), Some(name), FindingCode::NotClosed);
                self.close(0);
            }
            self.end_calendar();
            if !self.has_components {
                self.items.push_back(ReadItem::Refused(Finding {
                    line: 1,
                    uid: None,
                    property: None,
                    code: FindingCode::NoCalendar,
                }));
            }
        }
    }
}
