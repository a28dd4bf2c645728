//! The audit trail on the desk.

use domain::Role;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, id},
    db::TestDb,
};

use super::Browser;

const TRAIL: &str = "//desk/trail";

/// The entries of a page, as HTML.
pub(super) fn entries(answer: &Answer) -> Vec<String> {
    let html = answer.text();
    let list = html.split("<ol class=\"entries\">").nth(1).unwrap_or_default();
    let list = list.split("</ol>").next().unwrap();
    list.split("<li>").skip(1).map(str::to_owned).collect()
}

/// The path of the link of a page with a relation or a text.
fn link(answer: &Answer, text: &str) -> Option<String> {
    let html = answer.text();
    let navigation = html.split("<main").nth(1).unwrap().split("<nav").nth(1)?;
    let link = navigation.split("<a ").find(|link| link.contains(text))?;
    let url = link.split("href=\"").nth(1)?.split('"').next()?;
    let path = url.split_once("/desk/").unwrap().1;
    Some(format!("//desk/{}", path.replace("&#38;", "&")))
}

/// Administrators alone read the trail, to which their navigation leads.
#[both_stores]
async fn administrators_read_the_trail(app: &TestApp) {
    app.editor().make("/venues", json!({"venue": "Old Mill"})).await;
    for role in [Role::Contributor, Role::Author, Role::Editor, Role::Administrator] {
        let browser = Browser::of(app, &format!("new-{role}"), role).await;
        let (trail, users) = (browser.get(TRAIL).await, browser.get("//desk/users").await);
        let may = role == Role::Administrator;
        assert_eq!(trail.status, if may { 200 } else { 403 }, "{role}");
        assert_eq!(trail.text().contains("Old Mill"), may, "{role}");
        if !may {
            assert_eq!(trail.text(), users.text(), "{role}");
        }
        assert_eq!(trail.header("cache-control"), "private, no-store", "{role}");
        let navigation = browser.get("//desk").await.text();
        assert_eq!(navigation.contains("/desk/trail\""), may, "{role}");
    }
}

/// An entry has the time in the zone of the site, the user, the way, the effect, the record with its form, and the fields by the
/// words of the form, with their former and new values.
#[both_stores]
async fn entries_say_who_did_what(app: &TestApp) {
    let name = "Mill <3 & \"quay\"";
    let venue = id(&app
        .editor()
        .make("/venues", json!({"venue": name, "city": "Lyon", "description": "<b>Wide</b>"}))
        .await);
    let path = format!("/venues/{venue}");
    let change = json!({"city": "Vienne", "country": "true", "show_map": false});
    app.editor().change(&path, change).await;
    let fair = json!({
        "title": "Fair", "start_date": "2027-03-10", "end_date": "2027-03-10", "venue": venue,
        "password": "open sesame", "status": "pending",
    });
    let fair = id(&app.author().event(fair).await);
    let gone = id(&app.editor().make("/tags", json!({"name": "loud"})).await);
    app.editor().delete(&format!("/tags/{gone}?force=true")).await;

    let browser = Browser::of(app, "grace", Role::Administrator).await;
    let page = browser.get(&format!("{TRAIL}?kind=venue")).await;
    let html = page.text();
    for escaped in ["<bdi>Mill &#60;3 &#38; &#34;quay&#34;</bdi>", "&#60;b&#62;Wide&#60;/b&#62;"] {
        assert!(html.contains(escaped), "{escaped}: {html}");
    }
    assert!(!html.contains("<b>") && !html.contains("<3"), "{html}");
    let found = entries(&page);
    let [changed, created] = found.as_slice() else { panic!("{html}") };
    for (entry, parts) in [
        (
            changed,
            &[
                "<strong>changed</strong> · venue <a href=",
                &format!("/desk/venues/{venue}\""),
                "· <bdi>editor</bdi> · by the interface <bdi>(token 2)</bdi>",
                "<dt>City</dt>",
                "<del dir=\"auto\">Lyon</del>",
                "<ins dir=\"auto\">Vienne</ins>",
                "<ins dir=\"auto\">true</ins>",
                "<dt>Show a map</dt>",
                "<del dir=\"auto\">yes</del>",
                "<ins dir=\"auto\">no</ins>",
            ][..],
        ),
        (
            created,
            &["<strong>created</strong>", "<dt>Name</dt>", "<ins dir=\"auto\">published</ins>"],
        ),
    ] {
        for part in parts {
            assert!(entry.contains(part), "{part}: {entry}");
        }
    }
    let now = app.calendar.now();
    let local = app.calendar.site().zone.at(now).local.format("%Y-%m-%d %H:%M:%S");
    let instant = format!("{}Z", now.to_string().replace(' ', "T"));
    let time = format!("<time datetime=\"{instant}\">{local}</time>");
    assert!(changed.contains(&time), "{time}: {changed}");

    // A venue has its name; a password is nowhere.
    let page = browser.get(&format!("{TRAIL}?kind=event&record={fair}")).await;
    let html = page.text();
    for part in
        ["<dt>Venue</dt>", "Mill &#60;3", "Password of the event", "kept nowhere", "pending review"]
    {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("open sesame"), "{html}");

    // A record that is gone has no form, and of its values digests alone.
    let page = browser.get(&format!("{TRAIL}?kind=tag&record={gone}")).await;
    let found = entries(&page);
    assert_eq!(found.len(), 2, "{}", page.text());
    for entry in found {
        assert!(entry.contains(&format!("tag <bdi>#{gone}</bdi>")), "{entry}");
        assert!(entry.contains("Digests") && !entry.contains("loud"), "{entry}");
    }

    // A record in the trash is there, and has no form.
    app.editor().delete(&path).await;
    let entry = entries(&browser.get(&format!("{TRAIL}?kind=venue")).await).swap_remove(0);
    assert!(entry.contains("moved to the trash") && entry.contains("Mill"), "{entry}");
    assert!(!entry.contains("<a "), "{entry}");

    // The records of the other kinds have forms, too.
    let page = browser.get(&format!("{TRAIL}?kind=user")).await;
    let user = app.accounts.user("grace").await.unwrap().id;
    assert!(
        page.text().contains(&format!("/desk/users/{user}\"><bdi>grace</bdi>")),
        "{}",
        page.text()
    );
}

/// The filter is that of the interface. Users are named, and what is wrong is said.
#[both_stores]
async fn the_trail_is_filtered(app: &TestApp) {
    let mill = id(&app.editor().make("/venues", json!({"venue": "Old Mill"})).await);
    app.author().make("/organizers", json!({"organizer": "Rowing club"})).await;
    app.editor().change(&format!("/venues/{mill}"), json!({"city": "Vienne"})).await;
    let browser = Browser::of(app, "grace", Role::Administrator).await;
    let user = app.accounts.user("editor").await.unwrap().id;
    let minute = |days: i64| {
        let at = app.calendar.now().saturating_add(days * 86_400);
        app.calendar.site().zone.at(at).local.format("%Y-%m-%dT%H:%M").to_string()
    };
    for (query, count) in [
        ("kind=venue".to_owned(), 2),
        (format!("kind=venue&record={mill}&action=update"), 1),
        ("kind=venue&record=&action=&user=&after=&before=".to_owned(), 2),
        ("user=editor&kind=venue".to_owned(), 2),
        (format!("user={user}"), 2),
        ("user=author&kind=venue".to_owned(), 0),
        ("user=author".to_owned(), 1),
        (format!("kind=venue&after={}", minute(-1)), 2),
        (format!("kind=venue&after={}", minute(1)), 0),
        (format!("kind=venue&before={}", minute(1)), 2),
        (format!("kind=venue&before={}", minute(-1)), 0),
    ] {
        let page = browser.get(&format!("{TRAIL}?{query}")).await;
        assert_eq!(page.status, 200, "{query}: {}", page.text());
        let found = entries(&page);
        assert_eq!(found.len(), count, "{query}: {}", page.text());
    }
    for (query, input, kept) in [
        ("kind=moon", "kind", None),
        ("record=seven", "record", Some("value=\"seven\"")),
        ("user=%3Cb%3Enobody", "user", Some("value=\"&#60;b&#62;nobody\"")),
        ("action=steal", "action", None),
        ("after=soon", "after", Some("value=\"soon\"")),
        ("before=soon", "before", Some("value=\"soon\"")),
        ("before_id=x", "", None),
    ] {
        let page = browser.get(&format!("{TRAIL}?{query}")).await;
        let html = page.text();
        assert_eq!(page.status, 400, "{query}: {html}");
        assert!(entries(&page).is_empty() && html.contains("id=\"faults\""), "{query}: {html}");
        if !input.is_empty() {
            let lead = format!("href=\"#{input}\"");
            assert!(html.contains(&lead) && html.contains("aria-invalid"), "{query}: {html}");
        }
        assert!(kept.is_none_or(|kept| html.contains(kept)), "{query}: {html}");
    }
    let html = browser.get(&format!("{TRAIL}?kind=venue&user=editor")).await.text();
    for part in
        ["value=\"venue\" selected", "value=\"editor\"", "<option value=\"author\"></option>"]
    {
        assert!(html.contains(part), "{part}: {html}");
    }
}

/// A page leads to the entries below it, with the same filter: each entry is shown once, although others come meanwhile.
#[both_stores]
async fn each_entry_is_shown_once(app: &TestApp) {
    for number in 0..120 {
        app.editor().make("/tags", json!({"name": format!("T{number:03}")})).await;
    }
    let browser = Browser::of(app, "grace", Role::Administrator).await;
    let mut page = browser.get(&format!("{TRAIL}?kind=tag&user=editor")).await;
    assert_eq!(link(&page, "Newest"), None);
    let mut seen = Vec::new();
    loop {
        for entry in entries(&page) {
            let name = entry.split("<bdi>T").nth(1).unwrap().split('<').next().unwrap();
            seen.push(name.parse::<usize>().unwrap());
        }
        app.editor().make("/tags", json!({"name": format!("Later {}", seen.len())})).await;
        let Some(next) = link(&page, "rel=\"next\"") else { break };
        page = browser.get(&next).await;
        assert!(page.text().contains("value=\"tag\" selected"), "{next}");
        let newest = link(&page, "Newest").unwrap();
        assert!(entries(&browser.get(&newest).await)[0].contains("Later"), "{newest}");
    }
    assert_eq!(seen, (0..120).rev().collect::<Vec<_>>());
}

/// A long text is folded, and of its change the part alone is shown.
#[both_stores]
async fn long_texts_are_folded(app: &TestApp) {
    let text =
        |word: &str| format!("<p>{} {word} {}</p>", "before ".repeat(40), "after ".repeat(40));
    let venue = json!({"venue": "Old Mill", "description": text("red")});
    let venue = id(&app.editor().make("/venues", venue).await);
    app.editor().change(&format!("/venues/{venue}"), json!({"description": text("blue")})).await;
    let browser = Browser::of(app, "grace", Role::Administrator).await;
    let found = entries(&browser.get(&format!("{TRAIL}?kind=venue")).await);
    let [changed, created] = found.as_slice() else { panic!("{found:?}") };
    assert!(
        changed.contains("<del dir=\"auto\">…r") || changed.contains("<del dir=\"auto\">…red…"),
        "{changed}"
    );
    assert!(changed.contains("blu") && !changed.contains("<details>"), "{changed}");
    assert!(created.contains("<details><summary dir=\"auto\">&#60;p&#62;before"), "{created}");
    assert!(created.contains("after&#60;/p&#62;</ins></details>"), "{created}");
}

/// The trail stands in the language of the person, and in the zone of the site.
#[tokio::test]
async fn the_trail_in_other_languages() {
    let app = TestApp::builder(TestDb::sqlite().await).zone("Asia/Tokyo").build().await;
    app.editor().make("/venues", json!({"venue": "Old Mill"})).await;
    let mut browser = Browser::of(&app, "grace", Role::Administrator).await;
    for (language, direction, words) in [
        ("ar", "rtl", ["سجل التغييرات", "إنشاء", "<dt>الاسم</dt>"]),
        ("fr", "ltr", ["Journal des modifications", "création", "<dt>Nom</dt>"]),
    ] {
        let chosen = [("language", language)];
        assert_eq!(browser.post("//desk/account/language", &chosen).await.status, 303);
        let html = browser.get(&format!("{TRAIL}?kind=venue")).await.text();
        let root = format!("<html lang=\"{language}\" dir=\"{direction}\">");
        for part in words.into_iter().chain([root.as_str(), "Asia/Tokyo"]) {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
    let local = app.calendar.site().zone.at(app.calendar.now()).local;
    let shown = local.format("%Y-%m-%d %H:%M:%S</time>").to_string();
    let html = browser.get(&format!("{TRAIL}?kind=venue")).await.text();
    assert!(html.contains(&shown), "{shown}: {html}");
}
