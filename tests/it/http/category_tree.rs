//! The tree of categories.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields};

/// The base URL of the interface.
const API: &str = "https://cal.example/cal/events/v1";

/// C-06: Under another parent a name may recur; its slug contains that of the parent.
/// C-08: The parent must be a category; 0 is the top.
/// C-10: The address of a category's page contains its ancestors; the record has its parent's
/// address.
/// C-22: A list can be narrowed to the direct children of a category, or to the top.
#[both_stores]
async fn categories_form_a_tree(app: &TestApp) {
    let admin = app.admin();
    admin.make("/categories", json!({"name": "Nature", "parent": 0})).await;
    admin.make("/categories", json!({"name": "Outdoor", "parent": 1})).await;
    admin.make("/categories", json!({"name": "Hiking", "parent": 2})).await;
    let twin = admin.make("/categories", json!({"name": "Nature", "parent": 2})).await;
    assert_eq!(twin["slug"], "nature-outdoor");
    let same = json!({"name": "nature", "parent": 2});
    admin.post("/categories", same).await.assert_error(400, "term_exists");
    let child = admin.make("/categories", json!({"name": "Nature", "parent": 1})).await;
    assert_eq!(child["slug"], "nature-nature");
    for parent in [json!(99), json!(-1), json!("text"), json!([1])] {
        let answer = admin.post("/categories", json!({"name": "Lost", "parent": parent})).await;
        answer.assert_invalid(&["parent"]);
    }

    let hiking = json!({
        "url": "https://cal.example/events/category/nature/outdoor/hiking/", "parent": 2,
        "urls.up": format!("{API}/categories/2"),
    });
    has_fields(&app.anonymous().get("/categories/3").await.json(), hiking);
    let nature = app.anonymous().get("/categories/1").await.json();
    has_fields(&nature, json!({"parent": 0, "urls.up": null}));

    for (parent, ids) in [(1, vec![5, 2]), (2, vec![3, 4]), (3, vec![]), (0, vec![1])] {
        let list =
            app.anonymous().get(&format!("/categories?hide_empty=false&parent={parent}")).await;
        assert_eq!(list.ids(), ids, "{parent}");
    }
    for parent in ["99", "text", ""] {
        app.anonymous()
            .get(&format!("/categories?parent={parent}"))
            .await
            .assert_invalid(&["parent"]);
    }
}

/// C-13: A category cannot move below itself or one of its descendants; it can move back to the
/// top.
#[both_stores]
async fn a_category_moves_in_the_tree(app: &TestApp) {
    let admin = app.admin();
    for (name, parent) in [("A", 0), ("B", 1), ("C", 2)] {
        admin.make("/categories", json!({"name": name, "parent": parent})).await;
    }
    for parent in [1, 2, 3, 99] {
        let answer = admin.put("/categories/1", json!({"parent": parent})).await;
        answer.assert_invalid(&["parent"]);
    }
    let moved = admin.put("/categories/3", json!({"parent": 1})).await.json();
    has_fields(&moved, json!({"parent": 1, "slug": "c"}));
    let top = admin.put("/categories/3", json!({"parent": 0})).await;
    assert_eq!(top.json()["parent"], 0, "{}", top.text());
    assert_eq!(admin.get("/categories/3").await.json()["parent"], 0);
    assert_eq!(admin.get("/categories/1").await.json()["parent"], 0);
}
