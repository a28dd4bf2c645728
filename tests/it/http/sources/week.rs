//! A week of many sources, in the time of a stopped clock.

use super::*;

/// In a week of 100 sources that change and fail, no event is there twice, and no edit is lost. On SQLite alone, as it takes a minute.
#[tokio::test]
async fn a_week_of_a_hundred_sources() {
    let app = &TestApp::sqlite().await;
    let servers = Servers::default();
    let address = |number: usize| format!("https://club{number}.example/a.ics");
    let content = |number: usize, day: usize| {
        let events: Vec<_> = (0..3)
            .map(|event| {
                let lines = format!("SUMMARY:Event {number} {event} day {day}\r\nSEQUENCE:{day}");
                (format!("{number}-{event}"), lines)
            })
            .collect();
        let events: Vec<_> = events.iter().map(|(uid, lines)| (&**uid, &**lines)).collect();
        file(&events)
    };
    for number in 0..100 {
        servers.put(&address(number), content(number, 0));
        let every = ["1d", "2d", "12h"][number % 3];
        let fields = json!({"name": number.to_string(), "url": address(number), "every": every});
        add(&app.admin(), fields).await;
    }
    run_due(app, &servers).await;
    let total = async || {
        let list = app.editor().get("/events?status=any&per_page=1&start_date=1900-01-01").await;
        list.json()["total"].clone()
    };
    assert_eq!(total().await, 300);
    // An editor changes one event in ten.
    let first = app.editor().get("/events?per_page=30&start_date=2027-01-01").await.json();
    let edited: Vec<String> = first["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| format!("/events/{}", event["id"]))
        .collect();
    for path in &edited {
        app.editor().change(path, json!({"title": "Edited"})).await;
    }
    for quarter in 1..=28 {
        for number in 0..100 {
            let day = quarter / 4;
            match (number + quarter) % 10 {
                0 => servers.fail(&address(number), ReadFault::TooSlow),
                1 => servers.put(&address(number), "<html>"),
                _ => servers.put(&address(number), content(number, day)),
            }
        }
        app.clock.advance_seconds(6 * 3600);
        run_due(app, &servers).await;
    }
    assert_eq!(total().await, 300);
    for path in &edited {
        assert_eq!(app.editor().get(path).await.json()["title"], "Edited", "{path}");
    }
    // All others have followed.
    for number in 0..100 {
        servers.put(&address(number), content(number, 8));
    }
    app.clock.advance_seconds(4 * 86_400);
    run_due(app, &servers).await;
    let path = "/events?search=day%208&per_page=1&start_date=1900-01-01";
    let followed = app.editor().get(path).await.json();
    assert_eq!(followed["total"], 300 - edited.len());
}
