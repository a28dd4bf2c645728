//! The policy `keep-local`: fields that an editor changed stay, others follow.

use super::*;

/// A field that an editor changed stays, and each other one follows the source.
#[both_stores]
async fn fields_that_an_editor_changed_stay(app: &TestApp) {
    let lines = |number: u8| {
        format!(
            "SUMMARY:Fair {number}\r\nDESCRIPTION:Text {number}\r\nLOCATION:Hall {number}\r\n\
             URL:https://fair.example/{number}\r\nCATEGORIES:Kind {number}\r\nSEQUENCE:{number}"
        )
    };
    let servers = Servers::of(ADDRESS, file(&[("1", &lines(1)), ("2", &lines(1))]));
    add(&app.admin(), json!({})).await;
    run_due(app, &servers).await;
    let list = app.editor().get("/events?start_date=2027-01-01").await.json();
    let ids: Vec<i64> =
        list["events"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
    let path = format!("/events/{}", ids[0]);
    let edit = json!({"title": "Ours", "website": "https://ours.example/", "start_date": "2027-03-11 09:00", "end_date": "2027-03-11 10:00"});
    app.editor().change(&path, edit).await;

    for number in 2..4 {
        servers.put(ADDRESS, file(&[("1", &lines(number)), ("2", &lines(number))]));
        app.clock.advance_seconds(2 * 3600);
        run_due(app, &servers).await;
        let event = app.editor().get(&path).await.json();
        let kept = json!([event["title"], event["website"], event["start_date"]]);
        assert_eq!(kept, json!(["Ours", "https://ours.example/", "2027-03-11 09:00:00"]));
        let text = event["description"].as_str().unwrap();
        assert!(text.contains(&format!("Text {number}")), "{text}");
        assert_eq!(event["venue"]["venue"], format!("Hall {number}"));
        assert_eq!(event["categories"][0]["name"], format!("Kind {number}"));
        let other = app.editor().get(&format!("/events/{}", ids[1])).await.json();
        assert_eq!(other["title"], format!("Fair {number}"));
    }
}

/// The dates of a series that an editor changed stay; without changes they follow.
#[both_stores]
async fn dates_that_an_editor_changed_stay(app: &TestApp) {
    let series = |number: u8| {
        let rest = format!("SEQUENCE:{number}\r\nRRULE:FREQ=DAILY;COUNT=3");
        let own = format!(
            "UID:1@club.example\r\nRECURRENCE-ID:20270311T090000Z\r\nDTSTART:20270311T090000Z\r\n\
             DTEND:20270311T100000Z\r\nSUMMARY:Second {number}\r\nSEQUENCE:{number}"
        );
        file(&[(
            "1",
            &format!("SUMMARY:Yoga {number}\r\n{rest}\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\n{own}"),
        )])
    };
    let servers = Servers::of(ADDRESS, series(1));
    add(&app.admin(), json!({})).await;
    let step = async |number: u8| {
        servers.put(ADDRESS, series(number));
        app.clock.advance_seconds(2 * 3600);
        run_due(app, &servers).await;
        titles(&app.editor()).await
    };
    assert_eq!(step(1).await, ["Second 1 publish", "Yoga 1 publish"].map(str::to_owned).into());
    assert_eq!(step(2).await, ["Second 2 publish", "Yoga 2 publish"].map(str::to_owned).into());
    let list = app.editor().get("/events?search=Second&start_date=2027-01-01").await.json();
    let path = format!("/events/{}", list["events"][0]["id"]);
    app.editor().change(&path, json!({"title": "Ours"})).await;
    assert_eq!(step(3).await, ["Ours publish", "Yoga 3 publish"].map(str::to_owned).into());
}

/// Imports of files take the policy, too; a table keeps what an editor changed.
#[both_stores]
async fn imports_of_files_keep_changes(app: &TestApp) {
    let send = async |title: &str, city: &str| {
        let table = format!("Venue ID,Venue Name,Venue City,Venue Phone\n,{title},{city},{city}\n");
        let body = Some(("text/csv", table.into_bytes()));
        let path = "/imports?kind=venues&policy=keep-local";
        let answer = app.editor().send(axum::http::Method::POST, path, body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    send("Mill", "1").await;
    let list = app.editor().get("/venues").await.json();
    let path = format!("/venues/{}", list["venues"][0]["id"]);
    app.editor().change(&path, json!({"city": "Lyon"})).await;
    send("Mill", "2").await;
    let venue = app.editor().get(&path).await.json();
    assert_eq!((&venue["city"], &venue["phone"]), (&json!("Lyon"), &json!("2")));
}
