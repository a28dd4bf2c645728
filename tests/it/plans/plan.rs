//! Query plans, and the tables that they scan.

use std::collections::HashSet;

use sea_orm::{DatabaseConnection, DbBackend, FromQueryResult, Statement};

/// Steps of SQLite that read a public list from its beginning until a page is full.
const IN_ORDER: [&str; 4] = [
    "SCAN event USING COVERING INDEX event_listed_start",
    "SCAN occurrence USING COVERING INDEX occurrence_listed_start",
    "SCAN venue USING COVERING INDEX venue_published",
    "SCAN organizer USING COVERING INDEX organizer_published",
];

/// The subquery with the IDs of a page, which SQLite reads until the page is full.
const STRETCH: &str = "CO-ROUTINE stretch";

/// A step of a plan, and the index of its parent step.
struct Step {
    text: String,
    parent: Option<usize>,
}

/// The plan of a statement.
pub(super) struct Plan {
    pub(super) statement: String,
    steps: Vec<Step>,
}

impl Plan {
    /// Reads lines of SQLite: the number of a step, that of its parent, and the text.
    pub(super) fn of_sqlite(statement: String, lines: Vec<(i64, i64, String)>) -> Self {
        let position = |parent: i64| lines.iter().position(|(id, ..)| *id == parent);
        let parents: Vec<_> = lines.iter().map(|(_, parent, _)| position(*parent)).collect();
        let texts = lines.into_iter().map(|(.., text)| text);
        let steps = texts.zip(parents).map(|(text, parent)| Step { text, parent });
        Self { statement, steps: steps.collect() }
    }

    /// Reads lines of PostgreSQL, whose indentation shows the parent of a step.
    pub(super) fn of_postgres(statement: String, lines: Vec<String>) -> Self {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let parents: Vec<_> = lines
            .iter()
            .enumerate()
            .map(|(position, line)| {
                let mut before = lines[..position].iter();
                before.rposition(|before| indent(before) < indent(line))
            })
            .collect();
        let steps = lines.into_iter().zip(parents);
        let steps = steps.map(|(text, parent)| Step { text, parent });
        Self { statement, steps: steps.collect() }
    }

    /// The operation of each step.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.steps.iter().map(|step| step.text.as_str()).collect()
    }

    /// Whether a step sorts rows of a list. A merge of rows in order has a key, too, and caches read the log of
    /// changes in order.
    pub(super) fn sorts(&self, mark: &str) -> bool {
        self.steps.iter().any(|step| {
            let merges = self.around(step).next().is_some_and(|text| text.contains("Merge Append"));
            step.text.contains(mark) && !merges && !step.text.contains("change.")
        })
    }

    /// The ancestors of a step, nearest first.
    fn around(&self, step: &Step) -> impl Iterator<Item = &str> {
        let parent = |step: &Step| step.parent.map(|position| &self.steps[position]);
        let around = std::iter::successors(parent(step), move |step| parent(step));
        around.map(|step| step.text.as_str())
    }

    /// Whether SQLite reads a list in order until a page is full, or counts all places. A count
    /// beside a page does not stop when the page is full.
    fn in_order(&self, step: &Step) -> bool {
        let page = self.statement.contains("LIMIT") || !step.text.contains("listed");
        let beside = |text: &str| text.contains("SUBQUERY") || text.contains("MATERIALIZE");
        let mut within = self.around(step).take_while(|text| *text != STRETCH);
        page && IN_ORDER.contains(&step.text.as_str()) && !within.any(beside)
    }

    /// The tables that SQLite scans.
    pub(super) fn scans_of_sqlite(&self) -> Vec<&str> {
        // Events and occurrences are merged; each is read once.
        let mut in_order = HashSet::new();
        let mut scans = Vec::new();
        for step in &self.steps {
            let Some(from) = step.text.strip_prefix("SCAN ") else {
                continue;
            };
            if self.in_order(step) && in_order.insert(from) {
                continue;
            }
            scans.extend(from.split(' ').next());
        }
        scans
    }

    /// The tables that PostgreSQL scans, directly or through a whole index.
    pub(super) fn scans_of_postgres<'a>(&'a self, indexes: &'a [Index]) -> Vec<&'a str> {
        let mut scans = Vec::new();
        for (position, step) in self.steps.iter().enumerate() {
            // Classes of duration must be conditions of an index: a filter by class would read all
            // events of a venue.
            if step.text.contains("Filter:") && step.text.contains("span = ") {
                scans.push("event");
                continue;
            }
            let Some((how, on)) = step.text.split_once(" on ") else {
                continue;
            };
            let on = on.split(' ').next().unwrap();
            if how.contains("Seq Scan") {
                scans.push(on);
                continue;
            }
            let name = how.split_once(" using ").map_or(on, |(_, name)| name);
            let Some(index) = indexes.iter().find(|index| index.name == name) else {
                continue;
            };
            let mut parts = self.steps.iter().filter(|part| part.parent == Some(position));
            let narrowed = parts.any(|part| {
                part.text.contains("Index Cond:") && part.text.contains(&index.first_column)
            });
            let ends = |text: &&str| text.contains("Aggregate") || text.contains("Limit");
            let end = self.around(step).find(ends);
            if !narrowed && end.is_some_and(|text| text.contains("Aggregate")) {
                scans.push(&index.table);
            }
        }
        scans
    }
}

/// An index of PostgreSQL. PostgreSQL scans all of it unless a condition narrows its first column.
#[derive(FromQueryResult)]
pub(super) struct Index {
    name: String,
    table: String,
    first_column: String,
}

impl Index {
    const ALL: &str = "SELECT relname::text AS name, indrelid::regclass::text AS \"table\", \
        pg_get_indexdef(indexrelid, 1, TRUE) AS first_column \
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid \
        WHERE relnamespace = 'public'::regnamespace";

    /// All indexes of a database; empty if it is not PostgreSQL.
    pub(super) async fn all(connection: &DatabaseConnection) -> Vec<Self> {
        let backend = connection.get_database_backend();
        if backend != DbBackend::Postgres {
            return Vec::new();
        }
        let all = Self::find_by_statement(Statement::from_string(backend, Self::ALL));
        all.all(connection).await.unwrap()
    }
}
