//! Passwords, invitations to choose one, and sessions of browsers.

use async_trait::async_trait;
use domain::{Secret, UserId, time::Timestamp};

use super::StoreError;

/// An invitation to choose a password. A user has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The user.
    pub user: UserId,
    /// The hash of its text.
    pub hash: Secret,
    /// The time from which the invitation is no longer valid.
    pub expires: Timestamp,
}

/// A session of a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    /// The hash of its ID, which the browser alone knows.
    pub hash: Secret,
    /// The user who signed in.
    pub user: UserId,
    /// Values that belong to the session, as the adapter writes them.
    pub data: String,
    /// The time of the sign-in.
    pub created: Timestamp,
    /// The time from which the session is no longer valid.
    pub expires: Timestamp,
}

/// The second factor of a user's sign-ins: an authenticator, which shows another code every 30 seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret that it shares with the service, in base 32.
    pub secret: Secret,
    /// The step, of 30 seconds since 1970, of the last code that was used.
    pub last_step: i64,
    /// The hashes of the recovery codes that are left.
    pub recovery_codes: Vec<Secret>,
}

/// Stores passwords, second factors, invitations and sessions. They are deleted with their user.
///
/// ```
/// use events_calendar_app::{
///     ports::{BrowserSession, Invitation, Repositories, SecondFactor, SignInRepository, Store},
///     test_support::{InMemoryStore, at, user},
/// };
/// use domain::{Role, Secret};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let ada = unit.users().insert(user("ada", Role::Editor)).await?.unwrap().id;
/// let sign_ins: &dyn SignInRepository = unit.sign_ins();
/// let (now, later) = (at("2030-01-01 00:00:00"), at("2030-01-08 00:00:00"));
///
/// let invitation = Invitation { user: ada, hash: Secret::new("5f".to_owned()), expires: later };
/// sign_ins.invite(&invitation).await?;
/// assert_eq!(sign_ins.invitation("5f").await?, Some(invitation));
/// assert!(sign_ins.end_invitation(ada).await?);
/// assert!(!sign_ins.end_invitation(ada).await?);
///
/// assert_eq!(sign_ins.password(ada).await?, None);
/// sign_ins.set_password(ada, &Secret::new("$argon2id$…".to_owned()), now).await?;
/// assert_eq!(sign_ins.password(ada).await?, Some(Secret::new("$argon2id$…".to_owned())));
///
/// let factor = SecondFactor { secret: Secret::new("GEZDGNBV".to_owned()), last_step: 0, recovery_codes: Vec::new() };
/// assert!(sign_ins.replace_second_factor(ada, None, Some(factor.clone())).await?);
/// assert!(!sign_ins.replace_second_factor(ada, None, None).await?);
/// assert_eq!(sign_ins.second_factor(ada).await?, Some(factor));
///
/// let session = BrowserSession {
///     hash: Secret::new("a0".to_owned()),
///     user: ada,
///     data: "{}".to_owned(),
///     created: now,
///     expires: later,
/// };
/// sign_ins.put_session(&session).await?;
/// assert_eq!(sign_ins.session("a0").await?, Some(session.clone()));
/// assert_eq!(sign_ins.sessions(ada).await?, [session]);
/// assert_eq!(sign_ins.end_sessions(ada, Some("a0".to_owned())).await?, 0);
/// assert!(sign_ins.end_session("a0").await?);
/// assert_eq!(sign_ins.prune_sessions(later).await?, 0);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait SignInRepository: Send + Sync {
    /// The hash of a user's password, in the PHC string format.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn password(&self, user: UserId) -> Result<Option<Secret>, StoreError>;

    /// Stores the hash of a user's password, in place of the former one.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn set_password(
        &self,
        user: UserId,
        hash: &Secret,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// The second factor of a user.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn second_factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError>;

    /// Stores or removes the second factor of a user, if the stored one is `former`. Returns whether it was.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn replace_second_factor(
        &self,
        user: UserId,
        former: Option<SecondFactor>,
        new: Option<SecondFactor>,
    ) -> Result<bool, StoreError>;

    /// Stores an invitation, in place of the former one of its user.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn invite(&self, invitation: &Invitation) -> Result<(), StoreError>;

    /// The invitation with a hash, expired or not.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn invitation(&self, hash: &str) -> Result<Option<Invitation>, StoreError>;

    /// Removes the invitation of a user. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn end_invitation(&self, user: UserId) -> Result<bool, StoreError>;

    /// The session with a hash, expired or not.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn session(&self, hash: &str) -> Result<Option<BrowserSession>, StoreError>;

    /// The sessions of a user, the oldest first.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn sessions(&self, user: UserId) -> Result<Vec<BrowserSession>, StoreError>;

    /// Stores a session, in place of the former one with its hash.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn put_session(&self, session: &BrowserSession) -> Result<(), StoreError>;

    /// Removes the session with a hash. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn end_session(&self, hash: &str) -> Result<bool, StoreError>;

    /// Removes the sessions of a user, but for the one with the hash `kept`. Returns their number.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn end_sessions(&self, user: UserId, kept: Option<String>) -> Result<u64, StoreError>;

    /// Removes expired sessions and invitations. Returns the number of sessions.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn prune_sessions(&self, now: Timestamp) -> Result<u64, StoreError>;
}
