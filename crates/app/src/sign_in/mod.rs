//! Signing in with a password, by which people reach the desk. Programs use tokens: [`crate::auth`].

mod hash;
mod second_factor;

use std::sync::Arc;

use domain::{
    FieldName, NewPassword, Secret, Stored, User, UserId,
    audit::{AuditAction, AuditedKind},
    time::Timestamp,
};

use crate::{
    audit,
    error::AppError,
    hashing::{random_hex, sha256_hex},
    ports::{BrowserSession, Clock, Invitation, Store, UnitOfWork},
};
use hash::Hasher;
pub use second_factor::OfferedSecondFactor;

/// The seconds after which an unused session ends: 12 hours.
const IDLE_SECONDS: i64 = 12 * 3600;

/// The seconds after which every session ends: 7 days.
const ABSOLUTE_SECONDS: i64 = 7 * 24 * 3600;

/// The seconds for which an invitation is valid: 7 days.
pub const INVITATION_SECONDS: i64 = 7 * 24 * 3600;

/// The seconds for which the invitation of the first administrator is valid: 1 hour.
pub const FIRST_INVITATION_SECONDS: i64 = 3600;

/// Signs people in. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
///
/// use events_calendar_app::{
///     auth::Accounts,
///     ports::Clock,
///     sign_in::{FIRST_INVITATION_SECONDS, INVITATION_SECONDS, FreshInvitation, SignIn, SignInError, session_expiry},
///     test_support::{FixedClock, InMemoryStore},
/// };
/// use domain::Role;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (store, clock) = (Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
/// let ada = Accounts::new(store.clone(), clock.clone()).add_user("ada", Role::Editor, None).await?;
/// let sign_in = SignIn::new(store, clock.clone());
///
/// // An invitation is valid once; a new one ends the former.
/// let former = sign_in.invite(&ada, INVITATION_SECONDS).await?;
/// let FreshInvitation { text, expires } = sign_in.invite(&ada, FIRST_INVITATION_SECONDS).await?;
/// assert_eq!(expires.seconds() - clock.now().seconds(), 3600);
/// let password = "correct horse".parse()?;
/// let void = sign_in.accept(former.text.expose(), &password).await;
/// assert!(matches!(void, Err(SignInError::NoInvitation)));
/// assert_eq!(sign_in.invited(text.expose()).await?.unwrap().id, ada.id);
/// assert_eq!(sign_in.accept(text.expose(), &password).await?.id, ada.id);
/// assert_eq!(sign_in.invited(text.expose()).await?, None);
///
/// assert_eq!(sign_in.sign_in("ADA", "correct horse").await?.id, ada.id);
/// assert!(matches!(sign_in.sign_in("ada", "guess").await, Err(SignInError::Refused)));
/// assert!(matches!(sign_in.sign_in("eve", "guess").await, Err(SignInError::Refused)));
///
/// // Sessions of browsers: 12 hours without use, 7 days in all.
/// let now = clock.now();
/// let expires = session_expiry(now, now);
/// sign_in.put_session("id", ada.id, "{}", now, expires).await?;
/// assert_eq!(sign_in.session("id").await?.unwrap().user, ada.id);
/// assert_eq!(sign_in.sessions(ada.id).await?.len(), 1);
/// assert_eq!(sign_in.user(ada.id).await?.unwrap().role, Role::Editor);
///
/// // Another password ends all other sessions.
/// sign_in.put_session("other", ada.id, "{}", now, expires).await?;
/// let new = "battery staple".parse()?;
/// sign_in.change_password(ada.id, "correct horse", &new, Some("id")).await?;
/// assert_eq!(sign_in.session("other").await?, None);
/// sign_in.end_session("id").await?;
/// assert_eq!(sign_in.end_sessions(ada.id, None).await?, 0);
/// sign_in.prune().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SignIn {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    hasher: Hasher,
}

impl std::fmt::Debug for SignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignIn(…)")
    }
}

/// A new invitation with its text. The store keeps only the hash of the text.
#[derive(Debug)]
pub struct FreshInvitation {
    /// The text: a part of a link.
    pub text: Secret,
    /// The time from which it is void.
    pub expires: Timestamp,
}

/// The reason why nobody was signed in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignInError {
    /// The user is unknown or disabled, has no password, or has another one.
    #[error("no user has this name and this password")]
    Refused,
    /// The invitation is unknown, used, replaced, or expired, or its user is disabled.
    #[error("the invitation is void")]
    NoInvitation,
    /// The use case failed.
    #[error(transparent)]
    App(#[from] AppError),
}

impl From<crate::ports::StoreError> for SignInError {
    fn from(error: crate::ports::StoreError) -> Self {
        Self::App(error.into())
    }
}

/// The end of a session that is used now: after 12 hours, and at most 7 days after the sign-in.
pub fn session_expiry(created: Timestamp, now: Timestamp) -> Timestamp {
    let idle = now.saturating_add(IDLE_SECONDS);
    idle.min(created.saturating_add(ABSOLUTE_SECONDS))
}

impl SignIn {
    /// Sign-ins of the users of a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            hasher: Hasher::default(),
        }
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Invites a user to choose a password. A former invitation of the user is void.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn invite(
        &self,
        user: &Stored<User>,
        valid_seconds: i64,
    ) -> Result<FreshInvitation, AppError> {
        if user.is_reserved() {
            return Err(AppError::Forbidden);
        }
        let text = Secret::new(random_hex());
        let expires = self.now().saturating_add(valid_seconds);
        let unit = self.store.begin().await?;
        let invitation = Invitation {
            user: user.id,
            hash: sha256_hex(text.expose()).into(),
            expires,
        };
        unit.sign_ins().invite(&invitation).await?;
        unit.commit().await?;
        Ok(FreshInvitation { text, expires })
    }

    /// The user whom a valid invitation names.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn invited(&self, text: &str) -> Result<Option<Stored<User>>, AppError> {
        let found = self.store.sign_ins().invitation(&sha256_hex(text)).await?;
        let Some(invitation) = found.filter(|one| self.now() < one.expires) else {
            return Ok(None);
        };
        self.user(invitation.user).await
    }

    /// Sets the password of an invited user, and ends all sessions of the user. The invitation is used up.
    ///
    /// # Errors
    ///
    /// [`SignInError::NoInvitation`]; [`AppError::Overloaded`]; or if the store fails.
    pub async fn accept(
        &self,
        text: &str,
        password: &NewPassword,
    ) -> Result<Stored<User>, SignInError> {
        let user = self.invited(text).await?.ok_or(SignInError::NoInvitation)?;
        let hash = self.hasher.hash(password.expose()).await?;
        let unit = self.store.begin().await?;
        // The invitation may have been used meanwhile.
        let found = unit.sign_ins().invitation(&sha256_hex(text)).await?;
        if found.is_none() || !unit.sign_ins().end_invitation(user.id).await? {
            unit.rollback().await?;
            return Err(SignInError::NoInvitation);
        }
        set_password(unit, user.id, &hash, self.now(), None).await?;
        Ok(user)
    }

    /// The user with a name or an e-mail address and a password. It takes the same time whether the user exists or
    /// not.
    ///
    /// # Errors
    ///
    /// [`SignInError::Refused`]; [`AppError::Overloaded`]; or if the store fails.
    pub async fn sign_in(&self, login: &str, password: &str) -> Result<Stored<User>, SignInError> {
        let user = self.store.users().find_by_login(login).await?;
        let hash = match &user {
            Some(user) => self.store.sign_ins().password(user.id).await?,
            // One look-up, as for a user.
            None => self
                .store
                .sign_ins()
                .invitation("")
                .await?
                .map(|one| one.hash),
        };
        let is_right = self.hasher.verify(password, hash.as_ref()).await?;
        let user = user.filter(|user| is_right && !user.disabled && !user.is_reserved());
        user.ok_or(SignInError::Refused)
    }

    /// Replaces the password of a user who sends the present one, and ends the sessions of the user but one.
    ///
    /// # Errors
    ///
    /// As [`sign_in`](Self::sign_in).
    pub async fn change_password(
        &self,
        user: UserId,
        present: &str,
        new: &NewPassword,
        kept_session: Option<&str>,
    ) -> Result<(), SignInError> {
        self.require_password(user, present).await?;
        let hash = self.hasher.hash(new.expose()).await?;
        let unit = self.store.begin().await?;
        Ok(set_password(unit, user, &hash, self.now(), kept_session).await?)
    }

    /// Refuses a user who does not know the own password.
    async fn require_password(&self, user: UserId, password: &str) -> Result<(), SignInError> {
        let hash = self.store.sign_ins().password(user).await?;
        let is_right = self.hasher.verify(password, hash.as_ref()).await?;
        is_right.then_some(()).ok_or(SignInError::Refused)
    }

    /// A user who is not disabled, as stored now: rights follow the present role.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn user(&self, id: UserId) -> Result<Option<Stored<User>>, AppError> {
        let user = self.store.users().find(id).await?;
        Ok(user.filter(|user| !user.disabled && !user.is_reserved()))
    }

    /// The session with an ID, unless it has ended.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn session(&self, id: &str) -> Result<Option<BrowserSession>, AppError> {
        let session = self.store.sign_ins().session(&sha256_hex(id)).await?;
        Ok(session.filter(|session| self.now() < session.expires))
    }

    /// The sessions of a user, the oldest first.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn sessions(&self, user: UserId) -> Result<Vec<BrowserSession>, AppError> {
        let mut sessions = self.store.sign_ins().sessions(user).await?;
        sessions.retain(|session| self.now() < session.expires);
        Ok(sessions)
    }

    /// Stores a session.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn put_session(
        &self,
        id: &str,
        user: UserId,
        data: &str,
        created: Timestamp,
        expires: Timestamp,
    ) -> Result<(), AppError> {
        let session = BrowserSession {
            hash: sha256_hex(id).into(),
            user,
            data: data.to_owned(),
            created,
            expires,
        };
        let unit = self.store.begin().await?;
        unit.sign_ins().put_session(&session).await?;
        Ok(unit.commit().await?)
    }

    /// Ends a session. Returns whether it was there.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn end_session(&self, id: &str) -> Result<bool, AppError> {
        let unit = self.store.begin().await?;
        let ended = unit.sign_ins().end_session(&sha256_hex(id)).await?;
        unit.commit().await?;
        Ok(ended)
    }

    /// Ends a session of a user by the hash of its ID, as a list shows it. Returns whether it was there.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn end_session_of(&self, user: UserId, hash: &str) -> Result<bool, AppError> {
        let found = self.store.sign_ins().session(hash).await?;
        if found.is_none_or(|session| session.user != user) {
            return Ok(false);
        }
        let unit = self.store.begin().await?;
        let ended = unit.sign_ins().end_session(hash).await?;
        unit.commit().await?;
        Ok(ended)
    }

    /// Ends the sessions of a user, but for the one with the ID `kept`. Returns their number.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn end_sessions(&self, user: UserId, kept: Option<&str>) -> Result<u64, AppError> {
        let kept = kept.map(sha256_hex);
        let unit = self.store.begin().await?;
        let ended = unit.sign_ins().end_sessions(user, kept).await?;
        unit.commit().await?;
        Ok(ended)
    }

    /// Removes what has expired.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn prune(&self) -> Result<u64, AppError> {
        let unit = self.store.begin().await?;
        let ended = unit.sign_ins().prune_sessions(self.now()).await?;
        unit.commit().await?;
        Ok(ended)
    }
}

/// Stores a password, and ends the sessions that began with another one.
async fn set_password(
    unit: Box<dyn UnitOfWork>,
    user: UserId,
    hash: &Secret,
    now: Timestamp,
    kept_session: Option<&str>,
) -> Result<(), AppError> {
    unit.sign_ins().set_password(user, hash, now).await?;
    let changes = vec![audit::secret(FieldName::Password)];
    let of = (AuditedKind::User, user.get());
    audit::note(Some(user), of, AuditAction::Update, changes, now, &*unit).await?;
    let kept = kept_session.map(sha256_hex);
    unit.sign_ins().end_sessions(user, kept).await?;
    Ok(unit.commit().await?)
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::{
        auth::Accounts,
        test_support::{FixedClock, InMemoryStore},
    };

    async fn signed_in() -> (SignIn, Accounts, Arc<FixedClock>, Stored<User>) {
        let (store, clock) = (
            Arc::new(InMemoryStore::new()),
            Arc::new(FixedClock::default()),
        );
        let accounts = Accounts::new(store.clone(), clock.clone());
        let ada = accounts.add_user("ada", Role::Editor, None).await.unwrap();
        let sign_in = SignIn::new(store, clock.clone());
        let invitation = sign_in.invite(&ada, INVITATION_SECONDS).await.unwrap();
        let password = "correct horse".parse().unwrap();
        let accepted = sign_in.accept(invitation.text.expose(), &password).await;
        assert_eq!(accepted.unwrap().id, ada.id);
        (sign_in, accounts, clock, ada)
    }

    #[tokio::test]
    async fn an_invitation_expires() {
        let (sign_in, _, clock, ada) = signed_in().await;
        let invitation = sign_in
            .invite(&ada, FIRST_INVITATION_SECONDS)
            .await
            .unwrap();
        let text = invitation.text.expose();
        clock.advance_seconds(3599);
        assert!(sign_in.invited(text).await.unwrap().is_some());
        clock.advance_seconds(1);
        assert!(sign_in.invited(text).await.unwrap().is_none());
        let late = sign_in
            .accept(text, &"battery staple".parse().unwrap())
            .await;
        assert!(matches!(late, Err(SignInError::NoInvitation)));
        assert!(sign_in.sign_in("ada", "correct horse").await.is_ok());
    }

    #[tokio::test]
    async fn a_session_ends_after_12_hours_or_7_days() {
        let (sign_in, _, clock, ada) = signed_in().await;
        let created = clock.now();
        let put = async |now| {
            let expires = session_expiry(created, now);
            sign_in
                .put_session("id", ada.id, "{}", created, expires)
                .await
        };
        put(created).await.unwrap();
        for _ in 0..14 {
            clock.advance_seconds(IDLE_SECONDS - 1);
            assert!(sign_in.session("id").await.unwrap().is_some());
            put(clock.now()).await.unwrap();
        }
        clock.advance_seconds(14);
        assert_eq!(sign_in.session("id").await.unwrap(), None);
        assert_eq!(sign_in.sessions(ada.id).await.unwrap(), []);
        assert_eq!(sign_in.prune().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_disabled_user_is_signed_out() {
        let (sign_in, accounts, clock, ada) = signed_in().await;
        let now = clock.now();
        let expires = session_expiry(now, now);
        let put = sign_in.put_session("id", ada.id, "{}", now, expires).await;
        put.unwrap();
        accounts.set_disabled("ada", true).await.unwrap();
        assert_eq!(sign_in.session("id").await.unwrap(), None);
        assert_eq!(sign_in.user(ada.id).await.unwrap(), None);
        let refused = sign_in.sign_in("ada", "correct horse").await;
        assert!(matches!(refused, Err(SignInError::Refused)));
        let invitation = sign_in.invite(&ada, INVITATION_SECONDS).await.unwrap();
        assert_eq!(
            sign_in.invited(invitation.text.expose()).await.unwrap(),
            None
        );
    }
}
