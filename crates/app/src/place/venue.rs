//! The fields of a venue that no other kind has.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    Event, Stored, TextField, Venue, VenueDetails, VenueId, entry::Details as _, geo::Position,
    web_url::WebUrl,
};

use super::{Place, PlaceFilterInput, PlaceView, text_fits};
use crate::{
    entry::{DetailsChanges, EntryKind},
    error::AppError,
    input::{self, FaultCollector, FieldChange, Input},
    ports::{Repositories, Repository},
    request::{Purpose, Request},
};

/// The fields of a write that only venues have.
#[derive(Clone, Debug, Default)]
pub struct VenueChanges {
    /// The one-line texts that are translated.
    pub(crate) texts: BTreeMap<TextField, String>,
    pub(crate) zip: Option<String>,
    pub(crate) phone: Option<String>,
    website: FieldChange<WebUrl>,
    pub(crate) show_map: Option<bool>,
    pub(crate) show_map_link: Option<bool>,
    pub(crate) position: FieldChange<Position>,
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

/// Whether `stateprovince` follows the fields that were sent: it repeats the state or the province,
/// depending on the country.
fn follows_region(sent: &BTreeMap<TextField, String>) -> bool {
    let region = [TextField::Country, TextField::Province, TextField::State];
    region.iter().any(|field| sent.contains_key(field))
        && !sent.contains_key(&TextField::StateProvince)
}

#[async_trait]
impl DetailsChanges<VenueDetails> for VenueChanges {
    fn read(input: &mut Input<'_>, _request: &Request<'_>, _purpose: Purpose) -> Self {
        let mut line = |name| input.read(name, input::line);
        let texts = TextField::ALL.into_iter();
        Self {
            texts: texts
                .filter_map(|field| Some((field, line(field.name())?)))
                .collect(),
            zip: line("zip"),
            phone: line("phone"),
            website: input.read_clearable("website", input::web_url),
            show_map: input.read("show_map", input::loose_boolean),
            show_map_link: input.read("show_map_link", input::loose_boolean),
            position: read_position(input),
        }
    }

    fn translate(&mut self, original: &VenueDetails, fields: &mut BTreeMap<TextField, String>) {
        let sent = std::mem::take(&mut self.texts);
        let follows_region = follows_region(&sent);
        let mut shown = original.clone();
        for (field, text) in sent {
            // A text of the original that is sent back makes no translation.
            let is_original = shown
                .text_field_mut(field)
                .is_some_and(|shown| *shown == text);
            if fields.contains_key(&field) || !is_original {
                fields.insert(field, text);
            }
        }
        if follows_region {
            // The country of the original decides.
            let region = fields.get(&original.region()).cloned();
            fields.insert(TextField::StateProvince, region.unwrap_or_default());
        }
        fields.retain(|_, text| !text.is_empty());
    }

    fn website(&mut self) -> &mut FieldChange<WebUrl> {
        &mut self.website
    }

    async fn apply(
        self,
        before: Option<&Stored<Venue>>,
        _request: &Request<'_>,
        _unit: &dyn Repositories,
        _faults: &mut FaultCollector,
    ) -> Result<VenueDetails, AppError> {
        let Self {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = self;
        let mut details = before.map_or_else(VenueDetails::default, |venue| venue.details.clone());
        let follows_region = follows_region(&texts);
        for (field, sent) in texts {
            if let Some(text) = details.text_field_mut(field) {
                *text = sent;
            }
        }
        if follows_region {
            details.stateprovince = details.derived_stateprovince().to_owned();
        }
        details.zip = zip.unwrap_or(details.zip);
        details.phone = phone.unwrap_or(details.phone);
        website.apply(&mut details.website);
        position.apply(&mut details.position);
        details.show_map = show_map.unwrap_or(details.show_map);
        details.show_map_link = show_map_link.unwrap_or(details.show_map_link);
        Ok(details)
    }
}

impl EntryKind for VenueDetails {
    const TITLE_FIELD: &'static str = "venue";
    type Changes = VenueChanges;
    type FilterInput = PlaceFilterInput;
    type View = PlaceView<Self>;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Venue> {
        repositories.venues()
    }
}

impl Place for VenueDetails {
    fn fits(&self, changes: &VenueChanges) -> bool {
        let VenueChanges {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = changes;
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
