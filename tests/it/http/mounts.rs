//! Mounts and their descriptions.

use app::site::Site;
use axum::http::Method;
use domain::{Language, site::SiteValue, time::Zone};
use http_service::{
    face::{FixedFace, Origin},
    parse_base_path,
};
use serde_json::{Value, json};
use tests::{
    app::{TestApp, endpoints},
    both_stores,
    client::{Answer, Client, has_fields},
    for_each_row,
};

/// Anonymous requests to a service with further mounts.
pub(super) async fn mounted(app: &TestApp, paths: &[&str]) -> Client {
    let paths: Vec<_> =
        paths.iter().map(|path| parse_base_path(path, &endpoints()).unwrap()).collect();
    let name = SiteValue::Name("Spring & co".parse().unwrap());
    let face = FixedFace::default().with(name, Origin::Program);
    app.variant().build_with(|state| state.mounted_at(&paths).with_face(face)).await.anonymous()
}

/// The path of the reference's interface.
pub(super) const TRIBE: &str = "/wp-json/tribe/events/v1";

/// The headers by which a client finds the discovery object.
fn announced(answer: &Answer) -> [String; 4] {
    ["link", "x-tec-api-version", "x-tec-api-root", "x-tec-api-origin"]
        .map(|name| answer.header(name).to_owned())
}

/// The headers of a page below a prefix such as `/fr`.
fn announcement(before: &str) -> [String; 4] {
    let root = format!("https://cal.example{before}/wp-json/");
    [
        format!("<{root}>; rel=\"https://api.w.org/\""),
        "v1".to_owned(),
        format!("{root}tribe/events/v1/"),
        "https://cal.example".to_owned(),
    ]
}

/// D-16: The document is the same for all languages that a parameter names.
#[both_stores]
async fn the_document_has_no_language_of_a_request(app: &TestApp) {
    let client = mounted(app, &[TRIBE]).await.under("/wp-json/tribe/events/v1");
    let french = client.get("/doc?ml_language=fr").await.text();
    assert!(!french.contains("ml_language=fr"));
    assert_eq!(client.get("/doc").await.text(), french);
}

/// D-16: The index of a mount announces the namespace of the mount and keys its routes by it.
#[both_stores]
async fn the_index_has_the_namespace_of_the_mount(app: &TestApp) {
    let client = mounted(app, &[TRIBE, "/api"]).await;
    for (mount, namespace, up) in [
        (TRIBE, "tribe/events/v1", "https://cal.example/wp-json/"),
        ("/fr/wp-json/tribe/events/v1", "tribe/events/v1", "https://cal.example/fr/wp-json/"),
        ("/api", "cal/events/v1", "https://cal.example/"),
        ("/cal/events/v1", "cal/events/v1", "https://cal.example/"),
    ] {
        let index = client.clone().under(mount).get("/").await.json();
        assert_eq!(index["namespace"], namespace, "{mount}");
        assert_eq!(index["_links"]["up"], json!([{"href": up}]));
        let routes = index["routes"].as_object().unwrap();
        assert_eq!(routes.len(), 44);
        for (pattern, route) in routes {
            assert!(pattern.starts_with(&format!("/{namespace}")), "{mount} {pattern}");
            assert_eq!(route["namespace"], namespace, "{mount} {pattern}");
        }
        let list = &routes[&format!("/{namespace}/events")];
        let address = format!("https://cal.example{mount}/events");
        assert_eq!(list["_links"]["self"], json!([{"href": address}]));
        let given = &routes[&format!("/{namespace}")]["endpoints"][0]["args"]["namespace"];
        assert_eq!(given["default"], namespace);
        let options = client.clone().under(mount).send(Method::OPTIONS, "/events", None).await;
        assert_eq!(&options.json(), list, "{mount}");
    }
}

/// D-16: `?namespace=` takes the namespace of the mount as well as `cal/events/v1`.
#[both_stores]
async fn the_index_knows_both_namespaces(app: &TestApp) {
    let client = mounted(app, &[TRIBE, "/api"]).await;
    let rows = [
        (TRIBE, "tribe/events/v1", 200),
        (TRIBE, "cal/events/v1", 200),
        (TRIBE, "tribe/events/v2", 404),
        ("/api", "cal/events/v1", 200),
        ("/api", "tribe/events/v1", 404),
        ("/cal/events/v1", "tribe/events/v1", 404),
    ];
    for_each_row(rows, async |(mount, namespace, status)| {
        let answer = client.clone().under(mount).get(&format!("?namespace={namespace}")).await;
        assert_eq!(answer.status, status, "{mount} {namespace}");
        if status == 404 {
            answer.assert_error(404, "rest_invalid_namespace");
        }
    })
    .await;
}

/// D-16: The document of a mount names the mount, with its language segment, as its first server.
#[both_stores]
async fn the_document_names_the_mount(app: &TestApp) {
    let client = mounted(app, &[TRIBE, "/api/{lang}/calendar"]).await;
    for (mount, pattern) in [
        ("/cal/events/v1", "/{language}/cal/events/v1"),
        (TRIBE, "/{language}/wp-json/tribe/events/v1"),
        ("/ar/wp-json/tribe/events/v1", "/{language}/wp-json/tribe/events/v1"),
        ("/api/fr/calendar", "/api/{language}/calendar"),
    ] {
        let document = client.clone().under(mount).get("/doc").await.json();
        assert_eq!(document["servers"][0]["url"], format!("https://cal.example{mount}"));
        assert_eq!(document["servers"][1]["url"], format!("https://cal.example{pattern}"));
    }
}

/// D-16: The root of a mount returns the discovery object: the site, its clock, its namespaces and
/// their routes.
#[both_stores]
async fn the_root_is_the_discovery_object(app: &TestApp) {
    let client = mounted(app, &[TRIBE]).await;
    let mut answer = client.get("//wp-json/").await.json();
    let routes = answer["routes"].take();
    assert_eq!(
        answer,
        json!({
            "name": "Spring & co",
            "description": "",
            "url": "https://cal.example",
            "home": "https://cal.example",
            "gmt_offset": 0,
            "timezone_string": "UTC",
            "namespaces": ["tribe/events/v1", "wp/v2"],
            "authentication": {},
            "routes": null,
        })
    );
    let index = client.clone().under(TRIBE).get("").await.json();
    let index = index["routes"].as_object().unwrap();
    for (pattern, route) in index {
        assert_eq!(&routes[pattern], route, "{pattern}");
    }
    let patterns = routes.as_object().unwrap().keys();
    let others: Vec<_> = patterns.filter(|pattern| !index.contains_key(*pattern)).collect();
    assert_eq!(
        others,
        [
            "/",
            "/wp/v2/users/me",
            "/wp/v2/settings",
            "/wp/v2/tags",
            r"/wp/v2/tags/(?P<id>\d+)",
            "/wp/v2/tribe_events_cat",
            r"/wp/v2/tribe_events_cat/(?P<id>\d+)",
            "/wp/v2/tribe_events",
            r"/wp/v2/tribe_events/(?P<id>\d+)",
            "/wp/v2/tribe_venue",
            r"/wp/v2/tribe_venue/(?P<id>\d+)",
            "/wp/v2/tribe_organizer",
            r"/wp/v2/tribe_organizer/(?P<id>\d+)",
            "/wp/v2/media",
            r"/wp/v2/media/(?P<id>\d+)",
        ]
    );
    assert_eq!(routes["/"]["namespace"], "");
    let tags = &routes["/wp/v2/tags"];
    assert_eq!((&tags["namespace"], &tags["methods"]), (&json!("wp/v2"), &json!(["GET", "POST"])));
    assert_eq!(tags["endpoints"][0]["args"]["hide_empty"]["default"], false);
    assert_eq!(tags["_links"]["self"][0]["href"], "https://cal.example/wp-json/wp/v2/tags");
    assert_eq!(routes[r"/wp/v2/tags/(?P<id>\d+)"]["_links"], Value::Null);
    for (path, pattern) in [("", "/"), ("/wp/v2/tags", "/wp/v2/tags")] {
        let options = client.send(Method::OPTIONS, &format!("//wp-json{path}"), None).await;
        assert_eq!(options.json(), routes[pattern], "{path}");
    }
    client.clone().with_token("wrong").get("//wp-json").await.assert_error(401, "invalid_token");
    client.post("//wp-json", json!({})).await.assert_error(404, "rest_no_route");
}

/// D-16: Without a name the site has the name of its host. The offset is the present one of the
/// site's zone, in hours.
#[both_stores]
async fn the_discovery_object_tells_the_clock(app: &TestApp) {
    for (zone, now, offset) in [
        ("Europe/Paris", "2027-01-01 00:00:00", json!(1)),
        ("Europe/Paris", "2027-07-01 00:00:00", json!(2)),
        ("Asia/Kolkata", "2027-01-01 00:00:00", json!(5.5)),
        ("America/St_Johns", "2027-01-01 00:00:00", json!(-3.5)),
    ] {
        app.clock.set(now);
        let site = Site {
            zone: zone.parse::<Zone>().unwrap(),
            language: Language::French,
            host: "cal.example".to_owned(),
            ..Site::default()
        };
        let mounts = [parse_base_path(TRIBE, &endpoints()).unwrap()];
        let variant = app.variant().site(site);
        let client = variant.build_with(|state| state.mounted_at(&mounts)).await.admin();
        let object = client.get("//wp-json").await.json();
        let name = "cal.example";
        has_fields(&object, json!({"gmt_offset": offset, "timezone_string": zone, "name": name}));
        let settings = client.get("//wp-json/wp/v2/settings").await.json();
        let url = "https://cal.example";
        let wanted = json!({"title": name, "url": url, "timezone": zone, "language": "fr"});
        assert_eq!(settings, wanted);
    }
}

/// D-16: A language segment before or within the path of a mount holds for its root, too.
#[both_stores]
async fn roots_have_languages(app: &TestApp) {
    let client = mounted(app, &[TRIBE, "/api/{lang}/x/y/v2"]).await;
    for (root, language, namespace) in [
        ("/fr/wp-json", "fr", "tribe/events/v1"),
        ("/wp-json", "en", "tribe/events/v1"),
        ("/api/ar", "ar", "x/y/v2"),
        ("/api", "en", "x/y/v2"),
    ] {
        let answer = client.get(&format!("/{root}/")).await;
        assert_eq!((answer.status, answer.header("content-language")), (200, language), "{root}");
        let object = answer.json();
        assert_eq!(object["namespaces"], json!([namespace, "wp/v2"]));
        let list = &object["routes"][format!("/{namespace}/events")]["_links"]["self"][0]["href"];
        assert_eq!(list, &json!(format!("https://cal.example{root}/{namespace}/events")));
    }
    client.get("//wp-json/fr").await.assert_error(404, "rest_no_route");
    client.get("//de/wp-json").await.assert_error(404, "rest_no_route");
}

/// D-16: Two mounts with one root share its discovery object.
#[both_stores]
async fn a_root_of_two_mounts(app: &TestApp) {
    let client = mounted(app, &[TRIBE, "/wp-json/x/y/v2"]).await;
    let object = client.get("//wp-json").await.json();
    assert_eq!(object["namespaces"], json!(["tribe/events/v1", "x/y/v2", "wp/v2"]));
    let list = &object["routes"]["/x/y/v2/events"]["_links"]["self"][0]["href"];
    assert_eq!(list, "https://cal.example/wp-json/x/y/v2/events");
}

/// D-16: Pages and the index of the mount name the interface in `Link` and `X-TEC-API-…`, also for
/// `HEAD`.
#[both_stores]
async fn pages_and_index_announce_the_root(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let client = mounted(app, &[TRIBE, "/other/x/y/v1"]).await;
    let rows = [
        ("/", ""),
        ("/fr/", "/fr"),
        ("/event/fair/", ""),
        ("/ar/event/fair/", "/ar"),
        ("/event/nothing/", ""),
        (TRIBE, ""),
        ("/fr/wp-json/tribe/events/v1/", "/fr"),
        ("/wp-json/", ""),
    ];
    for_each_row(rows, async |(path, before)| {
        for method in [Method::GET, Method::HEAD] {
            let answer = client.send(method.clone(), &format!("/{path}"), None).await;
            assert_eq!(announced(&answer), announcement(before), "{method} {path}");
        }
    })
    .await;
    let list = client.clone().under(TRIBE).get("/events").await;
    assert_eq!(announced(&list), [const { String::new() }; 4]);
    // A mount without a root announces nothing.
    let other = mounted(app, &["/api", "/tribe/events/v1"]).await;
    for path in ["/", "/api", "/tribe/events/v1", "/cal/events/v1"] {
        let answer = other.get(&format!("/{path}")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(announced(&answer), [const { String::new() }; 4], "{path}");
    }
}

/// D-16: Mounts without a namespace in their path have no root.
#[both_stores]
async fn other_mounts_have_no_root(app: &TestApp) {
    let client = mounted(app, &["/api", "/x/events/v"]).await;
    for path in ["/x", "/wp/v2/tags", "/api/wp/v2/tags", "/host", "/Host", "/Host/wp/v2/tags"] {
        client.get(&format!("/{path}")).await.assert_error(404, "rest_no_route");
    }
    for path in ["//wp-json/", "//Host"] {
        app.anonymous().get(path).await.assert_error(404, "rest_no_route");
    }
}

/// D-16: The pages of a site with a name have it in their titles.
#[both_stores]
async fn pages_have_the_name_of_the_site(app: &TestApp) {
    let page = mounted(app, &[]).await.get("//").await.text();
    assert!(page.contains("Spring &#38; co</title>"), "{page}");
    let page = app.anonymous().get("//").await.text();
    assert!(page.contains("Events calendar</title>"), "{page}");
}
