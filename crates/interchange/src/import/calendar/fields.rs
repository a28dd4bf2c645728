//! Values of the domain as fields of a request.

use domain::{
    Status,
    geo::Position,
    recurrence::{DateValue, RecurrenceParts},
    text::Title,
    time::{EventTime, Timestamp},
    web_url::WebUrl,
};
use serde_json::{Map, Value, json};

/// The fields of a record, in the order in which they are set.
#[derive(Debug, Default)]
pub(super) struct Body(pub(super) Map<String, Value>);

impl Body {
    pub(super) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    pub(super) fn time(self, time: &EventTime) -> Self {
        let instant = |utc: Timestamp| format!("{utc}Z");
        self.set("timezone", time.zone().name())
            .set("start_date", instant(time.start().utc))
            .set("end_date", instant(time.end().utc))
            .set("all_day", time.all_day())
    }

    pub(super) fn website(self, website: &WebUrl) -> Self {
        self.set("website", website.as_str())
    }

    pub(super) fn position(self, position: Position) -> Self {
        self.set("geo_lat", position.latitude())
            .set("geo_lng", position.longitude())
    }

    /// Categories by name. Digits alone would be read as an ID; markup is removed from a name.
    pub(super) fn categories(self, names: &[Title]) -> Self {
        let names = names.iter().map(|name| format!("<b>{name}"));
        self.set("categories", names.collect::<Vec<_>>())
    }

    pub(super) fn status(self, status: Status) -> Self {
        self.set("status", status.name())
    }

    pub(super) fn recurrence(self, parts: &RecurrenceParts) -> Self {
        let rule = parts.rule.as_ref();
        let rule = rule.map(ToString::to_string).unwrap_or_default();
        let texts =
            |dates: &[DateValue]| -> Vec<_> { dates.iter().map(DateValue::to_string).collect() };
        let (extra, deleted) = (texts(&parts.extra), texts(&parts.deleted));
        self.set(
            "recurrence",
            json!({ "rrule": rule, "rdate": extra, "exdate": deleted }),
        )
    }
}
