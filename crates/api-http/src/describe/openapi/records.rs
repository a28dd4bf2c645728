//! The schemas of what is answered.

use domain::{Language, Status};
use serde_json::{Map, Value, json};

use super::schemas::named;

type Field = (&'static str, Value);

/// An object with these fields and no others, of which some may be missing.
pub(super) fn object<const N: usize, const M: usize>(
    about: &str,
    always: [(&str, Value); N],
    sometimes: [(&str, Value); M],
) -> Value {
    let required: Vec<_> = always.iter().map(|(name, _)| (*name).to_owned()).collect();
    let properties: Map<_, _> = always
        .into_iter()
        .chain(sometimes)
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    json!({
        "type": "object",
        "description": about,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schemas by name.
pub(super) fn all() -> Vec<Field> {
    vec![
        ("Event", event()),
        ("Venue", venue()),
        ("Organizer", organizer()),
        ("Term", term()),
        ("Image", image()),
        ("ImageSize", image_size()),
        ("DateDetails", date_details()),
        ("CostDetails", cost_details()),
        ("Ticket", ticket()),
        ("JsonLd", json_ld()),
        ("Index", index()),
        ("Error", error()),
        ("Problem", problem()),
    ]
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn integer(about: &str) -> Value {
    json!({ "type": "integer", "description": about })
}

fn address(about: &str) -> Value {
    json!({ "type": "string", "format": "uri", "description": about })
}

fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

/// True or false; null while the content of the event is locked.
fn lockable(about: &str) -> Value {
    json!({ "type": ["boolean", "null"], "description": format!("{about} `null` while locked.") })
}

fn date(about: &str) -> Value {
    json!({
        "type": "string",
        "pattern": r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$",
        "description": about,
        "examples": ["2027-04-17 09:00:00"],
    })
}

fn list_of(schema: &Value, about: &str) -> Value {
    json!({ "type": "array", "items": schema, "description": about })
}

fn language() -> Field {
    let codes: Vec<_> = Language::ALL.iter().map(|one| one.code()).collect();
    (
        "language",
        json!({ "type": "string", "enum": codes, "description": "The language it was written in." }),
    )
}

fn translations() -> Field {
    let codes: Vec<_> = Language::ALL.iter().map(|one| one.code()).collect();
    let code = json!({ "type": "string", "enum": codes });
    (
        "translations",
        list_of(&code, "The languages it has texts in, its own first."),
    )
}

fn global_id() -> [Field; 2] {
    [
        ("global_id", text("Its name across sites.")),
        (
            "global_id_lineage",
            list_of(
                &json!({ "type": "string" }),
                "The names it has had across sites.",
            ),
        ),
    ]
}

/// The fields that events, venues and organizers begin with.
fn head() -> [Field; 8] {
    let statuses: Vec<_> = Status::ALL.iter().map(|one| one.name()).collect();
    [
        ("id", integer("Its number among its kind.")),
        ("author", integer("The user who owns it.")),
        (
            "status",
            json!({ "type": "string", "enum": statuses, "description": "Its status." }),
        ),
        (
            "date",
            date("Its publication date, in the zone of the site."),
        ),
        ("date_utc", date("Its publication date in UTC.")),
        (
            "modified",
            date("Its last change, in the zone of the site."),
        ),
        ("modified_utc", date("Its last change in UTC.")),
        ("url", address("Its page for people.")),
    ]
}

/// Adds fields that are always there to the schema of an object.
fn with<const N: usize>(mut schema: Value, always: [Field; N]) -> Value {
    for (name, field) in always {
        schema["properties"][name] = field;
        if let Some(required) = schema["required"].as_array_mut() {
            required.push(json!(name));
        }
    }
    schema
}

fn event() -> Value {
    let none = |about: &str| json!({ "type": "array", "maxItems": 0, "description": about });
    let details = || named("DateDetails");
    let term = named("Term");
    let schema = object(
        "An event. While a password locks its content, texts are empty and flags are `null`.",
        [
            ("rest_url", address("Its address in this interface.")),
            ("title", text("The title, plain text.")),
            ("description", text("The long text, HTML.")),
            ("excerpt", text("The short text, HTML.")),
            (
                "slug",
                text("Its name in addresses; empty for drafts without one."),
            ),
            (
                "image",
                json!({ "anyOf": [named("Image"), { "const": false }], "description": "Its picture, or `false`." }),
            ),
            ("all_day", lockable("Whether it lasts whole days.")),
            (
                "start_date",
                date("When it starts, by the clocks of its zone."),
            ),
            ("start_date_details", details()),
            ("end_date", date("When it ends, by the clocks of its zone.")),
            ("end_date_details", details()),
            ("utc_start_date", date("When it starts, in UTC.")),
            ("utc_start_date_details", details()),
            ("utc_end_date", date("When it ends, in UTC.")),
            ("utc_end_date_details", details()),
            ("timezone", text("Its time zone.")),
            (
                "timezone_abbr",
                text("The letters of the zone at the start."),
            ),
            ("cost", text("What it costs, for people.")),
            ("cost_details", named("CostDetails")),
            ("website", text("Its web site, or its page.")),
            ("show_map", lockable("Whether pages show a map.")),
            ("show_map_link", lockable("Whether pages link to a map.")),
            (
                "hide_from_listings",
                lockable("Whether lists leave it out."),
            ),
            ("sticky", lockable("Whether calendars show it first.")),
            ("featured", lockable("Whether it is featured.")),
            ("categories", list_of(&term, "Its categories, by name.")),
            ("tags", list_of(&term, "Its tags, by name.")),
            (
                "venue",
                json!({
                    "anyOf": [named("Venue"), none("No venue.")],
                    "description": "Its venue, or an empty list.",
                }),
            ),
            (
                "organizer",
                list_of(&named("Organizer"), "Its organizers, in their order."),
            ),
            ("custom_fields", none("Further fields: none.")),
            (
                "parent",
                integer("The event that it is a part of, if the reader may see it; else 0."),
            ),
            ("tickets", list_of(&named("Ticket"), "Its tickets.")),
            ("ticketed", lockable("Whether it has tickets.")),
            language(),
            translations(),
        ],
        [("json_ld", named("JsonLd"))],
    );
    with(with(schema, head()), global_id())
}

fn venue() -> Value {
    let coordinate = |about: &str, most: i32| json!({ "type": "number", "minimum": -most, "maximum": most, "description": about });
    let schema = object(
        "A venue. Fields that are empty are left out.",
        [
            ("venue", text("The name, plain text.")),
            ("show_map", flag("Whether its events show a map.")),
            ("show_map_link", flag("Whether its events link to a map.")),
            language(),
            translations(),
        ],
        [
            ("description", text("The long text, HTML.")),
            ("excerpt", text("The short text, HTML.")),
            ("slug", text("Its name in addresses.")),
            ("image", named("Image")),
            ("address", text("The street and number.")),
            ("city", text("The town.")),
            ("country", text("The country.")),
            ("province", text("The province.")),
            ("state", text("The state.")),
            ("zip", text("The postal code.")),
            ("phone", text("The phone number.")),
            ("website", address("The web site.")),
            ("stateprovince", text("The state or province as shown.")),
            ("geo_lat", coordinate("The latitude in degrees.", 90)),
            ("geo_lng", coordinate("The longitude in degrees.", 180)),
            ("json_ld", named("JsonLd")),
        ],
    );
    with(with(schema, head()), global_id())
}

fn organizer() -> Value {
    let schema = object(
        "An organizer. Fields that are empty are left out.",
        [
            ("organizer", text("The name, plain text.")),
            language(),
            translations(),
        ],
        [
            ("description", text("The long text, HTML.")),
            ("excerpt", text("The short text, HTML.")),
            ("slug", text("Its name in addresses.")),
            ("image", named("Image")),
            ("phone", text("The phone number.")),
            ("website", address("The web site.")),
            ("email", text("The e-mail address, as it was sent.")),
            ("json_ld", named("JsonLd")),
        ],
    );
    with(with(schema, head()), global_id())
}

fn term() -> Value {
    let urls = object(
        "Addresses in this interface.",
        [
            ("self", address("The term.")),
            ("collection", address("The list of its kind.")),
        ],
        [("up", address("The category above it, if there is one."))],
    );
    object(
        "A category or a tag.",
        [
            ("id", integer("Its number among its kind.")),
            ("count", integer("Published events that carry it.")),
            ("description", text("A description, HTML.")),
            ("name", text("The name, plain text.")),
            ("slug", text("Its name in addresses.")),
            (
                "taxonomy",
                json!({
                    "type": "string",
                    "enum": ["tribe_events_cat", "post_tag"],
                    "description": "Which kind it is: a category, or a tag.",
                }),
            ),
            (
                "meta",
                json!({ "type": "array", "maxItems": 0, "description": "Further data: none." }),
            ),
            ("url", address("Its page for people.")),
            ("urls", urls),
            language(),
            translations(),
        ],
        [(
            "parent",
            integer("The category above it, or 0; tags have no such field."),
        )],
    )
}

fn image() -> Value {
    let sizes = json!({
        "type": "object",
        "additionalProperties": named("ImageSize"),
        "description": "Smaller sizes by name.",
    });
    object(
        "A picture. What is not known of it is left out.",
        [
            ("url", address("The picture in full size.")),
            ("id", integer("Its number.")),
            ("extension", text("Its type, as the end of a file's name.")),
        ],
        [
            ("width", integer("In pixels.")),
            ("height", integer("In pixels.")),
            ("filesize", integer("In bytes.")),
            ("sizes", sizes),
        ],
    )
}

fn image_size() -> Value {
    object(
        "A picture in a smaller size.",
        [
            ("width", integer("In pixels.")),
            ("height", integer("In pixels.")),
            ("mime-type", text("Its media type.")),
            ("filesize", integer("In bytes.")),
            ("url", address("The picture.")),
        ],
        [],
    )
}

fn date_details() -> Value {
    let two = |about: &str| json!({ "type": "string", "pattern": r"^\d\d$", "description": about });
    object(
        "The parts of a date, padded with zeros.",
        [
            (
                "year",
                json!({ "type": "string", "pattern": r"^\d{4}$", "description": "Four digits." }),
            ),
            ("month", two("From 01 to 12.")),
            ("day", two("From 01 to 31.")),
            ("hour", two("From 00 to 23.")),
            ("minutes", two("From 00 to 59.")),
            ("seconds", two("From 00 to 59.")),
        ],
        [],
    )
}

fn cost_details() -> Value {
    let amount = json!({ "type": "string", "pattern": r"^\d*\.?\d+$" });
    object(
        "What an event costs, in parts.",
        [
            (
                "currency_symbol",
                text("The symbol that all amounts have, or nothing."),
            ),
            (
                "currency_code",
                text("The currency by its three letters, or nothing."),
            ),
            (
                "currency_position",
                json!({
                    "type": "string",
                    "enum": ["prefix", "postfix", ""],
                    "description": "Where the symbol stands.",
                }),
            ),
            ("values", list_of(&amount, "The amounts, ascending.")),
        ],
        [],
    )
}

fn ticket() -> Value {
    object(
        "A ticket.",
        [
            ("name", text("What it is called.")),
            ("price", text("The price, as decimal digits.")),
            (
                "currency",
                text("The currency by its three letters (ISO 4217)."),
            ),
        ],
        [
            ("url", address("Where it is sold.")),
            ("available_from", date("Since when it is sold.")),
            ("available_until", date("Until when it is sold.")),
        ],
    )
}

fn json_ld() -> Value {
    json!({
        "type": "object",
        "description": "The record in the words of schema.org; only where one record is read.",
        "properties": { "@type": { "type": "string" } },
        "required": ["@type"],
        "additionalProperties": true,
    })
}

fn index() -> Value {
    let links = json!({ "type": "object" });
    let endpoint = object(
        "Some methods of a route.",
        [
            (
                "methods",
                list_of(&json!({ "type": "string" }), "The methods."),
            ),
            (
                "args",
                json!({ "type": "object", "description": "What they take, by name." }),
            ),
        ],
        [],
    );
    let route = object(
        "A route.",
        [
            ("namespace", text("The namespace.")),
            (
                "methods",
                list_of(&json!({ "type": "string" }), "All its methods."),
            ),
            ("endpoints", list_of(&endpoint, "What its methods take.")),
        ],
        [("_links", links.clone())],
    );
    object(
        "What the namespace offers.",
        [
            ("namespace", text("The namespace.")),
            (
                "routes",
                json!({ "type": "object", "additionalProperties": route }),
            ),
            ("_links", links),
        ],
        [],
    )
}

/// What is told of an error beside its code and its message.
fn told() -> Value {
    let text_by_name = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let names = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "status": integer("The status of the answer."),
        "params": {
            "anyOf": [names, text_by_name],
            "description": "Missing fields, or what is wrong with fields, by name.",
        },
        "details": {
            "type": ["object", "array"],
            "description": "More on bad fields, by name; an empty list if there is none.",
        },
        "term_id": integer("The term that has the name."),
        "json_error_code": integer("A number for a syntax error."),
        "json_error_message": text("What is wrong with the JSON."),
    })
}

fn error() -> Value {
    let data = json!({
        "type": "object",
        "properties": told(),
        "required": ["status"],
        "additionalProperties": false,
    });
    object(
        "Why something was not done.",
        [
            ("code", text("For programs.")),
            (
                "message",
                text("For people, in the language of the request."),
            ),
            ("data", data),
        ],
        [],
    )
}

fn problem() -> Value {
    let mut schema = object(
        "Why something was not done, as RFC 9457 has it.",
        [
            ("type", text("`about:blank`: the code tells more.")),
            ("title", text("What the status means.")),
            (
                "detail",
                text("For people, in the language of the request."),
            ),
            ("code", text("For programs.")),
        ],
        [],
    );
    if let (Some(properties), Value::Object(told)) = (schema["properties"].as_object_mut(), told())
    {
        properties.extend(told);
    }
    schema
}
