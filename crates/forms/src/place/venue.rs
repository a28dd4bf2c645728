//! The fields of a venue.

use app::{
    place::{VenueFields, VenueWrite},
    request::Purpose,
    write::Change,
};
use domain::{Kind, TextField, Venue, geo::Position, text::Title, web_url::WebUrl};
use serde_json::{Map, Value};

use super::{filters, read};
use crate::{
    entry::{self, Names},
    field::{DefaultValue, Output, Param, Schema, WrittenField, values, written},
    input::{Input, Reading},
    kind::{Form, needed},
    list::Span,
};

declare! {
    /// The name. Markup is removed.
    NAME: Venue, Schema::Title, example("Old Mill") => values::title, written::text as Title;
    /// The street and number.
    ADDRESS: Address, Schema::Line, default(DefaultValue::Null), example("12 Mill Lane") => values::line, written::text as String;
    /// The city.
    CITY: City, Schema::Line, default(DefaultValue::Null), example("Lyon") => values::line, written::text as String;
    /// The country.
    COUNTRY: Country, Schema::Line, default(DefaultValue::Null), example("France") => values::line, written::text as String;
    /// The province.
    PROVINCE: Province, Schema::Line, default(DefaultValue::Null) => values::line, written::text as String;
    /// The state.
    STATE: State, Schema::Line, default(DefaultValue::Null) => values::line, written::text as String;
    /// The state or province as shown; if empty, made from the others.
    STATE_PROVINCE: StateProvince, Schema::Line, default(DefaultValue::Null) => values::line, written::text as String;
    /// The postal code.
    ZIP: Zip, Schema::Line, default(DefaultValue::Null), example("69001") => values::line, written::text as String;
    /// The phone number.
    PHONE: Phone, Schema::Line, default(DefaultValue::Null) => values::line, written::text as String;
    /// The website (http or https), at most 2,048 bytes; empty for none. An internationalized URL
    /// is stored as ASCII.
    pub(super) WEBSITE: Website, Schema::Url, default(DefaultValue::Null), example("https://mill.example/") => values::web_url, written::text as WebUrl;
    /// Whether its events show a map.
    SHOW_MAP: ShowMap, Schema::LooseBoolean, default(DefaultValue::Null) => values::loose_boolean, written::json as bool;
    /// Whether its events link to a map.
    SHOW_MAP_LINK: ShowMapLink, Schema::LooseBoolean, default(DefaultValue::Null) => values::loose_boolean, written::json as bool;
    /// The latitude in degrees, together with `geo_lng`; both empty for none.
    LATITUDE: Latitude, Schema::Coordinate { min: -90, max: 90 }, example("45.764") => values::latitude, written::json as f64;
    /// The longitude in degrees.
    LONGITUDE: Longitude, Schema::Coordinate { min: -180, max: 180, }, example("4.8357") => values::longitude, written::json as f64;
}

/// The field of a translated text.
fn field_of(text: TextField) -> &'static WrittenField<String> {
    match text {
        TextField::Address => &ADDRESS,
        TextField::City => &CITY,
        TextField::Country => &COUNTRY,
        TextField::Province => &PROVINCE,
        TextField::State => &STATE,
        TextField::StateProvince => &STATE_PROVINCE,
    }
}

/// The fields that only venues have, in the order of the interface.
const FIELDS: [Param; 13] = [
    ADDRESS.param,
    CITY.param,
    COUNTRY.param,
    PROVINCE.param,
    STATE.param,
    STATE_PROVINCE.param,
    ZIP.param,
    PHONE.param,
    WEBSITE.param,
    SHOW_MAP.param,
    SHOW_MAP_LINK.param,
    LATITUDE.param,
    LONGITUDE.param,
];

const NAMES: Names<'_> = Names {
    kind: Kind::Venue,
    title: &NAME,
    excerpt: None,
    slug: None,
};

impl Form for Venue {
    fn fields(purpose: Purpose) -> Vec<Param> {
        [&[needed(NAME.param, purpose)][..], &entry::FIELDS, &FIELDS].concat()
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> VenueWrite {
        let shared = entry::read(input, &NAMES, reading, purpose);
        let texts = TextField::ALL
            .into_iter()
            .filter_map(|text| Some((text, input.take(field_of(text))?)));
        let own = VenueFields {
            texts: texts.collect(),
            zip: input.take(&ZIP),
            phone: input.take(&PHONE),
            website: input.take_clearable(&WEBSITE),
            show_map: input.take(&SHOW_MAP),
            show_map_link: input.take(&SHOW_MAP_LINK),
            position: position(input),
        };
        VenueWrite { shared, own }
    }

    fn write(write: &VenueWrite) -> Map<String, Value> {
        let mut output = Output::default();
        let VenueWrite { shared, own } = write;
        entry::write(&mut output, &NAMES, shared);
        let VenueFields {
            texts,
            zip,
            phone,
            website,
            show_map,
            show_map_link,
            position,
        } = own;
        for (text, value) in texts {
            output.set(field_of(*text), Some(value));
        }
        output.set(&ZIP, zip.as_ref());
        output.set(&PHONE, phone.as_ref());
        output.change(&WEBSITE, website);
        output.set(&SHOW_MAP, show_map.as_ref());
        output.set(&SHOW_MAP_LINK, show_map_link.as_ref());
        let degrees = |position: &Position| [position.latitude(), position.longitude()];
        for (index, field) in [&LATITUDE, &LONGITUDE].into_iter().enumerate() {
            match position {
                Change::Keep => {}
                Change::Clear => output.put(field, ""),
                Change::Set(position) => output.set(field, Some(&degrees(position)[index])),
            }
        }
        output.into_fields()
    }

    fn filters() -> Vec<Param> {
        filters()
    }

    fn read_query(
        input: &mut Input<'_>,
        reading: Reading<'_>,
        _span: Span,
    ) -> app::place::PlaceQuery {
        read(input, Kind::Venue, reading)
    }
}

/// Reads the position of the venue; two empty texts clear it.
fn position(input: &mut Input<'_>) -> Change<Position> {
    let fields = [&LATITUDE, &LONGITUDE];
    let mut is_empty =
        |field: &WrittenField<f64>| input.raw(field).is_some_and(|value| value == "");
    if fields.into_iter().all(&mut is_empty) {
        return Change::Clear;
    }
    input
        .take_position(fields)
        .map_or(Change::Keep, Change::Set)
}
