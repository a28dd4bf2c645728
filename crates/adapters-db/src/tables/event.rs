//! The tables of events.

use std::collections::BTreeMap;

use app::ports::{SlugRequests, StoreError};
use domain::{
    Category, Event, EventId, Id, Stored, Tag,
    cost::{Cost, Currency},
    entry::PasswordHash,
    event::{EventDetails, Repetition, Rescheduling},
    page::Page,
    query::Query,
    time::{EventTime, Moment, format_civil, parse_civil},
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait, IdenStatic,
    sea_query::{Expr, Query as Sql, SelectStatement, UpdateStatement},
};

use super::{Extent, Links, Table, Tables, TermKey, entry, repetition, ticket};
use crate::{
    entity::{
        LinkColumn, TermColumn,
        event::{self, Column},
        event_translation,
    },
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Shape, set},
};

impl Table for Event {
    fn tables() -> Tables {
        Tables::of::<event::Entity, event_translation::Entity>()
    }

    fn columns(&self) -> Vec<ColumnValue> {
        let EventDetails {
            uid,
            sequence,
            when,
            rescheduling,
            cancelled,
            // Its columns are written only if it is one.
            repetition: _,
            cost,
            currency,
            tickets: _,
            website,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
            categories: _,
            tags: _,
            venue,
            organizers: _,
            parent,
            password,
        } = &self.details;
        let (start, end) = (when.start(), when.end());
        let mut columns = entry::shared_columns(self);
        columns.extend([
            set(Column::Uid, uid),
            set(Column::Sequence, *sequence),
            set(Column::Listed, self.is_listed()),
            set(Column::StartLocal, format_civil(start.local)),
            set(Column::EndLocal, format_civil(end.local)),
            set(Column::StartUtc, start.utc.seconds()),
            set(Column::EndUtc, end.utc.seconds()),
            set(Column::TimeZone, when.zone().name()),
            set(Column::AllDay, when.all_day()),
            set(
                Column::PreviousStartUtc,
                rescheduling.map(|one| one.previous_start.seconds()),
            ),
            set(
                Column::MovedUtc,
                rescheduling.map(|one| one.moved.seconds()),
            ),
            set(Column::Cancelled, *cancelled),
            set(Column::Cost, cost.texts().join("\n")),
            set(Column::IsFree, self.details.is_free()),
            set(Column::Currency, currency.map(Currency::code)),
            set(Column::Website, website.as_ref().map(WebUrl::as_str)),
            set(Column::ShowMap, *show_map),
            set(Column::ShowMapLink, *show_map_link),
            set(Column::HideFromListings, *hide_from_listings),
            set(Column::Sticky, *sticky),
            set(Column::Featured, *featured),
            set(Column::VenueId, venue.map(Id::get)),
            set(Column::ParentId, parent.map(Id::get)),
            set(
                Column::PasswordHash,
                password.as_ref().map(PasswordHash::as_str),
            ),
            set(Column::SearchText, self.search_text()),
        ]);
        columns
    }

    fn search_text(&self) -> Option<String> {
        Some(entry::folded(self).join("\n"))
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        entry::read(row, details)
    }

    fn links(json: Json) -> Vec<(&'static str, SelectStatement)> {
        let linked = |links: Links| {
            let key = (links.table(), LinkColumn::EventId.as_str());
            let (shape, order) = (links.column().inner(), LinkColumn::Position.as_str());
            json.rows(key, Event::table(), Shape::Value(&shape), order)
        };
        vec![
            ("categories", linked(Links::Categories)),
            ("tags", linked(Links::Tags)),
            ("organizers", linked(Links::Organizers)),
            ("tickets", ticket::of_event(json)),
        ]
    }

    fn linked_rows(&self, id: EventId, rows: &mut InsertBatch) {
        let details = &self.details;
        link_rows(Links::Categories, id, &details.categories, rows);
        link_rows(Links::Tags, id, &details.tags, rows);
        link_rows(Links::Organizers, id, &details.organizers, rows);
        ticket::ticket_rows(id, &details.tickets, rows);
    }

    fn creation_columns(&self, _slugs: &SlugRequests) -> Vec<ColumnValue> {
        repetition::changed_columns(&Repetition::Once, self)
    }

    fn change_columns(&self, before: &Self) -> Vec<ColumnValue> {
        repetition::changed_columns(&before.details.repetition, self)
    }

    fn registers_slugs(&self) -> bool {
        self.occurrence().is_none()
    }

    async fn page(
        session: &Session,
        query: &Query<Self::Filter>,
    ) -> Result<Page<EventId>, StoreError> {
        session.event_page(query).await
    }

    async fn find_many(
        session: &Session,
        ids: &[EventId],
    ) -> Result<Vec<Stored<Self>>, StoreError> {
        session.find_events(ids, Extent::Whole).await
    }

    async fn lock(session: &Session, id: EventId) -> Result<(), StoreError> {
        session.lock_event(id).await
    }

    async fn before_delete(&self, session: &Session, id: EventId) -> Result<(), StoreError> {
        match self.details.repetition {
            Repetition::Once => Ok(()),
            Repetition::Series(_) => {
                session.delete_overrides(id).await?;
                session.delete_scopes(id).await
            }
            Repetition::Occurrence(_) => session.delete_occurrence(id).await,
        }
    }

    async fn after_write(
        &self,
        before: Option<&Self>,
        session: &Session,
        id: EventId,
    ) -> Result<(), StoreError> {
        session.update_scopes(id, before, self).await?;
        let listing = |event: &Event| (event.lists_occurrences(), event.published_at);
        match before {
            Some(before) if self.series().is_some() && listing(self) != listing(before) => {
                session.update_listing(id, self).await
            }
            _ => Ok(()),
        }
    }

    fn counted_terms(&self) -> Vec<TermKey> {
        if !self.counts_for_terms() {
            return Vec::new();
        }
        let categories = self.counted_categories().iter();
        let categories = categories.map(|id| (Category::table(), id.get()));
        let tags = self.counted_tags().iter();
        let tags = tags.map(|id| (Tag::table(), id.get()));
        categories.chain(tags).collect()
    }
}

fn details(row: &Row<'_>) -> Result<EventDetails, StoreError> {
    let costs: String = row.get(Column::Cost)?;
    let costs: Vec<&str> = costs.lines().collect();
    let when = when(row)?;
    let (categories, tags) = (linked(row, "categories")?, linked(row, "tags")?);
    let mut repetition = repetition::read(row, &when)?;
    if let Repetition::Occurrence(occurrence) = &mut repetition {
        // A term may have been deleted since.
        occurrence
            .own_categories
            .retain(|id| categories.contains(id));
        occurrence.own_tags.retain(|id| tags.contains(id));
    }
    Ok(EventDetails {
        uid: row.get(Column::Uid)?,
        sequence: row.get(Column::Sequence)?,
        when,
        rescheduling: rescheduling(row)?,
        cancelled: row.get(Column::Cancelled)?,
        repetition,
        cost: Cost::parse(&costs).map_err(|error| broken_row(row.table, Column::Cost, error))?,
        currency: row.parse_optional(Column::Currency)?,
        tickets: ticket::read_all(row)?,
        website: row.parse_optional(Column::Website)?,
        show_map: row.get(Column::ShowMap)?,
        show_map_link: row.get(Column::ShowMapLink)?,
        hide_from_listings: row.get(Column::HideFromListings)?,
        sticky: row.get(Column::Sticky)?,
        featured: row.get(Column::Featured)?,
        categories,
        tags,
        venue: row.get(Column::VenueId)?,
        organizers: linked(row, "organizers")?,
        parent: row.get(Column::ParentId)?,
        password: row
            .get::<Option<String>>(Column::PasswordHash)?
            .map(PasswordHash::from_stored),
    })
}

/// The rows that link an event with other records, in order.
fn link_rows<R>(links: Links, event: EventId, ids: &[Id<R>], rows: &mut InsertBatch) {
    for (position, id) in (0_i64..).zip(ids) {
        let row = [
            set(LinkColumn::EventId, event.get()),
            set(LinkColumn::Position, position),
            set(links.column(), id.get()),
        ];
        rows.push(links.table(), row);
    }
}

fn when(row: &Row<'_>) -> Result<EventTime, StoreError> {
    let moment = |local: Column, utc: Column| {
        Ok::<_, StoreError>(Moment {
            local: row.word(local, parse_civil)?,
            utc: row.moment(utc)?,
        })
    };
    EventTime::between(
        row.parse(Column::TimeZone)?,
        moment(Column::StartLocal, Column::StartUtc)?,
        moment(Column::EndLocal, Column::EndUtc)?,
        row.get(Column::AllDay)?,
    )
    .map_err(|error| broken_row(row.table, Column::EndUtc, error))
}

/// The last move of an event. Its two columns are null together.
fn rescheduling(row: &Row<'_>) -> Result<Option<Rescheduling>, StoreError> {
    let previous_start = row.optional_moment(Column::PreviousStartUtc)?;
    let moved = row.optional_moment(Column::MovedUtc)?;
    match (previous_start, moved) {
        (None, None) => Ok(None),
        (Some(previous_start), Some(moved)) => Ok(Some(Rescheduling {
            previous_start,
            moved,
        })),
        _ => Err(broken_row(row.table, Column::MovedUtc, "half a move")),
    }
}

/// The IDs of linked records, in order.
fn linked<R>(row: &Row<'_>, column: &'static str) -> Result<Vec<Id<R>>, StoreError> {
    let ids: Vec<i64> = row.list(column)?;
    Ok(ids.into_iter().map(Id::from_raw).collect())
}

impl Session {
    /// Adds a number of events to the counters of terms in one table.
    pub(crate) async fn count_events(
        &self,
        table: &'static str,
        terms: impl IntoIterator<Item = i64> + Send,
        events: i64,
    ) -> Result<(), StoreError> {
        let terms: Vec<i64> = terms.into_iter().collect();
        let update = count(table, &terms, events, self.json());
        self.connection.execute_deferred(&update).await
    }

    /// Updates the counters of the terms that gain or lose events. A term is named once for each event
    /// that it has.
    pub(crate) async fn recount_terms(
        &self,
        before: &[TermKey],
        after: &[TermKey],
    ) -> Result<(), StoreError> {
        let mut steps: BTreeMap<TermKey, i64> = BTreeMap::new();
        for (terms, step) in [(before, -1), (after, 1)] {
            for term in terms {
                *steps.entry(*term).or_default() += step;
            }
        }
        let mut updates: BTreeMap<_, Vec<i64>> = BTreeMap::new();
        for ((table, term), step) in steps {
            if step != 0 {
                updates.entry((table, step)).or_default().push(term);
            }
        }
        let updates = updates.into_iter();
        let updates = updates.map(|((table, step), terms)| count(table, &terms, step, self.json()));
        self.update_together(updates.collect()).await
    }
}

/// Adds a number of events to the counters of terms in one table.
fn count(table: &'static str, terms: &[i64], events: i64, json: Json) -> UpdateStatement {
    let count = Expr::col(TermColumn::EventCount).add(events);
    Sql::update()
        .table(table)
        .value(TermColumn::EventCount, count)
        .and_where(json.is_one_of(TermColumn::Id, terms))
        .take()
}
