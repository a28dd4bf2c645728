//! Types of values, as the index of routes and the OpenAPI document describe them.

use app::fault::{MAX_LINE_CHARS, MAX_LIST};
use domain::{
    Kind, Language, Status, cost::Cost, html::RichText, image::AltText, text::Title,
    ticket::MAX_TICKETS, web_url::WebUrl,
};
use serde_json::{Value, json};

use super::values::{BOOLEAN_WORDS, MAX_NAME_CHARS, STRICT_WORDS};

/// The type of a value, with its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// Text of one line, which may be empty.
    Line,
    /// The alternative text of an image, which may be empty.
    AltText,
    /// Text of at least one character.
    Text,
    /// A title or a name.
    Title,
    /// A text to search for.
    Search,
    /// Any text, which may be empty.
    AnyText,
    /// The code of a currency, or an empty text.
    Currency,
    /// HTML, which may be empty.
    Html,
    /// A web address, or an empty text.
    Url,
    /// A date and time in any of the accepted formats.
    Date,
    /// The name of a time zone, or an empty text.
    Zone,
    /// The ID of a record, or 0 for none.
    Id,
    /// An integer from 1 on.
    Positive,
    /// A number within bounds.
    Number {
        /// Least.
        min: i32,
        /// Greatest.
        max: i32,
    },
    /// A number within bounds, or an empty text for none.
    Coordinate {
        /// Least.
        min: i32,
        /// Greatest.
        max: i32,
    },
    /// A boolean, also as 1 and 0.
    Boolean,
    /// Text; some words mean true, all others false.
    LooseBoolean,
    /// `true`, `false`, `yes`, `no`, `on`, `off`, `1` or `0`.
    BooleanWord,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// The code of a language of the service.
    Language,
    /// The status of a record.
    Status,
    /// Names of statuses, or `any`.
    Statuses,
    /// Names of kinds of records.
    Kinds,
    /// At least one ID.
    Ids,
    /// At least one ID, slug or name.
    IdsOrNames,
    /// At least one text.
    Texts,
    /// IDs and names of terms, possibly none.
    Terms,
    /// The venue of an event: an ID, or its fields.
    Venue,
    /// The organizers of an event: IDs, or their fields.
    Organizers,
    /// An image: its ID, its address, or an empty text.
    Image,
    /// The cost of an event.
    Cost,
    /// The amounts of a cost, as answers have them.
    CostDetails,
    /// The price of a ticket.
    Price,
    /// The code of a currency.
    CurrencyCode,
    /// The tickets of an event.
    Tickets,
    /// The recurrence of an event.
    Recurrence,
    /// A number in a recurrence, also as text.
    Rule,
    /// Values in a recurrence: a list, or text with commas.
    RuleList,
    /// Names of fields, or a boolean.
    FieldNames,
    /// IDs of records by the names of fields.
    FieldSources,
}

impl Schema {
    /// The schema of a value in the index of routes: its type and the words that are allowed.
    pub fn index_schema(self) -> Value {
        match self {
            Self::Id | Self::Positive => json!({ "type": "integer" }),
            Self::Number { .. } | Self::Coordinate { .. } => json!({ "type": "number" }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::OneOf(_) | Self::Language | Self::Status => self.body_schema(),
            Self::Ids | Self::IdsOrNames | Self::Terms | Self::Venue | Self::Organizers => {
                json!({ "type": "array", "items": { "type": "integer" } })
            }
            Self::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Tickets => json!({ "type": "array", "items": { "type": "object" } }),
            Self::CostDetails | Self::FieldSources => json!({ "type": "object" }),
            _ => json!({ "type": "string" }),
        }
    }

    /// The schema of a value in the path or the query.
    pub fn query_schema(self) -> Value {
        let list = |items: &Value| json!({ "type": "array", "items": items, "minItems": 1, "maxItems": MAX_LIST });
        match self {
            Self::Ids => list(&Self::Positive.query_schema()),
            Self::IdsOrNames => list(&json!({ "type": ["integer", "string"] })),
            Self::Texts => {
                list(&json!({ "type": "string", "minLength": 1, "maxLength": MAX_NAME_CHARS }))
            }
            Self::Statuses => {
                let names: Vec<_> = Status::NAMES.into_iter().chain(["any"]).collect();
                list(&json!({ "type": "string", "enum": names }))
            }
            Self::Kinds => list(&json!({ "type": "string", "enum": Kind::NAMES })),
            Self::Boolean => json!({ "type": "boolean" }),
            other => other.body_schema(),
        }
    }

    /// The schema of a value in a body.
    pub fn body_schema(self) -> Value {
        match self {
            Self::AnyText | Self::Zone => json!({ "type": "string" }),
            Self::Line => json!({ "type": "string", "maxLength": MAX_LINE_CHARS }),
            Self::AltText => json!({ "type": "string", "maxLength": AltText::MAX_CHARS }),
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
                json!({ "anyOf": [{ "type": "boolean" }, { "enum": BOOLEAN_WORDS[..STRICT_WORDS] }, { "enum": [1, 0] }] })
            }
            Self::LooseBoolean => json!({ "type": ["string", "boolean", "integer"] }),
            Self::BooleanWord => {
                json!({ "type": "string", "enum": BOOLEAN_WORDS })
            }
            Self::Price => json!({ "type": ["string", "number"], "minimum": 0 }),
            Self::CurrencyCode => json!({ "type": "string", "pattern": "^[A-Za-z]{3}$" }),
            Self::OneOf(words) => json!({ "type": "string", "enum": words }),
            Self::Language => {
                json!({ "type": "string", "enum": Language::NAMES })
            }
            Self::Status => json!({ "type": "string", "enum": Status::NAMES }),
            Self::Ids | Self::IdsOrNames | Self::Texts | Self::Statuses | Self::Kinds => {
                self.query_schema()
            }
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
            Self::CostDetails => json!({
                "type": "object",
                "properties": {
                    "values": {
                        "type": "array",
                        "items": { "type": ["string", "number"] },
                        "maxItems": Cost::MAX_AMOUNTS,
                    },
                    "currency_symbol": { "type": "string" },
                    "currency_position": { "type": "string" },
                },
            }),
            Self::Tickets => json!({
                "type": "array",
                "items": { "$ref": "#/components/schemas/TicketFields" },
                "maxItems": MAX_TICKETS,
            }),
            Self::Recurrence => json!({ "anyOf": [
                { "type": "string" },
                { "type": "array", "items": { "type": "string" } },
                { "$ref": "#/components/schemas/RecurrenceFields" },
            ] }),
            Self::Rule => json!({ "type": ["integer", "string"] }),
            Self::RuleList => json!({ "anyOf": [
                { "type": "array", "items": { "type": ["integer", "string"] } },
                { "type": ["integer", "string"] },
            ] }),
            Self::FieldSources => json!({ "type": "object", "additionalProperties": number(1) }),
            Self::FieldNames => json!({ "anyOf": [
                { "type": "boolean" },
                { "type": "array", "items": { "type": "string" } },
                { "type": "string" },
            ] }),
        }
    }

    /// Whether the value is a list, which a query may write as `a,b`.
    pub fn is_list(self) -> bool {
        matches!(
            self,
            Self::Ids | Self::IdsOrNames | Self::Texts | Self::Statuses | Self::Kinds
        )
    }
}

/// An integer from `min` to the greatest ID.
fn number(min: u8) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": min, "maximum": i64::MAX })
}

/// IDs of linked records, or the fields of new ones.
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
