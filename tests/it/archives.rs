//! Archives: what is read from one is answered as before, on whichever database.

use app::ports::{EventRemark, ImageFiles, Proposal, SiteChange, Store};
use app::test_support::InMemoryStore;
use axum::http::Method;
use domain::{
    EventId, Role, UserId,
    policy::Caller,
    site::{Logo, SiteValue},
};
use futures_util::TryStreamExt as _;
use interchange::archive::{self, ArchiveError, ExportOptions, Restore, RestoredCounts};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, id},
    db::TestDb,
    pictures::png,
};

/// The lines of an archive, and the number of locked events that became drafts.
async fn export(app: &TestApp, secrets: bool) -> (Vec<String>, usize) {
    let mut export =
        archive::export(&app.calendar, ExportOptions { secrets, ..ExportOptions::default() })
            .await
            .unwrap();
    let (mut lines, mut drafts) = (Vec::new(), 0);
    while let Some(part) = export.next_part().await.unwrap() {
        lines.extend(part.lines);
        drafts += part.made_drafts.len();
    }
    (lines, drafts)
}

async fn restore(
    store: &dyn Store,
    lines: &[impl AsRef<str>],
) -> Result<RestoredCounts, ArchiveError> {
    let mut restore = Restore::begin(store, lines[0].as_ref()).await?;
    for line in &lines[1..] {
        restore.add(line.as_ref()).await?;
    }
    restore.commit().await
}

/// The empty databases of each kind.
async fn databases() -> Vec<TestDb> {
    let postgres = TestDb::postgres().await;
    [TestDb::sqlite().await].into_iter().chain(postgres).collect()
}

async fn patch(client: &Client, path: &str, fields: Value) {
    let answer = client.send_json(Method::PATCH, path, &fields).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
}

/// Fills a calendar with content of every kind.
async fn fill(app: &TestApp) {
    let (admin, author) = (app.admin(), app.author());
    let logo = Logo::new(b"\xff\xd8\xff\0\x01\xfe".to_vec()).unwrap();
    let set = [
        SiteChange::Set(SiteValue::Name("Fair & co".parse().unwrap())),
        SiteChange::Set(SiteValue::Logo(logo)),
    ];
    let (id_of_admin, role) = (UserId::from_raw(1), Role::Administrator);
    let caller = Caller::of(id_of_admin, role);
    app.calendar.change_site(caller, 0, &set).await.unwrap();
    app.face.refresh(&app.calendar).await.unwrap();
    let image = admin.send(Method::POST, "/images", Some(("image/png", png(1200, 800)))).await;
    let image = id(&image.json());
    for (language, alt) in [("en", "A bench"), ("fr", "Un banc")] {
        patch(&admin, &format!("/images/{image}"), json!({"ml_language": language, "alt": alt}))
            .await;
    }
    let music = id(&admin.make("/categories", json!({"name": "Music"})).await);
    let jazz = id(&admin.make("/categories", json!({"name": "Jazz", "parent": music})).await);
    // The parent has a greater ID than its child.
    let arts = id(&admin.make("/categories", json!({"name": "Arts"})).await);
    admin.change(&format!("/categories/{music}"), json!({"parent": arts})).await;
    admin
        .change(&format!("/categories/{jazz}"), json!({"ml_language": "fr", "name": "Le jazz"}))
        .await;
    let free = id(&admin.make("/tags", json!({"name": "Free & easy", "slug": "free"})).await);
    admin.change(&format!("/tags/{free}"), json!({"slug": "for-free"})).await;
    let mill = json!({"venue": "Old Mill", "address": "3 Quai Vert", "city": "Lyon", "country": "France",
        "geo_lat": 45.764_043_1, "geo_lng": 4.835_659_9, "image": image, "website": "https://mill.example/"});
    let mill = id(&admin.make("/venues", mill).await);
    let french = json!({"ml_language": "fr", "venue": "Vieux moulin", "slug": "vieux-moulin"});
    admin.change(&format!("/venues/{mill}"), french).await;
    let draft = id(&author.make("/venues", json!({"venue": "Cellar", "status": "draft"})).await);
    let club =
        json!({"organizer": "Rowing club", "email": "club@rowing.example", "phone": "+33 4"});
    let club = id(&admin.make("/organizers", club).await);

    let fair = json!({"title": "Fair", "description": "<p>A <b>fair</b>.</p>\n<p>Line</p>", "excerpt": "Short",
        "categories": [jazz], "tags": [free], "venue": mill, "organizer": [club], "image": image,
        "cost": "12 €", "website": "https://fair.example/?a=1&b=2", "sticky": true, "featured": true,
        "tickets": [{"name": "Balcony", "price": "12.50", "currency": "EUR", "url": "https://t.example/7",
            "available_from": "2027-01-02", "available_until": "2027-02-02"}],
        "start_date": "2027-10-31T00:30:00Z", "end_date": "2027-10-31T01:30:00Z", "timezone": "Europe/Paris"});
    let fair = id(&admin.event(fair).await);
    for fields in [
        json!({"ml_language": "fr", "title": "Foire", "slug": "foire"}),
        json!({"ml_language": "ar", "title": "معرض", "description": "نص"}),
        json!({"slug": "great-fair"}),
        json!({"cancelled": true}),
    ] {
        admin.change(&format!("/events/{fair}"), fields).await;
    }
    let stand = json!({"title": "Stand", "parent": fair, "venue": draft, "all_day": true, "timezone": "Asia/Tokyo"});
    let stand = id(&author.event(stand).await);
    author.event(json!({"title": "Secret draft", "status": "draft"})).await;
    let waiting = json!({"title": "Pending", "status": "pending"});
    let waiting = id(&app.contributor().event(waiting).await);
    admin.event(json!({"title": "Private", "status": "private"})).await;
    admin.event(json!({"title": "Later", "date": "2027-06-01 09:00"})).await;
    admin.event(json!({"title": "Locked", "password": "river", "description": "Canary"})).await;
    let gone = id(&admin.event(json!({"title": "Gone"})).await);
    admin.delete(&format!("/events/{gone}")).await;
    let deleted = id(&admin.event(json!({"title": "Deleted"})).await);
    admin.delete(&format!("/events/{deleted}?force=true")).await;
    admin.event(json!({"title": "Hidden", "hide_from_listings": true})).await;

    let weekly = json!({"title": "Jazz night", "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 21:00",
        "timezone": "Europe/Paris", "recurrence": "FREQ=WEEKLY;COUNT=12", "categories": [jazz], "venue": mill});
    let weekly = id(&admin.event(weekly).await);
    admin
        .change(&format!("/events/{weekly}"), json!({"ml_language": "fr", "title": "Soirée jazz"}))
        .await;
    let on = |day: &str| format!("/events/{weekly}/occurrences/{day}");
    let moved = json!({"start_date": "2027-03-17 18:00", "end_date": "2027-03-17 20:00"});
    patch(&admin, &on("2027-03-16"), moved).await;
    patch(&admin, &on("2027-03-23"), json!({"cancelled": true})).await;
    patch(&admin, &on("2027-03-30"), json!({"title": "Trio", "tags": [free]})).await;
    admin.delete(&on("2027-04-06")).await;
    let late = json!({"title": "Late jazz", "scope": "following"});
    patch(&admin, &on("2027-04-27"), late).await;
    patch(&admin, &on("2027-03-09"), json!({"title": "Alone", "detach": true})).await;
    let endless = json!({"title": "Market", "start_date": "2027-02-28", "end_date": "2027-02-28", "all_day": true,
        "recurrence": "FREQ=MONTHLY;BYMONTHDAY=-1"});
    let endless = id(&author.event(endless).await);
    patch(&admin, &format!("/events/{endless}/occurrences/2027-03-31"), json!({"parent": stand}))
        .await;
    let of_locked = json!({"title": "Locked series", "password": "river", "recurrence": "FREQ=DAILY;COUNT=3",
        "start_date": "2027-05-01 10:00", "end_date": "2027-05-01 11:00"});
    admin.event(of_locked).await;
    let verified = admin.send(Method::POST, &format!("/events/{fair}/verify"), None).await;
    assert_eq!(verified.status, 200, "{}", verified.text());
    review(app, EventId::from_raw(waiting)).await;
}

/// Adds a remark and a proposal to an event.
async fn review(app: &TestApp, event: EventId) {
    let unit = app.db.store.begin().await.unwrap();
    let remark = EventRemark {
        event,
        text: "Which hall?".parse().unwrap(),
        author: Some(UserId::from_raw(1)),
        at: "2027-01-01 09:00:00".parse().unwrap(),
    };
    unit.reviews().put_remark(&remark).await.unwrap();
    let proposal = Proposal {
        event,
        hash: "0f3c".to_owned().into(),
        address: "an address".to_owned(),
        network: "a network".to_owned(),
        sender: "Eve".to_owned(),
        email: Some("eve@cal.example".parse().unwrap()),
        place: "Barn".to_owned(),
        created: "2027-01-01 08:00:00".parse().unwrap(),
        closed: Some("2027-01-01 09:00:00".parse().unwrap()),
    };
    unit.reviews().add_proposal(&proposal).await.unwrap();
    unit.commit().await.unwrap();
}

/// The requests that read everything in the calendar of [`fill`].
fn reads() -> Vec<String> {
    let mut paths = Vec::new();
    for collection in ["events", "venues", "organizers", "categories", "tags", "images"] {
        paths.extend((1..80).map(|id| format!("/{collection}/{id}")));
        paths.push(format!("/{collection}?per_page=50"));
    }
    for id in 1..40 {
        paths.push(format!("/events/{id}/occurrences?per_page=50"));
        paths.push(format!("/events/{id}.ics"));
        paths.push(format!("/events/{id}?ml_language=fr"));
        paths.push(format!("/events/{id}?password=river"));
    }
    for query in [
        "start_date=2020-01-01&end_date=2040-01-01&per_page=50&status=any",
        "start_date=2020-01-01&end_date=2040-01-01&per_page=50",
        "start_date=2020-01-01&end_date=2040-01-01&per_page=50&ml_language=ar",
        "start_date=2020-01-01&end_date=2040-01-01&per_page=50&categories=arts",
        "start_date=2020-01-01&end_date=2040-01-01&search=jazz&per_page=50",
        "status=trash",
    ] {
        paths.push(format!("/events?{query}"));
        paths.push(format!("/events.ics?{query}"));
    }
    for slug in ["fair", "great-fair", "foire", "jazz-night", "jazz-night~2027-03-30"] {
        paths.push(format!("/events/by-slug/{slug}"));
        paths.push(format!("//event/{slug}/"));
    }
    paths.extend(["//tag/free/", "//fr/venue/vieux-moulin/"].map(str::to_owned));
    paths
}

/// Fails unless two services give the same answers.
async fn same(one: &TestApp, other: &TestApp) {
    let mut found = 0;
    for path in reads() {
        for (name, [a, b]) in [
            ("anonymous", [one.anonymous(), other.anonymous()]),
            ("administrator", [one.admin(), other.admin()]),
            ("author", [one.author(), other.author()]),
        ] {
            let (a, b) = (a.get(&path).await, b.get(&path).await);
            assert_eq!(a.status, b.status, "{name} {path}: {}", b.text());
            assert_eq!(a.text(), b.text(), "{name} {path}");
            found += usize::from(a.status == 200);
        }
    }
    assert!(found > 400, "{found}");
}

/// An archive in an empty database, of either kind, gives the same answers to the byte, and the same
/// archive again.
#[both_stores]
async fn an_archive_restores_every_answer(app: &TestApp) {
    fill(app).await;
    let (lines, drafts) = export(app, true).await;
    assert_eq!(drafts, 0);
    for db in databases().await {
        let counts = restore(&db.store, &lines).await.unwrap().to_string();
        assert!(
            counts.starts_with("3 categories, ") && counts.ends_with("7 users, 2 venues"),
            "{counts}"
        );
        let restored = TestApp::builder(db).build().await;
        assert!(restored.face.refresh(&restored.calendar).await.unwrap());
        assert!(restored.anonymous().get("//").await.text().contains("Fair &#38; co"));
        same(app, &restored).await;
        let (again, _) = export(&restored, true).await;
        assert_eq!(again, lines);
        for kind in ["remark", "verification", "proposal"] {
            let kind = format!(r#"{{"kind":"{kind}","event":"#);
            assert!(lines.iter().any(|line| line.starts_with(&kind)), "{kind}");
        }

        // The next records get new IDs.
        let event = id(&restored.admin().event(json!({"title": "New"})).await);
        let new = format!("\"id\":{event},");
        assert!(lines.iter().all(|line| !line.contains(&new)), "{event}");
    }
}

/// Without secrets, locked events are drafts, and nothing secret is in the archive.
#[both_stores]
async fn without_secrets_locked_events_are_drafts(app: &TestApp) {
    fill(app).await;
    let (lines, drafts) = export(app, false).await;
    assert_eq!(drafts, 2, "an event and a series");
    assert!(lines.iter().all(|line| !line.contains("password")), "{lines:?}");
    let restored = TestApp::sqlite().await;
    restore(&restored.db.store, &lines).await.unwrap();
    let all = "/events?start_date=2020-01-01&end_date=2040-01-01&per_page=50&search=locked";
    assert_eq!(restored.anonymous().get(all).await.json()["total"], 0);
    let found = restored.admin().get(&format!("{all}&status=draft")).await.json();
    assert_eq!(found["total"], 4, "an event, and three occurrences: {found}");
}

/// A calendar that has records is not changed.
#[both_stores]
async fn an_archive_needs_an_empty_calendar(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let (lines, _) = export(app, false).await;
    let before = app.admin().get("/events").await.text();
    let refused = restore(&app.db.store, &lines).await.unwrap_err();
    assert!(matches!(refused, ArchiveError::NotEmpty), "{refused}");
    assert_eq!(app.admin().get("/events").await.text(), before);
    // A calendar in use hashes passwords with a key of its own.
    let (lines, _) = export(app, true).await;
    let other = TestApp::sqlite().await;
    let refused = restore(&other.db.store, &lines).await.unwrap_err();
    assert!(matches!(refused, ArchiveError::OtherKey), "{refused}");
}

/// A bad line is named, and nothing is in the calendar then.
#[both_stores]
async fn a_bad_line_changes_nothing(app: &TestApp) {
    fill(app).await;
    let (lines, _) = export(app, false).await;
    let target = TestApp::sqlite().await;
    let index = |start: &str, part: &str| {
        lines.iter().position(|line| line.starts_with(start) && line.contains(part)).unwrap()
    };
    let venue = index(r#"{"kind":"venue""#, "Old Mill");
    let fair = index(r#"{"kind":"event""#, "great-fair");
    let dates = index(r#"{"kind":"occurrences""#, "");
    let trio = index(r#"{"kind":"event""#, "\"title\":\"Trio\"");
    let replaced = |line: usize, from: &str, to: &str| {
        let mut lines = lines.clone();
        assert!(lines[line].contains(from), "{}", lines[line]);
        lines[line] = lines[line].replacen(from, to, 1);
        lines
    };
    let without = |line: usize| {
        let mut lines = lines.clone();
        lines.remove(line);
        lines
    };
    let twice = |line: usize| {
        let mut lines = lines.clone();
        lines.insert(line, lines[line].clone());
        lines
    };
    let cut = lines[fair].len() / 2;
    for (lines, number, reason) in [
        (replaced(venue, "venue", "planet"), venue, "unknown variant `planet`"),
        (replaced(fair, "\"id\":", "\"di\":"), fair, "missing field `id`"),
        (replaced(fair, "\"id\":1,", "\"id\":0,"), fair, "id: must be from 1"),
        (
            replaced(fair, "2027-10-31 02:30:00\"", "2027-10-32 02:30:00\""),
            fair,
            "start_date: must be",
        ),
        (replaced(fair, "Europe/Paris", "Mars/X"), fair, ""),
        (
            replaced(fair, "\"categories\":[", "\"categories\":[99,"),
            fair,
            "no line before it has the category 99",
        ),
        (replaced(fair, &lines[fair][cut..], ""), fair, "EOF"),
        (without(venue), venue, "no line before it has the venue"),
        (without(1), venue, "no line before it has the user 1"),
        (without(dates - 1), dates - 1, "no line before it has the series"),
        (without(trio), dates, "the archive has no record of the occurrence"),
        (without(dates), dates, "no line before it has an occurrence"),
        (twice(venue), venue + 1, "a line before it has the venue"),
        (
            replaced(venue, "\"slug\":\"old-mill\"", "\"slug\":\"Old Mill\""),
            venue,
            "must be a slug",
        ),
    ] {
        let error = restore(&target.db.store, &lines).await.unwrap_err();
        let ArchiveError::Line { line, reason: given } = &error else { panic!("{error}") };
        assert!(given.contains(reason), "{reason}: {error}");
        let at = usize::try_from(*line).unwrap() - 1;
        assert!(at.abs_diff(number) <= 3, "{reason}: {number}: {error}");
        for (_, counted) in [("/events", 0), ("/venues", 0)] {
            let list = target.admin().get("/venues?status=any").await.json();
            assert_eq!(list["total"], counted, "{error}");
        }
    }
    for (header, reason) in [
        (lines[0].replace("\"version\":1", "\"version\":2"), "version 2"),
        (lines[0].replace("\"version\":1", "\"v\":1"), "missing field `version`"),
        ("{}".to_owned(), "missing field"),
        ("x".to_owned(), "expected value"),
    ] {
        let error = Restore::begin(&target.db.store, &header).await.unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
    // The same calendar takes the whole archive afterwards.
    restore(&target.db.store, &lines).await.unwrap();
}

/// The archive names the files of all images.
#[both_stores]
async fn an_archive_names_the_files_of_images(app: &TestApp) {
    fill(app).await;
    let mut export = archive::export(&app.calendar, ExportOptions::default()).await.unwrap();
    let mut files = Vec::new();
    while let Some(part) = export.next_part().await.unwrap() {
        files.extend(part.files);
    }
    drop(export);
    let mut stored = app.files.written_before(domain::time::Timestamp::MAX).await.unwrap();
    stored.sort();
    files.sort();
    assert_eq!(files, stored);
    let file = app.calendar.image_file(&files[0]).await.unwrap();
    let content: Vec<_> = file.content.try_collect().await.unwrap();
    assert!(!content.concat().is_empty());
}

/// An archive has the trail if that is wanted, without addresses, and brings it back.
#[both_stores]
async fn an_archive_may_have_the_trail(app: &TestApp) {
    let editor = app.editor().at([192, 0, 2, 7]);
    let mill = editor.make("/venues", json!({"venue": "Old Mill", "city": "Lyon"})).await;
    let path = format!("/venues/{}", mill["id"]);
    let long = "Bring shoes. ".repeat(20);
    patch(&editor, &path, json!({"description": long})).await;
    patch(&editor, &path, json!({"description": format!("{long}Now."), "city": "Vienne"})).await;
    let fair = editor.event(json!({"title": "Fair", "password": "secret"})).await;
    let gone = editor.make("/tags", json!({"name": "Loud"})).await;
    editor.delete(&format!("/tags/{}?force=true", gone["id"])).await;
    let entries = app.admin().get("/audit?per_page=100").await.json();
    let expected: Vec<Value> = entries["audit"].as_array().unwrap().clone();

    let (lines, _) = export(app, false).await;
    assert!(!lines.iter().any(|line| line.contains("\"kind\":\"audit\"")));
    let options = ExportOptions { secrets: true, audit: true };
    let mut export = archive::export(&app.calendar, options).await.unwrap();
    let mut lines = Vec::new();
    while let Some(part) = export.next_part().await.unwrap() {
        lines.extend(part.lines);
    }
    assert!(!lines.iter().any(|line| line.contains("192.0.2.7")));
    for db in databases().await {
        restore(&db.store, &lines).await.unwrap();
        let other = TestApp::new(db).await;
        let list = other.admin().get("/audit?per_page=100").await.json();
        let without = |entries: &[Value]| {
            let mut entries = entries.to_vec();
            // The new service adds users and tokens of its own.
            entries.retain(|one| !["user", "token"].contains(&one["kind"].as_str().unwrap()));
            for entry in &mut entries {
                entry.as_object_mut().unwrap().remove("id");
                entry["address"] = Value::Null;
            }
            entries
        };
        assert_eq!(without(list["audit"].as_array().unwrap()), without(&expected));
        let restored = other.editor().post(&format!("{path}/revisions/1/restore"), json!({})).await;
        assert_eq!(restored.json()["city"], "Lyon", "{}", restored.text());
        let revisions = other.editor().get(&format!("/events/{}/revisions", fair["id"])).await;
        assert_eq!(revisions.json()["total"], 1);
    }
    for (line, reason) in [
        (
            r#"{"kind":"audit","at_utc":"2027-01-01 12:00:00","channel":"x","action":"update","of":"tag","record":1,"revision":1,"changes":[]}"#,
            "channel",
        ),
        (
            r#"{"kind":"audit","at_utc":"2027-01-01 12:00:00","channel":"job","action":"x","of":"tag","record":1,"revision":1,"changes":[]}"#,
            "action",
        ),
        (
            r#"{"kind":"audit","at_utc":"2027-01-01 12:00:00","channel":"job","action":"update","of":"tag","record":1,"revision":1,"changes":[{"field":"x"}]}"#,
            "field",
        ),
    ] {
        let store = InMemoryStore::new();
        let refused = restore(&store, &[lines[0].as_str(), line]).await.unwrap_err();
        assert!(refused.to_string().contains(reason), "{refused}");
    }
}
