//! Rules that categories and tags share, and lists of them.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

/// The paths of both kinds.
const BOTH: [&str; 2] = ["/categories", "/tags"];

/// The base URL of the interface.
const API: &str = "https://cal.example/cal/events/v1";

/// Creates five terms of each kind; published events carry two of them.
///
/// Names by ID: 1 beta (events 1 and 2), 2 Alpha (event 3, a draft), 3 Gamma uno (event 1), 4 delta
/// with the slug uno-x (event 3), 5 epsilon.
async fn five_of_each(app: &TestApp) {
    let admin = app.admin();
    for path in BOTH {
        for fields in [
            json!({"name": "beta"}),
            json!({"name": "Alpha"}),
            json!({"name": "Gamma uno"}),
            json!({"name": "delta", "slug": "uno-x"}),
            json!({"name": "epsilon"}),
        ] {
            admin.make(path, fields).await;
        }
    }
    for (ids, status) in [([1, 3], "publish"), ([1, 1], "publish"), ([2, 4], "draft")] {
        let event = json!({"categories": ids, "tags": ids, "status": status});
        admin.event(event).await;
    }
}

/// The fields of a term that have these names.
fn picked(term: &Value, fields: &[&str]) -> Value {
    fields
        .iter()
        .map(|&field| (field.to_owned(), term[field].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// C-01: A name alone creates a category at the top without events, with slug and addresses.
/// T-01: An editor creates a tag from a name alone, without a parent; authors and lower roles may
/// not.
#[both_stores]
async fn a_name_is_enough(app: &TestApp) {
    for (path, taxonomy, page, parent) in [
        ("/categories", "tribe_events_cat", "events/category", Some(json!(0))),
        ("/tags", "post_tag", "tag", None),
    ] {
        let answer = app.editor().post(path, json!({"name": "Open Air"})).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let this = format!("{API}{path}/1");
        assert_eq!(answer.header("location"), this);
        let term = answer.json();
        for (field, value) in [
            ("id", json!(1)),
            ("count", json!(0)),
            ("description", json!("")),
            ("name", json!("Open Air")),
            ("slug", json!("open-air")),
            ("taxonomy", json!(taxonomy)),
            ("meta", json!([])),
            ("url", json!(format!("https://cal.example/{page}/open-air/"))),
            ("urls", json!({"self": this, "collection": format!("{API}{path}")})),
        ] {
            assert_eq!(term[field], value, "{path} {field}");
        }
        assert_eq!(term.get("parent"), parent.as_ref(), "{path}");
    }
    let tag = || json!({"name": "Other"});
    app.author().post("/tags", tag()).await.is_error(403, "rest_forbidden");
    app.contributor().post("/tags", tag()).await.is_error(403, "rest_forbidden");
    app.anonymous().post("/tags", tag()).await.is_error(401, "rest_forbidden");
    assert_eq!(app.admin().get("/tags?hide_empty=false").await.ids(), [1]);
}

/// C-02: A slug that was sent is brought to its normal form.
/// C-03: Scripts are removed from a description, formatting stays.
#[both_stores]
async fn slug_and_description_are_cleaned(app: &TestApp) {
    for path in BOTH {
        let fields = json!({
            "name": "One", "slug": "zt One!",
            "description": "Play <b onclick=\"x()\">loud</b><script src=\"x\"></script>",
        });
        let term = app.admin().make(path, fields).await;
        assert_eq!(term["slug"], "zt-one");
        assert_eq!(term["description"], "Play <b>loud</b>");
    }
}

/// D-19: The description of a term is answered as it was written, without paragraphs and line
/// breaks added; scripts and attributes that could run code are removed.
#[both_stores]
async fn a_description_stays_as_it_was_written(app: &TestApp) {
    for path in BOTH {
        for (number, (written, answered)) in [
            ("All music", "All music"),
            ("Two lines\nand\n\na paragraph", "Two lines\nand\n\na paragraph"),
            ("<p>One</p>\n<p>Two</p>", "<p>One</p>\n<p>Two</p>"),
            ("Play <b onclick=\"x()\">loud</b><script>x()</script>", "Play <b>loud</b>"),
            ("<ul>\n<li>a</li>\n</ul>", "<ul>\n<li>a</li>\n</ul>"),
        ]
        .into_iter()
        .enumerate()
        {
            let fields = json!({"name": format!("Term {number}"), "description": written});
            let made = app.admin().make(path, fields).await;
            assert_eq!(made["description"], answered, "{written}");
            let term = format!("{path}/{}", made["id"]);
            assert_eq!(app.anonymous().get(&term).await.json()["description"], answered);
            // The same holds when it is written back, and in another language.
            for language in ["en", "fr"] {
                let term = format!("{term}?ml_language={language}");
                let put = app.admin().put(&term, json!({"description": made["description"]})).await;
                assert_eq!((put.status, &put.json()["description"]), (200, &json!(answered)));
            }
        }
        let cleared = app.admin().put(&format!("{path}/1"), json!({"description": ""})).await;
        assert_eq!((cleared.status, &cleared.json()["description"]), (200, &json!("")));
        // An event shows the same description.
        let field = &path[1..];
        let event = app.admin().event(json!({field: [2]})).await;
        assert_eq!(event[field][0]["description"], "Two lines\nand\n\na paragraph");
    }
    // Pages show paragraphs.
    let page = app.anonymous().get("//events/category/term-1/").await.text();
    assert!(page.contains("<p>Two lines<br />\nand</p>\n<p>a paragraph</p>"), "{page}");
}

/// C-04: A name must be there, must have characters, and among them one that is no blank.
#[both_stores]
async fn a_name_is_needed(app: &TestApp) {
    for path in BOTH {
        for fields in [json!({}), json!({"name": null}), json!({"slug": "x"})] {
            let answer = app.admin().post(path, fields).await;
            answer.is_error(400, "rest_missing_callback_param");
            assert_eq!(answer.json()["data"]["params"], json!(["name"]));
        }
        app.admin().post(path, json!({"name": ""})).await.is_invalid(&["name"]);
        app.admin().post(path, json!({"name": 5})).await.is_invalid(&["name"]);
        app.admin().post(path, json!({"name": "   "})).await.is_error(400, "empty_term_name");
        let list = app.admin().get(&format!("{path}?hide_empty=false")).await;
        assert_eq!(list.json()["total"], 0);
    }
}

/// C-05: A taken name, in any letter case, is refused with the ID of its category; with another
/// slug two categories may share a name.
/// C-07: A slug that another name has taken gets a number.
/// T-02: A tag's name that is taken, in any letter case, is refused; with another slug it is not.
#[both_stores]
async fn a_name_is_taken_once(app: &TestApp) {
    for path in BOTH {
        let first = app.admin().make(path, json!({"name": "Jazz & Blues"})).await;
        for name in ["Jazz & Blues", "JAZZ & blues", "  jazz & Blues "] {
            for fields in [json!({"name": name}), json!({"name": name, "slug": first["slug"]})] {
                let answer = app.admin().post(path, fields).await;
                answer.is_error(400, "term_exists");
                assert_eq!(answer.json()["data"]["term_id"], first["id"]);
            }
        }
        let second = app.admin().make(path, json!({"name": "jazz & blues", "slug": "other"})).await;
        assert_eq!((&second["id"], &second["slug"]), (&json!(2), &json!("other")));
        let third = app.admin().make(path, json!({"name": "Jazz, Blues"})).await;
        assert_eq!(third["slug"], "jazz-blues-2");
        let fourth = app.admin().make(path, json!({"name": "New", "slug": "jazz-blues"})).await;
        assert_eq!(fourth["slug"], "jazz-blues-3");
    }
}

/// C-09: Authors and editors create categories; subscribers and contributors may not, and a client
/// without credentials gets 401.
#[both_stores]
async fn authors_make_categories(app: &TestApp) {
    for (client, name, status) in [
        (app.anonymous(), "A", 401),
        (app.subscriber(), "B", 403),
        (app.contributor(), "C", 403),
        (app.author(), "D", 201),
        (app.editor(), "E", 201),
    ] {
        let answer = client.post("/categories", json!({"name": name})).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        if status != 201 {
            answer.is_error(status, "rest_forbidden");
        }
    }
    assert_eq!(app.admin().get("/categories?hide_empty=false").await.json()["total"], 2);
}

/// C-11: An absent category is 404, and so is the ID 0.
/// T-05: An absent tag is 404.
#[both_stores]
async fn absent_terms_are_not_found(app: &TestApp) {
    for path in BOTH {
        for id in ["1", "0", "99999999999999999999"] {
            let answer = app.anonymous().get(&format!("{path}/{id}")).await;
            answer.is_error(404, "rest_term_invalid");
        }
        app.anonymous().get(&format!("{path}/by-slug/beta")).await.is_error(404, "rest_no_route");
    }
}

/// C-12: An update changes the fields that were sent and no other; the slug stays with a new name,
/// a description can be emptied, a slug of another term is refused.
/// T-04: A tag may not take the slug of another one, but its name.
#[both_stores]
async fn an_update_changes_what_was_sent(app: &TestApp) {
    const SHOWN: [&str; 4] = ["name", "slug", "description", "count"];
    let admin = app.admin();
    for path in BOTH {
        let first = admin.make(path, json!({"name": "First", "description": "About"})).await;
        admin.make(path, json!({"name": "Second"})).await;
        let this = format!("{path}/1");
        let unchanged = admin.put(&this, json!({})).await;
        assert_eq!((unchanged.status, unchanged.json()), (200, first.clone()));

        let renamed = admin.put(&this, json!({"name": "Renamed"})).await;
        assert_eq!(renamed.status, 200, "{}", renamed.text());
        let expected = json!({
            "name": "Renamed", "slug": "first", "description": first["description"], "count": 0,
        });
        assert_eq!(picked(&renamed.json(), &SHOWN), expected);
        let emptied = admin.put(&this, json!({"description": ""})).await.json();
        let expected = json!({"name": "Renamed", "slug": "first", "description": "", "count": 0});
        assert_eq!(picked(&emptied, &SHOWN), expected);

        admin.put(&this, json!({"name": ""})).await.is_invalid(&["name"]);
        admin.put(&this, json!({"name": " "})).await.is_error(400, "empty_term_name");
        admin.put(&this, json!({"slug": ""})).await.is_invalid(&["slug"]);
        admin.put(&this, json!({"slug": "Second"})).await.is_error(400, "duplicate_term_slug");
        assert_eq!(picked(&admin.get(&this).await.json(), &SHOWN), expected);

        let namesake = admin.put(&this, json!({"name": "Second", "slug": "first"})).await;
        assert_eq!(namesake.status, 200, "{}", namesake.text());
        assert_eq!(
            picked(&namesake.json(), &["name", "slug"]),
            json!({"name": "Second", "slug": "first"})
        );
        let moved = admin.put(&this, json!({"slug": "third"})).await.json();
        assert_eq!(moved["slug"], "third");
        // The slug given up can be taken.
        assert_eq!(admin.make(path, json!({"name": "First"})).await["slug"], "first");
    }
    admin.make("/categories", json!({"name": "Child", "parent": 2})).await;
    let answer = admin.put("/categories/1", json!({"slug": "child"})).await;
    answer.is_error(400, "duplicate_term_slug");
}

/// C-14: Authors change categories; contributors may not, a client without credentials gets 401,
/// and an absent category is 404.
#[both_stores]
async fn authors_change_categories(app: &TestApp) {
    app.admin().make("/categories", json!({"name": "First"})).await;
    let name = || json!({"name": "Other"});
    app.contributor().put("/categories/1", name()).await.is_error(403, "rest_forbidden");
    app.anonymous().put("/categories/1", name()).await.is_error(401, "rest_forbidden");
    assert_eq!(app.admin().get("/categories/1").await.json()["name"], "First");
    let changed = app.author().put("/categories/1", name()).await;
    assert_eq!((changed.status, &changed.json()["name"]), (200, &json!("Other")));
    app.author().put("/categories/2", name()).await.is_error(404, "rest_term_invalid");
}

/// C-15: A deletion returns the category as it was, and removes it: its children move to its
/// parent, its events lose it.
/// T-08: Contributors delete no tag, a client without credentials gets 401; an editor's deletion is
/// final.
/// T-09: The deletion of an absent tag is 401 without credentials, and 404 for an editor.
#[both_stores]
async fn a_deletion_is_final(app: &TestApp) {
    let admin = app.admin();
    for (name, parent) in [("Top", 0), ("Middle", 1), ("Low", 2)] {
        admin.make("/categories", json!({"name": name, "parent": parent})).await;
        admin.make("/tags", json!({"name": name})).await;
    }
    admin.event(json!({"categories": [2, 3], "tags": [2, 3]})).await;
    for (path, field) in [("/categories", "categories"), ("/tags", "tags")] {
        let this = format!("{path}/2");
        app.contributor().delete(&this).await.is_error(403, "rest_forbidden");
        app.anonymous().delete(&this).await.is_error(401, "rest_forbidden");
        let before = app.anonymous().get(&this).await;
        assert_eq!((before.status, &before.json()["count"]), (200, &json!(1)));
        let deleted = app.editor().delete(&this).await;
        assert_eq!((deleted.status, deleted.json()), (200, before.json()));

        app.anonymous().get(&this).await.is_error(404, "rest_term_invalid");
        app.editor().delete(&this).await.is_error(404, "rest_term_invalid");
        app.anonymous().delete(&this).await.is_error(401, "rest_forbidden");
        let event = app.anonymous().get("/events/1").await.json();
        let ids: Vec<_> = event[field].as_array().unwrap().iter().map(|term| &term["id"]).collect();
        assert_eq!(ids, [3], "{field}");
        app.anonymous().get(&format!("/events?{field}=2")).await.is_invalid(&[field]);
    }
    let low = app.anonymous().get("/categories/3").await.json();
    assert_eq!((&low["parent"], &low["count"]), (&json!(1), &json!(1)));
    assert_eq!(low["url"], "https://cal.example/events/category/top/low/");
}

/// T-03: A tag has no parent.
/// T-06: A list of tags has no filter by parent, and ignores one.
#[both_stores]
async fn tags_have_no_parent(app: &TestApp) {
    five_of_each(app).await;
    for parent in [1, 0, 99] {
        let answer = app.admin().post("/tags", json!({"name": "Child", "parent": parent})).await;
        answer.is_error(400, "rest_taxonomy_not_hierarchical");
        app.admin()
            .put("/tags/1", json!({"parent": parent}))
            .await
            .is_error(400, "rest_taxonomy_not_hierarchical");
    }
    for parent in ["1", "0", "99", "text"] {
        let list = app.anonymous().get(&format!("/tags?hide_empty=false&parent={parent}")).await;
        assert_eq!(list.ids(), [2, 1, 4, 5, 3], "{parent}");
    }
}

/// C-16: A list holds the terms of published events, by name in any letter case; drafts do not
/// count.
/// C-17: `hide_empty=false` adds the others; values other than true and false are refused.
#[both_stores]
async fn lists_hide_what_nothing_carries(app: &TestApp) {
    five_of_each(app).await;
    for path in BOTH {
        let list = app.anonymous().get(path).await;
        assert_eq!(list.ids(), [1, 3]);
        let json = list.json();
        let counts: Vec<_> =
            json[&path[1..]].as_array().unwrap().iter().map(|term| &term["count"]).collect();
        assert_eq!(counts, [2, 1]);
        assert_eq!((&json["total"], &json["total_pages"]), (&json!(2), &json!(1)));
        assert_eq!((list.header("x-tec-total"), list.header("x-tec-totalpages")), ("2", "1"));
        for no in ["false", "0", "FALSE"] {
            let list = app.anonymous().get(&format!("{path}?hide_empty={no}")).await;
            assert_eq!(list.ids(), [2, 1, 4, 5, 3]);
        }
        assert_eq!(app.anonymous().get(&format!("{path}?hide_empty=1")).await.ids(), [1, 3]);
        for wrong in ["foo", "no", ""] {
            let answer = app.anonymous().get(&format!("{path}?hide_empty={wrong}")).await;
            answer.is_invalid(&["hide_empty"]);
        }
    }
    // The terms of a draft count from its publication.
    app.admin().put("/events/3", json!({"status": "publish"})).await;
    for path in BOTH {
        assert_eq!(app.anonymous().get(path).await.ids(), [2, 1, 4, 3]);
    }
}

/// C-18: Lists can be ordered by number, name, slug or count; unknown orders are refused.
/// C-19: The direction is `asc` or `desc`.
/// T-10: Lists of tags are paged, ordered and narrowed as those of categories are.
#[both_stores]
async fn lists_have_an_order(app: &TestApp) {
    five_of_each(app).await;
    for path in BOTH {
        for (query, ids) in [
            ("orderby=id&order=desc", [5, 4, 3, 2, 1]),
            ("orderby=id", [1, 2, 3, 4, 5]),
            ("orderby=name&order=DESC", [3, 5, 4, 1, 2]),
            ("orderby=slug", [2, 1, 5, 3, 4]),
            ("orderby=count", [2, 4, 5, 3, 1]),
            ("orderby=count&order=desc", [1, 3, 5, 4, 2]),
            ("orderby=term_group", [1, 2, 3, 4, 5]),
            ("orderby=parent", [1, 2, 3, 4, 5]),
            ("orderby=include&include=4,1,5,2,3", [4, 1, 5, 2, 3]),
        ] {
            let list = app.anonymous().get(&format!("{path}?hide_empty=false&{query}")).await;
            assert_eq!(list.ids(), ids, "{path} {query}");
        }
        for wrong in ["foo", "", "NAME"] {
            app.anonymous().get(&format!("{path}?orderby={wrong}")).await.is_invalid(&["orderby"]);
        }
        for wrong in ["foo", ""] {
            app.anonymous().get(&format!("{path}?order={wrong}")).await.is_invalid(&["order"]);
        }
    }
}

/// C-20: A search reads names and slugs, in any letter case; it may find nothing, but must not be
/// empty.
/// C-21: A list can be narrowed to certain terms, or to all but these, if they exist.
/// C-23: A list can be narrowed to one slug, known or not.
#[both_stores]
async fn lists_can_be_narrowed(app: &TestApp) {
    five_of_each(app).await;
    for path in BOTH {
        for (query, ids) in [
            ("search=UNO", vec![4, 3]),
            ("search=psil", vec![5]),
            ("search=uno-", vec![4]),
            ("search=a%20u", vec![3]),
            ("search=%25", vec![]),
            ("search=nothing", vec![]),
            ("include=3", vec![3]),
            ("include=3,1", vec![1, 3]),
            ("include[]=3&include[]=1", vec![1, 3]),
            ("exclude=1", vec![2, 4, 5, 3]),
            ("exclude=1,2,3", vec![4, 5]),
            ("include=1,3&exclude=1", vec![3]),
            ("slug=uno-x", vec![4]),
            ("slug=uno", vec![]),
            ("slug=nobody", vec![]),
            ("slug=!", vec![]),
        ] {
            let list = app.anonymous().get(&format!("{path}?hide_empty=false&{query}")).await;
            assert_eq!(list.ids(), ids, "{path} {query}");
            assert_eq!(list.json()["total"], ids.len(), "{path} {query}");
        }
        let nothing = app.anonymous().get(&format!("{path}?search=nothing")).await.json();
        assert_eq!((&nothing["total_pages"], nothing.get("next_rest_url")), (&json!(0), None));
        for query in [
            "search=",
            "include=99",
            "include=1,99",
            "include=",
            "include=a",
            "exclude=99",
            "slug=",
        ] {
            let field = query.split('=').next().unwrap();
            app.anonymous().get(&format!("{path}?{query}")).await.is_invalid(&[field]);
        }
    }
}

/// C-24: A list can be narrowed to the terms of an event, called `event` or `post`; the first takes
/// precedence, and the event must exist.
/// C-25: The terms of an unreadable event are not listed.
/// T-07: A list can be narrowed to the tags of an event; an unknown event is refused.
#[both_stores]
async fn the_terms_of_an_event_are_found(app: &TestApp) {
    five_of_each(app).await;
    app.admin().event(json!({"title": "Bare"})).await;
    for path in BOTH {
        for (query, ids) in [
            ("event=1", vec![1, 3]),
            ("post=1", vec![1, 3]),
            ("event=2", vec![1]),
            ("event=2&post=1", vec![1]),
            ("post=2&event=1", vec![1, 3]),
            ("event=4", vec![]),
            ("event=1&include=3,2", vec![3]),
        ] {
            let list = app.anonymous().get(&format!("{path}?hide_empty=false&{query}")).await;
            assert_eq!(list.ids(), ids, "{path} {query}");
        }
        for field in ["event", "post"] {
            let unknown = app.anonymous().get(&format!("{path}?{field}=99")).await;
            unknown.is_error(400, "rest-invalid-event-id");
            for wrong in ["text", "", "0"] {
                app.anonymous().get(&format!("{path}?{field}={wrong}")).await.is_invalid(&[field]);
            }
            for client in [app.anonymous(), app.subscriber(), app.contributor(), app.author()] {
                let draft = client.get(&format!("{path}?{field}=3")).await;
                draft.is_error(403, "event-not-accessible");
            }
            let draft = app.editor().get(&format!("{path}?hide_empty=false&{field}=3")).await;
            assert_eq!(draft.ids(), [2, 4]);
        }
    }
}

/// C-26: The addresses of other pages have the filters of the request.
#[both_stores]
async fn pages_lead_to_each_other(app: &TestApp) {
    five_of_each(app).await;
    for path in BOTH {
        let list = app.anonymous().get(&format!("{path}?hide_empty=false&per_page=2&page=2")).await;
        assert_eq!(list.ids(), [4, 5]);
        let json = list.json();
        let here = format!("{API}{path}?hide_empty=false&per_page=2");
        assert_eq!(json["rest_url"], format!("{here}&page=2"));
        assert_eq!(json["next_rest_url"], format!("{here}&page=3"));
        assert_eq!(json["previous_rest_url"], here);
        assert_eq!((&json["total"], &json["total_pages"]), (&json!(5), &json!(3)));
    }
}

/// C-27: A page beyond the last is not found; a page holds at most a hundred; numbers of pages
/// count from 1.
#[both_stores]
async fn pages_are_bounded(app: &TestApp) {
    let names =
        |from: usize, to: usize| (from..to).map(|n| format!("Term {n}")).collect::<Vec<_>>();
    for names in [names(0, 100), names(100, 103)] {
        app.admin().event(json!({"categories": names, "tags": names})).await;
    }
    for path in BOTH {
        let list = app.anonymous().get(&format!("{path}?per_page=1000")).await;
        assert_eq!(list.ids().len(), 100);
        let json = list.json();
        assert_eq!(json["rest_url"], format!("{API}{path}?per_page=100"));
        assert_eq!((&json["total"], &json["total_pages"]), (&json!(103), &json!(2)));
        assert_eq!(app.anonymous().get(path).await.ids().len(), 10);
        let second_page = app.anonymous().get(&format!("{path}?per_page=100&page=2")).await;
        assert_eq!(second_page.ids().len(), 3);
        let beyond = app.anonymous().get(&format!("{path}?page=99")).await;
        beyond.is_error(404, "term-archive-page-not-found");
        for (field, wrong) in [
            ("per_page", "0"),
            ("per_page", "-1"),
            ("per_page", "foo"),
            ("page", "foo"),
            ("page", "0"),
            ("page", "1.5"),
            ("page", ""),
        ] {
            let answer = app.anonymous().get(&format!("{path}?{field}={wrong}")).await;
            answer.is_invalid(&[field]);
        }
    }
}
