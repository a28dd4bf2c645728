//! Concurrent clients: each request is answered as if one had come after the other.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields, has_fields, id},
};

use super::records::event_path;

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

/// Sends one request for each of the items, all at once.
pub(super) async fn at_once<T, F>(
    client: &Client,
    items: impl IntoIterator<Item = T>,
    send: impl Fn(Client, T) -> F,
) -> Vec<Answer>
where
    F: Future<Output = Answer> + Send + 'static,
{
    // All are spawned before the first is awaited.
    let requests = items.into_iter().map(|item| tokio::spawn(send(client.clone(), item)));
    let spawned: Vec<_> = requests.collect();
    let mut answers = Vec::new();
    for request in spawned {
        answers.push(request.await.unwrap());
    }
    answers
}

/// The statuses of answers, sorted.
pub(super) fn statuses(answers: &[Answer]) -> Vec<u16> {
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

/// Seven concurrent changes of seven fields of one event all take effect, links and slug included.
#[both_stores(threads = 4)]
async fn changes_of_many_fields_all_hold(app: &TestApp) {
    for round in 1..=ROUNDS {
        let path = &event_path(&app.admin().event(json!({})).await);
        let (title, slug) = (format!("Title {round}"), format!("own-{round}"));
        let changes = [
            json!({"title": title}),
            json!({"slug": slug}),
            json!({"cost": round.to_string()}),
            json!({"categories": [format!("Nature {round}")]}),
            json!({"tags": [format!("Loud {round}")]}),
            json!({"venue": {"venue": "Old Mill"}}),
            json!({"end_date": "2027-03-10 12:00:00"}),
        ];
        let answers = at_once(&app.admin(), changes, |client, change| {
            let path = path.clone();
            async move { client.put(&path, change).await }
        })
        .await;
        all(&answers, 200);
        let event = app.anonymous().get(path).await.json();
        let cost = format!("${round}");
        let end = "2027-03-10 12:00:00";
        has_fields(&event, json!({"title": title, "slug": slug, "cost": cost, "end_date": end}));
        for (field, name) in [("categories", "Nature"), ("tags", "Loud")] {
            let term = json!({"name": format!("{name} {round}"), "count": 1});
            has_fields(&event[field][0], term);
        }
        assert_eq!(event["venue"]["venue"], "Old Mill");
    }
}

/// Sixteen concurrent creations of one title get sixteen slugs.
#[both_stores(threads = 4)]
async fn each_record_gets_a_slug_of_its_own(app: &TestApp) {
    for (path, title) in [("/events", "title"), ("/venues", "venue"), ("/organizers", "organizer")]
    {
        let answers = at_once(&app.author(), 0..MANY, |client, _| async move {
            client.post(path, event_fields(json!({title: "Same"}))).await
        })
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
    let answers = at_once(&app.author(), 0..2 * MANY, |client, index| async move {
        let path = format!("/events/{}", BEFORE - index);
        let title = json!({"title": "Same"});
        match index % 4 {
            0 | 2 => client.try_event(title).await,
            1 => client.put(&path, json!({"slug": "same"})).await,
            _ => client.put(&format!("{path}?ml_language=fr"), title).await,
        }
    })
    .await;
    // No request reaches its time limit.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let mut new = BTreeSet::new();
    for (index, answer) in answers.iter().enumerate() {
        let slug = answer.json()["slug"].as_str().unwrap_or_default().to_owned();
        if index.is_multiple_of(2) {
            assert_eq!(answer.status, 201, "{}", answer.text());
            new.insert(slug);
        } else {
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert_eq!(slug, numbered("same", BEFORE - index));
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
            let paths = [format!("/{kind}/{id}"), format!("/{kind}/{id}")];
            let answers =
                at_once(
                    &app.editor(),
                    paths,
                    |client, path| async move { client.delete(&path).await },
                )
                .await;
            assert_eq!(statuses(&answers), [200, status], "{kind}");
            let loser = answers.iter().find(|answer| answer.status != 200).unwrap();
            loser.assert_error(status, code);
        }
    }
}

/// Sixteen events that name the same new venue, organizer, category and tag share one of each.
#[both_stores(threads = 4)]
async fn inline_records_of_events_are_created_once(app: &TestApp) {
    let event = json!({
        "venue": {"venue": "Old Mill", "city": "Lyon"},
        "organizer": [{"organizer": "Green Hands"}],
        "categories": ["Outdoor"],
        "tags": ["Loud"],
    });
    let events = vec![event; MANY];
    let answers =
        at_once(
            &app.editor(),
            events,
            |client, event| async move { client.try_event(event).await },
        )
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
/// other, and events that link these by ID in different orders do not either: all count.
#[both_stores(threads = 4)]
async fn the_order_of_links_does_not_matter(app: &TestApp) {
    const NAMES: [&str; 4] = ["One", "Two", "Three", "Four"];
    let answers = at_once(&app.editor(), 0..MANY, |client, number| async move {
        let mut names = NAMES;
        names.rotate_left(number % 4);
        let organizers = names.map(|name| json!({"organizer": name}));
        let event = json!({"categories": names, "tags": names, "organizer": organizers});
        client.try_event(event).await
    })
    .await;
    for (number, event) in all(&answers, 201).iter().enumerate() {
        let organizers = event["organizer"].as_array().unwrap();
        let first = &json!(NAMES[number % 4]);
        assert_eq!((organizers.len(), &organizers[0]["organizer"]), (4, first));
    }
    for path in ["/organizers", "/categories", "/tags"] {
        assert_eq!(app.anonymous().get(path).await.json()["total"], 4, "{path}");
    }
    four_terms_have_events(app, MANY).await;

    let answers = at_once(&app.editor(), 0..MANY, |client, number| async move {
        let mut ids = [1, 2, 3, 4];
        ids.rotate_left(number % 4);
        client.try_event(json!({"categories": ids, "tags": ids})).await
    })
    .await;
    all(&answers, 201);
    four_terms_have_events(app, 2 * MANY).await;
}

/// Fails unless each of four categories and of four tags has this number of events.
async fn four_terms_have_events(app: &TestApp, number: usize) {
    for path in ["/categories", "/tags"] {
        let list = app.anonymous().get(path).await.json();
        let terms = list[&path[1..]].as_array().unwrap();
        let counts: Vec<_> = terms.iter().map(|term| &term["count"]).collect();
        assert_eq!(counts, [number; 4]);
    }
}

/// One of several moves of categories that together make a circle is refused.
#[both_stores(threads = 4)]
async fn parents_make_no_circle(app: &TestApp) {
    for round in 0..ROUNDS {
        let mut ids = Vec::new();
        for number in 0..4 {
            let name = format!("Category {round} {number}");
            ids.push(id(&app.admin().make("/categories", json!({"name": name})).await));
        }
        let moves = (0..4).map(|number| (ids[number], ids[(number + 1) % 4]));
        let answers = at_once(&app.editor(), moves, |client, (child, parent)| async move {
            client.put(&format!("/categories/{child}"), json!({"parent": parent})).await
        })
        .await;
        assert_eq!(statuses(&answers), [200, 200, 200, 400]);
        answers.iter().find(|answer| answer.status == 400).unwrap().assert_invalid(&["parent"]);
    }
}

/// One of two concurrent creations of a term of one name succeeds; the other is refused with its
/// ID.
#[both_stores(threads = 4)]
async fn one_of_two_makes_a_term(app: &TestApp) {
    for path in ["/categories", "/tags"] {
        for round in 0..ROUNDS {
            let names = [format!("Term {round}"), format!("TERM {round}")];
            let answers = at_once(&app.editor(), names, |client, name| async move {
                client.post(path, json!({"name": name})).await
            })
            .await;
            assert_eq!(statuses(&answers), [201, 400], "{path}");
            let winner = answers.iter().find(|answer| answer.status == 201).unwrap().json();
            let loser = answers.iter().find(|answer| answer.status == 400).unwrap();
            loser.assert_error(400, "term_exists");
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
            let answers = at_once(&app.editor(), vec![links; 4], |client, links| async move {
                client.try_event(links).await
            })
            .await;
            let deleted = deletion.await.unwrap();
            assert_eq!(deleted.status, 200, "{}", deleted.text());
            for answer in answers {
                if answer.status == 400 {
                    answer.assert_invalid(&["venue"]);
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
