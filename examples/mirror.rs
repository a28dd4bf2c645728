//! A copy of a calendar in memory, which is kept up to date. The argument is the address of the calendar.

use client::sync::{Finished, Mirror, RecordRef, SyncRecord};
use std::{collections::BTreeMap, convert::Infallible};

struct Copy(BTreeMap<RecordRef, SyncRecord>);
impl Mirror for Copy {
    type Error = Infallible;
    async fn upsert(&mut self, record: SyncRecord) -> Result<(), Infallible> {
        println!("{}: {}", record.key().kind, record.name());
        self.0.insert(record.key(), record);
        Ok(())
    }
    async fn remove(&mut self, record: RecordRef) -> Result<(), Infallible> {
        self.0.remove(&record);
        Ok(())
    }
    async fn finish(&mut self, finished: Finished<'_>) -> Result<(), Infallible> {
        self.0.retain(|record, _| finished.keeps(record));
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = client::Client::new(&std::env::args().nth(1).ok_or("no address")?)?;
    match client.feed().keep(&mut Copy(BTreeMap::new()), None).await? {}
}
