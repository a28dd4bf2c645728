//! The fields of a venue that no other kind has.

use std::collections::BTreeMap;

use domain::{
    Event, TextField, Venue, VenueDetails, VenueId, entry::Details as _, geo::Position,
    web_url::WebUrl,
};

use super::{Place, text_fits};
use crate::{
    change::Change,
    ports::{Repositories, Repository},
};

/// The fields of a write that only venues have.
#[derive(Clone, Debug, Default)]
pub struct VenueFields {
    /// The one-line texts that are translated; an empty text removes one.
    pub texts: BTreeMap<TextField, String>,
    /// Postal code.
    pub zip: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Web site.
    pub website: Change<WebUrl>,
    /// Whether pages show a map.
    pub show_map: Option<bool>,
    /// Whether pages link to a map.
    pub show_map_link: Option<bool>,
    /// Position.
    pub position: Change<Position>,
}

/// Whether `stateprovince` follows the fields that were sent: it repeats the state or the province,
/// depending on the country.
fn follows_region(sent: &BTreeMap<TextField, String>) -> bool {
    let region = [TextField::Country, TextField::Province, TextField::State];
    region.iter().any(|field| sent.contains_key(field))
        && !sent.contains_key(&TextField::StateProvince)
}

impl Place for VenueDetails {
    type Fields = VenueFields;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Venue> {
        repositories.venues()
    }

    fn translate(&self, fields: &mut VenueFields, texts: &mut BTreeMap<TextField, String>) {
        let sent = std::mem::take(&mut fields.texts);
        let follows_region = follows_region(&sent);
        let mut shown = self.clone();
        for (field, text) in sent {
            // A text of the original that is sent back makes no translation.
            let is_original = shown
                .text_field_mut(field)
                .is_some_and(|shown| *shown == text);
            if texts.contains_key(&field) || !is_original {
                texts.insert(field, text);
            }
        }
        if follows_region {
            // The country of the original decides.
            let region = texts.get(&self.region()).cloned();
            texts.insert(TextField::StateProvince, region.unwrap_or_default());
        }
        texts.retain(|_, text| !text.is_empty());
    }

    fn changed(mut self, fields: VenueFields) -> Self {
        let VenueFields {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = fields;
        let follows_region = follows_region(&texts);
        for (field, sent) in texts {
            if let Some(text) = self.text_field_mut(field) {
                *text = sent;
            }
        }
        if follows_region {
            let derived = self.derived_stateprovince().to_owned();
            self.stateprovince = derived;
        }
        self.zip = zip.unwrap_or(self.zip);
        self.phone = phone.unwrap_or(self.phone);
        website.apply(&mut self.website);
        position.apply(&mut self.position);
        self.show_map = show_map.unwrap_or(self.show_map);
        self.show_map_link = show_map_link.unwrap_or(self.show_map_link);
        self
    }

    fn fits(&self, fields: &VenueFields) -> bool {
        let VenueFields {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = fields;
        let mut stored = self.clone();
        texts.iter().all(|(field, sent)| {
            let text = stored.text_field_mut(*field);
            text.is_some_and(|text| text_fits(Some(sent), text))
        }) && text_fits(zip.as_ref(), &self.zip)
            && text_fits(phone.as_ref(), &self.phone)
            && website.fits(self.website.as_ref())
            && position.fits(self.position.as_ref())
            && show_map.is_none_or(|sent| sent == self.show_map)
            && show_map_link.is_none_or(|sent| sent == self.show_map_link)
    }

    fn of_event(event: &Event) -> &[VenueId] {
        event.details.venue.as_slice()
    }
}
