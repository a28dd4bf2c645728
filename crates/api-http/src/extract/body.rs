//! Parses request bodies into fields.

use app::cpu_limiter::CpuLimiter;
use axum::{
    BoxError,
    body::{Body, Bytes},
    extract::{FromRequest, Multipart, Request},
    http::{HeaderMap, header::CONTENT_ENCODING, request::Parts},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};
use tokio::task::yield_now;

use super::{
    brackets::{Sent, nest},
    merge_patch,
};
use crate::{
    error::{ApiError, InvalidJson},
    header_values::media_type,
    limits::in_flight,
};

/// The largest body that is read as fields, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// A multipart reader yields to other tasks after this number of parts.
const PARTS_AT_ONCE: usize = 64;

/// The deepest nesting of a JSON body.
const MAX_DEPTH: usize = 64;

/// Reads a body of at most [`MAX_BODY`] bytes, of any type.
pub(super) async fn receive(request: Request) -> Result<(Parts, Bytes), ApiError> {
    let (parts, body) = request.into_parts();
    Ok((parts, read(body, MAX_BODY).await?))
}

fn is_json(media_type: &str) -> bool {
    let subtype = media_type.strip_prefix("application/");
    subtype.is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}

/// Parses the fields of a body, by its content type. A long body waits for the CPU limiter.
pub(super) async fn parse(
    parts: Parts,
    sent: &Bytes,
    cpu_limiter: &CpuLimiter,
) -> Result<Sent, ApiError> {
    if is_encoded(&parts.headers) {
        return Err(ApiError::UnsupportedBody);
    }
    let media_type = media_type(&parts.headers).to_ascii_lowercase();
    match media_type.as_str() {
        "application/x-www-form-urlencoded" => {
            let form = || nest(form_urlencoded::parse(sent).into_owned().collect());
            Ok(cpu_limiter.run(sent.len(), form).await?)
        }
        "multipart/form-data" => {
            let pairs = multipart(Request::from_parts(parts, Body::from(sent.clone()))).await?;
            Ok(cpu_limiter.run(sent.len(), || nest(pairs)).await?)
        }
        // A list of operations on a document (RFC 6902), not the fields of a record.
        "application/json-patch+json" => Err(ApiError::UnsupportedBody),
        other if is_json(other) => {
            let fields = cpu_limiter.run(sent.len(), || json(sent)).await??;
            let is_patch = other == merge_patch::MEDIA_TYPE;
            Ok(Sent {
                fields: if is_patch {
                    merge_patch::with_cleared(fields)
                } else {
                    fields
                },
                ..Sent::default()
            })
        }
        _ => Ok(Sent::default()),
    }
}

/// Whether a body is compressed, or encoded in another way. The service decodes none.
fn is_encoded(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    encodings.any(|one| !one.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Reads a body of at most `limit` bytes. The bytes are copied, as each frame keeps its whole
/// receive buffer alive.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let mut body = Limited::new(body, limit);
    let mut content = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| unread(&error, limit))?;
        if let Some(data) = frame.data_ref() {
            content.extend_from_slice(data);
        }
    }
    Ok(content.into())
}

/// The error of a body that was not read to its end.
fn unread(error: &BoxError, limit: usize) -> ApiError {
    if error.is::<LengthLimitError>() {
        ApiError::TooLarge { limit }
    } else if in_flight::is_full(&**error) {
        ApiError::Overloaded
    } else {
        ApiError::InvalidJson(InvalidJson::BrokenOff)
    }
}

/// The fields of an object; other JSON has none.
fn json(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        ApiError::InvalidJson(InvalidJson::Syntax { line, column })
    })?;
    if depth(&value) > MAX_DEPTH {
        return Err(ApiError::InvalidJson(InvalidJson::TooDeep));
    }
    match value {
        Value::Object(object) => Ok(object),
        _ => Ok(Map::new()),
    }
}

/// The nesting depth of a value. The parser bounds it, so this function may recurse.
fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(values) => values.iter().map(depth).max(),
        Value::Object(object) => object.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or(0)
}

/// The fields of a multipart form. Files are skipped.
async fn multipart(request: Request) -> Result<Vec<(String, String)>, ApiError> {
    let unreadable = || ApiError::UnreadableForm;
    let mut multipart = Multipart::from_request(request, &())
        .await
        .map_err(|_| unreadable())?;
    let mut pairs = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(|_| unreadable())? {
        let (Some(name), None) = (field.name().map(str::to_owned), field.file_name()) else {
            continue;
        };
        let text = field.text().await.map_err(|_| unreadable())?;
        pairs.push((name, text));
        if pairs.len().is_multiple_of(PARTS_AT_ONCE) {
            yield_now().await;
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_have_fields() {
        assert_eq!(json(b"{\"a\":1}").unwrap().len(), 1);
        assert!(json(b"[1,2]").unwrap().is_empty());
        assert!(json(b"\"x\"").unwrap().is_empty());
        assert!(json(b"  ").unwrap().is_empty());
        assert!(json(b"{\"a\":").is_err());
    }

    #[test]
    fn nesting_is_bounded() {
        let nested =
            |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(json(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
        assert!(json(nested(MAX_DEPTH).as_bytes()).is_err());
        assert!(json(nested(100_000).as_bytes()).is_err());
    }
}
