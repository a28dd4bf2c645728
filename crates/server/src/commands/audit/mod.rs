//! `audit`: shows who changed what.

use app::ports::{AuditEntry, Clock, Repositories, SystemClock};
use domain::{
    Id, UserId,
    audit::{AuditFilter, FieldChange},
    page::PageRequest,
    time::{Timestamp, Zone, format_civil, parse_date},
};

use crate::{
    cli::AuditArgs,
    output,
    settings::{InvalidSetting, Settings},
    wiring,
};

/// The characters of a change that a line shows.
const SHOWN_CHARS: usize = 100;

/// Shows entries of the trail. Returns the text to print.
///
/// # Errors
///
/// If the user does not exist, or if the database fails.
pub(crate) async fn run(settings: &Settings, args: &AuditArgs) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let instant = |flag: &'static str, text: &Option<String>| {
        let text = text.as_ref();
        text.map(|text| moment(flag, text, &settings.zone))
            .transpose()
    };
    let [from, until] = [
        instant("--after", &args.after)?,
        instant("--before", &args.before)?,
    ];
    let done = wiring::with_migrated_store(settings, async |store| {
        let user = match &args.user {
            // A removed user has no name any more.
            Some(id) if id.parse::<i64>().is_ok() => id.parse().ok().map(Id::from_raw),
            Some(login) => Some(wiring::accounts(store).user(login).await?.id),
            None => None,
        };
        let mut filter = AuditFilter {
            kind: args.kind,
            record: args.record,
            user,
            from,
            until,
            ..AuditFilter::default()
        };
        let limit = args.limit as usize;
        let mut rows = Vec::new();
        // A page ends early when its changes are many bytes.
        while rows.len() < limit {
            let left = PageRequest::new(1, (limit - rows.len()) as u64, args.limit);
            let page = store.audit().page(&filter, left).await?;
            let Some(last) = page.rows.last() else { break };
            filter.below = Some(last.number);
            rows.extend(page.rows.iter().map(|entry| line(entry, &settings.zone)));
        }
        let header = ["TIME", "USER", "BY", "ACTION", "RECORD", "CHANGES"];
        Ok(output::table(header, rows))
    });
    done.await
}

/// Parses a bound of the times of writes.
fn moment(flag: &'static str, text: &str, zone: &Zone) -> Result<Timestamp, InvalidSetting> {
    let read = parse_date(text, zone, SystemClock.now());
    let read = read.map_err(|error| InvalidSetting::new(flag, format!("`{text}` {error}")))?;
    Ok(read.utc)
}

fn line(entry: &AuditEntry, zone: &Zone) -> [String; 6] {
    let local = format_civil(zone.at(entry.at).local);
    let time = format!("{local} {}", zone.abbreviation(entry.at));
    let user = match (&entry.user_name, entry.user) {
        (Some(name), _) => name.clone(),
        (None, Some(id)) => format!("user {}", UserId::get(id)),
        (None, None) => "–".to_owned(),
    };
    let by = match &entry.channel_name {
        Some(name) => format!("{} {name}", entry.channel),
        None => entry.channel.to_string(),
    };
    let changes: Vec<_> = entry.changes.iter().map(FieldChange::to_string).collect();
    let mut changes = changes.join("; ").replace('\n', " ");
    if let Some((end, _)) = changes.char_indices().nth(SHOWN_CHARS) {
        changes.truncate(end);
        changes.push('…');
    }
    let record = format!("{} {}", entry.kind, entry.record);
    [time, user, by, entry.action.to_string(), record, changes]
}
