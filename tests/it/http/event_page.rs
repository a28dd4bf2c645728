//! The page of an event: its rule in words, its dates, calendars and tickets.

use serde_json::{Value, json};
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
};

use super::html::{contains, lacks, page};

/// The targets of all links to a host, unescaped.
fn links(html: &str, host: &str) -> Vec<String> {
    let targets = html.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    let targets = targets.map(|(url, _)| url.replace("&#38;", "&"));
    targets.filter(|url| url.starts_with(&format!("https://{host}/"))).collect()
}

/// The parameters of a URL.
fn parameters(url: &str) -> Value {
    let (_, query) = url.split_once('?').unwrap();
    let pairs = form_urlencoded::parse(query.as_bytes());
    pairs.map(|(name, value)| (name.into_owned(), Value::from(value.into_owned()))).collect()
}

/// A weekly event of two hours in Paris.
fn weekly(rule: &str) -> Value {
    json!({
        "title": "Jazz night", "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 21:00",
        "timezone": "Europe/Paris", "recurrence": {"rrule": rule},
    })
}

/// The page of a series says when it repeats, in the language of the page.
#[both_stores]
async fn a_series_says_its_rule(app: &TestApp) {
    let mut series = weekly("FREQ=WEEKLY;INTERVAL=2;UNTIL=20270601");
    series["recurrence"]["exdate"] = json!(["2027-03-30"]);
    app.admin().event(series).await;
    app.admin().event(weekly("FREQ=YEARLY;BYWEEKNO=9")).await;
    for (path, words) in [
        (
            "//event/jazz-night/",
            "every second Tuesday, 19:00 to 21:00, until 1 June 2027, except on 30 March 2027",
        ),
        (
            "//fr/event/jazz-night/",
            "un mardi sur deux, de 19:00 à 21:00, jusqu’au 1er juin 2027, sauf le 30 mars 2027",
        ),
        (
            "//ar/event/jazz-night/",
            "كل أسبوعين يوم الثلاثاء، من 19:00 إلى 21:00، حتى 1 يونيو 2027، باستثناء 30 مارس 2027",
        ),
    ] {
        let html = page(&app.anonymous(), path).await;
        contains(&html, &[&format!("<p class=\"repeats\">{words}</p>")]);
    }
    for path in ["//event/jazz-night-2/", "//event/jazz-night~2027-03-16/"] {
        lacks(&page(&app.anonymous(), path).await, &["class=\"repeats\""]);
    }
}

/// A series shows its next dates, and a link to pages of all of them.
#[both_stores]
async fn a_series_leads_to_all_its_dates(app: &TestApp) {
    app.admin().event(weekly("FREQ=DAILY;COUNT=60")).await;
    app.admin().event(weekly("FREQ=DAILY;COUNT=10")).await;
    let address = format!("{PUBLIC_URL}/event/jazz-night/");
    let anonymous = app.anonymous();
    let html = page(&anonymous, "//event/jazz-night/").await;
    assert_eq!(html.matches("<section class=\"day\">").count(), 10);
    contains(&html, &[&format!("<a href=\"{address}?dates=1\">All dates</a>")]);
    let html = page(&anonymous, "//event/jazz-night/?dates=1").await;
    assert_eq!(html.matches("<section class=\"day\">").count(), 50);
    contains(
        &html,
        &[
            "Page 1 of 2",
            &format!("<a rel=\"next\" href=\"{address}?dates=2\">"),
            &format!("<link rel=\"canonical\" href=\"{address}\">"),
        ],
    );
    lacks(&html, &["All dates"]);
    let html = page(&anonymous, "//event/jazz-night/?dates=2").await;
    assert_eq!(html.matches("<section class=\"day\">").count(), 10);
    for number in ["3", "0", "-1", "x", "", "99999999999999999999"] {
        let answer = anonymous.get(&format!("//event/jazz-night/?dates={number}")).await;
        assert_eq!(answer.status, 404, "{number}");
    }
    lacks(&page(&anonymous, "//event/jazz-night-2/").await, &["All dates"]);
}

/// An event to come can be added to calendars on the web, with its time, zone and place.
#[both_stores]
async fn an_event_can_be_added_to_calendars(app: &TestApp) {
    let fields = json!({
        "title": "Fair & square", "start_date": "2027-04-17 09:00", "end_date": "2027-04-17 12:00",
        "timezone": "Europe/Paris", "description": "Bring <b>gloves</b>.",
        "venue": {"venue": "Old Mill", "address": "3 Quai Vert", "zip": "69002", "city": "Lyon"},
    });
    app.admin().event(fields).await;
    let html = page(&app.anonymous(), "//event/fair-square/").await;
    contains(
        &html,
        &["<summary>Add to calendar</summary>", "/events/1.ics\" type=\"text/calendar\""],
    );
    let google = links(&html, "calendar.google.com");
    assert_eq!(google.len(), 1);
    assert!(google[0].starts_with("https://calendar.google.com/calendar/render?action=TEMPLATE&"));
    lacks(&google[0], &["+"]);
    let details = format!("Bring gloves.\n\n{PUBLIC_URL}/event/fair-square/");
    let place = "Old Mill, 3 Quai Vert, 69002 Lyon";
    let expected = json!({
        "action": "TEMPLATE", "text": "Fair & square", "dates": "20270417T090000/20270417T120000",
        "ctz": "Europe/Paris", "location": place, "details": details,
    });
    assert_eq!(parameters(&google[0]), expected);
    for host in ["outlook.live.com", "outlook.office.com"] {
        let outlook = links(&html, host);
        assert_eq!(outlook.len(), 1);
        let expected = json!({
            "path": "/calendar/action/compose", "rru": "addevent", "subject": "Fair & square",
            "startdt": "2027-04-17T09:00:00+02:00", "enddt": "2027-04-17T12:00:00+02:00",
            "location": place, "body": details,
        });
        assert_eq!(parameters(&outlook[0]), expected);
    }
    let whole_days = json!({"all_day": true, "timezone": "UTC", "end_date": "2027-04-18"});
    app.admin().change("/events/1", whole_days).await;
    let html = page(&app.anonymous(), "//event/fair-square/").await;
    let google = parameters(&links(&html, "calendar.google.com")[0]);
    assert_eq!(google["dates"], "20270417/20270419");
    let outlook = parameters(&links(&html, "outlook.live.com")[0]);
    assert_eq!(outlook["startdt"], "2027-04-17");
    assert_eq!(outlook["enddt"], "2027-04-19");
    assert_eq!(outlook["allday"], "true");
}

/// Google takes the rule of a series. Outlook takes none, and is not offered.
#[both_stores]
async fn a_series_can_be_added_to_calendars(app: &TestApp) {
    app.admin().event(weekly("FREQ=WEEKLY;COUNT=6")).await;
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    let google = parameters(&links(&html, "calendar.google.com")[0]);
    assert_eq!(google["recur"], "RRULE:FREQ=WEEKLY;COUNT=6");
    assert_eq!(google["dates"], "20270302T190000/20270302T210000");
    lacks(&html, &["outlook"]);
    let html = page(&app.anonymous(), "//event/jazz-night~2027-03-09/").await;
    let google = parameters(&links(&html, "calendar.google.com")[0]);
    assert_eq!(
        (&google["recur"], &google["dates"]),
        (&Value::Null, &json!("20270309T190000/20270309T210000"))
    );
    assert_eq!(links(&html, "outlook.live.com").len(), 1);
}

/// An event that is over or cancelled is not added; of a locked event, the links tell what lists do.
#[both_stores]
async fn the_links_of_other_events(app: &TestApp) {
    let locked = json!({"title": "Wedding", "password": "open sesame", "description": "Canary",
        "venue": {"venue": "Canary"}, "all_day": true});
    app.admin().event(locked).await;
    let html = page(&app.anonymous(), "//event/wedding/").await;
    let google = parameters(&links(&html, "calendar.google.com")[0]);
    let names: Vec<_> = google.as_object().unwrap().keys().collect();
    assert_eq!(names, ["action", "text", "dates", "details"]);
    assert_eq!(google["details"], format!("{PUBLIC_URL}/event/wedding/"));
    lacks(&html, &["Canary", "allday"]);
    app.admin().event(json!({"title": "Off", "cancelled": true})).await;
    app.admin()
        .event(json!({"title": "Over", "start_date": "2026-12-30", "end_date": "2026-12-31"}))
        .await;
    for path in ["//event/off/", "//event/over/"] {
        lacks(&page(&app.anonymous(), path).await, &["Add to calendar", "google", "outlook"]);
    }
}

/// Readers can subscribe to each list.
#[both_stores]
async fn lists_can_be_subscribed_to(app: &TestApp) {
    app.admin().event(json!({"title": "Fair", "venue": {"venue": "Old Mill"}})).await;
    for (path, words) in [
        ("//venue/old-mill/", "Subscribe"),
        ("//fr/venue/old-mill/", "S’abonner"),
        ("//", "Subscribe"),
    ] {
        let html = page(&app.anonymous(), path).await;
        contains(&html, &[&format!("<summary>{words}</summary>")]);
        let (_, rest) = html.split_once("readonly value=\"").unwrap();
        let address = rest.split_once('"').unwrap().0.replace("&#38;", "&");
        let file = address.strip_prefix(PUBLIC_URL).unwrap();
        assert!(
            app.anonymous().get(&format!("/{file}")).await.text().contains("SUMMARY"),
            "{address}"
        );
        let webcal = address.replacen("https", "webcal", 1);
        let google = links(&html, "calendar.google.com");
        assert!(google[0].starts_with("https://calendar.google.com/calendar/r?cid=webcal"));
        assert_eq!(parameters(&google[0]), json!({"cid": webcal}));
        for host in ["outlook.live.com", "outlook.office.com"] {
            assert_eq!(parameters(&links(&html, host)[0])["url"], address);
        }
    }
}

/// An event with these tickets, on sale from and until hours of the present day.
async fn sells(app: &TestApp, title: &str, tickets: &[(&str, &str, Option<u32>, Option<u32>)]) {
    let time = |hour: &Option<u32>| hour.map(|hour| format!("2027-01-01 {hour:02}:00:00"));
    let tickets = tickets.iter().map(|(name, price, from, until)| {
        let mut ticket = json!({"name": name, "price": price, "currency": "EUR",
            "url": format!("https://tickets.example/{name}")});
        for (field, hour) in [("available_from", from), ("available_until", until)] {
            if let Some(time) = time(hour) {
                ticket[field] = json!(time);
            }
        }
        ticket
    });
    let tickets: Vec<_> = tickets.collect();
    app.admin().event(json!({"title": title, "tickets": tickets, "timezone": "UTC"})).await;
}

/// The page of an event leads to the tickets on sale, or says why there are none.
#[both_stores]
async fn tickets_are_offered_while_they_are_sold(app: &TestApp) {
    // It is 12:00.
    sells(app, "One", &[("a", "12.5", None, None)]).await;
    sells(app, "Several", &[("a", "30", Some(11), None), ("b", "1200", None, Some(13))]).await;
    sells(app, "Free", &[("a", "0", None, None)]).await;
    sells(app, "Early", &[("a", "5", Some(14), None), ("b", "5", Some(13), None)]).await;
    sells(app, "Late", &[("a", "5", None, Some(11))]).await;
    let buy = |ticket: &str, text: &str| {
        format!(
            "<p class=\"buy\"><a href=\"https://tickets.example/{ticket}\" rel=\"external\"><bdi>{text}</bdi></a></p>"
        )
    };
    let note = |text: &str| format!("<p class=\"buy\"><bdi>{text}</bdi></p>");
    for (path, offer) in [
        ("//event/one/", buy("a", "Tickets · €12.50")),
        ("//fr/event/one/", buy("a", "Billets · 12,50\u{a0}€")),
        ("//ar/event/one/", buy("a", "التذاكر · 12.50\u{a0}€")),
        ("//event/several/", buy("a", "Tickets from €30")),
        ("//fr/event/several/", buy("a", "Billets à partir de 30\u{a0}€")),
        ("//fr/event/free/", buy("a", "Billets · Gratuit")),
        (
            "//event/early/",
            note("Tickets are not yet on sale: from Friday 1 January 2027, 13:00 (UTC)"),
        ),
        (
            "//fr/event/early/",
            note(
                "Billets pas encore en vente : à partir du vendredi 1er janvier 2027, 13:00 (UTC)",
            ),
        ),
        ("//event/late/", note("Tickets are no longer on sale.")),
        ("//fr/event/late/", note("Les billets ne sont plus en vente.")),
    ] {
        contains(&page(&app.anonymous(), path).await, &[&offer]);
    }
    let french = page(&app.anonymous(), "//fr/event/several/").await;
    contains(&french, &["<bdi>a · 30\u{a0}€</bdi>", "<bdi>b · 1\u{202f}200\u{a0}€</bdi>"]);
    lacks(&page(&app.anonymous(), "//event/late/").await, &["<a href=\"https://tickets.example"]);
    app.admin().change("/events/1", json!({"cancelled": true})).await;
    lacks(&page(&app.anonymous(), "//event/one/").await, &["class=\"buy\""]);
    app.admin().change("/events/2", json!({"password": "open sesame"})).await;
    lacks(&page(&app.anonymous(), "//event/several/").await, &["class=\"buy\"", "tickets.example"]);
}

/// Prices are written as the language of the page does.
#[both_stores]
async fn prices_are_in_the_manner_of_the_language(app: &TestApp) {
    let costs = json!(["1234.5 €", "free"]);
    app.admin().event(json!({"title": "Ball", "cost": costs})).await;
    app.admin().event(json!({"title": "Fair", "cost": "donation"})).await;
    for (path, cost) in [
        ("//event/ball/", "Free – €1,234.50"),
        ("//fr/event/ball/", "Gratuit – 1\u{202f}234,50\u{a0}€"),
        ("//ar/event/ball/", "مجانًا – 1,234.50\u{a0}€"),
        ("//fr/event/fair/", "donation"),
    ] {
        contains(&page(&app.anonymous(), path).await, &[&format!("<bdi>{cost}</bdi>")]);
    }
}
