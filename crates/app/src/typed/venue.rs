//! The fields of a venue that no other kind has.

use domain::{TextField, Venue, geo::Position};

use super::{Builder, Update};

impl<P> Builder<Venue, P> {
    fn text(self, field: TextField, text: impl Into<String>) -> Self {
        self.set(field.name(), text.into())
    }

    /// Street and number. As for all these texts, an empty one removes it.
    pub fn address(self, address: impl Into<String>) -> Self {
        self.text(TextField::Address, address)
    }

    /// Town.
    pub fn city(self, city: impl Into<String>) -> Self {
        self.text(TextField::City, city)
    }

    /// Country.
    pub fn country(self, country: impl Into<String>) -> Self {
        self.text(TextField::Country, country)
    }

    /// Province, outside the United States.
    pub fn province(self, province: impl Into<String>) -> Self {
        self.text(TextField::Province, province)
    }

    /// State, in the United States.
    pub fn state(self, state: impl Into<String>) -> Self {
        self.text(TextField::State, state)
    }

    /// State or province; without it, a sent country, state or province decides.
    pub fn stateprovince(self, stateprovince: impl Into<String>) -> Self {
        self.text(TextField::StateProvince, stateprovince)
    }

    /// Postal code.
    pub fn zip(self, zip: impl Into<String>) -> Self {
        self.set("zip", zip.into())
    }

    /// The position.
    pub fn position(self, position: Position) -> Self {
        self.set("geo_lat", position.latitude())
            .set("geo_lng", position.longitude())
    }
}

impl Builder<Venue, Update> {
    /// Removes the position.
    pub fn clear_position(self) -> Self {
        self.clear("geo_lat").clear("geo_lng")
    }
}
