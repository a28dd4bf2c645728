//! The views of the calendar for people: months, weeks, days and lists.

mod addresses;
mod bounds;
mod by_day;
mod content;

use tests::client::Client;

/// Reads an existing page of the calendar, by its path below `/events/`, which may begin with a language.
async fn view(client: &Client, path: &str) -> String {
    let path = address(path);
    let answer = client.get(&path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8");
    answer.text()
}

/// The address of a view for a client: `fr:month/2027-03/` is `//fr/events/month/2027-03/`.
fn address(path: &str) -> String {
    match path.split_once(':') {
        Some((language, path)) => format!("//{language}/events/{path}"),
        None => format!("//events/{path}"),
    }
}

/// The text between two others.
#[track_caller]
fn between<'a>(html: &'a str, before: &str, after: &str) -> &'a str {
    let rest = html.split_once(before);
    let (_, rest) = rest.unwrap_or_else(|| panic!("no {before} in {html}"));
    rest.split_once(after).unwrap().0
}

/// The links of a relation, such as `next` or `next nofollow`, as paths below `/events/`.
fn links(html: &str, relation: &str) -> Vec<String> {
    let start = format!("rel=\"{relation}\" href=\"https://cal.example/events/");
    let links = html.split(&start).skip(1);
    links.map(|rest| rest.split_once('"').unwrap().0.to_owned()).collect()
}

/// Whether search engines leave a page out.
fn is_left_out(html: &str) -> bool {
    html.contains("<meta name=\"robots\" content=\"noindex\">")
}
