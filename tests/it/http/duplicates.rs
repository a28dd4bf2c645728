//! Pairs of records that look alike: their list, their merges, and the undoing of these.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
    client::Client,
};

fn jazz(title: &str) -> Value {
    json!({
        "title": title,
        "start_date": "2027-03-09 19:00:00",
        "end_date": "2027-03-09 21:00:00",
        "timezone": "Europe/Paris",
        "venue": {"venue": "Old Mill", "city": "Lyon"},
    })
}

async fn pairs(app: &TestApp, query: &str) -> Vec<Value> {
    app.calendar.find_duplicates().await.unwrap();
    let list = app.editor().get(&format!("/duplicates?{query}")).await.json();
    let pairs = list["duplicates"].as_array().unwrap().clone();
    assert_eq!(list["total"], pairs.len());
    pairs
}

/// Two events that look alike, and their pair.
async fn two(app: &TestApp) -> ([Value; 2], Value) {
    let mut second = jazz("Night of jazz in Lyon");
    second["website"] = "https://club.example/".into();
    second["description"] = "Loud.".into();
    let events = [app.admin().event(jazz("Jazz night")).await, app.author().event(second).await];
    let pair = pairs(app, "").await.remove(0);
    (events, pair)
}

async fn merge(client: &Client, pair: &Value, body: Value) -> Value {
    let answer = client.post(&format!("/duplicates/{}/merge", pair["id"]), body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn without_times(mut record: Value) -> Value {
    for name in ["modified", "modified_utc"] {
        record.as_object_mut().unwrap().remove(name);
    }
    record
}

/// A pair has its records, its score and its reasons, and is found again when a record changes.
#[both_stores]
async fn pairs_are_listed(app: &TestApp) {
    let ([first, second], pair) = two(app).await;
    assert_eq!(pair["kind"], "event");
    assert_eq!(pair["records"][0]["id"], first["id"]);
    assert_eq!(pair["records"][1]["title"], second["title"]);
    assert_eq!(pair["records"][1]["rest_url"], second["rest_url"]);
    assert!((70..=100).contains(&pair["score"].as_u64().unwrap()), "{pair}");
    assert_eq!(pair["reasons"], json!(["title_part", "time", "venue"]), "{pair}");
    assert_eq!(pair["state"], "open");
    assert_eq!(pairs(app, "state=open&kind=event").await, std::slice::from_ref(&pair));
    assert_eq!(pairs(app, "state=merged").await, Vec::<Value>::new());
    assert_eq!(pairs(app, "kind=venue").await, Vec::<Value>::new());

    let path = format!("/events/{}", second["id"]);
    app.editor()
        .change(&path, json!({"start_date": "2027-03-09 20:00", "end_date": "2027-03-09 22:00"}))
        .await;
    let again = pairs(app, "").await.remove(0);
    assert_eq!(again["reasons"], json!(["title_part", "day", "venue"]));
    assert_ne!(again["id"], pair["id"], "nobody decides about what they did not see");
    app.editor().change(&path, json!({"title": "Concert"})).await;
    assert_eq!(pairs(app, "").await, Vec::<Value>::new());
    for query in ["state=closed", "kind=tag", "kind=events", "page=0"] {
        assert_eq!(app.editor().get(&format!("/duplicates?{query}")).await.status, 400, "{query}");
    }
}

/// The merged event stands under the address of the one that stayed; the other address leads on.
#[both_stores]
async fn a_merged_event_has_one_address(app: &TestApp) {
    let ([first, second], pair) = two(app).await;
    let token = app.anonymous().get("/changes").await.json()["sync_token"].clone();
    let token = token.as_str().unwrap().to_owned();
    let merged = merge(&app.editor(), &pair, json!({"keep": first["id"]})).await;
    assert_eq!((&merged["state"], &merged["kept"]), (&json!("merged"), &first["id"]));

    let kept = app.anonymous().get(&format!("/events/{}", first["id"])).await.json();
    assert_eq!(kept["title"], "Jazz night");
    assert_eq!(kept["website"], "https://club.example/", "what was blank is filled");
    assert!(kept["description"].as_str().unwrap().contains("Loud"));
    let slug = second["slug"].as_str().unwrap();
    for path in [format!("/events/{}", second["id"]), format!("/events/by-slug/{slug}")] {
        for client in [app.anonymous(), app.editor()] {
            let answer = client.get(&path).await;
            assert_eq!(answer.status, 404, "{path} {}", answer.text());
            assert_eq!(answer.json()["data"]["moved_to"], first["rest_url"], "{path}");
        }
        let answer = app.editor().post(&path, json!({"title": "x"})).await;
        assert_eq!(answer.status, 404, "{}", answer.text());
    }
    for path in [format!("//event/{slug}/"), format!("//?p={}", second["id"])] {
        let answer = app.anonymous().get(&path).await;
        assert_eq!(answer.status, 301, "{path} {}", answer.text());
        let page = format!("{PUBLIC_URL}/event/{}/", first["slug"].as_str().unwrap());
        assert_eq!(answer.header("location"), page);
    }
    assert_eq!(app.list("start_date=2027-01-01").await, [first["id"].as_i64().unwrap()]);
    let trash = app.editor().get("/events?status=trash").await.json();
    assert_eq!(trash["total"], 0, "{trash}");

    // Feeds and mirrors learn that the other one is gone.
    let file = app.anonymous().get("/events.ics?start_date=2027-01-01").await.text();
    assert_eq!(file.matches("BEGIN:VEVENT").count(), 2, "{file}");
    assert_eq!(file.matches("STATUS:CANCELLED").count(), 1, "{file}");
    let changes = app.anonymous().get(&format!("/changes?sync_token={token}")).await.json();
    let action = |id: &Value| {
        let changes = changes["changes"].as_array().unwrap();
        changes.iter().find(|one| one["id"] == *id).map(|one| one["action"].clone())
    };
    assert_eq!(action(&second["id"]), Some(json!("remove")), "{changes}");
    assert_eq!(action(&first["id"]), Some(json!("upsert")), "{changes}");
}

/// Only readers of the record that stayed learn its address.
#[both_stores]
async fn an_address_leads_only_readers_on(app: &TestApp) {
    let mut first = jazz("Canary night");
    first["status"] = "draft".into();
    let mut second = jazz("Canary night");
    second["status"] = "draft".into();
    let first = app.editor().event(first).await;
    let second = app.author().event(second).await;
    let pair = pairs(app, "").await.remove(0);
    merge(&app.editor(), &pair, json!({"keep": first["id"]})).await;
    let path = format!("/events/{}", second["id"]);
    let moved = |answer: &tests::client::Answer| answer.json()["data"]["moved_to"].clone();
    assert_eq!(moved(&app.editor().get(&path).await), first["rest_url"]);
    for client in [app.anonymous(), app.author()] {
        let answer = client.get(&path).await;
        assert_eq!((answer.status, moved(&answer)), (404, Value::Null), "{}", answer.text());
        assert!(!answer.text().contains("Canary"));
    }
}

/// Fields come from the record that the request names.
#[both_stores]
async fn fields_are_chosen(app: &TestApp) {
    let ([first, second], pair) = two(app).await;
    let path = format!("/duplicates/{}/merge", pair["id"]);
    for (body, status, named) in [
        (json!({}), 400, "keep"),
        (json!({"keep": 99}), 400, "keep"),
        (json!({"keep": "x"}), 400, "keep"),
        (json!({"keep": first["id"], "fields": 1}), 400, "fields"),
        (json!({"keep": first["id"], "fields": {"title": 99}}), 400, "fields"),
        (json!({"keep": first["id"], "fields": {"title": "x"}}), 400, "fields"),
        (json!({"keep": first["id"], "fields": {"status": second["id"]}}), 400, "fields"),
        (json!({"keep": first["id"], "fields": {"nothing": second["id"]}}), 400, "fields"),
        (
            json!({"keep": first["id"], "fields": {"start_date": first["id"], "end_date": second["id"]}}),
            400,
            "fields",
        ),
    ] {
        let answer = app.editor().post(&path, body.clone()).await;
        assert_eq!(answer.status, status, "{body} {}", answer.text());
        assert!(answer.text().contains(named), "{body} {}", answer.text());
    }
    let fields = json!({"title": second["id"], "website": first["id"]});
    merge(&app.editor(), &pair, json!({"keep": first["id"], "fields": fields})).await;
    let kept = app.editor().get(&format!("/events/{}", first["id"])).await.json();
    assert_eq!(kept["title"], second["title"]);
    assert_eq!(kept["website"], first["website"]);
    assert_eq!(kept["author"], first["author"]);
    assert_eq!(kept["slug"], first["slug"]);
}

/// A public record is not hidden by a merge, and a draft gives only what is named.
#[both_stores]
async fn drafts_and_public_records(app: &TestApp) {
    let first = app.admin().event(jazz("Jazz night")).await;
    let mut second = jazz("Jazz night");
    second["status"] = "draft".into();
    second["excerpt"] = "Secret".into();
    second["website"] = "https://draft.example/".into();
    let second = app.author().event(second).await;
    let pair = pairs(app, "").await.remove(0);
    let path = format!("/duplicates/{}/merge", pair["id"]);
    let refused = app.editor().post(&path, json!({"keep": second["id"]})).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert!(refused.json()["data"]["params"]["keep"].is_string(), "{}", refused.text());
    let fields = json!({"website": second["id"]});
    merge(&app.editor(), &pair, json!({"keep": first["id"], "fields": fields})).await;
    let kept = app.anonymous().get(&format!("/events/{}", first["id"])).await.json();
    assert_eq!(
        (&kept["excerpt"], &kept["website"]),
        (&json!(""), &json!("https://draft.example/"))
    );
}

/// A merge undone at once leaves every record as it was.
#[both_stores]
async fn a_merge_is_undone(app: &TestApp) {
    let ([first, second], pair) = two(app).await;
    let parts = json!({"title": "First set", "parent": second["id"], "start_date": "2027-03-09 19:00",
        "end_date": "2027-03-09 20:00", "timezone": "Europe/Paris"});
    let part = app.admin().event(parts).await;
    app.calendar.find_duplicates().await.unwrap();
    let read = async |record: &Value| {
        let answer = app.admin().get(&format!("/events/{}", record["id"])).await;
        without_times(answer.json())
    };
    let before = [read(&first).await, read(&second).await, read(&part).await];
    for keep in [&first, &second] {
        let other = if keep == &first { &second } else { &first };
        let fields =
            json!({"title": other["id"], "description": other["id"], "venue": other["id"]});
        let body = json!({"keep": keep["id"], "fields": fields});
        let pair = pairs(app, "state=open").await.remove(0);
        merge(&app.editor(), &pair, body).await;
        assert_eq!(read(&part).await["parent"], keep["id"]);
        let undo = format!("/duplicates/{}/undo", pair["id"]);
        let undone = app.editor().post(&undo, json!({})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert_eq!(undone.json()["stayed"], json!([]));
        let after = [read(&first).await, read(&second).await, read(&part).await];
        assert_eq!(after, before);
        assert_eq!(app.editor().post(&undo, json!({})).await.status, 409);
    }
    let file = app.anonymous().get("/events.ics?start_date=2027-01-01").await.text();
    assert!(!file.contains("STATUS:CANCELLED"), "{file}");
    assert_eq!(pair["kind"], "event");
}

/// A field that somebody changed since the merge stays, and is named.
#[both_stores]
async fn changed_fields_stay(app: &TestApp) {
    let ([first, second], pair) = two(app).await;
    let fields = json!({"title": second["id"], "website": second["id"]});
    merge(&app.editor(), &pair, json!({"keep": first["id"], "fields": fields})).await;
    let path = format!("/events/{}", first["id"]);
    app.editor().change(&path, json!({"title": "Ours"})).await;
    let undone = app.editor().post(&format!("/duplicates/{}/undo", pair["id"]), json!({})).await;
    assert_eq!(undone.json()["stayed"], json!(["title"]), "{}", undone.text());
    let kept = app.editor().get(&path).await.json();
    assert_eq!((&kept["title"], &kept["website"]), (&json!("Ours"), &first["website"]));
    let other = app.editor().get(&format!("/events/{}", second["id"])).await.json();
    assert_eq!((&other["title"], &other["slug"]), (&second["title"], &second["slug"]));
}

/// A pair is refused if it changed since it was listed, is in the trash, is closed, or is too old.
#[both_stores]
async fn late_decisions_are_refused(app: &TestApp) {
    let ([first, second], pair) = two(app).await;
    let order = async |pair: &Value, order: &str| {
        let path = format!("/duplicates/{}/{order}", pair["id"]);
        let body = if order == "merge" { json!({"keep": first["id"]}) } else { json!({}) };
        let answer = app.editor().post(&path, body).await;
        (answer.status, answer.json()["code"].clone())
    };
    let changed = (409, json!("duplicate-changed"));
    assert_eq!(order(&json!({"id": 99}), "merge").await, (404, json!("duplicate-not-found")));
    assert_eq!(order(&pair, "undo").await, changed);

    let path = format!("/events/{}", second["id"]);
    app.editor().change(&path, json!({"excerpt": "New"})).await;
    assert_eq!(order(&pair, "merge").await, changed);
    let again = pairs(app, "").await.remove(0);
    assert_eq!(order(&pair, "merge").await, changed, "the former pair");

    assert_eq!(app.editor().delete(&path).await.status, 200);
    assert_eq!(order(&again, "merge").await, changed);
    app.editor().change(&path, json!({"status": "publish"})).await;
    let again = pairs(app, "").await.remove(0);
    assert_eq!(order(&again, "dismiss").await.0, 200);
    for name in ["merge", "dismiss", "undo"] {
        assert_eq!(order(&again, name).await, changed, "{name}");
    }
    // A dismissed pair is not reported again.
    app.editor().change(&path, json!({"excerpt": "Newer"})).await;
    let dismissed = pairs(app, "").await.remove(0);
    assert_eq!((&dismissed["id"], &dismissed["state"]), (&again["id"], &json!("dismissed")));
    // It is, once it looks more alike.
    app.editor().change(&path, json!({"title": "Jazz night"})).await;
    let again = pairs(app, "").await.remove(0);
    assert_eq!(again["state"], "open");
    assert_eq!(order(&again, "merge").await.0, 200);
    app.clock.advance_seconds(30 * 86_400 + 1);
    assert_eq!(order(&again, "undo").await, changed);
}

/// Venues and organizers are merged, and their events go with them.
#[both_stores]
async fn places_are_merged(app: &TestApp) {
    for (collection, name, kind) in
        [("/venues", "venue", "venue"), ("/organizers", "organizer", "organizer")]
    {
        let place = json!({name: "Old Mill", "city": "Lyon", "email": "hello@mill.example"});
        let first = app.admin().make(collection, place).await;
        let twin = json!({name: "The old mill", "city": "Lyon", "email": "hello@mill.example", "phone": "12"});
        let second = app.admin().make(collection, twin).await;
        let event = json!({"title": format!("Fair {kind}"), name: second["id"]});
        let event = app.admin().event(event).await;
        let series = json!({"title": format!("Yoga {kind}"), name: second["id"], "start_date": "2027-05-01 09:00",
            "end_date": "2027-05-01 10:00", "recurrence": "FREQ=DAILY;COUNT=3"});
        let series = app.admin().event(series).await;
        let query = format!("state=open&kind={kind}");
        let pair = pairs(app, &query).await.remove(0);
        let read = async |path: String| without_times(app.admin().get(&path).await.json());
        let paths = [
            format!("{collection}/{}", first["id"]),
            format!("{collection}/{}", second["id"]),
            format!("/events/{}", event["id"]),
            format!("/events/{}", series["id"]),
        ];
        let mut before = Vec::new();
        for path in &paths {
            before.push(read(path.clone()).await);
        }
        merge(&app.editor(), &pair, json!({"keep": first["id"]})).await;
        let kept = read(paths[0].clone()).await;
        assert_eq!(kept["phone"], "12");
        let moved = app.anonymous().get(&paths[1]).await;
        let address = format!("{PUBLIC_URL}/cal/events/v1{}", paths[0]);
        assert_eq!(moved.json()["data"]["moved_to"], address, "{}", moved.text());
        let trash = app.editor().get(&format!("{collection}?status=trash")).await.json();
        assert_eq!(trash["total"], 0, "{trash}");
        let list = format!("{kind}={}&start_date=2027-01-01", first["id"]);
        assert_eq!(app.list(&list).await.len(), 4, "the event and three dates");
        let undone =
            app.editor().post(&format!("/duplicates/{}/undo", pair["id"]), json!({})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        for (path, before) in paths.iter().zip(before) {
            let mut after = read(path.clone()).await;
            let mut before = before;
            for record in [&mut after, &mut before] {
                // Records within the record have their own times.
                for name in ["venue", "organizer", "json_ld"] {
                    if record[name].is_object() || record[name].is_array() {
                        record[name] = record[name]
                            .pointer("/id")
                            .or(record[name].pointer("/0/id"))
                            .cloned()
                            .into();
                    }
                }
            }
            assert_eq!(after, before, "{path}");
        }
    }
}

fn calendar_file(events: &[(&str, &str, &str)]) -> String {
    let event = |(uid, summary, text): &(&str, &str, &str)| {
        format!(
            "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270309T190000Z\r\n\
             DTEND:20270309T210000Z\r\nSUMMARY:{summary}\r\nDESCRIPTION:{text}\r\nLOCATION:Old Mill\r\n\
             END:VEVENT\r\n"
        )
    };
    let events: String = events.iter().map(event).collect();
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n{events}END:VCALENDAR\r\n")
}

async fn import(app: &TestApp, query: &str, events: &[(&str, &str, &str)]) -> Value {
    let body = Some(("text/calendar", calendar_file(events).into_bytes()));
    let answer = app.editor().send(Method::POST, &format!("/imports?{query}"), body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Updates of both sources reach a merged event, by their policies; it stays as long as one of them has it.
#[both_stores]
async fn both_sources_update_a_merged_event(app: &TestApp) {
    let club =
        async |text: &str| import(app, "source=club", &[("1@club", "Jazz night", text)]).await;
    let town = async |policy: &str, text: &str| {
        let query = format!("source=town&policy={policy}");
        import(app, &query, &[("1@town", "Night of Jazz", text)]).await
    };
    assert_eq!(club("Club 1").await["duplicates"], 0);
    let report = town("overwrite", "Town 1").await;
    assert_eq!((&report["duplicates"], &report["merged"]), (&json!(1), &json!(0)), "{report}");
    let pair = app.editor().get("/duplicates").await.json()["duplicates"][0].clone();
    let [first, second] = [&pair["records"][0]["id"], &pair["records"][1]["id"]];
    merge(&app.editor(), &pair, json!({"keep": first})).await;
    let path = format!("/events/{first}");
    let text = async || app.editor().get(&path).await.json()["description"].to_string();
    town("overwrite", "Town 2").await;
    assert!(text().await.contains("Town 2"));
    club("Club 2").await;
    assert!(text().await.contains("Club 2"));
    for policy in ["keep-local", "keep"] {
        town(policy, &format!("Town by {policy}")).await;
        assert!(text().await.contains("Club 2"), "{policy}");
    }
    assert_eq!(app.list("start_date=2027-01-01").await.len(), 1);

    // The town has other events, and this one no longer.
    let others = [("2@town", "Fair", ""), ("3@town", "Market", ""), ("4@town", "Yoga", "")];
    import(app, "source=town", &others).await;
    let report = import(app, "source=town&prune=true", &others).await;
    assert_eq!(report["pruned"], 0, "{report}");
    assert_eq!(app.anonymous().get(&path).await.status, 200);
    let undone = app.editor().post(&format!("/duplicates/{}/undo", pair["id"]), json!({})).await;
    assert_eq!(undone.status, 200, "{}", undone.text());
    assert_eq!(app.anonymous().get(&format!("/events/{second}")).await.status, 200);
    let back = [others[0], others[1], others[2], ("1@town", "Night of Jazz", "Town 5")];
    import(app, "source=town", &back).await;
    let second = app.anonymous().get(&format!("/events/{second}")).await.json();
    assert!(second["description"].as_str().unwrap().contains("Town 5"), "{second}");
}

/// The source that takes a merged event back last puts it into the trash.
#[both_stores]
async fn a_merged_event_goes_with_its_last_source(app: &TestApp) {
    let all = |source: &'static str| {
        ["Fair", "Market", "Yoga"].map(|title| format!("{title} of {source}"))
    };
    let import = async |source: &'static str, has_jazz: bool| {
        let titles = all(source);
        let uids = [2, 3, 4].map(|number| format!("{number}@{source}"));
        let uid = format!("1@{source}");
        let mut events: Vec<_> = uids.iter().zip(&titles).map(|(a, b)| (&**a, &**b, "")).collect();
        if has_jazz {
            events.push((&uid, "Jazz night", ""));
        }
        import(app, &format!("source={source}&prune=true"), &events).await["pruned"].clone()
    };
    import("club", true).await;
    import("town", true).await;
    let all = pairs(app, "state=open").await;
    let is_jazz = |pair: &&Value| pair["records"][0]["title"] == "Jazz night";
    let pair = all.iter().find(is_jazz).unwrap();
    let kept = &pair["records"][0]["id"];
    merge(&app.editor(), pair, json!({"keep": kept})).await;
    for (source, has_jazz, pruned, is_here) in [
        ("town", false, 0, true),
        ("town", false, 0, true),
        ("town", true, 0, true),
        ("club", false, 0, true),
        ("town", false, 1, false),
        ("club", false, 0, false),
    ] {
        assert_eq!(import(source, has_jazz).await, pruned, "{source} {has_jazz}");
        let read = app.anonymous().get(&format!("/events/{kept}")).await;
        assert_eq!(read.status == 200, is_here, "{source} {has_jazz}");
    }
}

/// Without doubt, an import merges what it brought itself.
#[both_stores]
async fn sure_duplicates_are_merged(app: &TestApp) {
    import(app, "source=club", &[("1@club", "Jazz night", "Club")]).await;
    let jazz = [("1@town", "Jazz night", "Town")];
    let dry = import(app, "source=town&merge_duplicates=sure&dry_run=true", &jazz).await;
    assert_eq!((&dry["duplicates"], &dry["merged"]), (&json!(0), &json!(0)));
    let off = import(app, "source=town&merge_duplicates=off", &jazz).await;
    assert_eq!((&off["created"], &off["duplicates"]), (&json!(1), &json!(0)));
    let sure =
        import(app, "source=choir&merge_duplicates=sure", &[("1@choir", "Jazz night", "Choir")])
            .await;
    assert_eq!((&sure["duplicates"], &sure["merged"]), (&json!(2), &json!(1)), "{sure}");
    let open = pairs(app, "state=open").await;
    assert_eq!(open.len(), 1, "of the club and the town, which nobody merged: {open:?}");
    let refused = app.editor().send(Method::POST, "/imports?merge_duplicates=all", None).await;
    assert_eq!(refused.status, 400);
}
