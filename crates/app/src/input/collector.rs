//! The faults of one write or read.

use std::borrow::Cow;

use super::{BadFields, Fault, Faults, FieldChange};

/// Collects the faults of fields, so that one answer reports all of them.
#[derive(Debug, Default)]
pub struct FaultCollector {
    missing: Vec<&'static str>,
    pub(super) faults: Faults,
    /// Faults that are reported only together with others.
    doubts: Faults,
}

impl FaultCollector {
    /// A collector with faults that were found before.
    pub(super) fn of(faults: Faults) -> Self {
        Self {
            faults,
            ..Self::default()
        }
    }

    /// Reports a required field that was not sent.
    pub(super) fn missing(&mut self, name: &'static str) {
        self.missing.push(name);
    }

    /// Whether all required fields were sent.
    pub(super) fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Reports a fault of a field. The first one of a field counts.
    pub fn fault(&mut self, name: &'static str, fault: impl Into<Fault>) {
        let name = Cow::Borrowed(name);
        self.faults.entry(name).or_insert_with(|| fault.into());
    }

    /// Reports a fault that counts only beside others.
    pub(super) fn doubt(&mut self, name: &'static str, fault: Fault) {
        self.doubts.insert(Cow::Borrowed(name), fault);
    }

    /// The value of a field, if it is valid; otherwise its fault is reported.
    pub fn accept<T>(
        &mut self,
        name: &'static str,
        made: Result<T, impl Into<Fault>>,
    ) -> Option<T> {
        made.map_err(|fault| self.fault(name, fault)).ok()
    }

    /// Reports a text that was cleared although the record requires it.
    pub fn refuse_cleared<T>(&mut self, name: &'static str, change: &FieldChange<T>) {
        if matches!(change, FieldChange::Clear) {
            self.fault(name, Fault::Empty);
        }
    }

    /// Ends the collection.
    ///
    /// # Errors
    ///
    /// [`BadFields::Missing`] if a required field was not sent; else [`BadFields::Invalid`] if a
    /// field has a fault.
    pub fn finish(self) -> Result<(), BadFields> {
        if !self.missing.is_empty() {
            return Err(BadFields::Missing(self.missing));
        }
        if !self.faults.is_empty() {
            let mut faults = self.faults;
            faults.extend(self.doubts);
            return Err(BadFields::Invalid(faults));
        }
        Ok(())
    }
}
