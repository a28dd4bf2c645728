//! Operations as commands of `curl`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{field::Field, json::members};

/// The characters that are percent-encoded in a segment of a path.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':');

/// The option that sends the token.
const TOKEN: &str = "--header \"Authorization: Bearer $TOKEN\"";

/// The command for a POSIX shell that sends a request with the examples of the document. It reads the token
/// from the variable `TOKEN`.
pub(super) fn command(
    url: &str,
    method: &str,
    needs_login: bool,
    parameters: &[Field<'_>],
    body: &Value,
) -> String {
    let request = match method {
        "GET" => String::new(),
        method => format!(" --request {method}"),
    };
    let url = quote(&with_examples(url, parameters));
    let mut lines = vec![format!("curl{request} {url}")];
    lines.extend(needs_login.then(|| TOKEN.to_owned()));
    if let Some((content_type, content)) = members(&body["content"]).next() {
        lines.extend(body_options(content_type, content));
    }
    lines.join(" \\\n  ")
}

/// The options that send the example of a body.
fn body_options(content_type: &str, content: &Value) -> Vec<String> {
    if content_type == "multipart/form-data" {
        let names = members(&content["schema"]["properties"]).map(|(name, _)| name);
        return names
            .map(|name| format!("--form {}", quote(&format!("{name}=@FILE"))))
            .collect();
    }
    let header = format!(
        "--header {}",
        quote(&format!("Content-Type: {content_type}"))
    );
    let body = match &content["example"] {
        Value::Object(fields) => {
            let json = serde_json::to_string_pretty(fields).unwrap_or_default();
            format!("--data {}", quote(&json))
        }
        _ => "--data-binary @FILE".to_owned(),
    };
    vec![header, body]
}

/// A URL with the examples of its parameters in the path.
fn with_examples(url: &str, parameters: &[Field<'_>]) -> String {
    let in_path = parameters.iter().filter(|one| one.location == Some("path"));
    in_path.fold(url.to_owned(), |url, parameter| {
        let example = parameter.example.as_deref().unwrap_or_default();
        let example = utf8_percent_encode(example, ESCAPED).to_string();
        url.replace(&format!("{{{}}}", parameter.name), &example)
    })
}

/// A text as one word of a POSIX shell.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_read_is_one_line() {
        let id = json!({ "name": "id", "in": "path", "example": "a b/c" });
        let parameters = [Field::of_parameter(&id)];
        let read = command(
            "https://cal.example/{id}",
            "GET",
            false,
            &parameters,
            &Value::Null,
        );
        assert_eq!(read, "curl 'https://cal.example/a%20b%2Fc'");
    }

    #[test]
    fn a_write_has_credentials_and_a_quoted_body() {
        let example = json!({ "title": "Tea at Ada's" });
        let body = json!({ "content": { "application/json": { "example": example } } });
        let write = command("https://cal.example/x", "PUT", true, &[], &body);
        let expected = r#"curl --request PUT 'https://cal.example/x' \
  --header "Authorization: Bearer $TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
  "title": "Tea at Ada'\''s"
}'"#;
        assert_eq!(write, expected);
    }

    #[test]
    fn files_are_sent_as_a_form_or_as_the_body() {
        let form = json!({ "content": { "multipart/form-data": {
            "schema": { "properties": { "file": {} } },
        } } });
        assert!(command("https://x", "POST", false, &[], &form).contains("--form 'file=@FILE'"));
        let bytes = json!({ "content": { "application/octet-stream": { "example": "BEGIN" } } });
        assert!(command("https://x", "POST", false, &[], &bytes).contains("--data-binary @FILE"));
    }
}
