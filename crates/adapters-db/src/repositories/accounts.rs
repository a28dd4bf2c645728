//! Users and their tokens.

use app::ports::{NewToken, StoreError, Token, TokenScope, UserRepository};
use async_trait::async_trait;
use domain::{EmailAddress, Id, Role, Stored, User, UserId, time::Timestamp};
use sea_orm::{
    ExprTrait, Value,
    sea_query::{Condition, Expr, OnConflict, Order, Query, SelectStatement},
};

use crate::{connection::Connection, error::store_error, session::Session, sql::Row};

const USERS: &str = "account";
const TOKENS: &str = "account_token";

fn users() -> SelectStatement {
    Query::select()
        .expr_as(Expr::col((USERS, "id")), "user_id")
        .columns([
            (USERS, "name"),
            (USERS, "email"),
            (USERS, "role"),
            (USERS, "disabled"),
        ])
        .from(USERS)
        .take()
}

fn read_user(row: &Row<'_>) -> Result<Stored<User>, StoreError> {
    let content = User {
        name: row.parse("name", str::parse)?,
        email: match row.get::<Option<String>>("email")? {
            Some(_) => Some(row.parse("email", str::parse)?),
            None => None,
        },
        role: row.parse("role", str::parse)?,
        disabled: row.get("disabled")?,
    };
    Ok(Stored {
        id: Id::from_raw(row.get("user_id")?),
        revision: 1,
        content,
    })
}

fn tokens() -> SelectStatement {
    let columns = [
        "id",
        "account_id",
        "label",
        "hash",
        "scope",
        "created_utc",
        "expires_utc",
        "revoked_utc",
    ];
    Query::select()
        .columns(columns.map(|column| (TOKENS, column)))
        .from(TOKENS)
        .take()
}

fn read_token(row: &Row<'_>) -> Result<Token, StoreError> {
    let scope = |word: &str| {
        [TokenScope::Read, TokenScope::Write]
            .into_iter()
            .find(|scope| scope.name() == word)
    };
    let details = NewToken {
        user: Id::from_raw(row.get("account_id")?),
        label: row.get("label")?,
        hash: row.get("hash")?,
        scope: row.word("scope", scope)?,
        created: row.moment("created_utc")?,
        expires: row.optional_moment("expires_utc")?,
    };
    Ok(Token {
        id: Id::from_raw(row.get("id")?),
        details,
        revoked: row.optional_moment("revoked_utc")?,
    })
}

impl<C: Connection> Session<C> {
    async fn all<T>(
        &self,
        table: &'static str,
        select: &SelectStatement,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.connection.rows(select).await?;
        rows.iter()
            .map(|result| read(&Row::new(table, result)))
            .collect()
    }

    async fn set_user(
        &self,
        id: UserId,
        column: &'static str,
        value: Value,
    ) -> Result<(), StoreError> {
        let update = Query::update()
            .table(USERS)
            .value(column, Expr::value(value))
            .and_where(Expr::col("id").eq(id.get()))
            .take();
        self.connection.run(&update).await?;
        Ok(())
    }
}

#[async_trait]
impl<C: Connection> UserRepository for Session<C> {
    async fn insert(&self, user: User) -> Result<Option<Stored<User>>, StoreError> {
        let User {
            name,
            email,
            role,
            disabled,
        } = &user;
        // A name may be another's e-mail address: no key of the database can tell.
        self.lock_word(USERS.to_owned()).await?;
        for login in user.logins() {
            if UserRepository::find_by_login(self, &login).await?.is_some() {
                return Ok(None);
            }
        }
        let insert = Query::insert()
            .into_table(USERS)
            .columns(["name", "name_key", "email", "email_key", "role", "disabled"])
            .values_panic([
                name.as_str().into(),
                name.as_str().to_lowercase().into(),
                email.as_ref().map(EmailAddress::as_str).into(),
                email
                    .as_ref()
                    .map(|email| email.as_str().to_lowercase())
                    .into(),
                role.name().into(),
                (*disabled).into(),
            ])
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .returning_col("id")
            .take();
        let Some(row) = self.connection.row(&insert).await? else {
            return Ok(None);
        };
        let id = Id::from_raw(row.try_get("", "id").map_err(store_error)?);
        Ok(Some(Stored {
            id,
            revision: 1,
            content: user,
        }))
    }

    async fn find(&self, id: UserId) -> Result<Option<Stored<User>>, StoreError> {
        let select = users()
            .and_where(Expr::col((USERS, "id")).eq(id.get()))
            .take();
        Ok(self.all(USERS, &select, read_user).await?.pop())
    }

    async fn find_by_login(&self, login: &str) -> Result<Option<Stored<User>>, StoreError> {
        let key = login.to_lowercase();
        let named = Condition::any()
            .add(Expr::col("name_key").eq(key.as_str()))
            .add(Expr::col("email_key").eq(key.as_str()));
        // A name comes before an e-mail address: older users may have given that of another.
        let select = users()
            .cond_where(named)
            .order_by_expr(Expr::col("name_key").ne(key.as_str()), Order::Asc)
            .take();
        Ok(self
            .all(USERS, &select, read_user)
            .await?
            .into_iter()
            .next())
    }

    async fn list(&self) -> Result<Vec<Stored<User>>, StoreError> {
        self.all(
            USERS,
            users().order_by((USERS, "id"), Order::Asc),
            read_user,
        )
        .await
    }

    async fn set_role(&self, id: UserId, role: Role) -> Result<(), StoreError> {
        self.set_user(id, "role", role.name().into()).await
    }

    async fn set_disabled(&self, id: UserId, disabled: bool) -> Result<(), StoreError> {
        self.set_user(id, "disabled", disabled.into()).await
    }

    async fn insert_token(&self, token: NewToken) -> Result<Token, StoreError> {
        let NewToken {
            user,
            label,
            hash,
            scope,
            created,
            expires,
        } = &token;
        let insert = Query::insert()
            .into_table(TOKENS)
            .columns([
                "account_id",
                "label",
                "hash",
                "scope",
                "created_utc",
                "expires_utc",
            ])
            .values_panic([
                user.get().into(),
                label.as_str().into(),
                hash.as_str().into(),
                scope.name().into(),
                created.seconds().into(),
                expires.map(Timestamp::seconds).into(),
            ])
            .returning_col("id")
            .take();
        let row = self.connection.row(&insert).await?;
        let row =
            row.ok_or_else(|| StoreError::Internal("an insertion answered no row".to_owned()))?;
        let id = Id::from_raw(row.try_get("", "id").map_err(store_error)?);
        Ok(Token {
            id,
            details: token,
            revoked: None,
        })
    }

    async fn find_token(&self, hash: &str) -> Result<Option<(Token, Stored<User>)>, StoreError> {
        let mut select = tokens();
        select
            .expr_as(Expr::col((USERS, "id")), "user_id")
            .columns([
                (USERS, "name"),
                (USERS, "email"),
                (USERS, "role"),
                (USERS, "disabled"),
            ])
            .inner_join(
                USERS,
                Expr::col((USERS, "id")).equals((TOKENS, "account_id")),
            )
            .and_where(Expr::col((TOKENS, "hash")).eq(hash));
        let read = |row: &Row<'_>| Ok((read_token(row)?, read_user(row)?));
        Ok(self.all(TOKENS, &select, read).await?.pop())
    }

    async fn list_tokens(&self, user: Option<UserId>) -> Result<Vec<Token>, StoreError> {
        let mut select = tokens();
        if let Some(user) = user {
            select.and_where(Expr::col("account_id").eq(user.get()));
        }
        self.all(TOKENS, select.order_by("id", Order::Asc), read_token)
            .await
    }

    async fn revoke_token(&self, id: Id<Token>, now: Timestamp) -> Result<bool, StoreError> {
        let update = Query::update()
            .table(TOKENS)
            .value("revoked_utc", now.seconds())
            .and_where(Expr::col("id").eq(id.get()))
            .and_where(Expr::col("revoked_utc").is_null())
            .cond_where(
                Condition::any()
                    .add(Expr::col("expires_utc").is_null())
                    .add(Expr::col("expires_utc").gt(now.seconds())),
            )
            .take();
        Ok(self.connection.run(&update).await?.rows_affected() > 0)
    }
}
