use std::io;

use super::*;

fn encoded_in_utf_16(text: &str, is_big_endian: bool) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units
        .flat_map(|unit: u16| {
            if is_big_endian {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        })
        .collect()
}

/// F-61: Line ends of all systems, encodings, folds by TAB, and blanks before a colon.
#[test]
fn encodings_and_line_ends() {
    let lines =
        event_file("SUMMARY:Fête 🙂\nDTSTAMP :20270105T090000Z\nDTSTART:20270310T090000Z\n\n");
    let folded = lines.replace("Fête", "Fê\n\tte");
    let title = |items: &[ReadItem]| events(items)[0].title.clone();
    for file in [
        lines.clone(),
        lines.replace('\n', "\r"),
        lines.replace('\n', "\r\n"),
        folded.clone(),
        folded.replace('\n', "\r\n"),
        format!("\u{feff}{lines}"),
    ] {
        let items = items(file);
        assert_eq!(findings(&items), []);
        assert_eq!(title(&items), "Fête 🙂");
        assert_eq!(
            events(&items)[0].stamp.unwrap().to_string(),
            "2027-01-05 09:00:00"
        );
    }
    for is_big_endian in [false, true] {
        let items = items(encoded_in_utf_16(&lines, is_big_endian));
        assert_eq!(findings(&items), []);
        assert_eq!(title(&items), "Fête 🙂");
    }
    let latin: Vec<u8> = lines
        .replace(" 🙂", "")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let read = items(latin);
    assert_eq!(findings(&read), [(4, "", "encoding")]);
    assert_eq!(title(&read), "Fête");
    let mut price = lines.replace("Fête 🙂", "5 @").into_bytes();
    let at = price.iter().position(|byte| *byte == b'@').unwrap();
    price[at] = 0x80;
    assert_eq!(title(&items(price)), "5 €");
}

/// A file that gives one byte at a time.
struct Slow(io::Cursor<Vec<u8>>);

impl io::Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn a_file_may_come_byte_by_byte() {
    let lines = event_file("SUMMARY:Fête 🙂\r\nDTSTART:20270310T090000Z\r\nLOCATION:a\r\n b");
    for file in [lines.clone().into_bytes(), encoded_in_utf_16(&lines, false)] {
        let at_once = items(file.clone());
        let slow = Slow(io::Cursor::new(file));
        let mut reader = ICalendar.reader(Box::new(slow), zone("Europe/Helsinki"));
        for item in at_once {
            assert_eq!(reader.next().unwrap().unwrap(), item);
        }
        assert!(reader.next().is_none());
    }
}

/// F-62: Escapes of RFC 5545; an unknown one is kept.
#[test]
fn escapes_of_texts() {
    let event = one(
        "SUMMARY:a\\nb\\Nc\\,d\\;e\\\\f\\x\nDTSTART:20270310T090000Z\nCATEGORIES:a\\,b,c\\\\,d",
    );
    assert_eq!(event.title, "a\nb\nc,d;e\\f\\x");
    assert_eq!(event.categories, ["a,b", "c\\", "d"]);
    let event =
        one("DTSTART:20270310T090000Z\nORGANIZER;CN=\"a^'b^^c, d^n:\";X=1:MAILTO:a@b.example");
    let organizer = event.organizer.unwrap();
    assert_eq!(
        (organizer.name.as_str(), organizer.email.as_str()),
        ("a\"b^c, d\n:", "a@b.example")
    );
}

#[test]
fn mistakes_of_structure_are_reported() {
    let file = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\nDTSTART:20270310T090000Z\nno colon\n\
                BEGIN:VEVENT\nSUMMARY:b\nDTSTART:20270311T090000Z\nEND:VCALENDAR\n\
                BEGIN:VEVENT\nSUMMARY:c\nDTSTART:20270312T090000Z\n";
    let items = items(file);
    assert_eq!(
        findings(&items),
        [
            (5, "", "no-colon"),
            (6, "VEVENT", "not-closed"),
            (9, "VCALENDAR", "not-closed"),
            (13, "VEVENT", "not-closed"),
        ]
    );
    let titles: Vec<_> = events(&items)
        .iter()
        .map(|event| event.title.clone())
        .collect();
    assert_eq!(titles, ["a", "b", "c"]);
    assert_eq!(findings(&super::items("")), [(1, "", "no-calendar")]);
    assert_eq!(
        findings(&super::items("<html>\n")),
        [(1, "", "no-colon"), (1, "", "no-calendar")]
    );
}

/// A file that repeats a text.
struct Repeated {
    text: Vec<u8>,
    left: usize,
    at: usize,
}

impl io::Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.text[self.at..];
        let length = rest.len().min(buffer.len()).min(self.left);
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at = (self.at + length) % self.text.len();
        self.left -= length;
        Ok(length)
    }
}

/// The findings of a file that repeats a text between a beginning and an end.
fn of_repeated(begin: &str, text: &str, bytes: usize, end: &str) -> Vec<ReadItem> {
    use io::Read as _;
    let [begin, end] = [begin, end].map(|text| io::Cursor::new(text.as_bytes().to_vec()));
    let middle = Repeated {
        text: text.as_bytes().to_vec(),
        left: bytes / text.len() * text.len(),
        at: 0,
    };
    let items = ICalendar.reader(Box::new(begin.chain(middle).chain(end)), Zone::utc());
    items.map(Result::unwrap).collect()
}

/// F-67: Components and lines beyond the bounds are refused, and what follows them is read.
#[test]
fn bounds_of_lines_and_components() {
    let begin = "BEGIN:VEVENT\nUID:1\nSUMMARY:x\nDTSTART:20270310T090000Z\n";
    let next = "END:VEVENT\nBEGIN:VEVENT\nSUMMARY:next\nDTSTART:20270310T090000Z\nEND:VEVENT\n";
    for (middle, text, bytes, end, code) in [
        ("DESCRIPTION:", "x", 20_000_000, "\n", FindingCode::TooLarge),
        (
            "EXDATE:20270310T090000Z",
            ",20270310T090000Z",
            5_000_000,
            "\n",
            FindingCode::TooLarge,
        ),
        (
            "EXDATE:20270310T090000Z",
            ",20270310T090000Z",
            17_000,
            "\n",
            FindingCode::TooManyValues,
        ),
        (
            "",
            "COMMENT:x\n",
            10_010,
            "",
            FindingCode::TooManyProperties,
        ),
        (
            "",
            "COMMENT:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n x\n",
            4_000_000,
            "",
            FindingCode::TooManyProperties,
        ),
        ("", "BEGIN:X\n", 400, "", FindingCode::TooDeep),
    ] {
        let close = if text.starts_with("BEGIN") {
            "END:X\n".repeat(50)
        } else {
            String::new()
        };
        let begin = format!("{begin}{middle}");
        let end = format!("{end}{close}{next}");
        let items = of_repeated(&begin, text, bytes, &end);
        let refused: Vec<_> = items
            .iter()
            .filter_map(|item| match item {
                ReadItem::Refused(finding) => Some(finding.code),
                _ => None,
            })
            .collect();
        assert_eq!(refused, [code], "{text}");
        assert_eq!(
            events(&items)
                .iter()
                .map(|event| &*event.title)
                .collect::<Vec<_>>(),
            ["next"]
        );
    }
}
