//! The fields of a venue that no other kind has.

use std::collections::BTreeMap;

use domain::{Event, TextField, Venue, VenueDetails, VenueId, geo::Position, web_url::WebUrl};

use super::{Place, PlaceChanges};
use crate::{
    input::{self, FieldChange, Input},
    ports::{Repositories, Repository},
};

/// The fields of a write that only venues have.
#[derive(Clone, Debug, Default)]
pub struct VenueChanges {
    address: Option<String>,
    city: Option<String>,
    country: Option<String>,
    province: Option<String>,
    state: Option<String>,
    stateprovince: Option<String>,
    zip: Option<String>,
    phone: Option<String>,
    website: FieldChange<WebUrl>,
    show_map: Option<bool>,
    show_map_link: Option<bool>,
    position: FieldChange<Position>,
}

impl VenueChanges {
    /// Reads the fields.
    pub fn read(input: &mut Input<'_>) -> Self {
        let mut line = |name| input.read(name, input::line);
        Self {
            address: line("address"),
            city: line("city"),
            country: line("country"),
            province: line("province"),
            state: line("state"),
            stateprovince: line("stateprovince"),
            zip: line("zip"),
            phone: line("phone"),
            website: input.read_clearable("website", input::web_url),
            show_map: input.read("show_map", input::loose_boolean),
            show_map_link: input.read("show_map_link", input::loose_boolean),
            position: read_position(input),
        }
    }
}

/// Reads the position of the venue; two empty texts clear it.
fn read_position(input: &mut Input<'_>) -> FieldChange<Position> {
    const FIELDS: [&str; 2] = ["geo_lat", "geo_lng"];
    if FIELDS
        .into_iter()
        .all(|field| input.raw(field).is_some_and(|value| value == ""))
    {
        return FieldChange::Clear;
    }
    input::position(input, FIELDS).map_or(FieldChange::Unchanged, FieldChange::Set)
}

impl PlaceChanges<VenueDetails> for VenueChanges {
    fn apply_to(self, mut details: VenueDetails) -> VenueDetails {
        let Self {
            address,
            city,
            country,
            province,
            state,
            stateprovince,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = self;
        let region_was_sent =
            province.is_some() || state.is_some() || country.is_some() || stateprovince.is_some();
        for (text, sent) in [
            (&mut details.address, address),
            (&mut details.city, city),
            (&mut details.country, country),
            (&mut details.province, province),
            (&mut details.state, state),
            (&mut details.zip, zip),
            (&mut details.phone, phone),
        ] {
            if let Some(sent) = sent {
                *text = sent;
            }
        }
        if region_was_sent {
            details.stateprovince =
                stateprovince.unwrap_or_else(|| details.derived_stateprovince().to_owned());
        }
        website.apply(&mut details.website);
        position.apply(&mut details.position);
        details.show_map = show_map.unwrap_or(details.show_map);
        details.show_map_link = show_map_link.unwrap_or(details.show_map_link);
        details
    }

    fn translate(&mut self, original: &VenueDetails, lines: &mut BTreeMap<TextField, String>) {
        let sent = [
            (TextField::Address, &mut self.address),
            (TextField::City, &mut self.city),
            (TextField::Country, &mut self.country),
            (TextField::Province, &mut self.province),
            (TextField::State, &mut self.state),
            (TextField::StateProvince, &mut self.stateprovince),
        ];
        let sent = sent.map(|(line, text)| (line, text.take()));
        let mut follows_region = false;
        for (line, text) in sent {
            let Some(text) = text else { continue };
            follows_region = match line {
                TextField::Address | TextField::City => follows_region,
                TextField::Country | TextField::Province | TextField::State => true,
                TextField::StateProvince => false,
            };
            if text.is_empty() {
                lines.remove(&line);
            } else {
                lines.insert(line, text);
            }
        }
        if follows_region {
            // As in the original, `stateprovince` repeats the state or the province, depending on
            // the country of the original.
            match lines.get(&original.region()).cloned() {
                Some(region) => lines.insert(TextField::StateProvince, region),
                None => lines.remove(&TextField::StateProvince),
            };
        }
    }

    fn fits(&self, details: &VenueDetails) -> bool {
        let Self {
            address,
            city,
            country,
            province,
            state,
            stateprovince,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = self;
        let texts_fit = [
            (address, &details.address),
            (city, &details.city),
            (country, &details.country),
            (province, &details.province),
            (state, &details.state),
            (stateprovince, &details.stateprovince),
            (zip, &details.zip),
            (phone, &details.phone),
        ]
        .into_iter()
        .all(|(sent, stored)| {
            sent.as_ref()
                .is_none_or(|sent| sent.is_empty() || sent == stored)
        });
        texts_fit
            && website.fits(details.website.as_ref())
            && position.fits(details.position.as_ref())
            && show_map.is_none_or(|sent| sent == details.show_map)
            && show_map_link.is_none_or(|sent| sent == details.show_map_link)
    }
}

impl Place for VenueDetails {
    const NAME_FIELD: &'static str = "venue";
    type Changes = VenueChanges;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Venue> {
        repositories.venues()
    }

    fn read(input: &mut Input<'_>) -> VenueChanges {
        VenueChanges::read(input)
    }

    fn of_event(event: &Event) -> &[VenueId] {
        event.details.venue.as_slice()
    }
}
