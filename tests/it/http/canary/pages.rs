//! The pages for people, their views, indexes, frames and the sitemap are the same with and without unreadable records.

use http_service::embedding::EmbedAncestor;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{
    READERS, WORD, client, link_twin, locked_content, make_public, make_secrets, twin, words,
};

/// Search engines learn of no record that not everybody may read as a whole.
#[both_stores]
async fn the_sitemap_does_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    make_secrets(app).await;
    let twin = twin(app).await;
    make_public(&twin, &json!({})).await;
    link_twin(&twin).await;

    let index = app.anonymous().get("//sitemap.xml").await.text();
    let files = index.split("<loc>https://cal.example").skip(1);
    let files = files.map(|rest| format!("/{}", rest.split('<').next().unwrap()));
    let mut paths: Vec<_> = files.collect();
    assert_eq!(paths.len(), 6, "{index}");
    paths.extend(["//sitemap.xml", "//robots.txt"].map(str::to_owned));
    let editor = app.editor();
    for path in &paths {
        let answer = app.anonymous().get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let text = answer.text();
        assert!(!text.contains(WORD) && !text.contains("wedding"), "{path}: {text}");
        assert_eq!(text, twin.anonymous().get(path).await.text(), "{path}");
        assert_eq!(text, editor.get(path).await.text(), "{path}");
    }
}

/// The form of lists and views, its numbers and what it finds are the same with and without unreadable records.
#[both_stores]
async fn the_filters_of_pages_do_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let secrets = make_secrets(app).await;
    let twin = twin(app).await;
    make_public(&twin, &json!({})).await;
    link_twin(&twin).await;

    let filters = "categories=1 categories=2 tags=1 tags=2 venue=1 venue=2 organizer=1 organizer=2 free=true free=false
        ticketed=false city=zyxwort search=zyxwort search=linked tags=1&organizer=1 categories=2&search=wedding";
    let mut queries = words(filters);
    for (kind, filter) in [("venues", "venue"), ("organizers", "organizer")] {
        let of_kind = secrets.iter().filter(|secret| secret.kind == kind);
        queries.extend(of_kind.map(|secret| format!("{filter}={}", secret.id)));
    }
    queries.push(String::new());
    let editor = app.editor();
    for view in ["list/", "past/", "month/2027-03/", "week/2027-03-08/", "day/2027-03-10/"] {
        for query in &queries {
            let path = format!("//events/{view}?{query}");
            let answer = app.anonymous().get(&path).await;
            let text = answer.text();
            let repeats = query.contains(WORD);
            assert!(repeats || !text.to_lowercase().contains(WORD), "{path}: {text}");
            let other = twin.anonymous().get(&path).await;
            assert_eq!((answer.status, &text), (other.status, &other.text()), "{path}");
            assert_eq!(text, editor.get(&path).await.text(), "{path}");
        }
    }
}

/// The views of the calendar for people are the same with and without unreadable records, for every reader.
#[both_stores]
async fn the_views_do_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    make_secrets(app).await;
    let twin = twin(app).await;
    make_public(&twin, &json!({})).await;
    link_twin(&twin).await;
    // Neither the days nor the ends of the calendar tell of them.
    for (start, end) in [
        ("2026-06-10 09:00", "2026-06-10 11:00"),
        ("2027-03-09 09:00", "2027-03-12 11:00"),
        ("2031-06-10 09:00", "2031-06-10 11:00"),
    ] {
        let fields =
            json!({"title": WORD, "status": "draft", "start_date": start, "end_date": end});
        app.admin().event(fields).await;
    }
    let views = "
        list/ past/ month/ month/2027-02/ month/2027-03/ month/2027-04/ month/2026-06/ month/2031-06/ week/
        week/2027-03-08/ week/2026-06-08/ day/ day/2027-03-09/ day/2027-03-10/ day/2027-03-11/ day/2031-06-10/";
    let mut found = 0;
    for language in ["", "fr/"] {
        for view in words(views) {
            let path = format!("//{language}events/{view}");
            let expected = twin.anonymous().get(&path).await;
            for user in READERS {
                let answer = client(app, user).get(&path).await;
                let text = answer.text();
                assert_eq!((answer.status, &text), (expected.status, &expected.text()), "{path}");
                assert!(!text.to_lowercase().contains(WORD), "user {user:?}: {path}: {text}");
                found += text.matches("Wedding").count();
            }
        }
    }
    assert!(found >= 30, "{found}");
}

/// The same views tell nothing in a frame of another site, with all filters.
#[both_stores]
async fn the_frames_do_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    let secrets = make_secrets(app).await;
    let twin = twin(app).await;
    make_public(&twin, &json!({})).await;
    link_twin(&twin).await;
    let everybody = || ["*".parse::<EmbedAncestor>().unwrap()];
    let embeds = app.variant().build_with(|state| state.embedded_by(&everybody())).await;
    let twin_embeds = twin.variant().build_with(|state| state.embedded_by(&everybody())).await;
    let mut queries = words(
        "categories=1 categories=2 tags=2 venue=1 venue=2 city=zyxwort search=zyxwort free=true",
    );
    let venues = secrets.iter().filter(|secret| secret.kind == "venues");
    queries.extend(venues.map(|secret| format!("venue={}", secret.id)));
    queries.push(String::new());
    let mut found = 0;
    for view in words(
        "embed/list/ fr/embed/list/ ar/embed/list/ embed/month/ fr/embed/month/ embed/month/2027-02/",
    ) {
        for query in &queries {
            let path = format!("//{view}?{query}");
            let expected = twin_embeds.anonymous().get(&path).await;
            for user in [None, Some(4), Some(6)] {
                let answer = client(&embeds, user).get(&path).await;
                let text = answer.text();
                assert_eq!((answer.status, &text), (expected.status, &expected.text()), "{path}");
                let repeats = query.contains(WORD);
                assert!(repeats || !text.to_lowercase().contains(WORD), "{path}: {text}");
                found += text.matches("Wedding").count();
            }
        }
    }
    assert!(found >= 9, "{found}");
}

/// The indexes and the pages of records are the same with and without unreadable records, for every reader.
#[both_stores]
async fn the_indexes_do_not_tell(app: &TestApp) {
    make_public(app, &locked_content()).await;
    make_secrets(app).await;
    let twin = twin(app).await;
    make_public(&twin, &json!({})).await;
    link_twin(&twin).await;
    let pages = "
        venues/ organizers/ categories/ tags/ venues/?page=2 tags/?page=2
        venue/hall-1/ venue/hall-2/ organizer/choir-1/ organizer/choir-2/ tag/qobwell-1/ tag/qobwell-2/
        events/category/qobwell-1/ events/category/qobwell-2/ venue/hall-2/?past=2";
    let mut found = 0;
    for language in ["", "fr/"] {
        for page in words(pages) {
            let path = format!("//{language}{page}");
            let expected = twin.anonymous().get(&path).await;
            for user in READERS {
                let answer = client(app, user).get(&path).await;
                let text = answer.text();
                assert_eq!((answer.status, &text), (expected.status, &expected.text()), "{path}");
                assert!(!text.to_lowercase().contains(WORD), "user {user:?}: {path}: {text}");
                found += usize::from(text.contains("Hall 2") || text.contains("Qobwell 2"));
            }
        }
    }
    assert!(found >= 30, "{found}");
}
