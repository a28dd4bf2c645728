//! Old addresses, and the pages to which they lead.

use super::*;

fn target(address: &str) -> Option<OldAddress> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    OldAddress::of(path.trim_end_matches('/'), query)
}

#[test]
fn old_pages_lead_to_pages() {
    for (old, page) in [
        ("/events/", "/events/list/"),
        ("/events/page/2/", "/events/list/?page=2"),
        ("/events/list/page/1/", "/events/list/"),
        ("/events/list/page/3/", "/events/list/?page=3"),
        ("/events/?tribe_paged=2", "/events/list/?page=2"),
        ("/events/upcoming/", "/events/list/"),
        ("/events/photo/", "/events/list/"),
        ("/events/map/page/2/", "/events/list/?page=2"),
        ("/events/summary/", "/events/list/"),
        ("/events/today/", "/events/day/"),
        ("/events/2026-12/", "/events/month/2026-12/"),
        ("/events/2026-12-05/", "/events/day/2026-12-05/"),
        ("/events/month/2026-12-05/", "/events/month/2026-12/"),
        ("/events/past/page/2/", "/events/past/?page=2"),
        ("/events/featured/", "/events/list/?featured=true"),
        ("/events/featured/month/", "/events/month/?featured=true"),
        ("/events/category/music/list/", "/events/category/music/"),
        (
            "/events/category/music/page/2/",
            "/events/category/music/?page=2",
        ),
        (
            "/events/category/music/jazz/month/2026-12/",
            "/events/month/2026-12/?categories=jazz",
        ),
        (
            "/events/category/music/today/",
            "/events/day/?categories=music",
        ),
        ("/events/category/list/list/", "/events/category/list/"),
        (
            "/events/category/music/2026-12-05/",
            "/events/day/2026-12-05/?categories=music",
        ),
        ("/events/tag/loud/", "/tag/loud/"),
        ("/events/tag/loud/list/page/2/", "/tag/loud/?page=2"),
        ("/events/tag/loud/month/", "/events/month/?tags=loud"),
        ("/events/tag/%d9%85/", "/tag/%D9%85/"),
        (
            "/events/?tribe-bar-date=2026-12-05",
            "/events/list/?start_date=2026-12-05",
        ),
        (
            "/events/list/?tribe-bar-date=2026-12-05",
            "/events/list/?start_date=2026-12-05",
        ),
        (
            "/events/month/?tribe-bar-date=2026-12-05",
            "/events/month/2026-12/",
        ),
        (
            "/events/?tribe-bar-search=big+band",
            "/events/list/?search=big+band",
        ),
        ("/events/?tribe_event_display=past", "/events/past/"),
        (
            "/events/?tribe_event_display=month&tribe-bar-date=2026-12",
            "/events/month/2026-12/",
        ),
        ("/events/?eventDisplay=past", "/events/past/"),
        (
            "/events/?eventDisplay=day&eventDate=2026-12-05",
            "/events/day/2026-12-05/",
        ),
        (
            "/events/?tribe_events_cat=jazz",
            "/events/list/?categories=jazz",
        ),
        ("/?post_type=tribe_events", "/events/list/"),
        (
            "/?post_type=tribe_events&eventDisplay=month",
            "/events/month/",
        ),
        ("/?tribe_events=jazz-night", "/event/jazz-night/"),
        ("/event/jazz-night/all/", "/event/jazz-night/"),
        ("/event/jazz-night/embed/", "/event/jazz-night/"),
        ("/series/jazz-night/", "/event/jazz-night/"),
    ] {
        assert_eq!(
            target(old),
            Some(OldAddress::Page(page.to_owned())),
            "{old}"
        );
    }
}

#[test]
fn old_subscriptions_lead_to_files() {
    for (old, file) in [
        ("/?post_type=tribe_events&ical=1", "events.ics"),
        (
            "/?post_type=tribe_events&tribe_events_cat=jazz&ical=1&eventDisplay=list",
            "events.ics?categories=jazz",
        ),
        ("/events/?ical=1", "events.ics"),
        ("/events/?outlook-ical=1", "events.ics"),
        ("/events/list/?ical=1", "events.ics"),
        ("/events/month/?ical=1", "events.ics"),
        (
            "/events/2026-02/?ical=1",
            "events.ics?start_date=2026-02-01&end_date=2026-02-28",
        ),
        (
            "/events/2026-12-05/?ical=1",
            "events.ics?start_date=2026-12-05&end_date=2026-12-05",
        ),
        (
            "/events/?ical=1&tribe-bar-search=a%26b",
            "events.ics?search=a%26b",
        ),
        (
            "/events/category/music/jazz/?ical=1",
            "events.ics?categories=jazz",
        ),
        ("/events/category/jazz/ical/", "events.ics?categories=jazz"),
        (
            "/events/category/%d9%85/?ical=1",
            "events.ics?categories=%D9%85",
        ),
        ("/events/tag/loud/?ical=1", "events.ics?tags=loud"),
        ("/event/jazz-night/?ical=1", "events/by-slug/jazz-night.ics"),
        (
            "/event/jazz-night/?outlook-ical=1",
            "events/by-slug/jazz-night.ics",
        ),
        ("/event/jazz-night/ical/", "events/by-slug/jazz-night.ics"),
        (
            "/event/jazz-night/2026-12-05/ical/",
            "events/by-slug/jazz-night~2026-12-05.ics",
        ),
        (
            "/event/jazz-night/2026-12-05/?ical=1",
            "events/by-slug/jazz-night~2026-12-05.ics",
        ),
        ("/?tribe_events=a/b&ical=1", "events/by-slug/a%2Fb.ics"),
        ("/feed/", "events.atom"),
        ("/events/feed/", "events.atom"),
        ("/events/category/jazz/feed/", "events.atom?categories=jazz"),
        ("/event/jazz-night/feed/", "events.atom"),
    ] {
        let file = format!("/{NAMESPACE}/{file}");
        assert_eq!(target(old), Some(OldAddress::File(file)), "{old}");
    }
}

#[test]
fn other_addresses_are_no_old_ones() {
    for other in [
        "/",
        "/?search=ical",
        "/?p=7",
        "/?post_type=tribe_events&p=7",
        "/event/jazz-night/",
        "/event/jazz-night/2026-12-05/",
        "/event/jazz-night/?ical=0",
        "/events/list/",
        "/events/list/?page=2&search=x&featured=true",
        "/events/past/",
        "/events/month/2026-12/?categories=jazz",
        "/events/week/2026-12-05/",
        "/events/day/2026-12-05/",
        "/events/category/music/jazz/",
        "/events/category/",
        "/events/tag/",
        "/events/nowhere/",
        "/events/list/2026-12/",
        "/events/month/2026-13/",
        "/events/2026-13/",
        "/events/list/page/x/",
        "/tag/loud/",
        "/series/a/b/",
        "/feed/x/",
        "/nowhere/",
    ] {
        assert_eq!(target(other), None, "{other}");
    }
}
