//! The fields of venues and organizers, and the fields that they share with events.

use app::{
    entry::{EntryFields, SentTexts},
    fault::{ExpectedType, Fault},
    image::ImageRef,
    place::{OrganizerFields, OrganizerWrite, PlaceQuery, VenueFields, VenueWrite},
    request::Purpose,
    write::Change,
};
use domain::{
    ImageId, Kind, Organizer, Status, TextField, UserId, Venue,
    geo::Position,
    slug::Slug,
    text::Title,
    time::{Moment, Zone},
    web_url::WebUrl,
};
use serde_json::{Map, Value};

use crate::{
    field::{DefaultValue, Output, Param, Schema, WrittenField, values, written},
    input::{Input, Reading},
    kind::{Form, needed},
    list::{Span, place},
};

declare! {
    /// The name. Markup is removed.
    VENUE_NAME: Venue, Schema::Title, example("Old Mill") => values::title, written::text as Title;
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
    /// The state or province as shown. If it is not sent with a country, state or province, it is made of
    /// them.
    STATE_PROVINCE: StateProvince, Schema::Line, default(DefaultValue::Null) => values::line, written::text as String;
    /// The postal code.
    ZIP: Zip, Schema::Line, default(DefaultValue::Null), example("69001") => values::line, written::text as String;
    /// The phone number.
    PHONE: Phone, Schema::Line, default(DefaultValue::Null) => values::line, written::text as String;
    /// The website (http or https), at most 2,048 bytes; empty for none. An internationalized URL
    /// is stored as ASCII.
    WEBSITE: Website, Schema::Url, default(DefaultValue::Null), example("https://mill.example/") => values::web_url, written::text as WebUrl;
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
const VENUE_FIELDS: [Param; 13] = [
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

const VENUE_NAMES: Names<'_> = Names {
    kind: Kind::Venue,
    title: &VENUE_NAME,
    excerpt: None,
    slug: None,
};

impl Form for Venue {
    fn fields(purpose: Purpose) -> Vec<Param> {
        [
            &[needed(VENUE_NAME.param, purpose)][..],
            &FIELDS,
            &VENUE_FIELDS,
        ]
        .concat()
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> VenueWrite {
        let shared = read_shared(input, &VENUE_NAMES, reading, purpose);
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
        write_shared(&mut output, &VENUE_NAMES, shared);
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
        place::filters()
    }

    fn read_query(input: &mut Input<'_>, reading: Reading<'_>, _span: Span) -> PlaceQuery {
        place::read(input, Kind::Venue, reading)
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

declare! {
    /// The name. Markup is removed.
    ORGANIZER_NAME: Organizer, Schema::Title, example("Green Hands") => values::title, written::text as Title;
    /// The phone number.
    ORGANIZER_PHONE: Phone, Schema::Line, default(DefaultValue::Null), example("+33 4 00 00 00 00") => values::line, written::text as String;
    /// The e-mail address.
    EMAIL: Email, Schema::Line, default(DefaultValue::Null), example("hello@green.example") => values::line, written::text as String;
}

const ORGANIZER_NAMES: Names<'_> = Names {
    kind: Kind::Organizer,
    title: &ORGANIZER_NAME,
    excerpt: None,
    slug: None,
};

impl Form for Organizer {
    fn fields(purpose: Purpose) -> Vec<Param> {
        let own = [ORGANIZER_PHONE.param, WEBSITE.param, EMAIL.param];
        [&[needed(ORGANIZER_NAME.param, purpose)][..], &FIELDS, &own].concat()
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> OrganizerWrite {
        let shared = read_shared(input, &ORGANIZER_NAMES, reading, purpose);
        let own = OrganizerFields {
            phone: input.take(&ORGANIZER_PHONE),
            website: input.take_clearable(&WEBSITE),
            email: input.take(&EMAIL),
        };
        OrganizerWrite { shared, own }
    }

    fn write(write: &OrganizerWrite) -> Map<String, Value> {
        let mut output = Output::default();
        let OrganizerWrite { shared, own } = write;
        write_shared(&mut output, &ORGANIZER_NAMES, shared);
        let OrganizerFields {
            phone,
            website,
            email,
        } = own;
        output.set(&ORGANIZER_PHONE, phone.as_ref());
        output.change(&WEBSITE, website);
        output.set(&EMAIL, email.as_ref());
        output.into_fields()
    }

    fn filters() -> Vec<Param> {
        place::filters()
    }

    fn read_query(input: &mut Input<'_>, reading: Reading<'_>, _span: Span) -> PlaceQuery {
        place::read(input, Kind::Organizer, reading)
    }
}

declare! {
    /// The ID of the user who owns the record; by default the caller. Another user requires the
    /// right to edit all records.
    AUTHOR: Author, Schema::Positive => values::integer, written::json as i64;
    /// The publication date, in the time zone of the site. A future date schedules the record.
    DATE: Date, Schema::Date, example("2027-01-04 08:30:00");
    /// The publication date in UTC; it takes precedence over `date`.
    DATE_UTC: DateUtc, Schema::Date, example("2027-01-04 07:30:00");
    /// The long text, at most 200,000 bytes. Formatting is preserved, scripts are removed; empty
    /// for none.
    DESCRIPTION: Description, Schema::Html, example("Bring gloves.");
    /// The status. `publish` of a contributor becomes `pending`.
    STATUS: Status, Schema::Status, example("publish") => values::status, written::text as Status;
    /// The ID of an image, or an http(s) URL from which it is fetched; empty for none.
    IMAGE: Image, Schema::Image => image, write_image as Option<ImageRef>;
}

/// The shared fields, in the order of the interface.
pub(crate) const FIELDS: [Param; 6] = [
    AUTHOR.param,
    DATE,
    DATE_UTC,
    DESCRIPTION,
    STATUS.param,
    IMAGE.param,
];

/// The fields that differ in the kinds of entry.
pub(crate) struct Names<'a> {
    pub(crate) kind: Kind,
    pub(crate) title: &'a WrittenField<Title>,
    /// Events alone have both.
    pub(crate) excerpt: Option<&'a Param>,
    pub(crate) slug: Option<&'a WrittenField<Slug>>,
}

/// Reads the shared fields.
pub(crate) fn read_shared(
    input: &mut Input<'_>,
    names: &Names<'_>,
    reading: Reading<'_>,
    purpose: Purpose,
) -> EntryFields {
    if purpose == Purpose::Create {
        input.require(names.title);
    }
    let may_translate = reading.may_translate(names.kind, purpose);
    let title = input.take_translatable(names.title, may_translate);
    let author = input.take(&AUTHOR).map(UserId::from_raw);
    let date = input.read(&DATE, |value| {
        values::sent_date(value, reading.zone(), reading.now)
    });
    let date_utc: Option<Moment> = input.read(&DATE_UTC, |value| {
        values::date(value, &Zone::utc(), reading.now)
    });
    let html = SentTexts {
        description: input.read_html(&DESCRIPTION),
        excerpt: names.excerpt.and_then(|excerpt| input.read_html(excerpt)),
    };
    let slug = names.slug.map_or(Change::Keep, |slug| {
        input.take_translatable(slug, may_translate)
    });
    let status = input.take(&STATUS);
    let image = match input.take(&IMAGE) {
        None => Change::Keep,
        Some(None) => Change::Clear,
        Some(Some(image)) => Change::Set(image),
    };
    EntryFields {
        title,
        author,
        date,
        date_utc: date_utc.map(|moment| moment.utc),
        html,
        slug,
        status,
        image,
        has_image_file: read_image_file(input),
        ..EntryFields::default()
    }
}

/// Writes the shared fields. The file of the image is no field.
pub(crate) fn write_shared(output: &mut Output, names: &Names<'_>, shared: &EntryFields) {
    let EntryFields {
        title,
        author,
        date,
        date_utc,
        description,
        excerpt,
        html,
        slug,
        status,
        image,
        has_image_file: _,
    } = shared;
    output.change(names.title, title);
    output.set(&AUTHOR, author.map(UserId::get).as_ref());
    if let Some(date) = date {
        output.put(&DATE, date.text());
    }
    if let Some(date) = date_utc {
        output.put(&DATE_UTC, date.to_string());
    }
    output.html(
        &DESCRIPTION,
        html.description.as_ref(),
        description.as_ref(),
    );
    if let Some(field) = names.excerpt {
        output.html(field, html.excerpt.as_ref(), excerpt.as_ref());
    }
    if let Some(field) = names.slug {
        output.change(field, slug);
    }
    output.set(&STATUS, status.as_ref());
    match image {
        Change::Keep => {}
        Change::Clear => output.set(&IMAGE, Some(&None)),
        Change::Set(image) => output.set(&IMAGE, Some(&Some(image.clone()))),
    }
}

/// Reads whether the request has the file of the record's image. A file beside a value is a fault.
fn read_image_file(input: &mut Input<'_>) -> bool {
    let has_file = input.take_image_file();
    if has_file && input.raw(&IMAGE).is_some() {
        input.fault(&IMAGE, Fault::Repeated);
    }
    has_file
}

/// Reads the image of a record. An empty text removes it, and so does `false`, which is no image in
/// answers.
fn image(value: &Value) -> Result<Option<ImageRef>, Fault> {
    match value {
        Value::String(text) if text.is_empty() => Ok(None),
        Value::Bool(false) => Ok(None),
        value => image_ref(values::reference(value)).map(Some),
    }
}

/// Writes the image of a record.
#[expect(clippy::ref_option, reason = "the form of all writers")]
fn write_image(image: &Option<ImageRef>) -> Value {
    match image {
        None => "".into(),
        Some(ImageRef::Id(id)) => id.get().into(),
        Some(ImageRef::Url(url)) => url.as_str().into(),
    }
}

/// Reads a reference to an image.
fn image_ref(value: &Value) -> Result<ImageRef, Fault> {
    let is_url = value.as_str().is_some_and(|text| text.contains("://"));
    if is_url {
        return values::web_url(value).map(ImageRef::Url);
    }
    match values::integer(value) {
        Ok(number) if number > 0 => Ok(ImageRef::Id(ImageId::from_raw(number))),
        _ => Err(Fault::Type(ExpectedType::ImageId)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_addresses_name_images() {
        let read = |value: Value| image_ref(&value);
        assert_eq!(read(7.into()), Ok(ImageRef::Id(ImageId::from_raw(7))));
        assert_eq!(read("7".into()), Ok(ImageRef::Id(ImageId::from_raw(7))));
        assert!(matches!(
            read("https://a.example".into()),
            Ok(ImageRef::Url(_))
        ));
        for bad in [
            "foo bar",
            "0",
            "-1",
            "ftp://a.example/x.png",
            "data:image/png;base64,AA",
            "//x",
        ] {
            assert!(read(bad.into()).is_err(), "{bad}");
        }
    }
}
