//! Lists as tables with comma-separated values.

use app::{AppError, Calendar, calendar::WholeList};
use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};

use forms::WholeForm;
use interchange::table::{self, Column};

use super::streamed::{self, Parts, failed, poll};
use crate::{
    error::ApiError,
    extract::{Format, Negotiation, RequestContext},
    limits::client_address::network,
    resources::RestResource,
    site::Site,
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
    let WholeForm { query, options } =
        forms::whole::<R>(&context.fields, context.reading()).map_err(AppError::from)?;
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
    let rest = Rest {
        header: Some(header.map_err(failed)?),
        columns,
        calendar: calendar.clone(),
        site: context.site.clone(),
        list,
    };
    Ok((tag, headers, streamed::body(rest).await?).into_response())
}

/// The rest of a table, which is not written yet.
struct Rest<R: RestResource> {
    header: Option<Vec<u8>>,
    columns: &'static [Column<R::View>],
    calendar: Calendar,
    site: Site,
    list: WholeList<R>,
}

impl<R: RestResource> Parts for Rest<R> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        if let Some(header) = self.header.take() {
            return Ok(Some(header.into()));
        }
        let Some(views) = self.calendar.next_views(&mut self.list).await? else {
            return Ok(None);
        };
        let rows = table::rows(self.columns, &views, &self.site).map_err(failed)?;
        Ok(Some(rows.into()))
    }
}
