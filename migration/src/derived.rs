//! Columns and tables that triggers maintain, as queries of their sources.
//!
//! The queries are made of the parts of the triggers: a checker compares both, and writes what
//! differs anew.

use sea_orm_migration::sea_orm::DbBackend;

use crate::{
    layout::duration_class,
    m20261124_000001_journal::{CATEGORY, COLUMNS, EVENT, Kind, ORGANIZER, TAG, VENUE, audience},
    m20261126_000001_indirect_journal::Dialect,
    occurrence_lists,
    triggers::{
        CATEGORIES, COPIES_OF_EVENT, Links, ORGANIZERS, TAGS, counted_publication,
        postgres::{counters_of_events, counters_of_links},
    },
};

/// Which rows of a table are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// The rows themselves.
    Table,
    /// Some columns of rows that a program writes.
    Columns,
    /// The sums of the rows with a key.
    Sums,
}

/// Derived rows or columns of a table, as they are stored and as they should be.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The name of the table.
    pub table: &'static str,
    /// Whether rows or columns are derived.
    pub rows: RowsOf,
    /// The columns by which a row is known.
    pub key: &'static [&'static str],
    /// The other derived columns.
    pub values: &'static [&'static str],
    /// Selects the key and the values as stored.
    pub stored: String,
    /// Selects the key and the values as they should be.
    pub expected: String,
}

impl Derived {
    fn new(
        (table, rows): (&'static str, RowsOf),
        key: &'static [&'static str],
        values: &'static [&'static str],
        expected: String,
    ) -> Self {
        let columns = [key, values].concat().join(", ");
        Self {
            table,
            rows,
            key,
            values,
            stored: format!("SELECT {columns} FROM {table}"),
            expected,
        }
    }

    /// The expected rows and the stored ones as tables `expected` and `stored` of a statement.
    fn tables(&self) -> String {
        let columns = [self.key, self.values].concat().join(", ");
        let (expected, stored) = (&self.expected, &self.stored);
        format!("WITH expected ({columns}) AS ({expected}), stored ({columns}) AS ({stored})")
    }

    /// Selects the differences: a row `record`, `side` and `content` for each row that is only
    /// expected, or only stored.
    #[must_use]
    pub fn differences(&self) -> String {
        let shown = |columns: &[&str], none: &str| {
            let shown = columns
                .iter()
                .map(|column| format!("'{column} ' || COALESCE(CAST({column} AS text), 'null')"));
            let shown: Vec<_> = shown.collect();
            if shown.is_empty() {
                none.to_owned()
            } else {
                shown.join(" || ', ' || ")
            }
        };
        let (record, content) = (shown(self.key, "''"), shown(self.values, "'a row'"));
        let side = |one: &str, other: &str| {
            format!(
                "SELECT {record} AS record, '{one}' AS side, {content} AS content
                FROM (SELECT * FROM {one} EXCEPT SELECT * FROM {other}) AS only_{one}"
            )
        };
        let (expected, stored) = (side("expected", "stored"), side("stored", "expected"));
        format!("{} {expected} UNION ALL {stored}", self.tables())
    }

    /// The statements that write what differs.
    #[must_use]
    pub fn repair(&self) -> Vec<String> {
        let (table, tables) = (self.table, self.tables());
        let key = self.key.join(", ");
        let missing = "(SELECT * FROM expected EXCEPT SELECT * FROM stored)";
        if self.rows == RowsOf::Columns {
            let set: Vec<_> = self
                .values
                .iter()
                .map(|one| format!("{one} = differing.{one}"))
                .collect();
            let same: Vec<_> = self
                .key
                .iter()
                .map(|one| format!("{table}.{one} = differing.{one}"))
                .collect();
            return vec![format!(
                "{tables} UPDATE {table} SET {} FROM {missing} AS differing WHERE {}",
                set.join(", "),
                same.join(" AND ")
            )];
        }
        let mut differing = format!(
            "SELECT {key} FROM (SELECT * FROM stored EXCEPT SELECT * FROM expected) AS surplus"
        );
        if self.rows == RowsOf::Sums {
            // The rows of a sum of 0 are not selected.
            differing = format!("{differing} UNION SELECT {key} FROM {missing} AS missing");
        }
        let delete = format!("{tables} DELETE FROM {table} WHERE ({key}) IN ({differing})");
        let mut columns = [self.key, self.values].concat().join(", ");
        let mut values = columns.clone();
        if self.rows == RowsOf::Sums {
            columns.push_str(", shard");
            values.push_str(", 0");
        }
        // Rows that a trigger has written meanwhile stay.
        let insert = format!(
            "{tables} INSERT INTO {table} ({columns}) SELECT {values} FROM {missing} AS missing
            WHERE TRUE ON CONFLICT DO NOTHING"
        );
        vec![delete, insert]
    }
}

/// The derived tables that lists of events read, each after those that it is computed from.
#[must_use]
pub fn derived(postgres: bool) -> Vec<Derived> {
    let columns_of = |links: Links, key: &'static [&'static str]| {
        let (table, column) = (links.table, links.column);
        let published = counted_publication("event.");
        let expected = format!(
            "SELECT link.event_id, link.{column}, event.start_utc, event.end_utc, {published},
            event.listed AND event.password_hash IS NULL
            FROM {table} AS link JOIN event ON event.id = link.event_id"
        );
        let copies = &["start_utc", "end_utc", "published_utc", "listed"];
        Derived::new((table, RowsOf::Columns), key, copies, expected)
    };
    let paths = "WITH RECURSIVE path (above_id, below_id) AS (SELECT id, id FROM category
        UNION SELECT path.above_id, category.id FROM path
        JOIN category ON category.parent_id = path.below_id) SELECT above_id, below_id FROM path";
    let published = counted_publication("event.");
    let mut all = vec![
        Derived::new(
            ("category_path", RowsOf::Table),
            &["above_id", "below_id"],
            &[],
            paths.to_owned(),
        ),
        Derived::new(
            ("event_category", RowsOf::Columns),
            &["event_id", "term_id"],
            &["published_utc"],
            format!(
                "SELECT link.event_id, link.term_id, {published}
                FROM event_category AS link JOIN event ON event.id = link.event_id"
            ),
        ),
        Derived::new(
            (CATEGORIES.table, RowsOf::Table),
            &["event_id", "term_id"],
            &["start_utc", "end_utc", "published_utc", "listed"],
            format!(
                "SELECT DISTINCT event.id, path.above_id, {COPIES_OF_EVENT} FROM event_category AS added
                JOIN category_path AS path ON path.below_id = added.term_id
                JOIN event ON event.id = added.event_id"
            ),
        ),
        columns_of(TAGS, &["event_id", "term_id"]),
        columns_of(ORGANIZERS, &["event_id", "place_id"]),
    ];
    if !postgres {
        // PostgreSQL generates the column.
        let class = duration_class();
        let expected = format!("SELECT id, {class} FROM event");
        all.push(Derived::new(
            ("event", RowsOf::Columns),
            &["id"],
            &["span"],
            expected,
        ));
    }
    all
}

/// The lists of occurrences.
#[must_use]
pub fn derived_lists() -> Derived {
    Derived::new(
        ("occurrence_in", RowsOf::Table),
        &["scope", "scope_id", "start_utc", "occurrence_id"],
        &["end_utc", "published_utc"],
        "SELECT scope, scope_id, one.start_utc, one.id, one.end_utc, one.published_utc
        FROM occurrence AS one JOIN series_in ON series_in.series_id = one.series_id
        WHERE one.listed"
            .to_owned(),
    )
}

/// The histograms of the start times of events and occurrences.
#[must_use]
pub fn derived_totals(postgres: bool) -> Derived {
    let of_links =
        [CATEGORIES, TAGS, ORGANIZERS].map(|links| counters_of_links(links, links.table, 1));
    let counters = [
        counters_of_events("event", 1),
        of_links.to_vec(),
        occurrence_lists::counters("occurrence", 1),
    ];
    let mut counters = counters.concat().join(" UNION ALL ");
    if !postgres {
        counters = counters.replace("::bigint", "");
    }
    // A sum is a number of another type on PostgreSQL.
    let sum = |column: &str, rows: &str| {
        format!(
            "SELECT scope, scope_id, bucket, CAST(SUM({column}) AS bigint) FROM {rows}
            GROUP BY scope, scope_id, bucket HAVING SUM({column}) <> 0"
        )
    };
    let expected = sum("step", &format!("({counters}) AS counted"));
    let key = &["scope", "scope_id", "bucket"];
    Derived {
        stored: sum("starts", "event_starts"),
        ..Derived::new(("event_starts", RowsOf::Sums), key, &["starts"], expected)
    }
}

/// The journal against the records: what the last entry of a record says, and what it should say.
pub mod journal {
    use super::{
        CATEGORY, COLUMNS, DbBackend, Dialect, EVENT, Kind, ORGANIZER, TAG, VENUE, audience,
    };

    /// The numbers of the entries before and after each gap. Entries are deleted from the oldest on, so
    /// that there is none.
    pub const GAPS: &str = "SELECT before_n, n FROM (SELECT n, lag(n) OVER (ORDER BY n) AS before_n
        FROM journal WHERE n > 0) AS entry WHERE n <> before_n + 1 ORDER BY n";

    /// The last entry of each record, and the audience of each record.
    fn tables() -> String {
        let records = [EVENT, VENUE, ORGANIZER, CATEGORY, TAG].map(|kind: Kind| {
            let [stage, due, author, hidden, public] = audience(Some("one"), kind);
            let modified = if kind.1 { "one.modified_utc" } else { "CAST(NULL AS bigint)" };
            format!(
                "SELECT '{}', one.id, {stage}, CAST({due} AS bigint), CAST({author} AS bigint), {hidden},
                {public}, {modified} FROM {} AS one",
                kind.0, kind.0
            )
        });
        let records = records.join(" UNION ALL ");
        // An entry without a number has a negative one, which falls with each entry.
        format!(
            "WITH record (kind, id, stage, due, author, hidden, public, modified) AS ({records}),
            entry AS (SELECT * FROM (SELECT journal.*, row_number() OVER (PARTITION BY kind, record_id
                ORDER BY CASE WHEN n > 0 THEN 0 ELSE 1 END DESC, ABS(n) DESC) AS place
                FROM journal) AS numbered WHERE place = 1)"
        )
    }

    /// The records of which the last entry says something else. The oldest entry tells since when records
    /// that change have entries; the first parameter is the time now. A clock that is ahead of the
    /// database's tells nothing.
    fn differing(now: &str) -> String {
        format!(
            "FROM record FULL JOIN entry ON entry.kind = record.kind AND entry.record_id = record.id
            WHERE (entry.n IS NOT NULL AND
                (entry.is_stage, entry.is_due, entry.is_author, entry.is_hidden) IS DISTINCT FROM
                (record.stage, record.due, record.author, COALESCE(record.hidden, FALSE)))
            OR (entry.n IS NULL AND record.public AND record.modified <= {now}
                AND record.modified > (SELECT MIN(at_utc) FROM journal))"
        )
    }

    /// Selects kind and ID of the records of which the journal says something else, what it says, and what
    /// they are.
    #[must_use]
    pub fn differences(now: &str) -> String {
        let shown = |[stage, due, hidden]: [&str; 3], nothing: &str| {
            format!(
                "CASE WHEN {stage} IS NULL THEN '{nothing}' ELSE {stage} || ' since ' ||
                COALESCE(CAST({due} AS text), 'null') || CASE WHEN {hidden} THEN ', hidden' ELSE '' END END"
            )
        };
        let found = shown(
            ["entry.is_stage", "entry.is_due", "entry.is_hidden"],
            "nothing",
        );
        let expected = shown(["record.stage", "record.due", "record.hidden"], "deleted");
        format!(
            "{} SELECT COALESCE(record.kind, entry.kind) || ' ' ||
            CAST(COALESCE(record.id, entry.record_id) AS text) AS record,
            CASE WHEN entry.n IS NULL THEN 'no entry' ELSE {found} END AS found,
            {expected} AS expected {}",
            tables(),
            differing(now)
        )
    }

    /// The statement that adds an entry for each of these records.
    #[must_use]
    pub fn repair(backend: DbBackend, now: &str) -> String {
        let own = Dialect::of(backend).own;
        format!(
            "{} INSERT INTO journal ({COLUMNS}) SELECT {own},
            COALESCE(record.kind, entry.kind), COALESCE(record.id, entry.record_id),
            entry.is_stage, entry.is_due, entry.is_author, COALESCE(entry.is_hidden, FALSE),
            record.stage, record.due, record.author, COALESCE(record.hidden, FALSE),
            COALESCE(record.public, FALSE)
            OR COALESCE(entry.is_stage = 'published' AND NOT entry.is_hidden, FALSE) {}",
            tables(),
            differing(now)
        )
    }
}
