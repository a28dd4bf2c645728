//! A command-line client of a calendar, on the use cases of `app`: no HTTP, no server. It lists the
//! next events of an SQLite file and adds some. The store is not the one in memory, because the next
//! run lists what this one adds; the server can serve the same file.
//!
//! Run it with `cargo run -p examples --example agenda -- agenda.db add "River cleanup" "+3 days 9:00"`,
//! and then with `cargo run -p examples --example agenda -- agenda.db list`.

use std::{env, error::Error, sync::Arc};

use adapters_db::DbOptions;
use app::{
    Calendar,
    auth::Accounts,
    ports::{Media, SystemClock},
    site::Site,
    write::{NewEvent, ReadOptions},
};
use domain::{
    Event,
    event::{EventFilter, Window},
    page::PageRequest,
    policy::Caller,
    time::{EventTime, parse_date},
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let usage = "usage: agenda FILE list, or: agenda FILE add TITLE DATE";
    let (file, command) = arguments.split_first().ok_or(usage)?;
    let store = adapters_db::connect(&DbOptions::new(format!("sqlite://{file}"))).await?;
    store.prepare().await?;
    let (shared, clock) = (Arc::new(store.clone()), Arc::new(SystemClock));
    let accounts = Accounts::new(shared.clone(), clock.clone());
    // The address at which the server would serve the file: the UIDs of events have its host.
    let site = Site::at("https://cal.example");
    let calendar = Calendar::new(shared, clock, Media::none(), site).await?;
    match command {
        ["add", title, date] => add(&calendar, &accounts, title, date).await?,
        ["list"] => list(&calendar).await?,
        _ => return Err(usage.into()),
    }
    Ok(store.close().await?)
}

/// Adds an event of an hour, as the administrator, whom the first run creates.
async fn add(
    calendar: &Calendar,
    accounts: &Accounts,
    title: &str,
    date: &str,
) -> Result<(), Box<dyn Error>> {
    if let Some(token) = accounts.ensure_administrator().await? {
        println!("token of admin, shown once: {}", token.text.expose());
    }
    let user = accounts.user("admin").await?;
    let caller = Caller::of(user.id, user.role);
    let zone = calendar.site().zone.clone();
    let start = parse_date(date, &zone, calendar.now())?;
    let end = parse_date("+1 hour", &zone, start.utc)?;
    let when = EventTime::between(zone, start, end, false)?;
    let event = NewEvent::builder(title.parse()?, when).build();
    let added = calendar.create(caller, &event).await?.event.stored()?;
    println!("added event {}: {}, {}", added.id, added.title, added.details.when.start().local);
    Ok(())
}

/// Lists the events that have not ended, as anybody sees them.
async fn list(calendar: &Calendar) -> Result<(), Box<dyn Error>> {
    let window = Window { end_min: Some(calendar.now()), ..Window::default() };
    let next = EventFilter { window, ..EventFilter::default() };
    let (page, options) = (PageRequest::new(1, 20, 100), ReadOptions::default());
    let page = calendar.query::<Event>(Caller::Anonymous, None, next, page, &options).await?;
    println!("{} of {} events", page.rows.len(), page.total);
    for view in page.rows {
        println!("{}  {}", view.event.details.when.start().local, view.event.title);
    }
    Ok(())
}
