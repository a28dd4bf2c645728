//! Plans of databases, and what they read whole.

use sea_orm::{DatabaseConnection, DbBackend, FromQueryResult, Statement};

/// Ways of SQLite from the beginning of what everybody may list, until a page is full.
const IN_ORDER: [&str; 3] = [
    "SCAN event USING COVERING INDEX event_listed_start",
    "SCAN venue USING COVERING INDEX venue_published",
    "SCAN organizer USING COVERING INDEX organizer_published",
];

/// The IDs on a page, which SQLite reads until the page is full.
const STRETCH: &str = "CO-ROUTINE stretch";

/// A line of a plan, and the place of the line that it is part of.
struct Step {
    text: String,
    parent: Option<usize>,
}

/// How a database finds what a statement asks for.
pub(super) struct Plan {
    pub(super) statement: String,
    steps: Vec<Step>,
}

impl Plan {
    /// From the lines of SQLite, each with its number and that of the line that it is part of.
    pub(super) fn of_sqlite(statement: String, lines: Vec<(i64, i64, String)>) -> Self {
        let place = |parent: i64| lines.iter().position(|(id, ..)| *id == parent);
        let parents: Vec<_> = lines.iter().map(|(_, parent, _)| place(*parent)).collect();
        let texts = lines.into_iter().map(|(.., text)| text);
        let steps = texts.zip(parents).map(|(text, parent)| Step { text, parent });
        Self { statement, steps: steps.collect() }
    }

    /// From the lines of PostgreSQL: what is part of a line stands further right.
    pub(super) fn of_postgres(statement: String, lines: Vec<String>) -> Self {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let parents: Vec<_> = lines
            .iter()
            .enumerate()
            .map(|(place, line)| {
                let mut before = lines[..place].iter();
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

    /// The ancestors of a step, nearest first.
    fn around(&self, step: &Step) -> impl Iterator<Item = &str> {
        let parent = |step: &Step| step.parent.map(|place| &self.steps[place]);
        let around = std::iter::successors(parent(step), move |step| parent(step));
        around.map(|step| step.text.as_str())
    }

    /// Whether SQLite goes along a list from its beginning until a page is full, or counts all places.
    /// A count beside a page does not stop when the page is full.
    fn in_order(&self, step: &Step) -> bool {
        let page = self.statement.contains("LIMIT") || !step.text.contains("event");
        let beside = |text: &str| text.contains("SUBQUERY") || text.contains("MATERIALIZE");
        let mut within = self.around(step).take_while(|text| *text != STRETCH);
        page && IN_ORDER.contains(&step.text.as_str()) && !within.any(beside)
    }

    /// The tables that SQLite reads whole.
    pub(super) fn scans_of_sqlite(&self) -> Vec<&str> {
        let mut in_order = 0;
        let mut scans = Vec::new();
        for step in &self.steps {
            let Some(from) = step.text.strip_prefix("SCAN ") else {
                continue;
            };
            if self.in_order(step) {
                in_order += 1;
                if in_order == 1 {
                    continue;
                }
            }
            scans.extend(from.split(' ').next());
        }
        scans
    }

    /// The tables that PostgreSQL reads whole, or an index of them to count what it holds.
    pub(super) fn scans_of_postgres<'a>(&'a self, indexes: &'a [Index]) -> Vec<&'a str> {
        let mut scans = Vec::new();
        for (place, step) in self.steps.iter().enumerate() {
            // What goes on for long is found by how long: else all events of a venue, say, are read.
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
            let mut parts = self.steps.iter().filter(|part| part.parent == Some(place));
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

/// An index of PostgreSQL, which is read whole unless its first column is narrowed.
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

    /// The plans of a database; none if it is not PostgreSQL.
    pub(super) async fn all(connection: &DatabaseConnection) -> Vec<Self> {
        let backend = connection.get_database_backend();
        if backend != DbBackend::Postgres {
            return Vec::new();
        }
        let all = Self::find_by_statement(Statement::from_string(backend, Self::ALL));
        all.all(connection).await.unwrap()
    }
}
