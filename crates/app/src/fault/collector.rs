//! The faults of one write or read.

use std::borrow::Cow;

use domain::{
    FieldName, Kind,
    html::{self, RichText},
    slug::Slug,
    text::collapsed_line,
};

use super::{BadFields, Fault, Faults, MAX_LINE_CHARS, MAX_TEXT_BYTES};
use crate::change::Change;

/// A one-line text that may be empty, with its blanks collapsed.
///
/// # Errors
///
/// [`Fault::TooLong`] for more than [`MAX_LINE_CHARS`] characters.
pub fn checked_line(text: &str) -> Result<String, Fault> {
    let line = collapsed_line(text);
    if line.chars().count() > MAX_LINE_CHARS {
        return Err(Fault::TooLong(MAX_LINE_CHARS));
    }
    Ok(line)
}

/// A formatted text as sent.
#[derive(Clone, Debug)]
pub struct SentHtml {
    text: String,
    /// The part of its length that was counted.
    bytes: usize,
}

impl SentHtml {
    /// The text as sent.
    ///
    /// ```
    /// use domain::FieldName;
    /// use events_calendar_app::fault::FaultCollector;
    ///
    /// let sent = FaultCollector::default().read_html(FieldName::Excerpt, "<b>Boots</b>");
    /// assert_eq!(sent.unwrap().as_str(), "<b>Boots</b>");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Collects the faults of fields, so that one answer reports all of them, and counts their texts.
#[derive(Clone, Debug, Default)]
pub struct FaultCollector {
    missing: Vec<FieldName>,
    faults: Faults,
    /// Length of the texts in the fields that were read, in bytes; at most [`MAX_TEXT_BYTES`].
    text_bytes: usize,
    /// Length of the same texts with their markup, in bytes.
    sent_bytes: usize,
    /// The part of `text_bytes` of each field.
    counted: Vec<(FieldName, usize)>,
    /// Faults of the whole request, which are reported after those of its fields.
    last: Faults,
    /// Faults that are reported only together with others.
    doubts: Faults,
}

impl FaultCollector {
    /// A collector with faults that were found before.
    pub fn of(faults: Faults) -> Self {
        Self {
            faults,
            ..Self::default()
        }
    }

    /// Reports a required field that was not sent.
    pub fn missing(&mut self, name: FieldName) {
        self.missing.push(name);
    }

    /// Whether all required fields were sent.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Reports a fault of a field. The first one of a field counts.
    pub fn fault(&mut self, name: FieldName, fault: impl Into<Fault>) {
        let name = Cow::Borrowed(name.as_str());
        self.faults.entry(name).or_insert_with(|| fault.into());
    }

    /// Length of the texts that were read with their markup, in bytes: the time to check a write grows with
    /// it.
    pub fn sent_bytes(&self) -> usize {
        self.sent_bytes
    }

    /// Counts the text of a field, of `bytes`. Whether the texts of the request are short enough;
    /// otherwise the fault is reported.
    pub fn count(&mut self, name: FieldName, bytes: usize) -> bool {
        let fits = bytes <= MAX_TEXT_BYTES - self.text_bytes;
        if fits {
            self.text_bytes += bytes;
            self.sent_bytes += bytes;
            self.counted.push((name, bytes));
        } else {
            self.fault(name, Fault::TextsTooLong);
        }
        fits
    }

    /// Takes a formatted text that may be empty, as sent. Parsing follows only for a caller who has
    /// the right to write it.
    pub fn read_html(&mut self, name: FieldName, text: &str) -> Option<SentHtml> {
        let bytes = self.accept(name, RichText::check_sent(text))?;
        self.sent_bytes += text.len().saturating_sub(bytes);
        self.count(name, bytes).then(|| SentHtml {
            text: text.to_owned(),
            bytes,
        })
    }

    /// Parses the text of a field. `None` if it is too long, or makes the texts of the request too
    /// long: the limits count what the filter leaves.
    pub fn parse_html(
        &mut self,
        name: FieldName,
        sent: &SentHtml,
        parse: fn(&str) -> Result<RichText, html::TooLong>,
    ) -> Option<RichText> {
        let text = self.accept(name, parse(&sent.text))?;
        let more = text.as_str().len().saturating_sub(sent.bytes);
        self.count(name, more).then_some(text)
    }

    /// Takes a slug, normalized as the slug of a request is: a slug of an occurrence loses its label.
    pub fn slug(&mut self, name: FieldName, slug: &Slug) -> Change<Slug> {
        let typed = Slug::typed(slug.as_str()).ok_or(Fault::Slug);
        let typed = self.accept(name, typed);
        typed.map_or(Change::Keep, Change::Set)
    }

    /// Takes a one-line text that may be empty.
    pub fn line(&mut self, name: FieldName, text: &str) -> Option<String> {
        let line = self.accept(name, checked_line(text))?;
        self.count(name, text.len()).then_some(line)
    }

    /// Counts the texts of a record that a field holds in full, and reports its faults. Whether there is none.
    pub(crate) fn inline(&mut self, name: FieldName, kind: Kind, inline: Self) -> bool {
        let bytes = inline.text_bytes;
        self.sent_bytes += inline.sent_bytes.saturating_sub(bytes);
        let inline = inline.finish();
        let faultless = inline.map_err(|cause| Fault::Inline { kind, cause });
        self.accept(name, faultless).is_some() && self.count(name, bytes)
    }

    /// Forgets the fault and the text of a field that gets another value.
    pub fn forgive(&mut self, name: FieldName) {
        self.faults.shift_remove(name.as_str());
        let of_field = self.counted.extract_if(.., |(one, _)| *one == name);
        self.text_bytes -= of_field.map(|(_, bytes)| bytes).sum::<usize>();
    }

    /// Reports a fault of the whole request, after those of its fields.
    pub fn fault_last(&mut self, name: Cow<'static, str>, fault: Fault) {
        self.last.insert(name, fault);
    }

    /// Reports a fault that counts only beside others.
    pub fn doubt(&mut self, name: FieldName, fault: Fault) {
        self.doubts.insert(Cow::Borrowed(name.as_str()), fault);
    }

    /// The value of a field, if it is valid; otherwise its fault is reported.
    pub fn accept<T>(&mut self, name: FieldName, made: Result<T, impl Into<Fault>>) -> Option<T> {
        made.map_err(|fault| self.fault(name, fault)).ok()
    }

    /// Reports a text that was cleared although the record requires it.
    pub fn refuse_cleared<T>(&mut self, name: FieldName, change: &Change<T>) {
        if matches!(change, Change::Clear) {
            self.fault(name, Fault::Empty);
        }
    }

    /// Ends the collection.
    ///
    /// # Errors
    ///
    /// [`BadFields::Missing`] if a required field was not sent; else [`BadFields::Invalid`] if a
    /// field has a fault.
    pub fn finish(mut self) -> Result<(), BadFields> {
        if !self.missing.is_empty() {
            let names = self.missing.iter().map(|name| name.as_str());
            return Err(BadFields::Missing(names.collect()));
        }
        for (name, fault) in self.last {
            self.faults.entry(name).or_insert(fault);
        }
        if !self.faults.is_empty() {
            let mut faults = self.faults;
            faults.extend(self.doubts);
            return Err(BadFields::Invalid(faults));
        }
        Ok(())
    }
}
