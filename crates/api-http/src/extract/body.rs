//! Parses request bodies into fields.

use std::borrow::Cow;

use app::{
    calendar::Upload,
    cpu_limiter::CpuLimiter,
    fault::{Fault, Faults},
    ports::{BadImage, MAX_IMAGE_BYTES},
};
use axum::{
    BoxError,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, multipart::Field},
    http::{
        HeaderMap, Method,
        header::{CONTENT_ENCODING, CONTENT_TYPE},
        request::Parts,
    },
};
use domain::{
    image::{AltTexts, ImageFormat},
    policy::{Caller, Capability},
};
use forms::{Digits, Fields, Nested, nest};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use http_service::{
    error::{ApiError, InvalidJson},
    header_values::{media_type, parameter},
    limits::is_full,
};
use serde_json::{Map, Value};
use tokio::task::yield_now;

use super::{
    charset::{self, Decoded, RawPair, decode, decode_form},
    merge_patch,
};

/// The largest body that is read as fields, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// A multipart reader yields to other tasks after this number of parts.
const PARTS_AT_ONCE: usize = 64;

/// The deepest nesting of a JSON body.
const MAX_DEPTH: usize = 64;

/// The largest body with a file, in bytes.
const MAX_BODY_WITH_FILE: usize = MAX_BODY + MAX_IMAGE_BYTES;

/// The media type of forms with files.
const MULTIPART: &str = "multipart/form-data";

/// The field of a record that takes a file.
const IMAGE: &str = "image";

/// The fields of a body.
#[derive(Default)]
pub(super) struct Sent {
    /// Fields by name. The last of equal names counts.
    pub(super) fields: Map<String, Value>,
    /// All values of the names that were sent more than once, in their order.
    pub(super) repeated: Map<String, Value>,
    /// The meaning of digits.
    pub(super) digits: Digits,
    /// The file `image`.
    pub(super) image_file: Option<Upload>,
    /// Faults of the fields as sent.
    pub(super) faults: Faults,
}

/// Reads a body of any type: of at most [`MAX_BODY`] bytes, or, where a caller may send an image in
/// it, [`MAX_BODY_WITH_FILE`].
pub(super) async fn receive(request: Request, caller: Caller) -> Result<(Parts, Bytes), ApiError> {
    let (parts, body) = request.into_parts();
    let limit = if may_have_file(&parts, caller) {
        MAX_BODY_WITH_FILE
    } else {
        MAX_BODY
    };
    Ok((parts, read(body, limit).await?))
}

/// Whether the body may be a form with a file that the caller may store.
fn may_have_file(parts: &Parts, caller: Caller) -> bool {
    let content_type = parts.headers.get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let has_boundary = content_type.is_some_and(|text| parameter(text, "boundary").is_some());
    matches!(parts.method, Method::POST | Method::PUT | Method::PATCH)
        && media_type(&parts.headers).eq_ignore_ascii_case(MULTIPART)
        && has_boundary
        && caller.can(Capability::Upload)
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
            let charset = charset::of_headers(&parts.headers);
            let form = || nested(decode_form(sent, charset));
            Ok(cpu_limiter.run(sent.len(), form).await?)
        }
        MULTIPART => {
            let charset = charset::of_headers(&parts.headers);
            let form = multipart(Request::from_parts(parts, Body::from(sent.clone()))).await?;
            let file_bytes = form.image.as_ref().map_or(0, |file| file.content.len());
            let text_bytes = sent.len() - file_bytes;
            if text_bytes > MAX_BODY {
                return Err(ApiError::TooLarge { limit: MAX_BODY });
            }
            let fields = || nested(decode(form.texts, charset));
            let mut fields = cpu_limiter.run(text_bytes, fields).await?;
            fields.image_file = form.image;
            fields.faults.extend(form.faults);
            Ok(fields)
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

/// Whether a body is compressed by gzip, and not encoded again.
pub(crate) fn is_gzip(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    let is_gzip =
        |one: &[u8]| one.eq_ignore_ascii_case(b"gzip") || one.eq_ignore_ascii_case(b"x-gzip");
    encodings.next().is_some_and(|one| is_gzip(one.as_bytes())) && encodings.next().is_none()
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
    } else if is_full(&**error) {
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

/// The fields of decoded names and values.
pub(super) fn nested(decoded: Decoded) -> Sent {
    let Nested { fields, repeated } = nest(decoded.pairs);
    Sent {
        fields,
        repeated,
        digits: Digits::IdOrKnownName,
        faults: decoded.faults,
        image_file: None,
    }
}

/// The parts of a multipart form.
#[derive(Default)]
struct Form {
    texts: Vec<RawPair<'static>>,
    image: Option<Upload>,
    /// The faults of files.
    faults: Faults,
}

/// Reads the parts of a multipart form.
async fn multipart(mut request: Request) -> Result<Form, ApiError> {
    let unreadable = || ApiError::UnreadableForm;
    // The size of the body was checked before.
    DefaultBodyLimit::disable().apply(&mut request);
    let mut multipart = Multipart::from_request(request, &())
        .await
        .map_err(|_| unreadable())?;
    let mut form = Form::default();
    let mut parts = 0_usize;
    while let Some(field) = multipart.next_field().await.map_err(|_| unreadable())? {
        let Some(name) = field.name().map(str::to_owned) else {
            continue;
        };
        if is_file(&field) {
            let file = file(field).await?;
            // A form whose file was not chosen sends an empty one.
            let is_chosen = !file.content.is_empty() || file.name().is_some();
            if is_chosen && let Err(fault) = form.take(&name, file) {
                form.faults.insert(Cow::Owned(name), fault);
            }
        } else {
            form.texts.push(text_part(name, field).await?);
        }
        parts += 1;
        if parts.is_multiple_of(PARTS_AT_ONCE) {
            yield_now().await;
        }
    }
    Ok(form)
}

/// Reads a part that is a text.
pub(crate) async fn text_part(
    name: String,
    field: Field<'_>,
) -> Result<RawPair<'static>, ApiError> {
    let charset = field.content_type().and_then(charset::of_type);
    let value = field.bytes().await.map_err(|_| ApiError::UnreadableForm)?;
    Ok(RawPair {
        name: Cow::Owned(name.into_bytes()),
        value: Cow::Owned(value.into()),
        charset,
    })
}

/// Adds the texts of a form to the fields of a request.
pub(crate) fn add_texts(texts: Vec<RawPair<'_>>, headers: &HeaderMap, fields: &mut Fields) {
    let sent = nested(decode(texts, charset::of_headers(headers)));
    fields.body.extend(sent.fields);
    fields.faults.extend(sent.faults);
}

/// Whether a part is a file: it has a file name, or the type of an image.
fn is_file(field: &Field<'_>) -> bool {
    let content_type = field.content_type().unwrap_or_default();
    field.file_name().is_some() || content_type.starts_with("image/")
}

/// A part that is a file.
struct FilePart {
    file_name: Option<String>,
    media_type: Option<String>,
    content: Bytes,
}

impl FilePart {
    fn name(&self) -> Option<&str> {
        self.file_name.as_deref().filter(|name| !name.is_empty())
    }
}

async fn file(field: Field<'_>) -> Result<FilePart, ApiError> {
    let file_name = field.file_name().map(str::to_owned);
    let media_type = field.content_type().map(str::to_owned);
    let content = field.bytes().await.map_err(|_| ApiError::UnreadableForm)?;
    Ok(FilePart {
        file_name,
        media_type,
        content,
    })
}

impl Form {
    /// Takes the file of an image.
    fn take(&mut self, name: &str, file: FilePart) -> Result<(), Fault> {
        if name != IMAGE {
            return Err(Fault::File);
        }
        if self.image.is_some() {
            return Err(Fault::Repeated);
        }
        let declared = match file.media_type.as_deref() {
            None | Some("application/octet-stream") => None,
            Some(media_type) => {
                let format = ImageFormat::from_media_type(media_type);
                Some(format.ok_or(Fault::Image(BadImage::NotAnImage))?)
            }
        };
        self.image = Some(Upload {
            file_name: file.file_name,
            declared,
            content: file.content,
            alt: AltTexts::default(),
        });
        Ok(())
    }
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
