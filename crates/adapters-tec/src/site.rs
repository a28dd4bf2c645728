//! A site, and the ways to find its REST interface.

use std::collections::HashMap;

use adapters_http::{Url, parse_url};
use async_trait::async_trait;
use domain::{Kind, Status};
use interchange::{SourceList, SourcePage, SourceRecord, SourceSite, SourceSiteError};
use serde_json::Value;

use crate::{
    client::{Access, Client, Found, GetError},
    mapping,
};

/// The namespace of the interface, as the end of a path.
const NAMESPACE: &str = "/tribe/events/v1";

/// The records asked for in a page: more than many sites send.
const PER_PAGE: &str = "50";

/// The statuses whose lists need credentials.
const STATUSES: [Status; 5] = [
    Status::Publish,
    Status::Future,
    Status::Private,
    Status::Pending,
    Status::Draft,
];

/// The reasons for which a URL is not that of a site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// The text is not a URL.
    #[error("{0} is not a URL of http or https")]
    NotUrl(String),
    /// No interface was found; the text has the reason for each URL that was tried.
    #[error("there is no REST interface of The Events Calendar: {0}")]
    NotFound(String),
    /// Credentials would be sent to another host.
    #[error("the site redirects to {0}: name that URL to send it a password")]
    OtherHost(Url),
    /// The site refuses the credentials.
    #[error("the site refuses the user and the password: {0}")]
    Login(String),
}

/// The form of the addresses of a REST interface.
#[derive(Clone, Debug, PartialEq)]
enum Root {
    /// Routes are paths below this URL.
    Path(Url),
    /// Routes are values of `rest_route` at this URL.
    Query(Url),
}

impl Root {
    /// The URL of a route.
    fn route(&self, route: &str, query: &[(&str, &str)]) -> Url {
        let mut url = match self {
            Self::Path(base) => {
                let mut url = base.clone();
                url.set_path(&format!("{}{route}", base.path()));
                url
            }
            Self::Query(base) => {
                let mut url = base.clone();
                url.query_pairs_mut().append_pair("rest_route", route);
                url
            }
        };
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    /// The root to which the URL of a list leads; none if the URL is of another form.
    fn of(list: &Url) -> Option<Self> {
        let mut base = list.clone();
        base.set_query(None);
        base.set_fragment(None);
        if list.query_pairs().any(|(name, _)| name == "rest_route") {
            return Some(Self::Query(base));
        }
        let (path, _) = list.path().split_once(NAMESPACE)?;
        base.set_path(path);
        // The path of a URL is never empty.
        let path = base.path().trim_end_matches('/').to_owned();
        base.set_path(&path);
        Some(Self::Path(base))
    }

    /// The host and the path of the site.
    fn site_name(&self) -> String {
        let (Self::Path(url) | Self::Query(url)) = self;
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix("/wp-json").unwrap_or(path);
        let path = path.strip_suffix("/index.php").unwrap_or(path);
        format!("{}{path}", url.host_str().unwrap_or_default())
    }
}

/// The roots that a URL may mean, the most likely first.
fn candidates(url: &Url) -> Vec<Root> {
    if let Some(root) = Root::of(url) {
        return vec![root];
    }
    let below = |end: &str| {
        let mut below = url.clone();
        below.set_query(None);
        below.set_fragment(None);
        let path = below.path().trim_end_matches('/').to_owned();
        below.set_path(&format!("{path}{end}"));
        below
    };
    if url.path().trim_end_matches('/').ends_with("/wp-json") {
        return vec![Root::Path(below(""))];
    }
    vec![Root::Path(below("/wp-json")), Root::Query(below("/"))]
}

/// A site with an interface that was found.
#[derive(Clone, Debug)]
pub struct Site {
    client: Client,
    root: Root,
    name: String,
}

impl Site {
    /// Finds the interface of a site. The URL is that of the site, of its REST interface, or of the
    /// namespace. Credentials are sent to the host of this URL alone.
    ///
    /// # Errors
    ///
    /// [`FindError`].
    pub async fn find(url: &str, access: Access) -> Result<Self, FindError> {
        let not_url = || FindError::NotUrl(url.to_owned());
        let asked = parse_url(url).map_err(|_| not_url())?;
        if !matches!(asked.scheme(), "http" | "https") {
            return Err(not_url());
        }
        let client = Client::new(&access);
        let mut reasons = Vec::new();
        for root in candidates(&asked) {
            let list = root.route(&format!("{NAMESPACE}/events"), &[("per_page", "1")]);
            match client.anonymous().get(&list).await {
                Ok(Found { url: at, body }) if body.get("events").is_some_and(Value::is_array) => {
                    let root = Root::of(&at).unwrap_or(root);
                    let (Root::Path(found) | Root::Query(found)) = &root;
                    let is_safe = found.host() == asked.host()
                        && (found.scheme() == "https" || asked.scheme() == "http");
                    if client.has_login() && !is_safe {
                        return Err(FindError::OtherHost(found.clone()));
                    }
                    if client.has_login() {
                        let list = root.route(&format!("{NAMESPACE}/events"), &[("per_page", "1")]);
                        let tried = client.get(&list).await;
                        if let Err(error) = tried {
                            return Err(FindError::Login(error.to_string()));
                        }
                    }
                    let name = root.site_name();
                    return Ok(Self { client, root, name });
                }
                Ok(Found { url: at, .. }) => reasons.push(format!("{at} is not a list of events")),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        Err(FindError::NotFound(reasons.join("; ")))
    }
}

impl Site {
    /// The states of the events of a page, by ID: cancelled, postponed. The interface of the plug-in does
    /// not tell them.
    async fn statuses_of(
        &self,
        items: &[Value],
        status: Status,
    ) -> Result<HashMap<u64, String>, SourceSiteError> {
        let ids = items
            .iter()
            .filter_map(|item| mapping::integer(item.get("id")?));
        let ids: Vec<_> = ids.map(|id| id.to_string()).collect();
        let (ids, fields) = (ids.join(","), format!("id,meta.{}", mapping::STATUS));
        let mut query = vec![
            ("include", &*ids),
            ("per_page", PER_PAGE),
            ("_fields", &*fields),
        ];
        if self.client.has_login() {
            query.push(("status", status.name()));
        }
        let url = self.root.route("/wp/v2/tribe_events", &query);
        let body = match self.client.get(&url).await {
            Ok(found) => found.body,
            // Not every site shows them.
            Err(GetError::Refused { status, .. }) if status.is_client_error() => Value::Null,
            Err(error) => return Err(SourceSiteError::Failed(error.to_string())),
        };
        let items = body.as_array().into_iter().flatten();
        let told = items.filter_map(|item| {
            let state = item.get("meta")?.get(mapping::STATUS)?.as_str()?;
            Some((mapping::integer(item.get("id")?)?, state.to_owned()))
        });
        Ok(told.collect())
    }
}

#[async_trait]
impl SourceSite for Site {
    fn name(&self) -> &str {
        &self.name
    }

    fn statuses(&self) -> &[Status] {
        if self.client.has_login() {
            &STATUSES
        } else {
            &STATUSES[..1]
        }
    }

    async fn page(
        &self,
        list: SourceList,
        number: u32,
    ) -> Result<Option<SourcePage>, SourceSiteError> {
        let page = number.to_string();
        let mut query = vec![("page", &*page), ("per_page", PER_PAGE)];
        match list.kind {
            // Without bounds, the list has the events of two years.
            Kind::Event => query.extend([("start_date", "1900-01-01"), ("end_date", "2999-12-31")]),
            Kind::Category | Kind::Tag => query.push(("hide_empty", "0")),
            Kind::Venue | Kind::Organizer => {}
        }
        let is_term = matches!(list.kind, Kind::Category | Kind::Tag);
        if self.client.has_login() && !is_term {
            query.push(("status", list.status.name()));
        }
        let plural = list.kind.plural();
        let url = self.root.route(&format!("{NAMESPACE}/{plural}"), &query);
        let found = match self.client.get(&url).await {
            Ok(found) => found,
            Err(error) => return beyond(&error, number),
        };
        let Some(items) = found.body.get(plural).and_then(Value::as_array) else {
            let reason = format!("{} is not a list of {plural}", found.url);
            return Err(SourceSiteError::Failed(reason));
        };
        if items.is_empty() {
            return Ok(None);
        }
        let mut page = SourcePage {
            total: found.body.get("total").and_then(mapping::integer),
            ..SourcePage::default()
        };
        let statuses = if list.kind == Kind::Event {
            self.statuses_of(items, list.status).await?
        } else {
            HashMap::new()
        };
        for item in items {
            match mapping::record(list.kind, &with_state(item, &statuses)) {
                Some(record) => page.records.push(record),
                None => page.unreadable.push(format!("an item of {url} has no ID")),
            }
        }
        Ok(Some(page))
    }

    async fn event_ids(
        &self,
        status: Status,
        number: u32,
    ) -> Result<Option<Vec<i64>>, SourceSiteError> {
        let page = number.to_string();
        let mut query = vec![("page", &*page), ("per_page", "100"), ("_fields", "id")];
        if self.client.has_login() {
            query.push(("status", status.name()));
        }
        let url = self.root.route("/wp/v2/tribe_events", &query);
        let found = match self.client.get(&url).await {
            Ok(found) => found,
            Err(error) if number == 1 && error.is_of_client() => {
                return Err(SourceSiteError::NotReadable(error.to_string()));
            }
            Err(error) => return beyond(&error, number).map(|_| None),
        };
        let Some(items) = found.body.as_array() else {
            let reason = format!("{} is not a list of events", found.url);
            return Err(SourceSiteError::NotReadable(reason));
        };
        let ids = items.iter().filter_map(|item| {
            let id = mapping::integer(item.get("id")?)?;
            i64::try_from(id).ok()
        });
        Ok(Some(ids.collect()).filter(|ids: &Vec<_>| !ids.is_empty()))
    }

    async fn event(
        &self,
        id: i64,
        status: Status,
    ) -> Result<Option<SourceRecord>, SourceSiteError> {
        let url = self.root.route(&format!("{NAMESPACE}/events/{id}"), &[]);
        let item = match self.client.get(&url).await {
            Ok(found) => found.body,
            Err(error) if error.is_of_client() => return Ok(None),
            Err(error) => return Err(SourceSiteError::Failed(error.to_string())),
        };
        let by_id = self
            .statuses_of(std::slice::from_ref(&item), status)
            .await?;
        Ok(mapping::record(Kind::Event, &with_state(&item, &by_id)))
    }

    async fn author_names(&self, author: &str) -> Result<Vec<String>, SourceSiteError> {
        let mut names = vec![author.to_owned()];
        if author.is_empty() || !author.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(names);
        }
        let route = format!("/wp/v2/users/{author}");
        // Only an administrator may read e-mail addresses.
        let contexts: &[&[(&str, &str)]] = if self.client.has_login() {
            &[&[("context", "edit")], &[]]
        } else {
            &[&[]]
        };
        for query in contexts {
            match self.client.get(&self.root.route(&route, query)).await {
                Ok(Found { body, .. }) => {
                    names.extend(mapping::author_names(&body));
                    break;
                }
                // Many sites hide their users.
                Err(GetError::Refused { status, .. }) if status.is_client_error() => {}
                Err(error) => return Err(SourceSiteError::Failed(error.to_string())),
            }
        }
        Ok(names)
    }
}

/// An event with its state, by the states of events.
fn with_state(item: &Value, states: &HashMap<u64, String>) -> Value {
    let mut item = item.clone();
    let id = item.get("id").and_then(mapping::integer);
    if let (Some(object), Some(state)) = (item.as_object_mut(), id.and_then(|id| states.get(&id))) {
        object.insert(mapping::STATUS.to_owned(), state.as_str().into());
    }
    item
}

/// The meaning of a failed request for a page.
fn beyond(error: &GetError, number: u32) -> Result<Option<SourcePage>, SourceSiteError> {
    let reason = error.to_string();
    match error.status() {
        // Beyond the last page.
        Some(400 | 404) if number > 1 => Ok(None),
        Some(404) if !error.is_no_route() => Ok(None),
        Some(400 | 401 | 403 | 404) if number == 1 => Err(SourceSiteError::NotReadable(reason)),
        _ => Err(SourceSiteError::Failed(reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(url: &str) -> Vec<String> {
        let roots = candidates(&Url::parse(url).unwrap());
        let list = |root: &Root| root.route("/tribe/events/v1/events", &[("page", "2")]);
        roots.iter().map(|root| list(root).to_string()).collect()
    }

    #[test]
    fn a_url_means_the_site_the_interface_or_the_namespace() {
        let path = "https://old.example/blog/wp-json/tribe/events/v1/events?page=2";
        let query = "https://old.example/blog/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents&page=2";
        assert_eq!(lists("https://old.example/blog"), [path, query]);
        assert_eq!(lists("https://old.example/blog/?a=b#c"), [path, query]);
        for url in [
            "wp-json",
            "wp-json/",
            "wp-json/tribe/events/v1",
            "wp-json/tribe/events/v1/events/7",
        ] {
            assert_eq!(
                lists(&format!("https://old.example/blog/{url}")),
                [path],
                "{url}"
            );
        }
        assert_eq!(lists("https://old.example/blog/?rest_route=/"), [query]);
        let host = lists("https://old.example");
        assert_eq!(
            host[0],
            "https://old.example/wp-json/tribe/events/v1/events?page=2"
        );
        assert_eq!(
            host[1],
            "https://old.example/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents&page=2"
        );
    }

    #[test]
    fn a_site_is_named_by_host_and_path() {
        for (url, name) in [
            ("https://old.example:444/wp-json", "old.example"),
            (
                "https://old.example/blog/index.php/wp-json/",
                "old.example/blog",
            ),
            ("https://old.example/blog/?rest_route=/", "old.example/blog"),
        ] {
            assert_eq!(
                candidates(&Url::parse(url).unwrap())[0].site_name(),
                name,
                "{url}"
            );
        }
    }
}
