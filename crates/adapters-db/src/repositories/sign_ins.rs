//! Passwords, invitations, and sessions of browsers.

use app::ports::{BrowserSession, Invitation, SecondFactor, SignInRepository, StoreError};
use async_trait::async_trait;
use domain::{Id, Secret, UserId, time::Timestamp};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder};

use crate::{
    entity::{account_invitation, account_password, account_second_factor, browser_session},
    session::Session,
    sql::time_column,
};

fn read_session(row: browser_session::Model) -> Result<BrowserSession, StoreError> {
    use browser_session::Column::{CreatedUtc, ExpiresUtc};
    Ok(BrowserSession {
        hash: row.hash.into(),
        user: Id::from_raw(row.account_id),
        data: row.data,
        created: time_column(CreatedUtc, row.created_utc)?,
        expires: time_column(ExpiresUtc, row.expires_utc)?,
    })
}

fn read_invitation(row: account_invitation::Model) -> Result<Invitation, StoreError> {
    let expires = time_column(account_invitation::Column::ExpiresUtc, row.expires_utc)?;
    Ok(Invitation {
        user: Id::from_raw(row.account_id),
        hash: row.hash.into(),
        expires,
    })
}

fn read_second_factor(row: account_second_factor::Model) -> SecondFactor {
    let codes = row.recovery_codes.lines();
    SecondFactor {
        secret: row.secret.into(),
        last_step: row.last_step,
        recovery_codes: codes.map(|hash| hash.to_owned().into()).collect(),
    }
}

/// The hashes of recovery codes, a line each.
fn codes(factor: &SecondFactor) -> String {
    let hashes = factor.recovery_codes.iter();
    let hashes: Vec<_> = hashes.map(|hash| hash.expose().as_str()).collect();
    hashes.join("\n")
}

#[async_trait]
impl SignInRepository for Session {
    async fn password(&self, user: UserId) -> Result<Option<Secret>, StoreError> {
        let row = self.one(account_password::Entity::find_by_id(user.get()));
        Ok(row.await?.map(|row| row.hash.into()))
    }

    async fn set_password(
        &self,
        user: UserId,
        hash: &Secret,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let row = account_password::ActiveModel {
            account_id: Set(user.get()),
            hash: Set(hash.expose().clone()),
            set_utc: Set(now.seconds()),
        };
        self.put(row).await
    }

    async fn second_factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        let row = self.one(account_second_factor::Entity::find_by_id(user.get()));
        Ok(row.await?.map(read_second_factor))
    }

    async fn replace_second_factor(
        &self,
        user: UserId,
        former: Option<SecondFactor>,
        new: Option<SecondFactor>,
    ) -> Result<bool, StoreError> {
        use account_second_factor::{
            ActiveModel,
            Column::{AccountId, LastStep, RecoveryCodes, Secret},
            Entity,
        };
        let row = |factor: &SecondFactor| ActiveModel {
            account_id: Set(user.get()),
            secret: Set(factor.secret.expose().clone()),
            last_step: Set(factor.last_step),
            recovery_codes: Set(codes(factor)),
        };
        let is_former = |former: &SecondFactor| {
            Condition::all()
                .add(AccountId.eq(user.get()))
                .add(Secret.eq(former.secret.expose()))
                .add(LastStep.eq(former.last_step))
                .add(RecoveryCodes.eq(codes(former)))
        };
        let connection = &self.connection;
        let changed = match (former, new) {
            (None, None) => return Ok(self.second_factor(user).await?.is_none()),
            (None, Some(new)) => {
                let insert = Entity::insert(row(&new)).on_conflict_do_nothing();
                connection.change(insert).await?
            }
            (Some(former), Some(new)) => {
                let update = Entity::update_many().set(row(&new));
                connection.change(update.filter(is_former(&former))).await?
            }
            (Some(former), None) => {
                let delete = Entity::delete_many().filter(is_former(&former));
                connection.change(delete).await?
            }
        };
        Ok(changed > 0)
    }

    async fn invite(&self, invitation: &Invitation) -> Result<(), StoreError> {
        let row = account_invitation::ActiveModel {
            account_id: Set(invitation.user.get()),
            hash: Set(invitation.hash.expose().clone()),
            expires_utc: Set(invitation.expires.seconds()),
        };
        self.put(row).await
    }

    async fn invitation(&self, hash: &str) -> Result<Option<Invitation>, StoreError> {
        let invitations =
            account_invitation::Entity::find().filter(account_invitation::Column::Hash.eq(hash));
        let row = self.one(invitations).await?;
        row.map(read_invitation).transpose()
    }

    async fn end_invitation(&self, user: UserId) -> Result<bool, StoreError> {
        let end = account_invitation::Entity::delete_by_id(user.get());
        Ok(self.connection.change(end).await? > 0)
    }

    async fn session(&self, hash: &str) -> Result<Option<BrowserSession>, StoreError> {
        let row = self.one(browser_session::Entity::find_by_id(hash)).await?;
        row.map(read_session).transpose()
    }

    async fn sessions(&self, user: UserId) -> Result<Vec<BrowserSession>, StoreError> {
        use browser_session::Column::{AccountId, CreatedUtc, Hash};
        let own = browser_session::Entity::find()
            .filter(AccountId.eq(user.get()))
            .order_by_asc(CreatedUtc)
            .order_by_asc(Hash);
        let rows = self.all(own).await?;
        rows.into_iter().map(read_session).collect()
    }

    async fn put_session(&self, session: &BrowserSession) -> Result<(), StoreError> {
        let row = browser_session::ActiveModel {
            hash: Set(session.hash.expose().clone()),
            account_id: Set(session.user.get()),
            data: Set(session.data.clone()),
            created_utc: Set(session.created.seconds()),
            expires_utc: Set(session.expires.seconds()),
        };
        self.put(row).await
    }

    async fn end_session(&self, hash: &str) -> Result<bool, StoreError> {
        let end = browser_session::Entity::delete_by_id(hash);
        Ok(self.connection.change(end).await? > 0)
    }

    async fn end_sessions(&self, user: UserId, kept: Option<String>) -> Result<u64, StoreError> {
        use browser_session::Column::{AccountId, Hash};
        let mut ended = browser_session::Entity::delete_many().filter(AccountId.eq(user.get()));
        if let Some(kept) = kept {
            ended = ended.filter(Hash.ne(kept));
        }
        self.connection.change(ended).await
    }

    async fn prune_sessions(&self, now: Timestamp) -> Result<u64, StoreError> {
        let now = now.seconds();
        let invitations = account_invitation::Entity::delete_many()
            .filter(account_invitation::Column::ExpiresUtc.lte(now));
        self.connection.change(invitations).await?;
        let sessions = browser_session::Entity::delete_many()
            .filter(browser_session::Column::ExpiresUtc.lte(now));
        self.connection.change(sessions).await
    }
}
