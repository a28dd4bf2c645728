//! Writing of iCalendar files.

mod content_line;
mod event;
mod series;
#[cfg(test)]
mod tests;
mod time_zone;
mod times;

use std::{collections::HashSet, io, time::Duration};

use app::{
    feed::{CalendarHeader, FeedEvent, FeedHeader, FeedItem, FeedSeries},
    ports::CalendarWriter,
};
use chrono::Datelike;

use self::{
    content_line::{ContentLines, Plain},
    series::Components,
    times::Form,
};

/// The name of this program in its files.
const PRODUCT: &str = "-//events-calendar//EN";

/// The year for which a feed without items and without a window defines its zone.
const EPOCH: i32 = 1970;

/// Writes one iCalendar file.
pub(crate) struct Writer {
    header: CalendarHeader,
    /// The names of the zones in the file that it defines so far.
    zones: HashSet<String>,
    /// Whether the file has no item so far.
    is_empty: bool,
}

impl Writer {
    pub(crate) fn new(header: CalendarHeader) -> Self {
        Self {
            header,
            zones: HashSet::new(),
            is_empty: true,
        }
    }

    /// Writes the definition of the zone of an event, unless the file has it. It holds for the years of
    /// the file and of the event, with a year before and a year after.
    fn define(
        &mut self,
        lines: &mut ContentLines,
        form: Form<'_>,
        years: [i32; 2],
        is_endless: bool,
    ) {
        let Some(zone) = form.zone() else {
            return;
        };
        if !self.zones.insert(time_zone::id(zone).into_owned()) {
            return;
        }
        let [mut first, mut last] = years;
        if let Some(window) = &self.header.years {
            (first, last) = (first.min(*window.start()), last.max(*window.end()));
        }
        // Later events of a feed, and endless series, reach further.
        let is_open = is_endless || self.header.is_feed();
        time_zone::write(lines, zone, &(first - 1..=last + 1), is_open);
    }

    fn event(&mut self, event: &FeedEvent, sink: &mut dyn io::Write) -> io::Result<()> {
        let form = Form::of_event(&event.when);
        let mut lines = ContentLines::default();
        self.define(&mut lines, form, years(event), false);
        event::write(&mut lines, event, self.header.is_feed(), |lines| {
            form.write(lines, &event.when);
        });
        sink.write_all(lines.as_bytes())
    }

    fn series(&mut self, series: &FeedSeries, sink: &mut dyn io::Write) -> io::Result<()> {
        let components = Components::of(series);
        let mut lines = ContentLines::default();
        let last = series
            .recurrence
            .last()
            .map_or_else(|| series.horizon(), |last| last.when.end().utc);
        let last = series.recurrence.first().zone().at(last).local.year();
        for (form, event) in components.forms() {
            let [first, end] = years(event);
            let is_endless = series.recurrence.is_endless();
            self.define(&mut lines, form, [first, end.max(last)], is_endless);
        }
        components.write_series(&mut lines, self.header.is_feed());
        sink.write_all(lines.as_bytes())?;
        for lines in components.own(self.header.is_feed()) {
            sink.write_all(lines.as_bytes())?;
        }
        Ok(())
    }
}

impl CalendarWriter for Writer {
    fn begin(&mut self, sink: &mut dyn io::Write) -> io::Result<()> {
        let mut lines = ContentLines::default();
        lines.property("BEGIN").value("VCALENDAR");
        lines.property("VERSION").value("2.0");
        lines.property("PRODID").value(PRODUCT);
        lines.property("CALSCALE").value("GREGORIAN");
        if let Some(feed) = &self.header.feed {
            write_feed(&mut lines, feed);
        }
        sink.write_all(lines.as_bytes())
    }

    fn item(&mut self, item: &FeedItem, sink: &mut dyn io::Write) -> io::Result<()> {
        self.is_empty = false;
        match item {
            FeedItem::Event(event) => self.event(event, sink),
            FeedItem::Series(series) => self.series(series, sink),
            FeedItem::Tombstone(gone) => {
                let mut lines = ContentLines::default();
                event::write_tombstone(&mut lines, gone);
                sink.write_all(lines.as_bytes())
            }
        }
    }

    fn end(&mut self, sink: &mut dyn io::Write) -> io::Result<()> {
        let mut lines = ContentLines::default();
        // A calendar has at least one component (RFC 5545, section 3.6).
        if let Some(feed) = self.header.feed.as_ref().filter(|_| self.is_empty) {
            // A window may end before it begins.
            let year = self
                .header
                .years
                .as_ref()
                .map_or(EPOCH, |years| *years.start());
            time_zone::write(&mut lines, &feed.zone, &(year..=year), false);
        }
        lines.property("END").value("VCALENDAR");
        sink.write_all(lines.as_bytes())
    }
}

/// The properties of a feed (RFC 7986), and those that older programs read in their place.
fn write_feed(lines: &mut ContentLines, feed: &FeedHeader) {
    let FeedHeader {
        name,
        zone,
        refresh,
        source,
        url,
    } = feed;
    lines.property("NAME").text(name);
    lines.property("X-WR-CALNAME").text(name);
    lines.property("X-WR-TIMEZONE").text(zone.name());
    lines
        .property("REFRESH-INTERVAL")
        .parameter("VALUE", "DURATION")
        .value(duration(*refresh));
    lines.property("X-PUBLISHED-TTL").value(duration(*refresh));
    if let Some(source) = source {
        lines
            .property("SOURCE")
            .parameter("VALUE", "URI")
            .uri(source);
    }
    if !url.is_empty() {
        lines.property("URL").uri(url);
    }
}

/// A duration in hours, minutes and seconds, such as `PT1H`.
fn duration(duration: Duration) -> Plain {
    let seconds = duration.as_secs();
    let parts = [
        (seconds / 3600, 'H'),
        (seconds / 60 % 60, 'M'),
        (seconds % 60, 'S'),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<_> = parts
        .map(|(number, unit)| format!("{number}{unit}"))
        .collect();
    let text = if parts.is_empty() {
        "0S".to_owned()
    } else {
        parts.concat()
    };
    Plain::new(format_args!("PT{text}"))
}

/// The years in which an event begins and ends, by the clocks of its zone.
fn years(event: &FeedEvent) -> [i32; 2] {
    [event.when.start(), event.when.end()].map(|moment| moment.local.year())
}
