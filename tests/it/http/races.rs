//! Concurrent clients: each request is answered as if one had come after the other.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, event_fields},
};

/// The rounds of races between two clients.
const ROUNDS: usize = 10;

/// The number of clients in races of many.
const MANY: usize = 16;

/// The slug of the record number `n` of a name, from 1.
fn numbered(slug: &str, number: usize) -> String {
    match number {
        1 => slug.to_owned(),
        number => format!("{slug}-{number}"),
    }
}

/// Sends all requests at once.
async fn at_once<F>(requests: impl IntoIterator<Item = F>) -> Vec<Answer>
where
    F: Future<Output = Answer> + Send + 'static,
{
    // All are spawned before the first is awaited.
    let spawned: Vec<_> = requests.into_iter().map(tokio::spawn).collect();
    let mut answers = Vec::new();
    for request in spawned {
        answers.push(request.await.unwrap());
    }
    answers
}

/// The statuses of answers, sorted.
fn statuses(answers: &[Answer]) -> Vec<u16> {
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    statuses
}

/// Fails unless all answers have this status; returns their bodies.
#[track_caller]
fn all(answers: &[Answer], status: u16) -> Vec<Value> {
    for answer in answers {
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    answers.iter().map(Answer::json).collect()
}

/// Two concurrent changes of different fields of one event both take effect.
#[both_stores(threads = 4)]
async fn changes_of_different_fields_both_hold(app: &TestApp) {
    for round in 1..=ROUNDS {
        let id = app.admin().event(json!({})).await["id"].clone();
        let changes =
            [json!({"title": format!("Title {round}")}), json!({"cost": format!("{round}")})];
        let answers = at_once(changes.map(|change| {
            let (client, path) = (app.admin(), format!("/events/{id}"));
            async move { client.put(&path, change).await }
        }))
        .await;
        all(&answers, 200);
        let event = app.anonymous().get(&format!("/events/{id}")).await.json();
        assert_eq!(event["title"], format!("Title {round}"));
        assert_eq!(event["cost"], format!("${round}"));
    }
}

/// Six concurrent changes of six fields of one event all take effect, links and slug included.
#[both_stores(threads = 4)]
async fn changes_of_many_fields_all_hold(app: &TestApp) {
    let id = app.admin().event(json!({})).await["id"].clone();
    let changes = [
        json!({"title": "New"}),
        json!({"slug": "own"}),
        json!({"categories": ["Nature"]}),
        json!({"tags": ["Loud"]}),
        json!({"venue": {"venue": "Old Mill"}}),
        json!({"end_date": "2027-03-10 12:00:00"}),
    ];
    let answers = at_once(changes.map(|change| {
        let (client, path) = (app.admin(), format!("/events/{id}"));
        async move { client.put(&path, change).await }
    }))
    .await;
    all(&answers, 200);
    let event = app.anonymous().get(&format!("/events/{id}")).await.json();
    let found = [
        &event["title"],
        &event["slug"],
        &event["categories"][0]["name"],
        &event["tags"][0]["name"],
        &event["venue"]["venue"],
        &event["end_date"],
    ];
    assert_eq!(found, ["New", "own", "Nature", "Loud", "Old Mill", "2027-03-10 12:00:00"]);
    assert_eq!(
        (&event["categories"][0]["count"], &event["tags"][0]["count"]),
        (&json!(1), &json!(1))
    );
}

/// Sixteen concurrent creations of one title get sixteen slugs.
#[both_stores(threads = 4)]
async fn each_record_gets_a_slug_of_its_own(app: &TestApp) {
    for (path, title) in [("/events", "title"), ("/venues", "venue"), ("/organizers", "organizer")]
    {
        let answers = at_once((0..MANY).map(|_| {
            let client = app.author();
            async move { client.post(path, event_fields(json!({title: "Same"}))).await }
        }))
        .await;
        let slugs: BTreeSet<_> =
            all(&answers, 201).iter().map(|record| record["slug"].to_string()).collect();
        let numbered = (2..=MANY).map(|number| format!("\"same-{number}\""));
        assert_eq!(slugs, numbered.chain(["\"same\"".to_owned()]).collect());
    }
}

/// Among 70 events of one title, sixteen concurrent creations get the next sixteen slugs. Meanwhile
/// others are translated to that title, or request its slug again, and keep theirs.
#[both_stores(threads = 4)]
async fn a_repeated_name_gives_a_slug_to_each(app: &TestApp) {
    const BEFORE: usize = 70;
    for number in 1..=BEFORE {
        app.author().event(json!({"title": "Same"})).await;
        let slug = &app.author().get(&format!("/events/{number}")).await.json()["slug"];
        assert_eq!(*slug, numbered("same", number));
    }
    let start = Instant::now();
    let answers = at_once((0..2 * MANY).map(|place| {
        let client = app.author();
        async move {
            let number = BEFORE - place;
            match place % 4 {
                0 | 2 => client.try_event(json!({"title": "Same"})).await,
                1 => client.put(&format!("/events/{number}"), json!({"slug": "same"})).await,
                _ => {
                    client
                        .put(&format!("/events/{number}?ml_language=fr"), json!({"title": "Same"}))
                        .await
                }
            }
        }
    }))
    .await;
    // No request reaches its time limit.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let mut new = BTreeSet::new();
    for (place, answer) in answers.iter().enumerate() {
        let slug = answer.json()["slug"].as_str().unwrap_or_default().to_owned();
        if place.is_multiple_of(2) {
            assert_eq!(answer.status, 201, "{}", answer.text());
            new.insert(slug);
        } else {
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert_eq!(slug, numbered("same", BEFORE - place));
        }
    }
    let expected = (1..=MANY).map(|number| numbered("same", BEFORE + number));
    assert_eq!(new, expected.collect());
}

/// One of two concurrent deletions succeeds; the other is 410 or 404.
#[both_stores(threads = 4)]
async fn one_of_two_deletes(app: &TestApp) {
    for (kind, title, status, code) in [
        ("events", "title", 410, "event-is-in-trash"),
        ("venues", "venue", 410, "venue-is-in-trash"),
        ("organizers", "organizer", 410, "organizer-is-in-trash"),
        ("categories", "name", 404, "rest_term_invalid"),
        ("tags", "name", 404, "rest_term_invalid"),
    ] {
        for round in 0..ROUNDS {
            let fields = event_fields(json!({title: format!("Doomed {round}")}));
            let id = app.admin().make(&format!("/{kind}"), fields).await["id"].clone();
            let answers = at_once([app.admin(), app.editor()].map(|client| {
                let path = format!("/{kind}/{id}");
                async move { client.delete(&path).await }
            }))
            .await;
            assert_eq!(statuses(&answers), [200, status], "{kind}");
            let loser = answers.iter().find(|answer| answer.status != 200).unwrap();
            loser.is_error(status, code);
        }
    }
}

/// Sixteen events that name the same new venue, organizer, category and tag share one of each.
#[both_stores(threads = 4)]
async fn what_events_bring_along_is_made_once(app: &TestApp) {
    let answers = at_once((0..MANY).map(|_| {
        let client = app.editor();
        async move {
            client
                .try_event(json!({
                    "venue": {"venue": "Old Mill", "city": "Lyon"},
                    "organizer": [{"organizer": "Green Hands"}],
                    "categories": ["Outdoor"],
                    "tags": ["Loud"],
                }))
                .await
        }
    }))
    .await;
    for event in all(&answers, 201) {
        for id in ["/venue/id", "/organizer/0/id", "/categories/0/id", "/tags/0/id"] {
            assert_eq!(event.pointer(id), Some(&json!(1)), "{event}");
        }
    }
    for path in ["/venues", "/organizers", "/categories", "/tags"] {
        let list = app.anonymous().get(path).await;
        assert_eq!((list.ids(), &list.json()["total"]), (vec![1], &json!(1)), "{path}");
    }
    for path in ["/categories/1", "/tags/1"] {
        assert_eq!(app.anonymous().get(path).await.json()["count"], MANY, "{path}");
    }
}

/// Events that name the same new terms and organizers in different orders do not block each
/// other.
#[both_stores(threads = 4)]
async fn the_order_of_names_does_not_matter(app: &TestApp) {
    let answers = at_once((0..MANY).map(|number| {
        let client = app.editor();
        async move {
            let mut names = vec!["One", "Two", "Three", "Four"];
            names.rotate_left(number % 4);
            let organizers: Vec<_> = names.iter().map(|name| json!({"organizer": name})).collect();
            let event = json!({"categories": names, "tags": names, "organizer": organizers});
            client.try_event(event).await
        }
    }))
    .await;
    for (number, event) in all(&answers, 201).iter().enumerate() {
        let organizers = event["organizer"].as_array().unwrap();
        let first = ["One", "Two", "Three", "Four"][number % 4];
        assert_eq!((organizers.len(), &organizers[0]["organizer"]), (4, &json!(first)));
    }
    for path in ["/organizers", "/categories", "/tags"] {
        assert_eq!(app.anonymous().get(path).await.json()["total"], 4, "{path}");
    }
    for term in app.anonymous().get("/categories").await.json()["categories"].as_array().unwrap() {
        assert_eq!(term["count"], MANY, "{term}");
    }
}

/// Events that link the same terms, named by ID in different orders, all count.
#[both_stores(threads = 4)]
async fn the_order_of_numbers_does_not_matter(app: &TestApp) {
    for number in 1..=4 {
        app.admin().make("/categories", json!({"name": format!("Category {number}")})).await;
        app.admin().make("/tags", json!({"name": format!("Tag {number}")})).await;
    }
    let answers = at_once((0..MANY).map(|number| {
        let client = app.editor();
        async move {
            let mut ids = vec![1, 2, 3, 4];
            ids.rotate_left(number % 4);
            client.try_event(json!({"categories": ids, "tags": ids})).await
        }
    }))
    .await;
    all(&answers, 201);
    for path in ["/categories", "/tags"] {
        let list = app.anonymous().get(path).await.json();
        let counts: Vec<_> =
            list[&path[1..]].as_array().unwrap().iter().map(|term| &term["count"]).collect();
        assert_eq!(counts, [MANY; 4]);
    }
}

/// One of several moves of categories that together make a circle is refused.
#[both_stores(threads = 4)]
async fn parents_make_no_circle(app: &TestApp) {
    for round in 0..ROUNDS {
        let mut ids = Vec::new();
        for number in 0..4 {
            let name = format!("Category {round} {number}");
            let made = app.admin().make("/categories", json!({"name": name})).await;
            ids.push(made["id"].clone());
        }
        let moves: Vec<_> =
            (0..4).map(|number| (ids[number].clone(), ids[(number + 1) % 4].clone())).collect();
        let answers =
            at_once(moves.into_iter().map(|(child, parent)| {
                let client = app.editor();
                async move {
                    client.put(&format!("/categories/{child}"), json!({"parent": parent})).await
                }
            }))
            .await;
        assert_eq!(statuses(&answers), [200, 200, 200, 400]);
        answers.iter().find(|answer| answer.status == 400).unwrap().is_invalid(&["parent"]);
    }
}

/// One of two concurrent creations of a term of one name succeeds; the other is refused with its
/// ID.
#[both_stores(threads = 4)]
async fn one_of_two_makes_a_term(app: &TestApp) {
    for path in ["/categories", "/tags"] {
        for round in 0..ROUNDS {
            let answers = at_once([format!("Term {round}"), format!("TERM {round}")].map(|name| {
                let client = app.editor();
                async move { client.post(path, json!({"name": name})).await }
            }))
            .await;
            assert_eq!(statuses(&answers), [201, 400], "{path}");
            let winner = answers.iter().find(|answer| answer.status == 201).unwrap().json();
            let loser = answers.iter().find(|answer| answer.status == 400).unwrap();
            loser.is_error(400, "term_exists");
            assert_eq!(loser.json()["data"]["term_id"], winner["id"]);
        }
    }
}

/// A creation of an event that links a record under deletion succeeds with or without the link, or
/// is refused.
#[both_stores(threads = 4)]
async fn a_link_may_vanish(app: &TestApp) {
    for round in 0..ROUNDS {
        let make = async |path: &str, name: &str| {
            let made = app.admin().make(path, json!({name: format!("Doomed {round}")})).await;
            made["id"].clone()
        };
        let category = make("/categories", "name").await;
        let tag = make("/tags", "name").await;
        let venue = make("/venues", "venue").await;
        for (path, links) in [
            (format!("/categories/{category}"), json!({"categories": [category]})),
            (format!("/tags/{tag}"), json!({"tags": [tag]})),
            (format!("/venues/{venue}?force=true"), json!({"venue": venue})),
        ] {
            let deleting = app.editor();
            let deletion = tokio::spawn(async move { deleting.delete(&path).await });
            let answers = at_once((0..4).map(|_| {
                let (client, links) = (app.editor(), links.clone());
                async move { client.try_event(links).await }
            }))
            .await;
            let deleted = deletion.await.unwrap();
            assert_eq!(deleted.status, 200, "{}", deleted.text());
            for answer in answers {
                if answer.status == 400 {
                    answer.is_invalid(&["venue"]);
                } else {
                    assert_eq!(answer.status, 201, "{}", answer.text());
                }
            }
        }
    }
    let events = app.anonymous().get("/events?per_page=100").await.json();
    for event in events["events"].as_array().unwrap() {
        let links =
            ["categories", "tags", "venue"].map(|field| event[field].as_array().map(Vec::len));
        assert_eq!(links, [Some(0); 3], "{event}");
    }
}
