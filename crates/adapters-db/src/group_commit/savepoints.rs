//! Where the units of a group begin, for one of them to be undone alone.

use sea_orm::{ConnectionTrait, DbErr};

use super::shared_transaction::{SharedTransaction, StatementIndex};

/// The marks of the units of a group. They go to the database together with the first statement of
/// a unit.
///
/// They have two names in turn: the mark of a unit that was broken off may never have been set, and then
/// what is undone must not be that of the unit before. After such a unit both names are new, as the mark before
/// it is still there.
#[derive(Debug, Default)]
pub(super) struct Savepoints {
    /// The one that is set, or waits to be; of the unit that has the turn.
    current: Option<StatementIndex>,
    /// The last unit was kept: its mark goes.
    is_left: bool,
    is_even: bool,
    /// How many marks were never set.
    lost: u32,
}

/// What SQLite says when a transaction is begun in another one.
const WITHIN: &str = "within a transaction";

impl Savepoints {
    fn name(&self) -> String {
        let turn = if self.is_even { "even" } else { "odd" };
        format!("{turn}_unit_{}", self.lost)
    }

    /// Sets the mark of the next unit.
    pub(super) fn set(&mut self, transaction: &SharedTransaction) -> StatementIndex {
        if let Some(mark) = self.current {
            if !self.is_left {
                // It is where the unit began that was undone.
                return mark;
            }
            transaction.mark(&format!("RELEASE {}", self.name()));
            self.is_even = !self.is_even;
        }
        let mark = transaction.mark(&format!("SAVEPOINT {}", self.name()));
        (self.current, self.is_left) = (Some(mark), false);
        mark
    }

    /// The unit is kept.
    pub(super) fn leave(&mut self) {
        self.is_left = true;
    }

    /// Undoes the unit; its mark stays for the next one. Fails if nothing of the group can be kept.
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
        // Either the unit was broken off before its mark was set, and did nothing; or SQLite ended the
        // transaction by itself, as when the disk is full.
        (self.current, self.is_left) = (None, false);
        self.lost += 1;
        match transaction.execute_unprepared("BEGIN").await {
            Err(error) if error.to_string().contains(WITHIN) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(DbErr::Custom("the transaction had ended".to_owned())),
        }
    }
}
