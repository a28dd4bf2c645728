//! Images and their files.

use app::AppError;
use axum::{
    Extension,
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::image::FilePath;
use http_service::{
    AppState,
    error::ApiError,
    response::{Json, LastChange, RecordVersion, ResponseKind, tag::EntityTags},
};
use serde_json::json;

use crate::{
    extract::{IfMatch, RequestContext, id},
    record::ImageRecord,
};

/// `GET` of an image.
pub(crate) async fn get(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    context.admit_password(None).await?;
    let calendar = &context.state.calendar;
    let options = context.image_options()?;
    let image = calendar.image(context.caller, id, &options).await?;
    let version = RecordVersion {
        revision: image.revision,
        last_change: LastChange::At(image.modified).as_sent_at(context.now),
    };
    let record = Json(ImageRecord::new(&image, context.language(), &context.site));
    Ok((Extension(ResponseKind::Record(version)), record).into_response())
}

/// `POST`, `PUT` and `PATCH` of an image.
pub(crate) async fn update(
    Path(segment): Path<String>,
    context: RequestContext<IfMatch>,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    let IfMatch(expected) = &context.head;
    let write = forms::image(&context.fields)?;
    let updating = calendar.update_image(context.caller, id, &write, expected);
    let record = ImageRecord::new(&updating.await?, context.language(), &context.site);
    Ok(Json(record).into_response())
}

/// `DELETE` of an image.
pub(crate) async fn delete(
    Path(segment): Path<String>,
    context: RequestContext<IfMatch>,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    let IfMatch(expected) = &context.head;
    context.expect_no_fields(&[])?;
    let deleting = calendar.delete_image(context.caller, id, expected);
    let image = deleting.await?;
    let record = ImageRecord::new(&image, context.language(), &context.site);
    Ok(Json(json!({ "deleted": true, "previous": record })).into_response())
}

/// `GET` of a file.
pub(crate) async fn file(
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // The file at a path never changes, and no path is used again.
    const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
    // A browser that opens the file by itself runs nothing in it.
    const POLICY: &str = "default-src 'none'; sandbox";
    let path = path.ok().and_then(|Path(path)| FilePath::parse(&path));
    let path = path.ok_or(AppError::ImageNotFound)?;
    let file = state.calendar.image_file(&path).await?;
    let tag = format!("\"{}\"", path.as_str());
    let caching = [
        (header::CACHE_CONTROL, CACHING),
        (
            header::ETAG,
            HeaderValue::try_from(&tag).unwrap_or(HeaderValue::from_static("\"\"")),
        ),
    ];
    let cached = EntityTags::read(&headers, &header::IF_NONE_MATCH);
    if cached.is_some_and(|tags| tags.name_weakly(tag.as_bytes())) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let about = [
        (header::CONTENT_TYPE, path.format().media_type()),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    let length = [(header::CONTENT_LENGTH, file.length)];
    Ok((caching, about, length, Body::from_stream(file.content)).into_response())
}
