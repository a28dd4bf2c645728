//! The transaction of a group, as its units see it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::ports::StoreError;
use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    Value,
};

use super::{NameCache, take_back};
use crate::error::store_error;

/// The transaction of a group, used by one unit after the other.
///
/// A statement makes a round trip to the driver's thread, which takes longer than most statements.
/// Statements whose result no caller needs are deferred, and sent with the next one.
#[derive(Clone, Debug)]
pub(crate) struct SharedTransaction {
    transaction: Arc<DatabaseTransaction>,
    deferred: Arc<Mutex<DeferredStatements>>,
    name_cache: Arc<NameCache>,
}

/// The deferred statements.
#[derive(Debug, Default)]
struct DeferredStatements {
    statements: Vec<Statement>,
    /// The number of statements sent before these.
    before: usize,
    /// Set when a sent batch failed or its result was lost.
    failure: Option<Failure>,
}

/// Why deferred statements may not have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// A statement failed, and those after it did not run.
    Failed,
    /// The sender was cancelled before it got the result.
    Unknown,
}

/// The index of a statement, such as a savepoint, among all statements of the group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementIndex(usize);

impl DeferredStatements {
    fn push(&mut self, statement: Statement) -> StatementIndex {
        self.statements.push(statement);
        StatementIndex(self.before + self.statements.len() - 1)
    }

    /// The index of a statement in the queue; `None` if the statement was sent.
    fn index(&self, mark: StatementIndex) -> Option<usize> {
        mark.0.checked_sub(self.before)
    }

    /// Takes the statements to send them. [`observe`](Self::observe) then records the result.
    fn take(&mut self) -> Vec<Statement> {
        if !self.statements.is_empty() {
            self.before += self.statements.len();
            self.failure = Some(Failure::Unknown);
        }
        std::mem::take(&mut self.statements)
    }

    fn observe<T>(&mut self, answer: &Result<T, DbErr>) {
        let failed = answer.is_err().then_some(Failure::Failed);
        self.failure = self.failure.and(failed);
    }
}

impl SharedTransaction {
    pub(crate) fn new(transaction: DatabaseTransaction) -> Self {
        Self {
            transaction: Arc::new(transaction),
            deferred: Arc::default(),
            name_cache: Arc::default(),
        }
    }

    /// Commits, once all units have ended. Deferred statements are dropped.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        let transaction = take_back(self.transaction)?;
        transaction.commit().await.map_err(store_error)
    }

    /// Rolls back, once all units have ended.
    pub(crate) async fn rollback(self) -> Result<(), StoreError> {
        let transaction = take_back(self.transaction)?;
        transaction.rollback().await.map_err(store_error)
    }

    pub(super) fn name_cache(&self) -> &NameCache {
        &self.name_cache
    }

    /// Defers a statement whose result no caller needs.
    pub(super) fn defer(&self, statement: Statement) {
        self.deferred().push(statement);
    }

    fn deferred(&self) -> MutexGuard<'_, DeferredStatements> {
        // No code under the lock panics half-way.
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Defers a statement that sets a savepoint.
    pub(crate) fn mark(&self, sql: &str) -> StatementIndex {
        self.deferred().push(statement(sql.to_owned(), Vec::new()))
    }

    /// Drops the statements deferred after a savepoint that is undone. True if the savepoint was
    /// sent already, perhaps with some of these statements.
    pub(crate) fn forget_after(&self, mark: StatementIndex) -> bool {
        self.name_cache.forget_all();
        let mut deferred = self.deferred();
        if let Some(index) = deferred.index(mark) {
            deferred.statements.truncate(index + 1);
            return false;
        }
        deferred.statements.clear();
        true
    }

    /// Clears a failure whose statements were undone. After a lost result, the savepoint itself may
    /// be missing.
    pub(crate) fn clear_failure(&self) {
        let mut deferred = self.deferred();
        deferred.failure = deferred.failure.filter(|one| *one == Failure::Unknown);
    }

    /// Clears any failure. The caller undoes all statements that may have failed.
    pub(crate) fn forget_failure(&self) {
        self.deferred().failure = None;
    }

    /// Sends the deferred statements; fails if any deferred statement may not have run.
    pub(crate) async fn flush(&self) -> Result<(), DbErr> {
        let statements = self.deferred().take();
        if !statements.is_empty() {
            let done = self.transaction.query_all_raw(join(statements)).await;
            self.deferred().observe(&done);
            done?;
        }
        match self.deferred().failure {
            None => Ok(()),
            Some(_) => Err(DbErr::Custom("a statement before was not done".to_owned())),
        }
    }

    /// Joins a statement to the deferred ones before it.
    fn after_others(&self, statement: Statement) -> Statement {
        let mut statements = self.deferred().take();
        statements.push(statement);
        join(statements)
    }
}

fn statement(sql: String, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)
}

/// Joins statements into one. The driver runs them in order, each with its share of the values.
fn join(mut statements: Vec<Statement>) -> Statement {
    if statements.len() == 1
        && let Some(only) = statements.pop()
    {
        return only;
    }
    let mut sql = String::with_capacity(statements.iter().map(|one| one.sql.len() + 2).sum());
    let mut values = Vec::new();
    for one in statements {
        if !sql.is_empty() {
            sql.push_str("; ");
        }
        sql.push_str(&one.sql);
        values.extend(one.values.into_iter().flat_map(|values| values.0));
    }
    statement(sql, values)
}

#[async_trait]
impl ConnectionTrait for SharedTransaction {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    // The driver reports the changed rows of a whole batch, so the statement is sent alone.
    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.flush().await?;
        self.transaction.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.flush().await?;
        self.transaction.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let statement = self.after_others(statement);
        let row = self.transaction.query_one_raw(statement).await;
        self.deferred().observe(&row);
        row
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let statement = self.after_others(statement);
        let rows = self.transaction.query_all_raw(statement).await;
        self.deferred().observe(&rows);
        rows
    }
}
