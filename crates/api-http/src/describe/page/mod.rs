//! The OpenAPI document as an HTML page.

mod assets;
mod curl;
mod field;
mod json;
mod operation;
mod schema;
mod text;

use askama::Template;
use http_service::site::Site;
use serde_json::Value;

use assets::Assets;
use field::{Field, fields};
use json::{list, members, text};
use operation::{Operation, common_parameters, operations};
use schema::describe_type;
use text::{Span, pretty, prose};

pub(crate) use assets::document_asset;

/// The page.
#[derive(Debug, Template)]
#[template(path = "reference.html")]
struct Page<'a> {
    assets: Assets,
    title: &'a str,
    version: &'a str,
    introduction: Vec<Vec<Span>>,
    servers: Vec<&'a str>,
    credentials: Vec<(&'a str, &'a str)>,
    /// The parameters of all operations.
    common: Vec<Field<'a>>,
    groups: Vec<Group<'a>>,
    schemas: Vec<Schema<'a>>,
}

/// The operations of a tag.
#[derive(Debug)]
struct Group<'a> {
    name: &'a str,
    about: &'a str,
    operations: Vec<Operation<'a>>,
}

#[derive(Debug)]
struct Schema<'a> {
    name: &'a str,
    about: Vec<Span>,
    example: Option<String>,
    /// The schema of which this one is another form.
    same_as: Option<Vec<Span>>,
    fields: Vec<Field<'a>>,
}

/// Renders the document of a site as a page.
pub(super) fn write(document: &Value, site: &Site) -> String {
    let common = common_parameters(document);
    let page = Page {
        assets: Assets::of(site),
        title: text(&document["info"]["title"]),
        version: text(&document["openapi"]),
        introduction: text(&document["info"]["description"])
            .split("\n\n")
            .map(prose)
            .collect(),
        servers: list(&document["servers"])
            .map(|server| text(&server["url"]))
            .collect(),
        credentials: members(&document["components"]["securitySchemes"])
            .map(|(name, scheme)| (name, text(&scheme["description"])))
            .collect(),
        groups: list(&document["tags"])
            .map(|tag| Group {
                name: text(&tag["name"]),
                about: text(&tag["description"]),
                operations: operations(document, text(&tag["name"]), &common),
            })
            .collect(),
        schemas: members(&document["components"]["schemas"])
            .map(|(name, schema)| described(document, name, schema))
            .collect(),
        common,
    };
    page.render().unwrap_or_else(|cause| {
        tracing::error!(%cause, "cannot render the OpenAPI document as a page");
        String::new()
    })
}

fn described<'a>(document: &'a Value, name: &'a str, schema: &'a Value) -> Schema<'a> {
    Schema {
        name,
        about: prose(text(&schema["description"])),
        example: schema["examples"].get(0).map(pretty),
        same_as: schema["allOf"].get(0).map(describe_type),
        fields: fields(document, schema),
    }
}
