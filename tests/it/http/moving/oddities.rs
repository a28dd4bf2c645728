//! Odd answers of a site.

use super::*;

/// Forms of venues, organizers, categories, images, costs and dates; each event is taken.
#[both_stores]
async fn odd_answers_are_survived(app: &TestApp) {
    let site = OldSite::start().await;
    let hall = json!({"id": 6, "venue": "Hall"});
    for (id, fields) in (1..).zip([
        json!({"venue": [], "organizer": [], "categories": false, "tags": false, "author": "Linus"}),
        json!({"venue": [hall], "organizer": {"9": {"id": 9, "organizer": "Ada"}}}),
        json!({"venue": hall, "organizer": {"id": 9, "organizer": "Ada"}, "categories": [7]}),
        json!({"title": "", "slug": "%d8%a3%d8%a8"}),
        json!({"timezone": "", "timezone_abbr": ""}),
        json!({"timezone": "UTC+2", "utc_start_date": "2027-03-01 17:00:00", "utc_end_date": "2027-03-01 20:30:00"}),
        json!({"timezone": "Mars/Olympus"}),
        json!({"website": "no address", "cost": "$5,10 &ndash; &euro;7", "status": "tribe-ignored", "always": true}),
        json!({"image": "", "website": "https://a.example/?a=1&amp;b=2"}),
        json!({"all_day": true, "start_date": "2027-03-01 00:00:00", "end_date": "2027-03-02 23:59:59",
            "utc_start_date": "2027-02-28 23:00:00", "utc_end_date": "2027-03-02 22:59:59"}),
    ]) {
        let mut event = json!({"id": id, "title": format!("Event {id}")});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        site.add("events", event);
    }
    let (report, remarks) = import(app, &site).await;
    assert_eq!(counts(&report, Kind::Event), [10, 0, 0, 0], "{remarks:?}");
    assert_eq!(counts(&report, Kind::Venue), [1, 0, 0, 0], "the venue comes with its events");
    let event = |id| async move { app.editor().get(&format!("/events/{id}")).await.json() };
    assert_eq!(event(1).await["venue"], json!([]));
    for id in [2, 3] {
        let event = event(id).await;
        assert_eq!((&event["venue"]["id"], &event["organizer"][0]["id"]), (&json!(6), &json!(9)));
    }
    assert_eq!(event(4).await["title"], "أب");
    assert_eq!(event(5).await["timezone"], "UTC");
    assert_eq!(event(6).await["utc_start_date"], "2027-03-01 17:00:00");
    assert_eq!(event(7).await["timezone"], "UTC");
    let eighth = event(8).await;
    assert_eq!((&eighth["status"], &eighth["cost"]), (&json!("draft"), &json!("$5,10 – €7")));
    assert_eq!(event(9).await["website"], "https://a.example/?a=1&b=2");
    assert_eq!(event(10).await["end_date"], "2027-03-02 23:59:59");
    for remark in [
        "/events/3/: left out: categories: 7 is not here",
        "/events/4/: no title: called أب",
        "/events/5/: no timezone: taken as that of this site",
        "/events/7/: left out: timezone: ",
        "/events/8/: left out: website: ",
        "/events/8/: status tribe-ignored: taken as draft",
    ] {
        assert!(remarks.iter().any(|one| one.contains(remark)), "{remark}: {remarks:?}");
    }
    assert!(
        !remarks.iter().any(|one| one.contains("/events/6/") || one.contains("/events/10/")),
        "{remarks:?}"
    );
    let (again, _) = import(app, &site).await;
    assert!(again.is_unchanged());
}

/// An event without usable dates is refused by its URL; an item without ID too. The others are taken.
#[both_stores]
async fn unusable_events_are_refused(app: &TestApp) {
    let site = OldSite::start().await;
    site.add("events", json!({"id": 1, "title": "A", "start_date": "soon"}));
    site.add("events", json!({"id": 2, "title": "A", "end_date": "2027-02-01 00:00:00"}));
    site.add("events", json!({"id": 3, "title": "A"}));
    site.add("events", json!({"id": 4, "title": "A", "start_date": ""}));
    site.add("events", json!({"id": "x", "title": "A"}));
    site.add("events", json!({"id": 5, "title": "A".repeat(2000)}));
    let (report, remarks) = import(app, &site).await;
    assert_eq!(counts(&report, Kind::Event), [2, 0, 0, 4]);
    assert_eq!(report.refused(), 4);
    for remark in [
        "/events/1/: not taken: start_date: ",
        "/events/2/: its end is before its start: it ends when it starts",
        "/events/4/: not taken: start_date: is required",
        "/events/5/: not taken: title: ",
    ] {
        assert!(remarks.iter().any(|one| one.contains(remark)), "{remark}: {remarks:?}");
    }
    let mut taken = app.list(ALL).await;
    taken.sort_unstable();
    assert_eq!(taken, [2, 3]);
    let second = app.anonymous().get("/events/2").await.json();
    assert_eq!(second["end_date"], second["start_date"]);
}

/// Texts lose what the plug-in rendered into them, and nothing else; titles keep their letters.
#[both_stores]
async fn texts_come_without_what_the_plug_in_rendered(app: &TestApp) {
    let site = OldSite::start().await;
    let text = format!(
        "<!-- wp:tribe/event-datetime /--><div class=\"tribe-events-schedule tribe-clearfix\"><h2 \
         class=\"tribe-events-schedule__datetime\"><span>March 1 @ 7:00 pm</span></h2></div>\n\
         <p>Come <a>all</a>.</p>\n<div class=\"tribe-block tribe-block__events-link\"><button>Add to \
         calendar</button><ul><li><a href=\"/?ical=1\">iCalendar</a></li></ul></div>\n\
         <div class=\"tribe-events-single-event-description\"><p>Bring boots.</p></div>\n\
         <p><img src=\"data:image/png;base64,{}\"></p>\n<figure><iframe \
         src=\"https://video.example/embed/7\"></iframe></figure><p>End</p>",
        "QUJD".repeat(100_000)
    );
    site.add(
        "events",
        json!({"id": 1, "title": "Learn &lt;div&gt;", "description": text, "excerpt": text}),
    );
    let (report, remarks) = import(app, &site).await;
    assert_eq!(counts(&report, Kind::Event), [1, 0, 0, 0], "{remarks:?}");
    let event = app.anonymous().get("/events/1").await.json();
    assert_eq!(event["title"], "Learn ‹div›");
    let shown = event["description"].as_str().unwrap();
    for gone in ["March", "calendar", "iCalendar", "data:", "<a>", "<iframe", "tribe-block"] {
        assert!(!shown.contains(gone), "{gone}: {shown}");
    }
    for kept in [
        "Come all.",
        "Bring boots.",
        "<a href=\"https://video.example/embed/7\">https://video.example/embed/7</a>",
        "End",
    ] {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
    for remark in [
        "/events/1/: description: 1 frame or video is a link now",
        "/events/1/: description: left out 1 picture that is part of the text",
    ] {
        assert!(remarks.iter().any(|one| one.contains(remark)), "{remark}: {remarks:?}");
    }
}

/// In the hour that the clocks show twice, the site's time in UTC decides; elsewhere the wall clock does.
#[both_stores]
async fn repeated_hours_are_told_apart(app: &TestApp) {
    let site = OldSite::start().await;
    for (id, start) in [(1, "2027-10-31 00:30:00"), (2, "2027-10-31 01:30:00")] {
        site.add(
            "events",
            json!({"id": id, "title": "A", "start_date": "2027-10-31 02:30:00", "utc_start_date": start,
                "end_date": "2027-10-31 05:00:00", "utc_end_date": "2027-10-31 04:00:00"}),
        );
    }
    let (report, remarks) = import(app, &site).await;
    assert_eq!((report.wrong_utc, remarks), (0, Vec::new()));
    for (id, start) in [(1, "2027-10-31 00:30:00"), (2, "2027-10-31 01:30:00")] {
        let event = app.anonymous().get(&format!("/events/{id}")).await.json();
        assert_eq!(
            (&event["utc_start_date"], &event["start_date"], &event["timezone"]),
            (&json!(start), &json!("2027-10-31 02:30:00"), &json!("Europe/Berlin"))
        );
    }
}

/// An event with a password becomes a draft, as the site does not tell the password.
#[both_stores]
async fn locked_events_become_drafts(app: &TestApp) {
    let site = OldSite::start().await;
    let flags =
        json!({"id": 1, "title": "Secret", "all_day": null, "featured": null, "sticky": null});
    site.add("events", flags);
    let (_, remarks) = import(app, &site).await;
    assert!(remarks[0].ends_with("taken as a draft"), "{remarks:?}");
    assert_eq!(app.anonymous().get("/events/1").await.status, 403);
    assert_eq!(app.editor().get("/events/1").await.json()["status"], "draft");
}

/// Wrong times in UTC are computed anew; the first five are named.
#[both_stores]
async fn wrong_times_in_utc_are_reported(app: &TestApp) {
    let site = OldSite::start().await;
    for id in 1..=7 {
        let wrong = if id == 7 { "18" } else { "19" };
        site.add(
            "events",
            json!({"id": id, "title": "A", "utc_start_date": format!("2027-03-01 {wrong}:00:00")}),
        );
    }
    let (report, remarks) = import(app, &site).await;
    assert_eq!((report.wrong_utc, remarks.len()), (6, 5));
    assert!(remarks[0].ends_with(
        "2027-03-01 19:00:00 to 2027-03-01 21:30:00 UTC there, 2027-03-01 18:00:00 to 2027-03-01 21:30:00 by Europe/Berlin"
    ), "{remarks:?}");
    assert_eq!(
        app.anonymous().get("/events/1").await.json()["utc_start_date"],
        "2027-03-01 18:00:00"
    );
}

/// IDs that are taken, and those beyond 2³¹−1, are replaced; so are taken slugs. A term of the same
/// name is used.
#[both_stores]
async fn taken_ids_are_replaced(app: &TestApp) {
    let editor = app.editor();
    editor.event(json!({"title": "Here", "slug": "concert"})).await;
    editor.make("/categories", json!({"name": "Music"})).await;
    let site = OldSite::start().await;
    site.add("categories", json!({"id": 3, "name": "Music", "slug": "music"}));
    site.add(
        "events",
        json!({"id": 1, "title": "There", "slug": "concert",
        "categories": [{"id": 3, "name": "Music", "slug": "music"}]}),
    );
    site.add("events", json!({"id": 10_000_007, "title": "Occurrence"}));
    site.add("events", json!({"id": 2_147_483_648_i64, "title": "Far"}));
    let (report, remarks) = import(app, &site).await;
    assert_eq!((report.renumbered, counts(&report, Kind::Event)), (2, [3, 0, 0, 0]));
    assert_eq!(counts(&report, Kind::Category), [0, 0, 1, 0]);
    assert!(
        remarks.iter().any(|one| one.contains("/events/1/: the ID 1 is taken: it is 2 here")),
        "{remarks:?}"
    );
    assert!(
        remarks.iter().any(|one| one.ends_with("the slug concert is taken: it is concert-2 here")),
        "{remarks:?}"
    );
    assert_eq!(app.anonymous().get("/events/1").await.json()["title"], "Here");
    let there = app.anonymous().get("/events/by-slug/concert-2").await.json();
    assert_eq!((&there["title"], &there["categories"][0]["id"]), (&json!("There"), &json!(1)));
    assert_eq!(app.anonymous().get("/events/10000007").await.json()["title"], "Occurrence");
    assert!(import(app, &site).await.0.is_unchanged());
    assert_eq!(editor.event(json!({})).await["id"], 10_000_009);
}

/// Cancelled events are cancelled here; a postponed one says so at the head of its text. Both the plug-in's
/// own field and the data for search engines tell it.
#[both_stores]
async fn states_move(app: &TestApp) {
    let site = OldSite::start().await;
    let data = |state: &str| json!({"eventStatus": format!("https://schema.org/Event{state}")});
    for (id, fields) in (1..).zip([
        json!({"state": "canceled"}),
        json!({"state": "postponed", "description": "Later"}),
        json!({"json_ld": data("Cancelled")}),
        json!({"json_ld": data("Postponed")}),
        json!({"state": "scheduled", "json_ld": data("Cancelled")}),
        json!({}),
    ]) {
        let mut event = json!({"id": id, "title": "A"});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        site.add("events", event);
    }
    let (_, remarks) = import(app, &site).await;
    let event = |id| async move { app.anonymous().get(&format!("/events/{id}")).await.json() };
    for (id, is_cancelled) in (1..).zip([true, false, true, false, false, false]) {
        assert_eq!(event(id).await["cancelled"] == true, is_cancelled, "{id}");
    }
    let text = "<p><strong>Postponed</strong></p>\n<p>Later</p>";
    assert_eq!(event(2).await["description"], text);
    assert_eq!(event(4).await["description"], "<p><strong>Postponed</strong></p>");
    let postponed = |remark: &&String| remark.ends_with("postponed: the text says so at its head");
    assert_eq!(remarks.iter().filter(postponed).count(), 2, "{remarks:?}");
    assert!(import(app, &site).await.0.is_unchanged());

    site.change("events", 1, json!({"state": "scheduled"}));
    import(app, &site).await;
    assert_ne!(event(1).await["cancelled"], true);
}

/// A website without a scheme gets one.
#[both_stores]
async fn websites_get_a_scheme(app: &TestApp) {
    let site = OldSite::start().await;
    for (id, website) in [(1, "www.concert.example/a?b=c"), (2, "https://concert.example/")] {
        site.add("events", json!({"id": id, "title": "A", "website": website}));
    }
    import(app, &site).await;
    for (id, website) in [(1, "http://www.concert.example/a?b=c"), (2, "https://concert.example/")]
    {
        assert_eq!(app.anonymous().get(&format!("/events/{id}")).await.json()["website"], website);
    }
}
