//! The host's own interface besides the calendar.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, id},
    for_each_row,
    pictures::{form, png},
};

use super::mounts::{TRIBE, mounted};

const HOST: &str = "https://cal.example/wp-json/wp/v2";

/// The values of a field in a list.
#[track_caller]
fn all(answer: &Answer, field: &str) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let list = answer.json();
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| row[field].clone()).collect()
}

/// The headers with the total and the number of pages of a list.
fn totals(answer: &Answer) -> (&str, &str) {
    (answer.header("x-wp-total"), answer.header("x-wp-totalpages"))
}

/// A client without credentials of the interface of the host.
async fn host(app: &TestApp) -> Client {
    mounted(app, &[TRIBE]).await.under("/wp-json/wp/v2")
}

async fn upload(client: &Client, name: &str) -> Answer {
    let (kind, body) = form(name, Some("image/png"), &png(400, 200));
    client.send(Method::POST, "/media", Some((&kind, body))).await
}

/// D-16: `users/me` returns the caller, with capabilities; without credentials it is 401
/// `rest_not_logged_in`.
#[both_stores]
async fn users_me(app: &TestApp) {
    let client = host(app).await;
    client.get("/users/me").await.assert_error(401, "rest_not_logged_in");
    let french = client.clone().under("/fr/wp-json/wp/v2").get("/users/me").await;
    assert_eq!(french.header("content-language"), "fr");
    let names = |me: &Value| -> Vec<String> {
        let held = me["capabilities"].as_object().unwrap();
        assert!(held.values().all(|value| value == true));
        held.keys().cloned().collect()
    };
    let mut me = client.clone().with_token(app.token(1)).get("/users/me").await.json();
    for name in ["read", "edit_tribe_events", "publish_posts", "upload_files", "manage_options"] {
        assert!(names(&me).iter().any(|held| held == name), "{me}");
    }
    me["capabilities"].take();
    assert_eq!(
        me,
        json!({"id": 1, "name": "admin", "slug": "admin", "url": "",
        "link": format!("{HOST}/users/me"), "capabilities": null})
    );
    let me = client.clone().with_token(app.token(5)).get("/users/me").await.json();
    assert_eq!((&me["name"], names(&me)), (&json!("subscriber"), vec!["read".to_owned()]));
    let me = client.clone().with_token(app.token(4)).get("/users/me").await.json();
    let held = names(&me);
    assert!(held.contains(&"edit_tribe_events".to_owned()), "{held:?}");
    assert!(!held.contains(&"publish_tribe_events".to_owned()), "{held:?}");
    client.with_token("wrong").get("/users/me").await.assert_error(401, "invalid_token");
}

/// D-16: `settings` are for administrators.
#[both_stores]
async fn settings(app: &TestApp) {
    let client = host(app).await;
    client.get("/settings").await.assert_error(401, "rest_forbidden");
    for id in 2..=5 {
        let answer = client.clone().with_token(app.token(id)).get("/settings").await;
        answer.assert_error(403, "rest_forbidden");
        assert_eq!(answer.header("allow"), "");
    }
    let answer = client.with_token(app.token(1)).get("/settings").await;
    assert_eq!(
        answer.json(),
        json!({"title": "Spring & co", "timezone": "UTC", "language": "en",
        "url": "https://cal.example"})
    );
    assert_eq!(answer.header("allow"), "GET");
}

/// D-16: Categories and tags are objects with `link`, as clients of the host expect.
#[both_stores]
async fn terms(app: &TestApp) {
    let client = host(app).await;
    let editor = client.clone().with_token(app.token(2));
    let top = editor.post("/tribe_events_cat", json!({"name": "Nature"})).await;
    assert_eq!((top.status, top.header("location")), (201, &*format!("{HOST}/tribe_events_cat/1")));
    let fields =
        json!({"name": "Rivers & lakes", "slug": "wet", "description": "Wet.", "parent": 1});
    let below = editor.post("/tribe_events_cat", fields).await.json();
    assert_eq!(
        below,
        json!({"id": 2, "count": 0, "description": below["description"],
        "link": "https://cal.example/events/category/nature/wet/", "name": "Rivers & lakes",
        "slug": "wet", "taxonomy": "tribe_events_cat", "parent": 1, "meta": []})
    );
    assert!(below["description"].as_str().unwrap().contains("Wet."));
    let tag = editor.post("/tags", json!({"name": "Outdoor"})).await.json();
    assert_eq!(
        tag,
        json!({"id": 1, "count": 0, "description": "",
        "link": "https://cal.example/tag/outdoor/", "name": "Outdoor", "slug": "outdoor",
        "taxonomy": "post_tag", "parent": 0, "meta": []})
    );
    app.admin().event(json!({"tags": [1], "categories": [2]})).await;
    let tag = client.get("/tags/1").await;
    assert_eq!(tag.json()["count"], 1);
    let again = [("if-none-match", tag.header("etag"))];
    assert_eq!(client.get_with("/tags/1", &again).await.status, 304);
    assert_eq!(client.get("/tribe_events_cat/2").await.json()["count"], 1);
    client.get("/tags/9").await.assert_error(404, "rest_term_invalid");
    client.get("/tags/x").await.assert_error(404, "rest_no_route");
    // The same records as in the calendar's own interface.
    let own = app.anonymous().get("/tags/1").await.json();
    assert_eq!(own["name"], "Outdoor");
    let french = client.clone().under("/fr/wp-json/wp/v2").get("/tags/1").await.json();
    assert_eq!(french["link"], "https://cal.example/fr/tag/outdoor/");
}

/// D-16: Writes of terms need the rights, and have the errors, of the calendar's own interface.
#[both_stores]
async fn rights_on_terms(app: &TestApp) {
    let client = host(app).await;
    let name = json!({"name": "Outdoor"});
    client.post("/tags", name.clone()).await.assert_error(401, "rest_forbidden");
    let author = client.clone().with_token(app.token(3));
    author.post("/tags", name.clone()).await.assert_error(403, "rest_forbidden");
    assert_eq!(author.get("/tags").await.header("allow"), "GET");
    assert_eq!(author.post("/tribe_events_cat", name.clone()).await.status, 201);
    let editor = client.clone().with_token(app.token(2));
    assert_eq!(editor.get("/tags").await.header("allow"), "GET, POST");
    let made = editor.post("/tags", name.clone()).await.json();
    let again = editor.post("/tags", name.clone()).await;
    again.assert_error(400, "term_exists");
    assert_eq!(again.json()["data"]["term_id"], made["id"]);
    editor.post("/tags", json!({})).await.assert_error(400, "rest_missing_callback_param");
    editor.delete("/tags/1").await.assert_error(404, "rest_no_route");
    let key = [("idempotency-key", "k1")];
    let wind = json!({"name": "Wind"});
    let first = editor.send_json_with(Method::POST, "/tags", &key, &wind).await;
    let second = editor.send_json_with(Method::POST, "/tags", &key, &wind).await;
    assert_eq!((second.status, second.json()), (201, first.json()));
}

/// D-16: Lists of terms are bare arrays with totals in headers; past the end they are empty.
#[both_stores]
async fn lists_of_terms(app: &TestApp) {
    let client = host(app).await;
    for name in ["Delta", "Alpha", "Charlie", "Bravo", "Alphabet"] {
        app.admin().make("/tags", json!({"name": name})).await;
    }
    let list = client.get("/tags").await;
    assert_eq!(all(&list, "name"), ["Alpha", "Alphabet", "Bravo", "Charlie", "Delta"]);
    assert_eq!((totals(&list), list.header("link")), (("5", "1"), ""));
    let rows = [
        ("search=ALPHA", json!(["Alpha", "Alphabet"])),
        ("slug=bravo", json!(["Bravo"])),
        ("slug=nothing", json!([])),
        ("include=1,3&orderby=include", json!(["Delta", "Charlie"])),
        ("include[]=3&include[]=1&orderby=id", json!(["Delta", "Charlie"])),
        ("orderby=id&order=desc&per_page=2", json!(["Alphabet", "Bravo"])),
        ("hide_empty=true", json!([])),
        ("context=edit&_locale=user&per_page=1", json!(["Alpha"])),
    ];
    for_each_row(rows, async |(query, names)| {
        let list = client.get(&format!("/tags?{query}")).await;
        assert_eq!(json!(all(&list, "name")), names, "{query}");
    })
    .await;
    let page = client.get("/tags?per_page=2&page=2").await;
    assert_eq!(all(&page, "name"), ["Bravo", "Charlie"]);
    assert_eq!(totals(&page), ("5", "3"));
    let links: Vec<_> =
        page.headers.get_all("link").iter().map(|link| link.to_str().unwrap()).collect();
    assert_eq!(
        links,
        [
            format!("<{HOST}/tags?per_page=2&page=3>; rel=\"next\""),
            format!("<{HOST}/tags?per_page=2>; rel=\"prev\""),
        ]
    );
    let beyond = client.get("/tags?per_page=2&page=4").await;
    assert_eq!((beyond.status, beyond.json(), totals(&beyond)), (200, json!([]), ("5", "3")));
    let fields = client.get("/tags?per_page=1&_fields=slug").await.json();
    assert_eq!(fields, json!([{"slug": "alpha"}]));
    client.get("/tags?page=x").await.assert_invalid(&["page"]);
    let none = client.get("/tribe_events_cat").await;
    assert_eq!((none.json(), totals(&none)), (json!([]), ("0", "0")));
    for page in ["", "?page=7"] {
        let head = client.send(Method::HEAD, &format!("/tags{page}"), None).await;
        assert_eq!((head.status, totals(&head).0, head.bytes.len()), (200, "5", 0));
    }
}

/// D-16: `media` takes images as `images` does, and returns the fields that clients of the host
/// expect.
#[both_stores]
async fn media(app: &TestApp) {
    let client = host(app).await;
    upload(&client, "bank.png").await.assert_error(401, "rest_forbidden");
    let contributor = client.clone().with_token(app.token(4));
    upload(&contributor, "bank.png").await.assert_error(403, "rest_forbidden");
    let author = client.clone().with_token(app.token(3));
    let made = upload(&author, "Bank am See.PNG").await;
    assert_eq!((made.status, made.header("location")), (201, &*format!("{HOST}/media/1")));
    let made = made.json();
    let image = app.author().get("/images/1").await.json();
    let size = |name: &str| {
        json!({
            "width": image["sizes"][name]["width"], "height": image["sizes"][name]["height"],
            "filesize": image["sizes"][name]["filesize"], "mime_type": "image/png",
            "source_url": image["sizes"][name]["url"],
        })
    };
    assert_eq!(
        made,
        json!({
            "id": 1, "slug": "bank-am-see", "link": image["url"], "title": {"rendered": "bank-am-see"},
            "alt_text": "", "media_type": "image", "mime_type": "image/png", "source_url": image["url"],
            "media_details": {"width": 400, "height": 200, "filesize": image["filesize"],
                "sizes": {"thumbnail": size("thumbnail"), "medium": size("medium")}},
        })
    );
    assert_eq!(author.get("/media/1").await.json(), made);
    let name = [("content-disposition", "attachment; filename=\"raw.png\"")];
    let body = Some(("image/png", png(20, 10)));
    let raw = author.send_with(Method::POST, "/media", &name, body).await;
    assert_eq!((raw.status, &raw.json()["slug"]), (201, &json!("raw")));
    author.post("/media", json!({})).await.assert_error(415, "unsupported_media_type");
    let event = app.author().event(json!({"image": 2})).await;
    assert_eq!(event["image"]["id"], 2);
}

/// D-16: An image of `media` is visible as in the calendar's own interface, also in lists.
#[both_stores]
async fn media_are_visible_to_authorized_readers(app: &TestApp) {
    let client = host(app).await;
    let author = client.clone().with_token(app.token(3));
    let mut ids = Vec::new();
    for name in ["bank.png", "shown.png", "draft.png", "b_nk.png"] {
        ids.push(id(&upload(&author, name).await.json()));
    }
    assert_eq!(ids, [1, 2, 3, 4]);
    app.author().event(json!({"image": 2})).await;
    app.author().event(json!({"image": 3, "status": "draft"})).await;
    let (editor, other) =
        (client.clone().with_token(app.token(2)), client.clone().with_token(app.token(6)));
    let rows = [
        (&client, "", json!([2])),
        (&author, "", json!([4, 3, 2, 1])),
        (&editor, "", json!([4, 3, 2, 1])),
        (&other, "", json!([2])),
        (&client, "?include=1,2,3,99", json!([2])),
        (&author, "?include=1,2,3,99", json!([3, 2, 1])),
        (&author, "?include=1&include=2", json!([2, 1])),
        (&client, "?slug=shown", json!([2])),
        (&client, "?slug=draft", json!([])),
        (&author, "?slug=Draft", json!([3])),
        (&author, "?slug=b_nk", json!([4])),
        (&author, "?slug=nk", json!([])),
        (&author, "?slug=%25", json!([])),
        (&author, "?slug=%00", json!([])),
        (&author, "?slug=01/bank", json!([])),
        (&author, "?slug=bank&include=2", json!([])),
        (&author, "?search=nosuchname", json!([])),
        (&author, "?search=Shown", json!([2])),
        (&client, "?search=draft", json!([])),
        (&author, "?per_page=3&page=2", json!([1])),
        (&author, "?per_page=3&page=3", json!([])),
    ];
    for_each_row(rows, async |(who, query, found)| {
        let list = who.get(&format!("/media{query}")).await;
        assert_eq!(json!(all(&list, "id")), found, "{query}");
    })
    .await;
    let list = author.get("/media?per_page=3&page=2").await;
    assert_eq!(totals(&list), ("4", "2"));
    assert_eq!(list.header("link"), format!("<{HOST}/media?per_page=3>; rel=\"prev\""));
    assert_eq!(totals(&author.get("/media?per_page=3&page=9").await), ("4", "2"));
    let strict = [("prefer", "handling=strict")];
    client.get_with("/media?slugs=bank", &strict).await.assert_invalid(&["slugs"]);
    client.get("/media/1").await.assert_error(404, "image-not-found");
    client.get("/media/x").await.assert_error(404, "rest_no_route");
    client.get("/media?include=x&page=0").await.assert_invalid(&["page", "include"]);
}

/// D-40: Events of all dates, venues and organizers in the form of the host, by the visibility of the calendar.
#[both_stores]
async fn entries(app: &TestApp) {
    let client = host(app).await;
    let past = json!({"title": "Old fair", "start_date": "2001-02-03 10:00", "end_date": "2001-02-03 12:00",
        "venue": {"venue": "Mill & Co"}, "organizer": {"organizer": "Green Hands"}});
    let made = app.admin().event(past).await;
    let draft = app.admin().event(json!({"title": "Plan", "status": "draft"})).await;
    let list = client.get("/tribe_events").await;
    assert_eq!(totals(&list), ("1", "1"));
    let one = &list.json()[0];
    let time = |name: &str| made[name].as_str().unwrap().replace(' ', "T");
    assert_eq!(
        *one,
        json!({"id": made["id"], "date": time("date"), "date_gmt": time("date_utc"),
        "modified": time("modified"), "modified_gmt": time("modified_utc"), "slug": "old-fair",
        "status": "publish", "link": made["url"], "title": {"rendered": "Old fair"}})
    );
    let path = format!("/tribe_events/{}", made["id"]);
    assert_eq!(client.get(&path).await.json(), *one);
    for (path, name) in [("/tribe_venue", "Mill & Co"), ("/tribe_organizer", "Green Hands")] {
        let list = client.get(path).await;
        assert_eq!(all(&list, "title"), [json!({"rendered": name})], "{path}");
        assert_eq!(
            all(&client.get(&format!("{path}?search=zzz")).await, "id"),
            Vec::<Value>::new()
        );
    }
    let hidden = format!("/tribe_events/{}", draft["id"]);
    client.get(&hidden).await.assert_error(403, "event-not-accessible");
    let editor = client.clone().with_token(app.token(2));
    assert_eq!(editor.get(&hidden).await.json()["status"], "draft");
    assert_eq!(all(&editor.get("/tribe_events?status=draft").await, "id"), [draft["id"].clone()]);
    assert_eq!(all(&client.get("/tribe_events?page=7").await, "id"), Vec::<Value>::new());
    client.get("/tribe_events/99").await.assert_error(404, "rest-event-not-found");
}

/// D-40: Addresses are read as the host reads them.
#[both_stores]
async fn spellings_of_addresses(app: &TestApp) {
    let client = mounted(app, &[TRIBE]).await;
    app.admin().event(json!({"tags": ["River", "Wind"]})).await;
    for path in [
        "//wp-json/tribe/events/v1/tags",
        "///wp-json//tribe/events/v1//tags/",
        "//index.php/wp-json/tribe/events/v1/tags",
        "//index.php?rest_route=/tribe/events/v1/tags",
        "//?rest_route=//tribe/events/v1/tags",
        "//wp-json/tribe/%65vents/v1/t%61gs",
    ] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert_eq!(answer.json()["total"], 2, "{path}");
    }
    let host = client.under("/wp-json/wp/v2");
    for (query, slugs) in
        [("slug=river", vec![json!("river")]), ("search=win", vec![json!("wind")])]
    {
        assert_eq!(all(&host.get(&format!("/tags?{query}")).await, "slug"), slugs, "{query}");
    }
}

/// D-16: Nothing else of the host is served, and nothing of it beside a root.
#[both_stores]
async fn nothing_else(app: &TestApp) {
    let client = mounted(app, &[TRIBE]).await;
    let rows = [
        "//wp-json/wp/v2",
        "//wp-json/wp/v2/posts",
        "//wp-json/wp/v2/users",
        "//wp/v2/tags",
        "//wp-json/wp/v2/users/1",
        "//wp-json/tribe/events/v1/wp/v2/tags",
    ];
    for_each_row(rows, async |path| client.get(path).await.assert_error(404, "rest_no_route"))
        .await;
    let asks = [("origin", "https://app.example"), ("access-control-request-method", "POST")];
    let answer = client.send_with(Method::OPTIONS, "//wp-json/wp/v2/tags", &asks, None).await;
    assert_eq!(answer.header("access-control-allow-origin"), "https://app.example");
    assert_eq!(answer.header("allow"), "GET");
}

/// D-40: Lists of every kind take slugs, as a list or by commas.
#[both_stores]
async fn lists_by_slugs(app: &TestApp) {
    let client = host(app).await;
    let fields = json!({"title": "Fair", "venue": {"venue": "Mill"}, "organizer": {"organizer": "Green Hands"},
        "tags": ["Wind", "River"], "categories": ["Nature"]});
    let event = id(&app.admin().event(fields).await);
    let other = json!({"title": "Concert", "start_date": "2001-02-03", "end_date": "2001-02-03"});
    let other = id(&app.admin().event(other).await);
    let draft =
        app.admin().event(json!({"title": "Plan", "slug": "plan", "status": "draft"})).await;
    let author = client.clone().with_token(app.token(3));
    for name in ["bank.png", "boat.png"] {
        upload(&author, name).await;
    }
    let ids = |answer: &Answer| all(answer, "id");
    for (path, slugs, found) in [
        ("/tribe_events", "fair", vec![event]),
        ("/tribe_events", "concert,fair,plan,none", vec![other, event]),
        ("/tribe_events", "none", vec![]),
        ("/tribe_venue", "mill", vec![1]),
        ("/tribe_organizer", "green-hands,mill", vec![1]),
        ("/tags", "wind,river", vec![2, 1]),
        ("/tags", "wind", vec![1]),
        ("/tribe_events_cat", "wind,nature", vec![1]),
        ("/media", "boat,bank", vec![2, 1]),
        ("/media", "boat,b", vec![2]),
        ("/media", "!", vec![]),
    ] {
        let brackets = slugs.replace(',', "&slug[]=");
        for query in [format!("slug={slugs}"), format!("slug[]={brackets}")] {
            let answer = author.get(&format!("{path}?{query}")).await;
            assert_eq!(json!(ids(&answer)), json!(found), "{path}?{query}");
            assert_eq!(totals(&answer).0, found.len().to_string(), "{path}?{query}");
        }
    }
    let editor = client.clone().with_token(app.token(2));
    assert_eq!(
        ids(&editor.get("/tribe_events?slug=plan&status=draft").await),
        [draft["id"].clone()]
    );
    author.get("/tags?slug=").await.assert_invalid(&["slug"]);
}
