//! Pictures on the desk: the library, and the picture of a form.

use app::ports::TokenScope;
use axum::http::Method;
use domain::Role;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client, pictures::png};

use super::Browser;

/// The client of a user of the interface.
pub(super) async fn api(app: &TestApp, name: &str) -> Client {
    let user = app.accounts.user(name).await.unwrap();
    let token = app.accounts.create_token(user.id, "test", TokenScope::Admin, None).await;
    app.anonymous().with_token(token.unwrap().text.expose())
}

/// The IDs of the pictures in the library.
async fn ids(browser: &Browser<'_>, query: &str) -> Vec<i64> {
    let html = browser.get(&format!("//desk/images{query}")).await.text();
    let links = html.split("/desk/images/").skip(1);
    links.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
}

async fn upload(client: &Client) -> Value {
    client.send(Method::POST, "/images", Some(("image/png", png(4, 4)))).await.json()
}

/// A picture is uploaded, described in the language of the person, and deleted.
#[both_stores]
async fn the_library_keeps_pictures(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let picture = png(8, 8);
    let file = ("image_file", "bench.png", "image/png", &picture[..]);
    let alt = [("image_alt", "A red bench")];
    let answer = browser.post_file("//desk/images", &alt, file).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let found = ids(&browser, "").await;
    assert_eq!(found.len(), 1);
    assert_eq!(ids(&browser, "?search=ben").await, found);
    assert!(ids(&browser, "?search=mill").await.is_empty());
    let id = found[0];
    let (path, api) = (format!("//desk/images/{id}"), api(app, "grace").await);
    let image = async |language: &str| {
        api.get(&format!("/images/{id}?ml_language={language}")).await.json()["alt"].clone()
    };
    assert_eq!(image("en").await, "A red bench");
    browser.post("//desk/account/language", &[("language", "fr")]).await;
    assert!(browser.get(&path).await.text().contains("value=\"A red bench\""));
    let french = [("image_alt", "Un banc rouge"), ("revision", "1")];
    assert_eq!(browser.post(&path, &french).await.status, 303);
    assert_eq!(
        (image("fr").await, image("en").await),
        (json!("Un banc rouge"), json!("A red bench"))
    );
    // Somebody else described it meanwhile.
    let late = browser.post(&path, &[("image_alt", "Un banc"), ("revision", "1")]).await;
    assert_eq!((late.status, late.text().contains("value=\"Un banc\"")), (409, true));
    let long = "x".repeat(501);
    let long = browser.post(&path, &[("image_alt", &long), ("revision", "2")]).await;
    assert_eq!(long.status, 400);
    assert_eq!(image("fr").await, "Un banc rouge");

    let question = browser.post(&path, &[("action", "delete")]).await;
    assert_eq!((question.status, ids(&browser, "").await), (200, vec![id]));
    assert!(question.text().contains("name=\"confirmed\""));
    let confirmed = [("action", "delete"), ("confirmed", "1")];
    assert_eq!(browser.post(&path, &confirmed).await.status, 303);
    assert_eq!(
        (ids(&browser, "").await, api.get(&format!("/images/{id}")).await.status),
        (vec![], 404)
    );

    for (name, kind, content) in [
        ("page.png", "image/png", &b"<html>"[..]),
        ("page.html", "text/html", b"<html>"),
        ("", "image/png", b""),
    ] {
        let file = ("image_file", name, kind, content);
        let answer = browser.post_file("//desk/images", &[], file).await;
        assert_eq!(
            (answer.status, answer.text().contains("href=\"#image\"")),
            (400, true),
            "{name}"
        );
    }
    assert!(ids(&browser, "").await.is_empty());
}

/// Authors have their own pictures, editors all of them; each may do what the interface allows.
#[both_stores]
async fn rights_on_pictures_are_those_of_the_interface(app: &TestApp) {
    for role in [Role::Contributor, Role::Author, Role::Editor, Role::Administrator] {
        let name = format!("new-{role}");
        let mut browser = Browser::of(app, &name, role).await;
        let client = api(app, &name).await;
        let answer = client.send(Method::POST, "/images", Some(("image/png", png(4, 4)))).await;
        let may = answer.status == 201;
        let picture = png(4, 4);
        let file = ("image_file", "x.png", "image/png", &picture[..]);
        let by_desk = browser.post_file("//desk/images", &[], file).await;
        assert_eq!(
            (by_desk.status == 303, browser.get("//desk/images").await.status == 200),
            (may, may)
        );
        let links = browser.get("//desk").await.text().contains("/desk/images\"");
        assert_eq!(links, may, "{role}");
        let mut owners = vec![app.author()];
        owners.extend(may.then_some(client.clone()));
        for owner in owners {
            let [one, other] =
                [upload(&owner).await["id"].clone(), upload(&owner).await["id"].clone()];
            // A published record shows it: the author reads it, and may not change it.
            app.editor().make("/venues", json!({"venue": "Mill", "image": other})).await;
            let path = format!("//desk/images/{other}");
            let changed =
                client.put(&format!("/images/{one}"), json!({"alt": "x"})).await.status == 200;
            assert_eq!(browser.get(&path).await.status == 200, changed, "{role}");
            let alt = [("image_alt", "x")];
            assert_eq!(browser.post(&path, &alt).await.status == 303, changed, "{role}");
            let listed = ids(&browser, "").await.contains(&other.as_i64().unwrap());
            assert_eq!(listed, changed, "{role}");
            let deleted = client.delete(&format!("/images/{one}")).await.status == 200;
            let confirmed = [("action", "delete"), ("confirmed", "1")];
            assert_eq!(browser.post(&path, &confirmed).await.status == 303, deleted, "{role}");
            let is_there = app.admin().get(&format!("/images/{other}")).await.status == 200;
            assert_eq!(is_there, !deleted, "{role}");
        }
    }
}

/// The form of an event, and that of a venue, takes a file or a picture of the library, and changes its description.
#[both_stores]
async fn a_form_has_a_picture(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    let client = api(app, "grace").await;
    let library = upload(&client).await["id"].as_i64().unwrap();
    let event = [
        ("title", "Fair"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T10:00"),
        ("status", "publish"),
    ];
    let venue = [("venue", "Mill"), ("status", "publish")];
    for (new, rest, fields) in
        [("//desk/event/new", "/events", &event[..]), ("//desk/venues/new", "/venues", &venue)]
    {
        let picture = png(8, 8);
        let file = ("image_file", "bench.png", "image/png", &picture[..]);
        let sent = [fields, &[("image_alt", "A red bench")]].concat();
        let answer = browser.post_file(new, &sent, file).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        let location = answer.header("location").split('?').next().unwrap();
        let id = location.rsplit('/').next().unwrap();
        let form = format!("{}/{id}", new.trim_end_matches("/new"));
        let record = format!("{rest}/{id}");
        let image = async || app.anonymous().get(&record).await.json()["image"].clone();
        let first = image().await;
        assert_eq!(first["alt"], "A red bench");
        let html = browser.get(&form).await.text();
        assert!(html.contains("value=\"A red bench\""), "{html}");
        assert!(html.contains(&format!("name=\"image_id\" value=\"{library}\"")), "{html}");

        let none = ("image_file", "", "application/octet-stream", &b""[..]);
        let sent = [fields, &[("image_alt", "A blue bench"), ("image_id", "")]].concat();
        assert_eq!(browser.post_file(&form, &sent, none).await.status, 303);
        let second = image().await;
        assert_eq!((&second["alt"], &second["id"]), (&json!("A blue bench"), &first["id"]));

        let chosen = library.to_string();
        let sent =
            [fields, &[("image_alt", "A blue bench"), ("image_id", chosen.as_str())]].concat();
        assert_eq!(browser.post_file(&form, &sent, none).await.status, 303);
        let third = image().await;
        assert_eq!((&third["alt"], &third["id"]), (&json!(""), &json!(library)));

        let sent = [fields, &[("remove_image", "1"), ("image_alt", "")]].concat();
        assert_eq!(browser.post_file(&form, &sent, none).await.status, 303);
        assert!(!image().await.is_object());

        // The picture of a draft of somebody else cannot be taken.
        let hidden = upload(&app.editor()).await["id"].to_string();
        let draft = json!({"venue": "Canary", "status": "draft", "image": hidden});
        app.editor().make("/venues", draft).await;
        let sent = [fields, &[("image_id", hidden.as_str())]].concat();
        let answer = browser.post_file(&form, &sent, none).await;
        assert_eq!((answer.status, answer.text().contains("href=\"#image\"")), (400, true));
        assert!(!image().await.is_object());
    }
}

/// The ID of the picture that a form keeps.
fn kept(html: &str) -> Option<&str> {
    html.split("name=\"image_kept\" value=\"").nth(1)?.split('"').next()
}

/// A chosen picture survives a form that comes back, and is in the library meanwhile.
#[both_stores]
async fn a_form_that_comes_back_has_its_picture(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    let (picture, none) = (png(8, 8), ("image_file", "", "application/octet-stream", &b""[..]));
    let file = ("image_file", "bench.png", "image/png", &picture[..]);
    let event = [
        ("title", "Fair"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T10:00"),
        ("status", "publish"),
        ("image_alt", "A red bench"),
    ];
    let venue = [("venue", "Mill"), ("status", "publish"), ("image_alt", "A red bench")];
    for (new, rest, fields, bad) in [
        ("//desk/event/new", "/events", &event[..], &[("website", "nowhere")][..]),
        ("//desk/event/new", "/events", &event, &[("preview", "dates")]),
        ("//desk/venues/new", "/venues", &venue, &[("website", "nowhere")]),
    ] {
        let before = ids(&browser, "").await;
        let answer = browser.post_file(new, &[fields, bad].concat(), file).await;
        let html = answer.text();
        let id = kept(&html).unwrap_or_else(|| panic!("{html}"));
        assert!(html.contains("value=\"A red bench\"") && html.contains("/media/"), "{html}");
        let stored = ids(&browser, "").await;
        assert_eq!((stored.len(), stored[0].to_string().as_str()), (before.len() + 1, id));

        // Not used, it stays in the library alone.
        let sent = [fields, bad, &[("image_kept", id), ("drop_kept", "1")]].concat();
        assert_eq!(kept(&browser.post_file(new, &sent, none).await.text()), None);
        // Another file takes its place.
        let sent = [fields, bad, &[("image_kept", id), ("image_id", "")]].concat();
        let html = browser.post_file(new, &sent, file).await.text();
        let second = kept(&html).unwrap();
        assert_ne!(second, id);

        let sent = [&fields[..fields.len() - 1], &[("image_alt", "A bench"), ("image_kept", id)]];
        let answer = browser.post_file(new, &sent.concat(), none).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        let location = answer.header("location").split('?').next().unwrap();
        let record = format!("{rest}/{}", location.rsplit('/').next().unwrap());
        let image = app.editor().get(&record).await.json()["image"].clone();
        assert_eq!((image["id"].to_string().as_str(), &image["alt"]), (id, &json!("A bench")));
        assert_eq!(ids(&browser, "").await.len(), before.len() + 2);
        app.editor().delete(&record).await;
    }
}

/// A form comes back with its picture where another event looks alike, and where somebody else changed the event.
#[both_stores]
async fn a_warning_keeps_the_picture(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let fair = [
        ("title", "Fair"),
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T10:00"),
        ("venue", "Mill"),
    ];
    assert_eq!(browser.post("//desk/event/new", &fair).await.status, 303);
    let picture = png(8, 8);
    let file = ("image_file", "bench.png", "image/png", &picture[..]);
    let alike = browser.post_file("//desk/event/new", &fair, file).await;
    assert_eq!((alike.status, kept(&alike.text()).is_some()), (409, true));

    let late = [&[("title", "Late fair"), ("revision", "0")], &fair[1..]].concat();
    let late = browser.post_file("//desk/event/1", &late, file).await;
    let html = late.text();
    let id = kept(&html).unwrap();
    assert_eq!(late.status, 409, "{html}");
    let sent = super::form_of(&html, &[]);
    assert!(sent.contains(&("image_kept", id)), "{sent:?}");
    let saved = browser.post("//desk/event/1", &sent).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let event = app.editor().get("/events/1").await.json();
    assert_eq!(
        (&event["title"], event["image"]["id"].to_string()),
        (&json!("Late fair"), id.into())
    );
}

/// A form keeps no picture of somebody else, no broken one, and none of a person who may not upload.
#[both_stores]
async fn a_form_keeps_own_pictures_alone(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Author).await;
    let hidden = upload(&app.editor()).await["id"].to_string();
    let bad = [("title", ""), ("start_date", "2027-03-10"), ("end_date", "2027-03-10")];
    let none = ("image_file", "", "application/octet-stream", &b""[..]);
    for id in [hidden.as_str(), "999", "-1", "x", ""] {
        let sent = [&bad[..], &[("image_kept", id)]].concat();
        let answer = browser.post_file("//desk/event/new", &sent, none).await;
        assert_eq!((answer.status, kept(&answer.text())), (400, None), "{id}");
        let sent = [&[("title", "Fair"), ("image_kept", id)], &bad[1..]].concat();
        let answer = browser.post_file("//desk/event/new", &sent, none).await;
        let is_refused = answer.status == 400 && answer.text().contains("href=\"#image\"");
        assert_eq!(is_refused, !id.is_empty(), "{id}: {}", answer.status);
    }
    // The header of a picture alone.
    let broken = &png(8, 8)[..40];
    let broken = browser
        .post_file("//desk/event/new", &bad, ("image_file", "x.png", "image/png", broken))
        .await;
    let html = broken.text();
    assert_eq!((broken.status, kept(&html)), (400, None));
    assert!(html.contains("href=\"#image\"") && html.contains("href=\"#title\""), "{html}");
    assert!(ids(&browser, "").await.is_empty());

    let contributor = Browser::of(app, "linus", Role::Contributor).await;
    let admin = Browser::of(app, "root", Role::Administrator).await;
    let picture = png(8, 8);
    let file = ("image_file", "bench.png", "image/png", &picture[..]);
    let before = ids(&admin, "").await;
    let sent = [&[("title", "Fair")], &bad[1..]].concat();
    let answer = contributor.post_file("//desk/event/new", &sent, file).await;
    assert_eq!((answer.status, ids(&admin, "").await), (403, before));
    let form = contributor.get("//desk/event/new").await.text();
    assert!(!form.contains("image_file"), "{form}");
}

/// A crop makes a new picture, on its page and in a form. The whole one stays in the library.
#[both_stores]
async fn pictures_are_cropped(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    let client = api(app, "grace").await;
    let whole = client.send(Method::POST, "/images?alt=A+bench", Some(("image/png", png(40, 20))));
    let whole = whole.await.json()["id"].as_i64().unwrap();
    let path = format!("//desk/images/{whole}");
    let size = async |id: &str| {
        let image = client.get(&format!("/images/{id}")).await.json();
        (image["width"].clone(), image["height"].clone(), image["alt"].clone())
    };
    let crop = [("action", "crop"), ("crop_left", "25"), ("crop_top", ""), ("crop_right", "25")];
    let answer = browser.post(&path, &crop).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location").split('?').next().unwrap();
    let part = location.rsplit('/').next().unwrap().to_owned();
    assert_eq!(size(&part).await, (json!(20), json!(20), json!("A bench")));
    assert_eq!(size(&whole.to_string()).await.0, 40);
    for margins in [["0", "0"], ["50", "50"], ["100", "0"], ["-1", "0"], ["x", "0"]] {
        let crop = [("action", "crop"), ("crop_left", margins[0]), ("crop_right", margins[1])];
        let answer = browser.post(&path, &crop).await;
        let html = answer.text();
        assert_eq!((answer.status, html.contains("href=\"#crop_left\"")), (400, true), "{html}");
    }
    // The picture of somebody else is not cropped.
    let others = upload(&app.editor()).await["id"].to_string();
    let refused = browser.post(&format!("//desk/images/{others}"), &crop).await;
    assert!(matches!(refused.status, 403 | 404), "{}", refused.status);
    assert_eq!(ids(&browser, "").await.len(), 2);

    // The file of a form is cropped, and what comes back is not cropped again.
    let (picture, none) = (png(40, 20), ("image_file", "", "application/octet-stream", &b""[..]));
    let file = ("image_file", "bench.png", "image/png", &picture[..]);
    let fair = [
        ("start_date", "2027-03-10T09:00"),
        ("end_date", "2027-03-10T10:00"),
        ("image_alt", "A bench"),
    ];
    let upper = [("crop_bottom", "50")];
    let sent = [&[("title", "")], &fair[..], &upper].concat();
    let html = browser.post_file("//desk/event/new", &sent, file).await.text();
    let id = kept(&html).unwrap().to_owned();
    assert_eq!(size(&id).await.1, 10, "{html}");
    let again = super::form_of(&html, &[("title", "Fair")]);
    let saved = browser.post_file("//desk/event/new", &again, none).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let location = saved.header("location").split('?').next().unwrap();
    let event = location.rsplit('/').next().unwrap().to_owned();
    let shown = async || client.get(&format!("/events/{event}")).await.json()["image"].clone();
    assert_eq!(shown().await["id"].to_string(), id);

    // The picture that the event has is cropped; a bad margin is told beside it.
    let form = format!("//desk/event/{event}");
    let html = browser.get(&form).await.text();
    let bad = super::form_of(&html, &[("crop_left", "99"), ("crop_right", "1")]);
    let answer = browser.post_file(&form, &bad, none).await;
    assert_eq!((answer.status, answer.text().contains("href=\"#image\"")), (400, true));
    assert_eq!(shown().await["id"].to_string(), id);
    let left = super::form_of(&html, &[("crop_right", "75")]);
    assert_eq!(browser.post_file(&form, &left, none).await.status, 303);
    let image = shown().await;
    assert_eq!(
        (&image["width"], &image["height"], &image["alt"]),
        (&json!(10), &json!(10), &json!("A bench"))
    );
}
