//! Descriptions and excerpts of new events.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

/// Users of all roles that may create events.
const WRITERS: [usize; 4] = [1, 2, 3, 4];

/// EC-90: Blank lines part the paragraphs of a description.
/// EC-93: An empty description is none.
/// EC-95: An excerpt becomes a paragraph too.
#[both_stores]
async fn texts_become_paragraphs(app: &TestApp) {
    let texts = json!({"description": "A\n\nB", "excerpt": "Short"});
    let event = app.admin().event(texts).await;
    has_fields(&event, json!({"description": "<p>A</p>\n<p>B</p>", "excerpt": "<p>Short</p>"}));

    let empty = json!({"description": "", "excerpt": ""});
    has_fields(&app.admin().event(empty.clone()).await, empty);
}

/// EC-94: A description that is no text is refused, and so is such an excerpt.
#[both_stores]
async fn texts_are_texts(app: &TestApp) {
    for field in ["description", "excerpt"] {
        let values = [json!(5), json!(true), json!(["A"]), json!({"a": "A"})];
        app.admin().refuses_event(field, values).await;
    }
}

/// D-25: A script is removed with its content, also an unclosed one; so is a style sheet.
#[both_stores]
async fn scripts_vanish_with_their_content(app: &TestApp) {
    let rows = [
        ("a<script>alert(1)</script>b", "<p>ab</p>"),
        ("a<ScRiPt src=x>if (1 < 2) { b() }</sCrIpT\n>c", "<p>ac</p>"),
        ("a<script>\n\n<b>x</b></script>b", "<p>ab</p>"),
        ("a<style>p { color: red }</style>b", "<p>ab</p>"),
        ("a<script>b", "<p>a</p>"),
        ("a<svg><script>b</script></svg>c", "<p>ac</p>"),
        ("<script>x</script>", ""),
        // Only elements, and only scripts: other elements leave their text.
        ("a<scripture>b</scripture>c", "<p>abc</p>"),
        ("a<iframe>b</iframe>c", "<p>abc</p>"),
    ];
    for_each_row(rows, async |(sent, shown)| {
        let event = app.author().event(json!({"description": sent, "excerpt": sent})).await;
        has_fields(&event, json!({"description": shown, "excerpt": shown}));
    })
    .await;
    let venue = json!({"venue": "Mill", "description": "a<script>b</script>"});
    assert_eq!(app.author().make("/venues", venue).await["description"], "<p>a</p>");
}

/// EC-91: Scripts are removed from descriptions and excerpts of every role.
#[both_stores]
async fn scripts_are_removed_for_every_role(app: &TestApp) {
    let html = "a<script>alert(1)</script><SCRIPT SRC=//evil.example></SCRIPT>b";
    for user in WRITERS {
        let client = app.user(user);
        let made = client.event(json!({"description": html, "excerpt": html})).await;
        let read = client.get(&format!("/events/{}", made["id"])).await;
        let listed = client.get("/events?status=any").await;
        for event in [&made, &read.json()] {
            has_fields(event, json!({"description": "<p>ab</p>", "excerpt": "<p>ab</p>"}));
        }
        for text in [made.to_string(), read.text(), listed.text()] {
            assert!(text.contains("<p>ab</p>"), "user {user}: {text}");
            assert!(!text.to_lowercase().contains("<script"), "user {user}: {text}");
        }
    }
}

/// EC-92: Attributes that could run code are removed, and links to scripts with them.
#[both_stores]
async fn acting_attributes_are_removed(app: &TestApp) {
    for (sent, shown) in [
        ("<b onclick=\"x()\">a</b>", "<p><b>a</b></p>"),
        ("<img src=\"/x.png\" onerror=\"x()\">", "<p><img src=\"/x.png\"></p>"),
        ("<a href=\"javascript:x()\">a</a>", "<p><a>a</a></p>"),
        ("<a href=\" JaVaScRiPt:x()\">a</a>", "<p><a>a</a></p>"),
        ("<a href=\"https://a.example/\">a</a>", "<p><a href=\"https://a.example/\">a</a></p>"),
    ] {
        for user in WRITERS {
            let event = app.user(user).event(json!({"description": sent})).await;
            assert_eq!(event["description"], shown, "{sent} of user {user}");
        }
    }
}

/// D-44: Limits of length count what the filter leaves.
#[both_stores]
async fn limits_count_filtered_texts(app: &TestApp) {
    let style = format!("style=\"{}\"", "mso-list: none; ".repeat(20_000));
    let pasted = format!("<!-- {0} --><p {style}><o:p>Word</o:p></p>", "x".repeat(200_000));
    let fields = json!({"description": pasted, "excerpt": pasted});
    let shown = json!({"description": "<p>Word</p>", "excerpt": "<p>Word</p>"});
    let event = app.author().event(fields.clone()).await;
    has_fields(&event, shown.clone());
    let path = format!("/events/{}", event["id"]);
    has_fields(&app.author().change(&path, fields).await, shown);
    let category = json!({"name": "Word", "description": pasted});
    assert_eq!(app.editor().make("/categories", category).await["description"], "<p>Word</p>");
    let text = |bytes| "a".repeat(bytes);
    for (fields, invalid) in [
        (json!({"description": text(200_001)}), ["description"]),
        (json!({"description": text(130_000), "excerpt": text(130_000)}), ["excerpt"]),
    ] {
        let answer = app.author().put(&path, fields).await;
        answer.assert_invalid(&invalid);
        has_fields(&app.anonymous().get(&path).await.json(), json!({"excerpt": "<p>Word</p>"}));
    }
    let fits = json!({"description": text(130_000), "excerpt": text(119_000)});
    app.author().change(&path, fits).await;
}
