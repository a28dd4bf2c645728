//! Entries of the journal for records that show something else than before because another record
//! changed. Their audience is the same before and after.
//!
//! - Events, where the audience of their venue, of an organizer or of their parent changes.
//! - Events whose venue, organizer, parent, category or tag is deleted.
//! - Categories, where a slug or the parent of a category above them changes.
//!
//! Such an entry is public if the record is public, and the cause was public or is.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::m20261124_000001_journal::{
    CATEGORY, COLUMNS, EVENT, Kind, ORGANIZER, TAG, VENUE, audience,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let dialect = Dialect::of(manager.get_database_backend());
        let connection = manager.get_connection();
        connection
            .execute_unprepared(&triggers(&dialect))
            .await
            .map(drop)
    }
}

/// The differences between the databases.
pub(crate) struct Dialect {
    /// The number, the nonce and the time of each entry of a statement.
    pub(crate) own: &'static str,
    /// Locks the selected rows in the order of their IDs until the end of the transaction, so that the
    /// entries of a record follow the order of its changes.
    lock: &'static str,
    /// Writes a trigger, with its name, its time, its table, its condition, and its statement.
    pub(crate) trigger: fn(&str, [&str; 3], &str) -> String,
}

impl Dialect {
    pub(crate) fn of(backend: DbBackend) -> Self {
        match backend {
            DbBackend::Postgres => POSTGRES,
            _ => SQLITE,
        }
    }
}

/// SQLite gives each row the next number.
const SQLITE: Dialect = Dialect {
    own: "NULL, random() & 0x7fffffff, unixepoch()",
    lock: "",
    trigger: |name, [time, table, condition], statement| {
        format!(
            "
    CREATE TRIGGER journal_{name} {time} ON {table} WHEN {condition} BEGIN {statement} END;"
        )
    },
};

const POSTGRES: Dialect = Dialect {
    own: "-nextval('journal_inserted'), (random() * 2147483647)::bigint,
        extract(epoch FROM now())::bigint",
    lock: "ORDER BY id FOR SHARE",
    trigger: |name, [time, table, condition], statement| {
        let row = if time == DELETE { "OLD" } else { "NULL" };
        format!(
            "
    CREATE FUNCTION journal_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        {statement} RETURN {row}; END $$;
    CREATE TRIGGER journal_{name} {time} ON {table} FOR EACH ROW WHEN ({condition})
        EXECUTE FUNCTION journal_{name}();"
        )
    },
};

/// Links to a deleted record are there before the deletion.
const DELETE: &str = "BEFORE DELETE";

/// The statement that adds an entry for each record of a kind with one of the selected IDs. `cause` is
/// the condition that its cause was public or is.
pub(crate) fn entries(
    kind: Kind,
    ids: &str,
    cause: &str,
    Dialect { own, lock, .. }: &Dialect,
) -> String {
    let (name, staged, hides) = kind;
    let columns = match (staged, hides) {
        (true, true) => "id, stage, published_utc, author_id, hide_from_listings",
        (true, false) => "id, stage, published_utc, author_id",
        (false, _) => "id",
    };
    let [stage, due, author, hidden, public] = audience(Some("shown"), kind);
    let same = format!("{stage}, {due}, {author}, {hidden}");
    format!(
        "INSERT INTO journal ({COLUMNS})
        SELECT {own}, '{name}', shown.id, {same}, {same}, {public} AND {cause}
        FROM (SELECT {columns} FROM {name} WHERE id IN ({ids}) {lock}) AS shown;"
    )
}

/// The triggers for the events that show a record of a kind, which a list of links names. `links`
/// selects them by the ID of that record, `{id}`.
fn shown_by_events(kind: Kind, links: &str, dialect: &Dialect) -> String {
    let ids = |row: &str| links.replace("{id}", &format!("{row}.id"));
    let [[.., was], [.., is]] = ["OLD", "NEW"].map(|row| audience(Some(row), kind));
    let (name, staged, hides) = kind;
    let removed = entries(EVENT, &ids("OLD"), &was, dialect);
    let removed = (dialect.trigger)(
        &format!("{name}_unlinked"),
        [DELETE, name, "TRUE"],
        &removed,
    );
    if !staged {
        return removed;
    }
    let hidden = if hides { ", hide_from_listings" } else { "" };
    let columns = format!("stage, published_utc, author_id{hidden}");
    let values = |row| audience(Some(row), kind)[..4].join(", ");
    let changed = entries(EVENT, &ids("NEW"), &format!("({was} OR {is})"), dialect);
    let differs = format!("({}) IS DISTINCT FROM ({})", values("OLD"), values("NEW"));
    let time = format!("AFTER UPDATE OF {columns}");
    let name_of = format!("{name}_shown");
    removed + &(dialect.trigger)(&name_of, [&time, name, &differs], &changed)
}

fn triggers(dialect: &Dialect) -> String {
    let trigger = dialect.trigger;
    let parts = "SELECT id FROM event WHERE parent_id IN
        (SELECT {id} UNION ALL SELECT id FROM occurrence WHERE series_id = {id})";
    // An occurrence without a record of its own has the audience of its series. The deletion of a series
    // is a cause of its own.
    let series = audience(Some("series"), EVENT)[4].clone();
    let series = format!(
        "EXISTS (SELECT 1 FROM event AS series WHERE series.id = OLD.series_id AND {series})"
    );
    let of_occurrence = "SELECT id FROM event WHERE parent_id = OLD.id
        AND EXISTS (SELECT 1 FROM event AS series WHERE series.id = OLD.series_id)";
    let of_occurrence = entries(EVENT, of_occurrence, &series, dialect);
    let below = |row: &str| {
        let ids = format!(
            "SELECT below_id FROM category_path WHERE above_id = {row} AND below_id <> {row}"
        );
        entries(CATEGORY, &ids, "TRUE", dialect)
    };
    let moved = "(OLD.slug, OLD.parent_id) IS DISTINCT FROM (NEW.slug, NEW.parent_id)";
    [
        shown_by_events(VENUE, "SELECT id FROM event WHERE venue_id = {id}", dialect),
        shown_by_events(
            ORGANIZER,
            "SELECT event_id FROM event_organizer WHERE place_id = {id}",
            dialect,
        ),
        shown_by_events(EVENT, parts, dialect),
        trigger(
            "occurrence_unlinked",
            [DELETE, "occurrence", "NOT OLD.is_own"],
            &of_occurrence,
        ),
        shown_by_events(
            CATEGORY,
            "SELECT event_id FROM event_category WHERE term_id = {id}",
            dialect,
        ),
        shown_by_events(
            TAG,
            "SELECT event_id FROM event_tag WHERE term_id = {id}",
            dialect,
        ),
        trigger(
            "category_moved",
            ["AFTER UPDATE OF slug, parent_id", "category", moved],
            &below("NEW.id"),
        ),
        trigger(
            "category_translated",
            [
                "AFTER INSERT",
                "category_translation",
                "NEW.slug IS NOT NULL",
            ],
            &below("NEW.record_id"),
        ),
        trigger(
            "category_retranslated",
            [
                "AFTER UPDATE OF slug",
                "category_translation",
                "OLD.slug IS DISTINCT FROM NEW.slug",
            ],
            &below("NEW.record_id"),
        ),
        trigger(
            "category_untranslated",
            [
                "AFTER DELETE",
                "category_translation",
                "OLD.slug IS NOT NULL",
            ],
            &below("OLD.record_id"),
        ),
    ]
    .concat()
}
