//! Spellings of amounts, and the currency of prices without a symbol.

use app::site::Site;
use domain::cost::SiteCurrency;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields},
    for_each_row,
};

/// An administrator of a service with this setting of the currency.
async fn admin_with(app: &TestApp, currency: &str) -> Client {
    let currency = match currency {
        "" => SiteCurrency::default(),
        said => said.parse().unwrap(),
    };
    app.variant().site(Site { currency, ..Site::default() }).build().await.admin()
}

/// The cost of an event in an answer: text, values, symbol.
fn price(event: &Value) -> (&str, &Value, &str) {
    let details = &event["cost_details"];
    (
        event["cost"].as_str().unwrap(),
        &details["values"],
        details["currency_symbol"].as_str().unwrap(),
    )
}

/// D-22: Digits in groups of any usual width, with decimals at most once, are one amount.
#[both_stores]
async fn groups_of_digits_are_one_amount(app: &TestApp) {
    let rows = [
        ("₹1,50,000", "₹1,50,000", "150000", "₹"),
        ("₹ 12,34,56,789.50", "₹12,34,56,789.50", "123456789.50", "₹"),
        ("1.234.567,89", "$1.234.567,89", "1234567.89", ""),
        ("1 234,50", "$1 234,50", "1234.50", ""),
        ("1\u{a0}234,50 €", "1 234,50€", "1234.50", "€"),
        ("1\u{202f}234\u{2009}567 €", "1 234 567€", "1234567", "€"),
        ("1'234.50", "$1'234.50", "1234.50", ""),
        ("¥1,2345,6789", "¥1,2345,6789", "123456789", "¥"),
    ];
    for_each_row(rows, async |(cost, shown, value, symbol)| {
        let made = app.admin().event(json!({"cost": cost})).await;
        let read = app.anonymous().get(&format!("/events/{}", made["id"])).await.json();
        for event in [made, read] {
            assert_eq!(price(&event), (shown, &json!([value]), symbol), "{cost}");
        }
    })
    .await;
}

/// D-22: A number of JSON is shown in plain digits.
#[both_stores]
async fn numbers_are_shown_in_plain_digits(app: &TestApp) {
    let rows = [
        ("1e3", "$1000", "1000"),
        ("5.0", "$5", "5"),
        ("7.5", "$7.5", "7.5"),
        ("1E-7", "$0.0000001", "0.0000001"),
        ("1e21", "$1000000000000000000000", "1000000000000000000000"),
        // As text it would be twelve thousand.
        ("12.345", "$12.3450", "12.3450"),
        ("1234.567", "$1234.5670", "1234.5670"),
        ("0e5", "Free", "0"),
    ];
    for_each_row(rows, async |(cost, shown, value)| {
        let body = format!(
            r#"{{"title":"T","start_date":"2027-03-10","end_date":"2027-03-10","cost":{cost}}}"#
        );
        let body = Some(("application/json", body.into_bytes()));
        let answer = app.admin().send(axum::http::Method::POST, "/events", body).await;
        assert_eq!(price(&answer.json()), (shown, &json!([value]), ""), "{cost}");
    })
    .await;
    app.admin().try_event(json!({"cost": -0.5})).await.assert_invalid(&["cost"]);
}

/// D-22: Words behind an amount are no symbol of it.
#[both_stores]
async fn words_behind_an_amount_are_a_text(app: &TestApp) {
    let rows = [
        ("5 – donation", "$5, donation", "5", ""),
        ("5 €, donation", "5€, donation", "5", "€"),
        ("10.– €", "10€", "10", "€"),
    ];
    for_each_row(rows, async |(cost, shown, value, symbol)| {
        let event = app.admin().event(json!({"cost": cost})).await;
        assert_eq!(price(&event), (shown, &json!([value]), symbol));
    })
    .await;
}

/// D-22: A price without a symbol is shown with that of the event's currency, else of the site's;
/// the setting does not change stored prices.
#[both_stores]
async fn prices_without_a_symbol_have_that_of_a_currency(app: &TestApp) {
    for (setting, bare, of_event) in [
        ("", "$20", "£20"),
        ("EUR", "€20", "£20"),
        ("USD", "$20", "£20"),
        ("CHF", "CHF20", "£20"),
        ("none", "20", "£20"),
    ] {
        let admin = admin_with(app, setting).await;
        let made = admin.event(json!({"cost": 20})).await;
        assert_eq!(price(&made), (bare, &json!(["20"]), ""), "{setting}");
        assert_eq!(admin.get("/events/1").await.json()["cost"], bare, "{setting}");
        let list = admin.get("/events?include=1").await.json();
        assert_eq!(list["events"][0]["cost"], bare, "{setting}");
        let page = admin.get(&format!("//event/{}/", made["slug"].as_str().unwrap())).await.text();
        let page = page.replace('\u{a0}', "");
        assert!(page.contains(&format!(">{bare}<")), "{setting}: {page}");
        let event = admin.event(json!({"cost": "20", "currency": "gbp"})).await;
        has_fields(&event, json!({"cost": of_event, "cost_details.currency_code": "GBP"}));
        let typed = admin.event(json!({"cost": "20 ₹", "currency": "GBP"})).await;
        assert_eq!(typed["cost"], "20₹", "{setting}");
    }
}

/// D-22: The currency of an offer is the event's, else that of an unambiguous symbol, else the
/// site's if it is set.
#[both_stores]
async fn the_currency_of_an_offer_may_be_that_of_the_site(app: &TestApp) {
    let rows = [
        ("", json!({"cost": 20}), Value::Null),
        ("none", json!({"cost": 20}), Value::Null),
        ("EUR", json!({"cost": 20}), json!("EUR")),
        ("USD", json!({"cost": 20}), json!("USD")),
        ("EUR", json!({"cost": 20, "currency": "GBP"}), json!("GBP")),
        ("EUR", json!({"cost": "₹20"}), json!("INR")),
        // The site's currency selects the dollar, and has no effect on the pound.
        ("CAD", json!({"cost": "$20"}), json!("CAD")),
        ("EUR", json!({"cost": "£20"}), Value::Null),
    ];
    for_each_row(rows, async |(setting, fields, currency)| {
        let admin = admin_with(app, setting).await;
        let event = admin.event(fields.clone()).await;
        let read = admin.get(&format!("/events/{}", event["id"])).await.json();
        assert_eq!(read["json_ld"]["offers"]["priceCurrency"], currency, "{setting} {fields}");
    })
    .await;
}
