//! The instants of events after a new release of the time zone database.
//!
//! The database records the release by which its instants were worked out. A program with a later one works
//! them out anew, some hundred events in a transaction. The last event that was done is recorded with each
//! transaction, and a lock is held for it: of several programs that start at once each does what is still to be
//! done, and one that was killed is continued by the next.

use std::time::{Duration, Instant};

use app::ports::StoreError;
use domain::time::{
    EventTime, Moment, Timestamp, Zone, ZoneData, ZoneDataVersion, format_civil, parse_civil,
};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExprTrait, Statement,
    sea_query::{Expr, OnConflict, Order, Query},
};

use crate::{
    SeaOrmStore,
    connection::{Connection, begin_immediate},
    error::{broken_row, store_error},
    session::Session,
    sql::{InsertBatch, Row},
    tables::TICKETS,
};

/// The number under which programs agree on who works instants out.
const LOCK: i64 = 0x6361_6c5f_7a6f_6e65;

/// The setting that holds the release.
const VERSION: &str = "zone_data";

/// The setting that holds, while instants are worked out, the new release and the ID of the last event done.
const PROGRESS: &str = "zone_data_progress";

/// How many events are done in a transaction.
const EVENTS: u64 = 500;

/// After so much work an SQLite file is left to others, who look for it now and then.
const WORK: Duration = Duration::from_millis(200);

/// For so long it is.
const PAUSE: Duration = Duration::from_millis(25);

/// How often a transaction is tried that loses against others.
const TRIES: u32 = 10;

/// So many events that move are logged one by one.
const LOGGED: u64 = 100;

const MOVES: &str = "zone_move";

/// Why the instants of a database do not fit the time zone data of the program.
#[derive(Debug, thiserror::Error)]
pub enum ZoneDataError {
    /// They were worked out by a later release than the program has.
    #[error(
        "the times in the database were worked out with the time zone data {database}, and this program \
         has {program}, which is older"
    )]
    Older {
        /// The release of the database.
        database: ZoneDataVersion,
        /// The release of the program.
        program: ZoneDataVersion,
    },
    /// The database fails, or holds what cannot be.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl From<DbErr> for ZoneDataError {
    fn from(error: DbErr) -> Self {
        Self::Failed(store_error(error))
    }
}

/// The work that this program did to bring the instants of a database up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reworked {
    /// How many events it looked at.
    pub events: u64,
    /// How many of them moved.
    pub moved: u64,
}

/// An event that a new release moved, or a ticket of such an event, whose times stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneMove {
    /// ID of the event.
    pub event: i64,
    /// Name of the ticket.
    pub ticket: Option<String>,
    /// Zone of the event.
    pub zone: String,
    /// The former release and the new one.
    pub versions: [String; 2],
    /// Start and end before, in UTC.
    pub before: [Option<Timestamp>; 2],
    /// Start and end after, in UTC.
    pub after: [Option<Timestamp>; 2],
}

/// Whether there is more to be done.
enum Step {
    More(Reworked),
    Done(Reworked),
}

impl SeaOrmStore {
    /// The release by which the instants were worked out; none in a new database.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn zone_data(&self) -> Result<Option<ZoneDataVersion>, ZoneDataError> {
        Ok(version(setting(&self.writer, VERSION).await?.as_deref())?)
    }

    /// Brings the instants up to date with the time zone data of this program. Several programs may do so at
    /// once: each event is worked out by one of them, and all end when the last is done.
    ///
    /// # Errors
    ///
    /// If the data of this program are older than those of the database, or if the database fails.
    pub async fn rework_instants(&self) -> Result<Reworked, ZoneDataError> {
        let mut all = Reworked::default();
        let mut tries = 0;
        let mut began = Instant::now();
        loop {
            let (done, is_last) = match self.rework_some(all.moved).await {
                Ok(Step::Done(done)) => (done, true),
                Ok(Step::More(done)) => (done, false),
                Err(ZoneDataError::Failed(StoreError::Conflict)) if tries < TRIES => {
                    tries += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            tries = 0;
            all.events += done.events;
            all.moved += done.moved;
            self.data_version.committed().await;
            if is_last {
                return Ok(all);
            }
            if began.elapsed() > WORK {
                tokio::time::sleep(PAUSE).await;
                began = Instant::now();
            }
        }
    }

    /// Works out some events, in one transaction.
    async fn rework_some(&self, logged: u64) -> Result<Step, ZoneDataError> {
        let session = Session::new(begin_immediate(&self.writer).await?);
        let transaction = &session.connection;
        if session.is_postgres() {
            let lock = Statement::from_sql_and_values(
                DbBackend::Postgres,
                "SELECT pg_advisory_xact_lock($1)",
                [LOCK.into()],
            );
            transaction
                .execute_unprepared("SET LOCAL statement_timeout = 0")
                .await?;
            transaction.execute_raw(lock).await?;
        }
        let new = ZoneData::version_in_use();
        let Some(old) = version(setting(transaction, VERSION).await?.as_deref())? else {
            set(transaction, VERSION, new.to_string()).await?;
            session.connection.commit().await?;
            return Ok(Step::Done(Reworked::default()));
        };
        if old > *new {
            return Err(older(old, new));
        }
        if old == *new {
            session.connection.rollback().await?;
            return Ok(Step::Done(Reworked::default()));
        }
        let progress = setting(transaction, PROGRESS).await?;
        let after = progress.map_or(Ok(0), |progress| last_done(&progress, new))?;
        let versions = [old.to_string(), new.to_string()];
        let (done, last) = events_after(&session, after, &versions, logged).await?;
        let is_last = done.events < EVENTS;
        if is_last {
            set(transaction, VERSION, new.to_string()).await?;
            remove(transaction, PROGRESS).await?;
        } else {
            set(transaction, PROGRESS, format!("{new} {last}")).await?;
        }
        session.connection.commit().await?;
        Ok(if is_last {
            Step::Done(done)
        } else {
            Step::More(done)
        })
    }

    /// The moves that newer releases caused, in the order of their recording.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn zone_moves(&self) -> Result<Vec<ZoneMove>, ZoneDataError> {
        let select = Query::select()
            .columns([
                "event_id",
                "ticket",
                "time_zone",
                "old_version",
                "new_version",
                "old_start_utc",
                "old_end_utc",
                "new_start_utc",
                "new_end_utc",
            ])
            .from(MOVES)
            .order_by("id", Order::Asc)
            .take();
        let rows = self.writer.rows(&select).await?;
        let read = |result| {
            let row = Row::new(MOVES, result);
            Ok(ZoneMove {
                event: row.get("event_id")?,
                ticket: row.get("ticket")?,
                zone: row.get("time_zone")?,
                versions: [row.get("old_version")?, row.get("new_version")?],
                before: [
                    row.optional_moment("old_start_utc")?,
                    row.optional_moment("old_end_utc")?,
                ],
                after: [
                    row.optional_moment("new_start_utc")?,
                    row.optional_moment("new_end_utc")?,
                ],
            })
        };
        rows.iter().map(read).collect()
    }
}

/// An event as it is stored, as far as its time goes.
struct StoredTime {
    id: i64,
    zone: Zone,
    start: Moment,
    end: Moment,
    all_day: bool,
}

impl StoredTime {
    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let moment = |local, utc| {
            Ok::<_, StoreError>(Moment {
                local: row.word(local, parse_civil)?,
                utc: row.moment(utc)?,
            })
        };
        Ok(Self {
            id: row.get("id")?,
            zone: row.parse("time_zone", str::parse::<Zone>)?,
            start: moment("start_local", "start_utc")?,
            end: moment("end_local", "end_utc")?,
            all_day: row.get("all_day")?,
        })
    }
}

/// Works out the events that come after an ID; answers the ID of the last one.
async fn events_after(
    session: &Session<DatabaseTransaction>,
    after: i64,
    versions: &[String; 2],
    logged: u64,
) -> Result<(Reworked, i64), StoreError> {
    let mut select = Query::select();
    select
        .columns([
            "id",
            "time_zone",
            "start_local",
            "end_local",
            "start_utc",
            "end_utc",
            "all_day",
        ])
        .from("event")
        .and_where(Expr::col("id").gt(after))
        .order_by("id", Order::Asc)
        .limit(EVENTS);
    if session.is_postgres() {
        // Nobody else changes them meanwhile.
        select.lock_exclusive();
    }
    let rows = session.connection.rows(&select).await?;
    let (mut done, mut last) = (Reworked::default(), after);
    let mut moves = InsertBatch::default();
    for result in &rows {
        let before = StoredTime::read(&Row::new("event", result))?;
        let StoredTime {
            id,
            zone,
            start,
            end,
            all_day,
        } = before;
        (done.events, last) = (done.events + 1, id);
        let time = EventTime::by_present_rules(zone, start, end, all_day);
        if (time.start(), time.end()) == (start, end) {
            continue;
        }
        done.moved += 1;
        update(session, id, &time).await?;
        let (old, new) = ([start, end], [time.start(), time.end()]);
        let [old, new] = [old, new].map(|times| times.map(|moment| Some(moment.utc)));
        if logged + done.moved <= LOGGED {
            tracing::info!(
                event = id,
                zone = time.zone().name(),
                start_before = %start.utc,
                start = %time.start().utc,
                "new time zone rules moved an event"
            );
        }
        push(&mut moves, (id, None), time.zone(), versions, old, new);
        for (name, times) in tickets(session, id).await? {
            push(
                &mut moves,
                (id, Some(name)),
                time.zone(),
                versions,
                times,
                times,
            );
        }
    }
    moves.insert(session).await?;
    Ok((done, last))
}

/// Writes the new time of an event. Triggers update its links and counters; its revision stays.
async fn update(
    session: &Session<DatabaseTransaction>,
    id: i64,
    time: &EventTime,
) -> Result<(), StoreError> {
    let (start, end) = (time.start(), time.end());
    let update = Query::update()
        .table("event")
        .value("start_local", format_civil(start.local))
        .value("end_local", format_civil(end.local))
        .value("start_utc", start.utc.seconds())
        .value("end_utc", end.utc.seconds())
        .and_where(Expr::col("id").eq(id))
        .take();
    session.connection.run(&update).await?;
    Ok(())
}

/// The tickets of an event that have a time: name, from when and until when.
async fn tickets(
    session: &Session<DatabaseTransaction>,
    event: i64,
) -> Result<Vec<(String, [Option<Timestamp>; 2])>, StoreError> {
    let (from, until) = ("available_from_utc", "available_until_utc");
    let select = Query::select()
        .columns(["name", from, until])
        .from(TICKETS)
        .and_where(Expr::col("event_id").eq(event))
        .and_where(
            Expr::col(from)
                .is_not_null()
                .or(Expr::col(until).is_not_null()),
        )
        .order_by("position", Order::Asc)
        .take();
    let rows = session.connection.rows(&select).await?;
    let read = |result| {
        let row = Row::new(TICKETS, result);
        let times = [row.optional_moment(from)?, row.optional_moment(until)?];
        Ok((row.get("name")?, times))
    };
    rows.iter().map(read).collect()
}

/// Notes what moved, or a ticket that stays.
fn push(
    moves: &mut InsertBatch,
    (event, ticket): (i64, Option<String>),
    zone: &Zone,
    [old, new]: &[String; 2],
    before: [Option<Timestamp>; 2],
    after: [Option<Timestamp>; 2],
) {
    let seconds = |time: Option<Timestamp>| time.map(Timestamp::seconds).into();
    let row = [
        ("event_id", event.into()),
        ("ticket", ticket.into()),
        ("time_zone", zone.name().into()),
        ("old_version", old.as_str().into()),
        ("new_version", new.as_str().into()),
        ("old_start_utc", seconds(before[0])),
        ("old_end_utc", seconds(before[1])),
        ("new_start_utc", seconds(after[0])),
        ("new_end_utc", seconds(after[1])),
    ];
    moves.push(MOVES, row);
}

fn older(database: ZoneDataVersion, program: &ZoneDataVersion) -> ZoneDataError {
    ZoneDataError::Older {
        database,
        program: program.clone(),
    }
}

/// A release as it is recorded.
fn version(text: Option<&str>) -> Result<Option<ZoneDataVersion>, StoreError> {
    text.map(|text| {
        text.parse()
            .map_err(|error| broken_row("setting", "value", error))
    })
    .transpose()
}

/// The ID of the last event that was worked out by a release; 0 if that was another one.
fn last_done(progress: &str, new: &ZoneDataVersion) -> Result<i64, ZoneDataError> {
    let broken = || broken_row("setting", "value", format!("unknown progress {progress}"));
    let (under_way, last) = progress.split_once(' ').ok_or_else(broken)?;
    let under_way: ZoneDataVersion = under_way.parse().map_err(|_| broken())?;
    if under_way > *new {
        return Err(older(under_way, new));
    }
    if under_way < *new {
        return Ok(0);
    }
    Ok(last.parse().map_err(|_| broken())?)
}

async fn setting<C: Connection>(connection: &C, name: &str) -> Result<Option<String>, StoreError> {
    let select = Query::select()
        .column("value")
        .from("setting")
        .and_where(Expr::col("name").eq(name))
        .take();
    let row = connection.row(&select).await?;
    row.map(|row| row.try_get("", "value").map_err(store_error))
        .transpose()
}

async fn set<C: Connection>(connection: &C, name: &str, value: String) -> Result<(), StoreError> {
    let insert = Query::insert()
        .into_table("setting")
        .columns(["name", "value"])
        .values_panic([name.into(), value.into()])
        .on_conflict(OnConflict::column("name").update_column("value").to_owned())
        .take();
    connection.run(&insert).await?;
    Ok(())
}

async fn remove<C: Connection>(connection: &C, name: &str) -> Result<(), StoreError> {
    let delete = Query::delete()
        .from_table("setting")
        .and_where(Expr::col("name").eq(name))
        .take();
    connection.run(&delete).await?;
    Ok(())
}
