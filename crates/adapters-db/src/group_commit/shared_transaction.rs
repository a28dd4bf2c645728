//! The transaction of a group, as its units see it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    Value,
};

use crate::{
    connection::{Connection, NameCache, take_back},
    error::store_error,
    session::{Session, repositories},
};

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

/// The place of a statement, such as a savepoint, among all statements of the group.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementIndex(usize);

impl DeferredStatements {
    fn push(&mut self, statement: Statement) -> StatementIndex {
        self.statements.push(statement);
        StatementIndex(self.before + self.statements.len() - 1)
    }

    /// The place of a statement in the queue; none if it was sent.
    fn place(&self, mark: StatementIndex) -> Option<usize> {
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

    /// Clears a failure whose statements were undone. After a lost result, the savepoint itself may
    /// be missing.
    fn clear_failure(&mut self) {
        self.failure = self.failure.filter(|one| *one == Failure::Unknown);
    }

    fn observe<T>(&mut self, answer: &Result<T, DbErr>) {
        let failed = answer.is_err().then_some(Failure::Failed);
        self.failure = self.failure.and(failed);
    }
}

impl SharedTransaction {
    pub(super) fn new(transaction: DatabaseTransaction) -> Self {
        Self {
            transaction: Arc::new(transaction),
            deferred: Arc::default(),
            name_cache: Arc::default(),
        }
    }

    /// Commits, once all units have ended. Deferred statements are dropped.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let transaction = take_back(self.transaction)?;
        transaction.commit().await.map_err(store_error)
    }

    /// Rolls back, once all units have ended.
    pub(super) async fn rollback(self) -> Result<(), StoreError> {
        let transaction = take_back(self.transaction)?;
        transaction.rollback().await.map_err(store_error)
    }

    pub(crate) fn name_cache(&self) -> &NameCache {
        &self.name_cache
    }

    /// Defers a statement whose result no caller needs.
    pub(crate) fn defer(&self, statement: Statement) {
        self.deferred().push(statement);
    }

    fn deferred(&self) -> MutexGuard<'_, DeferredStatements> {
        // No code under the lock panics half-way.
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Defers a statement that sets a savepoint.
    pub(super) fn mark(&self, sql: &str) -> StatementIndex {
        self.deferred().push(statement(sql.to_owned(), Vec::new()))
    }

    /// Drops the statements deferred after a savepoint that is undone. True if the savepoint was
    /// sent already, perhaps with some of these statements.
    pub(super) fn forget_after(&self, mark: StatementIndex) -> bool {
        self.name_cache.forget_all();
        let mut deferred = self.deferred();
        if let Some(place) = deferred.place(mark) {
            deferred.statements.truncate(place + 1);
            return false;
        }
        deferred.statements.clear();
        true
    }

    /// Clears any failure. The caller undoes all statements that may have failed.
    pub(super) fn forget_failure(&self) {
        self.deferred().failure = None;
    }

    /// Sends the deferred statements; fails if any deferred statement may not have run.
    pub(super) async fn flush(&self) -> Result<(), DbErr> {
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

    /// Begins a nested unit of work at a depth.
    pub(super) fn savepoint(&self, depth: u32) -> Savepoint {
        Savepoint {
            session: Session::new(Connection::Shared(self.clone())),
            transaction: self.clone(),
            begin: self.mark(&format!("SAVEPOINT part_{depth}")),
            depth,
            is_open: true,
        }
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

/// A unit of work within another one.
#[derive(Debug)]
pub(super) struct Savepoint {
    session: Session,
    transaction: SharedTransaction,
    begin: StatementIndex,
    /// The nesting depth. Each depth has its own savepoint name, so that a rollback needs no
    /// knowledge of the units nested in it.
    depth: u32,
    is_open: bool,
}

impl Savepoint {
    fn release(&self) {
        let release = format!("RELEASE part_{}", self.depth);
        self.transaction.mark(&release);
    }

    fn undo(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let transaction = &self.transaction;
        if transaction.forget_after(self.begin) {
            transaction.mark(&format!("ROLLBACK TO part_{}", self.depth));
            transaction.deferred().clear_failure();
        }
        self.release();
    }
}

impl Repositories for Savepoint {
    repositories!(self => &self.session);
}

#[async_trait]
impl UnitOfWork for Savepoint {
    // An error of a nested unit is reported by its own commit.
    async fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        self.transaction.flush().await.map_err(store_error)?;
        self.release();
        self.is_open = false;
        Ok(())
    }

    async fn rollback(mut self: Box<Self>) -> Result<(), StoreError> {
        self.undo();
        Ok(())
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(self.transaction.savepoint(self.depth + 1)))
    }
}

impl Drop for Savepoint {
    fn drop(&mut self) {
        self.undo();
    }
}
