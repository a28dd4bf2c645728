//! The transaction of a group, as the unit of work sees it that has the turn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    StatementBuilder, Value,
};

use crate::{
    error::store_error,
    names::NamesRead,
    over::{Connection, Over, repositories},
};

/// The transaction of a group, lent to one unit after the other.
///
/// Each statement goes to the thread of the driver and back, which takes longer than most statements do.
/// So those whose answer nobody waits for are put off, and go there together with the next one.
#[derive(Clone, Debug)]
pub(super) struct Lent {
    transaction: Arc<DatabaseTransaction>,
    put_off: Arc<Mutex<PutOff>>,
    names_read: Arc<NamesRead>,
}

/// Statements that were put off.
#[derive(Debug, Default)]
struct PutOff {
    statements: Vec<Statement>,
    /// How many there were before these.
    before: usize,
    /// What became of those that were sent, if it is not that all of them were done.
    trouble: Option<Trouble>,
}

/// Why what was put off may not have been done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// One of it failed, and nothing was done after it.
    Failed,
    /// Who sent it did not wait for the answer.
    Unheard,
}

/// A place among the statements: what comes after it can be undone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl PutOff {
    fn push(&mut self, statement: Statement) -> Mark {
        self.statements.push(statement);
        Mark(self.before + self.statements.len() - 1)
    }

    /// Where a mark stands among those that wait; nowhere if it was set.
    fn place(&self, mark: Mark) -> Option<usize> {
        mark.0.checked_sub(self.before)
    }

    /// Takes them to be sent; [`hear`](Self::hear) is told what became of them.
    fn take(&mut self) -> Vec<Statement> {
        if !self.statements.is_empty() {
            self.before += self.statements.len();
            self.trouble = Some(Trouble::Unheard);
        }
        std::mem::take(&mut self.statements)
    }

    /// Forgets a failure, for it is undone. Of what nobody heard the mark itself may be missing.
    fn forgive(&mut self) {
        self.trouble = self.trouble.filter(|one| *one == Trouble::Unheard);
    }

    fn hear<T>(&mut self, answer: &Result<T, DbErr>) {
        let failed = answer.is_err().then_some(Trouble::Failed);
        self.trouble = self.trouble.and(failed);
    }
}

impl Lent {
    pub(super) fn new(transaction: DatabaseTransaction) -> Self {
        Self {
            transaction: Arc::new(transaction),
            put_off: Arc::default(),
            names_read: Arc::default(),
        }
    }

    /// The transaction, when every turn is over. What is still put off is forgotten.
    fn back(self) -> Result<DatabaseTransaction, StoreError> {
        let text = "a unit of work that has ended holds the transaction";
        Arc::try_unwrap(self.transaction).map_err(|_| StoreError::Internal(text.to_owned()))
    }

    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.back()?.commit().await.map_err(store_error)
    }

    pub(super) async fn rollback(self) -> Result<(), StoreError> {
        self.back()?.rollback().await.map_err(store_error)
    }

    fn put_off(&self) -> MutexGuard<'_, PutOff> {
        // Nothing under the lock can fail half-way.
        self.put_off.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts off a statement without values that sets a mark.
    pub(super) fn mark(&self, sql: &str) -> Mark {
        self.put_off().push(statement(sql.to_owned(), Vec::new()))
    }

    /// Forgets what was put off after a mark, for it is undone. Tells whether the mark was set already,
    /// and with it perhaps some of what came after it.
    pub(super) fn forget_after(&self, mark: Mark) -> bool {
        self.names_read.forget_all();
        let mut put_off = self.put_off();
        if let Some(place) = put_off.place(mark) {
            put_off.statements.truncate(place + 1);
            return false;
        }
        put_off.statements.clear();
        true
    }

    /// Forgets that something went wrong, for all of it is undone.
    pub(super) fn forget_trouble(&self) {
        self.put_off().trouble = None;
    }

    /// Does what was put off; fails if something that was put off may not have been done.
    pub(super) async fn settle(&self) -> Result<(), DbErr> {
        let statements = self.put_off().take();
        if !statements.is_empty() {
            let done = self.transaction.query_all_raw(join(statements)).await;
            self.put_off().hear(&done);
            done?;
        }
        match self.put_off().trouble {
            None => Ok(()),
            Some(_) => Err(DbErr::Custom("a statement before was not done".to_owned())),
        }
    }

    /// A statement after those that were put off.
    fn after_others(&self, statement: Statement) -> Statement {
        let mut statements = self.put_off().take();
        statements.push(statement);
        join(statements)
    }

    /// Begins what can be undone alone, within so many others.
    pub(super) fn savepoint(&self, depth: u32) -> Savepoint {
        Savepoint {
            over: Over::only(self.clone()),
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
impl ConnectionTrait for Lent {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    // How many rows it changed is told for all of a text: it must be alone in its own.
    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.settle().await?;
        self.transaction.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.settle().await?;
        self.transaction.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let statement = self.after_others(statement);
        let row = self.transaction.query_one_raw(statement).await;
        self.put_off().hear(&row);
        row
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let statement = self.after_others(statement);
        let rows = self.transaction.query_all_raw(statement).await;
        self.put_off().hear(&rows);
        rows
    }
}

impl Connection for Lent {
    async fn later<S: StatementBuilder + Sync>(&self, statement: &S) -> Result<(), StoreError> {
        let statement = statement.build(&DbBackend::Sqlite);
        self.put_off().push(statement);
        Ok(())
    }

    fn names_read(&self) -> Option<&NamesRead> {
        Some(&self.names_read)
    }
}

/// A unit of work within another one.
#[derive(Debug)]
pub(super) struct Savepoint {
    over: Over<Lent>,
    begin: Mark,
    /// Each has a name of its own: what undoes one need not know whether those within it have ended.
    depth: u32,
    is_open: bool,
}

impl Savepoint {
    fn release(&self) {
        let release = format!("RELEASE part_{}", self.depth);
        self.over.connection.mark(&release);
    }

    fn undo(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let lent = &self.over.connection;
        if lent.forget_after(self.begin) {
            lent.mark(&format!("ROLLBACK TO part_{}", self.depth));
            lent.put_off().forgive();
        }
        self.release();
    }
}

impl Repositories for Savepoint {
    repositories!(self => &self.over);
}

#[async_trait]
impl UnitOfWork for Savepoint {
    // What fails of it must fail here, and not in what comes after it.
    async fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        let lent = &self.over.connection;
        lent.settle().await.map_err(store_error)?;
        self.release();
        self.is_open = false;
        Ok(())
    }

    async fn rollback(mut self: Box<Self>) -> Result<(), StoreError> {
        self.undo();
        Ok(())
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(self.over.connection.savepoint(self.depth + 1)))
    }
}

impl Drop for Savepoint {
    fn drop(&mut self) {
        self.undo();
    }
}
