//! Searches, one after the other, on a server without caches. Their CPU time includes the total and
//! the ten events of the response.

use domain::time::Timestamp;

use super::{Bench, short};
use crate::{
    client::Request,
    data::{Caches, Calendar, Store},
    load::{self, Load, Plan, Until},
    process::Server,
    report::Row,
    searches::{Dates, Searches},
};

/// Number of events of a large calendar, for which searches of common words may take longer.
const LARGE: usize = 1_000_000;

/// The bounds of the CPU time of a search for common words, in milliseconds: must and goal.
fn common_bounds(events: usize) -> (f64, f64) {
    if events >= LARGE {
        (80.0, 20.0)
    } else {
        (15.0, 4.0)
    }
}

/// A calendar and its server.
struct Sized {
    events: usize,
    calendar: Calendar,
    server: Server,
}

impl Sized {
    async fn new(bench: &Bench, store: Store, wanted: usize) -> anyhow::Result<Self> {
        let events = bench.size(wanted);
        let calendar = bench.program.seeded(store, events)?;
        let server = bench.program.serve(&calendar, Caches::Off)?;
        // The program may still have work to do for the index.
        load::quiet(&server).await?;
        Ok(Self {
            events,
            calendar,
            server,
        })
    }
}

/// The rows about searches on a store.
pub(crate) async fn run(bench: &Bench, store: Store, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let largest = bench.largest(store);
    let small = Sized::new(bench, store, 10_000.min(largest)).await?;
    let middle = Sized::new(bench, store, 100_000.min(largest)).await?;
    let large = Sized::new(bench, store, LARGE.min(largest)).await?;

    let mut common = vec![&middle];
    if large.events > middle.events {
        common.push(&large);
    }
    let mut rare = vec![&middle];
    if small.events < middle.events {
        rare.insert(0, &small);
    }
    let mut rows = Vec::new();
    for (what, searches, calendars, bounds) in [
        (
            "a word of 20 %, default dates",
            Searches::common(Dates::Default),
            &common,
            None,
        ),
        (
            "a word of 20 %, all dates",
            Searches::common(Dates::All),
            &common,
            None,
        ),
        (
            "two words of 20 %, all dates",
            Searches::pairs(Dates::All),
            &common,
            None,
        ),
        (
            "a word of 4 %, 30 days",
            Searches::occasional(Dates::Month),
            &vec![&middle],
            Some((3.0, 1.0)),
        ),
        (
            "rare words, default dates",
            Searches::rare(Dates::Default),
            &rare,
            Some((3.0, 1.0)),
        ),
    ] {
        for sized in calendars {
            let (must, goal) = bounds.unwrap_or_else(|| common_bounds(sized.events));
            let at = format!("{}, {}", store.name(), short(sized.events));
            let mut row = Row::most(format!("search, {what}: CPU, {at}"), must, goal, " ms");
            cost(bench, sized, &searches, now, &mut row).await?;
            rows.push(row);
        }
    }
    if small.events < large.events {
        rows.push(growth(bench, store, &small, &large, now).await?);
    }
    if store == Store::Sqlite && large.events >= LARGE {
        rows.push(size(bench, large.events)?);
    }
    Ok(rows)
}

/// Adds the CPU time of searches.
async fn cost(
    bench: &Bench,
    sized: &Sized,
    searches: &Searches,
    now: Timestamp,
    row: &mut Row,
) -> anyhow::Result<()> {
    sized.calendar.warm()?;
    let share = searches.check(&sized.server, sized.events, now).await?;
    let list = in_turn(bench, &sized.server, &searches.lists(now)).await?;
    let list = list.cpu_ms();
    let requests = searches.requests(now);
    for _ in 0..bench.rounds {
        let load = in_turn(bench, &sized.server, &requests).await?;
        let wall = load.wall_ms();
        let remark = format!(
            "{wall:.2} ms until the answer, {share:.2} % found; the list without a search \
             {list:.2} ms"
        );
        row.push(load.cpu_ms(), remark);
    }
    Ok(())
}

/// Growth of the cost of a search within 30 days. The word is so common that the smallest calendar
/// has ten events for most of the responses, as the largest one has.
async fn growth(
    bench: &Bench,
    store: Store,
    small: &Sized,
    large: &Sized,
    now: Timestamp,
) -> anyhow::Result<Row> {
    let (from, to) = (short(small.events), short(large.events));
    let name = format!(
        "growth {from} → {to}: search, 30 days, cold, {}",
        store.name()
    );
    let mut row = Row::most(name, 2.0, 1.3, " ×");
    let searches = Searches::common(Dates::Month);
    for sized in [small, large] {
        sized.calendar.warm()?;
        searches.check(&sized.server, sized.events, now).await?;
    }
    let requests = searches.requests(now);
    for _ in 0..bench.rounds {
        let few = in_turn(bench, &small.server, &requests).await?.cpu_ms();
        let many = in_turn(bench, &large.server, &requests).await?.cpu_ms();
        row.push(many / few, format!("{few:.3} ms → {many:.3} ms"));
    }
    Ok(row)
}

/// The size of a calendar on disk.
fn size(bench: &Bench, events: usize) -> anyhow::Result<Row> {
    let name = format!("size on disk, SQLite, {}", short(events));
    let mut row = Row::most(name, 6.0, 4.5, " GB");
    let calendar = bench.program.seeded(Store::Sqlite, events)?;
    let bytes = load::count(usize::try_from(calendar.bytes())?);
    let each = bytes / load::count(events) / 1000.0;
    let remark = format!("{each:.2} kB an event, which has 1.5 kB of text on average");
    row.push(bytes / 1e9, remark);
    Ok(row)
}

/// Sends requests in turn from one client, so that no two of them share work.
async fn in_turn(bench: &Bench, server: &Server, requests: &[Request]) -> anyhow::Result<Load> {
    let plan = Plan {
        requests,
        clients: 1,
        until: Until::Time(bench.time),
        status: 200,
    };
    load::run(server, &plan).await
}
