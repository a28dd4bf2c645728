//! The instants of events after a release of the time zone database.
//!
//! The database records the release that its instants were computed with. A program with a later
//! release computes them again, 500 events in a transaction. Each transaction takes a lock and
//! records its last event. Several programs that start at once share the work, and a program
//! continues the work of one that was killed.

use std::time::{Duration, Instant};

use app::ports::{OccurrenceFilter, OccurrencePlan, OccurrenceRepository, Repository, StoreError};
use domain::{
    Event,
    time::{
        EventTime, Moment, Timestamp, Zone, ZoneData, ZoneDataVersion, format_civil, parse_civil,
    },
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait as _,
    sea_query::{Expr, Query},
};

use crate::{
    SeaOrmStore,
    entity::{
        event::{self, Column},
        event_ticket, setting, zone_move,
    },
    error::{broken_column, store_error},
    session::{OpenTransaction, Session},
    sql::{
        ColumnValue, InsertBatch, condition, from, parse_column, parse_optional_column, set,
        time_column,
    },
};

/// The advisory lock of the program that computes instants.
const LOCK: i64 = 0x6361_6c5f_7a6f_6e65;

/// The setting that holds the release.
const VERSION: &str = "zone_data";

/// The setting that holds, during the work, the new release and the ID of the last event done.
const PROGRESS: &str = "zone_data_progress";

/// The number of events in a transaction.
const EVENTS: u64 = 500;

/// The time after which the work pauses, so that other processes can write to an SQLite file.
const WORK: Duration = Duration::from_millis(200);

/// The length of that pause.
const PAUSE: Duration = Duration::from_millis(25);

/// The maximum number of attempts of a transaction that meets conflicts.
const TRIES: u32 = 10;

/// The maximum number of moved events that are logged one by one.
const LOGGED: u64 = 100;

/// Why the instants of a database cannot be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum ZoneDataError {
    /// The instants were computed with a later release than the program has.
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
    /// The database fails, or a row breaks a rule.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl From<DbErr> for ZoneDataError {
    fn from(error: DbErr) -> Self {
        Self::Failed(store_error(error))
    }
}

/// The events whose instants were recomputed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recomputed {
    /// The number of events checked.
    pub events: u64,
    /// The number of events that moved.
    pub moved: u64,
}

/// An event that a new release moved, or one of its tickets, whose times stay unchanged.
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

impl ZoneMove {
    fn columns(&self) -> [ColumnValue; 9] {
        use zone_move::Column;
        let [old, new] = &self.versions;
        let seconds = |time: Option<Timestamp>| time.map(Timestamp::seconds);
        [
            set(Column::EventId, self.event),
            set(Column::Ticket, self.ticket.as_deref()),
            set(Column::TimeZone, &self.zone),
            set(Column::OldVersion, old),
            set(Column::NewVersion, new),
            set(Column::OldStartUtc, seconds(self.before[0])),
            set(Column::OldEndUtc, seconds(self.before[1])),
            set(Column::NewStartUtc, seconds(self.after[0])),
            set(Column::NewEndUtc, seconds(self.after[1])),
        ]
    }
}

impl SeaOrmStore {
    /// The release that the instants were computed with; none in a new database.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn zone_data(&self) -> Result<Option<ZoneDataVersion>, ZoneDataError> {
        let row = setting::Entity::find_by_id(VERSION);
        Ok(version(row.one(&self.reader.connection).await?.as_ref())?)
    }

    /// Brings the instants up to date with the time zone data of this program. Several programs may
    /// do so at once: each event is computed by one of them, and all return when the last event is
    /// done.
    ///
    /// # Errors
    ///
    /// If the data of this program are older than those of the database, or if the database fails.
    pub async fn recompute_instants(&self) -> Result<Recomputed, ZoneDataError> {
        let mut all = Recomputed::default();
        let mut tries = 0;
        let mut began = Instant::now();
        loop {
            let (done, is_last) = match self.recompute_some(all.moved).await {
                Err(ZoneDataError::Failed(StoreError::Conflict)) if tries < TRIES => {
                    tries += 1;
                    continue;
                }
                done => done?,
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

    /// Computes the instants of some events, in one transaction. Returns how many, and whether no
    /// events are left.
    async fn recompute_some(&self, logged: u64) -> Result<(Recomputed, bool), ZoneDataError> {
        let transaction = OpenTransaction::begin(&self.writer).await?;
        transaction.wait_for_lock(LOCK).await?;
        let session = &transaction.session;
        let new = ZoneData::version_in_use();
        let version_row = setting::Entity::find_by_id(VERSION);
        let Some(old) = version(session.one(version_row).await?.as_ref())? else {
            save(session, VERSION, new.to_string()).await?;
            transaction.commit().await?;
            return Ok((Recomputed::default(), true));
        };
        if old > *new {
            return Err(older(old, new));
        }
        if old == *new {
            transaction.rollback().await?;
            return Ok((Recomputed::default(), true));
        }
        let progress = setting::Entity::find_by_id(PROGRESS);
        let progress = session.one(progress).await?;
        let after = progress.map_or(Ok(0), |progress| last_done(&progress.value, new))?;
        let versions = [old.to_string(), new.to_string()];
        let (done, last) = events_after(session, after, &versions, logged).await?;
        let is_last = done.events < EVENTS;
        if is_last {
            save(session, VERSION, new.to_string()).await?;
            let progress = setting::Entity::delete_by_id(PROGRESS);
            session.connection.change(progress).await?;
        } else {
            save(session, PROGRESS, format!("{new} {last}")).await?;
        }
        transaction.commit().await?;
        Ok((done, is_last))
    }

    /// The moves that newer releases caused, in the order of their recording.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn zone_moves(&self) -> Result<Vec<ZoneMove>, ZoneDataError> {
        let moves = zone_move::Entity::find().order_by_asc(zone_move::Column::Id);
        let read = |row: zone_move::Model| {
            Ok(ZoneMove {
                event: row.event_id,
                ticket: row.ticket,
                zone: row.time_zone,
                versions: [row.old_version, row.new_version],
                before: [time(row.old_start_utc)?, time(row.old_end_utc)?],
                after: [time(row.new_start_utc)?, time(row.new_end_utc)?],
            })
        };
        moves
            .all(&self.writer)
            .await?
            .into_iter()
            .map(read)
            .collect()
    }
}

/// A time of a row.
fn time(seconds: Option<i64>) -> Result<Option<Timestamp>, StoreError> {
    let out_of_range = || StoreError::Internal("a row has a time out of range".to_owned());
    let time = |seconds| Timestamp::from_seconds(seconds).ok_or_else(out_of_range);
    seconds.map(time).transpose()
}

/// The columns of [`StoredTime`].
const TIME: [Column; 7] = [
    Column::Id,
    Column::TimeZone,
    Column::StartLocal,
    Column::StartUtc,
    Column::EndLocal,
    Column::EndUtc,
    Column::AllDay,
];

/// An event's ID, zone, start and end as wall clock and instant, and whether it lasts whole days.
type StoredTime = (i64, String, String, i64, String, i64, bool);

/// Reads a start or an end.
fn moment((local, utc): (Column, Column), text: &str, seconds: i64) -> Result<Moment, StoreError> {
    let unknown = || broken_column(local, format!("unknown word {text}"));
    Ok(Moment {
        local: parse_civil(text).ok_or_else(unknown)?,
        utc: time_column(utc, seconds)?,
    })
}

/// Computes the instants of the events after an ID; returns the ID of the last one.
async fn events_after(
    session: &Session,
    after: i64,
    versions: &[String; 2],
    logged: u64,
) -> Result<(Recomputed, i64), StoreError> {
    let mut events = event::Entity::find()
        .select_only()
        .columns(TIME)
        .filter(Column::Id.gt(after))
        .order_by_asc(Column::Id)
        .limit(EVENTS);
    if session.is_postgres() {
        // Other transactions cannot change the events meanwhile.
        events = events.lock_exclusive();
    }
    let events: Vec<StoredTime> = session.connection.values(&events.into_query()).await?;
    let (mut done, mut last) = (Recomputed::default(), after);
    let mut rows = InsertBatch::default();
    for (id, zone, start, start_utc, end, end_utc, all_day) in events {
        (done.events, last) = (done.events + 1, id);
        let zone: Zone = parse_column(Column::TimeZone, &zone)?;
        let start = moment((Column::StartLocal, Column::StartUtc), &start, start_utc)?;
        let end = moment((Column::EndLocal, Column::EndUtc), &end, end_utc)?;
        let time = EventTime::by_present_rules(zone, start, end, all_day);
        if (time.start(), time.end()) == (start, end) {
            continue;
        }
        done.moved += 1;
        update_instants(session, id, &time).await?;
        if logged + done.moved <= LOGGED {
            tracing::info!(
                event = id,
                zone = time.zone().name(),
                start_before = %start.utc,
                start = %time.start().utc,
                "new time zone rules moved an event"
            );
        }
        let moved = ZoneMove {
            event: id,
            ticket: None,
            zone: time.zone().name().to_owned(),
            versions: versions.clone(),
            before: [Some(start.utc), Some(end.utc)],
            after: [Some(time.start().utc), Some(time.end().utc)],
        };
        rows.push(zone_move::Entity, moved.columns());
        for (name, times) in tickets(session, id).await? {
            let of_ticket = ZoneMove {
                ticket: Some(name),
                before: times,
                after: times,
                ..moved.clone()
            };
            rows.push(zone_move::Entity, of_ticket.columns());
        }
    }
    rows.insert(session).await?;
    update_occurrences(session, after, last).await?;
    Ok((done, last))
}

/// Computes the instants of the occurrences of the series among the events from one ID to another.
/// Their slots stay.
async fn update_occurrences(session: &Session, after: i64, last: i64) -> Result<(), StoreError> {
    let series = from(event::Entity)
        .column(Column::Id)
        .and_where(Column::Id.gt(after))
        .and_where(Column::Id.lte(last))
        .cond_where(condition::is_series())
        .take();
    for id in session.ids::<Event>(&series).await? {
        let Some(series) = Repository::<Event>::find(session, id).await? else {
            continue;
        };
        let all = session.of_series(id, &OccurrenceFilter::default()).await?;
        let changes = OccurrencePlan {
            kept: all.into_iter().map(|one| (one.id, one.slot)).collect(),
            ..OccurrencePlan::default()
        };
        session.apply(&series, &changes).await?;
    }
    Ok(())
}

/// Writes the new time of an event. Triggers update its links and counters; its revision stays.
pub(crate) async fn update_instants(
    session: &Session,
    id: i64,
    time: &EventTime,
) -> Result<(), StoreError> {
    let (start, end) = (time.start(), time.end());
    let update = Query::update()
        .table(event::Entity)
        .value(Column::StartLocal, format_civil(start.local))
        .value(Column::EndLocal, format_civil(end.local))
        .value(Column::StartUtc, start.utc.seconds())
        .value(Column::EndUtc, end.utc.seconds())
        .and_where(Expr::col(Column::Id).eq(id))
        .take();
    session.connection.run(&update).await?;
    Ok(())
}

/// The tickets of an event that have a time: name, start and end of the sale.
async fn tickets(
    session: &Session,
    event: i64,
) -> Result<Vec<(String, [Option<Timestamp>; 2])>, StoreError> {
    let (from, until) = (
        event_ticket::Column::AvailableFromUtc,
        event_ticket::Column::AvailableUntilUtc,
    );
    let tickets = event_ticket::Entity::find()
        .filter(event_ticket::Column::EventId.eq(event))
        .filter(from.is_not_null().or(until.is_not_null()))
        .order_by_asc(event_ticket::Column::Position);
    let read = |ticket: event_ticket::Model| {
        let times = [
            time(ticket.available_from_utc)?,
            time(ticket.available_until_utc)?,
        ];
        Ok((ticket.name, times))
    };
    session.all(tickets).await?.into_iter().map(read).collect()
}

fn older(database: ZoneDataVersion, program: &ZoneDataVersion) -> ZoneDataError {
    ZoneDataError::Older {
        database,
        program: program.clone(),
    }
}

/// Parses a recorded release.
fn version(row: Option<&setting::Model>) -> Result<Option<ZoneDataVersion>, StoreError> {
    let version = row.map(|row| &*row.value);
    parse_optional_column(setting::Column::Value, version)
}

/// The ID of the last event done with a release; 0 if the progress is of another one.
fn last_done(progress: &str, new: &ZoneDataVersion) -> Result<i64, ZoneDataError> {
    let broken = || {
        broken_column(
            setting::Column::Value,
            format!("unknown progress {progress}"),
        )
    };
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

async fn save(session: &Session, name: &str, value: String) -> Result<(), StoreError> {
    let row = setting::ActiveModel {
        name: Set(name.to_owned()),
        value: Set(value),
    };
    session.put(row).await
}
