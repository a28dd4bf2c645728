//! The contents of calendar files, as they are stored.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields};

use super::{calendar, event, events, findings, import, import_with, numbers, only};

/// The properties of an event become its fields.
#[both_stores]
async fn properties_become_fields(app: &TestApp) {
    let lines = [
        "SUMMARY:A\\; B\\, C\\\\D <webdev>",
        "DESCRIPTION:First\\nline\\n\\nSecond <5>",
        "LOCATION:Old Mill\\, 3 Quai Vert\\, Lyon",
        "GEO:45.76;4.83",
        "URL:https://fair.example/1",
        "ORGANIZER;CN=\"Green, Hands\":mailto:post@fair.example",
        "CATEGORIES:Nature,x\\,y",
        "ATTACH:https://fair.example/picture.png",
        "BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nEND:VALARM",
    ];
    let report = import(&app.editor(), calendar(&[event("1", &lines)])).await;
    assert_eq!((numbers(&report), report["ignored"].as_u64()), ([1, 0, 0, 0, 0], Some(2)));
    let event = only(&app.anonymous()).await;
    has_fields(
        &event,
        json!({
            "title": "A; B, C\\D &lt;webdev&gt;", "timezone": "Europe/Paris", "status": "publish",
            "start_date": "2030-03-10 09:00:00", "end_date": "2030-03-10 12:00:00",
            "description": "<p>First<br />\nline</p>\n<p>Second &lt;5&gt;</p>",
            "website": "https://fair.example/1", "image": false,
        }),
    );
    let venue = json!({"venue": "Old Mill", "address": "3 Quai Vert, Lyon", "geo_lat": 45.76});
    has_fields(&event["venue"], venue);
    let organizer = json!({"organizer": "Green, Hands", "email": "post@fair.example"});
    has_fields(&event["organizer"][0], organizer);
    let names: Vec<_> =
        event["categories"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Nature", "x,y"]);
}

/// HTML in a description is filtered. A place that is a URL alone is the web site.
#[both_stores]
async fn html_and_urls(app: &TestApp) {
    let lines = [
        "DESCRIPTION:<b>Bring</b> boots<script>alert(1)</script>",
        "LOCATION:https://meet.example/1",
    ];
    let alternative = ["X-ALT-DESC;FMTTYPE=text/html:<i>Hi</i><br>there", "LOCATION: "];
    let file = calendar(&[event("1", &lines), event("2", &alternative)]);
    import(&app.editor(), file).await;
    let events = events(&app.anonymous()).await;
    assert_eq!(events[0]["description"], "<p><b>Bring</b> boots</p>");
    assert_eq!(events[0]["website"], "https://meet.example/1");
    assert_eq!(events[0]["venue"], json!([]));
    assert!(events[1]["description"].as_str().unwrap().contains("<i>Hi</i>"));
}

/// An event of another class than PUBLIC is private.
#[both_stores]
async fn classes_are_kept(app: &TestApp) {
    let file = |class: &str| calendar(&[event("1", &[&format!("CLASS:{class}")])]);
    import(&app.editor(), file("CONFIDENTIAL")).await;
    assert!(events(&app.anonymous()).await.is_empty());
    assert_eq!(only(&app.editor()).await["status"], "private");
    assert_eq!(numbers(&import(&app.editor(), file("PUBLIC")).await), [0, 1, 0, 0, 0]);
    assert_eq!(only(&app.anonymous()).await["status"], "publish");
}

/// F-54: files in the style of Google, Outlook, Apple and Thunderbird give the right instants.
#[both_stores]
async fn files_of_other_programs(app: &TestApp) {
    let google = "BEGIN:VCALENDAR\r\nPRODID:-//Google Inc//Google Calendar 70.9054//EN\r\nVERSION:2.0\r\n\
        X-WR-CALNAME:Fair\r\nX-WR-TIMEZONE:America/New_York\r\nBEGIN:VEVENT\r\nDTSTART:20300310T150000Z\r\n\
        DTEND:20300310T160000Z\r\nDTSTAMP:20300101T000000Z\r\nUID:a1@google.com\r\nSEQUENCE:0\r\n\
        STATUS:CONFIRMED\r\nSUMMARY:Google\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let outlook = "BEGIN:VCALENDAR\r\nPRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN\r\n\
        VERSION:2.0\r\nMETHOD:PUBLISH\r\nBEGIN:VTIMEZONE\r\nTZID:W. Europe Standard Time\r\nBEGIN:STANDARD\r\n\
        DTSTART:16011028T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nTZOFFSETFROM:+0200\r\n\
        TZOFFSETTO:+0100\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:16010325T020000\r\n\
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n\
        END:VTIMEZONE\r\nBEGIN:VEVENT\r\nCLASS:PUBLIC\r\nDTSTART;TZID=\"W. Europe Standard Time\":20300710T150000\r\n\
        DTEND;TZID=\"W. Europe Standard Time\":20300710T160000\r\nUID:040000008200E00074C5B7101A82E008\r\n\
        SUMMARY;LANGUAGE=de:Outlook\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let apple = "BEGIN:VCALENDAR\r\nCALSCALE:GREGORIAN\r\nPRODID:-//Apple Inc.//macOS 14.0//EN\r\n\
        VERSION:2.0\r\nBEGIN:VEVENT\r\nUID:7E1B0D5C-1\r\nDTSTART;TZID=Asia/Tokyo:20300310T150000\r\n\
        DTEND;TZID=Asia/Tokyo:20300310T160000\r\nSUMMARY:Apple\r\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:1,2\r\n\
        END:VEVENT\r\nEND:VCALENDAR\r\n";
    let thunderbird = "BEGIN:VCALENDAR\r\nPRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN\r\n\
        VERSION:2.0\r\nBEGIN:VEVENT\r\nUID:5f3e\r\nSUMMARY:Thunderbird\r\n\
        DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20300310T150000\r\n\
        DTEND;TZID=/mozilla.org/20050126_1/Europe/Berlin:20300310T160000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    for (file, start, zone) in [
        (google, "2030-03-10 15:00:00", "America/New_York"),
        (outlook, "2030-07-10 13:00:00", "Europe/Berlin"),
        (apple, "2030-03-10 06:00:00", "Asia/Tokyo"),
        (thunderbird, "2030-03-10 14:00:00", "Europe/Berlin"),
    ] {
        let report = import(&app.editor(), file).await;
        assert_eq!(
            (numbers(&report), &report["warnings"]),
            ([1, 0, 0, 0, 0], &json!([])),
            "{file}"
        );
        let events = events(&app.anonymous()).await;
        let stored = events.iter().find(|event| file.contains(event["title"].as_str().unwrap()));
        has_fields(stored.unwrap(), json!({"utc_start_date": start, "timezone": zone}));
    }
}

/// F-57: a time with an unknown zone is one of `timezone`, or else of the site; the guess is reported.
/// F-58: so is a time without a zone.
#[both_stores]
async fn floating_times(app: &TestApp) {
    let floating = |uid: &str| event(uid, &["DTSTART:20300310T090000", "DTEND:20300310T100000"]);
    let unknown =
        event("3", &["DTSTART;TZID=Mars/X:20300310T090000", "DTEND;TZID=Mars/X:20300310T100000"]);
    import(&app.editor(), calendar(&[floating("1")])).await;
    let file = calendar(&[floating("2"), unknown]);
    let report = import_with(&app.editor(), "?timezone=Asia/Tokyo", file).await;
    let warned = findings(&report["warnings"]);
    assert_eq!(warned, [(12, "DTSTART", "unknown-zone"), (13, "DTEND", "unknown-zone")]);
    let zones: Vec<Value> =
        events(&app.anonymous()).await.iter().map(|event| event["timezone"].clone()).collect();
    assert_eq!(zones, ["UTC", "Asia/Tokyo", "Asia/Tokyo"]);
}

/// The second reading of an autumn hour is kept.
#[both_stores]
async fn the_second_reading_of_an_hour(app: &TestApp) {
    let lines = ["DTSTART:20301027T003000Z", "DTEND:20301027T013000Z"];
    let file = format!(
        "BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Europe/Paris\r\n{}END:VCALENDAR\r\n",
        event("1", &lines)
    );
    import(&app.editor(), file).await;
    let expected = json!({
        "start_date": "2030-10-27 02:30:00", "utc_start_date": "2030-10-27 00:30:00",
        "end_date": "2030-10-27 02:30:00", "utc_end_date": "2030-10-27 01:30:00",
    });
    has_fields(&only(&app.anonymous()).await, expected);
}

/// Numeric references in plain texts are characters; names of characters, and what is none, stay.
#[both_stores]
async fn numeric_references_are_decoded(app: &TestApp) {
    let lines = [
        "SUMMARY:Jazz &#8211; caf&#xe9; &#x2013; R&#D; &#0; &#8211",
        "DESCRIPTION:Tea &#38; cake&#10;at &#xA35",
        "LOCATION:Caf&#233; &#x28;Hof&#41;, Rue de l&#39;&#201;toile 1",
        "CATEGORIES:Caf&#233;",
        "ORGANIZER;CN=\"Ren&#xE9;\":mailto:rene@example.org",
    ];
    import(&app.editor(), calendar(&[event("1", &lines)])).await;
    let events = events(&app.anonymous()).await;
    let [event] = &events[..] else { panic!("{events:#?}") };
    assert_eq!(event["title"], "Jazz – café – R&#D; &#0; &#8211");
    let description = event["description"].as_str().unwrap();
    assert!(description.contains("Tea &amp; cake"), "{description}");
    assert_eq!(event["venue"]["venue"], "Café (Hof)");
    assert_eq!(event["venue"]["address"], "Rue de l'Étoile 1");
    assert_eq!(event["categories"][0]["name"], "Café");
    assert_eq!(event["organizer"][0]["organizer"], "René");
}
