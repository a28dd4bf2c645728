//! A command-line client of a calendar, on `app` alone: no HTTP, no server. It lists the events of
//! an SQLite file and adds some. An SQLite file and not the store in memory, because what one run
//! adds, the next run lists; a server can serve the same file.
//!
//! ```sh
//! cargo run -p examples --example agenda -- agenda.db add "River cleanup" "2030-06-01 09:00"
//! cargo run -p examples --example agenda -- agenda.db list
//! ```

use std::{env, error::Error, process::ExitCode, sync::Arc};

use adapters_db::DbOptions;
use app::{
    Calendar,
    auth::Accounts,
    input::Fields,
    ports::{Media, SystemClock},
    site::Site,
};
use domain::{Event, policy::Caller};
use serde_json::json;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let Some((file, command)) = arguments.split_first() else {
        eprintln!("usage: agenda FILE list | agenda FILE add TITLE DATE");
        return Ok(ExitCode::FAILURE);
    };
    let store = adapters_db::connect(&DbOptions::new(format!("sqlite://{file}"))).await?;
    store.migrate().await?;
    let shared = Arc::new(store.clone());
    let accounts = Accounts::new(shared.clone(), Arc::new(SystemClock));
    let calendar = Calendar::new(
        shared,
        Arc::new(SystemClock),
        Media::none(),
        Site::default(),
    );
    let calendar = calendar.await?;

    match command {
        ["add", title, date] => add(&calendar, &accounts, title, date).await?,
        ["list"] => list(&calendar).await?,
        _ => return Err(format!("unknown command: {}", command.join(" ")).into()),
    }
    store.close().await?;
    Ok(ExitCode::SUCCESS)
}

/// Adds a public event of an hour, as the administrator.
async fn add(
    calendar: &Calendar,
    accounts: &Accounts,
    title: &str,
    date: &str,
) -> Result<(), Box<dyn Error>> {
    accounts.ensure_administrator().await?;
    let user = accounts.user("admin").await?;
    let caller = Caller::User {
        id: user.id,
        role: user.role,
    };
    let end = format!("{date} +1 hour");
    let fields =
        json!({ "title": title, "start_date": date, "end_date": end, "status": "publish" });
    let fields = Fields::from_body(fields.as_object().cloned().unwrap_or_default());
    let added = calendar.create::<Event>(caller, &fields).await?;
    println!("added event {}: {}", added.event.id, added.event.title);
    Ok(())
}

/// Lists the events as anybody sees them, the next ones first.
async fn list(calendar: &Calendar) -> Result<(), Box<dyn Error>> {
    let page = calendar
        .list::<Event>(Caller::Anonymous, None, &Fields::default())
        .await?;
    println!("{} events", page.total);
    for view in page.rows {
        println!(
            "{}  {}",
            view.event.details.when.start().local,
            view.event.title
        );
    }
    Ok(())
}
