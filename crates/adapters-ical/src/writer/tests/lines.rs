use app::feed::{FeedContent, FeedOrganizer};

use super::*;

fn titled(title: &str) -> String {
    let mut event = river_cleanup();
    event.title.text = title.to_owned();
    single(event)
}

/// F-11: Long titles in Arabic letters and emoji are folded within 75 octets, between characters.
#[test]
fn long_lines_are_folded_between_characters() {
    let title = "م🙂".repeat(200);
    let file = titled(&title);
    assert!(
        file.split("\r\n")
            .filter(|line| line.starts_with(' '))
            .count()
            > 15
    );
    assert_eq!(
        property(&file, "SUMMARY").unwrap(),
        format!("SUMMARY;LANGUAGE=en:{title}")
    );
}

/// F-12: Semicolons, commas and backslashes are escaped.
#[test]
fn special_characters_of_texts_are_escaped() {
    let file = titled(r"A; B, C\D");
    assert_eq!(
        property(&file, "SUMMARY").unwrap(),
        r"SUMMARY;LANGUAGE=en:A\; B\, C\\D"
    );
}

#[test]
fn no_escape_is_folded_apart() {
    for blanks in 0..80 {
        let file = titled(&format!("{}\\;\n,\\", "x".repeat(blanks)));
        for line in file.split("\r\n") {
            let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            assert_eq!(backslashes % 2, 0, "{line}");
        }
    }
}

/// F-13: A line break of any kind is `\n`.
#[test]
fn line_breaks_are_escaped() {
    let file = titled("a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}g\n\rh");
    assert_eq!(
        property(&file, "SUMMARY").unwrap(),
        r"SUMMARY;LANGUAGE=en:a\nb\nc\nd\ne\nf\ng\n\nh"
    );
}

/// F-14: A title with a line break does not begin another property.
#[test]
fn no_text_begins_another_property() {
    let file = titled("x\r\nATTENDEE:mailto:a@b.example");
    assert_eq!(
        unfolded(&file)
            .iter()
            .filter(|line| line.starts_with("ATTENDEE"))
            .count(),
        0
    );
    let mut event = river_cleanup();
    event.uid = "1\r\nATTENDEE:x".to_owned();
    event.url = "https://x.example/\r\nATTENDEE:x y\"<é>".to_owned();
    let mut content = FeedContent::new(at(STAMP));
    content.organizers = vec![FeedOrganizer {
        name: "N\r\nATTENDEE:x".to_owned(),
        email: "a@b.example".to_owned(),
        ..FeedOrganizer::default()
    }];
    event.content = Some(Box::new(content));
    let file = single(event);
    assert_eq!(
        unfolded(&file)
            .iter()
            .filter(|line| line.starts_with("ATTENDEE"))
            .count(),
        0
    );
    assert_eq!(
        property(&file, "URL").unwrap(),
        "URL:https://x.example/%0D%0AATTENDEE:x%20y%22%3C%C3%A9%3E"
    );
}

/// F-15: Parameters are quoted and escaped by RFC 6868.
#[test]
fn parameters_are_escaped() {
    let mut content = FeedContent::new(at(STAMP));
    content.organizers = vec![FeedOrganizer {
        name: "a\"b^c, d".to_owned(),
        email: "club@cal.example".to_owned(),
        ..FeedOrganizer::default()
    }];
    let file = single(FeedEvent {
        content: Some(Box::new(content)),
        ..river_cleanup()
    });
    assert_eq!(
        property(&file, "ORGANIZER").unwrap(),
        "ORGANIZER;CN=\"a^'b^^c, d\":mailto:club@cal.example"
    );
}

/// F-16: Control characters are left out, except for TAB.
#[test]
fn control_characters_are_left_out() {
    let file = titled("a\0b\u{1b}c\td\u{7f}e\u{9f}f");
    assert_eq!(
        property(&file, "SUMMARY").unwrap(),
        "SUMMARY;LANGUAGE=en:abc\tdef"
    );
}

/// F-30: A comma within the name of a category is escaped.
#[test]
fn names_of_categories_are_texts() {
    let mut content = FeedContent::new(at(STAMP));
    content.categories = vec!["x,y".to_owned(), "z".to_owned()];
    let file = single(FeedEvent {
        content: Some(Box::new(content)),
        ..river_cleanup()
    });
    assert_eq!(property(&file, "CATEGORIES").unwrap(), r"CATEGORIES:x\,y,z");
}
