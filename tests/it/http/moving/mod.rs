//! Sites of The Events Calendar that move here: a stand-in plays one.

mod again;
mod copies;
mod hidden;
mod oddities;
mod prune;

use std::{sync::Mutex, time::Duration};

use adapters_tec::{Access, FindError, Login, Site};
use domain::{Kind, Role, UserId, policy::Caller};
use interchange::import::{
    SiteCounts, SiteImport, SiteImportError, SiteProgress, SiteReport, import_site,
};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    old_site::{Failure, LOGIN, OldSite},
};

/// The list with all events.
const ALL: &str = "start_date=1900-01-01&end_date=2999-01-01&per_page=100";

/// The editor, who runs the imports.
fn editor() -> Caller {
    Caller::of(UserId::from_raw(2), Role::Editor)
}

fn access(has_login: bool) -> Access {
    let [name, password] = LOGIN.map(str::to_owned);
    let login = Login { name, password: password.into() };
    let pause = Duration::from_millis(1);
    Access { login: has_login.then_some(login), allow_private: true, pause }
}

/// The site as an import reads it.
async fn found(site: &OldSite, has_login: bool) -> Site {
    Site::find(&site.url(), access(has_login)).await.unwrap()
}

/// Imports a site, and collects the remarks.
async fn try_import(
    app: &TestApp,
    site: &Site,
    options: &SiteImport,
) -> (Result<SiteReport, SiteImportError>, Vec<String>) {
    let remarks = Mutex::new(Vec::new());
    let observer = |step: SiteProgress<'_>| {
        if let SiteProgress::Remark(remark) = step {
            remarks.lock().unwrap().push(remark.to_owned());
        }
    };
    let report = import_site(&app.calendar, editor(), site, options, &observer).await;
    (report, remarks.into_inner().unwrap())
}

/// Imports a site without credentials.
async fn import(app: &TestApp, site: &OldSite) -> (SiteReport, Vec<String>) {
    import_by(app, site, &SiteImport::default()).await
}

async fn import_by(
    app: &TestApp,
    site: &OldSite,
    options: &SiteImport,
) -> (SiteReport, Vec<String>) {
    let (report, remarks) = try_import(app, &found(site, false).await, options).await;
    (report.unwrap(), remarks)
}

/// Created, updated, unchanged and refused records of a kind.
fn counts(report: &SiteReport, kind: Kind) -> [u64; 4] {
    let SiteCounts { created, updated, unchanged, refused } =
        report.counts.get(&kind).copied().unwrap_or_default();
    [created, updated, unchanged, refused]
}

/// Everything that an editor sees, except the times of changes.
async fn everything(app: &TestApp) -> Vec<Value> {
    let editor = app.editor();
    let mut all = Vec::new();
    for list in [
        "categories?hide_empty=0",
        "tags?hide_empty=0",
        "venues?status=any",
        "organizers?status=any",
    ] {
        all.push(editor.get(&format!("/{list}&per_page=100")).await.json());
    }
    for page in 1.. {
        let answer = editor.get(&format!("/events?{ALL}&status=any&page={page}")).await;
        if answer.status != 200 {
            break;
        }
        all.push(answer.json());
    }
    all
}

/// A whole site: three pages of events, their venue, organizer and categories. Later records get
/// IDs that no imported one has.
#[both_stores]
async fn a_site_moves_with_its_ids(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(120);
    let (report, remarks) = import(app, &site).await;
    assert_eq!(remarks, Vec::<String>::new());
    assert_eq!(counts(&report, Kind::Event), [120, 0, 0, 0]);
    assert_eq!(counts(&report, Kind::Category), [2, 0, 0, 0]);
    assert_eq!(counts(&report, Kind::Venue), [2, 0, 0, 0]);
    assert_eq!((report.renumbered, report.wrong_utc), (0, 0));

    let reader = app.anonymous();
    let event = reader.get("/events/105").await.json();
    assert_eq!(event["title"], "Concert 5 & more");
    assert_eq!(
        (&event["slug"], &event["date_utc"]),
        (&json!("event-105"), &json!("2026-11-20 15:39:06"))
    );
    assert_eq!(event["author"], 2);
    let hall = &event["venue"];
    assert_eq!(
        (&hall["id"], &hall["slug"], &hall["city"]),
        (&json!(6), &json!("the-blue-hall"), &json!("Potsdam"))
    );
    assert_eq!((&hall["show_map"], &hall["show_map_link"]), (&json!(true), &json!(false)));
    assert_eq!(event["organizer"][0]["id"], 9);
    let blues = &event["categories"][0];
    assert_eq!(
        (&blues["id"], &blues["name"], &blues["parent"]),
        (&json!(4), &json!("Jazz & Blues"), &json!(3))
    );
    assert_eq!(reader.get(&format!("/events?{ALL}")).await.json()["total"], 120);
    assert_eq!(reader.get("/events/by-slug/event-219").await.json()["id"], 219);

    let editor = app.editor();
    assert_eq!(editor.event(json!({})).await["id"], 220);
    assert_eq!(editor.make("/venues", json!({"venue": "New"})).await["id"], 8);
    assert_eq!(editor.make("/tags", json!({"name": "New"})).await["id"], 9);
}

/// One request at a time, of bounded size, each page once.
#[both_stores]
async fn the_site_is_read_politely(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(120);
    import(app, &site).await;
    assert_eq!(site.most_at_once(), 1);
    let requests = site.requests();
    let mut pages: Vec<_> = requests.iter().filter(|one| one.contains("start_date=")).collect();
    assert_eq!(pages.len(), 4, "{pages:?}");
    pages.dedup();
    assert_eq!(pages.len(), 4);
    assert!(pages[3].contains("page=4") && pages[0].contains("end_date=2999-12-31"), "{pages:?}");
}

/// Busy and failing sites are asked again, also after warnings of the site's program.
#[both_stores]
async fn failures_are_repeated(app: &TestApp) {
    let site = OldSite::start().await;
    site.fill(3);
    let reader = found(&site, false).await;
    site.fail([
        Failure::Status(503, None),
        Failure::Status(429, Some(1)),
        Failure::Break,
        Failure::Warning,
    ]);
    let begun = std::time::Instant::now();
    let (report, _) = try_import(app, &reader, &SiteImport::default()).await;
    assert_eq!(counts(&report.unwrap(), Kind::Event), [3, 0, 0, 0]);
    assert!(begun.elapsed() >= Duration::from_secs(1), "Retry-After is respected");
}

/// With credentials, records of each status are read; without, only public ones.
#[both_stores]
async fn credentials_show_more(app: &TestApp) {
    let site = OldSite::start().await;
    for (id, status) in (1..).zip(["publish", "draft", "pending", "private", "future"]) {
        let date = if status == "future" { "2028-01-01 00:00:00" } else { "2026-01-01 00:00:00" };
        site.add("events", json!({"id": id, "title": status, "status": status, "date_utc": date}));
    }
    site.add("venues", json!({"id": 1, "venue": "Cellar", "status": "draft"}));
    assert_eq!(counts(&import(app, &site).await.0, Kind::Event), [1, 0, 0, 0]);
    let reader = found(&site, true).await;
    let (report, remarks) = try_import(app, &reader, &SiteImport::default()).await;
    assert_eq!(remarks, Vec::<String>::new());
    let report = report.unwrap();
    assert_eq!(counts(&report, Kind::Event), [4, 0, 1, 0]);
    assert_eq!(counts(&report, Kind::Venue), [1, 0, 0, 0]);
    for (id, status) in (1..).zip(["publish", "draft", "pending", "private", "future"]) {
        assert_eq!(app.editor().get(&format!("/events/{id}")).await.json()["status"], status);
        let shown = app.anonymous().get(&format!("/events/{id}")).await.status;
        assert_eq!(shown, if id == 1 { 200 } else { 403 });
    }
}

/// Authors are found by name, by e-mail address, or by the map; the others are the importing user.
#[both_stores]
async fn authors_are_mapped(app: &TestApp) {
    let grace = Some("grace@old.example");
    let grace = app.accounts.add_user("gh", Role::Author, grace).await.unwrap().id.get();
    let site = OldSite::start().await;
    for (id, author) in
        [(1, json!("1")), (2, json!(2)), (3, json!("3")), (4, json!("Linus")), (5, json!(false))]
    {
        site.add("events", json!({"id": id, "title": "A", "author": author}));
    }
    let options = SiteImport {
        authors: [("linus".to_owned(), UserId::from_raw(3))].into(),
        ..SiteImport::default()
    };
    let (_, remarks) = try_import(app, &found(&site, true).await, &options).await;
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(remarks[0].starts_with("author 3: no user here"), "{remarks:?}");
    for (id, author) in [(1, 2), (2, grace), (3, 2), (4, 3), (5, 2)] {
        let event = app.anonymous().get(&format!("/events/{id}")).await.json();
        assert_eq!(event["author"], author, "{id}");
    }
    let asked = site.requests().iter().filter(|one| one.starts_with("users/1")).count();
    assert_eq!(asked, 1, "each author is looked up once");
}

/// Images are fetched by the service itself; one that fails leaves the event without it.
#[both_stores]
async fn images_move(app: &TestApp) {
    let site = OldSite::start().await;
    for (id, name) in [(1, "a.png"), (2, "gone.png"), (3, "a.png")] {
        let image = json!({"id": 70, "url": format!("{}/pictures/{name}", site.url())});
        site.add("events", json!({"id": id, "title": "A", "image": image}));
    }
    let service = app.variant().fetches_private().build().await;
    let (report, remarks) = import(&service, &site).await;
    assert_eq!((report.failed_images, counts(&report, Kind::Event)), (1, [3, 0, 0, 0]));
    assert!(remarks[0].contains("/events/2/: left out: image: "), "{remarks:?}");
    let image = |id| async move {
        app.anonymous().get(&format!("/events/{id}")).await.json()["image"].clone()
    };
    assert_eq!((image(1).await["width"].clone(), image(2).await), (json!(40), json!(false)));
    assert_eq!(image(3).await["id"], image(1).await["id"]);

    // The next run tries again, and finds nothing else to do.
    let (again, _) = import(&service, &site).await;
    assert_eq!((again.failed_images, counts(&again, Kind::Event)), (1, [0, 0, 3, 0]));
    let url = format!("{}/pictures/b.png", site.url());
    site.change("events", 2, json!({"image": {"url": url}}));
    let (mended, _) = import(&service, &site).await;
    assert_eq!((mended.failed_images, counts(&mended, Kind::Event)), (0, [0, 1, 2, 0]));
    assert_eq!(image(2).await["width"], 40);
}

/// Pictures within texts that lie on the site are stored here, each once; one that fails stays a link, and the next run
/// tries again.
#[both_stores]
async fn pictures_within_texts_move(app: &TestApp) {
    let site = OldSite::start().await;
    let uploads = format!("{}/wp-content/uploads/2026/11", site.url());
    let text = |name: &str| {
        format!(
            "<p><a href=\"{uploads}/big.png\"><img src=\"{uploads}/{name}\" alt=\"\"></a>\
            <img src=\"https://other.invalid/wp-content/uploads/x.png\"><a href=\"{}/page\">x</a></p>",
            site.url()
        )
    };
    site.add("events", json!({"id": 1, "title": "A", "description": text("a.png")}));
    site.add("events", json!({"id": 2, "title": "B", "description": text("gone.png")}));
    site.add("venues", json!({"id": 3, "venue": "C", "description": text("a.png")}));
    let picture = |n: u32| format!("<img src=\"{uploads}/{n}.png\">");
    let many = (0..25).map(picture).collect::<Vec<_>>().concat();
    site.add("events", json!({"id": 4, "title": "D", "description": many}));
    let service = app.variant().fetches_private().build().await;
    let description = async |path: &str| {
        app.anonymous().get(path).await.json()["description"].as_str().unwrap().to_owned()
    };
    let (report, remarks) = import(&service, &site).await;
    assert_eq!((report.failed_images, counts(&report, Kind::Event)), (1, [3, 0, 0, 0]));
    let (moved, failed) = (description("/events/1").await, description("/events/2").await);
    assert!(!moved.contains("/uploads/2026/11/") && moved.contains("other.invalid"), "{moved}");
    assert_eq!(moved.matches("https://cal.example/media/").count(), 2, "{moved}");
    assert_eq!(description("/venues/3").await, moved);
    assert!(failed.contains("/uploads/2026/11/gone.png\""), "{failed}");
    assert_eq!(failed.matches("https://cal.example/media/").count(), 1, "{failed}");
    let many = description("/events/4").await;
    assert_eq!(many.matches("https://cal.example/media/").count(), 20, "{many}");
    assert!(remarks.iter().any(|one| one.contains("gone.png")), "{remarks:?}");
    assert!(remarks.iter().any(|one| one.contains("5 pictures")), "{remarks:?}");
    let path = moved.split("src=\"https://cal.example").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(app.anonymous().get(&format!("/{path}")).await.status, 200, "{path}");

    // The next run tries again what failed, and changes nothing.
    let (again, _) = import(&service, &site).await;
    assert_eq!((again.failed_images, counts(&again, Kind::Event)), (1, [0, 0, 3, 0]));
    assert_eq!(description("/events/1").await, moved);

    // A record with more pictures is not written again: changes made here stay.
    app.admin().change("/events/4", json!({"title": "Changed here"})).await;
    import(&service, &site).await;
    assert_eq!(app.anonymous().get("/events/4").await.json()["title"], "Changed here");
}

/// A dry run fetches no pictures, and the option leaves them links.
#[both_stores]
async fn pictures_within_texts_may_stay(app: &TestApp) {
    let site = OldSite::start().await;
    let picture = format!("<img src=\"{}/wp-content/uploads/2026/11/a.png\">", site.url());
    site.add("events", json!({"id": 1, "title": "A", "description": picture}));
    let service = app.variant().fetches_private().build().await;
    let keeping = SiteImport { keep_image_links: true, ..SiteImport::default() };
    for options in [SiteImport { dry_run: true, ..SiteImport::default() }, keeping] {
        import_by(&service, &site, &options).await;
        assert!(site.requests().iter().all(|one| !one.starts_with("pictures/")), "{options:?}");
    }
    let event = app.anonymous().get("/events/1").await.json();
    assert!(event["description"].as_str().unwrap().contains(&picture), "{event}");
}

/// Only users who may change all records import a site. A wrong URL is refused with a reason, and a
/// password is not sent to another host.
#[both_stores]
async fn wrong_users_and_urls_are_refused(app: &TestApp) {
    let site = OldSite::start().await;
    let reader = found(&site, false).await;
    let author = Caller::of(UserId::from_raw(3), Role::Author);
    let options = SiteImport::default();
    let refused = import_site(&app.calendar, author, &reader, &options, &|_| {}).await;
    assert_eq!(refused.unwrap_err().to_string(), "the caller has not the right");

    let url = site.url();
    for (url, reason) in [
        ("old site", "old site is not a URL of http or https"),
        (&format!("{url}/blog"), "there is no REST interface of The Events Calendar: "),
    ] {
        let error = Site::find(url, access(false)).await.unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
    let public = Access { allow_private: false, ..access(false) };
    let error = Site::find(&url, public).await.unwrap_err();
    assert!(
        matches!(&error, FindError::NotFound(text) if text.contains("public address")),
        "{error}"
    );
    for end in [
        "/",
        "/wp-json",
        "/wp-json/",
        "/wp-json/tribe/events/v1",
        "/wp-json/tribe/events/v1/events/7",
    ] {
        Site::find(&format!("{url}{end}"), access(true)).await.unwrap();
    }
    let mut wrong = access(true);
    wrong.login.as_mut().unwrap().password = "wrong".to_owned().into();
    let refused = Site::find(&url, wrong).await.unwrap_err();
    assert!(
        matches!(&refused, FindError::Login(text) if text.contains("incorrect_password")),
        "{refused}"
    );
}
