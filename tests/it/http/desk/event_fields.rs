//! Tickets, the larger event, maps and the author in the form of an event.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{Browser, form_of};

/// The form adds, changes and removes tickets. Tickets that stay keep the seconds of their times.
#[both_stores]
async fn tickets_are_rows(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let tickets = json!([
        {"name": "Day", "price": "5", "currency": "EUR", "available_until": "2027-03-09 20:00:30"},
        {"name": "Evening", "price": "3.50", "currency": "EUR", "url": "https://shop.example/"}]);
    let event = json!({"title": "Fair", "start_date": "2027-03-10 09:00:00",
        "end_date": "2027-03-10 18:00:00", "timezone": "Europe/Paris", "tickets": tickets});
    let event = app.editor().event(event).await;
    let (id, before) = (&event["id"], event["tickets"].clone());
    let path = format!("//desk/event/{id}");
    let html = browser.get(&path).await.text();
    let changed = [("ticket_1_remove", "1"), ("ticket_2_name", "Child"), ("ticket_2_price", "0")];
    let currency = [("ticket_2_currency", "CHF")];
    let sent = form_of(&html, &[&changed[..], &currency].concat());
    assert_eq!(browser.post(&path, &sent).await.status, 303);
    let after = app.anonymous().get(&format!("/events/{id}")).await.json()["tickets"].clone();
    assert_eq!(after[0], before[0]);
    assert_eq!((after[1]["name"].clone(), after.as_array().unwrap().len()), ("Child".into(), 2));

    let html = browser.get(&path).await.text();
    let bad = browser.post(&path, &form_of(&html, &[("ticket_2_name", "Dog")])).await;
    assert_eq!(bad.status, 400);
    let html = bad.text();
    assert!(html.contains("href=\"#tickets\"") && html.contains("value=\"Dog\""), "{html}");

    // A form without rows of tickets keeps them.
    let sent = [("title", "Summer fair"), ("revision", "2")];
    let answer = browser.post(&path, &sent).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let kept = app.anonymous().get(&format!("/events/{id}")).await.json();
    assert_eq!((&kept["title"], &kept["tickets"]), (&"Summer fair".into(), &after));
}

/// An event becomes a part of a larger one, has a map, and is given to another user.
#[both_stores]
async fn the_larger_event_the_map_and_the_author(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let linus = app.accounts.add_user("linus", Role::Author, None).await.unwrap().id;
    let when = json!({"start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 18:00:00"});
    let titled = |title: &str| {
        let mut event = when.clone();
        event["title"] = title.into();
        event
    };
    let whole = app.editor().event(titled("Festival #3")).await["id"].clone();
    let part = app.editor().event(titled("Concert")).await["id"].clone();
    let path = format!("//desk/event/{part}");
    let html = browser.get(&path).await.text();
    let named = format!("Festival #3 #{whole}");
    assert!(html.contains(&format!("<option value=\"{named}\">")), "{html}");
    let author = linus.to_string();
    let changed = [("parent", named.as_str()), ("show_map", "1"), ("author", &author)];
    assert_eq!(browser.post(&path, &form_of(&html, &changed)).await.status, 303);
    let event = app.anonymous().get(&format!("/events/{part}")).await.json();
    assert_eq!((&event["parent"], &event["show_map"]), (&whole, &true.into()));
    assert_eq!((&event["show_map_link"], &event["author"]), (&false.into(), &linus.get().into()));

    let html = browser.get(&path).await.text();
    assert!(html.contains(&format!("name=\"parent\" value=\"{named}\"")), "{html}");
    let sent = form_of(&html, &[("parent", "the festival")]);
    assert_eq!(browser.post(&path, &sent).await.status, 400);
    let sent = form_of(&html, &[("parent", "")]);
    assert_eq!(browser.post(&path, &sent).await.status, 303);
    let event = app.anonymous().get(&format!("/events/{part}")).await.json();
    assert_eq!((&event["parent"], &event["show_map"]), (&0.into(), &true.into()));

    let html = Browser::of(app, "ada", Role::Author).await.get("//desk/event/new").await.text();
    assert!(!html.contains("name=\"author\"") && !html.contains("linus"), "{html}");
}

/// Lists have the filters of the pages, which stay in the links to further pages.
#[both_stores]
async fn lists_have_filters(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let category = app.editor().make("/categories", json!({"name": "Music"})).await["id"].clone();
    let hall = json!({"venue": "Hall", "city": "Lyon", "status": "private"});
    let hall = app.editor().make("/venues", hall).await["id"].clone();
    for (title, day, more) in [
        ("Concert", "2027-03-10", json!({"categories": [category], "cost": "5"})),
        ("Lecture", "2027-04-10", json!({"venue": hall, "cost": "0", "status": "draft"})),
    ] {
        let mut event = json!({"title": title, "start_date": format!("{day} 09:00:00"),
            "end_date": format!("{day} 18:00:00")});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        app.editor().event(event).await;
    }
    for (filter, found) in [
        ("", vec!["Lecture", "Concert"]),
        (&*format!("categories={category}"), vec!["Concert"]),
        (&format!("venue={hall}"), vec!["Lecture"]),
        ("city=lyon", vec!["Lecture"]),
        ("free=true", vec!["Lecture"]),
        ("start_date=2027-04-01", vec!["Lecture"]),
        ("end_date=2027-03-10&search=concert", vec!["Concert"]),
        ("ticketed=true", vec![]),
    ] {
        let answer = browser.get(&format!("//desk/events/all?{filter}")).await;
        assert_eq!(
            (answer.status, super::titles(&answer)),
            (200, found.iter().map(|one| (*one).to_owned()).collect()),
            "{filter}"
        );
    }
    let html = browser.get("//desk/events/all?free=true").await.text();
    assert!(html.contains("<details open>") && html.contains("value=\"true\" selected"), "{html}");
    let answer = browser.get("//desk/events/all?start_date=soon&venue=999").await;
    assert_eq!((answer.status, super::titles(&answer)), (200, Vec::new()));
    assert!(answer.text().contains("role=\"alert\""), "{}", answer.text());

    // A record that the person may not read is no choice, and names nothing.
    let author = Browser::of(app, "ada", Role::Author).await;
    let answer = author.get(&format!("//desk/events/mine?venue={hall}")).await.text();
    assert!(!answer.contains("Hall"), "{answer}");
}
