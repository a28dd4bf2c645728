//! Unreadable records leave no trace, in no list and under no filter.
//!
//! The tests compare two services: one with secret records, and its twin without them. A reader
//! without the right to read the records gets the same answers from both, to the byte.

mod pages;

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
};

use super::mounts::{TRIBE, mounted};

/// A word that stands in secret records alone.
const WORD: &str = "zyxwort";

/// The readers from whom the records are secret. The contributor owns the private ones, the others
/// own none.
const READERS: [Option<usize>; 5] = [None, Some(5), Some(4), Some(7), Some(6)];

/// The statuses of secret records.
const STATUSES: [&str; 5] = ["draft", "pending", "private", "future", "trash"];

/// The author of the published events, who may not read all linked records.
const OWNER: usize = 6;

/// The ID of the event that a password locks; events before it are open.
const LOCKED: usize = STATUSES.len() + 1;

/// A secret record: its path by ID, its path by slug, and the code of its refusal.
struct Secret {
    id: i64,
    kind: &'static str,
    paths: [String; 2],
    code: &'static str,
}

fn client(app: &TestApp, user: Option<usize>) -> Client {
    user.map_or_else(|| app.anonymous(), |user| app.user(user))
}

/// A service on the same kind of store.
async fn twin(app: &TestApp) -> TestApp {
    if app.db.url.starts_with("sqlite:") {
        TestApp::sqlite().await
    } else {
        TestApp::postgres().await.unwrap()
    }
}

/// The records of both services: an open event for each status, a locked one, and two public
/// venues, organizers, categories and tags each. Public events link number 1, secret content alone
/// links number 2.
async fn make_public(app: &TestApp, locked: &Value) {
    let admin = app.admin();
    for number in 1..=2 {
        admin.make("/venues", json!({"venue": format!("Hall {number}")})).await;
        admin.make("/organizers", json!({"organizer": format!("Choir {number}")})).await;
        admin.make("/categories", json!({"name": format!("Qobwell {number}")})).await;
        admin.make("/tags", json!({"name": format!("Qobwell {number}")})).await;
    }
    for status in STATUSES {
        let title = format!("Linked with {status}");
        admin.event(json!({"title": title, "author": OWNER, "categories": [1], "tags": [1], "venue": 1})).await;
    }
    let mut event = json!({"title": "Wedding", "password": "open sesame"});
    event.as_object_mut().unwrap().extend(locked.as_object().unwrap().clone());
    assert_eq!(admin.event(event).await["id"], LOCKED);
}

/// Fields with which a search for [`WORD`] finds a record of any kind.
fn wordy(name: &str) -> Value {
    json!({
        "title": format!("{WORD} {name}"), "venue": format!("{WORD} {name}"), "organizer": format!("{WORD} {name}"),
        "slug": format!("{WORD}-{name}"), "description": WORD, "excerpt": WORD, "cost": WORD,
        "website": format!("https://{WORD}.example/"), "email": format!("a@{WORD}.example"), "phone": WORD,
        "city": WORD, "geo_lat": 45.5, "geo_lng": 5.5,
    })
}

/// The content of a locked event.
fn locked_content() -> Value {
    let mut content = wordy("locked");
    for (field, value) in [
        ("title", json!("Wedding")),
        ("slug", json!("wedding")),
        ("venue", json!(2)),
        ("organizer", json!([2])),
        ("categories", json!([1, 2])),
        ("tags", json!([1, 2])),
        ("featured", json!(true)),
        ("sticky", json!(true)),
        ("show_map", json!(true)),
    ] {
        content[field] = value;
    }
    content
}

/// Makes the secret records, and links the open events with secret venues and organizers.
async fn make_secrets(app: &TestApp) -> Vec<Secret> {
    let admin = app.admin();
    let mut secrets = Vec::new();
    for (number, status) in (1..).zip(STATUSES) {
        let mut fields = wordy(status);
        fields["status"] = if status == "trash" { "publish" } else { status }.into();
        fields["author"] = if status == "private" { 4 } else { 1 }.into();
        if status == "future" {
            fields["date"] = "2027-02-01 10:00:00".into();
        }
        let venue = admin.make("/venues", fields.clone()).await;
        let organizer = admin.make("/organizers", fields.clone()).await;
        let links = json!({"venue": venue["id"], "organizer": [organizer["id"], 1]});
        let linked = admin.put(&format!("/events/{number}"), links).await;
        assert_eq!(linked.status, 200, "{}", linked.text());

        for (field, links) in [("venue", json!(2)), ("organizer", json!([2, organizer["id"]]))] {
            fields[field] = links;
        }
        for field in ["categories", "tags"] {
            fields[field] = json!([1, 2]);
        }
        fields["featured"] = true.into();
        let event = admin.event(fields).await;
        for (kind, code, record) in [
            ("events", "event-not-accessible", event),
            ("venues", "venue-not-accessible", venue),
            ("organizers", "organizer-not-accessible", organizer),
        ] {
            let id = record["id"].as_i64().unwrap();
            let by_id = format!("/{kind}/{id}");
            let (mut record, mut code) = (record, code);
            if status == "trash" {
                record = admin.delete(&by_id).await.json();
                code = if kind == "events" { "event-no-longer-available" } else { code };
            }
            assert_eq!(record["status"], status, "{record}");
            let slug = record["slug"].as_str().unwrap();
            assert!(slug.starts_with(WORD), "{slug}");
            let by_slug = format!("/{kind}/by-slug/{slug}");
            secrets.push(Secret { id, kind, paths: [by_id, by_slug], code });
        }
    }
    // Terms count published events, hidden or not.
    let mut hidden = wordy("hidden");
    for (field, value) in
        [("hide_from_listings", json!(true)), ("venue", json!(2)), ("organizer", json!(2))]
    {
        hidden[field] = value;
    }
    admin.event(hidden).await;
    secrets
}

/// The twin's open events, as a reader without the right sees those of the other service.
async fn link_twin(app: &TestApp) {
    for number in 1..LOCKED {
        let links = json!({"venue": [], "organizer": [1]});
        assert_eq!(app.admin().put(&format!("/events/{number}"), links).await.status, 200);
    }
}

/// Filters of events.
const EVENTS: &str = "
    search=wedding search=%22linked%20with%22 search=wedding%20-zyxwort search=zyxwort&password=wrong
    password=wrong featured=true featured=false ticketed=true ticketed=false geoloc=true geoloc=false
    geoloc_lat=45.5&geoloc_lng=5.5 free=true free=false city=zyxwort city=hall&password=wrong
    post_parent=1 start_date=2000-01-01&end_date=2100-01-01
    starts_after=2000-01-01 starts_before=2100-01-01 ends_after=2000-01-01 ends_before=2100-01-01
    strict_dates=1&start_date=2027-03-10%2009:00:00&end_date=2027-03-10%2011:00:00
    modified_after=2000-01-01 modified_before=2100-01-01 categories=1 categories=2 categories=1,2
    categories=qobwell-2 categories=2&password=wrong tags=1 tags=2 tags=qobwell-2 venue=1 venue=2
    venue=1,2 organizer=1 organizer=2 organizer=1&categories=1";

/// Filters of venues and organizers.
const PLACES: &str = "
    has_events=true has_events=false only_with_upcoming=true only_with_upcoming=false
    has_events=true&only_with_upcoming=true has_events=false&only_with_upcoming=true search=hall
    search=example has_events=true&password=wrong";

/// Filters of categories and tags.
const TERMS: &str = "
    search=qobwell slug=qobwell-2 parent=0 parent=1 hide_empty=false hide_empty=true
    hide_empty=false&include=2 include=2 exclude=1 hide_empty=false&exclude=1";

/// Filters and pages of all kinds.
const ALL: &str = "
    per_page=100 per_page=1&page=2 per_page=3&page=2 page=99 search=zyxwort search=-zyxwort";

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Both directions of orders.
fn orders(fields: &str) -> Vec<String> {
    let both = |field| ["asc", "desc"].map(|order| format!("orderby={field}&order={order}"));
    fields.split_whitespace().flat_map(both).collect()
}

/// Lists of every kind, under every filter.
fn lists(secrets: &[Secret]) -> Vec<String> {
    let ids = |kind| {
        let of_kind = secrets.iter().filter(move |secret| secret.kind == kind);
        of_kind.map(|secret| secret.id.to_string())
    };
    let statuses = STATUSES.into_iter().chain(["publish", "any", "publish,draft"]);
    let statuses: Vec<_> = statuses.map(|status| format!("status={status}")).collect();

    let mut events = words(EVENTS);
    events.extend(orders("start_date end_date date modified title id"));
    let included = ids("events").collect::<Vec<_>>().join(",");
    for more in ["", "&starts_after=2000-01-01", "&status=draft", "&search=zyxwort"] {
        events.push(format!("include=1,{LOCKED},{included}{more}"));
    }
    events.extend(ids("venues").map(|id| format!("venue={id}")));
    events.extend(ids("organizers").map(|id| format!("organizer={id}")));
    events.extend(statuses.clone());

    let (mut places, mut terms) = (words(PLACES), words(TERMS));
    let term_orders =
        orders("id name slug count term_group description parent include include_slugs");
    terms.extend(term_orders.into_iter().map(|order| format!("hide_empty=false&{order}")));
    for event in 1..=LOCKED {
        places.push(format!("event={event}"));
        places.push(format!("event={event}&password=wrong"));
        terms.extend(["event", "post"].map(|field| format!("hide_empty=false&{field}={event}")));
    }
    places.extend(statuses);

    let kinds = [
        ("events", &events),
        ("venues", &places),
        ("organizers", &places),
        ("categories", &terms),
        ("tags", &terms),
    ];
    let of_kind = |(kind, queries): (&str, &Vec<String>)| -> Vec<String> {
        let queries = words(ALL).into_iter().chain(queries.iter().cloned());
        let lists = queries.map(|query| format!("/{kind}?{query}"));
        lists.chain([format!("/{kind}")]).collect()
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// The visible parts of an answer: status, total and page headers, body.
fn told(answer: &Answer) -> (u16, Vec<&str>, String) {
    let headers = ["x-tec-total", "x-tec-totalpages", "x-wp-total", "x-wp-totalpages", "link"];
    (answer.status, headers.map(|name| answer.header(name)).to_vec(), answer.text())
}

/// Fails if the word is in an answer, except in addresses that repeat the query.
fn does_not_tell(answer: &Answer, what: &str) {
    let mut json = answer.json();
    for address in ["rest_url", "next_rest_url", "previous_rest_url"] {
        json.as_object_mut().unwrap().remove(address);
    }
    assert!(!json.to_string().to_lowercase().contains(WORD), "{what}: {json}");
}

/// Lists, totals, counts, links and orders are the same with and without unreadable records.
#[both_stores]
async fn secrets_leave_no_trace(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let secrets = make_secrets(app).await;
    let twin = twin(app).await;
    make_public(&twin, &json!({})).await;
    link_twin(&twin).await;

    let public = ["events", "venues", "organizers", "categories", "tags"].map(|kind| {
        let last = if kind == "events" { LOCKED } else { 2 };
        (1..=last).map(move |id| format!("/{kind}/{id}"))
    });
    let public = public.into_iter().flatten();
    let by_slug =
        ["/events/by-slug/wedding", "/events/by-slug/linked-with-draft", "/venues/by-slug/hall-2"];
    let mut paths: Vec<_> = public.chain(by_slug.map(str::to_owned)).collect();
    paths.extend(lists(&secrets));
    for user in READERS {
        for path in &paths {
            let what = format!("user {user:?}: {path}");
            let answer = client(app, user).get(path).await;
            does_not_tell(&answer, &what);
            let other = client(&twin, user).get(path).await;
            assert_eq!(told(&answer), told(&other), "{what}");
        }
    }
    // The answer to a write reveals no more than a read.
    for number in 1..LOCKED {
        let path = format!("/events/{number}");
        let answer = app.user(OWNER).put(&path, json!({"excerpt": "New."})).await;
        does_not_tell(&answer, &path);
        let other = twin.user(OWNER).put(&path, json!({"excerpt": "New."})).await;
        assert_eq!(told(&answer), told(&other), "{path}");
    }
}

/// The text of a file without the addresses that repeat the query.
fn file_text(answer: &Answer) -> String {
    let text = answer.text().replace("\r\n ", "").replace("><", ">\n<");
    let repeats = |line: &str| {
        line.starts_with("SOURCE;") || line.contains("rel=\"self\"") || line.starts_with("<id>http")
    };
    let lines = text.lines().filter(|line| !repeats(line));
    lines.collect::<Vec<_>>().join("\n").to_lowercase()
}

/// F-80: no file of any format tells a caller what the JSON does not.
#[both_stores]
async fn files_do_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let secrets = make_secrets(app).await;
    let files: Vec<_> =
        lists(&secrets)
            .iter()
            .flat_map(|list| {
                let (kind, query) = list[1..].split_once('?').unwrap_or((&list[1..], ""));
                let formats: &[&str] = match kind {
                    "events" => &["ics", "atom", "csv"],
                    "venues" | "organizers" => &["csv"],
                    _ => &[],
                };
                let of_format = |format: &&str| format!("/{kind}.{format}?{query}");
                formats.iter().map(of_format).collect::<Vec<_>>()
            })
            .chain((1..=LOCKED).map(|id| format!("/events/{id}.ics")))
            .chain(secrets.iter().filter(|one| one.kind == "events").flat_map(|one| {
                one.paths.iter().map(|path| format!("{path}.ics")).collect::<Vec<_>>()
            }))
            .collect();
    let (mut read, mut found) = (0, 0);
    for path in &files {
        for user in READERS {
            let answer = client(app, user).get_once(path).await;
            let text = file_text(&answer);
            assert!(!text.contains(WORD), "user {user:?}: {path}: {text}");
            read += usize::from(answer.status == 200);
        }
        found += usize::from(file_text(&app.editor().get_once(path).await).contains(WORD));
    }
    assert!(read > 1000 && found > 100, "{read} files, {found} with the word for an editor");
}

/// The lists and records of the host's own interface tell nothing that the calendar's hides, with all filters.
#[both_stores]
async fn the_host_does_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let secrets = make_secrets(app).await;
    let host = mounted(app, &[TRIBE]).await.under("/wp-json/wp/v2");
    let mut paths: Vec<_> = lists(&secrets)
        .iter()
        .filter_map(|list| {
            let (kind, query) = list[1..].split_once('?').unwrap_or((&list[1..], ""));
            Some(format!("/{}?{query}", name_of_host(kind)?))
        })
        .collect();
    for secret in &secrets {
        if let Some(kind) = name_of_host(secret.kind) {
            paths.push(format!("/{kind}/{}", secret.id));
        }
    }
    let (mut read, mut found) = (0, 0);
    let tells = |answer: &Answer| answer.text().to_lowercase().contains(WORD);
    for path in &paths {
        for user in READERS {
            let reader = match user {
                Some(user) => host.clone().with_token(app.token(user)),
                None => host.clone(),
            };
            let answer = reader.get(path).await;
            assert!(!tells(&answer), "user {user:?}: {path}: {}", answer.text());
            read += usize::from(answer.status == 200);
        }
        let editor = host.clone().with_token(app.token(2));
        found += usize::from(tells(&editor.get(path).await));
    }
    assert!(read > 300 && found > 30, "{read} answers, {found} with the word for an editor");
}

/// The name of a kind in the host's own interface.
fn name_of_host(kind: &str) -> Option<&'static str> {
    match kind {
        "event" | "events" => Some("tribe_events"),
        "venue" | "venues" => Some("tribe_venue"),
        "organizer" | "organizers" => Some("tribe_organizer"),
        _ => None,
    }
}

/// An unreadable record is refused by ID, by slug and in filters, without the secret word.
#[both_stores]
async fn secrets_are_refused(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let mut secrets = make_secrets(app).await;
    secrets.push(Secret {
        id: LOCKED.try_into().unwrap(),
        kind: "events",
        paths: [format!("/events/{LOCKED}"), "/events/by-slug/wedding".to_owned()],
        code: "event-password-protected",
    });
    for user in READERS {
        for Secret { id, kind, paths, code } in &secrets {
            let mut paths = paths.to_vec();
            if *kind == "events" {
                let lists = [
                    "venues?event",
                    "organizers?event",
                    "categories?event",
                    "categories?post",
                    "tags?post",
                ];
                paths.extend(lists.map(|list| format!("/{list}={id}")));
            }
            let with_password = |path: &String| {
                format!("{path}{}password=wrong", if path.contains('?') { '&' } else { '?' })
            };
            let with_password: Vec<_> = paths.iter().map(with_password).collect();
            for path in paths.iter().chain(&with_password) {
                let answer = client(app, user).get(path).await;
                answer.assert_error(403, code);
                does_not_tell(&answer, path);
            }
        }
    }
}

/// Users with the right to read the records find them.
#[both_stores]
async fn editors_find_the_secrets(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let secrets = make_secrets(app).await;
    for (kind, hidden) in [("events", 1), ("venues", 0), ("organizers", 0)] {
        let list = app.editor().get(&format!("/{kind}?search={WORD}&per_page=100")).await;
        let locked = usize::from(kind == "events");
        // Events in the trash need a query of their own.
        assert_eq!(list.ids().len(), STATUSES.len() - 1 + locked, "{kind}");
        let trash = app.editor().get(&format!("/{kind}?search={WORD}&status=trash")).await;
        assert_eq!(trash.ids().len(), 1, "{kind}");
        let of_kind = secrets.iter().filter(|secret| secret.kind == kind);
        let ids: Vec<_> = of_kind.map(|secret| secret.id).collect();
        assert_eq!(ids.len(), STATUSES.len(), "{kind}");
        if hidden == 1 {
            let id = ids.last().unwrap() + 1;
            assert_eq!(app.editor().get(&format!("/{kind}?include={id}")).await.ids(), [id]);
            assert!(app.anonymous().get(&format!("/{kind}?include={id}")).await.ids().is_empty());
        }
    }
    let linked = app.editor().get("/events/1").await.text();
    assert!(linked.contains(WORD), "{linked}");
    let opened =
        app.anonymous().get(&format!("/events/{LOCKED}?password=open%20sesame")).await.text();
    assert!(opened.contains(WORD), "{opened}");
    assert!(app.editor().get("/venues?has_events=true&per_page=100").await.ids().contains(&2));
    assert!(!app.anonymous().get("/venues?has_events=true&per_page=100").await.ids().contains(&2));

    app.clock.set("2027-02-01 10:00:00");
    let due = app.anonymous().get(&format!("/events?search={WORD}&per_page=100")).await;
    assert_eq!(due.json()["total"], 1, "{}", due.text());
}
