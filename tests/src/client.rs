//! Clients and answers of tests.

use std::net::{IpAddr, SocketAddr};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request, header},
    response::Response,
};
pub use http_service::test_support::Answer;
use http_service::{AppState, NAMESPACE, test_support};
use serde_json::{Value, json};

use crate::{app::endpoints, db::caches, for_each_row};

/// A client with the credentials of one user, or with none.
///
/// A read without credentials is sent three times: twice, so that the second answer may come from the
/// cache, and once to a service without a cache. All three answers must be equal.
#[derive(Clone, Debug)]
pub struct Client {
    service: Service,
    authorization: Option<String>,
    mount: String,
    address: Option<IpAddr>,
}

/// A service with a response cache, and the same service without.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    usual: test_support::Service,
    forgetful: test_support::Service,
}

impl Service {
    pub(crate) fn new(state: AppState) -> Self {
        let forgetful = test_support::Service::new(state.clone().with_cache_bytes(0), endpoints());
        let usual = if caches() {
            test_support::Service::new(state, endpoints())
        } else {
            forgetful.clone()
        };
        Self { usual, forgetful }
    }
}

impl Service {
    /// The response to a request, as clients on a socket get it.
    pub(crate) async fn open(&self, request: Request<Body>) -> Response {
        self.usual.open(request).await
    }
}

/// The ID of a record.
pub fn id(record: &Value) -> i64 {
    record["id"].as_i64().expect("an ID")
}

impl Client {
    pub(crate) fn new(service: Service, authorization: Option<String>) -> Self {
        Self {
            service,
            authorization,
            mount: format!("/{NAMESPACE}"),
            address: None,
        }
    }

    /// The same client at an address; the others have none.
    #[must_use]
    pub fn at(self, address: [u8; 4]) -> Self {
        let address = Some(address.into());
        Self { address, ..self }
    }

    /// The same client, with paths below another prefix than the namespace: `/fr/cal/events/v1`.
    #[must_use]
    pub fn under(self, mount: &str) -> Self {
        Self {
            mount: mount.to_owned(),
            ..self
        }
    }

    /// The same requests with a token.
    #[must_use]
    pub fn with_token(self, token: &str) -> Self {
        self.with_authorization(&format!("Bearer {token}"))
    }

    /// The same client with any `Authorization` header.
    #[must_use]
    pub fn with_authorization(self, authorization: &str) -> Self {
        let authorization = Some(authorization.to_owned());
        Self {
            authorization,
            ..self
        }
    }

    /// Sends a request with a body of a media type. Its path is below the namespace (`/events`), or
    /// below the root if it starts with `//`.
    pub async fn send(&self, method: Method, path: &str, body: Option<(&str, Vec<u8>)>) -> Answer {
        self.send_with(method, path, &[], body).await
    }

    /// The same with further headers.
    pub async fn send_with(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<(&str, Vec<u8>)>,
    ) -> Answer {
        let (content_type, body) = match body {
            Some((content_type, bytes)) => (Some(content_type), Body::from(bytes)),
            None if matches!(method, Method::GET | Method::HEAD) => {
                return self.read(&method, path, headers).await;
            }
            None => (None, Body::empty()),
        };
        self.send_body(method, path, headers, content_type, body)
            .await
    }

    /// Reads with and without the response cache, and compares the answers. It tries again after a
    /// difference, as another request may have written in between.
    async fn read(&self, method: &Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        const ATTEMPTS: usize = 5;
        let request = || self.request(method.clone(), path, headers, None, Body::empty());
        let mut answer = self.service.usual.ask(request()).await;
        if self.authorization.is_some() {
            return answer;
        }
        for attempt in 1.. {
            let kept = self.service.usual.ask(request()).await;
            let made = self.service.forgetful.ask(request()).await;
            let is_same = are_equal(&answer, &kept) && are_equal(&kept, &made);
            if is_same {
                return answer;
            }
            assert!(
                attempt < ATTEMPTS,
                "{method} {path} {headers:?} is not the same when it is kept:\n{answer:?}\n{kept:?}\n{made:?}"
            );
            answer = kept;
        }
        answer
    }

    /// The same with any body, such as a slow stream.
    pub async fn send_body(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        content_type: Option<&str>,
        body: Body,
    ) -> Answer {
        let request = self.request(method, path, headers, content_type, body);
        self.service.usual.ask(request).await
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        content_type: Option<&str>,
        body: Body,
    ) -> Request<Body> {
        let path = match path.strip_prefix('/') {
            Some(rooted) if rooted.starts_with('/') => rooted.to_owned(),
            _ => format!("{}{path}", self.mount),
        };
        let mut request = Request::builder().method(method).uri(path);
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        if let Some(address) = self.address {
            request = request.extension(ConnectInfo(SocketAddr::from((address, 1))));
        }
        request.body(body).unwrap()
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// The IDs in the list of events with this query.
    pub async fn list(&self, query: &str) -> Vec<i64> {
        self.get(&format!("/events?{query}")).await.ids()
    }

    /// `GET`, sent once.
    pub async fn get_once(&self, path: &str) -> Answer {
        self.send_body(Method::GET, path, &[], None, Body::empty())
            .await
    }

    /// `GET` with further headers, of a body that is read part by part.
    pub async fn open(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        let request = self.request(Method::GET, path, headers, None, Body::empty());
        self.service.usual.open(request).await
    }

    /// `GET` with further headers.
    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send_with(Method::GET, path, headers, None).await
    }

    /// Any method with JSON and further headers.
    pub async fn send_json_with(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Answer {
        let body = ("application/json", body.to_string().into_bytes());
        self.send_with(method, path, headers, Some(body)).await
    }

    /// `POST` of JSON.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::POST, path, &body).await
    }

    /// `PUT` of JSON.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::PUT, path, &body).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Any method with JSON.
    pub async fn send_json(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.send_json_with(method, path, &[], body).await
    }

    /// `POST` of a form.
    pub async fn post_form(&self, path: &str, form: &str) -> Answer {
        let body = (
            "application/x-www-form-urlencoded",
            form.as_bytes().to_vec(),
        );
        self.send(Method::POST, path, Some(body)).await
    }

    /// Creates an event with these fields besides a title and two hours on 2027-03-10; fails if the
    /// service refuses it.
    pub async fn event(&self, fields: Value) -> Value {
        self.make("/events", event_fields(fields)).await
    }

    /// Creates a record; fails if the service refuses it.
    pub async fn make(&self, path: &str, fields: Value) -> Value {
        let answer = self.post(path, fields).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// Changes a record with `PUT`; fails if the service refuses it.
    pub async fn change(&self, path: &str, fields: Value) -> Value {
        let answer = self.put(path, fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Fails unless the service refuses the query parameter `name` of each of these queries, which
    /// are the text after the name: `=99`.
    pub async fn refuses(&self, path: &str, name: &'static str, queries: &[&str]) {
        for query in queries {
            let answer = self.get(&format!("{path}?{name}{query}")).await;
            answer.assert_invalid(&[name]);
        }
    }

    /// Sends a creation of an event with these fields besides a title and two hours on 2027-03-10.
    pub async fn try_event(&self, fields: Value) -> Answer {
        self.post("/events", event_fields(fields)).await
    }

    /// Fails unless the service refuses an event with each of these values of a field.
    pub async fn refuses_event<V: Into<Value>>(
        &self,
        field: &str,
        values: impl IntoIterator<Item = V>,
    ) {
        let values = values.into_iter().map(Into::into);
        for_each_row(values, async |value: Value| {
            let answer = self.try_event(json!({ field: value })).await;
            answer.assert_invalid(&[field]);
        })
        .await;
    }
}

/// Fails unless a record has these values in these fields; `null` stands for an absent field.
///
/// A dot in a name leads into a nested record or list: `venue.id`, `tags.0.name`.
#[track_caller]
pub fn has_fields(record: &Value, fields: Value) {
    let Value::Object(fields) = fields else {
        panic!("fields are an object")
    };
    for (name, value) in fields {
        let found = record.pointer(&format!("/{}", name.replace('.', "/")));
        let wanted = Some(&value).filter(|value| !value.is_null());
        assert_eq!(found, wanted, "{name} of {record}");
    }
}

/// The fields of an event on 2027-03-10 from 9 to 11, with other fields added or replaced.
pub fn event_fields(fields: Value) -> Value {
    let mut event = json!({
        "title": "Event",
        "start_date": "2027-03-10 09:00:00",
        "end_date": "2027-03-10 11:00:00",
    });
    let Value::Object(fields) = fields else {
        panic!("fields are an object")
    };
    event.as_object_mut().unwrap().extend(fields);
    event
}

/// Whether two answers are equal, except for their request IDs.
fn are_equal(one: &Answer, other: &Answer) -> bool {
    let headers = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        headers.remove("x-request-id");
        headers
    };
    one.status == other.status && one.bytes == other.bytes && headers(one) == headers(other)
}
