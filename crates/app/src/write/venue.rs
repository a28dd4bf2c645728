//! The fields of a venue that no other kind has.

use domain::{FieldName, TextField, Venue, geo::Position};

use super::{Builder, Change, Update};

impl<P> Builder<Venue, P> {
    fn text(self, field: TextField, text: impl Into<String>) -> Self {
        let name = FieldName::from(field);
        self.check(name, |write, faults| {
            let text = faults.line(name, &text.into());
            write.own.texts.extend(text.map(|text| (field, text)));
        })
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
        self.check(FieldName::Zip, |write, faults| {
            write.own.zip = faults.line(FieldName::Zip, &zip.into());
        })
    }

    /// The position.
    pub fn position(self, position: Position) -> Self {
        let position = Change::Set(position);
        self.set(FieldName::Latitude, |write| write.own.position = position)
            .set(FieldName::Longitude, |_| ())
    }

    /// The telephone number; an empty text removes it.
    pub fn phone(self, phone: impl Into<String>) -> Self {
        self.check(FieldName::Phone, |write, faults| {
            write.own.phone = faults.line(FieldName::Phone, &phone.into());
        })
    }

    /// Whether pages show a map.
    pub fn show_map(self, show: bool) -> Self {
        self.set(FieldName::ShowMap, |write| write.own.show_map = Some(show))
    }

    /// Whether pages link to a map.
    pub fn show_map_link(self, show: bool) -> Self {
        self.set(FieldName::ShowMapLink, |write| {
            write.own.show_map_link = Some(show);
        })
    }
}

impl Builder<Venue, Update> {
    /// Removes the position.
    pub fn clear_position(self) -> Self {
        self.set(FieldName::Latitude, |write| {
            write.own.position = Change::Clear;
        })
        .set(FieldName::Longitude, |_| ())
    }
}
