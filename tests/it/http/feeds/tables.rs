//! Lists as tables with comma-separated values.

use app::site::Site;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Client};

/// The rows of a table after its byte order mark.
async fn table(client: &Client, path: &str) -> Vec<Vec<String>> {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8; header=present");
    let text = answer.text();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

/// The cells of a column.
async fn column(client: &Client, path: &str, label: &str) -> Vec<String> {
    let rows = table(client, path).await;
    let index = rows[0].iter().position(|one| one == label);
    let index = index.unwrap_or_else(|| panic!("{label} is not in {:?}", rows[0]));
    rows[1..].iter().map(|row| row[index].clone()).collect()
}

/// F-76: the tables have the columns of the reference, with ID, UID, status and URL; they begin with a
/// byte order mark, unless `bom=0` is sent.
#[both_stores]
async fn the_columns_of_tables(app: &TestApp) {
    let venue = json!({"venue": "Old Mill", "city": "Lyon", "stateprovince": "Rhône"});
    app.admin().post("/venues", venue).await;
    let organizer = json!({"organizer": "Rowing club", "email": "club@cal.example"});
    app.admin().post("/organizers", organizer).await;
    let event = json!({"title": "River cleanup", "description": "<p>Bring gloves.</p>",
        "start_date": "2027-04-17 09:00", "end_date": "2027-04-17 12:00", "timezone": "Europe/Paris",
        "venue": 1, "organizer": [1], "categories": ["Nature", "Clean, green"], "tags": ["river"],
        "cost": "5", "website": "https://river.example/", "featured": true});
    app.admin().event(event).await;

    let rows = table(&app.anonymous(), "/events.csv").await;
    let labels = "Event ID,Event UID,Event Name,Event Description,Event Excerpt,Event Start Date,\
        Event Start Time,Event End Date,Event End Time,Event Time Zone,All Day Event,\
        Hide Event From Event Listings,Event Sticky in Month View,Feature Event,Event Venue Name,\
        Event Organizer Name(s) or ID(s),Event Show Map Link,Event Show Map,Event Cost,\
        Event ISO Currency Code,Event Currency Symbol,Event Currency Position,Event Category,\
        Event Tags,Event Website,Event Featured Image,Event Status,Event URL";
    assert_eq!(rows[0].join(","), labels);
    assert_eq!(rows.len(), 2);
    let event = app.anonymous().get("/events/1").await.json();
    let (id, uid) = (&rows[1][0], &rows[1][1]);
    assert_eq!(id, "1");
    assert!(uid.contains('@'), "{uid}");
    let url = event["url"].as_str().unwrap();
    assert_eq!(
        rows[1][2..],
        [
            "River cleanup",
            "<p>Bring gloves.</p>",
            "",
            "2027-04-17",
            "09:00:00",
            "2027-04-17",
            "12:00:00",
            "Europe/Paris",
            "FALSE",
            "FALSE",
            "FALSE",
            "TRUE",
            "Old Mill",
            "Rowing club",
            "FALSE",
            "FALSE",
            "5",
            "",
            "",
            "",
            "clean-green,Nature",
            "river",
            "https://river.example/",
            "",
            "publish",
            url
        ],
    );
    let venues = table(&app.anonymous(), "/venues.csv").await;
    let labels = "Venue ID,Venue Name,Venue Description,Venue Country,Venue Address,Venue City,\
        Venue State/Province,Venue Zip,Venue Phone,Venue Website,Venue Featured Image";
    assert_eq!(venues[0].join(","), labels);
    assert_eq!(venues[1][..7], ["1", "Old Mill", "", "", "", "Lyon", "Rhône"]);
    let organizers = table(&app.anonymous(), "/organizers.csv").await;
    let labels = "Organizer ID,Organizer Name,Organizer Description,Organizer Email,\
        Organizer Website,Organizer Phone,Organizer Featured Image";
    assert_eq!(organizers[0].join(","), labels);
    assert_eq!(organizers[1][..4], ["1", "Rowing club", "", "club@cal.example"]);

    for path in ["/events", "/venues", "/organizers"] {
        let begin = |text: String| text.chars().next();
        let with = app.anonymous().get(&format!("{path}.csv")).await;
        assert_eq!(begin(with.text()), Some('\u{feff}'));
        let name = format!("attachment; filename=\"{}.csv\"", &path[1..]);
        assert_eq!(with.header("content-disposition"), name);
        let without = app.anonymous().get(&format!("{path}.csv?bom=0")).await;
        assert_ne!(begin(without.text()), Some('\u{feff}'));
        let accepted = app.anonymous().get_with(path, &[("accept", "text/csv")]).await;
        assert_eq!(accepted.text(), with.text());
        assert!(accepted.header("vary").contains("Accept"), "{}", accepted.header("vary"));
        let tag = with.header("etag").to_owned();
        let csv = format!("{path}.csv");
        let again = app.anonymous().get_with(&csv, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.text()), (304, String::new()));
        let refused = app.anonymous().get(&format!("{path}?format=xml")).await;
        assert_eq!(refused.status, 400);
    }
    for path in ["/events/1.csv", "/tags.csv", "/venues.ics", "/venues.atom"] {
        assert_eq!(app.anonymous().get(path).await.status, 404, "{path}");
    }
}

/// F-77: a cell that a spreadsheet would take for a formula begins with an apostrophe.
#[both_stores]
async fn no_cell_is_a_formula(app: &TestApp) {
    for name in ["=1+1", "+33 1", "-x", "@x", "＝x", "'x", "plain"] {
        app.admin().post("/organizers", json!({"organizer": name})).await;
    }
    // The order is that of the list: the newest first.
    let mut names = column(&app.anonymous(), "/organizers.csv", "Organizer Name").await;
    names.reverse();
    assert_eq!(names, ["'=1+1", "'+33 1", "'-x", "'@x", "'＝x", "''x", "plain"]);
}

/// F-78: commas, quotes and line breaks stay in their cell; lines end with CR LF.
#[both_stores]
async fn a_cell_stays_one_cell(app: &TestApp) {
    let description = "<p>Gloves, \"boots\"</p>\n<p>and a hat</p>";
    app.admin().event(json!({"title": "A, \"B\"", "description": description})).await;
    let client = app.anonymous();
    assert_eq!(column(&client, "/events.csv", "Event Name").await, ["A, \"B\""]);
    assert_eq!(column(&client, "/events.csv", "Event Description").await, [description]);
    let text = client.get("/events.csv").await.text();
    assert!(text.contains("\"A, \"\"B\"\"\""), "{text}");
    assert_eq!(text.matches("\r\n").count(), 2);
}

/// Tables hold what the caller may list, each occurrence of a series, and never more than the limit.
#[both_stores]
async fn the_rows_of_tables(app: &TestApp) {
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    app.admin().event(json!({"title": "Locked", "description": "secret", "password": "key"})).await;
    let jazz =
        json!({"title": "Jazz", "recurrence": "FREQ=DAILY;COUNT=3", "venue": {"venue": "Cellar"}});
    app.admin().event(jazz).await;
    let anonymous = app.anonymous();
    let mut names = column(&anonymous, "/events.csv", "Event Name").await;
    names.sort();
    assert_eq!(names, ["Jazz", "Jazz", "Jazz", "Locked"]);
    let query = "/events.csv?search=locked";
    assert_eq!(column(&anonymous, query, "Event Description").await, [""]);
    let query = "/events.csv?search=locked&password=key";
    assert_eq!(column(&anonymous, query, "Event Description").await, ["<p>secret</p>"]);
    let draft = "/events.csv?status=draft";
    assert_eq!(column(&app.editor(), draft, "Event Status").await, ["draft"]);
    assert_eq!(app.anonymous().get(draft).await.status, 400);
    let mut uids = column(&anonymous, "/events.csv?search=jazz", "Event UID").await;
    uids.dedup();
    assert_eq!(uids.len(), 3);

    let site = Site { feed_max: 3, ..Site::default() };
    let app = app.variant().site(site).build().await;
    let refused = app.anonymous().get("/events.csv").await;
    assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("feed-too-large")));
}
