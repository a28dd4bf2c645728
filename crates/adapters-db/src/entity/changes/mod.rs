//! The change log for caches, and the journal.

pub(crate) mod change_postgres;
pub(crate) mod change_pruned;
pub(crate) mod change_sqlite;
pub(crate) mod journal;
pub(crate) mod journal_end;
