//! The fields of an organizer that no other kind has.

use domain::{FieldName, Organizer};

use super::Builder;

impl<P> Builder<Organizer, P> {
    /// The e-mail address, one line of text; an empty one removes it.
    pub fn email(self, email: impl Into<String>) -> Self {
        self.check(FieldName::Email, |write, faults| {
            write.own.email = faults.line(FieldName::Email, &email.into());
        })
    }

    /// The telephone number; an empty text removes it.
    pub fn phone(self, phone: impl Into<String>) -> Self {
        self.check(FieldName::Phone, |write, faults| {
            write.own.phone = faults.line(FieldName::Phone, &phone.into());
        })
    }
}
