use app::feed::{FeedImage, FeedOrganizer, FeedPlace};
use calcard::icalendar::{
    ICalendar as Parsed, ICalendarComponentType, ICalendarEntry, ICalendarProperty, ICalendarValue,
    Uri,
};
use domain::{html::RichText, image::ImageFormat};
use proptest::prelude::*;

use super::*;

/// Texts with everything that has a meaning in a file.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[;:,\\\\\"^'=\r\n\t n]{1,4}",
        "\\PC{0,20}",
        Just("\r\nATTENDEE:mailto:x@y.example".to_owned()),
        Just("\nEND:VEVENT\nBEGIN:VEVENT\n".to_owned()),
        any::<String>(),
        "[م🙂é]{10,40}",
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// A text as a reader of the file gets it.
fn as_read(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text: String = text
        .chars()
        .map(|c| {
            if matches!(c, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') {
                '\n'
            } else {
                c
            }
        })
        .collect();
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

/// The entries of the only event of a file, as the other library reads them.
fn entries(file: &str) -> Vec<ICalendarEntry> {
    let parsed = Parsed::parse(file).unwrap();
    let events: Vec<_> = parsed
        .components
        .into_iter()
        .filter(|component| component.component_type == ICalendarComponentType::VEvent)
        .collect();
    assert_eq!(events.len(), 1);
    events.into_iter().next().unwrap().entries
}

fn text_of(entry: &ICalendarEntry) -> String {
    let texts = entry.values.iter().map(|value| match value {
        ICalendarValue::Text(text) => text.clone(),
        ICalendarValue::Uri(Uri::Location(uri)) => uri.clone(),
        other => panic!("{other:?}"),
    });
    texts.collect::<Vec<_>>().join("\u{1}")
}

proptest! {
    #[test]
    fn another_reader_finds_the_same_properties_and_no_others(
        texts in prop::collection::vec(any_text(), 8),
        category in "c\\PC{0,30}c",
    ) {
        let [title, uid, place, name, phone, url, parent, description] = texts.try_into().unwrap();
        let mut event = river_cleanup();
        event.uid = format!("u{uid}");
        event.title.text = format!("t{title}");
        event.url = format!("https://x.example/{url}");
        let content = event.content.as_mut().unwrap();
        content.place = Some(InLanguage::new(
            FeedPlace { name: format!("p{place}"), ..FeedPlace::default() },
            Language::French,
        ));
        content.categories = vec![category.clone(), "x,y".to_owned()];
        content.organizers = vec![FeedOrganizer {
            // The library reads `\"` in a parameter as an escape, which RFC 5545 does not have.
            name: format!("o{}", name.replace('\\', "")),
            phone: format!("p{phone}"),
            email: "club@cal.example".to_owned(),
            ..FeedOrganizer::default()
        }];
        content.parent_uid = Some(format!("p{parent}"));
        content.image = Some(FeedImage { url: format!("https://x.example/i{url}"), format: ImageFormat::Gif });
        let html = RichText::from_plain(&format!("d{description}")).unwrap();
        let plain = html.as_text(16 * 1024);
        content.description = Some(InLanguage::new(html, Language::Arabic));
        let contact = content.organizers[0].line();

        let file = single(event);
        let lines = unfolded(&file);
        let entries = entries(&file);
        let names: Vec<_> = entries.iter().map(|entry| entry.name.as_str().to_owned()).collect();
        prop_assert_eq!(names, [
            "UID", "DTSTAMP", "DTSTART", "DTEND", "SEQUENCE", "STATUS", "CREATED", "LAST-MODIFIED",
            "SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "TRANSP", "ORGANIZER", "CONTACT",
            "RELATED-TO", "URL", "IMAGE",
        ]);
        let read = |name: ICalendarProperty| {
            text_of(entries.iter().find(|entry| entry.name == name).unwrap())
        };
        prop_assert_eq!(read(ICalendarProperty::Uid), as_read(&format!("u{uid}")));
        prop_assert_eq!(read(ICalendarProperty::Summary), as_read(&format!("t{title}")));
        prop_assert_eq!(read(ICalendarProperty::Description), as_read(&plain));
        prop_assert_eq!(read(ICalendarProperty::Location), as_read(&format!("p{place}")));
        prop_assert_eq!(read(ICalendarProperty::Contact), as_read(&contact));
        prop_assert_eq!(read(ICalendarProperty::RelatedTo), as_read(&format!("p{parent}")));
        prop_assert_eq!(read(ICalendarProperty::Categories), format!("{}\u{1}x,y", as_read(&category)));
        // The library takes the scheme off, unless the line is folded within it.
        let organizer = read(ICalendarProperty::Organizer);
        prop_assert_eq!(organizer.trim_start_matches("mailto:"), "club@cal.example");
        let url = lines.iter().find(|line| line.starts_with("URL:")).unwrap();
        prop_assert!(url.bytes().all(|byte| byte.is_ascii_graphic()), "{}", url);
    }
}
