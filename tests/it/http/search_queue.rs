//! Searches under load: their queue, equal searches, and clients that stop waiting.

use std::{future::Future, time::Duration};

use app::search_queue::{SearchQueue, Turn, turns};
use futures_util::future::join_all;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Answer, db::caches};
use tokio::{
    task::yield_now,
    time::{sleep, timeout},
};

/// Takes all turns of searches, each for another client.
async fn hold_all(app: &TestApp) -> Vec<Turn> {
    hold_turns(app.calendar.search_queue(), turns()).await
}

async fn hold_turns(queue: &SearchQueue, turns: usize) -> Vec<Turn> {
    let mut held = Vec::new();
    for number in (0..=u8::MAX).take(turns) {
        held.push(queue.turn(Some([192, 0, 2, number].into())).await.unwrap());
    }
    held
}

/// Waits until a number of searches are in the queue.
async fn until_waiting(app: &TestApp, searches: usize) {
    until_waiting_in(app.calendar.search_queue(), searches).await;
}

async fn until_waiting_in(queue: &SearchQueue, requests: usize) {
    let all_wait = async {
        while queue.waiting() != requests {
            sleep(Duration::from_millis(1)).await;
        }
    };
    let waited = timeout(Duration::from_secs(30), all_wait).await;
    assert!(waited.is_ok(), "{}", queue.waiting());
}

/// A request of its own task, for an anonymous client.
fn begin(app: &TestApp, path: &str) -> tokio::task::JoinHandle<Answer> {
    let (client, path) = (app.anonymous(), path.to_owned());
    tokio::spawn(async move { client.get_once(&path).await })
}

/// Stops a request, as the server does when its client closes the connection.
async fn abandon(request: tokio::task::JoinHandle<Answer>) {
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
}

/// Lists with words, or with another filter or order without an index, wait for a turn. Other lists
/// and single records do not.
#[both_stores]
async fn searches_wait_for_their_turn(app: &TestApp) {
    const SEARCHES: [&str; 7] = [
        "/events?search=river",
        "/events?featured=true",
        "/events?orderby=title",
        "/venues?search=mill",
        "/organizers?has_events=0",
        "/categories?search=a",
        "/tags?search=a",
    ];
    app.admin().event(json!({"title": "River cleanup", "venue": {"venue": "Mill"}})).await;
    let held = hold_all(app).await;
    let searches = SEARCHES.map(|path| begin(app, path));
    until_waiting(app, SEARCHES.len()).await;
    for path in
        ["/events", "/events?categories=1", "/venues", "/events/1", "//event/river-cleanup/"]
    {
        let answer = app.editor().get_once(path).await;
        assert!(answer.status < 500, "{path}: {}", answer.text());
    }
    drop(held);
    for (path, search) in SEARCHES.into_iter().zip(searches) {
        let answer = search.await.unwrap();
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}

/// Views on pages wait for a turn of their own queue, and searches do not delay them.
#[both_stores]
async fn views_wait_for_their_turn(app: &TestApp) {
    const VIEWS: [&str; 5] = [
        "//",
        "//events/list/",
        "//events/past/?categories=1",
        "//fr/events/month/2027-01/",
        "//events/day/2027-01-05/",
    ];
    let event = json!({"title": "River cleanup", "categories": ["Water"],
        "start_date": "2027-01-05 09:00:00", "end_date": "2027-01-05 10:00:00"});
    app.admin().event(event).await;
    let searches = hold_all(app).await;
    for path in VIEWS {
        assert_eq!(app.anonymous().get_once(path).await.status, 200, "{path}");
    }
    drop(searches);
    // Other views than those that caches hold by now.
    app.admin().event(json!({"title": "Walk"})).await;
    let views = hold_turns(app.calendar.view_queue(), turns() - 1).await;
    let waiting = VIEWS.map(|path| begin(app, path));
    until_waiting_in(app.calendar.view_queue(), VIEWS.len()).await;
    for path in ["/events", "/events?search=river", "//event/river-cleanup/", "//venues/"] {
        let answer = app.anonymous().get_once(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    drop(views);
    for (path, view) in VIEWS.into_iter().zip(waiting) {
        let answer = view.await.unwrap();
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}

/// The number of statements of some work.
async fn statements(app: &TestApp, work: impl Future<Output = ()>) -> u64 {
    let before = app.db.statements();
    work.await;
    app.db.statements() - before
}

/// Equal searches at the same time are one search.
#[both_stores]
async fn equal_searches_are_one(app: &TestApp) {
    const EQUAL: u64 = 20;
    if !caches() {
        return; // without data versions, no request knows whether it may join another
    }
    let store = app.db.another(|options| {
        // The data version of PostgreSQL changes with each transaction in any database of the server.
        options.max_staleness = Duration::from_hours(1);
        // A search of merged texts may take another number of statements.
        options.merge_pause = Duration::from_hours(1);
    });
    let app = &app.variant().store(store.await).build().await;
    app.admin().event(json!({"title": "River cleanup"})).await;
    let client = app.anonymous();
    let search = async |word: &str| {
        let path = format!("/events?search={word}");
        let answer = client.get_once(&path).await;
        assert_eq!(answer.json()["total"], 1, "{}", answer.text());
    };
    search("rive").await;
    let one = statements(app, search("river")).await;
    let cached = statements(app, search("river")).await;
    assert!(one > cached);
    let all = async {
        let held = hold_all(app).await;
        let release = async {
            until_waiting(app, 1).await;
            for _ in 0..100 {
                yield_now().await;
            }
            assert_eq!(app.calendar.search_queue().waiting(), 1);
            drop(held);
        };
        let equal = join_all((0..EQUAL).map(|_| search("cleanup")));
        tokio::join!(equal, release);
    };
    assert_eq!(statements(app, all).await, one + (EQUAL - 1) * cached);
}

/// Equal searches that wait too long are refused together: none of them waits again.
#[both_stores]
async fn equal_searches_are_refused_together(app: &TestApp) {
    if !caches() {
        return;
    }
    let store = app.db.another(|options| options.max_staleness = Duration::from_hours(1)).await;
    let app = &app.variant().store(store).build().await;
    let client = app.anonymous();
    // The data version is read once, and is the same for all.
    assert_eq!(client.get_once("/events").await.status, 200);
    let held = hold_all(app).await;
    let search = async || {
        let refused = client.get_once("/events?search=river").await;
        refused.assert_error(503, "service_unavailable");
        assert_eq!(app.calendar.search_queue().waiting(), 0);
    };
    tokio::join!(search(), search(), search());
    drop(held);
    assert_eq!(client.get("/events?search=river").await.status, 200);
}

/// A search that is refused by a limit of its client goes on for the other clients that wait for it.
#[both_stores]
async fn a_limit_of_one_client_refuses_no_other(app: &TestApp) {
    const FULL: usize = 256;
    const LAST: [u8; 4] = [192, 0, 2, 200];
    if !caches() {
        return;
    }
    let store = app.db.another(|options| options.max_staleness = Duration::from_hours(1)).await;
    let app = &app.variant().store(store).build().await;
    app.admin().event(json!({"title": "River cleanup"})).await;
    let held = hold_all(app).await;
    let wait = |address: [u8; 4]| {
        let queue = app.calendar.search_queue().clone();
        tokio::spawn(async move { drop(queue.turn(Some(address.into())).await) })
    };
    let mut others: Vec<_> = (0..50).map(|_| wait([192, 0, 2, 101])).collect();
    until_waiting(app, others.len()).await;
    let search = |address: [u8; 4]| {
        let client = app.anonymous().at(address);
        tokio::spawn(async move { client.get_once("/events?search=river").await })
    };
    let first = search([192, 0, 2, 101]);
    until_waiting(app, others.len() + 1).await;
    let joined = search([192, 0, 2, 102]);
    // The second request has joined once its epoch is read, which takes no turn.
    assert_eq!(app.editor().get_once("/events").await.status, 200);
    for client in 103.. {
        let free = FULL - 1 - others.len();
        others.extend((0..free.min(40)).map(|_| wait([192, 0, 2, client])));
        until_waiting(app, others.len() + 1).await;
        if free <= 40 {
            break;
        }
    }
    // A client with fewer searches takes the place of the first search.
    others.push(wait(LAST));
    first.await.unwrap().assert_error(503, "service_unavailable");
    until_waiting(app, FULL).await;
    drop(held);
    let answer = joined.await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["total"], 1);
    for other in others {
        other.abort();
    }
}

/// A search goes on while one of its clients waits, and leaves the queue with the last one.
#[both_stores]
async fn an_abandoned_search_leaves_the_queue(app: &TestApp) {
    app.admin().event(json!({"title": "River cleanup"})).await;
    let held = hold_all(app).await;
    let first = begin(app, "/events?search=river");
    until_waiting(app, 1).await;
    let other = begin(app, "/events?search=cleanup");
    until_waiting(app, 2).await;
    abandon(other).await;
    until_waiting(app, 1).await;
    if caches() {
        let second = begin(app, "/events?search=river");
        // This request has joined once its epoch is read, which takes no turn.
        assert_eq!(app.editor().get_once("/events").await.status, 200);
        abandon(first).await;
        drop(held);
        assert_eq!(second.await.unwrap().json()["total"], 1);
    } else {
        abandon(first).await;
        until_waiting(app, 0).await;
        drop(held);
    }
    // All turns are free again.
    let held = hold_all(app).await;
    let alone = begin(app, "/events?search=river%20cleanup");
    until_waiting(app, 1).await;
    abandon(alone).await;
    until_waiting(app, 0).await;
    drop(held);
}

/// A search that begins after a write shows it, even while an equal search from before it is in
/// progress.
#[both_stores]
async fn a_search_after_a_write_joins_no_earlier_one(app: &TestApp) {
    app.admin().event(json!({"title": "River cleanup"})).await;
    let held = hold_all(app).await;
    let before = begin(app, "/events?search=river");
    until_waiting(app, 1).await;
    app.admin().event(json!({"title": "River fair"})).await;
    let after = begin(app, "/events?search=river");
    until_waiting(app, 2).await;
    drop(held);
    assert_eq!(before.await.unwrap().status, 200);
    assert_eq!(after.await.unwrap().json()["total"], 2);
}

/// A search that finds the queue full is refused at once.
#[both_stores]
async fn a_full_queue_refuses(app: &TestApp) {
    const OF_ONE_CLIENT: usize = 64;
    let held = hold_all(app).await;
    let searches: Vec<_> = (0..OF_ONE_CLIENT)
        .map(|number| begin(app, &format!("/events?search=word{number}")))
        .collect();
    until_waiting(app, OF_ONE_CLIENT).await;
    let refused = app.anonymous().get_once("/events?search=river").await;
    refused.assert_error(503, "service_unavailable");
    assert_ne!(refused.header("retry-after"), "");
    for search in searches {
        abandon(search).await;
    }
    drop(held);
    let answer = app.anonymous().get("/events?search=river").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}
