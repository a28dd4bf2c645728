//! Events (VEVENT, RFC 5545, section 3.6.1).

use app::feed::{FeedContent, FeedEvent, FeedPlace, FeedStatus, FeedTombstone, InLanguage};
use domain::recurrence::DateValue;

use super::content_line::{ContentLines, Plain, Property};

/// Longest description, in bytes of UTF-8.
const MAX_DESCRIPTION: usize = 16 * 1024;

/// Writes an event. `times` writes its dates, `is_transparent` says that it leaves its time free.
pub(super) fn write(
    lines: &mut ContentLines,
    event: &FeedEvent,
    is_transparent: bool,
    times: impl FnOnce(&mut ContentLines),
) {
    let FeedEvent {
        uid,
        stamp,
        when,
        sequence,
        status,
        title,
        url,
        content,
    } = event;
    lines.component("VEVENT", |lines| {
        lines.property("UID").text(uid);
        lines.property("DTSTAMP").value(DateValue::Instant(*stamp));
        times(lines);
        lines.property("SEQUENCE").value(*sequence);
        lines.property("STATUS").value(status_name(*status));
        if let Some(content) = content {
            lines
                .property("CREATED")
                .value(DateValue::Instant(content.created));
            lines
                .property("LAST-MODIFIED")
                .value(DateValue::Instant(*stamp));
        }
        in_language(lines, "SUMMARY", title).text(&title.text);
        if let Some(content) = content {
            write_content(lines, content, is_transparent || when.all_day());
        }
        if !url.is_empty() {
            lines.property("URL").uri(url);
        }
        if let Some(image) = content.as_ref().and_then(|content| content.image.as_ref()) {
            let property = lines.property("IMAGE").parameter("VALUE", "URI");
            let property = property.parameter("DISPLAY", "BADGE");
            property
                .parameter("FMTTYPE", image.format.media_type())
                .uri(&image.url);
        }
    });
}

/// Writes what a password locks, except for the image.
fn write_content(lines: &mut ContentLines, content: &FeedContent, is_transparent: bool) {
    let FeedContent {
        created: _,
        description,
        place,
        categories,
        is_private,
        organizers,
        parent_uid,
        image: _,
    } = content;
    if let Some(description) = description {
        let text = description.text.as_text(MAX_DESCRIPTION);
        if !text.is_empty() {
            in_language(lines, "DESCRIPTION", description).text(&text);
        }
    }
    if let Some(place) = place {
        write_place(lines, place);
    }
    if !categories.is_empty() {
        lines
            .property("CATEGORIES")
            .texts(categories.iter().map(|name| &**name));
    }
    if *is_private {
        lines.property("CLASS").value("PRIVATE");
    }
    lines.property("TRANSP").value(if is_transparent {
        "TRANSPARENT"
    } else {
        "OPAQUE"
    });
    if let Some(organizer) = content.mail_contact() {
        lines
            .property("ORGANIZER")
            .parameter("CN", &organizer.name)
            .mailto(&organizer.email);
    }
    for contact in organizers {
        lines.property("CONTACT").text(&contact.line());
    }
    if let Some(parent) = parent_uid {
        lines
            .property("RELATED-TO")
            .parameter("RELTYPE", "PARENT")
            .text(parent);
    }
}

fn write_place(lines: &mut ContentLines, place: &InLanguage<FeedPlace>) {
    let line = place.text.line();
    if !line.is_empty() {
        in_language(lines, "LOCATION", place).text(&line);
    }
    if let Some(position) = place.text.position {
        let (latitude, longitude) = (position.latitude(), position.longitude());
        lines
            .property("GEO")
            .value(Plain::new(format_args!("{latitude:.6};{longitude:.6}")));
    }
}

/// Writes what is left of an event that was public.
pub(super) fn write_tombstone(lines: &mut ContentLines, gone: &FeedTombstone) {
    let FeedTombstone {
        uid,
        stamp,
        start,
        sequence,
    } = gone;
    lines.component("VEVENT", |lines| {
        lines.property("UID").text(uid);
        lines.property("DTSTAMP").value(DateValue::Instant(*stamp));
        let property = lines.property("DTSTART");
        match start {
            DateValue::Day(_) => property.parameter("VALUE", "DATE").value(*start),
            DateValue::Local(_) | DateValue::Instant(_) => property.value(*start),
        }
        lines.property("SEQUENCE").value(*sequence);
        lines
            .property("STATUS")
            .value(status_name(FeedStatus::Cancelled));
    });
}

fn in_language<'a, T>(
    lines: &'a mut ContentLines,
    name: &'static str,
    text: &InLanguage<T>,
) -> Property<'a> {
    lines
        .property(name)
        .parameter("LANGUAGE", text.language.code())
}

fn status_name(status: FeedStatus) -> &'static str {
    match status {
        FeedStatus::Confirmed => "CONFIRMED",
        FeedStatus::Tentative => "TENTATIVE",
        FeedStatus::Cancelled => "CANCELLED",
    }
}
