//! The in-memory repositories of users, tokens, imports and settings.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{
    EmailAddress, EventId, Id, Kind, Role, Stored, User, UserId, UserName,
    time::{NaiveDate, Timestamp},
};

use super::{session::Session, state::State};
use crate::ports::{
    ImportLedger, ImportedRecord, NewToken, Settings, SiteChange, StoreError, StoredSite,
    StoredSiteValue, Token, UserRepository,
};

impl State {
    fn user_of_login(&self, login: &str) -> Option<&Stored<User>> {
        let mut users = self.users.rows.values();
        users.find(|user| user.has_login(login))
    }

    /// Whether a record has the user as its author or uploader.
    /// Whether no other user has a name or an e-mail address.
    fn is_login_free(&self, login: &str, id: UserId) -> bool {
        let owner = self.user_of_login(login);
        owner.is_none_or(|owner| owner.id == id)
    }

    fn names_user(&self, id: UserId) -> bool {
        let events = self.events.rows.values().map(|event| event.author);
        let venues = self.venues.rows.values().map(|venue| venue.author);
        let organizers = self.organizers.rows.values().map(|one| one.author);
        let images = self.images.rows.values().map(|image| image.uploader);
        let sources = self.sources.values().map(|one| one.source.user);
        let mut users = events
            .chain(venues)
            .chain(organizers)
            .chain(images)
            .chain(sources);
        users.any(|user| user == id)
    }

    fn change_user(&mut self, id: UserId, change: impl FnOnce(&mut User)) {
        if let Some(user) = self.users.rows.get_mut(&id) {
            change(&mut user.content);
        }
    }
}

impl State {
    /// The records of a kind that a source brought.
    fn imported_by(&self, source: &str, kind: Kind) -> impl Iterator<Item = &ImportedRecord> {
        let all = self.imported.values();
        all.filter(move |one| one.source == source && one.kind == kind)
    }
}

#[async_trait]
impl UserRepository for Session {
    async fn insert(&self, user: User) -> Result<Option<Stored<User>>, StoreError> {
        self.write(|state| {
            let is_taken = user
                .logins()
                .any(|login| state.user_of_login(&login).is_some());
            Ok((!is_taken).then(|| state.users.add(user)))
        })
    }

    async fn insert_at(&self, user: Stored<User>) -> Result<bool, StoreError> {
        self.write(|state| {
            let is_taken = state.users.holds(user.id)
                || user
                    .logins()
                    .any(|login| state.user_of_login(&login).is_some());
            if !is_taken {
                state.users.add_at(user);
            }
            Ok(!is_taken)
        })
    }

    async fn find(&self, id: UserId) -> Result<Option<Stored<User>>, StoreError> {
        self.read(|state| state.users.get(id).cloned())
    }

    async fn find_by_login(&self, login: &str) -> Result<Option<Stored<User>>, StoreError> {
        self.read(|state| state.user_of_login(login).cloned())
    }

    async fn list(&self) -> Result<Vec<Stored<User>>, StoreError> {
        self.read(|state| state.users.rows.values().cloned().collect())
    }

    async fn set_role(&self, id: UserId, role: Role) -> Result<(), StoreError> {
        self.write(|state| {
            state.change_user(id, |user| user.role = role);
            Ok(())
        })
    }

    async fn set_disabled(&self, id: UserId, disabled: bool) -> Result<(), StoreError> {
        self.write(|state| {
            state.change_user(id, |user| user.disabled = disabled);
            Ok(())
        })
    }

    async fn set_email(&self, id: UserId, email: Option<EmailAddress>) -> Result<bool, StoreError> {
        self.write(|state| {
            let is_free = email
                .as_ref()
                .is_none_or(|email| state.is_login_free(email.as_str(), id));
            if is_free {
                state.change_user(id, |user| user.email = email);
            }
            Ok(is_free)
        })
    }

    async fn set_name(&self, id: UserId, name: UserName) -> Result<bool, StoreError> {
        self.write(|state| {
            let is_free = state.is_login_free(name.as_str(), id);
            if is_free {
                state.change_user(id, |user| user.name = name);
            }
            Ok(is_free)
        })
    }

    async fn give_records(&self, from: UserId, to: UserId) -> Result<u64, StoreError> {
        self.write(|state| {
            state.check_user(to)?;
            let mut given = 0;
            macro_rules! give {
                ($table:ident) => {
                    for row in state
                        .$table
                        .rows
                        .values_mut()
                        .filter(|row| row.author == from)
                    {
                        row.content.author = to;
                        row.revision += 1;
                        given += 1;
                    }
                };
            }
            give!(events);
            give!(venues);
            give!(organizers);
            for image in state
                .images
                .rows
                .values_mut()
                .filter(|image| image.uploader == from)
            {
                image.content.uploader = to;
                given += 1;
            }
            for stored in state
                .sources
                .values_mut()
                .filter(|one| one.source.user == from)
            {
                stored.source.user = to;
                given += 1;
            }
            Ok(given)
        })
    }

    async fn remove(&self, id: UserId) -> Result<bool, StoreError> {
        self.write(|state| {
            let is_named = state.names_user(id);
            if !is_named {
                state.users.rows.remove(&id);
                state.tokens.retain(|token| token.details.user != id);
                state.passwords.remove(&id);
                state.second_factors.remove(&id);
                state.invitations.remove(&id);
                state.sessions.retain(|_, session| session.user != id);
                state.feeds.retain(|_, feed| feed.details.owner != id);
                for remark in state.remarks.values_mut() {
                    remark.author.take_if(|author| *author == id);
                }
                for stored in state.site.values.values_mut() {
                    stored.set_by.take_if(|user| *user == id);
                }
            }
            Ok(!is_named)
        })
    }

    async fn insert_token(&self, token: NewToken) -> Result<Token, StoreError> {
        self.write(|state| {
            state.check_user(token.user)?;
            state.last_token += 1;
            let token = Token {
                id: Id::from_raw(state.last_token),
                details: token,
                revoked: None,
                last_used: None,
            };
            state.tokens.push(token.clone());
            Ok(token)
        })
    }

    async fn find_token(&self, hash: &str) -> Result<Option<(Token, Stored<User>)>, StoreError> {
        self.read(|state| {
            let token = state
                .tokens
                .iter()
                .find(|token| token.details.hash.expose() == hash)?;
            Some((token.clone(), state.users.get(token.details.user)?.clone()))
        })
    }

    async fn list_tokens(&self, user: Option<UserId>) -> Result<Vec<Token>, StoreError> {
        self.read(|state| {
            let tokens = state.tokens.iter();
            tokens
                .filter(|token| user.is_none_or(|user| user == token.details.user))
                .cloned()
                .collect()
        })
    }

    async fn revoke_token(&self, id: Id<Token>, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|state| {
            let mut tokens = state.tokens.iter_mut();
            let valid = tokens.find(|token| {
                token.id == id
                    && token.revoked.is_none()
                    && token.details.expires.is_none_or(|end| now < end)
            });
            Ok(valid.map(|token| token.revoked = Some(now)).is_some())
        })
    }

    async fn set_token_used(&self, id: Id<Token>, day: NaiveDate) -> Result<(), StoreError> {
        self.write(|state| {
            let mut tokens = state.tokens.iter_mut();
            if let Some(token) = tokens.find(|token| token.id == id) {
                token.last_used = Some(day);
            }
            Ok(())
        })
    }
}

#[async_trait]
impl ImportLedger for Session {
    async fn known(&self, digests: &[String]) -> Result<HashSet<(String, i64)>, StoreError> {
        self.read(|state| {
            let rows = state.imports.keys();
            let known = rows.filter(|(digest, _)| digests.contains(digest));
            known.cloned().collect()
        })
    }

    async fn record(&self, digest: &str, ordinal: i64, event: EventId) -> Result<(), StoreError> {
        self.write(|state| {
            let row = (digest.to_owned(), ordinal);
            if state.imports.contains_key(&row) {
                return Err(StoreError::Conflict);
            }
            state.imports.insert(row, event);
            Ok(())
        })
    }

    async fn find(
        &self,
        source: &str,
        kind: Kind,
        uids: &[String],
    ) -> Result<Vec<ImportedRecord>, StoreError> {
        self.read(|state| {
            let found = state.imported_by(source, kind);
            found
                .filter(|one| uids.contains(&one.uid))
                .cloned()
                .collect()
        })
    }

    async fn remember(&self, record: &ImportedRecord) -> Result<(), StoreError> {
        self.write(|state| {
            let key = (record.source.clone(), record.kind, record.uid.clone());
            state.imported.insert(key, record.clone());
            Ok(())
        })
    }

    async fn page(
        &self,
        source: &str,
        kind: Kind,
        after: &str,
        limit: u64,
    ) -> Result<Vec<ImportedRecord>, StoreError> {
        self.read(|state| {
            let all = state.imported_by(source, kind);
            let rest = all.filter(|one| *one.uid > *after);
            rest.take(usize::try_from(limit).unwrap_or(usize::MAX))
                .cloned()
                .collect()
        })
    }

    async fn of_records(&self, kind: Kind, ids: &[i64]) -> Result<Vec<ImportedRecord>, StoreError> {
        self.read(|state| {
            let all = state.imported.values();
            let of_records = all.filter(|one| one.kind == kind && ids.contains(&one.id));
            of_records.cloned().collect()
        })
    }
}

#[async_trait]
impl Settings for Session {
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError> {
        self.write(|state| {
            let entry = state.settings.entry(name.to_owned());
            Ok(entry.or_insert_with(|| value.to_owned()).clone())
        })
    }
    async fn site_revision(&self) -> Result<i64, StoreError> {
        self.read(|state| state.site.revision)
    }

    async fn site(&self) -> Result<StoredSite, StoreError> {
        self.read(|state| state.site.clone())
    }

    async fn change_site(
        &self,
        expected: i64,
        changes: &[SiteChange],
        by: UserId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            if state.site.revision != expected {
                return Ok(false);
            }
            state.check_user(by)?;
            state.site.revision += 1;
            for change in changes {
                let setting = change.setting();
                match change {
                    SiteChange::Set(value) => {
                        let stored = StoredSiteValue {
                            value: value.clone(),
                            set_by: Some(by),
                            set_at: at,
                        };
                        state.site.values.insert(setting, stored);
                    }
                    SiteChange::Unset(_) => {
                        state.site.values.remove(&setting);
                    }
                }
            }
            Ok(true)
        })
    }
}
