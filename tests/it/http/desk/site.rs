//! The settings of the site on the desk.

use domain::{Role, site::SiteValue};
use http_service::face::{FixedFace, Origin};
use tests::{app::TestApp, both_stores, client::Answer, db::TestDb};

use super::Browser;

/// The path of the page.
const SITE: &str = "//desk/site";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n<logo>";

/// The value of the hidden field with the revision.
fn revision(page: &str) -> String {
    let rest = page.split("name=\"revision\" value=\"").nth(1).unwrap_or_else(|| panic!("{page}"));
    rest.split('"').next().unwrap().to_owned()
}

/// Sends the form as it stands, with some fields changed.
async fn save(browser: &mut Browser<'_>, changed: &[(&str, &str)]) -> Answer {
    let revision = revision(&browser.get(SITE).await.text());
    let fields = [&[("revision", revision.as_str())], changed].concat();
    browser.post(SITE, &fields).await
}

/// Sends a logo.
async fn send_logo(browser: &Browser<'_>, content: &[u8], more: &[(&str, &str)]) -> Answer {
    let revision = revision(&browser.get(SITE).await.text());
    let fields = [&[("revision", revision.as_str())], more].concat();
    browser.post_file(SITE, &fields, ("file", "logo.png", "image/png", content)).await
}

/// The home page, asked twice, so that the second answer may be a cached one.
async fn home(app: &TestApp) -> Answer {
    app.anonymous().get("//").await;
    app.anonymous().get("//").await
}

/// The name of the file that a page loads, which begins with `stem`.
fn asset(page: &str, stem: &str) -> Option<String> {
    let rest = page.split(&format!("/assets/{stem}-")).nth(1)?;
    Some(format!("//assets/{stem}-{}", rest.split('"').next()?))
}

/// Administrators alone read and change the settings of the site.
#[both_stores]
async fn administrators_change_the_site(app: &TestApp) {
    for role in [Role::Contributor, Role::Author, Role::Editor, Role::Administrator] {
        let mut browser = Browser::of(app, &format!("new-{role}"), role).await;
        let may = role == Role::Administrator;
        let page = browser.get(SITE).await;
        assert_eq!(page.status, if may { 200 } else { 403 }, "{role}");
        assert_eq!(page.text().contains("site-footer"), may, "{role}");
        let navigation = browser.get("//desk").await.text();
        assert_eq!(navigation.contains("/desk/site\""), may, "{role}");
        let sent = [("revision", "0"), ("site-footer", "Town of Springfield")];
        let answer = browser.post(SITE, &sent).await;
        assert_eq!(answer.status, if may { 303 } else { 403 }, "{role}");
        assert_eq!(home(app).await.text().contains("Town of Springfield"), may, "{role}");
    }
    let answer = app.anonymous().get(SITE).await;
    assert_eq!(answer.status, 303);
}

/// Each page shows a change at once, also one that was cached before; its entity tag changes.
#[both_stores]
async fn a_change_is_shown_at_once(app: &TestApp) {
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let before = home(app).await;
    let sent = [
        ("site-name", " Fair & co "),
        ("site-name-fr", "Foire"),
        ("site-colour", "#7A1F3D"),
        ("site-footer", "Town of <b>"),
        ("imprint-url", "https://town.example/imprint?a=1&b=2"),
        ("privacy-url", "https://town.example/privacy"),
        ("week-start", "sunday"),
    ];
    let saved = save(&mut admin, &sent).await;
    assert_eq!(
        (saved.status, saved.header("location")),
        (303, "https://cal.example/desk/site?saved=1")
    );

    let after = home(app).await;
    assert_ne!(after.header("etag"), before.header("etag"));
    let html = after.text();
    for part in [
        "· Fair &#38; co</title>",
        "<p dir=\"auto\">Town of &#60;b&#62;</p>",
        "href=\"https://town.example/imprint?a=1&#38;b=2\">Imprint</a>",
        "href=\"https://town.example/privacy\">Privacy</a>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let style = app.anonymous().get(&asset(&html, "colour").unwrap()).await;
    assert!(style.text().contains("#7a1f3d"), "{}", style.text());
    assert!(app.anonymous().get("//fr/").await.text().contains("· Foire</title>"));
    let with_tag = [("if-none-match", before.header("etag"))];
    assert_eq!(app.anonymous().get_with("//", &with_tag).await.status, 200);
    let week = app.anonymous().get("//en/events/week/2027-01-02/").await;
    assert_eq!(week.header("location"), "https://cal.example/en/events/week/2026-12-27/");

    let page = admin.get(&format!("{SITE}?saved=1")).await.text();
    for part in [
        "role=\"status\">Saved.",
        "value=\"Fair &#38; co\"",
        "value=\"#7a1f3d\"",
        "<option value=\"sunday\" selected>",
        "2027-01-01 12:00:00 UTC, ada",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(admin.get("//desk").await.text().contains(">Fair &#38; co</a>"));

    // A field that is not sent keeps its value; an empty one has none.
    assert_eq!(save(&mut admin, &[("site-footer", " "), ("week-start", "")]).await.status, 303);
    let html = home(app).await.text();
    assert!(html.contains("· Fair &#38; co</title>") && !html.contains("Town of"), "{html}");
    let week = app.anonymous().get("//en/events/week/2027-01-02/").await;
    assert_eq!(week.header("location"), "https://cal.example/en/events/week/2026-12-28/");
}

/// A logo is stored, replaced and removed. Pages that were made before still load the former files.
#[both_stores]
async fn a_logo_comes_and_goes(app: &TestApp) {
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    assert_eq!(send_logo(&admin, PNG, &[]).await.status, 303);
    let first = asset(&home(app).await.text(), "logo").unwrap();
    let logo = app.anonymous().get(&first).await;
    assert_eq!((logo.status, logo.header("content-type")), (200, "image/png"));
    assert_eq!(logo.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(logo.bytes, PNG);
    assert!(admin.get(SITE).await.text().contains(&first[1..]));

    // A form without a file keeps the logo.
    assert_eq!(save(&mut admin, &[("site-name", "Town")]).await.status, 303);
    assert_eq!(asset(&home(app).await.text(), "logo").as_ref(), Some(&first));

    let webp = b"RIFF\0\0\0\0WEBPVP8 ";
    assert_eq!(send_logo(&admin, webp, &[]).await.status, 303);
    let second = asset(&home(app).await.text(), "logo").unwrap();
    assert_eq!(second.rsplit_once('.').unwrap().1, "webp", "{second}");
    assert_eq!(app.anonymous().get(&first).await.bytes, PNG);

    assert_eq!(save(&mut admin, &[("remove_logo", "1")]).await.status, 303);
    assert_eq!(asset(&home(app).await.text(), "logo"), None);
    assert_eq!(app.anonymous().get(&first).await.status, 404);
}

/// Faults stand in the form with what was typed, and nothing is stored.
#[both_stores]
async fn bad_values_are_refused(app: &TestApp) {
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let long = "é".repeat(1001);
    for (name, value, says) in [
        ("site-name", "a\nb", "one line"),
        ("site-name-ar", &long, "1,000 characters"),
        ("site-footer", "a\u{2028}b", "one line"),
        ("site-colour", "teal", "no colour"),
        ("site-colour", "#ffd700", "it is 1.3."),
        ("imprint-url", "javascript:alert(1)", "no web address"),
        ("privacy-url", "town.example", "no web address"),
        ("week-start", "friday", "none of these days"),
    ] {
        let sent = [("site-name-fr", "Foire d’été"), (name, value)];
        let answer = save(&mut admin, &sent).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{name} {html}");
        assert!(html.contains(&format!("<a href=\"#{name}\">")), "{name} {html}");
        assert!(html.contains(says), "{name} {html}");
        assert!(html.contains("value=\"Foire d’été\""), "{name} {html}");
        if name != "week-start" && !value.contains('\n') {
            assert!(html.contains(&format!("value=\"{value}\"")), "{name} {html}");
        }
        assert!(html.contains("aria-invalid=\"true\""), "{name} {html}");
    }
    let mut large = PNG.to_vec();
    large.resize(1024 * 1024 + 1, 0);
    for (content, says) in [(&b"<svg/>"[..], "no picture in PNG"), (&large, "more than 1 MiB")] {
        let answer = send_logo(&admin, content, &[]).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{html}");
        assert!(html.contains(says) && html.contains("<a href=\"#site-logo\">"), "{html}");
    }
    // A good logo beside a bad colour is not stored, and the page says so.
    let answer = send_logo(&admin, PNG, &[("site-colour", "teal")]).await;
    assert!(answer.text().contains("Choose it again"), "{}", answer.text());
    assert_eq!(app.calendar.site_revision().await.unwrap(), 0);
    assert_eq!(asset(&home(app).await.text(), "logo"), None);

    admin.post("//desk/account/language", &[("language", "fr")]).await;
    let answer = save(&mut admin, &[("site-colour", "#ffd700")]).await;
    assert!(answer.text().contains("il est de 1.3."), "{}", answer.text());
}

/// Two administrators do not undo the changes of each other unseen.
#[both_stores]
async fn two_administrators_change_the_site(app: &TestApp) {
    let mut ada = Browser::of(app, "ada", Role::Administrator).await;
    let mut grace = Browser::of(app, "grace", Role::Administrator).await;
    let seen = revision(&grace.get(SITE).await.text());
    assert_eq!(save(&mut ada, &[("site-footer", "Town hall")]).await.status, 303);

    let typed = [("site-name", "Fair"), ("site-footer", "")];
    let sent = [&[("revision", seen.as_str())][..], &typed].concat();
    let answer = grace.post(SITE, &sent).await;
    let html = answer.text();
    assert_eq!(answer.status, 409, "{html}");
    assert!(html.contains("Somebody else changed the site"), "{html}");
    assert!(html.contains("<dd dir=\"auto\">Town hall</dd>"), "{html}");
    assert!(html.contains("value=\"Fair\""), "{html}");
    assert!(home(app).await.text().contains("Town hall"));
    let now = revision(&html);
    assert_ne!(now, seen);
    let again = [&[("revision", now.as_str())][..], &typed].concat();
    assert_eq!(grace.post(SITE, &again).await.status, 303);
    let html = home(app).await.text();
    assert!(html.contains("· Fair</title>") && !html.contains("Town hall"), "{html}");

    // A form without a revision, or with a bad one, changes nothing.
    for revision in [&[][..], &[("revision", "x")], &[("revision", "-1")]] {
        let sent = [revision, &[("site-name", "Other")][..]].concat();
        assert_eq!(grace.post(SITE, &sent).await.status, 409, "{revision:?}");
    }
    assert!(home(app).await.text().contains("· Fair</title>"));
}

/// A value that the start of the service sets is shown with its origin, and does not change.
#[tokio::test]
async fn values_of_the_start_are_fixed() {
    let flag = Origin::Flag("--site-name".to_owned());
    let variable = Origin::Variable("EVENTS_CALENDAR_SITE_COLOUR".to_owned());
    let face = FixedFace::default()
        .with(SiteValue::Name("Springfield".parse().unwrap()), flag)
        .with(SiteValue::Colour("#0b5d57".parse().unwrap()), variable);
    let app = TestApp::builder(TestDb::sqlite().await).build_with(|state| state.with_face(face));
    let app = app.await;
    let mut admin = Browser::of(&app, "ada", Role::Administrator).await;
    let page = admin.get(SITE).await.text();
    for part in [
        "Springfield</strong>",
        "<code dir=\"ltr\">--site-name</code>",
        "<code dir=\"ltr\">EVENTS_CALENDAR_SITE_COLOUR</code>",
        "Time zone: <strong dir=\"ltr\">UTC</strong>",
        "<code dir=\"ltr\">--timezone</code>",
        "<code dir=\"ltr\">--language</code>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for name in ["site-name", "site-colour", "timezone", "language"] {
        assert!(!page.contains(&format!("name=\"{name}\"")), "{name}");
    }
    let sent = [
        ("site-name", "Shelbyville"),
        ("site-colour", "teal"),
        ("site-name-fr", "Foire"),
        ("timezone", "Europe/Paris"),
    ];
    assert_eq!(save(&mut admin, &sent).await.status, 303);
    assert!(home(&app).await.text().contains("· Springfield</title>"));
    assert!(app.anonymous().get("//fr/").await.text().contains("· Foire</title>"));
}

/// Another server on the database shows a change when it reads the settings again, and loads the files of a newer face.
#[both_stores]
async fn another_server_follows(app: &TestApp) {
    let other = app.variant().build().await;
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let before = home(&other).await.header("etag").to_owned();
    assert_eq!(save(&mut admin, &[("site-name", "Fair")]).await.status, 303);
    assert!(other.face.refresh(&other.calendar).await.unwrap());
    assert!(!other.face.refresh(&other.calendar).await.unwrap());
    let after = home(&other).await;
    assert!(after.text().contains("· Fair</title>"));
    assert_ne!(after.header("etag"), before);

    assert_eq!(send_logo(&admin, PNG, &[]).await.status, 303);
    let logo = asset(&home(app).await.text(), "logo").unwrap();
    assert_eq!(other.anonymous().get(&logo).await.bytes, PNG);
    assert_eq!(asset(&home(&other).await.text(), "logo"), Some(logo));
}
