//! Imports of tables.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

use super::{events, findings, numbers, only};

/// Imports a table, and returns the report.
async fn import(client: &Client, query: &str, table: impl Into<Vec<u8>>) -> Value {
    let body = Some(("text/csv; charset=utf-8", table.into()));
    let answer = client.send(Method::POST, &format!("/imports{query}"), body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// F-79: the tables of the reference service are taken; a bad row is named by its line.
#[both_stores]
async fn tables_of_the_reference(app: &TestApp) {
    let venues = "Venue Name,Venue Country,Venue Address,Venue City,Venue State/Province,Venue Zip\n\
        Old Mill,France,3 Quai Vert,Lyon,Rhône,69002\n";
    let report = import(&app.editor(), "?kind=venues", venues).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
    let organizers = "Organizer Name,Organizer Email,Organizer Website,Organizer Phone\n\
        Rowing club,club@cal.example,https://club.example/,'+33 1\n";
    let report = import(&app.editor(), "?kind=organizers", organizers).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
    let table = "Event Name,Event Venue Name,Event Organizer Name,Event Start Date,Event Start Time,\
        Event End Date,Event End Time,All Day Event,Event Category,Event Cost,Event Website,Event Colour\n\
        River cleanup,Old Mill,Rowing club,4/17/2027,8:30 AM,4/17/2027,12:00 PM,,\"Nature,Water\",5,\
        https://river.example/,green\n\
        Festival,,,2027-05-01,,2027-05-03,,TRUE,,,,\n\
        ,,,2027-05-01,,2027-05-03,,,,,,\n\
        Late,,,2027-05-01,,2027-04-01,,,,,,\n\
        Odd,,,2027-05-01,,,,perhaps,,,,\n";
    let report = import(&app.editor(), "?timezone=Europe/Paris", table).await;
    assert_eq!(numbers(&report), [2, 0, 0, 0, 3], "{report:#}");
    assert_eq!(
        findings(&report["refused"]),
        [(4, "", "no-title"), (5, "end_date", "bad-date"), (6, "all_day", "bad-value")]
    );
    assert_eq!(findings(&report["warnings"]), [(1, "Event Colour", "unknown-column")]);

    let all = events(&app.editor()).await;
    let [festival, river] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(festival["start_date"], "2027-05-01 00:00:00");
    assert_eq!(
        (&festival["end_date"], &festival["all_day"]),
        (&json!("2027-05-03 23:59:59"), &json!(true))
    );
    assert_eq!(river["start_date"], "2027-04-17 08:30:00");
    assert_eq!(river["end_date"], "2027-04-17 12:00:00");
    assert_eq!((&river["venue"]["id"], &river["venue"]["zip"]), (&json!(1), &json!("69002")));
    assert_eq!(
        (&river["organizer"][0]["id"], &river["organizer"][0]["phone"]),
        (&json!(1), &json!("+33 1"))
    );
    assert_eq!(
        (&river["cost"], &river["website"]),
        (&json!("$5"), &json!("https://river.example/"))
    );
    let names = river["categories"].as_array().unwrap().iter().map(|one| one["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["Nature", "Water"]);
}

/// F-77: an import takes the apostrophe away that guards a cell.
#[both_stores]
async fn what_is_exported_comes_back(app: &TestApp) {
    for name in ["=1+1", "+33 1", "-x", "@x", "＝x", "'x", "Rowing, and more"] {
        app.admin().make("/organizers", json!({"organizer": name})).await;
    }
    app.admin().make("/categories", json!({"name": "Clean, green"})).await;
    let event = json!({"title": "=SUM(A1)", "description": "<p>\"a\", b</p>", "timezone": "Europe/Paris",
        "start_date": "2027-04-17 09:00", "end_date": "2027-04-17 12:00", "organizer": [7, 2],
        "categories": ["Clean, green"], "tags": ["river"], "cost": "5", "venue": {"venue": "Old Mill"}});
    app.admin().event(event).await;
    let jazz = json!({"title": "Jazz", "start_date": "2027-04-18 19:00", "end_date": "2027-04-18 20:00",
        "recurrence": "FREQ=DAILY;COUNT=2"});
    app.admin().event(jazz).await;
    let tables = async |client: &Client| {
        let events = client.get("/events.csv").await.text();
        (events, client.get("/organizers.csv").await.text())
    };
    let (of_events, of_organizers) = tables(&app.editor()).await;
    let editor = app.editor();
    // The same calendar: each row is a record that is there.
    assert_eq!(numbers(&import(&editor, "", &*of_events).await), [0, 0, 3, 0, 0]);
    assert_eq!(
        numbers(&import(&editor, "?kind=organizers", &*of_organizers).await),
        [0, 0, 7, 0, 0]
    );
    assert_eq!(tables(&editor).await, (of_events.clone(), of_organizers.clone()));

    // One cell is changed.
    let changed = of_events.replace("Old Mill", "New Mill");
    assert_eq!(numbers(&import(&editor, "", &*changed).await), [0, 1, 2, 0, 0]);
    assert_eq!(editor.get("/events/1").await.json()["venue"]["venue"], "New Mill");
    assert_eq!(numbers(&import(&editor, "", &*changed).await), [0, 0, 3, 0, 0]);

    // Another name with the same ID is another record, which a file of another calendar may have.
    let other = of_organizers.replace("Rowing, and more", "Chess");
    assert_eq!(numbers(&import(&editor, "?kind=organizers&source=elsewhere", &*other).await)[0], 1);
    assert_eq!(editor.get("/organizers/7").await.json()["organizer"], "Rowing, and more");
}

/// A table that is imported again adds nothing; policies hold, as does a dry run.
#[both_stores]
async fn rows_are_imported_once(app: &TestApp) {
    let table =
        "title,start_date,end_date,website\nFair,2027-04-17,2027-04-18,https://fair.example/\n";
    let editor = app.editor();
    assert_eq!(numbers(&import(&editor, "?dry_run=1", table).await), [1, 0, 0, 0, 0]);
    assert_eq!(events(&editor).await.len(), 0);
    assert_eq!(numbers(&import(&editor, "", table).await), [1, 0, 0, 0, 0]);
    assert_eq!(numbers(&import(&editor, "", table).await), [0, 0, 1, 0, 0]);
    let fair = only(&editor).await;
    let uid = editor.get("/events.csv?bom=0").await.text();
    let uid = uid.lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned();
    let with_uid = |title: &str| format!("uid,title,start_date\n{uid},{title},2027-04-17\n");
    assert_eq!(numbers(&import(&editor, "?policy=keep", with_uid("Kept")).await), [0, 0, 1, 0, 0]);
    assert_eq!(
        numbers(&import(&editor, "?policy=fill-blanks", with_uid("Kept")).await),
        [0, 0, 1, 0, 0]
    );
    assert_eq!(only(&editor).await["title"], fair["title"]);
    assert_eq!(numbers(&import(&editor, "", with_uid("Great fair")).await), [0, 1, 0, 0, 0]);
    assert_eq!(only(&editor).await["title"], "Great fair");
    for (query, status) in [
        ("?kind=tags", 400),
        ("?kind=venues&prune=1", 400),
        ("?date_order=ymd", 400),
        ("?policy=all", 400),
    ] {
        let body = Some(("text/csv", table.into()));
        let answer = editor.send(Method::POST, &format!("/imports{query}"), body).await;
        assert_eq!(answer.status, status, "{query}");
    }
}

/// A text of digits in a table is the name of a term, never its ID.
#[both_stores]
async fn terms_of_digits(app: &TestApp) {
    let editor = app.editor();
    app.admin().make("/tags", json!({"name": "Other"})).await;
    let table = "Event Name,Event Start Date,Event Category,Event Tags\n\
        Fair,2027-04-17,\"2024,Dance\",\"1,2040,Other\"\n";
    assert_eq!(numbers(&import(&editor, "", table).await), [1, 0, 0, 0, 0]);
    let fair = only(&editor).await;
    let names = |field: &str| {
        let terms = fair[field].as_array().unwrap().iter();
        let mut names: Vec<_> = terms.map(|one| one["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!((&*names("categories"), &*names("tags")), ("2024 Dance", "1 2040 Other"));
}

/// Tables of Google's calendar and of Excel: their headings, and a first line that names the separator.
#[both_stores]
async fn tables_of_other_programs(app: &TestApp) {
    let editor = app.editor();
    let google = "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n\
        Exam,05/30/2027,10:00 AM,05/30/2027,1:00 PM,False,Fifty questions,\"Hall, Room 6\",True\n\
        Trip,05/31/2027,,06/01/2027,,True,,,False\n";
    let report = import(&editor, "?timezone=Europe/Paris", google).await;
    assert_eq!(numbers(&report), [2, 0, 0, 0, 0], "{report:#}");
    let all = events(&app.admin()).await;
    let named = |title: &str| all.iter().find(|one| one["title"] == title).unwrap();
    let (exam, trip) = (named("Exam"), named("Trip"));
    assert_eq!(exam["start_date"], "2027-05-30 10:00:00");
    assert_eq!(
        (&exam["venue"]["venue"], &exam["status"]),
        (&json!("Hall, Room 6"), &json!("private"))
    );
    assert_eq!((&trip["all_day"], &trip["status"]), (&json!(true), &json!("publish")));
    let excel =
        "sep=;\r\nEvent Name;Event Start Date;Colour\r\nFete;2027-04-17;\r\n;2027-04-18;\r\n";
    let report = import(&editor, "", excel).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 1]);
    assert_eq!(findings(&report["refused"]), [(4, "", "no-title")]);
    assert_eq!(findings(&report["warnings"]), [(2, "Colour", "unknown-column")]);
}

/// A table of events, of titles with their starts.
fn table(rows: &[(&str, &str)]) -> String {
    let rows = rows.iter().map(|(title, start)| format!("{title},{start}\n"));
    format!("title,start_date\n{}", rows.collect::<String>())
}

/// The starts of all events, by title.
async fn starts(app: &TestApp) -> Vec<String> {
    let all = events(&app.anonymous()).await;
    let start = |event: &Value| event["start_date"].as_str().unwrap()[..10].to_owned();
    all.iter().map(start).collect()
}

/// A row with the title and the start of an event of its source updates it; one of another source is new.
#[both_stores]
async fn a_corrected_row_updates_its_event(app: &TestApp) {
    let of = |cost| format!("title,start_date,cost\nFair,2027-04-17 09:00,{cost}\n");
    let editor = app.editor();
    assert_eq!(numbers(&import(&editor, "", of("5")).await), [1, 0, 0, 0, 0]);
    assert_eq!(numbers(&import(&editor, "", of("7")).await), [0, 1, 0, 0, 0]);
    assert_eq!(only(&editor).await["cost"], "$7");
    assert_eq!(numbers(&import(&editor, "", of("7")).await), [0, 0, 1, 0, 0]);
    assert_eq!(numbers(&import(&editor, "?source=other", of("7")).await), [1, 0, 0, 0, 0]);
}

/// A date that can only be day first tells the order of all; one that contradicts it is refused by line.
#[both_stores]
async fn dates_of_a_table_have_one_order(app: &TestApp) {
    let clear = table(&[("A", "05/12/2027"), ("B", "25/12/2027")]);
    let report = import(&app.editor(), "", clear).await;
    assert_eq!(numbers(&report), [2, 0, 0, 0, 0]);
    assert!(findings(&report["warnings"]).is_empty());
    assert_eq!(starts(app).await, ["2027-12-05", "2027-12-25"]);
    let bad = table(&[("C", "26/12/2027"), ("D", "12/27/2027")]);
    let report = import(&app.editor(), "?date_order=dmy", bad).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 1]);
    assert_eq!(findings(&report["refused"]), [(3, "start_date", "date-order")]);
}

/// Dates that tell no order are read as the request or its language says, with a warning for the language.
#[both_stores]
async fn ambiguous_dates_are_warned_of(app: &TestApp) {
    for (title, query, start, code) in [
        ("A", "", "2027-05-12", Some("month-first")),
        ("B", "?ml_language=fr", "2027-12-05", Some("day-first")),
        ("C", "?date_order=dmy", "2027-12-05", None),
        ("D", "?ml_language=fr&date_order=mdy", "2027-05-12", None),
    ] {
        let report = import(&app.editor(), query, table(&[(title, "05/12/2027")])).await;
        assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
        let expected: Vec<_> = code.map(|code| (1, "start_date", code)).into_iter().collect();
        assert_eq!(findings(&report["warnings"]), expected, "{query}");
        assert_eq!(starts(app).await.last().unwrap(), start, "{query}");
    }
}

/// With `prune`, an event whose row is gone goes to the trash; too many are refused.
#[both_stores]
async fn rows_that_are_gone_are_pruned(app: &TestApp) {
    let rows = [("A", "2027-04-17"), ("B", "2027-04-18"), ("C", "2027-04-19")];
    import(&app.editor(), "", table(&rows)).await;
    let few = Some(("text/csv", table(&rows[..1]).into()));
    let answer = app.editor().send(Method::POST, "/imports?prune=1", few).await;
    answer.assert_invalid(&["prune"]);
    let report = import(&app.editor(), "?prune=1", table(&rows[..2])).await;
    assert_eq!((numbers(&report), &report["pruned"]), ([0, 0, 2, 0, 0], &json!(1)));
    assert_eq!(starts(app).await, ["2027-04-17", "2027-04-18"]);
    assert_eq!(numbers(&import(&app.editor(), "", table(&rows)).await), [0, 1, 2, 0, 0]);
    assert_eq!(starts(app).await.len(), 3);
}

/// D-35: `events.csv`, imported elsewhere, keeps each amount of a cost, and terms made of digits.
#[both_stores]
async fn costs_and_terms_of_a_table_come_back(app: &TestApp) {
    let costs = [
        json!(["$5", "$10", "$20"]),
        json!(["0", "7"]),
        json!(["5", "2, or 3 for all"]),
        json!("free"),
    ];
    for (day, cost) in (10..).zip(costs) {
        let start = format!("2027-03-{day} 09:00");
        let fields = json!({"title": "Fair", "tags": ["2040"], "cost": cost, "start_date": start,
            "end_date": start});
        app.admin().event(fields).await;
    }
    let shown = async || {
        let list = app.anonymous().get("/events?start_date=2027-01-01").await.json();
        let events = list["events"].as_array().unwrap().clone();
        let of =
            |event: &Value| json!([event["cost"], event["cost_details"], event["tags"][0]["name"]]);
        events.iter().map(of).collect::<Vec<_>>()
    };
    let before = shown().await;
    assert_eq!(before.len(), 4);
    let table = app.anonymous().get("/events.csv?start_date=2027-01-01").await.text();
    for id in 1..=4 {
        app.admin().delete(&format!("/events/{id}?force=1")).await;
    }
    let body = Some(("text/csv", table.into_bytes()));
    let report = app.editor().send(Method::POST, "/imports?kind=events", body).await;
    assert_eq!((report.status, &report.json()["created"]), (200, &json!(4)), "{}", report.text());
    assert_eq!(shown().await, before);
}

/// D-36: Terms that an import cannot link are told by line.
#[both_stores]
async fn terms_that_are_not_linked_are_told(app: &TestApp) {
    let table =
        "title,start_date,tags\nFair,2027-04-17,\"<i></i>,river\"\nMarket,2027-04-18,river\n";
    let report = import(&app.editor(), "?kind=events", table).await;
    assert_eq!(numbers(&report), [2, 0, 0, 0, 0]);
    assert_eq!(findings(&report["warnings"]), [(2, "tags", "not-linked")]);
}
