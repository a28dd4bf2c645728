//! A parameter of the interface.

use domain::time::{Timestamp, Zone};
use serde_json::{Value, json};

use super::shape::Shape;
use crate::{NAMESPACE, site::Site};

/// A field of a request as the interface describes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    pub(crate) preset: Preset,
    pub(crate) description: &'static str,
    /// A value that is accepted, as a form would send it.
    pub(crate) example: Option<&'static str>,
}

/// What counts if a field was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preset {
    /// Nothing that could be said.
    None,
    /// Nothing, which is said.
    Null,
    /// A number.
    Number(u32),
    /// A word.
    Text(&'static str),
    /// A word, unless another field says otherwise.
    Usual(&'static str),
    /// True or false.
    Flag(bool),
    /// The namespace of the base_path.
    Namespace,
    /// Where a list of events begins.
    ListStart,
    /// Where a list of events ends.
    ListEnd,
}

/// What presets depend on.
#[derive(Clone, Debug)]
pub(crate) struct Moment<'a> {
    pub(crate) now: Timestamp,
    pub(crate) zone: &'a Zone,
    /// The namespace of the base_path.
    pub(crate) namespace: &'a str,
}

impl<'a> Moment<'a> {
    /// A moment at a site.
    pub(crate) fn new(now: Timestamp, site: &'a Site) -> Self {
        Self {
            now,
            zone: &site.zone,
            namespace: &site.base_path().namespace,
        }
    }
}

impl Param {
    /// A field that need not be sent.
    pub(crate) const fn new(name: &'static str, shape: Shape, description: &'static str) -> Self {
        Self {
            name,
            shape,
            required: false,
            preset: Preset::None,
            description,
            example: None,
        }
    }

    /// The same, required.
    pub(crate) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    /// The same, with what counts if it was not sent.
    pub(crate) const fn or(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    /// The same, with a value for example.
    pub(crate) const fn such_as(self, example: &'static str) -> Self {
        Self {
            example: Some(example),
            ..self
        }
    }

    /// As the index of routes tells it.
    pub(crate) fn argument(&self, moment: &Moment<'_>) -> Value {
        let mut argument = json!({});
        if let Some(preset) = self.preset.at(moment) {
            argument["default"] = preset;
        }
        argument["description"] = json!(self.description);
        argument["required"] = json!(self.required);
        if let (Some(argument), Value::Object(shape)) =
            (argument.as_object_mut(), self.shape.argument())
        {
            argument.extend(shape);
        }
        argument
    }
}

impl Preset {
    /// The value at a moment.
    fn at(self, moment: &Moment<'_>) -> Option<Value> {
        let text = |time: Timestamp| json!(domain::time::format_civil(moment.zone.at(time).local));
        let window = || app::event::default_window(moment.zone, moment.now);
        match self {
            Self::Namespace => Some(json!(moment.namespace)),
            Self::ListStart => Some(text(window().0)),
            Self::ListEnd => Some(text(window().1)),
            Self::Usual(word) => Some(json!(word)),
            other => other.fixed(),
        }
    }

    /// The value, if it is always the same.
    pub(crate) fn fixed(self) -> Option<Value> {
        match self {
            Self::None | Self::Usual(_) | Self::ListStart | Self::ListEnd => None,
            // Every base_path knows this one.
            Self::Namespace => Some(json!(NAMESPACE)),
            Self::Null => Some(Value::Null),
            Self::Number(number) => Some(json!(number)),
            Self::Text(text) => Some(json!(text)),
            Self::Flag(flag) => Some(json!(flag)),
        }
    }
}
