//! What a newcomer tries first.

use serde_json::json;
use tests::on_both_stores;

on_both_stores! {
    /// EC-01: A title, a start and an end are enough.
    async fn a_title_and_two_dates_are_enough(app) {
        let event = app.admin().event(json!({"title": "River cleanup"})).await;
        assert_eq!(event["status"], "publish");
        assert_eq!(event["slug"], "river-cleanup");
        assert_eq!(event["author"], 1);
        for (field, value) in [
            ("image", json!(false)), ("cost", json!("")), ("venue", json!([])), ("organizer", json!([])),
            ("categories", json!([])), ("tags", json!([])), ("custom_fields", json!([])),
        ] {
            assert_eq!(event[field], value, "{field}");
        }
        let list = app.anonymous().get("/events").await;
        assert_eq!(list.ids(), [1], "{}", list.text());
    }
}
