//! The history of records on the desk, and the return to former states.

use domain::Role;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, id},
};

use super::{Browser, OWN, trail::entries};

/// The kinds: the list of the interface, the folder of the desk, the field with the title, its words, and other fields.
fn kinds() -> [(&'static str, &'static str, &'static str, &'static str, Value); 5] {
    let day = json!({"start_date": "2027-03-10", "end_date": "2027-03-10"});
    [
        ("events", "event", "title", "Title", day),
        ("venues", "venues", "venue", "Name", json!({})),
        ("organizers", "organizers", "organizer", "Name", json!({})),
        ("categories", "categories", "name", "Name", json!({})),
        ("tags", "tags", "name", "Name", json!({})),
    ]
}

/// Fields of a record with a title.
fn titled(field: &str, title: &str, others: &Value) -> Value {
    let mut fields = others.clone();
    fields[field] = json!(title);
    fields
}

/// The value of a hidden input.
fn hidden(page: &Answer, name: &str) -> String {
    let html = page.text();
    let rest = html.split(&format!("name=\"{name}\" value=\"")).nth(1);
    rest.unwrap_or_else(|| panic!("{html}")).split('"').next().unwrap().to_owned()
}

/// Asks for a state, and confirms what the page of the question shows.
async fn restore(browser: &mut Browser<'_>, path: &str, revision: &str) -> Answer {
    let question = browser.post(path, &[("revision", revision)]).await;
    assert_eq!(question.status, 200, "{}", question.text());
    let present = hidden(&question, "present");
    let fields = [("revision", revision), ("present", present.as_str()), ("confirmed", "1")];
    browser.post(path, &fields).await
}

/// The page to which an answer leads.
async fn follow(browser: &Browser<'_>, answer: &Answer) -> Answer {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let path = answer.header("location").split_once("/desk/").unwrap().1.to_owned();
    browser.get(&format!("//desk/{path}")).await
}

/// From the form of a record to its history, to the question with what would change, and back to the form with a former state.
#[both_stores]
async fn a_former_state_is_restored(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    for (list, folder, field, word, others) in kinds() {
        let collection = format!("/{list}");
        let mut created = titled(field, "First", &others);
        created["description"] = json!("<i>of</i> all");
        let one = id(&app.editor().make(&collection, created).await);
        let record = format!("{collection}/{one}");
        for title in ["Second", "Third"] {
            app.editor().change(&record, json!({field: title, "description": title})).await;
        }
        let form = format!("//desk/{folder}/{one}");
        let history = format!("{form}/history");
        let html = browser.get(&form).await.text();
        assert!(html.contains(&format!("/desk/{folder}/{one}/history\">History</a>")), "{html}");
        let page = browser.get(&history).await;
        assert_eq!(page.status, 200, "{list}: {}", page.text());
        let found = entries(&page);
        let [third, second, first] = found.as_slice() else { panic!("{list}: {}", page.text()) };
        assert!(third.contains("<ins dir=\"auto\">Third</ins>"), "{third}");
        assert!(second.contains(&format!("<dt>{word}</dt>")), "{second}");
        assert!(first.contains("created") && first.contains("<bdi>editor</bdi>"), "{first}");
        assert!(first.contains("&#60;i&#62;of") && !first.contains("<i>"), "{first}");
        let button = |revision| format!("name=\"revision\" value=\"{revision}\"");
        assert!(!third.contains(&button(3)) && second.contains(&button(2)), "{list}");

        let question = browser.post(&history, &[("revision", "1")]).await;
        let html = question.text();
        assert_eq!(question.status, 200, "{list}: {html}");
        for part in
            ["<del dir=\"auto\">Third</del>", "First</ins>", "&#60;i&#62;of&#60;/i&#62; all"]
        {
            assert!(html.contains(part), "{part}: {html}");
        }
        let stored = app.editor().get(&record).await.json();
        assert_eq!(stored[field], "Third", "{list}: the question stored something");

        let answer = restore(&mut browser, &history, "2").await;
        let location = answer.header("location").to_owned();
        assert!(location.ends_with(&format!("/desk/{folder}/{one}?restored=2")), "{location}");
        let html = follow(&browser, &answer).await.text();
        assert!(html.contains("role=\"status\">Restored: the state of revision 2"), "{html}");
        assert!(html.contains("value=\"Second\""), "{html}");
        assert_eq!(app.editor().get(&record).await.json()[field], "Second", "{list}");
        let found = entries(&browser.get(&history).await);
        assert!(found[0].contains("<bdi>grace</bdi> · at the desk"), "{}", found[0]);

        // The present state changes nothing, and is not offered.
        let question = browser.post(&history, &[("revision", "2")]).await;
        let html = question.text();
        assert!(
            html.contains("Nothing would change") && !html.contains("name=\"confirmed\""),
            "{html}"
        );
    }
}

/// A link to a record that is gone is left out. The question and the form say so.
#[both_stores]
async fn a_link_that_is_gone_is_told(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let mill = id(&app.editor().make("/venues", json!({"venue": "Old Mill"})).await);
    let barn = id(&app.editor().make("/venues", json!({"venue": "Barn"})).await);
    let fair = json!({
        "title": "Fair", "start_date": "2027-03-10", "end_date": "2027-03-10", "venue": mill,
    });
    let fair = id(&app.editor().event(fair).await);
    app.editor().change(&format!("/events/{fair}"), json!({"title": "Feast", "venue": barn})).await;
    let history = format!("//desk/event/{fair}/history");
    let changed = entries(&browser.get(&history).await).swap_remove(0);
    assert!(changed.contains("Old Mill</del>") && changed.contains("Barn</ins>"), "{changed}");
    assert_eq!(app.editor().delete(&format!("/venues/{mill}?force=true")).await.status, 200);

    let question = browser.post(&history, &[("revision", "1")]).await.text();
    let left_out = format!("Venue names no venue that exists ({mill})");
    assert!(question.contains("would be left out") && question.contains(&left_out), "{question}");
    let answer = restore(&mut browser, &history, "1").await;
    let form = follow(&browser, &answer).await.text();
    assert!(form.contains("This was left out") && form.contains(&left_out), "{form}");
    assert!(form.contains("value=\"Fair\""), "{form}");
    // The form says it once more to a browser that reads it again, and no other form says it.
    let again = follow(&browser, &answer).await.text();
    assert!(again.contains(&left_out), "{again}");
    for other in [format!("//desk/event/{fair}"), format!("//desk/venues/{barn}?restored=1")] {
        let html = browser.get(&other).await.text();
        assert!(!html.contains("left out") && !html.contains("Restored"), "{other}: {html}");
    }
}

/// A person who confirms after a change by somebody else sees what would change now.
#[both_stores]
async fn a_change_meanwhile_is_told(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let tag = id(&app.editor().make("/tags", json!({"name": "First"})).await);
    let record = format!("/tags/{tag}");
    app.editor().change(&record, json!({"name": "Second"})).await;
    let history = format!("//desk/tags/{tag}/history");
    let question = browser.post(&history, &[("revision", "1")]).await;
    let present = hidden(&question, "present");
    app.editor().change(&record, json!({"name": "Third"})).await;
    let fields = [("revision", "1"), ("present", present.as_str()), ("confirmed", "1")];
    let late = browser.post(&history, &fields).await;
    let html = late.text();
    assert_eq!(late.status, 409, "{html}");
    assert!(html.contains("changed meanwhile") && html.contains("Third</del>"), "{html}");
    assert_eq!(app.editor().get(&record).await.json()["name"], "Third");
    let present = hidden(&late, "present");
    let fields = [("revision", "1"), ("present", present.as_str()), ("confirmed", "1")];
    assert_eq!(browser.post(&history, &fields).await.status, 303);
    assert_eq!(app.editor().get(&record).await.json()["name"], "First");
}

/// A record or a revision that is not there is not found; nor is anything by a form without a number.
#[both_stores]
async fn an_absent_state_is_not_found(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    for (list, folder, field, _, others) in kinds() {
        let one = app.editor().make(&format!("/{list}"), titled(field, "First", &others)).await;
        let history = format!("//desk/{folder}/{}/history", id(&one));
        for fields in [&[("revision", "9")][..], &[("revision", "x")], &[("revision", "-1")], &[]] {
            let answer = browser.post(&history, fields).await;
            assert_eq!(answer.status, 404, "{folder} {fields:?}: {}", answer.text());
        }
        let fields = [("revision", "9"), ("present", "1"), ("confirmed", "1")];
        assert_eq!(browser.post(&history, &fields).await.status, 404, "{folder}");
        for absent in ["0", "999999", "x", "99999999999999999999"] {
            let history = format!("//desk/{folder}/{absent}/history");
            assert_eq!(browser.get(&history).await.status, 404, "{history}");
            let answer = browser.post(&history, &[("revision", "1")]).await;
            assert_eq!(answer.status, 404, "{history}");
        }
    }
}

/// The history is for those who have the form of the record. Others get what the form gives them.
#[both_stores]
async fn the_history_is_for_those_who_have_the_form(app: &TestApp) {
    let mut opened = 0;
    for role in [Role::Contributor, Role::Author, Role::Editor, Role::Administrator] {
        let name = format!("new-{role}");
        let mut browser = Browser::of(app, &name, role).await;
        let user = app.accounts.user(&name).await.unwrap().id.get();
        for (list, folder, field, _, others) in kinds() {
            let is_entry = field != "name";
            let states: &[&str] =
                if is_entry { &["publish", "draft", "private", "trash"] } else { &[""] };
            for state in states {
                for own in [true, false] {
                    let what = format!("{role} {list} {state} own: {own}");
                    let mut fields = titled(field, &format!("Canary {what}"), &others);
                    if is_entry {
                        fields["status"] = json!(if *state == "trash" { "publish" } else { state });
                        if own {
                            fields["author"] = json!(user);
                        }
                    }
                    let one = id(&app.admin().make(&format!("/{list}"), fields).await);
                    let record = format!("/{list}/{one}");
                    let changed = json!({field: format!("Changed {what}")});
                    app.admin().change(&record, changed).await;
                    if *state == "trash" {
                        app.admin().delete(&record).await;
                    }
                    let before = app.admin().get(&record).await.json();
                    let form = browser.get(&format!("//desk/{folder}/{one}")).await;
                    let path = format!("//desk/{folder}/{one}/history");
                    let history = browser.get(&path).await;
                    let question = browser.post(&path, &[("revision", "1")]).await;
                    assert_eq!(history.status, form.status, "{what}: {}", history.text());
                    assert_eq!(question.status, form.status, "{what}: {}", question.text());
                    if form.status == 200 {
                        opened += 1;
                        assert!(question.text().contains("Canary"), "{what}: {}", question.text());
                        continue;
                    }
                    assert_eq!(history.text(), form.text(), "{what}");
                    assert_eq!(question.text(), form.text(), "{what}");
                    let sent = [("revision", "1"), ("present", "2"), ("confirmed", "1")];
                    assert_eq!(browser.post(&path, &sent).await.text(), form.text(), "{what}");
                    assert_eq!(app.admin().get(&record).await.json(), before, "{what}");
                }
            }
        }
    }
    assert!(opened > 40, "{opened} histories");
}

/// Addresses and tokens are for administrators: an author sees the own record changed by the interface, and not by which token.
#[both_stores]
async fn an_author_sees_no_tokens(app: &TestApp) {
    let author = Browser::of(app, "grace", Role::Author).await;
    let user = app.accounts.user("grace").await.unwrap().id.get();
    let venue = json!({"venue": "Old Mill", "author": user});
    let venue = id(&app.admin().make("/venues", venue).await);
    let history = format!("//desk/venues/{venue}/history");
    let entry = entries(&author.get(&history).await).swap_remove(0);
    assert!(entry.contains("by the interface</p>"), "{entry}");
    let administrator = Browser::of(app, "linus", Role::Administrator).await;
    let entry = entries(&administrator.get(&history).await).swap_remove(0);
    assert!(entry.contains("by the interface <bdi>(token "), "{entry}");
}

/// No state is restored by a form of another site, and none without a session.
#[both_stores]
async fn states_are_restored_from_the_desk(app: &TestApp) {
    let browser = Browser::of(app, "grace", Role::Editor).await;
    let venue = id(&app.editor().make("/venues", json!({"venue": "First"})).await);
    let record = format!("/venues/{venue}");
    app.editor().change(&record, json!({"venue": "Second"})).await;
    let history = format!("//desk/venues/{venue}/history");
    let fields = [("revision", "1"), ("present", "2"), ("confirmed", "1")];
    let elsewhere = [("origin", "https://x.example")];
    assert_eq!(browser.post_with(&history, &fields, &elsewhere).await.status, 403);
    assert_eq!(Browser::new(app).post_with(&history, &fields, &[OWN]).await.status, 303);
    assert_eq!(app.editor().get(&record).await.json()["venue"], "Second");
    assert_eq!(browser.post_with(&history, &fields, &[OWN]).await.status, 303);
    assert_eq!(app.editor().get(&record).await.json()["venue"], "First");
}

/// A series and a date of it have histories of their own. A long history leads on.
#[both_stores]
async fn a_series_and_its_dates(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let yoga = json!({
        "title": "Yoga", "start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 20:00:00",
        "recurrence": "FREQ=WEEKLY;COUNT=4",
    });
    let series = id(&app.editor().event(yoga).await);
    let dates = app.editor().get(&format!("/events?post_parent={series}")).await.json();
    let date = id(&dates["events"][1]);
    app.editor()
        .change(&format!("/events/{date}"), json!({"title": "Dance", "scope": "this"}))
        .await;
    app.editor()
        .change(&format!("/events/{date}"), json!({"title": "Swim", "scope": "this"}))
        .await;
    let history = format!("//desk/event/{date}/history");
    let found = entries(&browser.get(&history).await);
    assert_eq!(found.len(), 2, "{found:?}");
    let revision = found[1].split("name=\"revision\" value=\"").nth(1).unwrap();
    let revision = revision.split('"').next().unwrap().to_owned();
    let answer = restore(&mut browser, &history, &revision).await;
    let form = follow(&browser, &answer).await.text();
    assert!(form.contains("value=\"Dance\""), "{form}");

    let of_series = format!("//desk/event/{series}/history");
    for number in 0..60 {
        let title = format!("Yoga {number}");
        app.editor().change(&format!("/events/{series}"), json!({"title": title})).await;
    }
    let page = browser.get(&of_series).await;
    assert_eq!(entries(&page).len(), 50);
    let html = page.text();
    let next = html.split("/history?before_id=").nth(1).unwrap().split('"').next().unwrap();
    let page = browser.get(&format!("{of_series}?before_id={next}")).await;
    let found = entries(&page);
    assert_eq!(found.len(), 11, "{}", page.text());
    assert!(
        found[10].contains("created") && found[10].contains("<dt>Repetition</dt>"),
        "{}",
        found[10]
    );
    assert!(page.text().contains(">Newest</a>"), "{}", page.text());
    let answer = restore(&mut browser, &of_series, "1").await;
    assert!(follow(&browser, &answer).await.text().contains("value=\"Yoga\""));
}

/// Histories and questions stand in the language of the person.
#[tokio::test]
async fn histories_in_other_languages() {
    let app = TestApp::sqlite().await;
    let venue = id(&app.editor().make("/venues", json!({"venue": "First", "city": "Lyon"})).await);
    app.editor().change(&format!("/venues/{venue}"), json!({"city": "Vienne"})).await;
    let mut browser = Browser::of(&app, "grace", Role::Editor).await;
    let history = format!("//desk/venues/{venue}/history");
    for (language, direction, words) in [
        ("ar", "rtl", ["التاريخ", "<dt>المدينة</dt>", "استعادة هذه الحالة"]),
        ("fr", "ltr", ["Historique", "<dt>Ville</dt>", "Rétablir cet état"]),
    ] {
        let chosen = [("language", language)];
        assert_eq!(browser.post("//desk/account/language", &chosen).await.status, 303);
        let root = format!("<html lang=\"{language}\" dir=\"{direction}\">");
        let page = browser.get(&history).await.text();
        for part in words.into_iter().chain([root.as_str()]) {
            assert!(page.contains(part), "{part}: {page}");
        }
        let question = browser.post(&history, &[("revision", "1")]).await.text();
        for part in words.into_iter().skip(1).chain([root.as_str()]) {
            assert!(question.contains(part), "{part}: {question}");
        }
    }
}
