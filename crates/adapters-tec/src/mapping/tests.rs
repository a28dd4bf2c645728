use serde_json::json;

use super::*;

fn event(value: Value) -> SourceRecord {
    let mut event = json!({"id": 7, "title": "A"});
    let Value::Object(more) = value else {
        panic!("{value}");
    };
    event.as_object_mut().unwrap().extend(more);
    record(Kind::Event, &event).unwrap()
}

#[test]
fn texts_lose_character_references() {
    for (sent, read) in [
        (
            "Jazz &#038; Night &#8220;live&#8221;",
            "Jazz & Night “live”",
        ),
        ("Caf&eacute; &ndash; R&amp;B", "Café – R&B"),
        ("c't &lt;webdev&gt;", "c't <webdev>"),
        (" A &amp;amp; B ", "A &amp; B"),
        ("Learn &lt;div&gt; &amp; 1 < 2", "Learn ‹div› & 1 ‹ 2"),
        ("Learn &amp;lt;b&amp;gt;", "Learn ‹b›"),
    ] {
        assert_eq!(event(json!({"title": sent})).fields["title"], read);
    }
    let website = "https://a.example/?a=1&amp;b=2&#038;lt=3";
    let read = event(json!({"website": website}));
    assert_eq!(read.fields["website"], "https://a.example/?a=1&b=2&lt=3");
}

#[test]
fn absent_records_have_many_forms() {
    for nothing in [json!([]), json!(false), json!(null), json!(""), json!({})] {
        let read = event(json!({
            "venue": nothing, "organizer": nothing, "categories": nothing, "tags": nothing,
            "image": nothing, "author": nothing, "cost": nothing, "timezone": nothing,
        }));
        assert_eq!((read.related, read.author), (Vec::new(), None), "{nothing}");
        assert!(
            !["image", "cost", "timezone"]
                .iter()
                .any(|name| read.fields.contains_key(*name))
        );
        assert_eq!(read.notes.len(), 1);
    }
}

#[test]
fn related_records_have_many_forms() {
    let mill = json!({"id": "3", "venue": "Mill"});
    for venue in [mill.clone(), json!([mill]), json!({"3": mill})] {
        let read = event(json!({"venue": venue, "organizer": [{"id": 4, "organizer": "Ada"}]}));
        let related: Vec<_> = read.related.iter().map(|one| (one.kind, one.id)).collect();
        assert_eq!(related, [(Kind::Venue, 3), (Kind::Organizer, 4)]);
    }
}

#[test]
fn authors_have_many_forms() {
    for (author, read) in [
        (json!("1"), Some("1")),
        (json!(1), Some("1")),
        (json!("Ada"), Some("Ada")),
        (json!({"id": 2}), Some("2")),
        (json!(0), None),
    ] {
        assert_eq!(event(json!({"author": author})).author.as_deref(), read);
    }
}

#[test]
fn odd_values_become_notes() {
    let read =
        event(json!({"title": "", "slug": "%d8%a3", "status": "tribe-draft", "timezone": "UTC+2"}));
    assert_eq!(read.fields["title"], "أ");
    assert_eq!(read.fields["status"], "draft");
    assert_eq!(
        read.notes,
        ["no title: called أ", "status tribe-draft: taken as draft"]
    );
    assert_eq!(
        event(json!({"title": false, "timezone": "UTC"})).notes,
        ["no title: called #7"]
    );
    assert!(record(Kind::Event, &json!({"id": 0})).is_none());
    assert!(record(Kind::Event, &json!("7")).is_none());
}

#[test]
fn the_page_of_an_event_is_not_its_website() {
    let page = "https://old.example/event/a/";
    assert!(
        !event(json!({"url": page, "website": page}))
            .fields
            .contains_key("website")
    );
}

#[test]
fn locked_events_are_marked() {
    assert!(event(json!({"all_day": null})).locked);
    assert!(!event(json!({"all_day": false})).locked);
}

#[test]
fn names_of_authors_are_collected() {
    let user = json!({"id": 3, "name": "Ada L", "slug": "ada", "email": "ada@old.example"});
    assert_eq!(author_names(&user), ["ada", "ada@old.example", "Ada L"]);
}
