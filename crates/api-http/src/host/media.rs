//! Images in the form of the host.

use axum::{
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use domain::{Image, Language, Stored, text::escape_markup};
use forms::ListForm;
use http_service::{AppState, error::ApiError, extract::Auth, response::Json, site::Site};
use serde_json::{Map, Value, json};

use crate::{
    extract::{RequestContext, id},
    idempotency::{Created, IdempotencyHeader},
    resources::{
        records::{self, Neighbours},
        upload,
    },
};

/// An image in the form of the host.
fn record(image: &Stored<Image>, language: Language, site: &Site) -> Value {
    let sizes = image.sizes.iter().map(|size| {
        let record = json!({
            "width": size.dimensions.width(),
            "height": size.dimensions.height(),
            "filesize": size.filesize,
            "mime_type": size.format.media_type(),
            "source_url": site.file(&image.size_path(size)),
        });
        (size.name.name().to_owned(), record)
    });
    let slug = image.name.slug();
    let url = site.file(&image.path());
    json!({
        "id": image.id.get(),
        "slug": slug,
        "link": url,
        "title": { "rendered": slug },
        "alt_text": escape_markup(image.alt.shown(language)),
        "media_type": "image",
        "mime_type": image.format.media_type(),
        "source_url": url,
        "media_details": {
            "width": image.dimensions.width(),
            "height": image.dimensions.height(),
            "filesize": image.filesize,
            "sizes": sizes.collect::<Map<_, _>>(),
        },
    })
}

/// `GET` of the images that the caller may see. A page beyond the last is empty.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let calendar = &context.state.calendar;
    let ListForm {
        query,
        page,
        options,
    } = forms::images(&context.fields, calendar.site())?;
    let page = calendar.query_images(context.caller, &query, page, &options);
    let page = page.await?;
    let site = &context.site;
    let urls = site.host_list("/media", &context.query, page.request.per_page());
    let mut headers = records::totals(&page);
    if !page.rows.is_empty() {
        Neighbours::new(&page, &urls).add_to(&mut headers);
    }
    let language = context.language();
    let rows = page.rows.iter().map(|image| record(image, language, site));
    Ok((headers, Json(rows.collect::<Vec<_>>())).into_response())
}

/// `GET` of an image.
pub(crate) async fn get(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    context.admit_password(None).await?;
    let image = context
        .state
        .calendar
        .image(context.caller, id, &context.image_options()?)
        .await?;
    Ok(Json(record(&image, context.language(), &context.site)).into_response())
}

/// `POST` of an image.
pub(crate) async fn upload(
    State(state): State<AppState>,
    Auth(caller): Auth,
    sent: IdempotencyHeader,
    request: Request,
) -> Result<Response, ApiError> {
    let respond = |image: &Stored<Image>, language, site: &Site| {
        let location = site.host(&format!("/media/{}", image.id));
        Created::new(location, &record(image, language, site))
    };
    upload::take(&state, caller, sent, request, respond).await
}
