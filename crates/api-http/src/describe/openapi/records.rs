//! The schemas of records.

use domain::{Language, Status};
use serde_json::{Value, json};

use super::{
    build::{
        Field, address, date, flag, integer, list_of, lockable, no_values, object, text, with,
    },
    parts,
    schemas::named,
};

/// The schemas by name.
pub(super) fn all() -> Vec<Field> {
    vec![
        ("Event", event()),
        ("Venue", venue()),
        ("Organizer", organizer()),
        ("Term", term()),
        ("Image", parts::image()),
        ("ImageSize", parts::image_size()),
        ("DateDetails", parts::date_details()),
        ("CostDetails", parts::cost_details()),
        ("Ticket", parts::ticket()),
        ("TicketFields", parts::ticket_fields()),
        ("JsonLd", parts::json_ld()),
        ("Index", parts::index()),
        ("Error", parts::error()),
        ("Problem", parts::problem()),
    ]
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

fn event() -> Value {
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
                    "anyOf": [named("Venue"), no_values("No venue.")],
                    "description": "Its venue, or an empty list.",
                }),
            ),
            (
                "organizer",
                list_of(&named("Organizer"), "Its organizers, in their order."),
            ),
            ("custom_fields", no_values("Further fields: none.")),
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
            ("meta", no_values("Further data: none.")),
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
