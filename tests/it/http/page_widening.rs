//! Lists without events lead to others; titles name the filters.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{
    html::page,
    page_filters::{add_events, count},
};

/// The ways from an empty list: the path of each link, and its text.
fn widenings(html: &str) -> Vec<(String, String)> {
    let Some((_, nav)) = html.split_once("<nav class=\"widen\"") else { return Vec::new() };
    let nav = nav.split_once("</nav>").unwrap().0;
    let links = nav.split("<li><a href=\"https://cal.example").skip(1);
    let link = |link: &str| {
        let (path, rest) = link.split_once('"').unwrap();
        let text = rest.split_once('>').unwrap().1.split_once("</a>").unwrap().0;
        let parts = text.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        (path.replace("&#38;", "&"), parts.collect())
    };
    links.map(link).collect()
}

/// The links of an empty result lead to lists with as many events as they tell: without each filter, at any date, and
/// among other events. Lists without events are left out.
#[both_stores]
async fn an_empty_result_leads_to_others(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (path, expected) in [
        (
            "events/list/?tags=1&venue=2",
            &[
                ("/events/list/?venue=2", "Without: Tag Outdoor (1)"),
                ("/events/list/?tags=1", "Without: Venue Harbour (2)"),
            ][..],
        ),
        (
            "events/list/?search=jam&start_date=2027-02-01&end_date=2027-02-10",
            &[("/events/list/?search=jam", "All dates (1)")],
        ),
        (
            "events/list/?search=jam&categories=1,3&free=true",
            &[
                ("/events/list/?categories=1,3&free=true", "Without: Search jam (1)"),
                ("/events/list/?search=jam&categories=1,3", "Without: Cost Free (1)"),
            ],
        ),
        (
            "events/month/2027-02/?tags=1",
            &[
                ("/events/month/2027-02/", "Without: Tag Outdoor (1)"),
                ("/events/list/?tags=1", "Upcoming events with the same filters (2)"),
            ],
        ),
        (
            "events/day/2027-01-06/?categories=2",
            &[
                ("/events/list/?categories=2", "Upcoming events with the same filters (1)"),
                ("/events/past/?categories=2", "Past events with the same filters (1)"),
            ],
        ),
        (
            "events/day/2027-01-06/",
            &[("/events/list/", "All upcoming events (4)"), ("/events/past/", "Past events (1)")],
        ),
        (
            "events/past/?tags=1",
            &[
                ("/events/past/", "Without: Tag Outdoor (1)"),
                ("/events/list/?tags=1", "Upcoming events with the same filters (2)"),
            ],
        ),
        ("events/list/?tags=1", &[]),
    ] {
        let found = widenings(&page(&client, &format!("//{path}")).await);
        let expected: Vec<_> =
            expected.iter().map(|(url, text)| ((*url).to_owned(), (*text).to_owned())).collect();
        assert_eq!(found, expected, "{path}");
        for (url, text) in found {
            let html = page(&client, &format!("/{url}")).await;
            let number = text.rsplit_once('(').unwrap().1.trim_end_matches(')').to_owned();
            assert_eq!(count(&html).split_once(' ').unwrap().0, number, "{url}");
        }
    }
    let french = widenings(&page(&client, "//fr/events/list/?tags=1&venue=2").await);
    assert_eq!(french[0].1, "Sans : Étiquette Outdoor (1)");
    let arabic = widenings(&page(&client, "//ar/events/list/?tags=1&venue=2").await);
    assert_eq!(arabic[1].1, "بدون: مكان Harbour (2)");
    // Search engines do not follow several filters at once.
    let html = page(&client, "//events/list/?tags=1&venue=2&free=true").await;
    assert!(
        html.contains("?venue=2&#38;free=true\" rel=\"nofollow\"") || widenings(&html).is_empty()
    );
}

/// An empty result tells nothing of events that the public cannot list.
#[both_stores]
async fn an_empty_result_counts_public_events_alone(app: &TestApp) {
    add_events(app).await;
    let days = json!({"start_date": "2027-02-20 09:00:00", "end_date": "2027-02-20 10:00:00", "tags": [1], "venue": 2});
    for other in [
        json!({"status": "draft"}),
        json!({"status": "private"}),
        json!({"hide_from_listings": true}),
        json!({"password": "open sesame"}),
    ] {
        let mut fields = days.clone();
        fields.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        fields["title"] = "Secret".into();
        app.admin().event(fields).await;
    }
    let html = page(&app.anonymous(), "//events/list/?tags=1&venue=2").await;
    let texts: Vec<_> = widenings(&html).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["Without: Tag Outdoor (1)", "Without: Venue Harbour (2)"]);
}

/// Title and heading of a list or a view name its filters.
#[both_stores]
async fn titles_name_the_filters(app: &TestApp) {
    add_events(app).await;
    let client = app.anonymous();
    for (path, title) in [
        ("events/list/", "Upcoming events"),
        ("events/list/?categories=jazz&city=lyon", "Jazz · Lyon · Upcoming events"),
        ("events/list/?search=a+%3Cb%3E", "“a &#60;b&#62;” · Upcoming events"),
        ("fr/events/past/?search=jam", "«\u{a0}jam\u{a0}» · Événements passés"),
        ("ar/events/list/?venue=1,2", "Old Mill · Harbour · الفعاليات القادمة"),
        ("events/month/2027-01/?free=true", "Free · January 2027"),
        ("events/week/2027-01-04/?tags=1", "Outdoor · Week of 4 January 2027"),
        ("events/day/2027-01-05/?organizer=1", "River club · Tuesday 5 January 2027"),
        ("events/list/?start_date=2027-01-06", "From Wednesday 6 January 2027 · Upcoming events"),
    ] {
        let html = page(&client, &format!("//{path}")).await;
        assert!(html.contains(&format!("<title>{title} · ")), "{path}: {html}");
        let (_, rest) = html.split_once("<h1 class=\"p-name\">").expect(&html);
        let heading = rest.split_once("</h1>").unwrap().0;
        let texts = heading.replace("<bdi>", "").replace("</bdi>", "").replace("&nbsp;", " ");
        assert_eq!(texts, title, "{path}");
        // Each name has a writing direction of its own.
        if path.contains('?') {
            assert!(heading.starts_with("<bdi>") && !heading.ends_with("</bdi>"), "{heading}");
        }
    }
}
