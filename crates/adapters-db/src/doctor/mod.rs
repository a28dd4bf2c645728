//! The comparison of derived data with its sources, and its repair.
//!
//! Each check reads one snapshot of the database. A repair runs the same comparison again in a unit
//! of work, and writes what differs by the code that writes it in service. Nothing that a person
//! wrote is changed.

mod copies;
mod links;
mod occurrences;
mod records;
mod slugs;
mod stored_rows;
mod values;

use std::fmt;

use app::ports::StoreError;
use domain::{Image, Stored, time::Timestamp};
use sea_orm::{ConnectionTrait as _, Statement, TryGetableMany};
use tokio::sync::OnceCell;

use crate::{
    SeaOrmStore,
    connection::raw,
    search_index,
    session::{OpenTransaction, Session},
};

/// A comparison of `doctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// The file of SQLite: pages, indexes, constraints.
    Integrity,
    /// Rows that name a record that does not exist.
    Links,
    /// Flags and texts for search that belong to the row of a record.
    Records,
    /// The registry of slugs, former slugs.
    Slugs,
    /// The instants of events by the rules of their time zones.
    Instants,
    /// The occurrences of series, and what these name.
    Occurrences,
    /// The tree of categories, and columns of events copied to their links.
    Copies,
    /// The lists of occurrences.
    Lists,
    /// The counters of lists.
    Counters,
    /// The numbers of events of terms.
    Terms,
    /// The index of words and its queue.
    Search,
    /// The journal of changes.
    Journal,
    /// The tombstones of events.
    Tombstones,
    /// Tokens, passwords and sessions.
    Accounts,
    /// The keys of repeated requests.
    Idempotency,
    /// Stored settings, and the release of the time zone data.
    Settings,
    /// The files of images.
    Images,
}

impl Check {
    /// All checks of the database, in the order of repairs: each after those that it depends on.
    pub const OF_DATABASE: [Self; 16] = [
        Self::Integrity,
        Self::Links,
        Self::Records,
        Self::Slugs,
        Self::Instants,
        Self::Occurrences,
        Self::Copies,
        Self::Lists,
        Self::Counters,
        Self::Terms,
        Self::Search,
        Self::Journal,
        Self::Tombstones,
        Self::Accounts,
        Self::Idempotency,
        Self::Settings,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integrity => "integrity",
            Self::Links => "links",
            Self::Records => "records",
            Self::Slugs => "slugs",
            Self::Instants => "instants",
            Self::Occurrences => "occurrences",
            Self::Copies => "copies",
            Self::Lists => "lists",
            Self::Counters => "counters",
            Self::Terms => "terms",
            Self::Search => "search",
            Self::Journal => "journal",
            Self::Tombstones => "tombstones",
            Self::Accounts => "accounts",
            Self::Idempotency => "idempotency",
            Self::Settings => "settings",
            Self::Images => "images",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A difference between what is stored and what should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The comparison that found it.
    pub check: Check,
    /// The record or the row.
    pub record: String,
    /// The stored value.
    pub found: String,
    /// The value that should be stored.
    pub expected: String,
    /// Whether it is derived from something else, so that a repair writes it anew.
    pub is_derived: bool,
}

/// Differences as they are found by one check.
#[derive(Debug)]
struct Findings {
    check: Check,
    all: Vec<Difference>,
}

impl Findings {
    fn add(
        &mut self,
        is_derived: bool,
        record: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.all.push(Difference {
            check: self.check,
            record: record.into(),
            found: found.into(),
            expected: expected.into(),
            is_derived,
        });
    }

    /// Adds a difference that a repair mends.
    fn derived(
        &mut self,
        record: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.add(true, record, found, expected);
    }

    /// Adds a difference that only a person can mend.
    fn written(
        &mut self,
        record: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.add(false, record, found, expected);
    }
}

/// The result of all comparisons of one snapshot.
#[derive(Clone, Debug)]
pub struct Examination {
    /// The differences, by check.
    pub differences: Vec<Difference>,
    /// The images of the snapshot, whose files can be compared.
    pub images: Vec<Stored<Image>>,
}

/// An examination or a repair.
struct Work<'a> {
    session: &'a Session,
    /// Whether differences are mended as they are found.
    mends: bool,
    now: Timestamp,
    /// The result of the walk over all records.
    walked: OnceCell<records::Walk>,
}

impl Work<'_> {
    fn is_postgres(&self) -> bool {
        self.session.is_postgres()
    }

    /// The values of the rows that a query selects, in the order of its columns.
    async fn rows<T: TryGetableMany>(&self, sql: impl Into<String>) -> Result<Vec<T>, StoreError> {
        let connection = &self.session.connection;
        let statement = Statement::from_string(connection.get_database_backend(), sql);
        raw::values(connection, statement).await
    }

    async fn run(&self, sql: &str) -> Result<(), StoreError> {
        raw::run_all(&self.session.connection, sql).await
    }

    /// Compares, and mends what is derived if this is a repair.
    async fn check(&self, check: Check) -> Result<Vec<Difference>, StoreError> {
        let mut found = Findings {
            check,
            all: Vec::new(),
        };
        let findings = &mut found;
        match check {
            Check::Integrity => self.integrity(findings).await,
            Check::Links => self.links(findings).await,
            Check::Records => self.of_walk(check, findings).await,
            Check::Slugs => self.slugs(findings).await,
            Check::Instants => self.instants(findings).await,
            Check::Occurrences => {
                self.mend_lists().await?;
                self.occurrences(findings).await
            }
            Check::Copies => {
                for copies in migration::derived(self.is_postgres()) {
                    self.derived(&copies, findings).await?;
                }
                Ok(())
            }
            Check::Lists => {
                self.derived(&migration::derived_lists(), findings).await?;
                self.scopes(findings).await?;
                self.mend_lists().await
            }
            Check::Counters => {
                let totals = migration::derived_totals(self.is_postgres());
                self.derived(&totals, findings).await
            }
            Check::Terms => self.terms(findings).await,
            Check::Search => self.search(findings).await,
            Check::Journal => self.journal(findings).await,
            Check::Tombstones => self.tombstones(findings).await,
            Check::Accounts => self.accounts(findings).await,
            Check::Idempotency => self.idempotency(findings).await,
            Check::Settings => self.settings(findings).await,
            // The files are not in the database.
            Check::Images => Ok(()),
        }?;
        Ok(found.all)
    }

    /// In a repair, brings the rows of lists in line with what is stored. The triggers of occurrences and of what lists
    /// hold of series fail on rows that should not exist, and leave rows that should.
    async fn mend_lists(&self) -> Result<(), StoreError> {
        if !self.mends {
            return Ok(());
        }
        let mut lists = Findings {
            check: Check::Lists,
            all: Vec::new(),
        };
        self.derived(&migration::derived_lists(), &mut lists).await
    }

    /// Compares the index of words with the texts. Its repair deletes the index, and queues all texts.
    async fn search(&self, found: &mut Findings) -> Result<(), StoreError> {
        let connection = &self.session.connection;
        let wrong = search_index::differences(connection).await?;
        if self.mends && !wrong.is_empty() {
            search_index::queue_everything(connection).await?;
        }
        for (text, held) in wrong {
            found.derived(text, held, "the words of the text");
        }
        Ok(())
    }
}

/// The tables whose writers wait for a repair on PostgreSQL. SQLite has one writer.
const LOCK: &str = "LOCK TABLE event, venue, organizer, category, tag, occurrence, series_in,
    event_category, event_tag, event_organizer, event_translation, slug, journal, search_waiting
    IN SHARE ROW EXCLUSIVE MODE";

impl SeaOrmStore {
    /// Compares everything that is derived with what it is computed from, in one snapshot. Other
    /// connections and processes may write meanwhile. Changes nothing.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn examine(&self, now: Timestamp) -> Result<Examination, StoreError> {
        let transaction = OpenTransaction::new(self.begin_snapshot().await?);
        transaction.lift_timeout().await?;
        let work = Work {
            session: &transaction.session,
            mends: false,
            now,
            walked: OnceCell::new(),
        };
        let mut differences = Vec::new();
        for check in Check::OF_DATABASE {
            differences.extend(work.check(check).await?);
        }
        let images = work.session.all_images().await?;
        transaction.rollback().await?;
        Ok(Examination {
            differences,
            images,
        })
    }

    /// All images, in the order of their IDs.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn all_images(&self) -> Result<Vec<Stored<Image>>, StoreError> {
        self.reader.all_images().await
    }

    /// Mends what is derived of one check, in one unit of work. Returns what differed: differences that
    /// are not derived are still there.
    ///
    /// # Errors
    ///
    /// If the database fails; then nothing is changed. [`StoreError::Conflict`] if another writer was in
    /// the way: a repetition may succeed.
    pub async fn repair(
        &self,
        check: Check,
        now: Timestamp,
    ) -> Result<Vec<Difference>, StoreError> {
        let transaction = OpenTransaction::begin(&self.writer).await?;
        let work = Work {
            session: &transaction.session,
            mends: true,
            now,
            walked: OnceCell::new(),
        };
        if work.is_postgres() {
            work.run(LOCK).await?;
        }
        let differences = work.check(check).await?;
        transaction.commit().await?;
        self.data_version.committed().await;
        if check == Check::Search && !differences.is_empty() {
            self.merge_search_index().await?;
        }
        Ok(differences)
    }
}
