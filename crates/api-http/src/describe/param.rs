//! Parameters of paths, and parameters as the index of routes and the OpenAPI document show them.

use domain::time::Timestamp;
use forms::{DefaultValue, Param, Schema, declare};
use http_service::site::{NAMESPACE, Site};
use serde_json::{Value, json};

declare! {
    /// The namespace to describe.
    NAMESPACE_OF_INDEX: Namespace, Schema::Text, default(DefaultValue::Namespace);
    /// Accepted, without effect.
    CONTEXT: Context, Schema::Line, default(DefaultValue::Text("view"));
    /// The ID of the record.
    pub(crate) ID: Id, Schema::Id, required(), example("1");
    /// The slug of the record, in any of its languages and in any letter case.
    pub(crate) SLUG: Slug, Schema::Text, required(), example("river-cleanup");
    /// The slot of the occurrence: a wall clock in the time zone of the series, an instant with `Z`,
    /// or a day that has one slot.
    pub(crate) RECURRENCE_ID: RecurrenceId, Schema::Text, required(), example("2027-04-17T09:00:00");
    /// The number of the revision.
    pub(crate) REVISION: Revision, Schema::Positive, required(), example("2");
}

/// Parameters of the index of routes.
pub(crate) const INDEX: [Param; 2] = [NAMESPACE_OF_INDEX, CONTEXT];

/// The parameter in the index of routes.
pub(crate) fn argument(param: &Param, site: &Site, now: Timestamp) -> Value {
    let mut argument = json!({});
    if let Some(default) = default_at(param.default, site, now) {
        argument["default"] = default;
    }
    argument["description"] = json!(param.description);
    argument["required"] = json!(param.required);
    if let (Some(argument), Value::Object(schema)) =
        (argument.as_object_mut(), param.schema.index_schema())
    {
        argument.extend(schema);
    }
    argument
}

/// The default value in the index of routes.
fn default_at(default: DefaultValue, site: &Site, now: Timestamp) -> Option<Value> {
    let window = || app::event::default_window(&site.zone, now);
    match default {
        DefaultValue::Namespace => Some(json!(*site.base_path().namespace)),
        DefaultValue::ListStart => Some(json!(site.local(window().0))),
        DefaultValue::ListEnd => Some(json!(site.local(window().1))),
        DefaultValue::Conditional(word) => Some(json!(word)),
        other => fixed(other),
    }
}

/// The constant default value, for the OpenAPI document.
pub(crate) fn fixed(default: DefaultValue) -> Option<Value> {
    match default {
        DefaultValue::None
        | DefaultValue::Conditional(_)
        | DefaultValue::ListStart
        | DefaultValue::ListEnd => None,
        // Every base path accepts this one.
        DefaultValue::Namespace => Some(json!(NAMESPACE)),
        DefaultValue::Null => Some(Value::Null),
        DefaultValue::Number(number) => Some(json!(number)),
        DefaultValue::Text(text) => Some(json!(text)),
        DefaultValue::Flag(flag) => Some(json!(flag)),
    }
}
