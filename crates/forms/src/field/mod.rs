//! Declarations of fields and parameters.

mod orders;
mod output;
mod schema;
pub mod values;
pub(crate) mod written;

use std::ops::Deref;

use app::fault::Fault;
use domain::FieldName;
use serde_json::Value;

pub(crate) use orders::{EVENT_ORDERS, TERM_ORDERS};
pub(crate) use output::Output;
pub use schema::Schema;

/// A parameter: in the path, in the query, or a field of the body.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name.
    pub name: FieldName,
    /// The type of its values.
    pub schema: Schema,
    /// Whether it must be sent.
    pub required: bool,
    /// The value if it is not sent.
    pub default: DefaultValue,
    /// The description.
    pub description: &'static str,
    /// An accepted value, as a form sends it.
    pub example: Option<&'static str>,
}

/// The value of a parameter that is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// No default.
    None,
    /// `null` in the index of routes; none in the OpenAPI document.
    Null,
    /// A number.
    Number(u32),
    /// A word.
    Text(&'static str),
    /// A word that depends on other parameters; none in the OpenAPI document.
    Conditional(&'static str),
    /// A boolean.
    Flag(bool),
    /// The namespace of the base path.
    Namespace,
    /// The first day of a list of events.
    ListStart,
    /// The last day of a list of events.
    ListEnd,
}

impl Param {
    /// An optional parameter.
    pub const fn new(name: FieldName, schema: Schema, description: &'static str) -> Self {
        Self {
            name,
            schema,
            required: false,
            default: DefaultValue::None,
            description,
            example: None,
        }
    }

    /// Makes the parameter required.
    #[must_use]
    pub const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    /// Sets the default value.
    #[must_use]
    pub const fn default(self, default: DefaultValue) -> Self {
        Self { default, ..self }
    }

    /// Sets the example.
    #[must_use]
    pub const fn example(self, example: &'static str) -> Self {
        Self {
            example: Some(example),
            ..self
        }
    }
}

/// A field or a filter with a parser of its values; a field of writes also has a writer.
///
/// ```
/// use domain::FieldName;
/// use events_calendar_forms::{Param, Schema, WrittenField, values};
///
/// const CITY: WrittenField<String> = WrittenField {
///     param: Param::new(FieldName::City, Schema::Line, "The city."),
///     parse: values::line,
///     write: |city| city.as_str().into(),
/// };
/// assert_eq!((CITY.parse)(&"  Lyon ".into()).unwrap(), "Lyon");
/// assert_eq!((CITY.write)(&"Lyon".to_owned()), "Lyon");
/// assert_eq!(CITY.name, FieldName::City);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Field<T: 'static, W = ()> {
    /// The declaration.
    pub param: Param,
    /// Reads a value.
    pub parse: fn(&Value) -> Result<T, Fault>,
    /// Writes a value, which `parse` reads as the same; a filter has no writer.
    pub write: W,
}

/// A field of writes.
pub type WrittenField<T> = Field<T, fn(&T) -> Value>;

impl<T, W> Deref for Field<T, W> {
    type Target = Param;

    fn deref(&self) -> &Param {
        &self.param
    }
}

/// Declares parameters, each by its constant, its name and its schema, and a parser after `=>`, which the
/// writer of a field of writes follows. The doc comment is the description.
#[macro_export]
macro_rules! declare {
    () => {};
    (
        $(#[doc = $line:literal])+
        $vis:vis $const:ident: $name:ident, $schema:expr
        $(, $setter:ident($($value:expr)?))*;
        $($rest:tt)*
    ) => {
        $(#[doc = $line])+
        $vis const $const: $crate::Param = $crate::Param::new(
            domain::FieldName::$name,
            $schema,
            concat!($($line),+).trim_ascii_start(),
        )
        $(.$setter($($value)?))*;
        $crate::declare! { $($rest)* }
    };
    (
        $(#[doc = $line:literal])+
        $vis:vis $const:ident: $name:ident, $schema:expr
        $(, $setter:ident($($value:expr)?))* => $parse:path as $type:ty;
        $($rest:tt)*
    ) => {
        $(#[doc = $line])+
        $vis const $const: $crate::Field<$type> = $crate::Field {
            param: $crate::Param::new(
                domain::FieldName::$name,
                $schema,
                concat!($($line),+).trim_ascii_start(),
            )
            $(.$setter($($value)?))*,
            parse: $parse,
            write: (),
        };
        $crate::declare! { $($rest)* }
    };
    (
        $(#[doc = $line:literal])+
        $vis:vis $const:ident: $name:ident, $schema:expr
        $(, $setter:ident($($value:expr)?))* => $parse:path, $write:path as $type:ty;
        $($rest:tt)*
    ) => {
        $(#[doc = $line])+
        $vis const $const: $crate::WrittenField<$type> = $crate::WrittenField {
            param: $crate::Param::new(
                domain::FieldName::$name,
                $schema,
                concat!($($line),+).trim_ascii_start(),
            )
            $(.$setter($($value)?))*,
            parse: $parse,
            write: $write,
        };
        $crate::declare! { $($rest)* }
    };
}
