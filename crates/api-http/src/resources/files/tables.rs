//! Lists as tables with comma-separated values.

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use forms::WholeForm;
use futures_util::{StreamExt as _, stream};
use http_service::{error::ApiError, extract::Format, limits::network, response::streamed};
use interchange::table::{self, Column};

use super::streamed::{failed, poll};
use crate::{
    extract::{Negotiation, RequestContext},
    resources::RestResource,
};

/// The list of a kind as a table, written as the client reads it.
pub(crate) async fn list<R: RestResource>(
    context: &RequestContext<Negotiation>,
    columns: &'static [Column<R::View>],
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let tag = match poll(context, Format::Csv).await? {
        Ok(tag) => tag,
        Err(unchanged) => return Ok(unchanged),
    };
    let calendar = &context.state.calendar;
    let client = context.client.map(network);
    let WholeForm { query, options } = forms::whole::<R>(&context.fields, context.reading())?;
    let list = calendar.whole_list::<R>(context.caller, client, query, &options);
    let list = list.await?;
    let mut sent = context.query.iter().rev();
    let mark = sent.find(|(name, _)| name == "bom");
    let header = table::header(columns, mark.is_none_or(|(_, value)| value != "0"));
    let name = R::KIND.plural();
    let headers = [
        (header::CONTENT_TYPE, table::MEDIA_TYPE.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}.csv\""),
        ),
    ];
    let header = Bytes::from(header.map_err(failed)?);
    let rest = (calendar.clone(), context.site.clone(), list);
    let rows = stream::try_unfold(rest, move |(calendar, site, mut list)| async move {
        let Some(views) = calendar.next_views(&mut list).await? else {
            return Ok(None);
        };
        let rows = table::rows(columns, &views, &site).map_err(failed)?;
        Ok(Some((rows.into(), (calendar, site, list))))
    });
    let parts = stream::iter([Ok(header)]).chain(rows);
    Ok((tag, headers, streamed(parts).await?).into_response())
}
