//! The events that a page describes for search engines, as JSON-LD in the words of schema.org.

use domain::{
    html::RichText,
    text::{has_elements, without_references},
    time::{EventTime, SentDate, Timestamp, Zone, parse_day, read_date},
    web_url::WebUrl,
};
use serde_json::{Map, Value};

use super::found::{Found, MAX_FOUND};

/// The most scripts of a page that are read.
const MAX_SCRIPTS: usize = 50;

/// The first events of a page. Times without an offset are wall clocks of `zone`.
pub(super) fn read(page: &[u8], zone: &Zone, now: Timestamp) -> Vec<Found> {
    let page = String::from_utf8_lossy(page);
    let mut found = Vec::new();
    for script in scripts(&page).take(MAX_SCRIPTS) {
        if let Ok(value) = serde_json::from_str::<Value>(script.trim()) {
            collect(&value, zone, now, &mut found);
        }
    }
    found
}

/// The contents of the scripts that are JSON-LD.
fn scripts(page: &str) -> impl Iterator<Item = &str> {
    const OPEN: &str = "<script";
    let mut rest = page;
    std::iter::from_fn(move || {
        loop {
            let at = find(rest, OPEN)?;
            let (attributes, content) = rest[at + OPEN.len()..].split_once('>')?;
            let end = find(content, "</script")?;
            rest = &content[end..];
            if find(attributes, "application/ld+json").is_some() {
                return Some(&content[..end]);
            }
        }
    })
}

/// The offset of a text in ASCII, whatever the letter case.
fn find(text: &str, wanted: &str) -> Option<usize> {
    let wanted = wanted.as_bytes();
    let mut windows = text.as_bytes().windows(wanted.len());
    windows.position(|window| window.eq_ignore_ascii_case(wanted))
}

fn collect(value: &Value, zone: &Zone, now: Timestamp, found: &mut Vec<Found>) {
    if found.len() >= MAX_FOUND {
        return;
    }
    match value {
        Value::Array(values) => {
            for value in values {
                collect(value, zone, now, found);
            }
        }
        Value::Object(object) if is_event(object) => found.extend(event(object, zone, now)),
        Value::Object(object) => {
            for value in object.values() {
                collect(value, zone, now, found);
            }
        }
        _ => {}
    }
}

fn is_event(object: &Map<String, Value>) -> bool {
    let types = all(object.get("@type"));
    let mut types = types.iter().filter_map(|one| one.as_str());
    types.any(|one| one.ends_with("Event") || one.ends_with("Festival"))
}

/// A value, or the values of a list.
fn all(value: Option<&Value>) -> Vec<&Value> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(values)) => values.iter().collect(),
        Some(value) => vec![value],
    }
}

fn event(object: &Map<String, Value>, zone: &Zone, now: Timestamp) -> Option<Found> {
    let text = |name: &str| {
        let text = object.get(name).and_then(Value::as_str).unwrap_or_default();
        without_references(text).trim().to_owned()
    };
    let title = text("name");
    let when = time(&text("startDate"), &text("endDate"), zone, now)?;
    if title.is_empty() {
        return None;
    }
    let website = text("url");
    let is_web = website.parse::<WebUrl>().is_ok();
    let description = text("description");
    let description = if has_elements(&description) {
        description
    } else {
        let plain = RichText::from_plain(&description);
        plain.map_or_else(|_| String::new(), |text| text.as_str().to_owned())
    };
    let (cost, currency) = offers(object);
    let venue = names(object.get("location")).into_iter().next();
    Some(Found {
        description,
        venue: venue.unwrap_or_default(),
        organizers: names(object.get("organizer")).join("\n"),
        website: if is_web { website } else { String::new() },
        cost,
        currency,
        is_cancelled: text("eventStatus").ends_with("EventCancelled"),
        ..Found::new(title, when)
    })
}

/// The time of an event. One without an end ends as it starts.
fn time(start: &str, end: &str, zone: &Zone, now: Timestamp) -> Option<EventTime> {
    let end = if end.is_empty() { start } else { end };
    let all_day = !start.contains(['T', ' ']);
    let read = |text: &str| {
        if all_day {
            let day = text.get(..10).unwrap_or(text);
            parse_day(day, zone, now).map(SentDate::from)
        } else {
            read_date(text, zone, now)
        }
    };
    let (start, end) = (read(start).ok()?, read(end).ok()?);
    EventTime::sent(zone.clone(), start, end, all_day).ok()
}

/// The names of places, people or organizations.
fn names(value: Option<&Value>) -> Vec<String> {
    let names = all(value).into_iter().filter_map(|one| match one {
        Value::String(name) => Some(name.as_str()),
        one => one.get("name")?.as_str(),
    });
    let names = names.map(|name| without_references(name).trim().replace('\n', " "));
    names.filter(|name| !name.is_empty()).collect()
}

/// The price of the offers, and its currency.
fn offers(object: &Map<String, Value>) -> (String, String) {
    let price = |offer: &Value, name: &str| match offer.get(name)? {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.trim().to_owned()),
        _ => None,
    };
    let mut prices = Vec::new();
    let mut currency = String::new();
    for offer in all(object.get("offers")) {
        for name in ["price", "lowPrice", "highPrice"] {
            let price = price(offer, name);
            prices.extend(price.filter(|one| one.parse::<f64>().is_ok()));
        }
        if let Some(code) = offer.get("priceCurrency").and_then(Value::as_str) {
            code.clone_into(&mut currency);
        }
    }
    prices.dedup();
    prices.truncate(10);
    (prices.join(", "), currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str) -> Vec<Found> {
        let now = Timestamp::from_seconds(1_795_305_600).unwrap();
        read(page.as_bytes(), &"Europe/Paris".parse().unwrap(), now)
    }

    fn script(json: &str) -> String {
        format!("<html><head><SCRIPT type='application/LD+JSON' id=a>\n{json}\n</script></head>")
    }

    #[test]
    fn an_event_is_read() {
        let page = script(
            r#"{"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, {
                "@type": ["MusicEvent"], "name": "Jazz &#38; night", "startDate": "2027-03-09T19:00:00+01:00",
                "endDate": "2027-03-09T20:00:00Z", "description": "One\n\nTwo", "url": "https://jazz.example/",
                "location": {"@type": "Place", "name": "Old Mill"}, "organizer": [{"name": "Club"}, "Town"],
                "offers": [{"price": 5, "priceCurrency": "EUR"}, {"price": "10"}],
                "eventStatus": "https://schema.org/EventCancelled"}]}"#,
        );
        let found = found(&page);
        let [event] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!((&*event.title, &*event.venue), ("Jazz & night", "Old Mill"));
        assert_eq!(event.when.start().local.to_string(), "2027-03-09 19:00:00");
        assert_eq!(event.when.end().local.to_string(), "2027-03-09 21:00:00");
        assert_eq!((&*event.organizers, &*event.cost), ("Club\nTown", "5, 10"));
        assert_eq!((&*event.currency, event.is_cancelled), ("EUR", true));
        assert_eq!(event.description, "<p>One</p>\n<p>Two</p>");
    }

    #[test]
    fn times_have_many_forms() {
        for (start, end, expected, all_day) in [
            ("2027-03-09", "", "2027-03-09 00:00:00", true),
            ("2027-03-09", "2027-03-10", "2027-03-09 00:00:00", true),
            ("2027-03-09T19:00", "", "2027-03-09 19:00:00", false),
            ("2027-03-09T19:00:00.000Z", "", "2027-03-09 20:00:00", false),
            ("2027-03-09T19:00-05:00", "", "2027-03-10 01:00:00", false),
        ] {
            let json = format!(
                r#"[{{"@type": "Event", "name": "a", "startDate": "{start}", "endDate": "{end}"}}]"#
            );
            let found = found(&script(&json));
            assert_eq!(found.len(), 1, "{start}");
            assert_eq!(found[0].when.start().local.to_string(), expected, "{start}");
            assert_eq!(found[0].when.all_day(), all_day, "{start}");
        }
    }

    #[test]
    fn other_pages_have_none() {
        for page in [
            "",
            "<script type=application/ld+json>",
            "<script>{\"@type\": \"Event\", \"name\": \"a\", \"startDate\": \"2027-03-09\"}</script>",
            &script("{"),
            &script("[1, null, \"Event\"]"),
            &script(r#"{"@type": "Event", "name": "a"}"#),
            &script(r#"{"@type": "Event", "name": " ", "startDate": "2027-03-09"}"#),
            &script(r#"{"@type": "Event", "name": "a", "startDate": "soon"}"#),
            &script(r#"{"@type": "Place", "name": "a", "startDate": "2027-03-09"}"#),
            &script(&"[".repeat(10_000)),
        ] {
            assert!(found(page).is_empty(), "{page}");
        }
        let many = r#"{"@type": "Event", "name": "a", "startDate": "2027-03-09"},"#.repeat(12);
        assert_eq!(found(&script(&format!("[{many}1]"))).len(), MAX_FOUND);
    }
}
