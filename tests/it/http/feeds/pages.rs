//! The links of pages to calendar files and feeds.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
    client::Client,
};

use super::{
    super::html::{contains, page},
    file,
};

/// The path of a URL of the service, for a client.
fn path_of(url: &str) -> String {
    let path = url.strip_prefix(PUBLIC_URL);
    format!("/{}", path.unwrap_or_else(|| panic!("not here: {url}")))
}

/// The URL in a `link` element of a page.
fn link<'a>(html: &'a str, media_type: &str) -> Option<&'a str> {
    let mut elements = html.split("<link ").skip(1);
    let element = elements.find(|one| one.contains(&format!("type=\"{media_type}\"")))?;
    let (_, rest) = element.split_once("href=\"")?;
    Some(rest.split_once('"')?.0)
}

/// The titles in a calendar file of the interface.
async fn titles(client: &Client, url: &str) -> Vec<String> {
    let path = path_of(url);
    let path = path.strip_prefix("//cal/events/v1").unwrap_or(&path).to_owned();
    let file = file(client, &path).await;
    let mut titles: Vec<_> = file.titles().into_iter().map(str::to_owned).collect();
    titles.sort();
    titles
}

/// The page of each list names the feeds of its events, and of no others.
#[both_stores]
async fn lists_name_their_feeds(app: &TestApp) {
    let fair = json!({
        "title": "Fair", "venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Green Hands"},
        "categories": ["Rivers"], "tags": ["Loud"],
    });
    let fair = app.admin().event(fair).await;
    app.admin().event(json!({"title": "Walk"})).await;
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    let client = app.anonymous();
    let home = json!(format!("{PUBLIC_URL}/"));
    for (url, events) in [
        (&home, &["Fair", "Walk"][..]),
        (&fair["venue"]["url"], &["Fair"]),
        (&fair["organizer"][0]["url"], &["Fair"]),
        (&fair["categories"][0]["url"], &["Fair"]),
        (&fair["tags"][0]["url"], &["Fair"]),
    ] {
        let html = page(&client, &path_of(Value::as_str(url).unwrap())).await;
        let calendar = link(&html, "text/calendar").unwrap();
        assert_eq!(titles(&client, calendar).await, events, "{url}");
        let webcal = calendar.replace("https://", "webcal://").replace("http://", "webcal://");
        let visible = [
            format!("<a href=\"{webcal}\">In a calendar program</a>"),
            format!("<a href=\"{calendar}\" type=\"text/calendar\">Calendar file</a>"),
        ];
        contains(&html, &visible.each_ref().map(String::as_str));
        let atom = client.get(&path_of(link(&html, "application/atom+xml").unwrap())).await;
        assert!(atom.header("content-type").starts_with("application/atom+xml"), "{url}");
        let entries: Vec<_> = ["Fair", "Walk", "Draft"]
            .into_iter()
            .filter(|title| atom.text().contains(&format!(">{title}</title>")))
            .collect();
        assert_eq!(entries, events, "{url}");
    }
}

/// The page of an event names its file, in the language of the page.
#[both_stores]
async fn events_name_their_file(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let french = json!({"title": "Foire"});
    app.admin().send_json(Method::PUT, "//fr/cal/events/v1/events/1", &french).await;
    let client = app.anonymous();
    for (path, title, words) in [
        ("//event/fair/", "Fair", "Add to calendar"),
        ("//fr/event/foire/", "Foire", "Ajouter à l’agenda"),
        ("//ar/event/fair/", "Fair", "أضف إلى التقويم"),
    ] {
        let html = page(&client, path).await;
        let calendar = link(&html, "text/calendar").unwrap();
        let visible = [
            format!("<summary>{words}</summary>"),
            format!("<a href=\"{calendar}\" type=\"text/calendar\">"),
        ];
        contains(&html, &visible.each_ref().map(String::as_str));
        assert_eq!(link(&html, "application/atom+xml"), None);
        let text = client.get(&path_of(calendar)).await.text();
        assert!(
            text.contains(&format!(
                "SUMMARY;LANGUAGE={}:{title}",
                if title == "Foire" { "fr" } else { "en" }
            )),
            "{text}"
        );
    }
}

/// A page for an error names no file.
#[both_stores]
async fn errors_name_no_file(app: &TestApp) {
    app.admin().event(json!({"title": "Fair", "status": "draft", "slug": "fair"})).await;
    let answer = app.anonymous().get_with("//event/fair/", &[("accept", "text/html")]).await;
    assert_eq!(answer.status, 404);
    assert_eq!(link(&answer.text(), "text/calendar"), None);
}
