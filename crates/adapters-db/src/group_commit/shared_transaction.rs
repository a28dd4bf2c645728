//! The transaction of a group, as the unit of work sees it that has the turn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    StatementBuilder, Value,
};

use crate::{
    connection::{Connection, NameCache},
    error::store_error,
    session::{Session, repositories},
};

/// The transaction of a group, lent to one unit after the other.
///
/// Each statement goes to the thread of the driver and back, which takes longer than most statements do.
/// So those whose answer nobody waits for are put off, and go there together with the next one.
#[derive(Clone, Debug)]
pub(super) struct SharedTransaction {
    transaction: Arc<DatabaseTransaction>,
    deferred: Arc<Mutex<DeferredStatements>>,
    name_cache: Arc<NameCache>,
}

/// Statements that were put off.
#[derive(Debug, Default)]
struct DeferredStatements {
    statements: Vec<Statement>,
    /// How many there were before these.
    before: usize,
    /// What became of those that were sent, if it is not that all of them were done.
    failure: Option<Failure>,
}

/// Why what was put off may not have been done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// One of it failed, and nothing was done after it.
    Failed,
    /// Who sent it did not wait for the answer.
    Unknown,
}

/// A place among the statements: what comes after it can be undone.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementIndex(usize);

impl DeferredStatements {
    fn push(&mut self, statement: Statement) -> StatementIndex {
        self.statements.push(statement);
        StatementIndex(self.before + self.statements.len() - 1)
    }

    /// Where a mark stands among those that wait; nowhere if it was set.
    fn place(&self, mark: StatementIndex) -> Option<usize> {
        mark.0.checked_sub(self.before)
    }

    /// Takes them to be sent; [`hear`](Self::hear) is told what became of them.
    fn take(&mut self) -> Vec<Statement> {
        if !self.statements.is_empty() {
            self.before += self.statements.len();
            self.failure = Some(Failure::Unknown);
        }
        std::mem::take(&mut self.statements)
    }

    /// Forgets a failure, for it is undone. Of what nobody heard the mark itself may be missing.
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

    /// The transaction, when every turn is over. What is still put off is forgotten.
    fn take_back(self) -> Result<DatabaseTransaction, StoreError> {
        let text = "a unit of work that has ended holds the transaction";
        Arc::try_unwrap(self.transaction).map_err(|_| StoreError::Internal(text.to_owned()))
    }

    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.take_back()?.commit().await.map_err(store_error)
    }

    pub(super) async fn rollback(self) -> Result<(), StoreError> {
        self.take_back()?.rollback().await.map_err(store_error)
    }

    fn deferred(&self) -> MutexGuard<'_, DeferredStatements> {
        // Nothing under the lock can fail half-way.
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts off a statement without values that sets a mark.
    pub(super) fn mark(&self, sql: &str) -> StatementIndex {
        self.deferred().push(statement(sql.to_owned(), Vec::new()))
    }

    /// Forgets what was put off after a mark, for it is undone. Tells whether the mark was set already,
    /// and with it perhaps some of what came after it.
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

    /// Forgets that something went wrong, for all of it is undone.
    pub(super) fn forget_failure(&self) {
        self.deferred().failure = None;
    }

    /// Does what was put off; fails if something that was put off may not have been done.
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

    /// A statement after those that were put off.
    fn after_others(&self, statement: Statement) -> Statement {
        let mut statements = self.deferred().take();
        statements.push(statement);
        join(statements)
    }

    /// Begins what can be undone alone, within so many others.
    pub(super) fn savepoint(&self, depth: u32) -> Savepoint {
        Savepoint {
            session: Session::new(self.clone()),
            begin: self.mark(&format!("SAVEPOINT part_{depth}")),
            depth,
            is_open: true,
        }
    }
}

fn statement(sql: String, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)
}

/// One of several: the driver does one after the other, each with its share of the values.
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

    // How many rows it changed is told for all of a text: it must be alone in its own.
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

impl Connection for SharedTransaction {
    async fn execute_deferred<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> Result<(), StoreError> {
        let statement = statement.build(&DbBackend::Sqlite);
        self.deferred().push(statement);
        Ok(())
    }

    fn name_cache(&self) -> Option<&NameCache> {
        Some(&self.name_cache)
    }
}

/// A unit of work within another one.
#[derive(Debug)]
pub(super) struct Savepoint {
    session: Session<SharedTransaction>,
    begin: StatementIndex,
    /// Each has a name of its own: what undoes one need not know whether those within it have ended.
    depth: u32,
    is_open: bool,
}

impl Savepoint {
    fn release(&self) {
        let release = format!("RELEASE part_{}", self.depth);
        self.session.connection.mark(&release);
    }

    fn undo(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let lent = &self.session.connection;
        if lent.forget_after(self.begin) {
            lent.mark(&format!("ROLLBACK TO part_{}", self.depth));
            lent.deferred().clear_failure();
        }
        self.release();
    }
}

impl Repositories for Savepoint {
    repositories!(self => &self.session);
}

#[async_trait]
impl UnitOfWork for Savepoint {
    // What fails of it must fail here, and not in what comes after it.
    async fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        let lent = &self.session.connection;
        lent.flush().await.map_err(store_error)?;
        self.release();
        self.is_open = false;
        Ok(())
    }

    async fn rollback(mut self: Box<Self>) -> Result<(), StoreError> {
        self.undo();
        Ok(())
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(self.session.connection.savepoint(self.depth + 1)))
    }
}

impl Drop for Savepoint {
    fn drop(&mut self) {
        self.undo();
    }
}
