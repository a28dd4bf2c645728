//! Prices of new events.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

/// EC-70: A number is shown with the symbol of the site, and has no symbol of its own.
/// EC-71: A symbol before the number is a prefix.
/// EC-72: A symbol behind the number is a postfix.
/// EC-73: A blank between number and symbol is dropped.
/// EC-74: The decimals of a price stay as typed.
/// EC-86: A currency code before the number is its symbol.
/// EC-87: Markup around a price is removed.
///
/// EC-75: A comma before two digits is a decimal comma.
/// EC-76: With a comma and a dot, the last is decimal.
/// EC-77: A comma before exactly three digits separates thousands.
///
/// EC-78: Zero with a symbol is shown as free.
/// EC-79: Zero as a number is a price, too.
/// EC-80: The word free is shown and has no value.
/// EC-81: Another word is shown as it is.
/// EC-88: An empty price is none.
///
/// EC-82: Two numbers with a dash are a range.
/// EC-83: Several prices are shown as the range from the least to the greatest.
/// EC-84: A list of numbers is a range as well.
/// EC-85: A price with different symbols has no symbol as a whole.
#[both_stores]
async fn a_price_is_shown_with_its_symbol(app: &TestApp) {
    // The cost as sent, and as shown: text, symbol, position of the symbol, values.
    let rows = [
        (json!(20), "$20", "", "", json!(["20"])),
        (json!("$20"), "$20", "$", "prefix", json!(["20"])),
        (json!("20$"), "20$", "$", "postfix", json!(["20"])),
        (json!("20 €"), "20€", "€", "postfix", json!(["20"])),
        (json!("£15.50"), "£15.50", "£", "prefix", json!(["15.50"])),
        (json!("USD 20"), "USD20", "USD", "prefix", json!(["20"])),
        (json!("<b>5</b>"), "$5", "", "", json!(["5"])),
        // Separators.
        (json!("15,50 €"), "15,50€", "€", "postfix", json!(["15.50"])),
        (json!("1,234.56"), "$1,234.56", "", "", json!(["1234.56"])),
        (json!("$1,000"), "$1,000", "$", "prefix", json!(["1000"])),
        // Zero and words.
        (json!("$0"), "Free", "$", "prefix", json!(["0"])),
        (json!(0), "Free", "", "", json!(["0"])),
        (json!("0"), "Free", "", "", json!(["0"])),
        (json!("Free"), "Free", "", "", json!([])),
        (json!("donation"), "donation", "", "", json!([])),
        (json!(""), "", "", "", json!([])),
        // Ranges.
        (json!("10-20"), "$10 – $20", "", "", json!(["10", "20"])),
        (json!(["0$", "20$", "30$"]), "Free – 30$", "$", "postfix", json!(["0", "20", "30"])),
        (json!([5, 7]), "$5 – $7", "", "", json!(["5", "7"])),
        (json!(["$5", "€7"]), "$5 – €7", "", "", json!(["5", "7"])),
    ];
    for_each_row(rows, async |(sent, shown, symbol, position, values)| {
        let made = app.admin().event(json!({"cost": sent})).await;
        let read = app.anonymous().get(&format!("/events/{}", made["id"])).await.json();
        let details = json!({
            "currency_symbol": symbol, "currency_code": "", "currency_position": position,
            "values": values,
        });
        for event in [made, read] {
            has_fields(&event, json!({"cost": shown, "cost_details": details}));
        }
    })
    .await;
}

/// EC-89: An object is no price, and neither is true or false or a list in a list.
#[both_stores]
async fn a_price_is_text_or_number(app: &TestApp) {
    let bad = [json!({"a": 1}), json!([{"a": 1}]), json!(true), json!([[5]])];
    app.admin().refuses_event("cost", bad).await;
}
