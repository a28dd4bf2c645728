use domain::UserId;

use super::*;

fn user(id: i64, role: Role, disabled: bool) -> Stored<User> {
    Stored {
        id: UserId::from_raw(id),
        revision: 1,
        content: User {
            name: format!("user{id}").parse().unwrap(),
            email: None,
            role,
            disabled,
        },
    }
}

#[test]
fn the_first_administrator_is_active() {
    let users = vec![
        user(1, Role::Administrator, true),
        user(4, Role::Administrator, false),
        user(2, Role::Editor, false),
        user(3, Role::Administrator, false),
    ];
    assert_eq!(first_administrator(users).unwrap().id.get(), 3);
    assert!(first_administrator(vec![user(2, Role::Editor, false)]).is_none());
}

#[test]
fn a_refused_row_is_one_line() {
    let fault = |field: &str, fault: &str| (field.to_owned(), fault.to_owned());
    let whole = [fault("", "is not JSON: x\ny")];
    assert_eq!(fault_line(7, &whole), "line 7: is not JSON: x\\ny");
    let two = [
        fault("title", "is required"),
        fault("website", "must be a URL"),
    ];
    assert_eq!(
        fault_line(1039, &two),
        "line 1039: title: is required; website: must be a URL"
    );
}

#[test]
fn the_summary_counts_each_outcome() {
    let mut summary = Summary::default();
    assert!(summary.count(1, Outcome::AlreadyImported).is_none());
    assert!(summary.count(2, Outcome::Rejected(Vec::new())).is_some());
    assert!(summary.count(3, Outcome::AlreadyImported).is_none());
    assert_eq!(summary.text(), "0 imported, 2 already present, 1 rejected");
    summary.imported = 1_234_567;
    let text = summary.text();
    assert!(text.starts_with("1,234,567 imported, "), "{text}");
}

#[test]
fn a_batch_ends_with_its_rows_its_bytes_or_the_file() {
    let many = "{}\n".repeat(5);
    let mut rows = Rows::new(Box::new(io::Cursor::new(many)) as Box<dyn BufRead>);
    let mut next = |most| next_batch(&mut rows, most).unwrap().len();
    assert_eq!([next(3), next(3), next(3)], [3, 2, 0]);

    let long = format!("{{\"title\": \"{}\"}}\n", "x".repeat(700_000)).repeat(3);
    let mut rows = Rows::new(Box::new(io::Cursor::new(long)) as Box<dyn BufRead>);
    assert_eq!(next_batch(&mut rows, 100).unwrap().len(), 2);
}
