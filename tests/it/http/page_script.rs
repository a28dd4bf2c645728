//! The script of pages, which improves them.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::html::{contains, page};

/// The largest size of the script, in bytes.
const MAX_BYTES: usize = 10_000;

/// A page of each kind.
async fn paths(app: &TestApp) -> [&'static str; 12] {
    app.admin()
        .event(json!({
            "title": "Fair", "venue": {"venue": "Old Mill"}, "categories": ["Rivers"],
            "start_date": "2027-03-10 09:00", "end_date": "2027-03-10 12:00",
        }))
        .await;
    app.admin().event(json!({"title": "Weekly", "recurrence": "FREQ=WEEKLY"})).await;
    app.admin().event(json!({"title": "Wedding", "password": "open sesame"})).await;
    [
        "//",
        "//events/list/?search=nothing",
        "//events/past/",
        "//events/month/2027-03/",
        "//events/week/2027-03-08/",
        "//events/day/2027-03-10/",
        "//event/fair/",
        "//event/weekly/",
        "//event/wedding/",
        "//venue/old-mill/",
        "//events/category/rivers/",
        "//venues/",
    ]
}

/// Each page loads one script, a file of this service. No page has an inline script that runs, nor a handler in an
/// attribute, and the policy allows none.
#[both_stores]
async fn pages_load_one_script(app: &TestApp) {
    let mut files = Vec::new();
    for path in paths(app).await {
        let answer = app.anonymous().get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        let html = answer.text();
        let mut loaded = 0;
        for script in html.split("<script").skip(1) {
            let (attributes, rest) = script.split_once('>').unwrap();
            if let Some((_, rest)) = attributes.split_once(" src=\"") {
                loaded += 1;
                files.push(rest.split_once('"').unwrap().0.to_owned());
                assert!(rest.contains("\" defer") && script.contains("></script>"), "{script}");
            } else {
                assert_eq!(attributes, " type=\"application/ld+json\"", "{path}");
                assert!(!rest.split_once("</script>").unwrap().0.contains('<'), "{path}");
            }
        }
        assert_eq!(loaded, 1, "{path}");
        let tags = html.split('<').filter_map(|text| text.split_once('>'));
        for (tag, _) in tags {
            assert!(!tag.contains(" on") && !tag.contains(" style="), "{path}: {tag}");
        }
    }
    files.dedup();
    assert_eq!(files.len(), 1);
    let script = app.anonymous().get(&format!("/{}", files[0])).await;
    assert_eq!(
        (script.status, script.header("content-type")),
        (200, "text/javascript; charset=UTF-8")
    );
    assert!(script.header("cache-control").contains("immutable"));
    assert!(!script.bytes.is_empty() && script.bytes.len() <= MAX_BYTES, "{}", script.bytes.len());
}

/// The script finds its words and the links and fields that it improves, which work without it.
#[both_stores]
async fn pages_work_without_the_script(app: &TestApp) {
    for number in 1..=6 {
        let title = format!("Talk {number}");
        let talk = json!({"title": title, "start_date": "2027-03-10 09:00", "end_date": "2027-03-10 12:00"});
        app.admin().event(talk).await;
    }
    for (language, words) in [
        ("", ["Copy", "Copied.", "All events of the day", "Close"]),
        ("/fr", ["Copier", "Adresse copiée.", "Tous les événements du jour", "Fermer"]),
        ("/ar", ["نسخ", "نُسخ العنوان.", "كل فعاليات هذا اليوم", "إغلاق"]),
    ] {
        let html = page(&app.anonymous(), &format!("/{language}/events/month/2027-03/")).await;
        let [copy, copied, all, close] = words;
        let day = format!("https://cal.example{language}/events/day/2027-03-10/");
        contains(
            &html,
            &[
                &format!(
                    "data-copy=\"{copy}\" data-copied=\"{copied}\" data-all=\"{all}\" data-close=\"{close}\""
                ),
                &format!("<a class=\"more\" href=\"{day}\">"),
            ],
        );
        let html = page(&app.anonymous(), &format!("/{language}/events/list/")).await;
        contains(&html, &["<input type=\"text\" dir=\"ltr\" readonly value=\"https://cal.example"]);
        let html = page(&app.anonymous(), &format!("/{language}/events/day/2027-03-10/")).await;
        assert_eq!(html.matches("<ul class=\"events\">").count(), 1);
    }
}
