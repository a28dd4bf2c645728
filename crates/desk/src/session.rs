//! Sessions of browsers: `tower-sessions` over the sign-ins of `app`.

use app::{
    AppError,
    sign_in::{SignIn, session_expiry},
};
use async_trait::async_trait;
use axum::{
    http::{HeaderValue, header},
    middleware::map_response,
    response::Response,
    routing::MethodRouter,
};
use domain::{Id as RecordId, Stored, User, UserId, time::Timestamp};
use http_service::AppState;
use time::OffsetDateTime;
use tower_sessions::{
    Expiry, Session, SessionManagerLayer, SessionStore,
    cookie::SameSite,
    session::{Id, Record},
    session_store::{Error, Result},
};

/// The keys of what a session holds.
mod key {
    pub(super) const USER: &str = "user";
    pub(super) const ROLE: &str = "role";
    pub(super) const CREATED: &str = "created";
    pub(super) const USED: &str = "used";
    pub(super) const LANGUAGE: &str = "language";
    pub(super) const BROWSER: &str = "browser";
    pub(super) const WAITS: &str = "waits";
}

/// The seconds after which the use of a session is stored again. A write at each request would end the validity
/// of all caches.
const TOUCH_SECONDS: i64 = 300;

/// Puts the session of the browser before a handler. The cookie is for secure connections alone if the public URL
/// is.
pub(crate) fn with_session(
    state: &AppState,
    handler: MethodRouter<AppState>,
) -> MethodRouter<AppState> {
    let is_secure = state.site.root().starts_with("https://");
    let name = if is_secure { "__Host-desk" } else { "desk" };
    let store = DeskSessions(state.accounts.sign_in().clone());
    let layer = SessionManagerLayer::new(store)
        .with_name(name)
        .with_secure(is_secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnSessionEnd);
    let handler = handler.layer(layer);
    if is_secure {
        handler.layer(map_response(demand_tls))
    } else {
        handler
    }
}

/// Has browsers use TLS alone for a year, where the public URL does.
async fn demand_tls(mut response: Response) -> Response {
    let year = HeaderValue::from_static("max-age=31536000");
    let headers = response.headers_mut();
    headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    response
}

/// Begins the session of a user, with a new ID.
pub(crate) async fn begin(
    session: &Session,
    user: &Stored<User>,
    language: &str,
    browser: &str,
    now: Timestamp,
) -> std::result::Result<(), tower_sessions::session::Error> {
    if session.id().is_some() {
        session.flush().await?;
    }
    session.insert(key::USER, user.id.get()).await?;
    session.insert(key::ROLE, user.role.name()).await?;
    session.insert(key::CREATED, now.seconds()).await?;
    session.insert(key::USED, now.seconds()).await?;
    session.insert(key::LANGUAGE, language).await?;
    let browser: String = browser.chars().take(200).collect();
    session.insert(key::BROWSER, browser).await
}

/// The seconds for which a sign-in waits for the second factor.
const WAIT_SECONDS: i64 = 600;

/// Begins the session of a user who has shown the password, and not the second factor yet. It signs nobody in.
pub(crate) async fn begin_waiting(
    session: &Session,
    user: &Stored<User>,
    now: Timestamp,
) -> std::result::Result<(), tower_sessions::session::Error> {
    begin(session, user, "", "", now).await?;
    session.insert(key::WAITS, true).await
}

/// The user of a sign-in that waits for the second factor.
pub(crate) async fn waiting(
    session: &Session,
    sign_in: &SignIn,
) -> std::result::Result<Option<Stored<User>>, SessionFailed> {
    let is_waiting = session.get::<bool>(key::WAITS).await?.is_some();
    let created = session
        .get::<i64>(key::CREATED)
        .await?
        .unwrap_or(i64::MIN / 2);
    if !is_waiting || sign_in.now().seconds() - created > WAIT_SECONDS {
        return Ok(None);
    }
    let id = session.get::<i64>(key::USER).await?.unwrap_or_default();
    Ok(sign_in.user(RecordId::from_raw(id)).await?)
}

/// The user of a session as stored now, and the language that was chosen. The session of a user with another role
/// gets a new ID.
pub(crate) async fn current(
    session: &Session,
    sign_in: &SignIn,
) -> std::result::Result<Option<(Stored<User>, Option<String>)>, SessionFailed> {
    let Some(id) = session.get::<i64>(key::USER).await? else {
        return Ok(None);
    };
    if session.get::<bool>(key::WAITS).await?.is_some() {
        return Ok(None);
    }
    let Some(user) = sign_in.user(RecordId::from_raw(id)).await? else {
        session.flush().await?;
        return Ok(None);
    };
    let role = session.get::<String>(key::ROLE).await?;
    if role.as_deref() != Some(user.role.name()) {
        session.cycle_id().await?;
        session.insert(key::ROLE, user.role.name()).await?;
    }
    let last_use = session.get::<i64>(key::USED).await?.unwrap_or_default();
    let now = sign_in.now().seconds();
    if now - last_use >= TOUCH_SECONDS {
        session.insert(key::USED, now).await?;
    }
    Ok(Some((user, session.get(key::LANGUAGE).await?)))
}

/// Stores the language that the user chose.
pub(crate) async fn set_language(
    session: &Session,
    language: &str,
) -> std::result::Result<(), tower_sessions::session::Error> {
    session.insert(key::LANGUAGE, language).await
}

/// The sessions of a user, the newest first.
pub(crate) async fn list(
    session: &Session,
    sign_in: &SignIn,
    user: &Stored<User>,
) -> std::result::Result<Vec<ListedSession>, SessionFailed> {
    let this = session
        .id()
        .map(|id| app::hashing::sha256_hex(&id.to_string()));
    let sessions = sign_in.sessions(user.id).await?;
    let listed = sessions.into_iter().rev().filter_map(|one| {
        let data = serde_json::from_str::<serde_json::Value>(&one.data).ok()?;
        if data.get(key::WAITS).is_some() {
            return None;
        }
        Some(ListedSession {
            is_this: this.as_deref() == Some(one.hash.expose()),
            hash: one.hash.expose().clone(),
            created: one.created,
            browser: data[key::BROWSER].as_str().unwrap_or_default().to_owned(),
        })
    });
    Ok(listed.collect())
}

/// A session as its user sees it.
#[derive(Clone, Debug)]
pub(crate) struct ListedSession {
    /// The hash of the ID, by which the user ends it.
    pub(crate) hash: String,
    pub(crate) created: Timestamp,
    pub(crate) browser: String,
    pub(crate) is_this: bool,
}

/// The reason why a session could not be read.
#[derive(Debug)]
pub(crate) struct SessionFailed;

impl From<tower_sessions::session::Error> for SessionFailed {
    fn from(error: tower_sessions::session::Error) -> Self {
        tracing::error!(%error, "a session cannot be read or written");
        Self
    }
}

impl From<AppError> for SessionFailed {
    fn from(error: AppError) -> Self {
        tracing::error!(%error, "the user of a session cannot be read");
        Self
    }
}

/// The store of sessions.
#[derive(Clone, Debug)]
struct DeskSessions(SignIn);

#[async_trait]
impl SessionStore for DeskSessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        // Never the ID that a browser sent, nor that of a session that was cleared.
        record.id = Id::default();
        self.save(record).await
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let number = |key| record.data.get(key).and_then(serde_json::Value::as_i64);
        let Some(user) = number(key::USER) else {
            return Err(Error::Encode("a session has a user".to_owned()));
        };
        let now = self.0.now();
        let created = number(key::CREATED).and_then(Timestamp::from_seconds);
        let created = created.unwrap_or(now);
        let data = serde_json::to_string(&record.data);
        let data = data.map_err(|error| Error::Encode(error.to_string()))?;
        let (user, expires) = (UserId::from_raw(user), session_expiry(created, now));
        let id = record.id.to_string();
        let put = self.0.put_session(&id, user, &data, created, expires);
        put.await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let Some(session) = self.0.session(&id.to_string()).await.map_err(backend)? else {
            return Ok(None);
        };
        let data = serde_json::from_str(&session.data);
        let expires = OffsetDateTime::from_unix_timestamp(session.expires.seconds());
        Ok(Some(Record {
            id: *id,
            data: data.map_err(|error| Error::Decode(error.to_string()))?,
            expiry_date: expires.map_err(|error| Error::Decode(error.to_string()))?,
        }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.0.end_session(&id.to_string()).await.map_err(backend)?;
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn backend(error: AppError) -> Error {
    Error::Backend(error.to_string())
}
