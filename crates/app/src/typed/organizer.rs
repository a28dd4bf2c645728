//! The fields of an organizer that no other kind has.

use domain::Organizer;

use super::Builder;

impl<P> Builder<Organizer, P> {
    /// The e-mail address, one line of text; an empty one removes it.
    pub fn email(self, email: impl Into<String>) -> Self {
        self.check("email", |(_, own), faults| {
            own.email = faults.line("email", &email.into());
        })
    }

    /// The telephone number; an empty text removes it.
    pub fn phone(self, phone: impl Into<String>) -> Self {
        self.check("phone", |(_, own), faults| {
            own.phone = faults.line("phone", &phone.into());
        })
    }
}
