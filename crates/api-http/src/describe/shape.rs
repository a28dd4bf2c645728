//! What kinds of values there are, in the two tongues in which they are described.

use app::input::{MAX_LINE_CHARS, MAX_LIST};
use domain::{
    Language, Status, cost::Cost, html::RichText, text::Title, ticket::MAX_TICKETS, web_url::WebUrl,
};
use serde_json::{Value, json};

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Text of one line, which may be empty.
    Line,
    /// Text of at least one character.
    Text,
    /// A title or a name.
    Title,
    /// A text to search for.
    Search,
    /// Any text, which may be empty.
    Any,
    /// The code of a currency, or nothing.
    Currency,
    /// Text with formatting, which may be empty.
    Html,
    /// A web address, or nothing.
    Url,
    /// A date and time in one of the forms that are read.
    Date,
    /// The name of a time zone, or nothing.
    Zone,
    /// The number of a record, or 0 for none.
    Id,
    /// A whole number from 1 on.
    Positive,
    /// A number within bounds.
    Number { min: i32, max: i32 },
    /// A number within bounds, or an empty text for none.
    Coordinate { min: i32, max: i32 },
    /// True or false, also as 1 and 0.
    Boolean,
    /// A text of which some words mean true.
    Loose,
    /// `true`, `false` and their like.
    Switch,
    /// One of some words.
    OneOf(&'static [&'static str]),
    /// A language of the service.
    Language,
    /// The status of a record.
    Status,
    /// Names of statuses, or `any`.
    Statuses,
    /// IDs, at least one.
    Ids,
    /// IDs, slugs or names, at least one.
    Named,
    /// IDs and names of terms, which may be none.
    Terms,
    /// The venue of an event: an ID, or its fields.
    Venue,
    /// The organizers of an event: IDs, or their fields.
    Organizers,
    /// A picture: its ID, its address, or nothing.
    Image,
    /// What an event costs.
    Cost,
    /// The tickets of an event.
    Tickets,
}

/// `true` and `false`, as requests may write them.
const FLAG: [&str; 4] = ["true", "false", "1", "0"];

impl Shape {
    /// The names of the type, of the type of its items, and the words that are allowed, as the
    /// index of routes tells them.
    pub(crate) fn argument(self) -> Value {
        let list = |items| json!({ "type": "array", "items": { "type": items } });
        match self {
            Self::Id | Self::Positive => json!({ "type": "integer" }),
            Self::Number { .. } | Self::Coordinate { .. } => json!({ "type": "number" }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::OneOf(words) => json!({ "type": "string", "enum": words }),
            Self::Language => json!({ "type": "string", "enum": languages() }),
            Self::Status => json!({ "type": "string", "enum": statuses() }),
            Self::Ids | Self::Named | Self::Terms | Self::Venue | Self::Organizers => {
                list("integer")
            }
            Self::Tickets => list("object"),
            Self::Line
            | Self::Text
            | Self::Title
            | Self::Search
            | Self::Any
            | Self::Currency
            | Self::Html
            | Self::Url
            | Self::Date
            | Self::Zone
            | Self::Loose
            | Self::Switch
            | Self::Statuses
            | Self::Image
            | Self::Cost => json!({ "type": "string" }),
        }
    }

    /// The schema of a value in the path or the query, where all is text.
    pub(crate) fn query_schema(self) -> Value {
        let list = |items: &Value| json!({ "type": "array", "items": items, "minItems": 1, "maxItems": MAX_LIST });
        match self {
            Self::Ids => list(&Self::Positive.query_schema()),
            Self::Named => list(&json!({ "type": ["integer", "string"] })),
            Self::Statuses => list(&json!({ "type": "string", "enum": statuses_or_any() })),
            Self::Boolean => json!({ "type": "boolean" }),
            other => other.schema(),
        }
    }

    /// The schema of a value in a body.
    pub(crate) fn schema(self) -> Value {
        match self {
            Self::Any | Self::Zone => json!({ "type": "string" }),
            Self::Line => json!({ "type": "string", "maxLength": MAX_LINE_CHARS }),
            Self::Text => json!({ "type": "string", "minLength": 1 }),
            Self::Title => {
                json!({ "type": "string", "minLength": 1, "maxLength": Title::MAX_CHARS })
            }
            Self::Search => {
                json!({ "type": "string", "minLength": 1, "maxLength": MAX_LINE_CHARS })
            }
            Self::Html => json!({ "type": "string", "maxLength": RichText::MAX_BYTES }),
            Self::Currency => json!({ "type": "string", "pattern": "^([A-Za-z]{3})?$" }),
            Self::Url => {
                json!({ "type": "string", "format": "uri-reference", "maxLength": WebUrl::MAX_BYTES })
            }
            Self::Date => json!({ "type": ["string", "integer"], "minLength": 1 }),
            Self::Image => {
                json!({ "type": ["string", "integer"], "maxLength": WebUrl::MAX_BYTES, "minimum": 1 })
            }
            Self::Id => number(0),
            Self::Positive => number(1),
            Self::Number { min, max } => {
                json!({ "type": "number", "minimum": min, "maximum": max })
            }
            Self::Coordinate { min, max } => json!({ "anyOf": [
                { "type": "number", "minimum": min, "maximum": max },
                { "const": "" },
            ] }),
            Self::Boolean => {
                json!({ "anyOf": [{ "type": "boolean" }, { "enum": FLAG }, { "enum": [1, 0] }] })
            }
            Self::Loose => json!({ "type": ["string", "boolean", "integer"] }),
            Self::Switch => {
                let words = ["true", "false", "1", "0", "yes", "no", "on", "off"];
                json!({ "type": "string", "enum": words })
            }
            Self::OneOf(words) => json!({ "type": "string", "enum": words }),
            Self::Language => json!({ "type": "string", "enum": languages() }),
            Self::Status => json!({ "type": "string", "enum": statuses() }),
            Self::Ids | Self::Named | Self::Statuses => self.query_schema(),
            Self::Terms => json!({ "anyOf": [
                { "type": "array", "items": { "type": ["integer", "string"] }, "maxItems": MAX_LIST },
                { "type": "string" },
                { "type": "integer" },
            ] }),
            Self::Venue => links("VenueCreate"),
            Self::Organizers => links("OrganizerCreate"),
            Self::Cost => {
                let amount = json!({ "type": ["string", "number"], "maxLength": Cost::MAX_CHARS, "minimum": 0 });
                json!({ "anyOf": [
                    amount,
                    { "type": "array", "items": amount, "maxItems": Cost::MAX_AMOUNTS },
                ] })
            }
            Self::Tickets => json!({
                "type": "array",
                "items": { "$ref": "#/components/schemas/TicketFields" },
                "maxItems": MAX_TICKETS,
            }),
        }
    }

    /// Whether a query may write the value as `a,b`.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Ids | Self::Named | Self::Statuses)
    }
}

/// A whole number from `min` on, up to the greatest number of a record.
fn number(min: u8) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": min, "maximum": i64::MAX })
}

/// IDs of records, or the fields of new ones.
fn links(fields: &str) -> Value {
    let fields = json!({ "$ref": format!("#/components/schemas/{fields}") });
    let known = json!({
        "type": "object",
        "properties": { "id": number(1) },
        "required": ["id"],
    });
    let one = [number(0), known, fields];
    json!({ "anyOf": [
        { "type": "array", "items": { "anyOf": one }, "maxItems": MAX_LIST },
        one[0], one[1], one[2],
        { "type": "string" },
    ] })
}

fn languages() -> Vec<&'static str> {
    Language::ALL.iter().map(|one| one.code()).collect()
}

fn statuses() -> Vec<&'static str> {
    Status::ALL.iter().map(|one| one.name()).collect()
}

fn statuses_or_any() -> Vec<&'static str> {
    statuses().into_iter().chain(["any"]).collect()
}
