//! Former slugs: pages redirect from them, and the interface names the record's present address.

use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
    client::{Answer, Client},
};

use super::{
    languages::{KINDS, make, write},
    records::record,
};

/// The kinds with slugs that a client can choose.
const CHOSEN: [(&str, &str); 3] = [KINDS[0], KINDS[3], KINDS[4]];

/// The path of the page of a record of a collection, below the site.
fn page_of((collection, _): (&str, &str), slug: &str) -> String {
    let segment = match collection {
        "/events" => "event",
        "/venues" => "venue",
        "/organizers" => "organizer",
        "/categories" => "events/category",
        _ => "tag",
    };
    format!("{segment}/{slug}/")
}

/// The anonymous answer for the page of a slug; `language` is a segment such as `fr/`, or nothing.
async fn visit(app: &TestApp, kind: (&str, &str), language: &str, slug: &str) -> Answer {
    let path = format!("//{language}{}", page_of(kind, slug));
    app.anonymous().get(&path).await
}

/// Fails unless an answer redirects to the page of a slug.
#[track_caller]
fn leads_to(answer: &Answer, kind: (&str, &str), language: &str, slug: &str) {
    assert_eq!(answer.status, 301, "{}", answer.text());
    let page = format!("{PUBLIC_URL}/{language}{}", page_of(kind, slug));
    assert_eq!(answer.header("location"), page);
    assert_eq!(answer.header("cache-control"), "max-age=0");
}

/// Fails unless the interface answers 404, and names the present address of the record with this
/// former slug, if there is one.
#[track_caller]
fn is_absent(answer: &Answer, moved_to: &Value) {
    assert_eq!(answer.status, 404, "{}", answer.text());
    assert_eq!(answer.json()["data"]["status"], 404);
    assert_eq!(answer.json()["data"]["moved_to"], *moved_to, "{}", answer.text());
}

async fn by_slug(client: &Client, (collection, _): (&str, &str), slug: &str) -> Answer {
    client.get(&format!("{collection}/by-slug/{slug}")).await
}

/// Creates a published event with this slug; returns its path.
async fn event(app: &TestApp, slug: &str) -> String {
    let event = app.admin().event(json!({"title": "Event", "slug": slug})).await;
    format!("/events/{}", event["id"])
}

/// Creates the record `mill`, whose French translation `moulin` was cleared; returns its path.
async fn record_once_translated(app: &TestApp, kind: (&str, &str)) -> String {
    let (_, path) = make(app, kind, "en", "Mill").await;
    write(app, &path, "fr", json!({kind.1: "Moulin"})).await;
    write(app, &path, "fr", json!({kind.1: ""})).await;
    path
}

/// Gives a record another slug.
async fn rename(app: &TestApp, path: &str, slug: &str) -> Value {
    record(&app.admin().put(path, json!({"slug": slug})).await)
}

/// D-21: The page under a slug that a published record gave up redirects to the present page of the
/// record, through however many changes, and keeps the language of the path.
#[both_stores]
async fn pages_redirect_to_the_present_address(app: &TestApp) {
    for kind in CHOSEN {
        let (_, path) = make(app, kind, "en", "First").await;
        for slug in ["second", "third"] {
            rename(app, &path, slug).await;
            for former in ["first", "second"].into_iter().filter(|former| *former != slug) {
                for language in ["", "en/", "fr/"] {
                    let answer = visit(app, kind, language, former).await;
                    leads_to(&answer, kind, language, slug);
                }
            }
            assert_eq!(visit(app, kind, "", slug).await.status, 200);
        }
        // Letter case has no effect, as with present slugs.
        leads_to(&visit(app, kind, "", "FIRST").await, kind, "", "third");
    }
}

/// D-21: A page without a language in its path redirects to the slug in the language that the former
/// slug was in.
#[both_stores]
async fn a_redirect_keeps_the_language_of_the_slug(app: &TestApp) {
    for kind in CHOSEN {
        let (_, path) = make(app, kind, "en", "Music").await;
        write(app, &path, "fr", json!({kind.1: "Musique"})).await;
        write(app, &path, "fr", json!({"slug": "son"})).await;
        leads_to(&visit(app, kind, "", "musique").await, kind, "", "son");
        leads_to(&visit(app, kind, "fr/", "musique").await, kind, "fr/", "son");
        leads_to(&visit(app, kind, "en/", "musique").await, kind, "en/", "music");
    }
}

/// D-21: The page of a category below another redirects to the page at its present path.
#[both_stores]
async fn the_page_of_a_child_redirects(app: &TestApp) {
    let parent = app.admin().make("/categories", json!({"name": "Music"})).await;
    let fields = json!({"name": "Jazz", "parent": parent["id"]});
    let child = app.admin().make("/categories", fields).await;
    rename(app, &format!("/categories/{}", child["id"]), "blues").await;
    let answer = app.anonymous().get("//events/category/music/jazz/").await;
    leads_to(&answer, KINDS[3], "", "music/blues");
}

/// D-21: The slug of a translation that was cleared becomes a former slug: of venues and organizers,
/// too.
#[both_stores]
async fn a_cleared_translation_leaves_its_slug(app: &TestApp) {
    for kind in KINDS {
        record_once_translated(app, kind).await;
        leads_to(&visit(app, kind, "", "moulin").await, kind, "", "mill");
        leads_to(&visit(app, kind, "fr/", "moulin").await, kind, "fr/", "mill");
    }
}

/// D-21: A former slug is 404 with every method, and the error names the present address of the
/// record; in problem details, too.
#[both_stores]
async fn the_interface_tells_where_the_record_is(app: &TestApp) {
    // Categories and tags have no such route.
    let codes = ["rest-event-not-found", "venue-not-found", "organizer-not-found"];
    for (kind, code) in KINDS.into_iter().zip(codes) {
        let (collection, _) = kind;
        let path = record_once_translated(app, kind).await;
        let to = |mount: &str| json!(format!("{PUBLIC_URL}{mount}{path}"));
        let api = "/cal/events/v1";
        let moulin = format!("{collection}/by-slug/moulin");
        for answer in [
            app.anonymous().get(&moulin).await,
            app.admin().put(&moulin, json!({"description": "x"})).await,
            app.admin().delete(&moulin).await,
        ] {
            is_absent(&answer, &to(api));
            assert_eq!(answer.code(), code);
            assert!(answer.json()["message"].as_str().unwrap().contains(to(api).as_str().unwrap()));
        }
        let mounted = app.anonymous().get(&format!("//fr{api}{moulin}")).await;
        is_absent(&mounted, &to(&format!("/fr{api}")));
        let problem = ("accept", "application/problem+json");
        let problem = app.anonymous().get_with(&moulin, &[problem]).await;
        assert_eq!((problem.status, &problem.json()["moved_to"]), (404, &to(api)));
        is_absent(&by_slug(&app.anonymous(), kind, "mill-2").await, &Value::Null);
    }
}

/// D-21: Importers create on 404: the new record takes the slug, and its page is shown.
#[both_stores]
async fn a_present_slug_beats_a_former_one(app: &TestApp) {
    let first = event(app, "fair").await;
    rename(app, &first, "market").await;
    let (kind, anonymous) = (KINDS[0], app.anonymous());
    leads_to(&visit(app, kind, "", "fair").await, kind, "", "market");
    let second = event(app, "fair").await;
    assert_eq!(visit(app, kind, "", "fair").await.status, 200);
    let found = record(&by_slug(&anonymous, kind, "fair").await);
    assert_eq!(format!("/events/{}", found["id"]), second);
    // An unreadable record hides the former slug too.
    app.admin().put(&second, json!({"status": "draft"})).await;
    assert_eq!(visit(app, kind, "", "fair").await.status, 410);
    by_slug(&anonymous, kind, "fair").await.assert_error(403, "event-not-accessible");
    // After its deletion, the former slug leads to the first record again.
    assert_eq!(app.admin().delete(&format!("{second}?force=true")).await.status, 200);
    leads_to(&visit(app, kind, "", "fair").await, kind, "", "market");
}

/// D-21: A former slug of several records leads to the last one; once that is deleted for good, it leads
/// nowhere.
#[both_stores]
async fn the_last_that_left_a_slug_counts(app: &TestApp) {
    let kind = KINDS[0];
    let first = event(app, "fair").await;
    rename(app, &first, "market").await;
    let second = event(app, "fair").await;
    rename(app, &second, "bazaar").await;
    leads_to(&visit(app, kind, "", "fair").await, kind, "", "bazaar");
    let present = json!(format!("{PUBLIC_URL}/cal/events/v1{second}"));
    is_absent(&by_slug(&app.anonymous(), kind, "fair").await, &present);
    // A record that takes its slug back and gives it up again is the last one.
    rename(app, &first, "fair").await;
    assert_eq!(visit(app, kind, "", "fair").await.status, 200);
    rename(app, &first, "market").await;
    leads_to(&visit(app, kind, "", "fair").await, kind, "", "market");
    assert_eq!(app.admin().delete(&format!("{first}?force=true")).await.status, 200);
    assert_eq!(visit(app, kind, "", "fair").await.status, 404);
    is_absent(&by_slug(&app.admin(), kind, "fair").await, &Value::Null);
    is_absent(&by_slug(&app.admin(), kind, "market").await, &Value::Null);
}

/// D-21: The former slugs of a deleted term are deleted; those of another kind stay.
#[both_stores]
async fn former_slugs_are_of_one_kind(app: &TestApp) {
    for kind in CHOSEN {
        let (_, path) = make(app, kind, "en", "Loud").await;
        rename(app, &path, "noisy").await;
    }
    assert_eq!(app.admin().delete("/categories/1").await.status, 200);
    assert_eq!(visit(app, KINDS[3], "", "loud").await.status, 404);
    leads_to(&visit(app, KINDS[4], "", "loud").await, KINDS[4], "", "noisy");
    leads_to(&visit(app, KINDS[0], "", "loud").await, KINDS[0], "", "noisy");
}

/// D-21: A slug that was never public leads nowhere: of a draft, of a private and of a scheduled event.
#[both_stores]
async fn slugs_of_unpublished_events_lead_nowhere(app: &TestApp) {
    for (number, status) in ["draft", "pending", "private", "future"].into_iter().enumerate() {
        let slug = format!("old-{number}");
        let date = if status == "future" { "2039-01-01 00:00:00" } else { "2020-01-01 00:00:00" };
        let fields = json!({"title": "Event", "slug": slug, "status": status, "date": date});
        let made = app.admin().event(fields).await;
        assert_eq!(made["status"], status);
        let path = format!("/events/{}", made["id"]);
        rename(app, &path, &format!("new-{number}")).await;
        let fields = json!({"status": "publish", "date": "2020-01-01 00:00:00"});
        assert_eq!(record(&app.admin().put(&path, fields).await)["status"], "publish");
        assert_eq!(visit(app, KINDS[0], "", &slug).await.status, 404, "{status}");
        is_absent(&by_slug(&app.admin(), KINDS[0], &slug).await, &Value::Null);
    }
}

/// D-21: A record in the trash gives up no slug, and neither its present nor its former slugs lead
/// to it, for any caller; restored, it is found by both.
#[both_stores]
async fn the_trash_leads_nowhere(app: &TestApp) {
    for kind in &KINDS[..3] {
        let path = record_once_translated(app, *kind).await;
        assert_eq!(app.admin().delete(&path).await.status, 200);
        for slug in ["mill", "moulin"] {
            // The page of an event says at its present slug that it was withdrawn.
            let is_told = *kind == KINDS[0] && slug == "mill";
            let status = if is_told { 410 } else { 404 };
            assert_eq!(visit(app, *kind, "", slug).await.status, status, "{slug}");
            is_absent(&by_slug(&app.anonymous(), *kind, slug).await, &Value::Null);
            is_absent(&by_slug(&app.admin(), *kind, slug).await, &Value::Null);
        }
        record(&app.admin().put(&path, json!({"status": "publish"})).await);
        assert_eq!(visit(app, *kind, "", "mill").await.status, 200);
        leads_to(&visit(app, *kind, "", "moulin").await, *kind, "", "mill");
    }
}

/// D-21: A former slug names its record only to users who may read it.
#[both_stores]
async fn former_slugs_of_unreadable_records_are_hidden(app: &TestApp) {
    let kind = KINDS[0];
    let path = event(app, "fair").await;
    rename(app, &path, "market").await;
    let to = json!(format!("{PUBLIC_URL}/cal/events/v1{path}"));
    record(&app.admin().put(&path, json!({"status": "private"})).await);
    assert_eq!(visit(app, kind, "", "fair").await.status, 404);
    for client in [app.anonymous(), app.subscriber(), app.author()] {
        is_absent(&by_slug(&client, kind, "fair").await, &Value::Null);
    }
    is_absent(&by_slug(&app.editor(), kind, "fair").await, &to);
    // A locked event has a public page, to which the former address redirects.
    record(&app.admin().put(&path, json!({"status": "publish", "password": "sesame"})).await);
    is_absent(&by_slug(&app.anonymous(), kind, "fair").await, &Value::Null);
    is_absent(&by_slug(&app.anonymous(), kind, "fair?password=wrong").await, &Value::Null);
    is_absent(&by_slug(&app.anonymous(), kind, "fair?password=sesame").await, &to);
    leads_to(&visit(app, kind, "", "fair").await, kind, "", "market");
}

/// D-21: A write that is refused gives up nothing.
#[both_stores]
async fn a_refused_write_gives_up_nothing(app: &TestApp) {
    let kind = KINDS[0];
    let path = event(app, "fair").await;
    let refused = json!({"slug": "market", "venue": 99});
    app.admin().put(&path, refused).await.assert_invalid(&["venue"]);
    app.anonymous().put(&path, json!({"slug": "market"})).await.assert_error(401, "rest_forbidden");
    assert_eq!(visit(app, kind, "", "fair").await.status, 200);
    assert_eq!(visit(app, kind, "", "market").await.status, 404);
}
