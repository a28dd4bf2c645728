//! A store over many events, and the plans of its statements.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use adapters_db::{DbOptions, Planned, SeaOrmStore, connect};
use app::{
    ports::Repositories,
    resource::Resource,
    test_support::{START, at},
};
use domain::{
    EventId, Language,
    event::{EventFilter, Window},
    page::{Page, PageRequest},
    policy::{Caller, Visibility},
    query::Query,
    search::Search,
    time::Timestamp,
};
use sea_orm::{
    ConnectionTrait, Database, DatabaseConnection, DbBackend, QueryResult, Statement,
    TransactionTrait, Value,
};
use tests::db::TestDb;

use super::{
    filling::{filling, repeating},
    plan::{Index, Plan},
};

/// The tables that grow with the number of events.
const LARGE: [&str; 11] = [
    "event",
    "occurrence",
    "occurrence_in",
    "event_category",
    "event_in_category",
    "event_tag",
    "event_organizer",
    "event_starts",
    "event_translation",
    "venue",
    "organizer",
];

/// The tables that lists are read from, each with its column of the event ID.
const WRITTEN: [(&str, &str); 5] = [
    ("event", "id"),
    ("event_category", "event_id"),
    ("event_in_category", "event_id"),
    ("event_tag", "event_id"),
    ("event_organizer", "event_id"),
];

/// Turns autovacuum off for all tables of a database of PostgreSQL. A run of it beside the tests
/// would change statistics between two plans, and its snapshot could hold back the visibility map
/// that the vacuum of the tests writes.
const NO_AUTOVACUUM: &str = "DO $$ DECLARE name regclass; BEGIN \
    FOR name IN SELECT oid FROM pg_class \
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP \
    EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name); \
    END LOOP; END $$";

/// The time limit of statements here. Plans are checked, not times: a short stall of the machine
/// must not fail the tests.
const STATEMENT_TIMEOUT: Duration = Duration::from_mins(1);

/// A statement that was sent, and whether it is planned with its values.
pub(super) type Sent = (Statement, Planned);

/// A database with many events, and a store that records its statements.
pub(super) struct Observed {
    pub(super) store: SeaOrmStore,
    pub(super) noted: Arc<Mutex<Vec<Sent>>>,
    /// The generic plans: the description of the list, whether it may sort, and the statement.
    pub(super) generic: Mutex<Vec<(String, bool, Statement)>>,
    pub(super) connection: DatabaseConnection,
    _db: TestDb,
}

impl Observed {
    pub(super) async fn over(db: TestDb, events: u32) -> Self {
        Self::filled(db, events, false).await
    }

    /// The same, with series.
    pub(super) async fn over_series(db: TestDb, events: u32) -> Self {
        Self::filled(db, events, true).await
    }

    async fn filled(db: TestDb, events: u32, with_series: bool) -> Self {
        let connection = Database::connect(&db.url).await.unwrap();
        let postgres = connection.get_database_backend() == DbBackend::Postgres;
        if postgres {
            connection.execute_unprepared(NO_AUTOVACUUM).await.unwrap();
        }
        let mut statements = filling(postgres, events);
        if with_series {
            statements.extend(repeating(postgres, events));
        }
        for statement in statements {
            connection.execute_unprepared(&statement).await.unwrap();
        }
        // The task of the program does the same in time.
        db.store.merge_search_index().await.unwrap();
        if postgres {
            // Autovacuum does the same in time where it is on.
            connection.execute_unprepared("VACUUM ANALYZE").await.unwrap();
        }
        let noted = Arc::new(Mutex::new(Vec::new()));
        let mut options = DbOptions::new(&db.url);
        options.statement_timeout = STATEMENT_TIMEOUT;
        let pad = Arc::clone(&noted);
        options.on_statement = Some(Arc::new(move |statement: &Statement, planned| {
            pad.lock().unwrap().push((statement.clone(), planned));
        }));
        Self {
            store: connect(&options).await.unwrap(),
            noted,
            generic: Mutex::default(),
            connection,
            _db: db,
        }
    }

    pub(super) fn is_postgres(&self) -> bool {
        self.connection.get_database_backend() == DbBackend::Postgres
    }

    /// The plans of the statements sent since the last call; two of each that has a generic plan.
    async fn plans(&self, what: &str, sorted: bool) -> Vec<Plan> {
        let noted = std::mem::take(&mut *self.noted.lock().unwrap());
        let mut plans = Vec::new();
        for (statement, planned) in noted {
            plans.push(if self.is_postgres() {
                let explain = format!("EXPLAIN {statement}");
                let lines = explained(&self.connection, explain).await;
                Plan::of_postgres(statement.to_string(), lines)
            } else {
                self.plan_of_sqlite(statement.to_string()).await
            });
            if planned == Planned::ForAny {
                plans.push(self.plan_without_values(&statement).await);
                let generic = (what.to_owned(), sorted, statement);
                self.generic.lock().unwrap().push(generic);
            }
        }
        plans
    }

    async fn plan_of_sqlite(&self, statement: String) -> Plan {
        let explain = format!("EXPLAIN QUERY PLAN {statement}");
        let explain = Statement::from_string(DbBackend::Sqlite, explain);
        let rows = self.connection.query_all_raw(explain).await.unwrap();
        let number = |row: &QueryResult, name| row.try_get("", name).unwrap();
        let text = |row: &QueryResult| row.try_get("", "detail").unwrap();
        let line = |row| (number(row, "id"), number(row, "parent"), text(row));
        Plan::of_sqlite(statement, rows.iter().map(line).collect())
    }

    /// The generic plan of a statement on PostgreSQL.
    async fn plan_without_values(&self, statement: &Statement) -> Plan {
        let Statement { sql, values, .. } = statement;
        let values = values.clone().expect("what is planned once has values").0;
        let types: Vec<_> = values.iter().map(type_of).collect();
        let placeholders: Vec<_> = (1..=values.len()).map(|n| format!("${n}")).collect();
        // Empty parentheses are a fault of syntax.
        let listed = |names: &[String]| match names {
            [] => String::new(),
            names => format!("({})", names.join(", ")),
        };
        let types: Vec<String> = types.iter().map(ToString::to_string).collect();
        let execute = format!("EXPLAIN EXECUTE asked {}", listed(&placeholders));
        let execute = Statement::from_sql_and_values(DbBackend::Postgres, execute, values);

        let transaction = self.connection.begin().await.unwrap();
        let run = async |sql: &str| transaction.execute_unprepared(sql).await.unwrap();
        run("SET LOCAL plan_cache_mode = force_generic_plan").await;
        run(&format!("PREPARE asked {} AS {sql}", listed(&types))).await;
        let lines = explained(&transaction, execute.to_string()).await;
        run("DEALLOCATE asked").await;
        transaction.rollback().await.unwrap();
        Plan::of_postgres(sql.clone(), lines)
    }

    /// The faults of the plans of the statements sent since the last call.
    pub(super) async fn faults(&self, what: &str, sorted: bool) -> Vec<String> {
        let plans = self.plans(what, sorted).await;
        assert!(!plans.is_empty(), "{what} asks for nothing");
        let indexes = Index::all(&self.connection).await;
        let faults = plans.iter();
        let faults = faults.filter_map(|plan| self.fault(&indexes, plan, what, sorted));
        faults.collect()
    }

    /// The faults of the generic plans of PostgreSQL after writes to all pages since the last
    /// vacuum: an index-only scan must then read the table too.
    pub(super) async fn faults_after_writes(&self) -> Vec<String> {
        let run = async |sql: &str| self.connection.execute_unprepared(sql).await.unwrap();
        for (table, id) in WRITTEN {
            run(&format!("UPDATE {table} SET {id} = {id} WHERE {id} % 10 = 0")).await;
        }
        run("ANALYZE").await;
        let generic = std::mem::take(&mut *self.generic.lock().unwrap());
        let indexes = Index::all(&self.connection).await;
        let mut faults = Vec::new();
        for (what, sorted, statement) in generic {
            let plan = self.plan_without_values(&statement).await;
            faults.extend(self.fault(&indexes, &plan, &what, sorted));
        }
        faults
    }

    /// The fault of a plan, if it has one.
    fn fault(&self, indexes: &[Index], plan: &Plan, what: &str, sorted: bool) -> Option<String> {
        let (mut whole, sorts, large) = if self.is_postgres() {
            // The last table has few rows here, so that PostgreSQL reads all of them.
            (plan.scans_of_postgres(indexes), "Sort Key", &LARGE[..8])
        } else {
            let sorts = "TEMP B-TREE FOR ORDER BY";
            (plan.scans_of_sqlite(), sorts, &LARGE[..])
        };
        whole.retain(|table| large.contains(table));
        let sort = plan.sorts(sorts);
        let (statement, lines) = (&plan.statement, plan.lines().join("\n  "));
        (!whole.is_empty() || (sort && !sorted))
            .then(|| format!("{what}: {whole:?} {sort}\n{statement}\n  {lines}"))
    }

    async fn page(&self, language: Language, filter: EventFilter, page: u64) -> Page<EventId> {
        let query = Query {
            visibility: Visibility { language, ..Visibility::new(Caller::Anonymous, at(START)) },
            filter,
            page: PageRequest::new(page, 10, 100),
        };
        self.store.events().page(&query).await.unwrap()
    }

    pub(super) async fn events(&self, filter: &EventFilter, page: u64) -> (Vec<i64>, u64) {
        let answer = self.page(Language::French, filter.clone(), page).await;
        let ids = answer.rows.iter().map(|id| id.get());
        (ids.collect(), answer.total)
    }

    /// The number of events that a search finds within a window of starts.
    pub(super) async fn found(&self, word: &str, language: Language, window: Window) -> u64 {
        let filter = EventFilter {
            search: Search::parse(&format!("\"{word}\"")),
            window,
            ..EventFilter::default()
        };
        self.page(language, filter, 1).await.total
    }

    /// The same number, from reading all texts.
    pub(super) async fn counted(&self, word: &str, language: Language, window: Window) -> u64 {
        let second = |moment: Option<Timestamp>, or| moment.map_or(or, Timestamp::seconds);
        let count = format!(
            "SELECT COUNT(*) AS events FROM event WHERE start_utc BETWEEN {} AND {} \
             AND COALESCE((SELECT search_text FROM event_translation \
             WHERE record_id = event.id AND language = '{}'), search_text) LIKE '%{word}%'",
            second(window.start_min, i64::MIN + 1),
            second(window.start_max, i64::MAX),
            language.code()
        );
        let backend = self.connection.get_database_backend();
        let counted = Statement::from_string(backend, count);
        let counted = self.connection.query_one_raw(counted).await.unwrap();
        let counted: i64 = counted.unwrap().try_get("", "events").unwrap();
        counted.unsigned_abs()
    }

    pub(super) async fn list<R: Resource>(&self, filter: R::Filter) {
        let query = Query {
            visibility: Visibility::new(Caller::Anonymous, at(START)),
            filter,
            page: PageRequest::new(1, 10, 100),
        };
        let repository = R::repository(&self.store);
        let ids = repository.page(&query).await.unwrap().rows;
        assert_eq!(repository.find_many(&ids).await.unwrap().len(), 10);
    }
}

/// The lines of an `EXPLAIN` of PostgreSQL.
async fn explained(connection: &impl ConnectionTrait, explain: String) -> Vec<String> {
    let explain = Statement::from_string(DbBackend::Postgres, explain);
    let rows = connection.query_all_raw(explain).await.unwrap();
    let line = |row: &QueryResult| row.try_get("", "QUERY PLAN").unwrap();
    rows.iter().map(line).collect()
}

/// The type of a bound value on PostgreSQL.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::BigInt(_) | Value::BigUnsigned(_) => "bigint",
        Value::Double(_) => "double precision",
        Value::String(_) => "text",
        other => panic!("{other:?} is sent as something that nobody looked up"),
    }
}
