//! The first walk, and the parameters.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, id},
};

use super::{Copy, items, page, path_of};

/// Y-01: the walk of an empty calendar is `[]` with a token.
#[both_stores]
async fn an_empty_calendar(app: &TestApp) {
    let answer = page(&app.anonymous(), "").await;
    assert_eq!(answer["changes"], json!([]));
    assert!(answer["sync_token"].as_str().unwrap().len() <= 80);
    assert_eq!(answer["rest_url"], "https://cal.example/cal/events/v1/changes");
    assert!(answer["next_rest_url"].is_null());
}

/// Y-02: 250 records on pages of 100 are three pages. The last one alone has a token.
#[both_stores]
async fn a_walk_has_pages(app: &TestApp) {
    let rows: Vec<_> = (0..250).map(|number| format!("row {number}")).collect();
    for names in rows.chunks(50) {
        app.admin().event(json!({ "tags": names })).await;
    }
    let mut answer = page(&app.anonymous(), "kinds=tag").await;
    let mut pages = Vec::new();
    let mut seen = Vec::new();
    while !answer["next_rest_url"].is_null() {
        assert!(answer["sync_token"].is_null());
        pages.push(items(&answer).len());
        seen.extend(items(&answer));
        answer = app.anonymous().get(&path_of(&answer["next_rest_url"])).await.json();
    }
    pages.push(items(&answer).len());
    seen.extend(items(&answer));
    assert_eq!(pages, [100, 100, 50]);
    assert!(answer["sync_token"].is_string());
    let expected: Vec<_> = (1..=250).map(|id| format!("upsert tag {id}")).collect();
    assert_eq!(seen, expected);
}

/// The IDs of all records of a kind that a client lists.
async fn listed(client: &Client, plural: &str) -> Vec<i64> {
    let query = match plural {
        "events" => {
            "?per_page=100&start_date=2000-01-01&end_date=2100-01-01&status=any&series=occurrences"
        }
        "venues" | "organizers" => "?per_page=100&status=any",
        _ => "?per_page=100&hide_empty=false",
    };
    let list = client.get(&format!("/{plural}{query}")).await.json();
    let mut ids: Vec<_> = list[plural].as_array().unwrap().iter().map(id).collect();
    ids.sort_unstable();
    ids
}

/// Y-03: a walk holds what the lists of its caller hold, each record once.
#[both_stores]
async fn a_walk_is_the_union_of_lists(app: &TestApp) {
    let statuses = ["publish", "draft", "pending", "private", "future"];
    for user in [1, 3, 4] {
        for status in statuses {
            let date =
                if status == "future" { "2027-06-01 00:00:00" } else { "2026-06-01 00:00:00" };
            let author = json!({"status": status, "date": date, "author": user});
            let fields = |name: &str| {
                let mut fields = author.clone();
                fields[name] = json!(format!("{status} of {user}"));
                fields
            };
            app.admin().event(fields("title")).await;
            app.admin().make("/venues", fields("venue")).await;
            app.admin().make("/organizers", fields("organizer")).await;
        }
    }
    let trashed = app.admin().event(json!({"tags": ["Loud"], "categories": ["Music"]})).await;
    app.admin().delete(&format!("/events/{}", id(&trashed))).await;
    let clients =
        [app.anonymous(), app.subscriber(), app.contributor(), app.author(), app.editor()];
    for client in clients {
        let walk = Copy::with(client.clone(), "per_page=7").await;
        for (kind, plural) in [
            ("event", "events"),
            ("venue", "venues"),
            ("organizer", "organizers"),
            ("category", "categories"),
            ("tag", "tags"),
        ] {
            let of_kind = walk.records.keys().filter(|(of, _)| of == kind);
            let ids: Vec<_> = of_kind.map(|(_, id)| *id).collect();
            assert_eq!(ids, listed(&client, plural).await, "{kind}");
        }
    }
}

/// Y-04: `per_page` is a whole number from 1 on; more than 500 are 500, as `rest_url` says.
/// Y-05: `kinds` are names of kinds, the same as in the token.
/// Y-06: filters of lists are refused.
#[both_stores]
async fn parameters_are_checked(app: &TestApp) {
    let anonymous = app.anonymous();
    anonymous.refuses("/changes", "per_page", &["=0", "=abc", "="]).await;
    let answer = page(&anonymous, "per_page=1000").await;
    assert_eq!(answer["rest_url"], "https://cal.example/cal/events/v1/changes?per_page=500");

    anonymous.refuses("/changes", "kinds", &["=zz", "=event,zz", "="]).await;
    app.admin().event(json!({"venue": {"venue": "Old Mill"}, "tags": ["Loud"]})).await;
    let some = page(&anonymous, "kinds=event,venue").await;
    assert_eq!(items(&some), ["upsert venue 1", "upsert event 1"]);
    let token = some["sync_token"].as_str().unwrap();
    for kinds in ["kinds=venue,event&", "kinds[]=event&kinds[]=venue&", ""] {
        page(&anonymous, &format!("{kinds}sync_token={token}")).await;
    }
    let other = anonymous.get(&format!("/changes?kinds=event&sync_token={token}")).await;
    other.assert_invalid(&["kinds"]);

    for name in ["categories", "search", "status", "start_date", "include", "page", "post"] {
        anonymous.refuses("/changes", name, &["=3"]).await;
    }
    anonymous.refuses("/changes", "records", &["=maybe"]).await;
    anonymous.refuses("/changes", "texts", &["=fr"]).await;
    anonymous.refuses("/changes", "ml_language", &["=de"]).await;
    anonymous.refuses("/changes", "wait", &["=1", "=51", "=-1", "=soon"]).await;
}

/// Y-44: the next page is under the same language and the same mount, and keeps the parameters.
#[both_stores]
async fn the_next_page_keeps_path_and_parameters(app: &TestApp) {
    app.admin().event(json!({"tags": ["One", "Two"]})).await;
    let french = app.anonymous().under("/fr/cal/events/v1");
    let answer = page(&french, "per_page=1&records=0").await;
    let next = answer["next_rest_url"].as_str().unwrap();
    let start = "https://cal.example/fr/cal/events/v1/changes?per_page=1&records=0&page_token=";
    assert!(next.starts_with(start), "{next}");
    let second: Value = french.get(&path_of(&answer["next_rest_url"])).await.json();
    assert_eq!(items(&second), ["upsert tag 2"]);
    assert!(second["next_rest_url"].as_str().unwrap().starts_with(start));
}
