//! The fields of an organizer.

use app::{
    place::{OrganizerFields, OrganizerWrite, PlaceQuery},
    request::Purpose,
};
use domain::{Kind, Organizer, text::Title};

use super::{filters, read, venue::WEBSITE};
use crate::{
    entry::{self, Names},
    field::{DefaultValue, Param, Schema, values},
    input::{Input, Reading},
    kind::{Form, needed},
    list::Span,
};

declare! {
    /// The name. Markup is removed.
    NAME: Organizer, Schema::Title, example("Green Hands") => values::title as Title;
    /// The phone number.
    PHONE: Phone, Schema::Line, default(DefaultValue::Null), example("+33 4 00 00 00 00") => values::line as String;
    /// The e-mail address.
    EMAIL: Email, Schema::Line, default(DefaultValue::Null), example("hello@green.example") => values::line as String;
}

impl Form for Organizer {
    fn fields(purpose: Purpose) -> Vec<Param> {
        let own = [PHONE.param, WEBSITE.param, EMAIL.param];
        [&[needed(NAME.param, purpose)][..], &entry::FIELDS, &own].concat()
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> OrganizerWrite {
        let names = Names {
            kind: Kind::Organizer,
            title: &NAME,
            excerpt: None,
            slug: None,
        };
        let shared = entry::read(input, &names, reading, purpose);
        let own = OrganizerFields {
            phone: input.take(&PHONE),
            website: input.take_clearable(&WEBSITE),
            email: input.take(&EMAIL),
        };
        OrganizerWrite { shared, own }
    }

    fn filters() -> Vec<Param> {
        filters()
    }

    fn read_query(input: &mut Input<'_>, reading: Reading<'_>, _span: Span) -> PlaceQuery {
        read(input, reading)
    }
}
