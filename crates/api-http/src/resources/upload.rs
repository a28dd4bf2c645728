//! Uploads of images: raw or as multipart form.

use app::{
    AppError,
    calendar::Upload,
    fault::{Fault, Faults},
    ports::MAX_IMAGE_BYTES,
};
use axum::{
    body::Body,
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, State},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use domain::{
    FieldName, Image, Language, Stored,
    image::{AltTexts, ImageFormat},
    policy::Caller,
};
use forms::{ALT, Fields};
use http_service::{
    AppState,
    error::ApiError,
    extract::Auth,
    header_values::{media_type, parameter},
    site::Site,
};
use percent_encoding::percent_decode_str;
use serde_json::json;

use crate::{
    extract::{RequestContext, body},
    idempotency::{Created, IdempotencyHeader},
    record::ImageRecord,
};

/// The largest body, in bytes: a file and the overhead of a form.
const MAX_BODY: usize = MAX_IMAGE_BYTES + 64 * 1024;

/// The form of an upload.
enum Kind {
    /// The body is the file.
    Raw(ImageFormat),
    /// A multipart form has the file.
    Form,
}

/// `POST` of an image. The request head is checked before the body is read, as bodies are large.
pub(crate) async fn upload(
    State(state): State<AppState>,
    Auth(caller): Auth,
    sent: IdempotencyHeader,
    request: Request,
) -> Result<Response, ApiError> {
    let respond = |image: &Stored<Image>, language, site: &Site| {
        let record = ImageRecord::new(image, language, site);
        Created::new(site.image(image.id), &record)
    };
    take(&state, caller, sent, request, respond).await
}

/// Stores an upload. `respond` makes the response in a language.
pub(crate) async fn take(
    state: &AppState,
    caller: Caller,
    sent: IdempotencyHeader,
    request: Request,
    respond: impl Fn(&Stored<Image>, Language, &Site) -> Created + Sync,
) -> Result<Response, ApiError> {
    let kind = kind(request.headers())?;
    if length(request.headers()).is_some_and(|length| length > MAX_BODY as u64) {
        return Err(ApiError::TooLarge {
            limit: MAX_IMAGE_BYTES,
        });
    }
    let (parts, body) = request.into_parts();
    let mut bare = Request::from_parts(parts.clone(), Body::empty());
    bare.headers_mut().remove(header::CONTENT_TYPE);
    let (mut fields, site, language) = {
        let context = RequestContext::<()>::read(state, caller, (), bare).await?;
        let language = context.language();
        (context.fields, context.site, language)
    };
    forms::new_image(&fields)?;
    state.calendar.authorize_upload(caller)?;
    let content = body::read(body, MAX_BODY).await?;
    let _upload_permit = state.uploads.acquire().await;
    let _permit = state.concurrency.try_acquire()?;
    let mut upload = match kind {
        Kind::Raw(format) => Upload {
            file_name: name_in(&parts.headers),
            declared: Some(format),
            content,
            alt: AltTexts::default(),
        },
        Kind::Form => in_form(Request::from_parts(parts, Body::from(content)), &mut fields).await?,
    };
    let alt = forms::new_image(&fields)?;
    upload.alt = alt.into_iter().map(|text| (language, text)).collect();
    let respond = |image: &Stored<Image>| respond(image, language, &site);
    let created = match sent.of(|| fingerprint(&fields, &upload)) {
        None => respond(&state.calendar.upload_image(caller, upload).await?),
        Some(key) => {
            let to_stored = |image: &Stored<Image>| respond(image).to_stored();
            let outcome = state
                .calendar
                .upload_image_idempotent(caller, upload, &key, &to_stored);
            Created::of_once(outcome.await?, respond)?
        }
    };
    Ok(created.into_response())
}

/// The content of an upload for its idempotency key. The raw body does not serve: the boundary of
/// a form differs each time.
fn fingerprint(fields: &Fields, upload: &Upload) -> Vec<u8> {
    let content = blake3::hash(&upload.content).to_hex();
    let declared = upload.declared.map(ImageFormat::extension);
    let language = fields.language.map(Language::code);
    let parts = json!([
        fields.query,
        fields.body,
        language,
        upload.file_name,
        declared,
        content.as_str()
    ]);
    parts.to_string().into_bytes()
}

fn kind(headers: &HeaderMap) -> Result<Kind, ApiError> {
    let media_type = media_type(headers);
    if media_type
        .to_ascii_lowercase()
        .starts_with("multipart/form-data")
    {
        return Ok(Kind::Form);
    }
    let format = ImageFormat::from_media_type(media_type);
    format.map(Kind::Raw).ok_or(ApiError::NoImage)
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// The name in `Content-Disposition: attachment; filename="bank.jpg"` (RFC 6266).
fn name_in(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::CONTENT_DISPOSITION)?;
    let text = String::from_utf8_lossy(text.as_bytes());
    let encoded = parameter(&text, "filename*").and_then(|value| value.split_once("''"));
    if let Some((_, encoded)) = encoded {
        return Some(percent_decode_str(encoded).decode_utf8_lossy().into_owned());
    }
    Some(parameter(&text, "filename")?.trim_matches('"').to_owned())
}

/// The only file of a multipart form. Its alternative text joins the fields.
async fn in_form(mut request: Request, fields: &mut Fields) -> Result<Upload, ApiError> {
    let headers = request.headers().clone();
    let unreadable = || ApiError::UnreadableForm;
    // The size of the body was checked before.
    DefaultBodyLimit::disable().apply(&mut request);
    let multipart = Multipart::from_request(request, &()).await;
    let mut multipart = multipart.map_err(|_| unreadable())?;
    let mut upload = None;
    let mut texts = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(|_| unreadable())? {
        let file_name = field.file_name().map(str::to_owned);
        if file_name.is_none() && field.name() != Some("file") {
            if field.name() == Some(ALT.name.as_str()) {
                texts.push(body::text_part(ALT.name.to_string(), field).await?);
                continue;
            }
            if fields.strict
                && let Some(name) = field.name()
            {
                let fault = Fault::UnknownField {
                    nearest: Some("file"),
                };
                let faults = Faults::from_iter([(name.to_owned().into(), fault)]);
                return Err(AppError::Invalid(faults).into());
            }
            continue;
        }
        if upload.is_some() {
            return Err(AppError::invalid(FieldName::File, Fault::Repeated).into());
        }
        let declared = match field.content_type() {
            None | Some("application/octet-stream") => None,
            Some(media_type) => {
                Some(ImageFormat::from_media_type(media_type).ok_or(ApiError::NoImage)?)
            }
        };
        upload = Some(Upload {
            file_name,
            declared,
            content: field.bytes().await.map_err(|_| unreadable())?,
            alt: AltTexts::default(),
        });
    }
    body::add_texts(texts, &headers, fields);
    upload.ok_or_else(|| AppError::Missing(vec!["file"]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_raw_files() {
        let name = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_DISPOSITION, text.parse().unwrap());
            name_in(&headers)
        };
        assert_eq!(
            name("attachment; filename=\"bank.jpg\"").unwrap(),
            "bank.jpg"
        );
        assert_eq!(name("attachment;FileName=bank.jpg").unwrap(), "bank.jpg");
        let both = "attachment; filename=\"x\"; filename*=UTF-8''%C3%A9t%C3%A9.png";
        assert_eq!(name(both).unwrap(), "été.png");
        assert_eq!(name("attachment"), None);
    }
}
