//! The file of SQLite, and rows that name a record that does not exist.

use std::collections::BTreeMap;

use app::ports::StoreError;

use super::{Findings, Work};

/// A column with the ID of a record, and the tables of which one has that record.
type Link = (&'static str, &'static str, &'static [&'static str]);

/// Links of rows that people wrote: a broken one is reported, and not repaired.
const WRITTEN: [Link; 26] = [
    ("event", "author_id", &["account"]),
    ("venue", "author_id", &["account"]),
    ("organizer", "author_id", &["account"]),
    ("image", "uploader_id", &["account"]),
    ("feed", "owner_id", &["account"]),
    ("source", "user_id", &["account"]),
    ("event", "venue_id", &["venue"]),
    ("event", "parent_id", &["event", "occurrence"]),
    ("event", "series_id", &["event"]),
    ("event", "image_id", &["image"]),
    ("venue", "image_id", &["image"]),
    ("organizer", "image_id", &["image"]),
    ("category", "parent_id", &["category"]),
    ("event_category", "event_id", &["event"]),
    ("event_category", "term_id", &["category"]),
    ("event_tag", "event_id", &["event"]),
    ("event_tag", "term_id", &["tag"]),
    ("event_organizer", "event_id", &["event"]),
    ("event_organizer", "place_id", &["organizer"]),
    ("event_ticket", "event_id", &["event"]),
    ("event_translation", "record_id", &["event"]),
    ("venue_translation", "record_id", &["venue"]),
    ("organizer_translation", "record_id", &["organizer"]),
    ("category_translation", "record_id", &["category"]),
    ("tag_translation", "record_id", &["tag"]),
    ("proposal", "event_id", &["event"]),
];

/// Rows that have no meaning without their record: a repair deletes them.
const DERIVED: [Link; 8] = [
    ("venue_text", "place_id", &["venue"]),
    ("venue_translation_text", "place_id", &["venue"]),
    ("venue_city", "venue_id", &["venue"]),
    ("organizer_text", "place_id", &["organizer"]),
    ("organizer_translation_text", "place_id", &["organizer"]),
    ("event_verification", "event_id", &["event"]),
    ("occurrence", "series_id", &["event"]),
    ("duplicate_moved", "duplicate_id", &["duplicate"]),
];

/// The accounts' own rows, which nobody can use without the account.
const OF_ACCOUNTS: [Link; 5] = [
    ("account_token", "account_id", &["account"]),
    ("account_password", "account_id", &["account"]),
    ("account_invitation", "account_id", &["account"]),
    ("account_second_factor", "account_id", &["account"]),
    ("browser_session", "account_id", &["account"]),
];

/// The condition that a link leads nowhere.
fn is_lost((table, column, targets): &Link) -> String {
    let missing = targets.iter().map(|target| {
        format!("NOT EXISTS (SELECT 1 FROM {target} AS target WHERE target.id = {table}.{column})")
    });
    let missing: Vec<_> = missing.collect();
    format!("{table}.{column} IS NOT NULL AND {}", missing.join(" AND "))
}

impl Work<'_> {
    /// Looks for rows of a table that name a record that does not exist.
    async fn lost(
        &self,
        link: &Link,
        is_derived: bool,
        found: &mut Findings,
    ) -> Result<(), StoreError> {
        let (table, column, targets) = link;
        let is_lost = is_lost(link);
        let count = format!(
            "SELECT {column}, COUNT(*) FROM {table} WHERE {is_lost} GROUP BY {column} ORDER BY {column}"
        );
        let rows: Vec<(i64, i64)> = self.rows(count).await?;
        for (id, number) in &rows {
            found.add(
                is_derived,
                format!("{table}.{column} {id}"),
                format!("{number} rows"),
                format!("an existing {}", targets.join(" or ")),
            );
        }
        if self.mends && is_derived && !rows.is_empty() {
            self.run(&format!("DELETE FROM {table} WHERE {is_lost}"))
                .await?;
        }
        Ok(())
    }

    /// Looks for links to records that do not exist.
    pub(super) async fn links(&self, found: &mut Findings) -> Result<(), StoreError> {
        for link in &WRITTEN {
            self.lost(link, false, found).await?;
        }
        for link in &DERIVED {
            self.lost(link, true, found).await?;
        }
        for kind in ["event", "venue", "organizer", "category", "tag"] {
            let of_kind = format!(
                "FROM import_source WHERE kind = '{kind}'
                AND NOT EXISTS (SELECT 1 FROM {kind} WHERE {kind}.id = import_source.record_id)
                AND NOT EXISTS (SELECT 1 FROM occurrence WHERE '{kind}' = 'event'
                    AND occurrence.id = import_source.record_id)"
            );
            let select = format!("SELECT record_id {of_kind} ORDER BY record_id");
            let ids: Vec<i64> = self.rows(select).await?;
            for id in &ids {
                let record = format!("import_source of {kind} {id}");
                found.derived(record, "a row", "nothing: the record does not exist");
            }
            if self.mends && !ids.is_empty() {
                self.run(&format!("DELETE {of_kind}")).await?;
            }
        }
        Ok(())
    }

    /// Looks for tokens, passwords and sessions of accounts that do not exist, and for sessions of disabled
    /// ones.
    pub(super) async fn accounts(&self, found: &mut Findings) -> Result<(), StoreError> {
        for link in &OF_ACCOUNTS {
            self.lost(link, true, found).await?;
        }
        let of_disabled = "FROM browser_session WHERE EXISTS (SELECT 1 FROM account
            WHERE account.id = browser_session.account_id AND account.disabled)";
        let count = format!("SELECT account_id, COUNT(*) {of_disabled} GROUP BY account_id");
        let rows: Vec<(i64, i64)> = self.rows(count).await?;
        for (id, number) in &rows {
            let record = format!("account {id}");
            found.derived(record, format!("{number} sessions"), "none: it is disabled");
        }
        if self.mends && !rows.is_empty() {
            self.run(&format!("DELETE {of_disabled}")).await?;
        }
        Ok(())
    }

    /// Asks SQLite whether its file is sound.
    pub(super) async fn integrity(&self, found: &mut Findings) -> Result<(), StoreError> {
        if self.is_postgres() {
            return Ok(());
        }
        for message in self.rows::<String>("PRAGMA integrity_check").await? {
            if message != "ok" {
                found.written("the file", message, "ok: restore a backup");
            }
        }
        let known = [WRITTEN.as_slice(), &DERIVED, &OF_ACCOUNTS].concat();
        let mut others: BTreeMap<(String, String), i64> = BTreeMap::new();
        let check = "SELECT \"table\", parent FROM pragma_foreign_key_check";
        for (table, target) in self.rows::<(String, String)>(check).await? {
            // Others tell of these with their IDs.
            let is_known = known
                .iter()
                .any(|(own, _, targets)| *own == table && targets.contains(&&*target));
            if !is_known {
                *others.entry((table, target)).or_default() += 1;
            }
        }
        for ((table, target), number) in others {
            found.written(
                table,
                format!("{number} rows"),
                format!("an existing {target}"),
            );
        }
        Ok(())
    }
}
