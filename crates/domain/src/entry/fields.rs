//! The fields of details: each is declared once, with its name in writes and the format of its values.
//!
//! A format writes a value as the text by which two states of a record are compared (`None` without a value), and reads the value
//! of a former state. The texts stay the same in all versions of the program: see
//! [`Record::written`](crate::Record::written).

/// A text; an empty one is no value.
pub(crate) mod text {
    use crate::{FieldName, audit::TrailReader};

    pub(crate) fn written(value: &str) -> Option<String> {
        Some(value.to_owned()).filter(|text| !text.is_empty())
    }

    pub(crate) fn restore(value: &mut String, field: FieldName, reader: &mut TrailReader<'_>) {
        reader.text(field, value);
    }
}

/// A flag, which always has a value.
pub(crate) mod flag {
    use crate::{FieldName, audit::TrailReader};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        clippy::unnecessary_wraps,
        reason = "the macro calls every format alike"
    )]
    pub(crate) fn written(value: &bool) -> Option<String> {
        Some(value.to_string())
    }

    pub(crate) fn restore(value: &mut bool, field: FieldName, reader: &mut TrailReader<'_>) {
        reader.read(field, value, |text| text.parse().ok());
    }
}

/// A URL.
pub(crate) mod url {
    use crate::{FieldName, audit::TrailReader, web_url::WebUrl};

    #[expect(clippy::ref_option, reason = "the macro calls every format alike")]
    pub(crate) fn written(value: &Option<WebUrl>) -> Option<String> {
        Some(value.as_ref()?.to_string())
    }

    pub(crate) fn restore(
        value: &mut Option<WebUrl>,
        field: FieldName,
        reader: &mut TrailReader<'_>,
    ) {
        let read = |text: &str| WebUrl::of_text(text).map(Some);
        reader.read_or_none((field, None), value, read);
    }
}

/// A position: one value with two names.
pub(crate) mod position {
    use crate::{FieldName, audit::TrailReader, geo::Position};

    #[expect(clippy::ref_option, reason = "the macro calls every format alike")]
    pub(crate) fn written(value: &Option<Position>) -> Option<String> {
        let position = value.as_ref()?;
        Some(format!("{} {}", position.latitude(), position.longitude()))
    }

    pub(crate) fn restore(
        value: &mut Option<Position>,
        field: FieldName,
        reader: &mut TrailReader<'_>,
    ) {
        let longitude = reader.value((FieldName::Longitude, None));
        reader.read_or_none((field, None), value, |latitude| {
            let (latitude, longitude) = (latitude.parse().ok()?, longitude?.parse().ok()?);
            Position::new(latitude, longitude).ok().map(Some)
        });
    }
}

/// Declares the fields that a merged entry may take: `TAKEABLE` and `take_field` of [`Details`](super::Details).
macro_rules! takeable_fields {
    ($title:ident; $($name:ident => $member:ident;)*) => {
        const TAKEABLE: &'static [FieldName] = &[
            FieldName::$title,
            FieldName::Description,
            FieldName::Excerpt,
            FieldName::Image,
            $(FieldName::$name),*
        ];

        fn take_field(&mut self, from: &Self, field: FieldName) -> bool {
            match field {
                $(FieldName::$name => self.$member.clone_from(&from.$member),)*
                _ => return false,
            }
            true
        }
    };
}

/// Declares every field of details, each with the format of its values; a second name means the same value. A member without a name
/// does not compile.
macro_rules! details_fields {
    ($title:ident; $($format:ident $name:ident $(| $alias:ident)? => $member:ident;)*) => {
        takeable_fields! { $title; $($name => $member;)* }

        fn written(&self, field: FieldName) -> Option<String> {
            let Self { $($member),* } = self;
            match field {
                $(FieldName::$name $(| FieldName::$alias)? => {
                    $crate::entry::fields::$format::written($member)
                })*
                _ => None,
            }
        }

        fn is_blank(&self, field: FieldName) -> bool {
            let is_own = matches!(field, $(FieldName::$name $(| FieldName::$alias)?)|*);
            is_own && self.written(field).is_none()
        }

        fn restore(&mut self, reader: &mut TrailReader<'_>) {
            $($crate::entry::fields::$format::restore(&mut self.$member, FieldName::$name, reader);)*
        }
    };
}
