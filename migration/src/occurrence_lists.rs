//! Lists of occurrences: the tables `series_in` and `occurrence_in`, and the counters of occurrences.

use crate::{
    layout::Histogram,
    triggers::{postgres, sqlite},
};

/// The histogram of categories. The histograms of tags, organizers and venues have buckets of the same width.
const SCOPES: Histogram = Histogram::CATEGORY;

/// The tables whose deleted records leave `series_in`, each with its scope. The rows of a category go with
/// its paths.
const NAMED: [(&str, Histogram); 3] = [
    ("tag", Histogram::TAG),
    ("organizer", Histogram::ORGANIZER),
    ("venue", Histogram::VENUE),
];

/// The columns of `occurrence_in`.
const COLUMNS: &str = "scope, scope_id, start_utc, occurrence_id, end_utc, published_utc";

/// The columns of `occurrence` that they come from, besides its ID.
const SOURCE: [&str; 5] = [
    "listed",
    "start_utc",
    "end_utc",
    "published_utc",
    "series_id",
];

/// The columns of `event_starts`, and its key.
const COUNTERS: &str = "event_starts (scope, scope_id, bucket, shard, starts)";
const COUNTER: &str = "(scope, scope_id, bucket, shard)";

/// Whether the series of a row of `series_in` has a category at or below that of the row.
fn is_in_category(category: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM event_category AS carried
        JOIN category_path AS path ON path.below_id = carried.term_id
        WHERE carried.event_id = series_in.series_id AND path.above_id = {category})"
    )
}

/// Returns the statements that create the tables.
pub(crate) fn tables(postgres: bool) -> String {
    // The columns after the key answer lists from the key alone.
    let (integer, without_rowid, rest) = if postgres {
        ("bigint", "", "INCLUDE (end_utc, published_utc)")
    } else {
        ("integer", "WITHOUT ROWID", "")
    };
    format!(
        "
    CREATE TABLE series_in (
        series_id {integer} NOT NULL,
        scope {integer} NOT NULL,
        scope_id {integer} NOT NULL,
        PRIMARY KEY (series_id, scope, scope_id)
    ) {without_rowid};
    CREATE INDEX series_in_scope ON series_in (scope, scope_id, series_id);
    CREATE TABLE occurrence_in (
        scope {integer} NOT NULL,
        scope_id {integer} NOT NULL,
        start_utc {integer} NOT NULL,
        occurrence_id {integer} NOT NULL,
        end_utc {integer} NOT NULL,
        published_utc {integer},
        PRIMARY KEY (scope, scope_id, start_utc, occurrence_id) {rest}
    ) {without_rowid};"
    )
}

/// Returns the triggers of SQLite.
pub(crate) fn sqlite_triggers() -> String {
    let shift = SCOPES.shift;
    let of_all = |row: &str, step| {
        let listed = format!("{row}.listed");
        [Histogram::ALL_COARSE, Histogram::ALL]
            .map(|histogram| sqlite::count(histogram, "0", row, step, &listed))
            .concat()
    };
    let count = |row: &str, step: i64| {
        of_all(row, step)
            + &format!(
                "
        INSERT INTO {COUNTERS}
        SELECT scope, scope_id, {row}.start_utc >> {shift}, 0, {step}
        FROM series_in WHERE series_id = {row}.series_id AND {row}.listed
        ON CONFLICT {COUNTER} DO UPDATE SET starts = starts + {step};"
            )
    };
    let (counted, discounted) = (count("NEW", 1), count("OLD", -1));
    let add = format!(
        "
        INSERT INTO occurrence_in ({COLUMNS})
        SELECT scope, scope_id, NEW.start_utc, NEW.id, NEW.end_utc, NEW.published_utc
        FROM series_in WHERE series_id = NEW.series_id AND NEW.listed;"
    );
    let remove = "
        DELETE FROM occurrence_in
        WHERE (scope, scope_id) IN (SELECT scope, scope_id FROM series_in WHERE series_id = OLD.series_id)
        AND start_utc = OLD.start_utc AND occurrence_id = OLD.id AND OLD.listed;";
    let all = Histogram::ALL.shift;
    let source = |row: &str| SOURCE.map(|name| format!("{row}{name}")).join(", ");
    let (columns, old, new) = (source(""), source("OLD."), source("NEW."));
    let of_series = |row: &str, step: &str| {
        format!(
            "
        INSERT INTO {COUNTERS}
        SELECT {row}.scope, {row}.scope_id, start_utc >> {shift}, 0, {step}
        FROM occurrence WHERE series_id = {row}.series_id AND listed GROUP BY start_utc >> {shift}
        ON CONFLICT {COUNTER} DO UPDATE SET starts = starts + excluded.starts;"
        )
    };
    let (count_series, discount_series) =
        (of_series("NEW", "COUNT(*)"), of_series("OLD", "-COUNT(*)"));
    let triggers = format!(
        "
    CREATE TRIGGER occurrence_added AFTER INSERT ON occurrence WHEN NEW.listed
        BEGIN {counted} {add} END;
    CREATE TRIGGER occurrence_starts_changed AFTER UPDATE OF listed, start_utc, series_id ON occurrence
        WHEN OLD.listed IS NOT NEW.listed OR (NEW.listed AND (OLD.series_id <> NEW.series_id
            OR OLD.start_utc >> {all} <> NEW.start_utc >> {all}))
        BEGIN {discounted} {counted} END;
    CREATE TRIGGER occurrence_changed AFTER UPDATE OF {columns} ON occurrence
        WHEN (OLD.listed OR NEW.listed) AND ({old}) IS NOT ({new})
        BEGIN {remove} {add} END;
    CREATE TRIGGER occurrence_removed AFTER DELETE ON occurrence WHEN OLD.listed
        BEGIN {discounted} {remove} END;

    CREATE TRIGGER series_in_added AFTER INSERT ON series_in BEGIN
        INSERT INTO occurrence_in ({COLUMNS})
        SELECT NEW.scope, NEW.scope_id, start_utc, id, end_utc, published_utc
        FROM occurrence WHERE series_id = NEW.series_id AND listed;
        {count_series}
    END;
    CREATE TRIGGER series_in_removed AFTER DELETE ON series_in BEGIN
        DELETE FROM occurrence_in WHERE scope = OLD.scope AND scope_id = OLD.scope_id
        AND (start_utc, occurrence_id) IN
        (SELECT start_utc, id FROM occurrence WHERE series_id = OLD.series_id AND listed);
        {discount_series}
    END;"
    );
    triggers + &sqlite_names()
}

/// Returns the triggers of SQLite that follow the category tree and deletions.
fn sqlite_names() -> String {
    let Histogram { scope, .. } = SCOPES;
    let is_in_category = is_in_category("OLD.above_id");
    let mut triggers = format!(
        "
    CREATE TRIGGER series_path_added AFTER INSERT ON category_path BEGIN
        INSERT INTO series_in (series_id, scope, scope_id)
        SELECT series_id, {scope}, NEW.above_id FROM series_in
        WHERE scope = {scope} AND scope_id = NEW.below_id AND EXISTS
        (SELECT 1 FROM event_category WHERE event_id = series_id AND term_id = NEW.below_id)
        ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER series_path_removed AFTER DELETE ON category_path BEGIN
        DELETE FROM series_in WHERE scope = {scope} AND scope_id = OLD.above_id AND NOT {is_in_category};
    END;
    -- Fires before the occurrences of the series are deleted: all leave the lists at once.
    CREATE TRIGGER series_removed BEFORE DELETE ON event WHEN OLD.repetition IS NOT NULL
        BEGIN DELETE FROM series_in WHERE series_id = OLD.id; END;"
    );
    triggers.extend(NAMED.iter().map(|(table, Histogram { scope, .. })| {
        format!(
            "
    CREATE TRIGGER series_{table}_removed AFTER DELETE ON {table}
        BEGIN DELETE FROM series_in WHERE scope = {scope} AND scope_id = OLD.id; END;"
        )
    }));
    triggers
}

/// The rows of `occurrence_in` that a list of rows names.
const GONE: &str = "occurrence_in.scope = gone.scope AND occurrence_in.scope_id = gone.scope_id
        AND occurrence_in.start_utc = gone.start_utc AND occurrence_in.occurrence_id = gone.id";

/// Selects the counters of the occurrences in a table, on PostgreSQL.
pub(crate) fn counters(from: &str, step: i64) -> Vec<String> {
    let shift = SCOPES.shift;
    let of_all = |Histogram { scope, shift }| {
        format!(
            "SELECT {scope} AS scope, 0::bigint AS scope_id, start_utc >> {shift} AS bucket,
                {step} AS step FROM {from} WHERE listed"
        )
    };
    let of_scopes = format!(
        "SELECT scope, scope_id, start_utc >> {shift}, {step} FROM {from}
            JOIN series_in USING (series_id) WHERE listed"
    );
    vec![
        of_all(Histogram::ALL_COARSE),
        of_all(Histogram::ALL),
        of_scopes,
    ]
}

/// Returns the triggers of PostgreSQL.
///
/// Functions that read `series_in` share the lock of the category tree: they would not see an uncommitted
/// change of the tree, and vice versa. Rows of `series_in` that new rows of `occurrence_in` come from are
/// locked against deletion.
pub(crate) fn postgres_triggers() -> String {
    let (body, share) = (postgres::BODY, postgres::SHARE_TREE);
    let shift = SCOPES.shift;
    let moved = [counters("before", -1), counters("after", 1)].concat();
    let (counted, discounted, moved) = (
        postgres::count(&counters("added", 1)),
        postgres::count(&counters("removed", -1)),
        postgres::count(&moved),
    );
    let add = |from: &str| {
        format!(
            "
        INSERT INTO occurrence_in ({COLUMNS})
        SELECT series_in.scope, series_in.scope_id, one.start_utc, one.id, one.end_utc, one.published_utc
        FROM {from} JOIN series_in ON series_in.series_id = one.series_id
        WHERE one.listed FOR KEY SHARE OF series_in;"
        )
    };
    // Without the materialization PostgreSQL reads all rows of a scope for each row that goes.
    let remove = |from: &str| {
        format!(
            "
        WITH gone AS MATERIALIZED (
            SELECT series_in.scope, series_in.scope_id, one.start_utc, one.id
            FROM {from} JOIN series_in ON series_in.series_id = one.series_id WHERE one.listed
        ) DELETE FROM occurrence_in USING gone WHERE {GONE};"
        )
    };
    let [one, other] =
        ["one", "other"].map(|row| SOURCE.map(|name| format!("{row}.{name}")).join(", "));
    let differing = |from: &str, than: &str| {
        let differs = format!("({one}) IS DISTINCT FROM ({other})");
        format!("{from} AS one JOIN {than} AS other ON other.id = one.id AND {differs}")
    };
    let (gone, come) = (differing("before", "after"), differing("after", "before"));
    let (add, add_changed) = (add("added AS one"), add(&come));
    let (remove, remove_changed) = (remove("removed AS one"), remove(&gone));
    let of_series = |from: &str, step: i64| {
        postgres::count(&[format!(
            "SELECT scope, scope_id, start_utc >> {shift} AS bucket, {step} AS step
            FROM {from} JOIN occurrence USING (series_id) WHERE listed"
        )])
    };
    let (count_series, discount_series) = (of_series("added", 1), of_series("removed", -1));
    let triggers = format!(
        "
    CREATE FUNCTION occurrence_added() {body} {share} {add} {counted} RETURN NULL; END $$;
    CREATE TRIGGER occurrence_added AFTER INSERT ON occurrence REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_added();
    CREATE FUNCTION occurrence_moved() {body} {share} {remove_changed} {add_changed} {moved}
        RETURN NULL; END $$;
    CREATE TRIGGER occurrence_moved AFTER UPDATE ON occurrence
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_moved();
    CREATE FUNCTION occurrence_removed() {body} {share} {remove} {discounted} RETURN NULL; END $$;
    CREATE TRIGGER occurrence_removed AFTER DELETE ON occurrence REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_removed();

    CREATE FUNCTION series_in_added() {body} {share}
        INSERT INTO occurrence_in ({COLUMNS})
        SELECT scope, scope_id, start_utc, id, end_utc, published_utc
        FROM added JOIN occurrence USING (series_id) WHERE listed;
        {count_series} RETURN NULL; END $$;
    CREATE TRIGGER series_in_added AFTER INSERT ON series_in REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION series_in_added();
    CREATE FUNCTION series_in_removed() {body} {share}
        WITH gone AS MATERIALIZED (
            SELECT removed.scope, removed.scope_id, one.start_utc, one.id
            FROM removed JOIN occurrence AS one USING (series_id) WHERE one.listed
        ) DELETE FROM occurrence_in USING gone WHERE {GONE};
        {discount_series} RETURN NULL; END $$;
    CREATE TRIGGER series_in_removed AFTER DELETE ON series_in REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION series_in_removed();"
    );
    triggers + &postgres_names()
}

/// Returns the triggers of PostgreSQL that follow the category tree and deletions.
fn postgres_names() -> String {
    let body = postgres::BODY;
    let Histogram { scope, .. } = SCOPES;
    let is_in_category = is_in_category("gone.above_id");
    let mut triggers = format!(
        "
    CREATE FUNCTION series_path_added() {body}
        INSERT INTO series_in (series_id, scope, scope_id)
        SELECT DISTINCT known.series_id, {scope}, added.above_id
        FROM added JOIN series_in AS known ON known.scope = {scope} AND known.scope_id = added.below_id
        JOIN event_category AS carried
        ON carried.event_id = known.series_id AND carried.term_id = added.below_id
        ON CONFLICT DO NOTHING;
        RETURN NULL; END $$;
    CREATE TRIGGER series_path_added AFTER INSERT ON category_path REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION series_path_added();
    CREATE FUNCTION series_path_removed() {body}
        DELETE FROM series_in USING (SELECT DISTINCT above_id FROM removed) AS gone
        WHERE scope = {scope} AND scope_id = gone.above_id AND NOT {is_in_category};
        RETURN NULL; END $$;
    CREATE TRIGGER series_path_removed AFTER DELETE ON category_path REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION series_path_removed();
    -- Fires before the occurrences of the series are deleted: they leave the lists at once. Triggers of
    -- rows that a foreign key deletes would fire after those of the event.
    CREATE FUNCTION series_removed() {body}
        DELETE FROM series_in WHERE series_id = OLD.id; RETURN OLD; END $$;
    CREATE TRIGGER series_removed BEFORE DELETE ON event
        FOR EACH ROW WHEN (OLD.repetition IS NOT NULL) EXECUTE FUNCTION series_removed();"
    );
    triggers.extend(NAMED.iter().map(|(table, Histogram { scope, .. })| {
        format!(
            "
    CREATE FUNCTION series_{table}_removed() {body}
        DELETE FROM series_in WHERE scope = {scope} AND scope_id = OLD.id; RETURN NULL; END $$;
    CREATE TRIGGER series_{table}_removed AFTER DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION series_{table}_removed();"
        )
    }));
    triggers
}
