//! Answers that wait for news.

use std::time::Duration;

use futures_util::{StreamExt as _, future::join, stream::FuturesUnordered};
use http_service::Limits;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client},
};
use tokio::time::sleep;

use super::{Copy, items};

/// An answer that waits, without the cache.
async fn wait(client: &Client, token: &str, seconds: u32, more: &str) -> Value {
    let path = format!("/changes?sync_token={token}&wait={seconds}{more}");
    let answer = client.get_once(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Y-45: an answer with `wait` comes with the next change, without one after that time; what the caller does
/// not see is no change.
#[both_stores]
async fn an_answer_waits_for_news(app: &TestApp) {
    let copy = Copy::new(app.anonymous()).await;
    let token = &copy.token;
    let nothing = wait(&app.anonymous(), token, 1, "").await;
    assert_eq!((&nothing["changes"], &nothing["sync_token"]), (&json!([]), &json!(token)));

    let store = app.db.another(|_| ()).await;
    let other = app.variant().store(store).build().await;
    let write = async {
        other.admin().event(json!({"status": "draft"})).await;
        other.admin().make("/tags", json!({"name": "Loud"})).await
    };
    let (answer, _) = join(wait(&app.anonymous(), token, 50, ""), write).await;
    assert_eq!(items(&answer), ["upsert tag 1"]);
    let later = json!({"status": "future", "date": "2027-01-01 12:10:00"});
    app.admin().event(later).await;
    let due = async { app.clock.set("2027-01-01 12:10:00") };
    let token = answer["sync_token"].as_str().unwrap();
    let (answer, ()) = join(wait(&app.anonymous(), token, 50, ""), due).await;
    assert_eq!(items(&answer), ["upsert event 2"]);
}

/// A server that stops answers without news, and holds no answer back any more.
#[both_stores]
async fn a_server_that_stops_answers(app: &TestApp) {
    let mut news = None;
    let app = app.variant();
    let app = app.build_with(|state| {
        news = Some(state.news.clone());
        state
    });
    let app = app.await;
    let copy = Copy::new(app.editor()).await;
    let news = news.unwrap();
    let stop = async { news.stop() };
    let (answer, ()) = join(wait(&app.editor(), &copy.token, 50, ""), stop).await;
    assert_eq!(answer["changes"], json!([]));
    let again = wait(&app.editor(), &copy.token, 50, "").await;
    assert_eq!(again["sync_token"], json!(copy.token));
}

/// Requests that may wait in one test, and requests that may be in progress. By default, 1,000 and 512.
const WAITING: u32 = 8;
const IN_PROGRESS: usize = 4;

/// The address of a client among many.
fn address(number: u32) -> [u8; 4] {
    let [_, _, high, low] = number.to_be_bytes();
    [198, 18, high, low]
}

/// Y-46: more requests wait than may be in progress; lists are answered meanwhile, and changes are written.
/// Y-52: one more than may wait is 503 with `Retry-After`, a request as well as a stream.
#[both_stores]
async fn requests_that_wait_take_no_permit(app: &TestApp) {
    let mut news = None;
    let app = app.variant().build_with(|state| {
        let limits = Limits { requests: IN_PROGRESS, ..Limits::default() };
        let state = state.with_limits(limits).with_max_waiting(WAITING);
        news = Some(state.news.clone());
        state
    });
    let (app, news) = (app.await, news.unwrap());
    let token = Copy::new(app.anonymous()).await.token;
    let mut waiting = Vec::new();
    for size in 1..=WAITING {
        // Equal requests would share an answer.
        let path = format!("/changes?sync_token={token}&wait=50&per_page={size}");
        let client = app.anonymous().at(address(size));
        waiting.push(tokio::spawn(async move { client.get_once(&path).await }));
        while news.waiting() < waiting.len() {
            sleep(Duration::from_millis(5)).await;
        }
    }
    let other = app.anonymous().at(address(0));
    let refused = other.get_once(&format!("/changes?sync_token={token}&wait=1")).await;
    refused.assert_error(503, "service_unavailable");
    assert_ne!(refused.header("retry-after"), "");
    let stream = other.open("/changes", &[("accept", "text/event-stream")]).await;
    assert_eq!(stream.status(), 503);

    assert_eq!(app.list("").await, [0; 0]);
    app.admin().event(json!({"status": "draft"})).await;
    assert_eq!(app.admin().get("/events?status=draft").await.ids(), [1]);
    assert!(waiting.iter().all(|one| !one.is_finished()), "nobody sees a draft");
    news.stop();
    for answer in waiting {
        let answer = answer.await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["changes"], json!([]));
    }
}

/// Sends requests that wait, of which the last one is refused; the others get their answers.
async fn one_is_refused(app: &TestApp, clients: impl Iterator<Item = Client>) {
    let clients: Vec<_> = clients.collect();
    let token = Copy::new(clients[0].clone()).await.token;
    let requests = clients.iter().zip(1..).map(|(client, size)| {
        let path = format!("/changes?sync_token={token}&wait=50&per_page={size}");
        async move { client.get_once(&path).await }
    });
    let mut waiting: FuturesUnordered<_> = requests.collect();
    let in_all = waiting.len();
    let refused = waiting.next().await.unwrap();
    refused.assert_error(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "5");
    let others = waiting.collect::<Vec<Answer>>();
    let (answers, _) = join(others, app.admin().make("/tags", json!({"name": "Loud"}))).await;
    assert_eq!(answers.len() + 1, in_all);
    for answer in answers {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(items(&answer.json()), ["upsert tag 1"]);
    }
}

/// Y-52: the 21st request that waits at an address is 429; the others get their answers.
#[both_stores]
async fn waits_are_limited_by_address(app: &TestApp) {
    let client = app.anonymous().at([198, 51, 100, 7]);
    one_is_refused(app, std::iter::repeat_n(client, 21)).await;
}

/// Y-52: the 51st request of a user that waits is 429, wherever it comes from.
#[both_stores]
async fn waits_are_limited_by_user(app: &TestApp) {
    let token = Copy::new(app.editor()).await.token;
    let path = format!("/changes?sync_token={token}&wait=50");
    let clients: Vec<_> = (0..51).map(|number| app.editor().at(address(number))).collect();
    let mut waiting: FuturesUnordered<_> = clients.iter().map(|one| one.get_once(&path)).collect();
    waiting.next().await.unwrap().assert_error(429, "rate_limited");
}
