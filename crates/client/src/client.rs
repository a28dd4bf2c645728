//! The client.

use std::time::Duration;

use app::{
    event::Scope,
    write::{DeleteOptions, New, ReadOptions, Update, WriteInput},
};
use domain::{
    FieldName, Id, Language, Secret,
    image::{AltText, ImageFormat},
    slug::Slug,
};
use futures_util::{Stream, TryStreamExt, stream};
use reqwest::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect::Policy,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::Url;

use crate::{ClientError, Entity, ListQuery, Refusal, record::ImageRecord};

/// The namespace of the interface, if the address has no path.
const NAMESPACE: [&str; 3] = ["cal", "events", "v1"];

/// How often a request is sent at most.
const ATTEMPTS: u32 = 4;

/// The longest time between two attempts.
const MAX_PAUSE: Duration = Duration::from_mins(1);

/// The records of a page of a list, unless the query says otherwise.
const PER_PAGE: u32 = 100;

/// A client of one calendar, cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    authorization: Option<HeaderValue>,
    language: Option<Language>,
    timeout: Duration,
}

/// A request.
pub(crate) struct Call {
    method: Method,
    pub(crate) url: Url,
    headers: HeaderMap,
    body: Vec<u8>,
    /// Whether it may be sent again if there was no answer.
    is_repeatable: bool,
    /// The time for which the service may hold the answer back.
    pub(crate) wait: Duration,
}

impl Call {
    pub(crate) fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    fn new(method: Method, url: Url) -> Self {
        Self {
            is_repeatable: method == Method::GET,
            method,
            url,
            headers: HeaderMap::new(),
            body: Vec::new(),
            wait: Duration::ZERO,
        }
    }

    fn json(mut self, fields: Map<String, Value>) -> Self {
        let json = HeaderValue::from_static("application/json");
        self.headers.insert(CONTENT_TYPE, json);
        self.body = Value::Object(fields).to_string().into_bytes();
        self
    }

    /// Makes a creation that the service executes once, however often it is sent.
    fn once(mut self) -> Self {
        let key = format!("{:032x}", rand::random::<u128>());
        if let Ok(key) = HeaderValue::from_str(&key) {
            self.headers.insert("Idempotency-Key", key);
            self.is_repeatable = true;
        }
        self
    }
}

impl Client {
    /// A client of the calendar at this address, such as `https://cal.example/cal/events/v1`. Without a path, it is
    /// that of the interface.
    ///
    /// ```
    /// use events_calendar_client::{Client, ClientError};
    ///
    /// assert!(Client::new("https://cal.example").is_ok());
    /// assert!(matches!(Client::new("cal.example"), Err(ClientError::Address(_))));
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClientError::Address`] if the address is none of `http` or `https`.
    pub fn new(address: &str) -> Result<Self, ClientError> {
        let refused = || ClientError::Address(address.to_owned());
        let mut base = Url::parse(address).map_err(|_| refused())?;
        if !matches!(base.scheme(), "http" | "https") || !base.username().is_empty() {
            return Err(refused());
        }
        base.set_query(None);
        base.set_fragment(None);
        let is_root = base.path() == "/";
        if let Ok(mut path) = base.path_segments_mut() {
            path.pop_if_empty();
            path.extend(NAMESPACE.iter().filter(|_| is_root));
        }
        adapters_http::install_tls();
        let http = reqwest::Client::builder()
            .user_agent(concat!(
                "events-calendar-client/",
                env!("CARGO_PKG_VERSION")
            ))
            .redirect(Policy::none())
            .connect_timeout(Duration::from_secs(10))
            .build()
            .map_err(|error| ClientError::NoAnswer(error.to_string()))?;
        Ok(Self {
            http,
            base,
            authorization: None,
            language: None,
            timeout: Duration::from_secs(30),
        })
    }

    /// Sends requests in the name of the token's user.
    ///
    /// # Errors
    ///
    /// [`ClientError::Token`] for a text that cannot be a token.
    pub fn with_token(mut self, token: &Secret) -> Result<Self, ClientError> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose().trim()))
            .map_err(|_| ClientError::Token)?;
        value.set_sensitive(true);
        self.authorization = Some(value);
        Ok(self)
    }

    /// Asks for texts and messages in this language; by default, in that of the site.
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// Waits this long for an answer; by default 30 seconds.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The records of a list, page after page. Without `per_page`, a page has 100 records.
    ///
    /// # Errors
    ///
    /// The first request without a result ends the stream.
    pub fn list<R: Entity>(
        &self,
        query: &ListQuery,
    ) -> impl Stream<Item = Result<R::Answer, ClientError>> + Send + use<R> {
        let mut first = self.records::<R>(&[]);
        {
            let mut pairs = first.query_pairs_mut();
            pairs.extend_pairs(query.pairs());
            if !query.has(FieldName::PerPage) {
                pairs.append_pair(FieldName::PerPage.as_str(), &PER_PAGE.to_string());
            }
        }
        let client = self.clone();
        let pages = stream::try_unfold(Some(first), move |next| {
            let client = client.clone();
            async move {
                let Some(url) = next else { return Ok(None) };
                let mut page: Map<String, Value> = client.answer(&Call::get(url)).await?;
                let records = page.remove(R::KIND.plural()).unwrap_or_default();
                let records: Vec<R::Answer> = readable(serde_json::from_value(records))?;
                let next = page.get("next_rest_url").and_then(Value::as_str);
                let next = next.map(|next| follow(client.records::<R>(&[]), next));
                let records = stream::iter(records.into_iter().map(Ok::<_, ClientError>));
                Ok::<_, ClientError>(Some((records, next.transpose()?)))
            }
        });
        pages.try_flatten()
    }

    /// A record by its ID.
    ///
    /// # Errors
    ///
    /// For a record that the caller may not read, and if the request has no result.
    pub async fn get<R: Entity>(
        &self,
        id: Id<R>,
        options: &ReadOptions,
    ) -> Result<R::Answer, ClientError> {
        let url = self.records::<R>(&[&id.to_string()]);
        self.answer(&Call::get(read_with(url, options))).await
    }

    /// A record by its slug.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get); [`Refusal::moved_to`] has the address of a record with a former slug.
    pub async fn get_by_slug<R: Entity>(
        &self,
        slug: &Slug,
        options: &ReadOptions,
    ) -> Result<R::Answer, ClientError> {
        let url = self.records::<R>(&["by-slug", slug.as_str()]);
        self.answer(&Call::get(read_with(url, options))).await
    }

    /// Adds a record, once.
    ///
    /// # Errors
    ///
    /// [`ClientError::Fields`] for faults of the fields, which are not sent; if the service refuses the record, or the
    /// request has no result.
    pub async fn create<R: Entity>(
        &self,
        write: &WriteInput<R, New>,
    ) -> Result<R::Answer, ClientError> {
        let call = Self::write(self.records::<R>(&[]), Method::POST, write)?;
        self.answer(&call.once()).await
    }

    /// Changes the fields of a record that the write sets.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create).
    pub async fn update<R: Entity>(
        &self,
        id: Id<R>,
        write: &WriteInput<R, Update>,
    ) -> Result<R::Answer, ClientError> {
        let url = self.records::<R>(&[&id.to_string()]);
        self.answer(&Self::write(url, Method::PATCH, write)?).await
    }

    /// Moves a record to the trash, or deletes it for good, as the options say. Returns the record as it was, or in the
    /// trash. Categories and tags have no trash.
    ///
    /// # Errors
    ///
    /// If the service refuses the deletion, or the request has no result.
    pub async fn delete<R: Entity>(
        &self,
        id: Id<R>,
        options: &DeleteOptions,
    ) -> Result<R::Answer, ClientError> {
        let DeleteOptions {
            language,
            force,
            scope,
        } = options;
        let mut url = self.records::<R>(&[&id.to_string()]);
        set(&mut url, FieldName::Language, language.map(Language::code));
        set(&mut url, FieldName::Force, force.then_some("true"));
        set(&mut url, FieldName::Scope, scope.map(Scope::name));
        let mut answer: Map<String, Value> = self.answer(&Call::new(Method::DELETE, url)).await?;
        // A record that is gone for good is a member of the answer.
        let record = match answer.remove("previous") {
            Some(previous) => previous,
            None => Value::Object(answer),
        };
        readable(serde_json::from_value(record))
    }

    /// Adds an image with its alternative text, once. A write names it by its ID.
    ///
    /// # Errors
    ///
    /// If the service refuses the image, or the request has no result.
    pub async fn upload(
        &self,
        content: Vec<u8>,
        format: ImageFormat,
        alt: Option<&AltText>,
    ) -> Result<ImageRecord, ClientError> {
        let mut url = self.address(&["images"]);
        set(&mut url, FieldName::Alt, alt.map(AltText::as_str));
        let mut call = Call::new(Method::POST, url).once();
        let format = HeaderValue::from_static(format.media_type());
        call.headers.insert(CONTENT_TYPE, format);
        call.body = content;
        self.answer(&call).await
    }

    /// The address of a list, or of a record in it.
    fn records<R: Entity>(&self, path: &[&str]) -> Url {
        self.address(&[&[R::KIND.plural()], path].concat())
    }

    /// An address of the interface, with the language of the client.
    pub(crate) fn address(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.extend(path);
        }
        set(
            &mut url,
            FieldName::Language,
            self.language.map(Language::code),
        );
        url
    }

    fn write<R: Entity, P>(
        mut url: Url,
        method: Method,
        write: &WriteInput<R, P>,
    ) -> Result<Call, ClientError> {
        write.faults.clone().finish()?;
        if write.image_file.is_some() {
            return Err(ClientError::ImageFile);
        }
        let password = write
            .password
            .as_ref()
            .map(|password| password.expose().as_str());
        set(&mut url, FieldName::Password, password);
        Ok(Call::new(method, url).json(forms::written(write)))
    }

    /// Sends a request until it has a result, or there is no hope.
    pub(crate) async fn answer<T: DeserializeOwned>(&self, call: &Call) -> Result<T, ClientError> {
        let mut attempt = 1;
        loop {
            let error = match self.send(call).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let pause = match &error {
                ClientError::Refused(refusal) if refusal.asks_for_patience() => refusal.retry_after,
                ClientError::NoAnswer(_) if call.is_repeatable => None,
                _ => return Err(error),
            };
            let pause = pause.unwrap_or(Duration::from_secs(1 << (attempt - 1)));
            if attempt == ATTEMPTS || pause > MAX_PAUSE {
                return Err(error);
            }
            attempt += 1;
            tokio::time::sleep(pause).await;
        }
    }

    /// Sends a request once.
    async fn send<T: DeserializeOwned>(&self, call: &Call) -> Result<T, ClientError> {
        let request = self.http.request(call.method.clone(), call.url.clone());
        let mut request = request
            .headers(call.headers.clone())
            .header(ACCEPT, "application/json")
            .timeout(self.timeout + call.wait);
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        if !call.body.is_empty() {
            request = request.body(call.body.clone());
        }
        let answer = request.send().await.map_err(|error| no_answer(&error))?;
        let status = answer.status();
        let retry_after = adapters_http::retry_after(answer.headers());
        let body = answer.bytes().await.map_err(|error| no_answer(&error))?;
        if status.is_success() {
            return readable(serde_json::from_slice(&body));
        }
        if status.is_redirection() {
            return Err(ClientError::Unreadable(format!(
                "{status}, the address is another one"
            )));
        }
        Err(ClientError::Refused(Box::new(Refusal::read(
            status,
            retry_after,
            &body,
        ))))
    }
}

/// The next page of a list: its query alone counts, so that no token leaves for another server.
pub(crate) fn follow(mut list: Url, next: &str) -> Result<Url, ClientError> {
    let next = Url::parse(next).map_err(|error| ClientError::Unreadable(error.to_string()))?;
    list.set_query(next.query());
    Ok(list)
}

fn set(url: &mut Url, name: FieldName, value: Option<&str>) {
    if let Some(value) = value {
        url.query_pairs_mut().append_pair(name.as_str(), value);
    }
}

fn read_with(mut url: Url, options: &ReadOptions) -> Url {
    set(
        &mut url,
        FieldName::Language,
        options.language.map(Language::code),
    );
    let password = options.password.as_ref();
    set(
        &mut url,
        FieldName::Password,
        password.map(|password| password.expose().as_str()),
    );
    url
}

fn readable<T>(read: serde_json::Result<T>) -> Result<T, ClientError> {
    read.map_err(|error| ClientError::Unreadable(error.to_string()))
}

/// The reason of a request without an answer, without its URL, which can have a password.
fn no_answer(error: &reqwest::Error) -> ClientError {
    let causes = std::iter::successors(std::error::Error::source(error), |error| error.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    ClientError::NoAnswer(match causes.last() {
        Some(cause) => cause.clone(),
        None if error.is_timeout() => "the time is over".to_owned(),
        None => "the connection broke".to_owned(),
    })
}
