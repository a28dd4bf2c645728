//! Operations, as the page shows them.

use serde_json::{Map, Value};

use super::{
    curl,
    field::{Field, fields},
    json::{list, members, resolve, text},
    schema::describe_type,
    text::{Span, pretty, prose, short},
};

/// The methods of a path that do the same.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub(super) id: &'a str,
    pub(super) summary: &'a str,
    pub(super) about: Vec<Span>,
    pub(super) methods: Vec<String>,
    pub(super) path: &'a str,
    /// The URL below which the path lies.
    pub(super) server: &'a str,
    pub(super) needs_login: bool,
    pub(super) parameters: Vec<Field<'a>>,
    pub(super) body: Option<Body<'a>>,
    pub(super) responses: Vec<Response<'a>>,
    /// The bodies of errors, by content type.
    pub(super) errors: Vec<(&'a str, Vec<Span>)>,
    pub(super) examples: Vec<Example<'a>>,
    pub(super) curl: String,
}

#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) kind: Vec<Span>,
    pub(super) about: Vec<Span>,
    /// The content types. The first one is that of the example.
    pub(super) forms: Vec<&'a str>,
    pub(super) fields: Vec<Field<'a>>,
    pub(super) example: Option<String>,
}

#[derive(Debug)]
pub(super) struct Response<'a> {
    pub(super) status: &'a str,
    pub(super) about: &'a str,
    pub(super) kind: Vec<Span>,
    pub(super) codes: Vec<&'a str>,
    pub(super) headers: Vec<&'a str>,
}

/// A body of a response.
#[derive(Debug)]
pub(super) struct Example<'a> {
    pub(super) status: &'a str,
    pub(super) name: &'a str,
    pub(super) text: String,
}

/// The operations of a tag. Adjacent methods of one path with the same summary become one operation.
pub(super) fn operations<'a>(
    document: &'a Value,
    tag: &str,
    common: &[Field<'_>],
) -> Vec<Operation<'a>> {
    let mut operations: Vec<Operation<'a>> = Vec::new();
    for (path, item) in members(&document["paths"]) {
        for (method, described) in members(item) {
            if !list(&described["tags"]).any(|one| one == tag) {
                continue;
            }
            let method = method.to_ascii_uppercase();
            match operations.last_mut() {
                Some(last) if (last.path, last.summary) == (path, text(&described["summary"])) => {
                    last.methods.push(method);
                }
                _ => operations.push(operation(document, path, item, method, common)),
            }
        }
    }
    operations
}

fn operation<'a>(
    document: &'a Value,
    path: &'a str,
    item: &'a Value,
    method: String,
    common: &[Field<'_>],
) -> Operation<'a> {
    let described = &item[method.to_ascii_lowercase()];
    let needs_login = list(&described["security"]).all(|way| way != &Value::Object(Map::new()));
    let mut parameters = parameters(document, described);
    let is_common = |one: &Field<'_>| common.iter().any(|other| other.name == one.name);
    parameters.retain(|parameter| !is_common(parameter));
    let servers = list(&item["servers"]).chain(list(&document["servers"]));
    let server = servers
        .map(|server| text(&server["url"]))
        .next()
        .unwrap_or_default();
    Operation {
        id: text(&described["operationId"]),
        summary: text(&described["summary"]),
        about: prose(text(&described["description"])),
        path,
        server,
        needs_login,
        body: described.get("requestBody").map(|one| body(document, one)),
        responses: members(&described["responses"])
            .map(|(status, one)| response(document, status, one))
            .collect(),
        errors: errors(document, &described["responses"]),
        examples: members(&described["responses"])
            .flat_map(|(status, one)| examples(document, status, resolve(document, one)))
            .collect(),
        curl: curl::command(
            &format!("{server}{path}"),
            &method,
            needs_login,
            &parameters,
            &described["requestBody"],
        ),
        parameters,
        methods: vec![method],
    }
}

/// The parameters that every operation with parameters has.
pub(super) fn common_parameters(document: &Value) -> Vec<Field<'_>> {
    let items = members(&document["paths"]).flat_map(|(_, item)| members(item));
    let described = items.map(|(_, one)| parameters(document, one));
    let mut described = described.filter(|parameters| !parameters.is_empty());
    let mut common = described.next().unwrap_or_default();
    for parameters in described {
        common.retain_mut(|one| {
            let other = parameters.iter().find(|other| other.name == one.name);
            // An example of one operation would mislead at another.
            one.example = one.example.take().filter(|example| {
                other.is_some_and(|other| other.example.as_ref() == Some(example))
            });
            other.is_some()
        });
    }
    common
}

fn parameters<'a>(document: &'a Value, operation: &'a Value) -> Vec<Field<'a>> {
    list(&operation["parameters"])
        .map(|parameter| Field::of_parameter(resolve(document, parameter)))
        .collect()
}

fn body<'a>(document: &'a Value, body: &'a Value) -> Body<'a> {
    let forms = || members(&body["content"]);
    let first = forms().next().map_or(&Value::Null, |(_, form)| form);
    let mut fields = fields(document, &first["schema"]);
    for field in &mut fields {
        field.example = first["example"].get(&field.name).map(short);
    }
    Body {
        kind: describe_type(&first["schema"]),
        about: prose(text(&body["description"])),
        forms: forms().map(|(name, _)| name).collect(),
        fields,
        example: first.get("example").map(pretty),
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
        kind: describe_type(schema),
        codes: codes.collect(),
        headers: members(&response["headers"])
            .map(|(name, _)| name)
            .collect(),
    }
}

/// The bodies of the first response that is an error: all errors have the same.
fn errors<'a>(document: &'a Value, responses: &'a Value) -> Vec<(&'a str, Vec<Span>)> {
    let contents = members(responses).map(|(_, one)| &resolve(document, one)["content"]);
    let mut errors =
        contents.filter(|content| members(content).any(|(_, form)| is_error(&form["schema"])));
    let forms = members(errors.next().unwrap_or(&Value::Null));
    forms
        .map(|(form, content)| {
            let schema = &content["schema"];
            let kind = schema["allOf"].get(0).unwrap_or(schema);
            (form, describe_type(kind))
        })
        .collect()
}

/// Whether a schema is the one of errors with a list of codes.
fn is_error(schema: &Value) -> bool {
    schema.get("allOf").is_some()
}

/// The examples of a response.
fn examples<'a>(document: &'a Value, status: &'a str, response: &'a Value) -> Vec<Example<'a>> {
    let forms = members(&response["content"]);
    let examples = forms.flat_map(move |(form, content)| {
        let named = members(&content["examples"]);
        let named = named.map(|(name, one)| (name, &resolve(document, one)["value"]));
        named.chain(content.get("example").map(|one| (form, one)))
    });
    examples
        .map(|(name, example)| Example {
            status,
            name,
            text: pretty(example),
        })
        .collect()
}
