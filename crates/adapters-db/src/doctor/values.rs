//! Single values: keys of repeated requests, settings.

use app::ports::{Settings as _, StoreError};
use domain::time::{ZoneData, ZoneDataVersion};

use super::{Findings, Work};

impl Work<'_> {
    /// Looks for keys without an answer: the unit of work that takes a key stores its answer.
    pub(super) async fn idempotency(&self, found: &mut Findings) -> Result<(), StoreError> {
        let unanswered = "FROM idempotency_key WHERE answer IS NULL";
        let select = format!("SELECT scope {unanswered} ORDER BY scope");
        let scopes: Vec<String> = self.rows(select).await?;
        for scope in &scopes {
            let record = format!("idempotency_key {}", scope.get(..8).unwrap_or(scope));
            found.derived(record, "no answer", "the answer of its request");
        }
        if self.mends && !scopes.is_empty() {
            self.run(&format!("DELETE {unanswered}")).await?;
        }
        Ok(())
    }

    /// Reads the settings, and compares the release of the time zone data with the program's.
    pub(super) async fn settings(&self, found: &mut Findings) -> Result<(), StoreError> {
        if let Err(error) = self.session.site().await {
            match error {
                StoreError::Internal(error) => {
                    found.written("site_setting", error, "settings that can be read");
                }
                error => return Err(error),
            }
        }
        let select = "SELECT value FROM setting WHERE name = 'zone_data'";
        let program = ZoneData::version_in_use();
        for value in self.rows::<String>(select).await? {
            let database = value.parse::<ZoneDataVersion>();
            if database.as_ref() != Ok(program) {
                let expected =
                    format!("{program}: `events-calendar migrate` computes the times anew");
                found.written("setting zone_data", value, expected);
            }
        }
        Ok(())
    }
}
