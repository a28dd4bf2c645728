//! Units of work within other ones.

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;

use crate::{
    connection::{Connection, SharedTransaction, StatementIndex},
    error::store_error,
    session::{Session, repositories},
};

/// A unit of work within another one.
#[derive(Debug)]
pub(super) struct NestedUnit {
    session: Session,
    transaction: SharedTransaction,
    begin: StatementIndex,
    /// The nesting depth. Each depth has its own savepoint name, so that a rollback needs no
    /// knowledge of the units nested in it.
    depth: u32,
    is_open: bool,
}

impl NestedUnit {
    /// Begins a unit at a depth.
    pub(super) fn begin(transaction: &SharedTransaction, depth: u32) -> Self {
        Self {
            session: Session::new(Connection::Shared(transaction.clone())),
            begin: transaction.mark(&format!("SAVEPOINT part_{depth}")),
            transaction: transaction.clone(),
            depth,
            is_open: true,
        }
    }

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
            transaction.clear_failure();
        }
        self.release();
    }
}

impl Repositories for NestedUnit {
    repositories!(self => &self.session);
}

#[async_trait]
impl UnitOfWork for NestedUnit {
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
        Ok(Box::new(Self::begin(&self.transaction, self.depth + 1)))
    }
}

impl Drop for NestedUnit {
    fn drop(&mut self) {
        self.undo();
    }
}
