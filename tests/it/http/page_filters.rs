//! Finding events on pages: the form, filters in addresses, the number of results and empty ones.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::html::page;

/// Events with a category below another, tags, venues in two cities and an organizer; some past, free, or with
/// tickets.
pub(super) async fn add_events(app: &TestApp) {
    let admin = app.admin();
    admin.make("/categories", json!({"name": "Music"})).await;
    admin.make("/categories", json!({"name": "Jazz", "parent": 1})).await;
    admin.make("/categories", json!({"name": "Crafts & arts"})).await;
    admin.make("/tags", json!({"name": "Outdoor"})).await;
    admin.make("/venues", json!({"venue": "Old Mill", "city": "Lyon"})).await;
    admin.make("/venues", json!({"venue": "Harbour", "city": "Genève"})).await;
    admin.make("/organizers", json!({"organizer": "River club"})).await;
    let ticket = json!([{"name": "Seat", "price": "5", "currency": "EUR"}]);
    for (title, day, fields) in [
        ("Concert", "2027-01-05", json!({"categories": [1], "venue": 1, "cost": "0"})),
        ("Jam", "2027-01-09", json!({"categories": [2], "venue": 1, "tags": [1], "organizer": 1})),
        ("Market", "2027-02-20", json!({"categories": [3], "venue": 2, "tickets": ticket})),
        ("Walk", "2027-03-10", json!({"tags": [1], "organizer": 1})),
        ("Old jam", "2026-05-01", json!({"categories": [2]})),
    ] {
        let mut fields = fields;
        fields["title"] = title.into();
        fields["start_date"] = format!("{day} 09:00:00").into();
        fields["end_date"] = format!("{day} 10:00:00").into();
        fields["timezone"] = "UTC".into();
        admin.event(fields).await;
    }
}

/// The titles of the events of a list, in their order.
fn titles(html: &str) -> Vec<&str> {
    let items = html.split("<a class=\"title p-name u-url\"").skip(1);
    items.filter_map(|item| Some(item.split_once("<bdi>")?.1.split_once("</bdi>")?.0)).collect()
}

/// The number of events that a page names.
#[track_caller]
pub(super) fn count(html: &str) -> &str {
    let (_, rest) = html.split_once("<p class=\"count\" role=\"status\">").expect(html);
    rest.split_once('<').unwrap().0
}

/// The active filters: the path of the link without one, and its text.
fn chips<'a>(html: &'a str) -> Vec<(&'a str, &'a str)> {
    let Some((_, nav)) = html.split_once("<nav class=\"chips\"") else { return Vec::new() };
    let nav = nav.split_once("</nav>").unwrap().0;
    let links = nav.split("<li><a href=\"https://cal.example").skip(1);
    let chip = |link: &'a str| {
        let (path, rest) = link.split_once('"').unwrap();
        (path, rest.split_once("<bdi>").unwrap().1.split_once("</bdi>").unwrap().0)
    };
    links.map(chip).collect()
}

fn is_left_out(html: &str) -> bool {
    html.contains("<meta name=\"robots\" content=\"noindex\">")
}

/// Each filter restricts the lists of what comes and of what is over.
#[both_stores]
async fn filters_restrict_lists(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (query, expected) in [
        ("", &["Concert", "Jam", "Market", "Walk"][..]),
        ("?categories=1", &["Concert", "Jam"]),
        ("?categories=jazz", &["Jam"]),
        ("?categories=2,3", &["Jam", "Market"]),
        ("?categories[]=2&categories[]=3", &["Jam", "Market"]),
        ("?tags=1", &["Jam", "Walk"]),
        ("?venue=1", &["Concert", "Jam"]),
        ("?city=geneve", &["Market"]),
        ("?organizer=1", &["Jam", "Walk"]),
        ("?free=true", &["Concert"]),
        ("?ticketed=true", &["Market"]),
        ("?search=jam", &["Jam"]),
        ("?start_date=2027-01-06&end_date=2027-02-28", &["Jam", "Market"]),
        ("?tags=1&venue=1", &["Jam"]),
        ("?tags=1&venue=2", &[]),
        // Other parameters of the interface are none of the pages.
        ("?per_page=1&order=desc&include=1&status=any", &["Concert", "Jam", "Market", "Walk"]),
    ] {
        let html = page(&client, &format!("//events/list/{query}")).await;
        assert_eq!(titles(&html), expected, "{query}");
        let number = match expected.len() {
            1 => "1 event".to_owned(),
            number => format!("{number} events"),
        };
        assert_eq!(count(&html), number, "{query}");
    }
    assert_eq!(titles(&page(&client, "//events/past/?categories=1").await), ["Old jam"]);
    assert_eq!(titles(&page(&client, "//events/past/?categories=3").await), [""; 0]);
}

/// Each filter restricts a month, a week and a day, whose links keep it.
#[both_stores]
async fn filters_restrict_periods(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (path, number, present, absent) in [
        ("month/2027-01/", "2 events", "Concert", "Market"),
        ("month/2027-01/?tags=1", "1 event", "Jam", "Concert"),
        ("month/2027-01/?search=concert", "1 event", "Concert", "Jam"),
        ("week/2027-01-04/?tags=1", "1 event", "Jam", "Concert"),
        ("day/2027-01-05/?categories=1", "1 event", "Concert", "Jam"),
        ("day/2027-01-05/?categories=2", "0 events", "No event matches", "Concert"),
    ] {
        let html = page(&client, &format!("//events/{path}")).await;
        let (_, main) = html.split_once("<main").unwrap();
        assert_eq!(count(main), number, "{path}");
        let (_, events) = main.split_once("<p class=\"count\"").unwrap();
        assert!(events.contains(present) && !events.contains(absent), "{path}: {events}");
    }
    let html = page(&client, "//events/month/2027-01/?tags=1&venue=1").await;
    for link in [
        "rel=\"next nofollow\" href=\"https://cal.example/events/month/2027-02/?tags=1&#38;venue=1\"",
        "href=\"https://cal.example/events/day/2027-01-09/?tags=1&#38;venue=1\" rel=\"nofollow\"",
        "href=\"https://cal.example/events/past/?tags=1&#38;venue=1\" rel=\"nofollow\"",
        "hreflang=\"fr\" href=\"https://cal.example/fr/events/month/2027-01/?tags=1&#38;venue=1\"",
        "<input type=\"hidden\" name=\"venue\" value=\"1\">",
        "<a class=\"today\" href=\"https://cal.example/events/month/?tags=1&#38;venue=1\" rel=\"nofollow\">",
    ] {
        assert!(html.contains(link), "{link} in {html}");
    }
    let to_date = client.get("//events/month/?date=2027-02-03&tags=1").await;
    assert_eq!(to_date.header("location"), "https://cal.example/events/month/2027-02/?tags=1");
}

/// The choices of the form with the number beside each: the filter, its value and the number.
fn offered(html: &str) -> Vec<(String, String, u64)> {
    let mut offered = Vec::new();
    for select in html.split("<select id=\"find-").skip(1) {
        let (name, rest) = select.split_once('"').unwrap();
        let options = rest.split_once("</select>").unwrap().0;
        for option in options.split("<option value=\"").skip(1) {
            let (value, rest) = option.split_once('"').unwrap();
            let text = rest.split_once("</option>").unwrap().0;
            if let Some((_, number)) = text.rsplit_once(" (") {
                let number = number.trim_end_matches(')').parse().unwrap();
                offered.push((name.to_owned(), value.to_owned(), number));
            }
        }
    }
    offered
}

/// The number beside each choice is the total of the list to which the choice leads.
#[both_stores]
async fn each_number_is_the_total_of_its_list(app: &TestApp) {
    add_events(app).await;
    let locked = json!({"title": "Locked", "categories": [2], "tags": [1], "venue": 1, "organizer": 1,
        "cost": "0", "password": "open sesame", "start_date": "2027-01-09 09:00:00",
        "end_date": "2027-01-09 10:00:00"});
    app.admin().event(locked).await;
    let client = app.anonymous();
    for (path, filters) in [
        ("//events/list/", &[][..]),
        ("//events/list/", &[("categories", "1")]),
        ("//events/list/", &[("tags", "1"), ("venue", "1")]),
        ("//events/list/", &[("search", "jam"), ("free", "false")]),
        ("//events/list/", &[("end_date", "2027-02-28")]),
        ("//events/past/", &[]),
        ("//fr/events/month/2027-01/", &[("tags", "1")]),
        ("//ar/events/week/2027-01-09/", &[]),
        ("//events/day/2027-01-09/", &[("city", "lyon")]),
    ] {
        let url = |filters: &[(&str, &str)]| {
            let query: Vec<_> =
                filters.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{path}?{}", query.join("&"))
        };
        let offered = offered(&page(&client, &url(filters)).await);
        assert!(offered.len() >= 4, "{path}: {offered:?}");
        for (name, value, number) in offered {
            let others = filters.iter().copied().filter(|(other, _)| *other != name);
            let chosen: Vec<_> = others.chain([(name.as_str(), value.as_str())]).collect();
            let html = page(&client, &url(&chosen)).await;
            assert!(number > 0 || filters.iter().any(|(other, _)| *other == name));
            let total = match count(&html) {
                "لا توجد فعاليات" => 0,
                "فعالية واحدة" => 1,
                "فعاليتان" => 2,
                text => text.split_once(' ').unwrap().0.parse().unwrap(),
            };
            assert_eq!(number, total, "{}", url(&chosen));
        }
    }
}

/// Numbers stand beside the choices of lists of more events than a page of any list has, up to a bound.
#[both_stores]
async fn many_events_are_counted(app: &TestApp) {
    add_events(app).await;
    let hours: Vec<_> = (0..24).map(|hour| hour.to_string()).collect();
    let rule = format!("FREQ=DAILY;BYHOUR={};COUNT=700", hours.join(","));
    let series = json!({"title": "Stall", "categories": [2], "venue": 2, "cost": "0",
        "start_date": "2027-04-01 09:00:00", "end_date": "2027-04-01 10:00:00", "timezone": "UTC",
        "recurrence": rule});
    app.admin().event(series).await;
    let client = app.anonymous();
    for path in ["//events/list/", "//events/month/2027-04/", "//events/list/?free=true"] {
        let html = page(&client, path).await;
        let numbers = offered(&html);
        let number = |name, value| {
            let mut all = numbers.iter();
            all.find(|one| (one.0.as_str(), one.1.as_str()) == (name, value)).map(|one| one.2)
        };
        for (name, value) in
            [("categories", "1"), ("venue", "2"), ("city", "Genève"), ("free", "true")]
        {
            let join = if path.contains('?') { "&" } else { "?" };
            let chosen = format!("{path}{join}{name}={value}");
            let chosen = if path.contains(name) { path } else { chosen.as_str() };
            let html = page(&client, chosen).await;
            let total = count(&html).split_once(' ').unwrap().0.replace(',', "");
            assert_eq!(number(name, value), total.parse().ok(), "{chosen}");
            assert!(number(name, value) > Some(500), "{chosen}");
        }
    }
}

/// A chip names each active filter, and its link drops that filter alone.
#[both_stores]
async fn chips_drop_one_filter(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    assert!(chips(&page(&client, "//events/list/").await).is_empty());
    let path =
        "//events/list/?search=jam&categories=jazz,3&city=Lyon&free=false&start_date=2027-01-02";
    let html = page(&client, path).await;
    let list = "/events/list/";
    let rest = "&#38;free=false&#38;start_date=2027-01-02";
    assert_eq!(
        chips(&html),
        [
            (&*format!("{list}?categories=2,3&#38;city=Lyon{rest}"), "jam"),
            (&*format!("{list}?search=jam&#38;categories=3&#38;city=Lyon{rest}"), "Jazz"),
            (
                &*format!("{list}?search=jam&#38;categories=2&#38;city=Lyon{rest}"),
                "Crafts &#38; arts"
            ),
            (&*format!("{list}?search=jam&#38;categories=2,3{rest}"), "Lyon"),
            (
                &*format!(
                    "{list}?search=jam&#38;categories=2,3&#38;city=Lyon&#38;start_date=2027-01-02"
                ),
                "Not free"
            ),
            (
                &*format!("{list}?search=jam&#38;categories=2,3&#38;city=Lyon&#38;free=false"),
                "Saturday 2 January 2027"
            ),
        ]
    );
    let canonical = "<link rel=\"canonical\" href=\"https://cal.example/events/list/?search=jam&#38;categories=2,3";
    assert!(html.contains(canonical), "{html}");
    // The form keeps several values of one filter.
    assert!(
        html.contains("<option value=\"2,3\" selected>Jazz, Crafts &#38; arts</option>"),
        "{html}"
    );
    assert!(html.contains("value=\"jam\""), "{html}");
    assert!(html.contains("<a class=\"all\" href=\"https://cal.example/events/list/\">"), "{html}");
}

/// The form offers all records that everybody can list, in a tree, and the feed has the same filters.
#[both_stores]
async fn the_form_offers_choices(app: &TestApp) {
    add_events(app).await;
    let html = page(&app.anonymous(), "//events/list/?venue=1").await;
    for part in [
        "<form class=\"find\" role=\"search\" action=\"https://cal.example/events/list/\" method=\"get\"",
        "<option value=\"1\">Music (2)</option>\n<option value=\"2\">\u{2003}Jazz (1)</option>",
        "<option value=\"1\" selected>Old Mill (2)</option>",
        "<option value=\"Lyon\">Lyon (2)</option>",
        "<option value=\"1\">River club (1)</option>",
        "<label for=\"find-start_date\">From</label>",
        "<button name=\"range\" value=\"weekend\" formaction=\"https://cal.example/events/list/\">",
        "href=\"https://cal.example/cal/events/v1/events.ics?venue=1\"",
        "href=\"webcal://cal.example/cal/events/v1/events.ics?venue=1\"",
        "<a class=\"p-category\" href=\"https://cal.example/events/category/music/jazz/\"><bdi>Jazz</bdi></a>",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
}

/// Blank fields of the form are dropped by a redirect, and a quick range becomes two dates.
#[both_stores]
async fn the_form_leads_to_short_addresses(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (path, to) in [
        ("//events/list/?search=&categories=&tags=1&venue=", "/events/list/?tags=1"),
        ("//events/month/2027-01/?search=+&city=Lyon", "/events/month/2027-01/?city=Lyon"),
        ("//events/list/?search=&city=", "/events/list/"),
        ("//fr/events/list/?search=&tags=1", "/fr/events/list/?tags=1"),
        (
            "//events/day/?tags=1&range=today&venue=",
            "/events/list/?tags=1&start_date=2027-01-01&end_date=2027-01-01",
        ),
        (
            "//events/list/?range=weekend&end_date=2027-09-09",
            "/events/list/?start_date=2027-01-02&end_date=2027-01-03",
        ),
        ("//?tags=1&search=", "/events/list/?tags=1"),
        ("//?venue=1", "/events/list/?venue=1"),
    ] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 303, "{path}: {}", answer.text());
        assert_eq!(answer.header("location"), format!("https://cal.example{to}"), "{path}");
    }
    let other = client.get("//events/list?tags=1&venue=1&page=2").await;
    assert_eq!(other.status, 301);
    assert_eq!(other.header("location"), "https://cal.example/events/list/?tags=1&venue=1&page=2");
}

/// Search engines list pages of one filter alone.
#[both_stores]
async fn search_engines_see_one_filter_at_a_time(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (query, is_out) in [
        ("", false),
        ("?tags=1", false),
        ("?free=true", false),
        ("?tags=1&venue=1", true),
        ("?categories=1,3", true),
        ("?search=jam", true),
        ("?start_date=2027-01-02", true),
        // Without events.
        ("?city=nowhere", true),
    ] {
        let html = page(&client, &format!("//events/list/{query}")).await;
        assert_eq!(is_left_out(&html), is_out, "{query}");
    }
}

/// An empty result says how to find more.
#[both_stores]
async fn an_empty_result_says_what_to_widen(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (path, number, text) in [
        ("//events/list/?tags=1&venue=2", "0 events", "Remove one of them to find more."),
        ("//fr/events/past/?tags=1&venue=2", "0 événement", "Retirez-en un"),
        ("//ar/events/month/2027-01/?tags=1&venue=2", "لا توجد فعاليات", "أزل أحدها لتوسيع البحث."),
    ] {
        let html = page(&client, path).await;
        assert_eq!(count(&html), number, "{path}");
        assert!(html.contains(text), "{path}: {html}");
        assert_eq!(chips(&html).len(), 2, "{path}");
    }
}

/// Bad values are told beside their fields, in the language of the page.
#[both_stores]
async fn bad_values_are_told_beside_their_fields(app: &TestApp) {
    add_events(app).await;
    app.admin().make("/venues", json!({"venue": "Secret cellar", "status": "private"})).await;
    let client = app.anonymous();
    for (path, field, value) in [
        ("//events/list/?start_date=someday&search=jam", "start_date", "value=\"jam\""),
        ("//events/month/2027-01/?end_date=someday", "end_date", "value=\"someday\""),
        ("//fr/events/past/?categories=opera", "categories", "Corrigez les valeurs"),
        ("//ar/events/list/?free=maybe", "free", "dir=\"rtl\""),
        ("//events/list/?venue=99", "venue", ""),
        ("//events/list/?venue=3", "venue", ""),
        ("//events/list/?venue=mill", "venue", ""),
        ("//events/list/?organizer[x][y]=1", "organizer", ""),
        ("//events/week/?tags[a]=1", "tags", ""),
    ] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text());
        let html = answer.text();
        assert!(html.contains(&format!("aria-describedby=\"fault-{field}\"")), "{path}: {html}");
        assert!(html.contains(&format!("id=\"fault-{field}\" role=\"alert\"")), "{path}: {html}");
        assert!(html.contains(value), "{path}: {html}");
        assert!(html.contains("<details open>"), "{path}: {html}");
        assert!(!html.contains("cellar"), "{path}: {html}");
    }
}

/// Events that nobody may list change no page of filters.
#[both_stores]
async fn hidden_events_leave_no_trace(app: &TestApp) {
    add_events(app).await;
    let paths = [
        "//events/list/?categories=1",
        // The list without filters shows the locked event, so that its number may tell it.
        "//events/list/?search=wedding&venue=2",
        "//events/month/2027-01/?venue=1",
        "//events/past/?free=false",
    ];
    let client = app.anonymous();
    let mut before = Vec::new();
    for path in paths {
        before.push(page(&client, path).await);
    }
    for fields in [
        json!({"status": "draft"}),
        json!({"status": "private"}),
        json!({"hide_from_listings": true}),
        json!({"status": "publish", "excerpt": "wedding", "title": "Locked", "password": "open sesame",
            "start_date": "2027-03-01 09:00:00", "end_date": "2027-03-01 10:00:00"}),
    ] {
        let mut event = json!({"title": "Wedding", "categories": [1], "venue": 1, "cost": "0",
            "start_date": "2027-01-06 09:00:00", "end_date": "2027-01-06 10:00:00", "timezone": "UTC"});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        app.admin().event(event).await;
    }
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(page(&client, path).await, before, "{path}");
    }
}

/// The number of statements does not depend on the number of events.
#[both_stores]
async fn many_events_take_no_more_statements(app: &TestApp) {
    add_events(app).await;
    let reading = app.uncached().await;
    let paths = ["//events/list/?categories=1&search=jam", "//events/month/2027-01/?tags=1"];
    let mut counts = Vec::new();
    for _ in 0..2 {
        for path in paths {
            let before = app.db.statements();
            page(&reading.anonymous(), path).await;
            counts.push(app.db.statements() - before);
        }
        for number in 0..20 {
            let event = json!({"title": format!("Jam {number}"), "categories": [1], "tags": [1],
                "start_date": "2027-01-07 09:00:00", "end_date": "2027-01-07 10:00:00"});
            app.admin().event(event).await;
        }
    }
    assert_eq!(counts[..2], counts[2..]);
}

/// The response cache stores a page of one filter, but none of the many with a search or several filters.
#[both_stores]
async fn pages_of_several_filters_are_not_stored(app: &TestApp) {
    if !tests::db::caches() {
        return;
    }
    add_events(app).await;
    let client = app.anonymous();
    for (query, is_stored) in
        [("", true), ("?tags=1", true), ("?tags=1&venue=1", false), ("?search=jam", false)]
    {
        let path = format!("//events/list/{query}");
        // On PostgreSQL, a write to another database of the server invalidates the cache.
        let mut least = u64::MAX;
        for _ in 0..20 {
            let before = app.db.statements();
            client.get_once(&path).await;
            least = least.min(app.db.statements() - before);
        }
        assert_eq!(least < 2, is_stored, "{path}: {least}");
    }
}
