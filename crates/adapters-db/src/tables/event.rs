//! The tables of events.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Stage,
    cost::{Cost, Currency},
    entry::PasswordHash,
    event::EventDetails,
    term::{Categories, Tags},
    time::{EventTime, Moment, Zone, format_civil, parse_civil},
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait, IdenStatic,
    sea_query::{Expr, Query as Sql, SelectStatement},
};

use super::{
    Links, Table, TermTable,
    entry::{DetailsTable, folded},
    ticket, website,
};
use crate::{
    connection::Connection,
    entity::{
        category,
        event::{self, Column},
        event_category, event_translation,
    },
    error::broken_row,
    session::Session,
    sql::{ColumnValue, InsertBatch, Json, Row, Shape, set},
};

#[async_trait]
impl DetailsTable for EventDetails {
    type Entity = event::Entity;
    type Translations = event_translation::Entity;

    fn columns(event: &Event) -> Vec<ColumnValue> {
        let Self {
            uid,
            sequence,
            when,
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
        } = &event.details;
        let (start, end) = (when.start(), when.end());
        vec![
            set(Column::Uid, uid),
            set(Column::Sequence, *sequence),
            set(
                Column::Listed,
                event.stage == Stage::Published && !hide_from_listings,
            ),
            set(Column::StartLocal, format_civil(start.local)),
            set(Column::EndLocal, format_civil(end.local)),
            set(Column::StartUtc, start.utc.seconds()),
            set(Column::EndUtc, end.utc.seconds()),
            set(Column::TimeZone, when.zone().name()),
            set(Column::AllDay, when.all_day()),
            set(Column::Cost, cost.texts().join("\n")),
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
            set(Column::SearchText, folded(event).join("\n")),
        ]
    }

    fn translation_columns(shown: &Event) -> Vec<ColumnValue> {
        vec![set(Column::SearchText, folded(shown).join("\n"))]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let costs: String = row.get(Column::Cost)?;
        let costs: Vec<&str> = costs.lines().collect();
        let currency: Option<String> = row.get(Column::Currency)?;
        let link = |column: Column| row.get::<Option<i64>>(column);
        Ok(Self {
            uid: row.get(Column::Uid)?,
            sequence: row.get(Column::Sequence)?,
            when: when(row)?,
            cost: Cost::parse(&costs)
                .map_err(|error| broken_row(row.table, Column::Cost, error))?,
            currency: currency
                .as_deref()
                .map(str::parse::<Currency>)
                .transpose()
                .map_err(|error| broken_row(row.table, Column::Currency, error))?,
            tickets: ticket::read_all(row)?,
            website: website(row)?,
            show_map: row.get(Column::ShowMap)?,
            show_map_link: row.get(Column::ShowMapLink)?,
            hide_from_listings: row.get(Column::HideFromListings)?,
            sticky: row.get(Column::Sticky)?,
            featured: row.get(Column::Featured)?,
            categories: linked(row, "categories")?,
            tags: linked(row, "tags")?,
            venue: link(Column::VenueId)?.map(Id::from_raw),
            organizers: linked(row, "organizers")?,
            parent: link(Column::ParentId)?.map(Id::from_raw),
            password: row
                .get::<Option<String>>(Column::PasswordHash)?
                .map(PasswordHash::from_stored),
        })
    }

    fn links(json: Json) -> Vec<(&'static str, SelectStatement)> {
        let linked = |links: Links| {
            let key = (links.table(), event_category::Column::EventId.as_str());
            let (shape, order) = (
                links.column().inner(),
                event_category::Column::Position.as_str(),
            );
            json.rows(key, Event::table(), Shape::Value(&shape), order)
        };
        vec![
            ("categories", linked(Links::Categories)),
            ("tags", linked(Links::Tags)),
            ("organizers", linked(Links::Organizers)),
            ("tickets", ticket::of_event(json)),
        ]
    }

    fn linked_rows(event: &Event, id: EventId, rows: &mut InsertBatch) {
        link_rows(Links::Categories, id, &categories(event), rows);
        link_rows(Links::Tags, id, &tags(event), rows);
        link_rows(Links::Organizers, id, &organizers(event), rows);
        ticket::ticket_rows(id, &event.details.tickets, rows);
    }

    async fn update_others<C: Connection>(
        session: &Session<C>,
        _id: EventId,
        before: Option<&Event>,
        after: Option<&Event>,
    ) -> Result<(), StoreError> {
        let counted = |event: Option<&Event>| event.map(counted_terms).unwrap_or_default();
        let (categories, tags) = counted(before);
        let (new_categories, new_tags) = counted(after);
        count::<Categories, C>(session, &categories, &new_categories).await?;
        count::<Tags, C>(session, &tags, &new_tags).await
    }
}

fn categories(event: &Event) -> Vec<i64> {
    event.details.categories.iter().map(|id| id.get()).collect()
}

fn tags(event: &Event) -> Vec<i64> {
    event.details.tags.iter().map(|id| id.get()).collect()
}

fn organizers(event: &Event) -> Vec<i64> {
    event.details.organizers.iter().map(|id| id.get()).collect()
}

/// The categories and tags that count an event.
pub(crate) fn counted_terms(event: &Event) -> (Vec<i64>, Vec<i64>) {
    if is_counted(event) {
        (categories(event), tags(event))
    } else {
        (Vec::new(), Vec::new())
    }
}

/// The rows that link an event with other records, in order.
fn link_rows(links: Links, event: EventId, ids: &[i64], rows: &mut InsertBatch) {
    for (position, id) in (0_i64..).zip(ids) {
        let row = [
            set(event_category::Column::EventId, event.get()),
            set(event_category::Column::Position, position),
            set(links.column(), *id),
        ];
        rows.push(links.table(), row);
    }
}

fn when(row: &Row<'_>) -> Result<EventTime, StoreError> {
    let moment = |local: Column, utc: Column| {
        let local = row.word(local, parse_civil)?;
        Ok::<_, StoreError>(Moment {
            local,
            utc: row.moment(utc)?,
        })
    };
    let zone = row.parse(Column::TimeZone, str::parse::<Zone>)?;
    let (start, end) = (
        moment(Column::StartLocal, Column::StartUtc)?,
        moment(Column::EndLocal, Column::EndUtc)?,
    );
    EventTime::between(zone, start, end, row.get(Column::AllDay)?)
        .map_err(|error| broken_row(row.table, Column::EndUtc, error))
}

/// The IDs of linked records, in order.
fn linked<R>(row: &Row<'_>, column: &'static str) -> Result<Vec<Id<R>>, StoreError> {
    let ids: Vec<i64> = row.list(column)?;
    Ok(ids.into_iter().map(Id::from_raw).collect())
}

/// Whether an event counts for its terms once it is due.
fn is_counted(event: &Event) -> bool {
    event.stage == Stage::Published && event.details.password.is_none()
}

/// Updates the counters of the terms that gain or lose an event.
async fn count<X: TermTable, C: Connection>(
    session: &Session<C>,
    before: &[i64],
    after: &[i64],
) -> Result<(), StoreError> {
    let without = |ids: &[i64], others: &[i64]| -> Vec<i64> {
        ids.iter()
            .copied()
            .filter(|id| !others.contains(id))
            .collect()
    };
    for (ids, step) in [(without(before, after), -1), (without(after, before), 1)] {
        if ids.is_empty() {
            continue;
        }
        let update = Sql::update()
            .table(X::table())
            .value(
                category::Column::EventCount,
                Expr::col(category::Column::EventCount).add(step),
            )
            .and_where(Expr::col(Column::Id).is_in(ids))
            .take();
        session.connection.execute_deferred(&update).await?;
    }
    Ok(())
}
