//! Searches without end from several addresses, and lists meanwhile.

use std::{
    cell::{Cell, RefCell},
    net::Ipv4Addr,
    time::Instant,
};

use anyhow::ensure;
use domain::time::Timestamp;
use futures_util::future::try_join_all;
use tokio::try_join;

use super::{Bench, short};
use crate::{
    client::{Client, Request},
    data::{Caches, Store},
    facts,
    load::{self, Plan, Until},
    process::Server,
    report::Row,
    searches::{Dates, Searches},
};

/// Number of clients that search, each from an address of its own.
const SEARCHERS: u8 = 8;

/// Number of different pages of the list.
const PAGES: usize = 100;

/// Duration of a flood, in measurements: a percentile needs many searches.
const LENGTH: u32 = 4;

/// The rows about a flood of searches on the largest calendar of a store.
pub(crate) async fn run(bench: &Bench, store: Store, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(bench.largest(store));
    let at = format!("{}, {}", store.name(), short(events));
    let name = format!("{SEARCHERS} clients search common words: 99th percentile, {at}");
    let mut slowest = Row::most(name, 250.0, 100.0, " ms");
    let name = format!("lists meanwhile, relative to lists alone, {at}");
    let mut lists = Row::least(name, 50.0, 80.0, " %");

    let calendar = bench.program.seeded(store, events)?;
    let facts = super::hot::gather(bench, &calendar).await?;
    calendar.warm()?;
    let server = bench.program.serve(&calendar, Caches::Off)?;
    load::quiet(&server).await?;
    let pages: Vec<_> = (1..=PAGES.min(facts.ids.len() / 10))
        .map(|number| Request::get(&facts::page(number)))
        .collect();
    let searches = [Dates::Default, Dates::All].map(Searches::common);
    for one in &searches {
        one.check(&server, events, now).await?;
    }
    for _ in 0..bench.rounds {
        let alone = bench.repeat(&server, &pages).await?;
        let (times, is_over) = (RefCell::new(Vec::new()), Cell::new(false));
        let flood =
            (0..SEARCHERS).map(|number| search(&server, &searches, number, now, &times, &is_over));
        let listing = async {
            let plan = Plan {
                requests: &pages,
                clients: bench.clients,
                until: Until::Time(bench.time * LENGTH),
                status: 200,
            };
            let load = load::run(&server, &plan).await;
            is_over.set(true);
            load
        };
        let (meanwhile, _) = try_join!(listing, try_join_all(flood))?;
        let mut times = times.into_inner();
        times.sort_by(f64::total_cmp);
        // Each client has searched at least once.
        let percentile = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1];
        slowest.push(
            percentile(99),
            format!("median {:.1} ms, {} searches", percentile(50), times.len()),
        );
        let (alone, meanwhile) = (alone.per_second(), meanwhile.per_second());
        lists.push(
            100.0 * meanwhile / alone,
            format!("{meanwhile:.0}/s, alone {alone:.0}/s"),
        );
    }
    Ok(vec![slowest, lists])
}

/// Searches for a common word of its own until it is over, and adds the duration of each search in milliseconds. The last one is
/// awaited too, so that slow searches are not left out.
async fn search(
    server: &Server,
    searches: &[Searches],
    number: u8,
    now: Timestamp,
    times: &RefCell<Vec<f64>>,
    is_over: &Cell<bool>,
) -> anyhow::Result<()> {
    let address = Ipv4Addr::new(127, 0, 1, 1 + number);
    let mut client = Client::connect_from(address, server.address).await?;
    let words = usize::from(number);
    for (turn, kind) in searches.iter().cycle().enumerate() {
        if is_over.get() {
            break;
        }
        let path = kind.path(words, turn, now);
        let begun = Instant::now();
        let status = client.send(&Request::get(&path)).await?.status;
        ensure!(status == 200, "{path} was answered {status}");
        let time = begun.elapsed().as_secs_f64() * 1000.0;
        times.borrow_mut().push(time);
    }
    Ok(())
}
