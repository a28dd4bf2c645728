//! Files in the shapes of well-known programs.

use super::*;

const GOOGLE: &str = "\
BEGIN:VCALENDAR\r
PRODID:-//Google Inc//Google Calendar 70.9054//EN\r
VERSION:2.0\r
CALSCALE:GREGORIAN\r
METHOD:PUBLISH\r
X-WR-CALNAME:Events\r
X-WR-TIMEZONE:Europe/Paris\r
BEGIN:VTIMEZONE\r
TZID:Europe/Paris\r
X-LIC-LOCATION:Europe/Paris\r
BEGIN:DAYLIGHT\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0200\r
TZNAME:CEST\r
DTSTART:19700329T020000\r
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r
END:DAYLIGHT\r
BEGIN:STANDARD\r
TZOFFSETFROM:+0200\r
TZOFFSETTO:+0100\r
TZNAME:CET\r
DTSTART:19701025T030000\r
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
END:STANDARD\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
DTSTART:20270417T070000Z\r
DTEND:20270417T100000Z\r
DTSTAMP:20270105T090000Z\r
UID:abc@google.com\r
CREATED:20270104T073000Z\r
DESCRIPTION:<p>Bring <b>gloves</b>\\, please.</p>\r
LAST-MODIFIED:20270105T080000Z\r
LOCATION:Old Mill\\, 3 Quai Vert\\, 69002 Lyon\\, France\r
SEQUENCE:2\r
STATUS:CONFIRMED\r
SUMMARY:River cleanup\r
TRANSP:OPAQUE\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
DESCRIPTION:This is an event reminder\r
SUMMARY:not the title\r
TRIGGER:-P0DT0H30M0S\r
END:VALARM\r
END:VEVENT\r
BEGIN:VEVENT\r
DTSTART;TZID=Europe/Paris:20270302T190000\r
DTEND;TZID=Europe/Paris:20270302T210000\r
RRULE:FREQ=WEEKLY;WKST=MO;COUNT=6;BYDAY=TU\r
EXDATE;TZID=Europe/Paris:20270316T190000\r
DTSTAMP:20270105T090000Z\r
UID:def@google.com\r
SUMMARY:Jazz night\r
END:VEVENT\r
END:VCALENDAR\r
";

const OUTLOOK: &str = "\
BEGIN:VCALENDAR\r
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN\r
VERSION:2.0\r
METHOD:PUBLISH\r
X-MS-OLK-FORCEINSPECTOROPEN:TRUE\r
BEGIN:VTIMEZONE\r
TZID:W. Europe Standard Time\r
BEGIN:STANDARD\r
DTSTART:16011028T030000\r
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r
TZOFFSETFROM:+0200\r
TZOFFSETTO:+0100\r
END:STANDARD\r
BEGIN:DAYLIGHT\r
DTSTART:16010325T020000\r
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0200\r
END:DAYLIGHT\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
CLASS:PRIVATE\r
CREATED:20270104T073000Z\r
DESCRIPTION: \\n\r
DTEND;TZID=\"W. Europe Standard Time\":20270417T120000\r
DTSTAMP:20270105T090000Z\r
DTSTART;TZID=\"W. Europe Standard Time\":20270417T090000\r
LAST-MODIFIED:20270104T073000Z\r
ORGANIZER;CN=\"Club, Rowing\":mailto:club@cal.example\r
PRIORITY:5\r
SEQUENCE:0\r
SUMMARY;LANGUAGE=en-us:River cleanup\r
TRANSP:OPAQUE\r
UID:040000008200E00074C5B7101A82E00800000000\r
X-ALT-DESC;FMTTYPE=text/html:<html><body><p>Bring gloves.</p></body></html>\r
X-MICROSOFT-CDO-BUSYSTATUS:BUSY\r
END:VEVENT\r
END:VCALENDAR\r
";

const APPLE: &str = "\
BEGIN:VCALENDAR\r
METHOD:PUBLISH\r
VERSION:2.0\r
X-WR-CALNAME:Home\r
PRODID:-//Apple Inc.//macOS 14.0//EN\r
X-APPLE-CALENDAR-COLOR:#1D9BF6\r
X-WR-TIMEZONE:Europe/Paris\r
CALSCALE:GREGORIAN\r
BEGIN:VTIMEZONE\r
TZID:Europe/Paris\r
BEGIN:DAYLIGHT\r
TZOFFSETFROM:+0100\r
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r
DTSTART:19810329T020000\r
TZNAME:GMT+2\r
TZOFFSETTO:+0200\r
END:DAYLIGHT\r
BEGIN:STANDARD\r
TZOFFSETFROM:+0200\r
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
DTSTART:19961027T030000\r
TZNAME:GMT+1\r
TZOFFSETTO:+0100\r
END:STANDARD\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
CREATED:20270104T073000Z\r
UID:9F3C1E5A-0000-4000-8000-000000000000\r
DTEND;TZID=Europe/Paris:20270417T120000\r
TRANSP:OPAQUE\r
X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC\r
SUMMARY:River cleanup\r
DTSTART;TZID=Europe/Paris:20270417T090000\r
DTSTAMP:20270105T090000Z\r
SEQUENCE:1\r
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=\"3 Quai Vert\\\\n69002 Lyon\r
 \";X-TITLE=\"Old Mill\":geo:45.764000,4.835700\r
LOCATION:Old Mill\\n3 Quai Vert\\n69002 Lyon\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:8F3C1E5A-0000-4000-8000-000000000000\r
DTSTART;VALUE=DATE:20270501\r
DTEND;VALUE=DATE:20270502\r
SUMMARY:May Day\r
END:VEVENT\r
END:VCALENDAR\r
";

const THUNDERBIRD: &str = "\
BEGIN:VCALENDAR
PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN
VERSION:2.0
BEGIN:VTIMEZONE
TZID:/mozilla.org/20050126_1/Europe/Berlin
X-LIC-LOCATION:Europe/Berlin
END:VTIMEZONE
BEGIN:VTODO
UID:todo
SUMMARY:Paint
END:VTODO
BEGIN:VEVENT
CREATED:20270104T073000Z
LAST-MODIFIED:20270105T090000Z
DTSTAMP:20270105T090000Z
UID:7f3c
SUMMARY:River cleanup
CATEGORIES:Nature\\, outdoors,Club
CATEGORIES:Club
DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270417T090000
DTEND;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270417T120000
ATTACH:https://x.example/map.pdf
STATUS:TENTATIVE
GEO:45.764000;4.835700
URL:https://x.example/river
END:VEVENT
END:VCALENDAR
";

/// F-54: Exports of Google, Outlook, Apple and Thunderbird have the right instants.
#[test]
fn exports_of_programs_have_the_right_instants() {
    for file in [GOOGLE, OUTLOOK, APPLE, THUNDERBIRD] {
        let items = items(file);
        assert_eq!(findings(&items), [], "{file}");
        let events = events(&items);
        assert_eq!(events[0].title, "River cleanup");
        assert_eq!(
            instants(events[0]),
            ["2027-04-17 07:00:00", "2027-04-17 10:00:00"],
            "{file}"
        );
    }
}

#[test]
fn the_properties_of_these_programs() {
    let google = items(GOOGLE);
    let google = events(&google);
    assert_eq!(
        times(google[0]),
        ["2027-04-17 09:00:00", "2027-04-17 12:00:00", "Europe/Paris"]
    );
    assert_eq!(
        google[0].description.as_deref(),
        Some("<p>Bring <b>gloves</b>, please.</p>")
    );
    let place = google[0].place.as_ref().unwrap();
    assert_eq!(place.name, "Old Mill");
    assert_eq!(place.address, "3 Quai Vert, 69002 Lyon, France");
    assert_eq!(
        (
            google[0].sequence,
            google[0].stamp.unwrap().to_string().as_str()
        ),
        (2, "2027-01-05 08:00:00")
    );
    assert_eq!(
        google[1].recurrence.rule.as_ref().unwrap().to_string(),
        "FREQ=WEEKLY;COUNT=6;BYDAY=TU"
    );
    assert_eq!(google[1].recurrence.deleted[0].basic(), "20270316T190000");

    let outlook = items(OUTLOOK);
    let outlook = events(&outlook);
    assert_eq!(outlook[0].when.zone().name(), "Europe/Berlin");
    assert!(outlook[0].is_private);
    let html = "<html><body><p>Bring gloves.</p></body></html>";
    assert_eq!(outlook[0].description.as_deref(), Some(html));
    let organizer = outlook[0].organizer.as_ref().unwrap();
    assert_eq!(
        (organizer.name.as_str(), organizer.email.as_str()),
        ("Club, Rowing", "club@cal.example")
    );

    let apple = items(APPLE);
    let apple = events(&apple);
    assert_eq!(
        apple[0].place.as_ref().unwrap().address,
        "3 Quai Vert\n69002 Lyon"
    );
    assert!(apple[1].when.all_day());
    assert_eq!(
        times(apple[1])[..2],
        ["2027-05-01 00:00:00", "2027-05-01 23:59:59"]
    );

    let thunderbird = items(THUNDERBIRD);
    let ignored: Vec<_> = thunderbird
        .iter()
        .filter_map(|item| match item {
            ReadItem::Ignored { line, name } => Some((*line, name.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(ignored, [(8, "VTODO"), (22, "ATTACH")]);
    let thunderbird = events(&thunderbird);
    assert_eq!(thunderbird[0].line, 12);
    assert_eq!(thunderbird[0].categories, ["Nature, outdoors", "Club"]);
    assert_eq!(thunderbird[0].status, app::feed::FeedStatus::Tentative);
    assert_eq!(
        thunderbird[0].position.unwrap().latitude().to_string(),
        "45.764"
    );
    assert_eq!(
        thunderbird[0].url.as_deref(),
        Some("https://x.example/river")
    );
}
