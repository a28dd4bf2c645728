//! The fields of an organizer that no other kind has.

use domain::Organizer;

use super::Builder;

impl<P> Builder<Organizer, P> {
    /// The e-mail address, one line of text; an empty one removes it.
    pub fn email(self, email: impl Into<String>) -> Self {
        self.set("email", email.into())
    }
}
