//! The fields of an organizer.

use app::{
    place::{OrganizerFields, OrganizerWrite, PlaceQuery},
    request::Purpose,
};
use domain::{Kind, Organizer, text::Title};
use serde_json::{Map, Value};

use super::{filters, read, venue::WEBSITE};
use crate::{
    entry::{self, Names},
    field::{DefaultValue, Output, Param, Schema, values, written},
    input::{Input, Reading},
    kind::{Form, needed},
    list::Span,
};

declare! {
    /// The name. Markup is removed.
    NAME: Organizer, Schema::Title, example("Green Hands") => values::title, written::text as Title;
    /// The phone number.
    PHONE: Phone, Schema::Line, default(DefaultValue::Null), example("+33 4 00 00 00 00") => values::line, written::text as String;
    /// The e-mail address.
    EMAIL: Email, Schema::Line, default(DefaultValue::Null), example("hello@green.example") => values::line, written::text as String;
}

const NAMES: Names<'_> = Names {
    kind: Kind::Organizer,
    title: &NAME,
    excerpt: None,
    slug: None,
};

impl Form for Organizer {
    fn fields(purpose: Purpose) -> Vec<Param> {
        let own = [PHONE.param, WEBSITE.param, EMAIL.param];
        [&[needed(NAME.param, purpose)][..], &entry::FIELDS, &own].concat()
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> OrganizerWrite {
        let shared = entry::read(input, &NAMES, reading, purpose);
        let own = OrganizerFields {
            phone: input.take(&PHONE),
            website: input.take_clearable(&WEBSITE),
            email: input.take(&EMAIL),
        };
        OrganizerWrite { shared, own }
    }

    fn write(write: &OrganizerWrite) -> Map<String, Value> {
        let mut output = Output::default();
        let OrganizerWrite { shared, own } = write;
        entry::write(&mut output, &NAMES, shared);
        let OrganizerFields {
            phone,
            website,
            email,
        } = own;
        output.set(&PHONE, phone.as_ref());
        output.change(&WEBSITE, website);
        output.set(&EMAIL, email.as_ref());
        output.into_fields()
    }

    fn filters() -> Vec<Param> {
        filters()
    }

    fn read_query(input: &mut Input<'_>, reading: Reading<'_>, _span: Span) -> PlaceQuery {
        read(input, Kind::Organizer, reading)
    }
}
