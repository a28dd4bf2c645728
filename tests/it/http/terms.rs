//! Rules that categories and tags share, and lists of them.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
};

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

/// C-01: A name alone creates a category at the top without events, with slug and addresses.
/// T-01: An editor creates a tag from a name alone, without a parent.
#[both_stores]
async fn a_name_is_enough(app: &TestApp) {
    for (path, taxonomy, page, parent) in [
        ("/categories", "tribe_events_cat", "events/category", Some(0)),
        ("/tags", "post_tag", "tag", None),
    ] {
        let answer = app.editor().post(path, json!({"name": "Open Air"})).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let this = format!("{API}{path}/1");
        assert_eq!(answer.header("location"), this);
        let wanted = json!({
            "id": 1,
            "count": 0,
            "description": "",
            "name": "Open Air",
            "slug": "open-air",
            "taxonomy": taxonomy,
            "meta": [],
            "url": format!("https://cal.example/{page}/open-air/"),
            "urls": {"self": this, "collection": format!("{API}{path}")},
            "parent": parent,
        });
        has_fields(&answer.json(), wanted);
    }
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
        has_fields(&term, json!({"slug": "zt-one", "description": "Play <b>loud</b>"}));
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
                let put = app.admin().change(&term, json!({"description": answered})).await;
                assert_eq!(put["description"], answered);
            }
        }
        let cleared = app.admin().change(&format!("{path}/1"), json!({"description": ""})).await;
        assert_eq!(cleared["description"], "");
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
            answer.assert_error(400, "rest_missing_callback_param");
            assert_eq!(answer.json()["data"]["params"], json!(["name"]));
        }
        app.admin().post(path, json!({"name": ""})).await.assert_invalid(&["name"]);
        app.admin().post(path, json!({"name": 5})).await.assert_invalid(&["name"]);
        app.admin().post(path, json!({"name": "   "})).await.assert_error(400, "empty_term_name");
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
                answer.assert_error(400, "term_exists");
                assert_eq!(answer.json()["data"]["term_id"], first["id"]);
            }
        }
        let second = app.admin().make(path, json!({"name": "jazz & blues", "slug": "other"})).await;
        has_fields(&second, json!({"id": 2, "slug": "other"}));
        let third = app.admin().make(path, json!({"name": "Jazz, Blues"})).await;
        assert_eq!(third["slug"], "jazz-blues-2");
        let fourth = app.admin().make(path, json!({"name": "New", "slug": "jazz-blues"})).await;
        assert_eq!(fourth["slug"], "jazz-blues-3");
    }
}

/// C-11: An absent category is 404, and so is the ID 0.
/// T-05: An absent tag is 404.
#[both_stores]
async fn absent_terms_are_not_found(app: &TestApp) {
    for path in BOTH {
        for id in ["1", "0", "99999999999999999999"] {
            let answer = app.anonymous().get(&format!("{path}/{id}")).await;
            answer.assert_error(404, "rest_term_invalid");
        }
        app.anonymous()
            .get(&format!("{path}/by-slug/beta"))
            .await
            .assert_error(404, "rest_no_route");
    }
}

/// C-12: An update changes the fields that were sent and no other; the slug stays with a new name,
/// a description can be emptied, a slug of another term is refused.
/// T-04: A tag may not take the slug of another one, but its name.
#[both_stores]
async fn an_update_changes_what_was_sent(app: &TestApp) {
    let admin = app.admin();
    for path in BOTH {
        let first = admin.make(path, json!({"name": "First", "description": "About"})).await;
        admin.make(path, json!({"name": "Second"})).await;
        let this = format!("{path}/1");
        assert_eq!(admin.change(&this, json!({})).await, first);

        let mut wanted = json!({
            "name": "Renamed", "slug": "first", "description": first["description"], "count": 0,
        });
        has_fields(&admin.change(&this, json!({"name": "Renamed"})).await, wanted.clone());
        wanted["description"] = json!("");
        has_fields(&admin.change(&this, json!({"description": ""})).await, wanted.clone());

        admin.put(&this, json!({"name": ""})).await.assert_invalid(&["name"]);
        admin.put(&this, json!({"name": " "})).await.assert_error(400, "empty_term_name");
        admin.put(&this, json!({"slug": ""})).await.assert_invalid(&["slug"]);
        admin.put(&this, json!({"slug": "Second"})).await.assert_error(400, "duplicate_term_slug");
        has_fields(&admin.get(&this).await.json(), wanted);

        let namesake = json!({"name": "Second", "slug": "first"});
        has_fields(&admin.change(&this, namesake.clone()).await, namesake);
        assert_eq!(admin.change(&this, json!({"slug": "third"})).await["slug"], "third");
        // The slug given up can be taken.
        assert_eq!(admin.make(path, json!({"name": "First"})).await["slug"], "first");
    }
    admin.make("/categories", json!({"name": "Child", "parent": 2})).await;
    let answer = admin.put("/categories/1", json!({"slug": "child"})).await;
    answer.assert_error(400, "duplicate_term_slug");
}

/// C-15: A deletion returns the category as it was, and removes it: its children move to its
/// parent, its events lose it.
/// T-08: An editor's deletion of a tag is final.
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
        let before = app.anonymous().get(&this).await;
        assert_eq!((before.status, &before.json()["count"]), (200, &json!(1)));
        let deleted = app.editor().delete(&this).await;
        assert_eq!((deleted.status, deleted.json()), (200, before.json()));

        app.anonymous().get(&this).await.assert_error(404, "rest_term_invalid");
        app.editor().delete(&this).await.assert_error(404, "rest_term_invalid");
        let event = app.anonymous().get("/events/1").await.json();
        let ids: Vec<_> = event[field].as_array().unwrap().iter().map(id).collect();
        assert_eq!(ids, [3], "{field}");
        app.refuses(field, &["=2"]).await;
    }
    let low = app.anonymous().get("/categories/3").await.json();
    let url = "https://cal.example/events/category/top/low/";
    has_fields(&low, json!({"parent": 1, "count": 1, "url": url}));
}

/// T-03: A tag has no parent.
/// T-06: A list of tags has no filter by parent, and ignores one.
#[both_stores]
async fn tags_have_no_parent(app: &TestApp) {
    five_of_each(app).await;
    for parent in [1, 0, 99] {
        let answer = app.admin().post("/tags", json!({"name": "Child", "parent": parent})).await;
        answer.assert_error(400, "rest_taxonomy_not_hierarchical");
        let answer = app.admin().put("/tags/1", json!({"parent": parent})).await;
        answer.assert_error(400, "rest_taxonomy_not_hierarchical");
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
async fn lists_hide_empty_terms(app: &TestApp) {
    five_of_each(app).await;
    for path in BOTH {
        let list = app.anonymous().get(path).await;
        assert_eq!(list.ids(), [1, 3]);
        let json = list.json();
        let counts: Vec<_> =
            json[&path[1..]].as_array().unwrap().iter().map(|term| &term["count"]).collect();
        assert_eq!(counts, [2, 1]);
        has_fields(&json, json!({"total": 2, "total_pages": 1}));
        assert_eq!((list.header("x-tec-total"), list.header("x-tec-totalpages")), ("2", "1"));
        for no in ["false", "0", "FALSE"] {
            let list = app.anonymous().get(&format!("{path}?hide_empty={no}")).await;
            assert_eq!(list.ids(), [2, 1, 4, 5, 3]);
        }
        assert_eq!(app.anonymous().get(&format!("{path}?hide_empty=1")).await.ids(), [1, 3]);
        app.anonymous().refuses(path, "hide_empty", &["=foo", "=no", "="]).await;
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
        app.anonymous().refuses(path, "orderby", &["=foo", "=", "=NAME"]).await;
        app.anonymous().refuses(path, "order", &["=foo", "="]).await;
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
        has_fields(&nothing, json!({"total_pages": 0, "next_rest_url": null}));
        let anonymous = app.anonymous();
        anonymous.refuses(path, "search", &["="]).await;
        anonymous.refuses(path, "include", &["=99", "=1,99", "=", "=a"]).await;
        anonymous.refuses(path, "exclude", &["=99"]).await;
        anonymous.refuses(path, "slug", &["="]).await;
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
            unknown.assert_error(400, "rest-invalid-event-id");
            app.anonymous().refuses(path, field, &["=text", "=", "=0"]).await;
            for client in [app.anonymous(), app.subscriber(), app.contributor(), app.author()] {
                let draft = client.get(&format!("{path}?{field}=3")).await;
                draft.assert_error(403, "event-not-accessible");
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
        let here = format!("{API}{path}?hide_empty=false&per_page=2");
        let wanted = json!({
            "rest_url": format!("{here}&page=2"), "next_rest_url": format!("{here}&page=3"),
            "previous_rest_url": here, "total": 5, "total_pages": 3,
        });
        has_fields(&list.json(), wanted);
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
        let rest_url = format!("{API}{path}?per_page=100");
        let wanted = json!({"rest_url": rest_url, "total": 103, "total_pages": 2});
        has_fields(&list.json(), wanted);
        assert_eq!(app.anonymous().get(path).await.ids().len(), 10);
        let second_page = app.anonymous().get(&format!("{path}?per_page=100&page=2")).await;
        assert_eq!(second_page.ids().len(), 3);
        let beyond = app.anonymous().get(&format!("{path}?page=99")).await;
        beyond.assert_error(404, "term-archive-page-not-found");
        app.anonymous().refuses(path, "per_page", &["=0", "=-1", "=foo"]).await;
        app.anonymous().refuses(path, "page", &["=foo", "=0", "=1.5", "="]).await;
    }
}
