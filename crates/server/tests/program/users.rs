//! The commands about users.

use crate::server::{Installation, send_form};

/// Users get another address, and go if they have no records.
#[test]
fn users_are_changed_and_removed() {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    for name in ["ann", "ben", "cora"] {
        installation.said(&["user", "add", name, "--role", "author"]);
    }
    installation.said(&["user", "set-email", "ann", "ann@example.org"]);
    assert!(
        installation
            .said(&["user", "list"])
            .contains("ann@example.org")
    );
    let line = installation
        .run(&["user", "set-email", "ben", "ANN@example.org"])
        .failed(1);
    assert!(line.contains("another user"), "{line}");
    let line = installation
        .run(&["user", "set-email", "ben", "nothing"])
        .failed(1);
    assert!(line.contains("is not an e-mail address"), "{line}");
    installation.said(&["user", "set-email", "ann@example.org", "none"]);

    let token = installation.said(&["token", "create", "--user", "ann", "--name", "x"]);
    let form = "title=Fair&start_date=2040-01-01&end_date=2040-01-01";
    let made = send_form(
        &server.address,
        "POST /cal/events/v1/events",
        token.trim(),
        form,
    );
    assert_eq!(made.unwrap().0, 201);
    let line = installation.run(&["user", "remove", "ann"]).failed(1);
    assert!(line.contains("`ann` has records"), "{line}");
    installation.said(&["user", "rename", "ann", "anna"]);
    let said = installation.said(&["user", "remove", "anna", "--give-to", "cora"]);
    assert_eq!(
        said,
        "anna is removed; records that belong to cora now: 1\n"
    );
    let events = server.list("events?start_date=1900-01-01&end_date=9999-01-01");
    let author = events["events"][0]["author"].to_string();
    assert_eq!(author.trim_matches('"'), "4", "{events}");
    let token = installation.said(&["token", "create", "--user", "ben", "--name", "x"]);
    installation.said(&["user", "remove", "ben"]);
    assert!(!installation.said(&["user", "list"]).contains("ben"));
    let made = send_form(
        &server.address,
        "POST /cal/events/v1/events",
        token.trim(),
        form,
    );
    assert_eq!(made.unwrap().0, 401);
    let line = installation.run(&["user", "remove", "admin"]).failed(1);
    assert!(line.contains("last active administrator"), "{line}");
    server.stop();
}

/// A token has the scope and the collections that were asked for.
#[test]
fn tokens_are_limited() {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let create = ["token", "create", "--user", "admin", "--name", "x"];
    let flags = ["--scope", "write", "--collections", "events,tags"];
    let token = installation.said(&[&create[..], &flags].concat());
    let write = |collection: &str, form: &str| {
        let request = format!("POST /cal/events/v1/{collection}");
        send_form(&server.address, &request, token.trim(), form)
            .unwrap()
            .0
    };
    let fair = "title=Fair&start_date=2040-01-01&end_date=2040-01-01";
    assert_eq!(write("events", fair), 201);
    assert_eq!(write("events", &format!("{fair}&venue[venue]=Mill")), 403);
    assert_eq!(write("tags", "name=Loud"), 201);
    assert_eq!(write("venues", "venue=Mill"), 403);
    assert_eq!(write("sources", "name=Fair"), 403);

    let list = installation.said(&["token", "list"]);
    let row = list.lines().find(|line| line.contains("events,tags"));
    assert!(row.is_some_and(|row| row.contains(" write ")), "{list}");
    let first = list.lines().find(|line| line.contains("first start"));
    assert!(first.is_some_and(|row| row.contains(" admin ")), "{list}");
    for (flag, value, choices) in [
        ("--scope", "root", "read, write, admin"),
        (
            "--collections",
            "events,users",
            "events, venues, organizers",
        ),
    ] {
        let refused = installation.run(&[&create[..], &[flag, value]].concat());
        assert!(refused.stderr.contains(choices), "{}", refused.stderr);
        assert_eq!(refused.code, Some(2));
    }
    server.stop();
}
