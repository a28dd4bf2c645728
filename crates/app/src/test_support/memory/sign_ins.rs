//! The in-memory repository of passwords, invitations and sessions of browsers.

use async_trait::async_trait;
use domain::{Secret, UserId, time::Timestamp};

use super::session::Session;
use crate::ports::{BrowserSession, Invitation, SecondFactor, SignInRepository, StoreError};

#[async_trait]
impl SignInRepository for Session {
    async fn password(&self, user: UserId) -> Result<Option<Secret>, StoreError> {
        self.read(|state| state.passwords.get(&user).cloned())
    }

    async fn set_password(
        &self,
        user: UserId,
        hash: &Secret,
        _: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|state| {
            state.check_user(user)?;
            state.passwords.insert(user, hash.clone());
            Ok(())
        })
    }

    async fn second_factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        self.read(|state| state.second_factors.get(&user).cloned())
    }

    async fn replace_second_factor(
        &self,
        user: UserId,
        former: Option<SecondFactor>,
        new: Option<SecondFactor>,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            state.check_user(user)?;
            if state.second_factors.get(&user) != former.as_ref() {
                return Ok(false);
            }
            match new {
                Some(new) => state.second_factors.insert(user, new),
                None => state.second_factors.remove(&user),
            };
            Ok(true)
        })
    }

    async fn invite(&self, invitation: &Invitation) -> Result<(), StoreError> {
        self.write(|state| {
            state.check_user(invitation.user)?;
            let invitation = invitation.clone();
            state.invitations.insert(invitation.user, invitation);
            Ok(())
        })
    }

    async fn invitation(&self, hash: &str) -> Result<Option<Invitation>, StoreError> {
        self.read(|state| {
            let mut invitations = state.invitations.values();
            invitations.find(|one| one.hash.expose() == hash).cloned()
        })
    }

    async fn end_invitation(&self, user: UserId) -> Result<bool, StoreError> {
        self.write(|state| Ok(state.invitations.remove(&user).is_some()))
    }

    async fn session(&self, hash: &str) -> Result<Option<BrowserSession>, StoreError> {
        self.read(|state| state.sessions.get(hash).cloned())
    }

    async fn sessions(&self, user: UserId) -> Result<Vec<BrowserSession>, StoreError> {
        self.read(|state| {
            let sessions = state.sessions.values();
            let of_user = sessions.filter(|session| session.user == user);
            let mut sessions: Vec<_> = of_user.cloned().collect();
            sessions.sort_by_key(|session| session.created);
            sessions
        })
    }

    async fn put_session(&self, session: &BrowserSession) -> Result<(), StoreError> {
        self.write(|state| {
            state.check_user(session.user)?;
            let hash = session.hash.expose().clone();
            state.sessions.insert(hash, session.clone());
            Ok(())
        })
    }

    async fn end_session(&self, hash: &str) -> Result<bool, StoreError> {
        self.write(|state| Ok(state.sessions.remove(hash).is_some()))
    }

    async fn end_sessions(&self, user: UserId, kept: Option<String>) -> Result<u64, StoreError> {
        self.write(|state| {
            let before = state.sessions.len();
            state
                .sessions
                .retain(|hash, session| session.user != user || kept.as_ref() == Some(hash));
            Ok((before - state.sessions.len()) as u64)
        })
    }

    async fn prune_sessions(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.write(|state| {
            state.invitations.retain(|_, one| now < one.expires);
            let before = state.sessions.len();
            state.sessions.retain(|_, session| now < session.expires);
            Ok((before - state.sessions.len()) as u64)
        })
    }
}
