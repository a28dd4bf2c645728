//! The lists of a site, page by page.

use std::collections::{HashMap, HashSet};

use domain::{Category, Kind, Organizer, Status, Tag, Venue};

use super::{Move, SiteImportError, SiteProgress};
use crate::source_site::{SourceList, SourceRecord, SourceSiteError};

impl Move<'_> {
    /// Imports all lists; those that events name precede events.
    pub(super) async fn lists(&mut self) -> Result<(), SiteImportError> {
        for kind in [
            Kind::Category,
            Kind::Tag,
            Kind::Venue,
            Kind::Organizer,
            Kind::Event,
        ] {
            self.load(kind).await?;
            self.list(kind).await?;
        }
        self.join_copies().await?;
        self.settle_slugs().await?;
        self.leave_gone().await
    }

    /// Imports the lists of a kind. Records that move to another page meanwhile are read again by the
    /// next run.
    async fn list(&mut self, kind: Kind) -> Result<(), SiteImportError> {
        let statuses = match kind {
            Kind::Category | Kind::Tag => &self.site.statuses()[..1],
            Kind::Event | Kind::Venue | Kind::Organizer => self.site.statuses(),
        };
        let mut categories = Vec::new();
        for (index, &status) in statuses.iter().enumerate() {
            let (mut read, mut total, mut is_whole) = (0, None, true);
            let mut is_readable = true;
            for number in 1.. {
                let list = SourceList { kind, status };
                let page = match self.site.page(list, number).await {
                    Ok(Some(page)) => page,
                    Ok(None) => break,
                    Err(SourceSiteError::NotReadable(reason))
                        if kind != Kind::Event || index > 0 =>
                    {
                        let name = format!("{} with status {status}", kind.plural());
                        self.remark(name, format_args!("the site does not show them: {reason}"));
                        (is_whole, is_readable) = (false, false);
                        break;
                    }
                    Err(error) => return Err(error.into()),
                };
                if number == 1 {
                    total = page.total;
                    (self.observer)(SiteProgress::List(kind, page.total));
                }
                is_whole &= page.unreadable.is_empty();
                for reason in &page.unreadable {
                    self.report.counts.entry(kind).or_default().refused += 1;
                    self.remark(kind, reason);
                }
                let mut records = page.records;
                records.retain(|record| self.listed.insert((kind, record.id)));
                // A site that repeats a page has no more of them.
                if records.is_empty() && page.unreadable.is_empty() {
                    break;
                }
                read += (records.len() + page.unreadable.len()) as u64;
                if kind == Kind::Category {
                    categories.append(&mut records);
                }
                for record in records {
                    if kind == Kind::Event {
                        self.event_slugs.extend(record.slug.clone());
                    }
                    self.take(record).await?;
                    (self.observer)(SiteProgress::Record);
                }
            }
            if let Some(total) = total.filter(|total| *total > read) {
                let remark = format!("the lists had {read} of {total}; run the import again");
                self.remark(kind.plural(), remark);
                is_whole = false;
            }
            if kind == Kind::Event && is_readable {
                self.hidden_events(status).await?;
            }
            if !is_whole {
                self.ledger.mark_partial();
            }
            // A site that suddenly shows nothing to the public is broken rather than empty.
            if is_whole && (read > 0 || status != Status::Publish) {
                self.ledger.is_whole(kind, status);
            }
        }
        for category in parents_first(categories) {
            self.take(category).await?;
            (self.observer)(SiteProgress::Record);
        }
        Ok(())
    }

    /// Imports the events that the site names, and that its list leaves out. Dates of recurring events are
    /// in the list under other IDs, with the slug of the event that is named.
    async fn hidden_events(&mut self, status: Status) -> Result<(), SiteImportError> {
        let mut is_whole = true;
        for number in 1.. {
            let ids = match self.site.event_ids(status, number).await {
                Ok(Some(ids)) => ids,
                Ok(None) => break,
                // Not every site shows it.
                Err(SourceSiteError::NotReadable(_)) => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            let mut is_new = false;
            for id in ids {
                is_new |= self.named.insert(id);
                if self.listed.contains(&(Kind::Event, id)) {
                    continue;
                }
                let Some(record) = self.site.event(id, status).await? else {
                    let remark = "the site names it, and does not show it";
                    self.remark(format_args!("event {id}"), remark);
                    is_whole = false;
                    continue;
                };
                let slug = record.slug.as_ref();
                let is_date = slug.is_some_and(|slug| self.event_slugs.contains(slug));
                if !is_date && self.listed.insert((Kind::Event, record.id)) {
                    self.take(record).await?;
                    (self.observer)(SiteProgress::Record);
                }
            }
            // A site that repeats a page has no more of them.
            if !is_new {
                break;
            }
        }
        if is_whole {
            self.ledger.are_named(status);
        } else {
            self.ledger.mark_partial();
        }
        Ok(())
    }

    /// Imports a record of a list.
    async fn take(&mut self, record: SourceRecord) -> Result<(), SiteImportError> {
        self.see(&record);
        if record.kind != Kind::Event {
            return self.take_named(&record).await;
        }
        for related in &record.related {
            let key = (related.kind, related.id);
            // No list had it.
            if !self.arrived.contains_key(&key) && !related.fields.is_empty() {
                self.see(related);
                self.take_named(related).await?;
            }
        }
        self.take_event(record).await
    }

    /// Imports a record that events name.
    async fn take_named(&mut self, record: &SourceRecord) -> Result<(), SiteImportError> {
        match record.kind {
            Kind::Event => Ok(()),
            Kind::Venue => self.arrive::<Venue>(record).await,
            Kind::Organizer => self.arrive::<Organizer>(record).await,
            Kind::Category => self.arrive::<Category>(record).await,
            Kind::Tag => self.arrive::<Tag>(record).await,
        }
    }
}

/// The categories in an order in which each follows its parent. In a circle, the first one read
/// precedes its parent.
fn parents_first(categories: Vec<SourceRecord>) -> Vec<SourceRecord> {
    let indexes: HashMap<_, _> = categories
        .iter()
        .enumerate()
        .map(|(index, one)| (one.id, index))
        .collect();
    let (mut order, mut seen) = (Vec::with_capacity(categories.len()), HashSet::new());
    for start in 0..categories.len() {
        let mut lineage = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next.filter(|index| seen.insert(*index)) {
            lineage.push(index);
            let parent = categories[index].parent;
            next = parent.and_then(|parent| indexes.get(&parent).copied());
        }
        order.extend(lineage.into_iter().rev());
    }
    let mut categories: Vec<_> = categories.into_iter().map(Some).collect();
    let taken = order
        .into_iter()
        .filter_map(|index| categories[index].take());
    taken.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_precede_their_children() {
        let category = |(id, parent): (i64, Option<i64>)| SourceRecord {
            parent,
            ..SourceRecord::new(Kind::Category, id, "")
        };
        let sent = [
            (1, Some(3)),
            (2, Some(1)),
            (3, None),
            (4, Some(9)),
            (5, Some(6)),
            (6, Some(5)),
        ];
        let order = parents_first(sent.into_iter().map(category).collect());
        let ids: Vec<_> = order.iter().map(|one| one.id).collect();
        assert_eq!(ids, [3, 1, 2, 4, 6, 5]);
    }
}
