//! Lists in the form of the host: bare arrays.

use app::AppError;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::{
    error::ApiError,
    extract::RequestContext,
    resources::{
        RestResource,
        records::{self, ListedPage, Neighbours},
    },
    response::Json,
    site::Site,
};

/// `GET` of a list at a path below the namespace. The defaults are parameters of the query that apply unless they
/// are sent. A page beyond the last is empty.
pub(super) async fn list<R: RestResource>(
    mut context: RequestContext,
    path: &str,
    defaults: &[(&str, Value)],
    record: impl Fn(&R::View, &Site) -> Value,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    context.fields.by_slugs = true;
    for (name, value) in defaults {
        if context.fields.get(name).is_none() {
            let default = ((*name).to_owned(), value.clone());
            context.fields.query.extend([default]);
        }
    }
    let listed = records::read_page::<R>(&context).await;
    let is_beyond_the_last = matches!(&listed, Err(ApiError::App(error)) if matches!(**error, AppError::PageNotFound(_)));
    if is_beyond_the_last {
        drop(listed);
        // The first page has the totals of the list.
        let first = ("page".to_owned(), Value::from(1));
        context.fields.query.extend([first]);
        let first = records::read_page::<R>(&context).await?.page;
        return Ok((records::totals(&first), Json([(); 0])).into_response());
    }
    let ListedPage { page, permit, .. } = listed?;
    let site = &context.site;
    let urls = site.host_list(path, &context.query, page.request.per_page());
    let mut headers = records::totals(&page);
    Neighbours::new(&page, &urls).add_to(&mut headers);
    let rows = page.rows.iter().map(|view| record(view, site));
    let response = (headers, Json(rows.collect::<Vec<_>>())).into_response();
    drop(permit);
    Ok(response)
}
