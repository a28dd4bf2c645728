//! Categories of one name, told apart by their slugs.

use serde_json::json;
use tests::on_both_stores;

on_both_stores! {
    /// A slug that was chosen lets a category have a name that is taken, also if it is the slug which
    /// the name would have made.
    async fn a_chosen_slug_lets_two_have_one_name(app) {
        let rock = app.admin().make("/categories", json!({"name": "Rock"})).await;
        let path = format!("/categories/{}", rock["id"]);
        assert_eq!(app.admin().put(&path, json!({"slug": "rock2"})).await.status, 200);
        let second = app.admin().make("/categories", json!({"name": "Rock", "slug": "rock"})).await;
        assert_eq!(second["slug"], "rock");
        app.admin().post("/categories", json!({"name": "rock"})).await.is_error(400, "term_exists");
    }

    /// The same below a parent, where a slug that is taken gets the parent's appended.
    async fn a_child_may_have_the_name_of_another_by_its_slug(app) {
        let parent = app.admin().make("/categories", json!({"name": "Music"})).await;
        app.admin().make("/categories", json!({"name": "Jazz"})).await;
        let child = app.admin().make("/categories", json!({"name": "Jazz", "parent": parent["id"]})).await;
        assert_eq!(child["slug"], "jazz-music");
        let twin = json!({"name": "Jazz", "parent": parent["id"], "slug": "jazz"});
        assert_eq!(app.admin().make("/categories", twin).await["slug"], "jazz-music-2");
    }
}
