//! Users and their tokens.

use app::ports::{NewToken, StoreError, Token, TokenRights, UserRepository};
use async_trait::async_trait;
use domain::{
    EmailAddress, Id, Role, Stored, User, UserId, UserName,
    time::{NaiveDate, Timestamp},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{self, NotSet, Set},
    ColumnTrait, EntityName, EntityTrait, ExprTrait, Order, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, TryInsertResult, Value,
    sea_query::{Expr, OnConflict},
};

use crate::{
    entity::{account, account_token, event, feed, image, organizer, source, venue},
    error::store_error,
    session::Session,
    sql::{optional_time_column, parse_column, parse_optional_column, time_column},
};

pub(super) fn read_user(row: &account::Model) -> Result<Stored<User>, StoreError> {
    use account::Column;
    let content = User {
        name: parse_column(Column::Name, &row.name)?,
        email: parse_optional_column(Column::Email, row.email.as_deref())?,
        role: parse_column(Column::Role, &row.role)?,
        disabled: row.disabled,
    };
    Ok(Stored {
        id: Id::from_raw(row.id),
        revision: 1,
        content,
    })
}

fn read_token(row: account_token::Model) -> Result<Token, StoreError> {
    use account_token::Column;
    let rights = TokenRights {
        scope: parse_column(Column::Scope, &row.scope)?,
        collections: parse_column(Column::Collections, &row.collections)?,
    };
    let last_used = parse_optional_column(Column::LastUsed, row.last_used.as_deref())?;
    Ok(Token {
        id: Id::from_raw(row.id),
        details: NewToken {
            user: Id::from_raw(row.account_id),
            label: row.label,
            hash: row.hash.into(),
            rights,
            created: time_column(Column::CreatedUtc, row.created_utc)?,
            expires: optional_time_column(Column::ExpiresUtc, row.expires_utc)?,
        },
        revoked: optional_time_column(Column::RevokedUtc, row.revoked_utc)?,
        last_used,
    })
}

impl Session {
    /// Adds a user; none if the ID, the name or the e-mail address is taken.
    async fn insert_user(
        &self,
        id: ActiveValue<i64>,
        user: &User,
    ) -> Result<Option<UserId>, StoreError> {
        // A name may be another user's e-mail address, which no unique key prevents.
        self.lock_word(account::Entity.table_name().to_owned())
            .await?;
        for login in user.logins() {
            if UserRepository::find_by_login(self, &login).await?.is_some() {
                return Ok(None);
            }
        }
        let email = user.email.as_ref().map(EmailAddress::as_str);
        let row = account::ActiveModel {
            id,
            name: Set(user.name.as_str().to_owned()),
            name_key: Set(user.name.as_str().to_lowercase()),
            email: Set(email.map(str::to_owned)),
            email_key: Set(email.map(str::to_lowercase)),
            role: Set(user.role.name().to_owned()),
            disabled: Set(user.disabled),
        };
        let inserted = account::Entity::insert(row)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .try_insert()
            .exec(&self.connection)
            .await
            .map_err(store_error)?;
        let TryInsertResult::Inserted(row) = inserted else {
            return Ok(None);
        };
        Ok(Some(Id::from_raw(row.last_insert_id)))
    }

    /// Whether a row has the user in a column.
    async fn names_user<T: ColumnTrait>(&self, column: T, id: UserId) -> Result<bool, StoreError>
    where
        T::EntityName: EntityTrait,
    {
        let named = <T::EntityName as EntityTrait>::find()
            .select_only()
            .column(column)
            .filter(column.eq(id.get()))
            .limit(1);
        Ok(self.connection.row(&named.into_query()).await?.is_some())
    }

    /// Whether no other user has a name or an e-mail address. It stays so until the end of the unit of work.
    async fn is_login_free(&self, login: &str, id: UserId) -> Result<bool, StoreError> {
        self.lock_word(account::Entity.table_name().to_owned())
            .await?;
        let owner = UserRepository::find_by_login(self, login).await?;
        Ok(owner.is_none_or(|owner| owner.id == id))
    }

    async fn set_user(
        &self,
        id: UserId,
        column: account::Column,
        value: impl Into<Value>,
    ) -> Result<(), StoreError> {
        let update = account::Entity::update_many()
            .col_expr(column, Expr::value(value))
            .filter(account::Column::Id.eq(id.get()));
        self.connection.change(update).await.map(drop)
    }
}

#[async_trait]
impl UserRepository for Session {
    async fn insert(&self, user: User) -> Result<Option<Stored<User>>, StoreError> {
        let id = self.insert_user(NotSet, &user).await?;
        Ok(id.map(|id| Stored {
            id,
            revision: 1,
            content: user,
        }))
    }

    async fn insert_at(&self, user: Stored<User>) -> Result<bool, StoreError> {
        let id = user.id.get();
        self.reserve_ids(account::Entity.table_name(), id).await?;
        let added = self.insert_user(Set(id), &user).await?;
        Ok(added.is_some())
    }

    async fn find(&self, id: UserId) -> Result<Option<Stored<User>>, StoreError> {
        let user = self.one(account::Entity::find_by_id(id.get())).await?;
        user.as_ref().map(read_user).transpose()
    }

    async fn find_by_login(&self, login: &str) -> Result<Option<Stored<User>>, StoreError> {
        use account::Column::{EmailKey, NameKey};
        let key = login.to_lowercase();
        let users = account::Entity::find()
            .filter(NameKey.eq(&key).or(EmailKey.eq(&key)))
            // A name comes before an e-mail address: an older user may have another user's name as address.
            .order_by(NameKey.ne(&key), Order::Asc);
        let user = self.one(users).await?;
        user.as_ref().map(read_user).transpose()
    }

    async fn list(&self) -> Result<Vec<Stored<User>>, StoreError> {
        let users = account::Entity::find().order_by_asc(account::Column::Id);
        self.all(users).await?.iter().map(read_user).collect()
    }

    async fn set_role(&self, id: UserId, role: Role) -> Result<(), StoreError> {
        self.set_user(id, account::Column::Role, role.name()).await
    }

    async fn set_disabled(&self, id: UserId, disabled: bool) -> Result<(), StoreError> {
        self.set_user(id, account::Column::Disabled, disabled).await
    }

    async fn set_email(&self, id: UserId, email: Option<EmailAddress>) -> Result<bool, StoreError> {
        use account::Column::{Email, EmailKey};
        let email = email.as_ref().map(EmailAddress::as_str);
        if let Some(email) = email
            && !self.is_login_free(email, id).await?
        {
            return Ok(false);
        }
        self.set_user(id, Email, email).await?;
        self.set_user(id, EmailKey, email.map(str::to_lowercase))
            .await?;
        Ok(true)
    }

    async fn set_name(&self, id: UserId, name: UserName) -> Result<bool, StoreError> {
        use account::Column::{Name, NameKey};
        if !self.is_login_free(name.as_str(), id).await? {
            return Ok(false);
        }
        self.set_user(id, Name, name.as_str()).await?;
        self.set_user(id, NameKey, name.as_str().to_lowercase())
            .await?;
        Ok(true)
    }

    async fn give_records(&self, from: UserId, to: UserId) -> Result<u64, StoreError> {
        macro_rules! give {
            ($table:ident.$column:ident $(, $revision:ident)?) => {
                self.connection.change(
                    $table::Entity::update_many()
                        .col_expr($table::Column::$column, Expr::value(to.get()))
                        $(.col_expr($table::Column::$revision, Expr::col($table::Column::$revision).add(1)))?
                        .filter($table::Column::$column.eq(from.get()))
                ).await?
            };
        }
        Ok(give!(event.AuthorId, Revision)
            + give!(venue.AuthorId, Revision)
            + give!(organizer.AuthorId, Revision)
            + give!(image.UploaderId)
            + give!(source.UserId))
    }

    async fn remove(&self, id: UserId) -> Result<bool, StoreError> {
        for named in [
            self.names_user(event::Column::AuthorId, id).await?,
            self.names_user(venue::Column::AuthorId, id).await?,
            self.names_user(organizer::Column::AuthorId, id).await?,
            self.names_user(image::Column::UploaderId, id).await?,
            self.names_user(source::Column::UserId, id).await?,
        ] {
            if named {
                return Ok(false);
            }
        }
        let feeds = feed::Entity::delete_many().filter(feed::Column::OwnerId.eq(id.get()));
        self.connection.change(feeds).await?;
        // The tokens go with the user.
        let user = account::Entity::delete_by_id(id.get());
        self.connection.change(user).await?;
        Ok(true)
    }

    async fn insert_token(&self, token: NewToken) -> Result<Token, StoreError> {
        let row = account_token::ActiveModel {
            id: NotSet,
            account_id: Set(token.user.get()),
            label: Set(token.label),
            hash: Set(token.hash.expose().clone()),
            scope: Set(token.rights.scope.name().to_owned()),
            collections: Set(token.rights.collections.to_string()),
            created_utc: Set(token.created.seconds()),
            expires_utc: Set(token.expires.map(Timestamp::seconds)),
            revoked_utc: NotSet,
            last_used: NotSet,
        };
        read_token(row.insert(&self.connection).await.map_err(store_error)?)
    }

    async fn find_token(&self, hash: &str) -> Result<Option<(Token, Stored<User>)>, StoreError> {
        // The hash is unique. Like `Session::one`, the statement has no limit.
        let found = account_token::Entity::find()
            .find_both_related(account::Entity)
            .filter(account_token::Column::Hash.eq(hash))
            .all(self.generic_plan())
            .await
            .map_err(store_error)?;
        let mut found = found.into_iter();
        let read = |(token, user)| Ok((read_token(token)?, read_user(&user)?));
        found.next().map(read).transpose()
    }

    async fn list_tokens(&self, user: Option<UserId>) -> Result<Vec<Token>, StoreError> {
        use account_token::Column;
        let mut tokens = account_token::Entity::find().order_by_asc(Column::Id);
        if let Some(user) = user {
            tokens = tokens.filter(Column::AccountId.eq(user.get()));
        }
        let tokens = self.all(tokens).await?;
        tokens.into_iter().map(read_token).collect()
    }

    async fn revoke_token(&self, id: Id<Token>, now: Timestamp) -> Result<bool, StoreError> {
        use account_token::Column::{ExpiresUtc, Id, RevokedUtc};
        let revoke = account_token::Entity::update_many()
            .col_expr(RevokedUtc, Expr::value(now.seconds()))
            .filter(Id.eq(id.get()))
            .filter(RevokedUtc.is_null())
            .filter(ExpiresUtc.is_null().or(ExpiresUtc.gt(now.seconds())));
        Ok(self.connection.change(revoke).await? > 0)
    }

    async fn set_token_used(&self, id: Id<Token>, day: NaiveDate) -> Result<(), StoreError> {
        use account_token::Column;
        let update = account_token::Entity::update_many()
            .col_expr(Column::LastUsed, Expr::value(day.to_string()))
            .filter(Column::Id.eq(id.get()));
        self.connection.change(update).await.map(drop)
    }
}
