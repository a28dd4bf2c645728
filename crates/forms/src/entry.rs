//! The fields that events, venues and organizers share.

use app::{
    entry::{EntryFields, SentTexts},
    fault::{ExpectedType, Fault},
    image::ImageRef,
    request::Purpose,
    write::Change,
};
use domain::{
    ImageId, Kind, Status, UserId,
    slug::Slug,
    text::Title,
    time::{Moment, Zone},
};
use serde_json::Value;

use crate::{
    field::{Output, Param, Schema, WrittenField, values, written},
    input::{Input, Reading},
};

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
pub(crate) fn read(
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
pub(crate) fn write(output: &mut Output, names: &Names<'_>, shared: &EntryFields) {
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
