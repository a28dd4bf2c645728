//! Events as calendar files.

use std::sync::Arc;

use app::{
    Calendar,
    calendar::Feed,
    feed::{CalendarHeader, FeedHeader},
    ports::{CalendarFormat, CalendarWriter},
    request::RecordKey,
};
use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{Event, EventId};
use forms::{FeedForm, WholeForm};
use futures_util::stream;
use http_service::{
    error::ApiError, extract::Format, limits::network, record::shown_id, response::streamed,
    site::Site,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::streamed::{failed, poll};
use crate::{
    extract::{Negotiation, RequestContext},
    resources::records::or_moved,
};

/// The feed of the events that a list would hold, written as the client reads it.
pub(crate) async fn list(
    context: &RequestContext<Negotiation>,
    format: &Arc<dyn CalendarFormat>,
) -> Result<Response, ApiError> {
    let source = context.site.calendar_feed(&context.query);
    write(context, format, Some(source)).await
}

/// The same with the URL that the file names as its source, if it names one.
pub(crate) async fn write(
    context: &RequestContext<Negotiation>,
    format: &Arc<dyn CalendarFormat>,
    source: Option<String>,
) -> Result<Response, ApiError> {
    context.admit_password(None).await?;
    let tag = match poll(context, Format::Calendar).await? {
        Ok(tag) => tag,
        Err(unchanged) => return Ok(unchanged),
    };
    let calendar = &context.state.calendar;
    let client = context.client.map(network);
    let FeedForm {
        list: WholeForm { query, options },
        shows_tombstones,
        faults,
    } = forms::feed(&context.fields, context.reading());
    faults?;
    let feed = calendar.feed(context.caller, client, query, shows_tombstones, &options);
    let feed = feed.await?;
    let site = &context.site;
    let title = context.state.feed_name.as_deref().unwrap_or(&site.host);
    let header = CalendarHeader {
        years: Some(feed.years()),
        feed: Some(FeedHeader {
            name: match feed.subject() {
                Some(subject) => format!("{title} – {subject}"),
                None => title.to_owned(),
            },
            zone: site.zone.clone(),
            refresh: context.state.feed_refresh,
            source,
            url: site.page_at("/"),
        }),
    };
    let content_type = [(header::CONTENT_TYPE, format.media_type())];
    let rest = Rest {
        calendar: calendar.clone(),
        site: site.clone(),
        feed,
        writer: format.writer(header),
        longest: 0,
        is_begun: false,
        is_ended: false,
    };
    let parts = stream::try_unfold(rest, async |mut rest| {
        let part = rest.next().await?;
        Ok(part.map(|part| (part, rest)))
    });
    Ok((tag, content_type, streamed(parts).await?).into_response())
}

/// The rest of a feed, which is not written yet.
struct Rest {
    calendar: Calendar,
    site: Site,
    feed: Feed,
    writer: Box<dyn CalendarWriter>,
    /// The length of the longest part so far, which is reserved for the next one: growth would need
    /// twice the memory.
    longest: usize,
    is_begun: bool,
    is_ended: bool,
}

impl Rest {
    /// The next part; none after the last one.
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        if self.is_ended {
            return Ok(None);
        }
        let mut part = Vec::with_capacity(self.longest);
        if !self.is_begun {
            self.is_begun = true;
            self.writer.begin(&mut part).map_err(failed)?;
        }
        let items = self.calendar.next_items(&mut self.feed, &self.site);
        if let Some(items) = items.await? {
            for item in &items {
                self.writer.item(item, &mut part).map_err(failed)?;
            }
        } else {
            self.is_ended = true;
            self.writer.end(&mut part).map_err(failed)?;
        }
        self.longest = self.longest.max(part.len());
        Ok(Some(part.into()))
    }
}

/// One event as a file.
pub(crate) async fn get(
    context: &RequestContext<Negotiation>,
    key: RecordKey<Event>,
    format: &Arc<dyn CalendarFormat>,
) -> Result<Response, ApiError> {
    context.admit_password(Some(&key)).await?;
    let (calendar, site) = (&context.state.calendar, &context.site);
    let options = forms::language_options(&context.fields)?;
    let reading = calendar.event_item(context.caller, key.clone(), &options, site);
    let (item, view) = or_moved(reading.await, &key, context).await?;
    let mut file = Vec::new();
    let mut writer = format.writer(CalendarHeader::default());
    writer.begin(&mut file).map_err(failed)?;
    writer.item(&item, &mut file).map_err(failed)?;
    writer.end(&mut file).map_err(failed)?;
    let name = match &view {
        Some(view) => disposition(&view.event, view.event.id),
        None => "attachment; filename=\"event.ics\"".to_owned(),
    };
    let about = [
        (header::CONTENT_TYPE, format.media_type().to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    let language = view.map(|view| [(header::CONTENT_LANGUAGE, view.language.code())]);
    Ok((language, about, file).into_response())
}

/// The header with the name of a file: the slug of its event (RFC 6266, RFC 8187).
fn disposition(event: &Event, id: Option<EventId>) -> String {
    let name = match &event.slug {
        Some(slug) => slug.as_str().to_owned(),
        None => format!("event-{}", shown_id(id)),
    };
    if name.is_ascii() {
        return format!("attachment; filename=\"{name}.ics\"");
    }
    let encoded = utf8_percent_encode(&name, NON_ALPHANUMERIC);
    let plain = shown_id(id);
    format!("attachment; filename=\"event-{plain}.ics\"; filename*=UTF-8''{encoded}.ics")
}
