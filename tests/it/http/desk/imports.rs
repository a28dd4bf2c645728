//! Imports of files on the desk.

use domain::Role;
use tests::{app::TestApp, both_stores};

use super::Browser;

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\
    BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20300310\r\nSUMMARY:Fair\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:2\r\nDTSTART:20300310\r\nDTEND:20300309\r\nSUMMARY:Bad\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

/// The value of a hidden field.
fn hidden(html: &str, name: &str) -> String {
    let rest = html.split(&format!("type=\"hidden\" name=\"{name}\" value=\"")).nth(1);
    let value = rest.unwrap_or_else(|| panic!("{name}: {html}")).split('"').next().unwrap();
    value.replace("&#38;", "&").replace("&#43;", "+")
}

/// The number in a row of the report.
fn count(html: &str, title: &str) -> u64 {
    let row = html.split(&format!("<th scope=\"row\">{title}</th><td>")).nth(1);
    row.unwrap_or_else(|| panic!("{title}: {html}")).split('<').next().unwrap().parse().unwrap()
}

/// A rehearsal stores nothing, and the import that follows it has the same file and the same options.
#[both_stores]
async fn a_file_is_rehearsed_and_imported(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let file = ("file", "fair.ics", "text/calendar", CALENDAR.as_bytes());
    let sent = [("source", "festival"), ("action", "rehearse"), ("policy", "keep")];
    let page = browser.post_file("//desk/imports", &sent, file).await;
    assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
    let html = page.text();
    assert!(html.contains("Nothing was stored"), "{html}");
    assert_eq!((count(&html, "Read"), count(&html, "Created")), (2, 1));
    assert_eq!(count(&html, "Refused"), 1);
    assert!(html.contains("the end is before the start") && html.contains("<td>11</td>"), "{html}");
    assert_eq!(
        app.editor()
            .get("/events?status=any&start_date=1990-01-01&end_date=2100-01-01")
            .await
            .json()["total"],
        0
    );

    let again =
        ["source", "policy", "file_name", "content"].map(|name| (name, hidden(&html, name)));
    assert_eq!((again[0].1.as_str(), again[1].1.as_str()), ("festival", "keep"));
    let mut fields: Vec<_> = again.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fields.push(("action", "import"));
    for (created, unchanged) in [(1, 0), (0, 1)] {
        // A browser sends an empty file where none was chosen.
        let none = ("file", "", "application/octet-stream", &b""[..]);
        let page = browser.post_file("//desk/imports", &fields, none).await;
        let html = page.text();
        assert_eq!(page.status, 200, "{html}");
        assert!(!html.contains("Nothing was stored"), "{html}");
        assert_eq!((count(&html, "Created"), count(&html, "Unchanged")), (created, unchanged));
    }
    assert_eq!(
        app.editor()
            .get("/events?status=any&start_date=1990-01-01&end_date=2100-01-01")
            .await
            .json()["total"],
        1
    );
}

/// A table of venues is imported by its name.
#[both_stores]
async fn a_table_is_imported(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let table = b"Venue Name;Venue City\nOld Mill;Lyon\n;Vienne\n";
    let sent = [("kind", "venues"), ("action", "import")];
    let file = ("file", "venues.CSV", "application/vnd.ms-excel", &table[..]);
    let html = browser.post_file("//desk/imports", &sent, file).await.text();
    assert_eq!((count(&html, "Created"), count(&html, "Refused")), (1, 1), "{html}");
    assert!(html.contains("it has no title"), "{html}");
    let venues = app.anonymous().get("/venues").await.json();
    assert_eq!(venues["venues"][0]["city"], "Lyon");
}

/// Bad files and options are refused beside the form, as by the interface.
#[both_stores]
async fn bad_files_are_refused(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let large = vec![b'x'; (1 << 20) + 1];
    let event = |uid: i32| format!("BEGIN:VEVENT\nUID:{uid}\nEND:VEVENT\n");
    let many = (0..1001).map(event).collect::<Vec<_>>().concat();
    for (name, content, status) in [
        ("page.ics", &b"<html></html>"[..], 415),
        ("large.ics", &large, 413),
        ("many.ics", many.as_bytes(), 413),
        ("none.ics", b"", 400),
    ] {
        let file = ("file", name, "text/calendar", content);
        let page = browser.post_file("//desk/imports", &[("action", "import")], file).await;
        assert_eq!(page.status, status, "{name}: {}", page.text());
        assert!(page.text().contains("href=\"#file\""), "{name}: {}", page.text());
    }
    let file = ("file", "fair.ics", "text/calendar", CALENDAR.as_bytes());
    let sent = [("timezone", "Mars/X"), ("action", "import")];
    let page = browser.post_file("//desk/imports", &sent, file).await;
    assert_eq!((page.status, page.text().contains("href=\"#timezone\"")), (400, true));
    assert!(page.text().contains("value=\"Mars/X\""));
    assert_eq!(
        app.editor()
            .get("/events?status=any&start_date=1990-01-01&end_date=2100-01-01")
            .await
            .json()["total"],
        0
    );
}

/// Editors and administrators import files, as by the interface.
#[both_stores]
async fn editors_import(app: &TestApp) {
    for (role, may) in [
        (Role::Contributor, false),
        (Role::Author, false),
        (Role::Editor, true),
        (Role::Administrator, true),
    ] {
        let browser = Browser::of(app, &format!("new-{role}"), role).await;
        let page = browser.get("//desk/imports").await;
        assert_eq!(page.status == 200, may, "{role}");
        let links = browser.get("//desk").await.text().contains("/desk/imports\"");
        assert_eq!(links, may, "{role}");
        let file = ("file", "fair.ics", "text/calendar", CALENDAR.as_bytes());
        let page = browser.post_file("//desk/imports", &[("action", "import")], file).await;
        assert_eq!(page.status, if may { 200 } else { 403 }, "{role}");
        let total = app
            .editor()
            .get("/events?status=any&start_date=1990-01-01&end_date=2100-01-01")
            .await
            .json()["total"]
            .clone();
        assert_eq!(total, i32::from(may), "{role}: {}", page.text());
    }
}
