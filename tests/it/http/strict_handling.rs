//! Unknown parameters: ignored, or refused with strict handling.

use app::site::Site;
use axum::http::Method;
use domain::{Role, UserId, policy::Caller};
use interchange::import::{Outcome, RowReader, import_rows};
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields},
    for_each_row,
};

const STRICT: (&str, &str) = ("prefer", "handling=strict");

/// Reads with strict handling, without credentials.
async fn read_strictly(app: &TestApp, path: &str) -> Answer {
    app.anonymous().get_with(path, &[STRICT]).await
}

/// Writes with strict handling.
async fn strictly(client: &Client, method: Method, path: &str, body: &Value) -> Answer {
    client.send_json_with(method, path, &[STRICT], body).await
}

/// The message about a field.
fn said_of(answer: &Answer, field: &str) -> String {
    let params = answer.json()["data"]["params"].clone();
    params[field].as_str().unwrap_or_default().to_owned()
}

/// A record of each kind: its path and its fields in an answer.
async fn one_of_each(app: &TestApp) -> Vec<(String, Value)> {
    let admin = app.admin();
    let mut records = Vec::new();
    for (collection, fields) in [
        ("/categories", json!({"name": "C"})),
        ("/tags", json!({"name": "T"})),
        ("/venues", json!({"venue": "V", "city": "Oslo", "geo_lat": 1, "geo_lng": 2})),
        ("/organizers", json!({"organizer": "O", "description": "Text"})),
        (
            "/events",
            event_fields(json!({
                "categories": [1], "tags": [1], "venue": 1, "organizer": [1], "cost": "5 €",
                "tickets": [{"name": "Seat", "price": "5", "currency": "EUR"}],
            })),
        ),
    ] {
        let made = admin.make(collection, fields).await;
        records.push((format!("{collection}/{}", made["id"]), made));
    }
    for (path, record) in &mut records {
        *record = admin.get(path).await.json();
    }
    records
}

/// D-29: Unknown parameters are ignored without strict handling.
#[both_stores]
async fn unknown_parameters_are_ignored(app: &TestApp) {
    one_of_each(app).await;
    for path in ["/events", "/events/1", "/venues", "/tags/1", "", "/doc"] {
        let answer = app.anonymous().get(&format!("{path}?foo=1&categorie=x")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("preference-applied"), "", "{path}");
        assert!(answer.header("vary").contains("Prefer"), "{path}");
    }
    app.admin().event(json!({"foo": 1})).await;
    let lenient = [("prefer", "handling=lenient")];
    let answer = app.anonymous().get_with("/events?foo=1", &lenient).await;
    assert_eq!((answer.status, answer.header("preference-applied")), (200, ""));
}

/// D-29: Strict handling refuses unknown parameters, each named with its nearest known name.
#[both_stores]
async fn strict_handling_refuses_unknown_parameters(app: &TestApp) {
    let records = one_of_each(app).await;
    let admin = app.admin();
    let rows = [
        ("/events?categorie=1", "categorie", "categories"),
        ("/events?startdate=2027-01-01", "startdate", "start_date"),
        ("/events?per_pag=1", "per_pag", "per_page"),
        ("/events/1?_feilds=id", "_feilds", "_fields"),
        ("/events/by-slug/event?pasword=x", "pasword", "password"),
        ("/venues?only_with_upcomming=1", "only_with_upcomming", "only_with_upcoming"),
        ("/tags?hide_emtpy=1", "hide_emtpy", "hide_empty"),
        ("?namespac=x", "namespac", "namespace"),
        ("/doc?ml_langage=en", "ml_langage", "ml_language"),
    ];
    for_each_row(rows, async |(path, unknown, near)| {
        let answer = read_strictly(app, path).await;
        answer.assert_invalid(&[unknown]);
        let said = said_of(&answer, unknown);
        assert!(said.contains("did you mean") && said.ends_with(&format!(" {near}?")), "{said}");
        assert_eq!(answer.header("preference-applied"), "handling=strict", "{path}");
    })
    .await;
    let far = read_strictly(app, "/events?xyzzy=1&a[b]=2").await;
    far.assert_invalid(&["xyzzy", "a"]);
    assert!(!said_of(&far, "xyzzy").contains("did you mean"), "{}", far.text());
    for (path, record) in &records {
        for (method, path) in [
            (Method::POST, path.rsplit_once('/').unwrap().0),
            (Method::PUT, path.as_str()),
            (Method::PATCH, path.as_str()),
        ] {
            let mut fields = record.clone();
            fields["descripton"] = json!("x");
            let query = format!("{path}?forse=1");
            let answer = strictly(&admin, method, &query, &fields).await;
            answer.assert_invalid(&["descripton", "forse"]);
            assert!(said_of(&answer, "descripton").contains("description"), "{}", answer.text());
        }
        let path_with_unknown = format!("{path}?forced=1");
        let answer = strictly(&admin, Method::DELETE, &path_with_unknown, &json!({})).await;
        answer.assert_invalid(&["forced"]);
        assert_eq!(&admin.get(path).await.json(), record);
    }
}

/// D-29: Unknown fields are reported together with invalid ones, also within records given in full.
#[both_stores]
async fn unknown_fields_are_reported_with_bad_ones(app: &TestApp) {
    let admin = app.admin();
    let fields = event_fields(json!({"website": "x", "titel": "T", "end_date": "2026-01-01"}));
    let answer = strictly(&admin, Method::POST, "/events", &fields).await;
    answer.assert_invalid(&["website", "titel", "end_date"]);
    for (field, value) in [
        ("venue", json!({"venue": "V", "citty": "Oslo"})),
        ("organizer", json!([{"organizer": "O", "fone": "1"}])),
        ("tickets", json!([{"name": "T", "price": 1, "currency": "EUR", "pric": 1}])),
    ] {
        let fields = event_fields(json!({field: value}));
        let answer = strictly(&admin, Method::POST, "/events", &fields).await;
        answer.assert_invalid(&[field]);
        assert!(said_of(&answer, field).contains("did you mean"), "{}", answer.text());
    }
    let none = strictly(&admin, Method::POST, "/events", &json!({"titel": "T"})).await;
    none.assert_error(400, "rest_missing_callback_param");
    assert_eq!(admin.get("/venues?status=any").await.json()["total"], 0);
    assert_eq!(app.list("").await, Vec::<i64>::new());
}

/// D-29: Parameters of the platform, and fields of a record that is written back, are known.
#[both_stores]
async fn known_parameters_are_not_refused(app: &TestApp) {
    // Linked records come last.
    for (path, record) in one_of_each(app).await.into_iter().rev() {
        let query =
            "?_fields=id&_envelope=0&_embed=1&_jsonp=x&_locale=user&ml_language=en&context=view";
        let (collection, _) = path.rsplit_once('/').unwrap();
        let written = format!("{path}{query}&password=x");
        let tunnelled = format!("{path}?_method=DELETE&force=true");
        for answer in [
            strictly(&app.admin(), Method::PUT, &written, &record).await,
            read_strictly(app, &format!("{path}{query}")).await,
            read_strictly(app, &format!("{collection}{query}&page=1")).await,
            strictly(&app.admin(), Method::POST, &tunnelled, &json!({})).await,
        ] {
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
    }
    let venue = json!({"venue": "V", "geo_lat": "", "geo_lng": ""});
    let made = strictly(&app.admin(), Method::POST, "/venues", &venue).await;
    assert_eq!(made.status, 201, "{}", made.text());
}

/// D-29: Strict and lenient requests share no cached answer.
#[both_stores]
async fn kept_answers_are_not_mixed(app: &TestApp) {
    one_of_each(app).await;
    for _ in 0..2 {
        let lenient = app.anonymous().get("/events?foo=1").await;
        assert_eq!((lenient.status, lenient.header("preference-applied")), (200, ""));
        read_strictly(app, "/events?foo=1").await.assert_invalid(&["foo"]);
        let strict = read_strictly(app, "/events?page=1").await;
        assert_eq!((strict.status, strict.header("preference-applied")), (200, "handling=strict"));
        let plain = app.anonymous().get("/events?page=1").await;
        assert_eq!((plain.status, plain.header("preference-applied")), (200, ""));
        assert_eq!(plain.bytes, strict.bytes);
        for answer in [lenient, strict, plain] {
            assert!(answer.header("vary").contains("Prefer"), "{}", answer.header("vary"));
        }
    }
}

/// D-29: A strict service refuses unknown parameters of every client.
#[both_stores]
async fn a_strict_service_refuses_unknown_parameters(app: &TestApp) {
    let site = Site { strict: true, ..Site::default() };
    let admin = app.variant().site(site).build().await.admin();
    admin.get("/events?foo=1").await.assert_invalid(&["foo"]);
    admin.try_event(json!({"titel": "x"})).await.assert_invalid(&["titel"]);
    let lenient = [("prefer", "handling=lenient")];
    admin.get_with("/events?foo=1", &lenient).await.assert_invalid(&["foo"]);
    assert_eq!(admin.get("/events?per_page=5").await.status, 200);
    admin.event(json!({})).await;
    // Pages are no part of the interface.
    assert_eq!(admin.get("//?utm_source=x").await.status, 200);
    assert_eq!(admin.get("//event/event/?utm_source=x").await.status, 200);
}

/// D-29: An import accepts a row with unknown fields and reports them by line; if the service is
/// strict, it rejects the row.
#[both_stores]
async fn an_import_reports_unknown_fields(app: &TestApp) {
    let caller = Caller::of(UserId::from_raw(1), Role::Administrator);
    let rows = || {
        let mut reader = RowReader::default();
        let fields = [
            json!({}),
            json!({"categorie": "x", "venue": {"venue": "V", "citty": "Oslo"}}),
            json!({"titel": "T", "website": "x"}),
        ];
        fields.map(|fields| reader.read(&event_fields(fields).to_string()).unwrap())
    };
    let strict = Site { strict: true, ..Site::default() };
    let strict = app.variant().site(strict).build().await;
    let outcomes = import_rows(&strict.calendar, caller, &rows()[1..2]).await.unwrap();
    assert!(
        matches!(&outcomes[..], [Outcome::Rejected(faults)] if faults.len() == 2),
        "{outcomes:?}"
    );
    let outcomes = import_rows(&app.calendar, caller, &rows()).await.unwrap();
    let [Outcome::Imported(_), Outcome::ImportedInPart(id, unknown), Outcome::Rejected(refused)] =
        &outcomes[..]
    else {
        panic!("{outcomes:?}");
    };
    let names: Vec<_> = unknown.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["venue", "categorie"]);
    assert!(unknown[0].1.contains("citty") && unknown[1].1.contains("categories?"), "{unknown:?}");
    assert_eq!(refused.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["website"]);
    assert_eq!(app.anonymous().get(&format!("/events/{id}")).await.json()["venue"]["venue"], "V");
    let again = import_rows(&app.calendar, caller, &rows()[..2]).await.unwrap();
    assert_eq!(again, [Outcome::AlreadyImported, Outcome::AlreadyImported]);
}

/// D-29: Unknown parts of a form with an image are refused.
#[both_stores]
async fn unknown_parts_of_an_upload_are_refused(app: &TestApp) {
    let form = |part: &str| {
        let form = format!(
            "--x\r\nContent-Disposition: form-data; name=\"{part}\"\r\n\r\nA\r\n--x\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"
        );
        let end = b"\r\n--x--\r\n";
        [form.as_bytes(), &tests::pictures::png(2, 2), end].concat()
    };
    let kind = "multipart/form-data; boundary=x";
    let send = async |headers: &[(&str, &str)], path: &str| {
        let body = Some((kind, form("tittle")));
        app.admin().send_with(Method::POST, path, headers, body).await
    };
    send(&[STRICT], "/images").await.assert_invalid(&["tittle"]);
    send(&[STRICT], "/images?foo=1").await.assert_invalid(&["foo"]);
    assert_eq!(send(&[], "/images?foo=1").await.status, 201);
}
