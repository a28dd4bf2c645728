//! The savepoints of the units of a group.

use sea_orm::{ConnectionTrait, DbErr};

use crate::connection::{SharedTransaction, StatementIndex};

/// The savepoints of the units of a group. Each is sent to the database with the first statement of
/// its unit.
///
/// The savepoints use two names in turn. The savepoint of a cancelled unit may never have been set,
/// and a rollback to its name must not undo the unit before. After such a unit both names are new,
/// as the savepoint before it still exists.
#[derive(Debug, Default)]
pub(super) struct Savepoints {
    /// The savepoint of the running unit, set or queued.
    current: Option<StatementIndex>,
    /// Whether the last unit committed: its savepoint is to be released.
    is_left: bool,
    is_even: bool,
    /// The number of savepoints that were never set.
    lost: u32,
}

/// The error of SQLite when a transaction is begun within another one.
const WITHIN: &str = "within a transaction";

impl Savepoints {
    fn name(&self) -> String {
        let turn = if self.is_even { "even" } else { "odd" };
        format!("{turn}_unit_{}", self.lost)
    }

    /// Sets the savepoint of the next unit.
    pub(super) fn set(&mut self, transaction: &SharedTransaction) -> StatementIndex {
        if let Some(mark) = self.current {
            if !self.is_left {
                // The savepoint of an undone unit serves the next one.
                return mark;
            }
            transaction.mark(&format!("RELEASE {}", self.name()));
            self.is_even = !self.is_even;
        }
        let mark = transaction.mark(&format!("SAVEPOINT {}", self.name()));
        (self.current, self.is_left) = (Some(mark), false);
        mark
    }

    /// Marks the running unit as committed.
    pub(super) fn leave(&mut self) {
        self.is_left = true;
    }

    /// Undoes the running unit; the next one uses its savepoint. Fails if the whole group is lost.
    pub(super) async fn undo(
        &mut self,
        transaction: &SharedTransaction,
        mark: StatementIndex,
    ) -> Result<(), DbErr> {
        let was_set = transaction.forget_after(mark);
        transaction.forget_failure();
        if !was_set {
            return Ok(());
        }
        let undo = format!("ROLLBACK TO {}", self.name());
        if transaction.execute_unprepared(&undo).await.is_ok() {
            return Ok(());
        }
        // Either the unit was cancelled before its savepoint was set, and wrote nothing; or SQLite
        // ended the transaction, as it does when the disk is full.
        (self.current, self.is_left) = (None, false);
        self.lost += 1;
        match transaction.execute_unprepared("BEGIN").await {
            Err(error) if error.to_string().contains(WITHIN) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(DbErr::Custom("the transaction had ended".to_owned())),
        }
    }
}
