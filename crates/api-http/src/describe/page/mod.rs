//! The OpenAPI document as an HTML page.

mod text;

use askama::Template;
use serde_json::{Map, Value};

use text::{Span, describe_type, prose, short};

/// The page. It loads no other files.
#[derive(Debug, Template)]
#[template(path = "reference.html")]
struct Page<'a> {
    title: &'a str,
    version: &'a str,
    introduction: Vec<Vec<Span>>,
    servers: Vec<&'a str>,
    credentials: Vec<(&'a str, &'a str)>,
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
struct Operation<'a> {
    id: &'a str,
    summary: &'a str,
    methods: Vec<String>,
    path: &'a str,
    needs_login: bool,
    parameters: Vec<Row<'a>>,
    body: Option<Body<'a>>,
    responses: Vec<Response<'a>>,
}

#[derive(Debug)]
struct Body<'a> {
    kind: Vec<Span>,
    forms: Vec<&'a str>,
    example: Option<String>,
}

#[derive(Debug)]
struct Response<'a> {
    status: &'a str,
    about: &'a str,
    kind: Vec<Span>,
    codes: Vec<&'a str>,
}

#[derive(Debug)]
struct Schema<'a> {
    name: &'a str,
    about: &'a str,
    rows: Vec<Row<'a>>,
}

/// A parameter or a field of a schema.
#[derive(Debug)]
struct Row<'a> {
    name: &'a str,
    place: Option<&'a str>,
    required: bool,
    kind: Vec<Span>,
    about: Vec<Span>,
    default: Option<String>,
    example: Option<String>,
}

/// Renders a document as a page.
pub(super) fn write(document: &Value) -> String {
    let schemas = members(&document["components"]["schemas"]);
    let page = Page {
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
                operations: operations(document, text(&tag["name"])),
            })
            .collect(),
        schemas: schemas
            .map(|(name, schema)| Schema {
                name,
                about: text(&schema["description"]),
                rows: fields(schema),
            })
            .collect(),
    };
    page.render().unwrap_or_else(|cause| {
        tracing::error!(%cause, "cannot render the OpenAPI document as a page");
        String::new()
    })
}

/// The operations of a tag. Adjacent methods of one path with the same summary become one
/// operation.
fn operations<'a>(document: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let mut operations: Vec<Operation<'a>> = Vec::new();
    for (path, item) in members(&document["paths"]) {
        for (method, described) in members(item) {
            if !list(&described["tags"]).any(|one| one == tag) {
                continue;
            }
            let method = method.to_ascii_uppercase();
            let summary = text(&described["summary"]);
            match operations.last_mut() {
                Some(last) if (last.path, last.summary) == (path, summary) => {
                    last.methods.push(method);
                }
                _ => operations.push(Operation {
                    id: text(&described["operationId"]),
                    summary,
                    methods: vec![method],
                    path,
                    needs_login: list(&described["security"])
                        .all(|way| way.as_object().is_some_and(|way| !way.is_empty())),
                    parameters: list(&described["parameters"])
                        .map(|parameter| row(document, parameter))
                        .collect(),
                    body: described.get("requestBody").map(body),
                    responses: members(&described["responses"])
                        .map(|(status, one)| response(document, status, one))
                        .collect(),
                }),
            }
        }
    }
    operations
}

fn row<'a>(document: &'a Value, parameter: &'a Value) -> Row<'a> {
    let parameter = resolve(document, parameter);
    let schema = &parameter["schema"];
    Row {
        name: text(&parameter["name"]),
        place: parameter["in"].as_str(),
        required: parameter["required"] == true,
        kind: describe_type(schema),
        about: prose(text(&parameter["description"])),
        default: schema.get("default").map(short),
        example: parameter.get("example").map(short),
    }
}

fn body(body: &Value) -> Body<'_> {
    let forms = || members(&body["content"]);
    let first = forms().next().map_or(&Value::Null, |(_, form)| form);
    Body {
        kind: describe_type(&first["schema"]),
        forms: forms().map(|(name, _)| name).collect(),
        example: first
            .get("example")
            .and_then(|example| serde_json::to_string_pretty(example).ok()),
    }
}

fn response<'a>(document: &'a Value, status: &'a str, response: &'a Value) -> Response<'a> {
    let response = resolve(document, response);
    let first = members(&response["content"]).next();
    let schema = first.map_or(&Value::Null, |(_, form)| &form["schema"]);
    let codes = list(&schema["allOf"])
        .flat_map(|part| list(&part["properties"]["code"]["enum"]))
        .map(text);
    Response {
        status,
        about: text(&response["description"]),
        kind: match schema["allOf"].get(0) {
            Some(error) => describe_type(error),
            None => describe_type(schema),
        },
        codes: codes.collect(),
    }
}

fn fields(schema: &Value) -> Vec<Row<'_>> {
    let is_required = |name: &str| list(&schema["required"]).any(|one| one == name);
    members(&schema["properties"])
        .map(|(name, field)| Row {
            name,
            place: None,
            required: is_required(name),
            kind: describe_type(field),
            about: prose(text(&field["description"])),
            default: field.get("default").map(short),
            example: field["examples"].get(0).map(short),
        })
        .collect()
}

/// The target of a reference, or the value itself.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
    pointer
        .and_then(|pointer| document.pointer(pointer))
        .unwrap_or(value)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flat_map(Map::iter);
    members.map(|(name, value)| (name.as_str(), value))
}
