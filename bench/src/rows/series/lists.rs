//! Lists of a calendar of series against those of plain events.

use domain::time::Timestamp;

use crate::{
    client::Request,
    data::{Caches, Calendar, Store},
    facts::{self, ALWAYS, Facts},
    report::Row,
    rows::{Bench, each, short},
};

/// The occurrences of a series of a seeded calendar.
const OCCURRENCES: usize = 100;

/// Number of different pages of the list.
const PAGES: usize = 100;

/// The number of a deep page of the list of all dates, if the calendar has as many.
const DEEP: usize = 5_000;

/// Number of deep pages in a round.
const DEEP_PAGES: usize = 5;

/// Number of searches in a round.
const SEARCHES: usize = 40;

/// Lists that both calendars answer, with the most that they may cost on the one of series.
struct Lists {
    row: Row,
    paths: Vec<String>,
    /// Whether they were answered before.
    is_hot: bool,
}

/// The ways in which a list shows a series other than by its occurrences.
const SHOWN: [(&str, &str); 2] = [
    (
        "first occurrence of each series",
        "hide_subsequent_recurrences=true",
    ),
    ("each series once", "expand=false"),
];

/// The rows.
pub(crate) async fn run(bench: &Bench, store: Store, now: Timestamp) -> anyhow::Result<Vec<Row>> {
    let events = bench.size(1_000_000);
    let number = (events / OCCURRENCES).max(1);
    let plain = bench.program.seeded(store, events)?;
    let repeating = bench.program.seeded_series(store, number)?;
    let at = format!(
        "{} series of {OCCURRENCES} against {} events, {}",
        short(number),
        short(events),
        store.name()
    );
    let facts = {
        let server = bench.program.serve(&plain, Caches::Default)?;
        Facts::gather(&server, 200).await?
    };
    let mut all = lists(&facts, events, now, &at);
    let shown = SHOWN.map(|(what, _)| Row::most(format!("{what}: CPU, {at}"), 150.0, 20.0, " ms"));
    let mut shown = Vec::from(shown);
    for _ in 0..bench.rounds {
        let of_plain = costs(bench, &plain, &all).await?;
        let of_series = costs(bench, &repeating, &all).await?;
        for ((list, series), plain) in all.iter_mut().zip(of_series).zip(of_plain) {
            let remark = format!("{series:.3} ms against {plain:.3} ms");
            list.row.push(series / plain, remark);
        }
        let server = bench.program.serve(&repeating, Caches::Default)?;
        each(&server, &[Request::get(&facts::list())]).await?;
        for (row, (_, query)) in shown.iter_mut().zip(SHOWN) {
            let path = format!("{}?{query}", facts::list());
            row.push(each(&server, &[Request::get(&path)]).await?.cpu_ms(), "");
        }
    }
    let lists = all.into_iter().map(|list| list.row);
    Ok(lists.chain(shown).collect())
}

/// The lists that are compared.
fn lists(facts: &Facts, events: usize, now: Timestamp, at: &str) -> Vec<Lists> {
    let list = |what: &str, must, goal, paths: Vec<String>| Lists {
        row: Row::most(format!("{what}: CPU, {at}"), must, goal, " ×"),
        paths,
        is_hot: false,
    };
    let distinct = |of: fn(&(i64, i64, i64)) -> i64| {
        let mut ids: Vec<_> = facts.triples.iter().map(of).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let each_in = |name: &str, ids: Vec<i64>, rest: &str| {
        let path = |id| format!("{}?{name}={id}{rest}", facts::list());
        ids.into_iter().map(path).collect::<Vec<_>>()
    };
    let all_dates = format!("&{ALWAYS}");
    let deepest = (events / 40).clamp(1, DEEP);
    let deep =
        (deepest..deepest + DEEP_PAGES).map(|page| format!("{}&{ALWAYS}", facts::page(page)));
    let categories = distinct(|triple| triple.0);
    vec![
        Lists {
            is_hot: true,
            ..list("list of ten, repeated", 1.3, 1.05, vec![facts::list()])
        },
        list(
            &format!("{PAGES} pages, cold"),
            1.3,
            1.05,
            (1..=PAGES.min(events / 40)).map(facts::page).collect(),
        ),
        list(
            "categories, cold",
            1.5,
            1.1,
            each_in("categories", categories.clone(), ""),
        ),
        list(
            "categories over all dates, cold",
            1.5,
            1.1,
            each_in("categories", categories, &all_dates),
        ),
        list(
            "tags, cold",
            1.5,
            1.1,
            each_in("tags", distinct(|triple| triple.1), ""),
        ),
        list(&format!("page {deepest}, cold"), 1.5, 1.1, deep.collect()),
        list(
            "search, 30 days",
            1.0,
            0.5,
            (0..SEARCHES)
                .map(|number| facts::search(number, now))
                .collect(),
        ),
    ]
}

/// CPU times of the requests of each list, in milliseconds.
async fn costs(bench: &Bench, calendar: &Calendar, lists: &[Lists]) -> anyhow::Result<Vec<f64>> {
    let mut costs = Vec::new();
    for list in lists {
        calendar.warm()?;
        let server = bench.program.serve(calendar, Caches::Default)?;
        // The first statements of a server are not measured.
        each(&server, &[Request::get(&facts::list())]).await?;
        let deep = facts::page((bench.size(1_000_000) / 40).clamp(1, 200));
        each(&server, &[Request::get(&deep)]).await?;
        let requests: Vec<_> = list.paths.iter().map(|path| Request::get(path)).collect();
        let load = if list.is_hot {
            bench.repeat(&server, &requests).await?
        } else {
            each(&server, &requests).await?
        };
        costs.push(load.cpu_ms());
    }
    Ok(costs)
}
