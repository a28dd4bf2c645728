//! The desk: signing in with a password, and keeping events in a browser.

mod asvs;
mod dates;
mod duplicates;
mod event_fields;
mod events;
mod feeds;
mod fill;
mod history;
mod images;
mod imports;
mod merges;
mod proposals;
mod records;
mod repetition;
mod review;
mod rights;
mod second_factor;
mod sign_in;
mod site;
mod sources;
mod still_right;
mod trail;
mod translations;
mod users;

use app::sign_in::INVITATION_SECONDS;
use axum::http::Method;
use domain::Role;
use tests::{
    app::{PUBLIC_URL, TestApp},
    client::Answer,
};

pub(super) const PASSWORD: &str = "correct horse";
pub(super) const OWN: (&str, &str) = ("origin", PUBLIC_URL);
const FORM: &str = "application/x-www-form-urlencoded";

/// A form in the encoding of browsers.
pub(super) fn form(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    form.finish().into_bytes()
}

/// A browser with the cookie of a session.
pub(super) struct Browser<'a> {
    pub(super) app: &'a TestApp,
    pub(super) cookie: String,
}

impl<'a> Browser<'a> {
    /// A browser without a session.
    pub(super) fn new(app: &'a TestApp) -> Self {
        Self { app, cookie: String::new() }
    }

    /// A browser of a new user with a role, who chose a password.
    pub(super) async fn of(app: &'a TestApp, name: &str, role: Role) -> Self {
        let user = app.accounts.add_user(name, role, None).await.unwrap();
        let invitation = app.accounts.sign_in().invite(&user, INVITATION_SECONDS).await.unwrap();
        let mut browser = Self::new(app);
        let path = format!("//desk/invitation/{}", invitation.text.expose());
        let fields = [("password", PASSWORD), ("again", PASSWORD)];
        let answer = browser.post(&path, &fields).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        browser
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.app.anonymous().get_with(path, &[("cookie", &self.cookie)]).await
    }

    /// Sends a form from a page of the desk, and keeps the cookie of the answer.
    pub(super) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post_with(path, fields, &[OWN]).await;
        if let Some(cookie) = cookie(&answer) {
            self.cookie = cookie;
        }
        answer
    }

    /// Sends a form with a file: name of its field, its own name, media type and content.
    pub(super) async fn post_file(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        (field, name, media_type, content): (&str, &str, &str, &[u8]),
    ) -> Answer {
        let mut body = Vec::new();
        for (name, value) in fields {
            let part = format!(
                "--xx\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            body.extend_from_slice(part.as_bytes());
        }
        let head = format!(
            "--xx\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             Content-Type: {media_type}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n--xx--\r\n");
        let headers = [("cookie", self.cookie.as_str()), OWN];
        let body = Some(("multipart/form-data; boundary=xx", body));
        self.app.anonymous().send_with(Method::POST, path, &headers, body).await
    }

    /// Sends a form with headers.
    pub(super) async fn post_with(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Answer {
        let headers = [&[("cookie", self.cookie.as_str())], headers].concat();
        let body = Some((FORM, form(fields)));
        self.app.anonymous().send_with(Method::POST, path, &headers, body).await
    }
}

/// The cookie that an answer sets, as a browser sends it back.
pub(super) fn cookie(answer: &Answer) -> Option<String> {
    let header = answer.headers.get("set-cookie")?.to_str().unwrap();
    Some(header.split_once(';').unwrap().0.to_owned())
}

/// The texts of the links to the forms of events in a list.
pub(super) fn titles(answer: &Answer) -> Vec<String> {
    let html = answer.text();
    let links = html.split("dir=\"auto\">").skip(1);
    let links = links.filter_map(|rest| rest.split_once("</a>"));
    links.map(|(title, _)| title.to_owned()).filter(|title| !title.contains('<')).collect()
}

/// The fields of the first form of an event on a page, as a browser sends them, with some changed.
pub(super) fn form_of<'a>(
    html: &'a str,
    changed: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let form = html.split("<form method=\"post\" enctype").nth(1).unwrap();
    let form = form.split("</form>").next().unwrap();
    let attribute = |tag: &'a str, name: &str| {
        let rest = tag.split_once(&format!(" {name}=\""))?.1;
        Some(rest.split('"').next().unwrap())
    };
    let mut fields = Vec::new();
    let mut select = "";
    for tag in form.split('<').skip(1) {
        let (tag, after) = tag.split_once('>').unwrap();
        let name = attribute(tag, "name");
        match tag.split(' ').next().unwrap() {
            "textarea" => fields.push((name.unwrap(), after)),
            "select" => select = name.unwrap(),
            "option" if tag.ends_with(" selected") => {
                fields.push((select, attribute(tag, "value").unwrap()));
            }
            "input" => {
                let kind = attribute(tag, "type").unwrap_or("text");
                let is_off = matches!(kind, "checkbox" | "radio") && !tag.ends_with(" checked");
                if kind != "file" && !is_off {
                    fields.push((name.unwrap(), attribute(tag, "value").unwrap_or("")));
                }
            }
            _ => {}
        }
    }
    fields.retain(|(name, _)| changed.iter().all(|(one, _)| one != name));
    fields.extend(changed);
    fields
}
