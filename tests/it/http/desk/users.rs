//! Users on the desk.

use domain::Role;
use tests::{app::TestApp, both_stores};

use super::{Browser, PASSWORD};

/// The path of the page of a user.
async fn page_of(app: &TestApp, name: &str) -> String {
    format!("//desk/users/{}", app.accounts.user(name).await.unwrap().id)
}

/// The path of the link that a page shows.
fn link(html: &str) -> String {
    let rest = html.split("/desk/invitation/").nth(1).unwrap_or_else(|| panic!("{html}"));
    format!("//desk/invitation/{}", rest.split('"').next().unwrap())
}

/// An administrator adds a user, whose invitation sets a password; another invitation ends the former.
#[both_stores]
async fn a_user_is_added_and_invited(app: &TestApp) {
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let new = [("name", "grace"), ("email", "grace@cal.example"), ("role", "author")];
    let answer = admin.post("//desk/users/new", &new).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let grace = app.accounts.user("grace@cal.example").await.unwrap();
    assert_eq!((grace.role, grace.disabled), (Role::Author, false));
    let path = page_of(app, "grace").await;
    assert!(!admin.get(&path).await.text().contains("/desk/invitation/"));

    let invite = [("action", "invite")];
    let page = admin.post(&path, &invite).await;
    assert_eq!((page.status, page.header("cache-control")), (200, "private, no-store"));
    let former = link(&page.text());
    let link = link(&admin.post(&path, &invite).await.text());
    let choose = [("password", PASSWORD), ("again", PASSWORD)];
    let mut browser = Browser::new(app);
    assert_eq!(browser.post(&former, &choose).await.status, 404);
    assert_eq!(browser.post(&link, &choose).await.status, 303);
    assert_eq!(browser.get("//desk").await.status, 200);
    assert_eq!(Browser::new(app).post(&link, &choose).await.status, 404);

    let list = admin.get("//desk/users").await.text();
    let row = list.split(&path[1..]).nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(
        row.contains("grace@cal.example") && row.contains("author") && row.contains(" UTC"),
        "{row}"
    );

    // Sessions end, and the password stays.
    assert_eq!(admin.post(&path, &[("action", "end-sessions")]).await.status, 303);
    assert_eq!(browser.get("//desk").await.status, 303);
    let sign_in = [("login", "grace"), ("password", PASSWORD)];
    assert_eq!(browser.post("//desk/sign-in", &sign_in).await.status, 303);
    assert_eq!(browser.get("//desk").await.status, 200);
}

/// Another role holds at the next request; a disabled user is signed out at once.
#[both_stores]
async fn a_user_gets_another_role_and_is_disabled(app: &TestApp) {
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let grace = Browser::of(app, "grace", Role::Author).await;
    let path = page_of(app, "grace").await;
    assert_eq!(grace.get("//desk/tags/new").await.status, 403);
    let save = [("action", "save"), ("email", "g@cal.example"), ("role", "editor")];
    assert_eq!(admin.post(&path, &save).await.status, 303);
    // The session gets another ID: the cookie that it had opens nothing any more.
    let renewed = grace.get("//desk/tags/new").await;
    assert_eq!(app.accounts.user("g@cal.example").await.unwrap().role, Role::Editor);
    assert!(renewed.status == 200 || renewed.status == 303, "{}", renewed.status);

    let mut grace = Browser::new(app);
    let sign_in = [("login", "grace"), ("password", PASSWORD)];
    assert_eq!(grace.post("//desk/sign-in", &sign_in).await.status, 303);
    assert_eq!(grace.get("//desk/tags/new").await.status, 200);
    assert_eq!(admin.post(&path, &[("action", "disable")]).await.status, 303);
    assert_eq!(grace.get("//desk").await.status, 303);
    assert_eq!(Browser::new(app).post("//desk/sign-in", &sign_in).await.status, 403);
    assert!(admin.get("//desk/users").await.text().contains("disabled"));
    assert_eq!(admin.post(&path, &[("action", "enable")]).await.status, 303);
    assert_eq!(Browser::new(app).post("//desk/sign-in", &sign_in).await.status, 303);
}

/// Faults stand in the form with what was typed. The last administrator stays, and nobody shuts the own account.
#[both_stores]
async fn bad_changes_are_refused(app: &TestApp) {
    let mut admin = Browser::of(app, "ada", Role::Administrator).await;
    let taken = app.accounts.users().await.unwrap()[0].name.to_string();
    for (name, email, input) in [
        ("", "", "name"),
        ("a b", "", "name"),
        ("ADA", "", "name"),
        (taken.as_str(), "", "name"),
        ("grace", "grace@", "email"),
    ] {
        let new = [("name", name), ("email", email), ("role", "editor")];
        let answer = admin.post("//desk/users/new", &new).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{name} {html}");
        assert!(html.contains(&format!("href=\"#{input}\"")), "{name} {html}");
        assert!(html.contains("<option value=\"editor\" selected>"), "{html}");
        assert!(html.contains(&format!("value=\"{name}\"")), "{html}");
    }
    assert!(app.accounts.user("grace").await.is_err());
    let own = page_of(app, "ada").await;
    let answer = admin.post(&own, &[("action", "disable")]).await;
    assert_eq!((answer.status, answer.text().contains("Nobody disables")), (400, true));
    assert!(!admin.get(&own).await.text().contains("value=\"disable\""));

    for user in app.accounts.users().await.unwrap() {
        if user.role == Role::Administrator && user.name.as_str() != "ada" {
            let path = page_of(app, user.name.as_str()).await;
            assert_eq!(admin.post(&path, &[("role", "editor")]).await.status, 303);
        }
    }
    let answer = admin.post(&own, &[("role", "editor")]).await;
    assert_eq!((answer.status, answer.text().contains("href=\"#role\"")), (400, true));
    assert_eq!(app.accounts.user("ada").await.unwrap().role, Role::Administrator);
    for id in ["0", "-1", "99999", "x"] {
        assert_eq!(admin.get(&format!("//desk/users/{id}")).await.status, 404, "{id}");
    }
}

/// Administrators alone keep users.
#[both_stores]
async fn administrators_keep_users(app: &TestApp) {
    let path = page_of(app, app.accounts.users().await.unwrap()[0].name.as_str()).await;
    let before = app.accounts.users().await.unwrap();
    for role in [Role::Contributor, Role::Author, Role::Editor, Role::Administrator] {
        let name = format!("new-{role}");
        let mut browser = Browser::of(app, &name, role).await;
        let may = role == Role::Administrator;
        let status = if may { 200 } else { 403 };
        for page in ["//desk/users", "//desk/users/new", path.as_str()] {
            let page = browser.get(page).await;
            assert_eq!(page.status, status, "{role}");
            assert_eq!(page.text().contains("new-"), may || page.text().contains(&name), "{role}");
        }
        assert_eq!(browser.get("//desk").await.text().contains("/desk/users\""), may, "{role}");
        if !may {
            for action in ["save", "disable", "enable", "invite", "end-sessions"] {
                let sent =
                    [("action", action), ("role", "administrator"), ("email", "x@x.example")];
                let answer = browser.post(&path, &sent).await;
                assert_eq!(answer.status, 403, "{role} {action}");
                assert!(!answer.text().contains("/desk/invitation/"));
            }
            let new = [("name", "planted"), ("role", "administrator")];
            assert_eq!(browser.post("//desk/users/new", &new).await.status, 403, "{role}");
        }
    }
    let after = app.accounts.users().await.unwrap();
    assert_eq!(after[..before.len()], before[..]);
    assert!(app.accounts.user("planted").await.is_err());
}
