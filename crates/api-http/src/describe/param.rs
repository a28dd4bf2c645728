//! Parameters of requests, as the interface describes them.

use domain::time::Timestamp;
use serde_json::{Value, json};

use super::schema::Schema;
use crate::site::{NAMESPACE, Site};

/// A parameter: in the path, in the query, or a field of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) schema: Schema,
    pub(crate) required: bool,
    pub(crate) default: DefaultValue,
    pub(crate) description: &'static str,
    /// An accepted value, as a form sends it.
    pub(crate) example: Option<&'static str>,
}

/// The value of a parameter that is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultValue {
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
    pub(crate) const fn new(name: &'static str, schema: Schema, description: &'static str) -> Self {
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
    pub(crate) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    /// Sets the default value.
    pub(crate) const fn default(self, default: DefaultValue) -> Self {
        Self { default, ..self }
    }

    /// Sets the example.
    pub(crate) const fn example(self, example: &'static str) -> Self {
        Self {
            example: Some(example),
            ..self
        }
    }

    /// The parameter in the index of routes.
    pub(crate) fn argument(&self, site: &Site, now: Timestamp) -> Value {
        let mut argument = json!({});
        if let Some(default) = self.default.at(site, now) {
            argument["default"] = default;
        }
        argument["description"] = json!(self.description);
        argument["required"] = json!(self.required);
        if let (Some(argument), Value::Object(schema)) =
            (argument.as_object_mut(), self.schema.index_schema())
        {
            argument.extend(schema);
        }
        argument
    }
}

impl DefaultValue {
    /// The value in the index of routes.
    fn at(self, site: &Site, now: Timestamp) -> Option<Value> {
        let window = || app::event::default_window(&site.zone, now);
        match self {
            Self::Namespace => Some(json!(*site.base_path().namespace)),
            Self::ListStart => Some(json!(site.local(window().0))),
            Self::ListEnd => Some(json!(site.local(window().1))),
            Self::Conditional(word) => Some(json!(word)),
            other => other.fixed(),
        }
    }

    /// The constant value, for the OpenAPI document.
    pub(crate) fn fixed(self) -> Option<Value> {
        match self {
            Self::None | Self::Conditional(_) | Self::ListStart | Self::ListEnd => None,
            // Every base path accepts this one.
            Self::Namespace => Some(json!(NAMESPACE)),
            Self::Null => Some(Value::Null),
            Self::Number(number) => Some(json!(number)),
            Self::Text(text) => Some(json!(text)),
            Self::Flag(flag) => Some(json!(flag)),
        }
    }
}

/// Declares a parameter: `name: schema, setter(value)`. Its doc comment is its description. A bare
/// name is a parameter declared elsewhere.
macro_rules! param {
    ($declared:ident) => {
        $declared
    };
    ($(#[doc = $line:literal])+ $name:ident: $schema:expr $(, $setter:ident($($value:expr)?))*) => {
        Param::new(
            stringify!($name),
            $schema,
            concat!($($line),+).trim_ascii_start(),
        )
        $(.$setter($($value)?))*
    };
}

/// Declares an array of parameters, each ended by a semicolon.
macro_rules! params {
    ($(
        $(#[doc = $line:literal])*
        $name:ident $(: $schema:expr $(, $setter:ident($($value:expr)?))*)?;
    )*) => {
        [$(param! {
            $(#[doc = $line])*
            $name $(: $schema $(, $setter($($value)?))*)?
        }),*]
    };
}

pub(crate) use {param, params};
