//! The tables of events.

use app::ports::StoreError;
use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Stage,
    cost::{Cost, Currency},
    event::{EventDetails, PasswordHash},
    geo::Circle,
    policy::Visibility,
    query::{EventFilter, EventSort, Query},
    search::Searchable,
    term::{Categories, Tags},
    time::{EventTime, Moment, Zone, format_civil, parse_civil},
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Condition, Expr, Query as Sql, SelectStatement, SimpleExpr},
};

use super::{Column, TermTable, entry::DetailsTable, optional_text, text, ticket, venue::website};
use crate::{
    beside::{Json, Shape},
    condition::{self, contains},
    error::broken_row,
    page::{List, from},
    row::Row,
    rows::Rows,
    store::{Connection, Over},
    translations::Shown,
};

#[async_trait]
impl DetailsTable for EventDetails {
    const TABLE: &'static str = "event";
    const TRANSLATIONS: &'static str = "event_translation";
    const READ: &'static [&'static str] = &[
        "uid",
        "sequence",
        "start_local",
        "end_local",
        "start_utc",
        "end_utc",
        "time_zone",
        "all_day",
        "cost",
        "currency",
        "website",
        "show_map",
        "show_map_link",
        "hide_from_listings",
        "sticky",
        "featured",
        "venue_id",
        "parent_id",
        "password_hash",
    ];

    fn columns(event: &Event) -> Vec<Column> {
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
            text("uid", uid),
            ("sequence", (*sequence).into()),
            (
                "listed",
                (event.stage == Stage::Published && !hide_from_listings).into(),
            ),
            text("start_local", format_civil(start.local)),
            text("end_local", format_civil(end.local)),
            ("start_utc", start.utc.seconds().into()),
            ("end_utc", end.utc.seconds().into()),
            text("time_zone", when.zone().name()),
            ("all_day", when.all_day().into()),
            text("cost", cost.texts().join("\n")),
            optional_text("currency", currency.map(Currency::code)),
            optional_text("website", website.as_ref().map(WebUrl::as_str)),
            ("show_map", (*show_map).into()),
            ("show_map_link", (*show_map_link).into()),
            ("hide_from_listings", (*hide_from_listings).into()),
            ("sticky", (*sticky).into()),
            ("featured", (*featured).into()),
            ("venue_id", venue.map(Id::get).into()),
            ("parent_id", parent.map(Id::get).into()),
            optional_text("password_hash", password.as_ref().map(PasswordHash::as_str)),
            text("search_text", event.folded_fields().join("\n")),
        ]
    }

    fn translation_columns(shown: &Event) -> Vec<Column> {
        vec![text("search_text", shown.folded_fields().join("\n"))]
    }

    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let costs: String = row.get("cost")?;
        let costs: Vec<&str> = costs.lines().collect();
        let currency: Option<String> = row.get("currency")?;
        let link = |column| row.get::<Option<i64>>(column);
        Ok(Self {
            uid: row.get("uid")?,
            sequence: row.get("sequence")?,
            when: when(row)?,
            cost: Cost::parse(&costs).map_err(|error| broken_row(row.table, "cost", error))?,
            currency: currency
                .as_deref()
                .map(Currency::parse)
                .transpose()
                .map_err(|error| broken_row(row.table, "currency", error))?,
            tickets: ticket::read_all(row)?,
            website: website(row)?,
            show_map: row.get("show_map")?,
            show_map_link: row.get("show_map_link")?,
            hide_from_listings: row.get("hide_from_listings")?,
            sticky: row.get("sticky")?,
            featured: row.get("featured")?,
            categories: linked(row, "categories")?,
            tags: linked(row, "tags")?,
            venue: link("venue_id")?.map(Id::from_raw),
            organizers: linked(row, "organizers")?,
            parent: link("parent_id")?.map(Id::from_raw),
            password: row
                .get::<Option<String>>("password_hash")?
                .map(PasswordHash::from_stored),
        })
    }

    fn list(query: &Query<EventFilter>) -> List {
        list(query)
    }

    fn links(json: Json) -> Vec<(&'static str, SelectStatement)> {
        let linked = |(table, column)| {
            let shape = Shape::Value(column);
            json.rows((table, "event_id"), "event", shape, "position")
        };
        vec![
            ("categories", linked(CATEGORIES)),
            ("tags", linked(TAGS)),
            ("organizers", linked(ORGANIZERS)),
            ("tickets", ticket::of_event(json)),
        ]
    }

    fn linked_rows(event: &Event, id: EventId, rows: &mut Rows) {
        link_rows(CATEGORIES, id, &categories(event), rows);
        link_rows(TAGS, id, &tags(event), rows);
        link_rows(ORGANIZERS, id, &organizers(event), rows);
        ticket::ticket_rows(id, &event.details.tickets, rows);
    }

    async fn save_links<C: Connection>(
        over: &Over<C>,
        id: EventId,
        before: Option<&Event>,
        after: Option<&Event>,
    ) -> Result<(), StoreError> {
        save(
            over,
            CATEGORIES,
            id,
            before.map(categories),
            after.map(categories),
        )
        .await?;
        save(over, TAGS, id, before.map(tags), after.map(tags)).await?;
        save(
            over,
            ORGANIZERS,
            id,
            before.map(organizers),
            after.map(organizers),
        )
        .await?;
        ticket::save(over, id, before, after).await?;
        let counted = |event: Option<&Event>| event.map(counted_terms).unwrap_or_default();
        let (categories, tags) = counted(before);
        let (new_categories, new_tags) = counted(after);
        count::<Categories, C>(over, &categories, &new_categories).await?;
        count::<Tags, C>(over, &tags, &new_tags).await
    }
}

/// A table of links and its column beside the event's.
type Links = (&'static str, &'static str);

const CATEGORIES: Links = (Categories::LINKS, "term_id");
const TAGS: Links = (Tags::LINKS, "term_id");
const ORGANIZERS: Links = ("event_organizer", "place_id");

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

/// The rows that link an event with others, in their order.
fn link_rows((table, column): Links, event: EventId, ids: &[i64], rows: &mut Rows) {
    for (position, id) in (0_i64..).zip(ids) {
        let row = [
            ("event_id", event.get().into()),
            ("position", position.into()),
            (column, (*id).into()),
        ];
        rows.push(table, row);
    }
}

fn when(row: &Row<'_>) -> Result<EventTime, StoreError> {
    let moment = |local, utc| {
        let local = row.word(local, parse_civil)?;
        Ok::<_, StoreError>(Moment {
            local,
            utc: row.moment(utc)?,
        })
    };
    let zone = row.parse("time_zone", Zone::parse)?;
    let (start, end) = (
        moment("start_local", "start_utc")?,
        moment("end_local", "end_utc")?,
    );
    EventTime::between(zone, start, end, row.get("all_day")?)
        .map_err(|error| broken_row(row.table, "end_utc", error))
}

/// What an event is linked with, in order.
fn linked<R>(row: &Row<'_>, column: &str) -> Result<Vec<Id<R>>, StoreError> {
    let ids: Vec<i64> = row.list(column)?;
    Ok(ids.into_iter().map(Id::from_raw).collect())
}

/// Writes what an event is linked with, if it changed.
async fn save<C: Connection>(
    over: &Over<C>,
    (table, column): Links,
    event: EventId,
    before: Option<Vec<i64>>,
    after: Option<Vec<i64>>,
) -> Result<(), StoreError> {
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if before == after {
        return Ok(());
    }
    if !before.is_empty() {
        let delete = Sql::delete()
            .from_table(table)
            .and_where(Expr::col("event_id").eq(event.get()))
            .take();
        over.connection.run(&delete).await?;
    }
    let mut rows = Rows::default();
    link_rows((table, column), event, &after, &mut rows);
    rows.insert(over).await
}

/// Whether an event counts for its terms once it is due.
fn is_counted(event: &Event) -> bool {
    event.stage == Stage::Published && event.details.password.is_none()
}

/// Moves the counters of terms from those that an event counted for to those that it counts for.
async fn count<X: TermTable, C: Connection>(
    over: &Over<C>,
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
            .table(X::TABLE)
            .value("event_count", Expr::col("event_count").add(step))
            .and_where(Expr::col("id").is_in(ids))
            .take();
        over.connection.run(&update).await?;
    }
    Ok(())
}

fn list(query: &Query<EventFilter>) -> List {
    let Query {
        visibility,
        filter,
        page: _,
    } = query;
    let EventFilter {
        statuses,
        include,
        window,
        modified_after,
        modified_before,
        search,
        categories,
        tags,
        venues,
        organizers,
        featured,
        located,
        near,
        ticketed,
        parent,
        sort,
        descending,
    } = filter;
    let column = |name| Expr::col(("event", name));
    let mut event = Condition::all().add(condition::lists_events(
        visibility,
        statuses,
        include.is_some(),
    ));
    if let Some(ids) = include {
        event = event.add(column("id").is_in(ids.iter().map(|id| id.get())));
    }
    event = event
        .add_option(
            window
                .start_min
                .map(|min| column("start_utc").gte(min.seconds())),
        )
        .add_option(
            window
                .start_max
                .map(|max| column("start_utc").lte(max.seconds())),
        )
        .add_option(
            window
                .end_min
                .map(|min| column("end_utc").gte(min.seconds())),
        )
        .add_option(
            window
                .end_max
                .map(|max| column("end_utc").lte(max.seconds())),
        )
        .add_option(modified_after.map(|after| column("modified_utc").gt(after.seconds())))
        .add_option(modified_before.map(|before| column("modified_utc").lt(before.seconds())));
    let mut rows = from("event");
    let needs_texts = !search.is_empty() || *sort == EventSort::Title;
    let shown = needs_texts.then(|| Shown::join::<Event>(&mut rows, visibility.language));
    if let (Some(shown), false) = (&shown, search.is_empty()) {
        let text = condition::searched_text(visibility, shown);
        for word in &search.wanted {
            event = event.add(contains(text.clone(), word));
        }
        for word in &search.excluded {
            event = event.add(contains(text.clone(), word).not());
        }
    }
    if filter.asks_for_content() {
        event = event.add(condition::opens(visibility));
    }
    event = event
        .add_option(categories.as_ref().map(|ids| linked_with(CATEGORIES, ids)))
        .add_option(tags.as_ref().map(|ids| linked_with(TAGS, ids)))
        .add_option(organizers.as_ref().map(|ids| linked_with(ORGANIZERS, ids)))
        .add_option(
            venues
                .as_ref()
                .map(|ids| column("venue_id").is_in(ids.iter().map(|id| id.get()))),
        )
        .add_option(featured.map(|featured| column("featured").eq(featured)))
        .add_option(located.map(|located| at_located(located, visibility)))
        .add_option(near.map(|near| at_near(&near, visibility)))
        .add_option(ticketed.map(with_tickets))
        .add_option(parent.map(|parent| column("parent_id").eq(parent.get())));
    let order: Option<SimpleExpr> = match sort {
        EventSort::Start => Some(column("start_utc")),
        EventSort::End => Some(column("end_utc")),
        EventSort::Date => Some(column("date_utc")),
        EventSort::Modified => Some(column("modified_utc")),
        EventSort::Title => shown.map(|shown| shown.column("title_key", "title_key")),
        EventSort::Id => None,
    };
    List {
        rows: rows.cond_where(event).take(),
        table: "event",
        order,
        descending: *descending,
        searches: !search.is_empty(),
    }
}

/// Events whose venue the reader sees there and has a position; or all others.
fn at_located(located: bool, visibility: &Visibility) -> SimpleExpr {
    let venue = Sql::select()
        .expr(Expr::val(1))
        .from("venue")
        .and_where(Expr::col(("venue", "id")).equals(("event", "venue_id")))
        .and_where(Expr::col(("venue", "latitude")).is_not_null())
        .cond_where(condition::links(visibility, "venue"))
        .take();
    let exists = Expr::exists(venue);
    if located { exists } else { exists.not() }
}

/// Events with tickets; or those without.
fn with_tickets(wanted: bool) -> SimpleExpr {
    let mut tickets = Sql::select().from(ticket::TABLE).take();
    if wanted {
        let events = tickets.column("event_id").take();
        return Expr::col(("event", "id")).in_subquery(events);
    }
    // Asked event by event: PostgreSQL may look through a whole NOT IN for each.
    tickets
        .expr(Expr::val(1))
        .and_where(Expr::col((ticket::TABLE, "event_id")).equals(("event", "id")));
    Expr::exists(tickets).not()
}

/// Events at venues within a circle that the reader sees there.
fn at_near(circle: &Circle, visibility: &Visibility) -> SimpleExpr {
    let venues = Sql::select()
        .column(("venue", "id"))
        .from("venue")
        .cond_where(condition::within(circle))
        .cond_where(condition::links(visibility, "venue"))
        .take();
    Expr::col(("event", "venue_id")).in_subquery(venues)
}

/// Events that are linked with at least one of these.
fn linked_with<R>((table, column): Links, ids: &[Id<R>]) -> SimpleExpr {
    let events = Sql::select()
        .column("event_id")
        .from(table)
        .and_where(Expr::col(column).is_in(ids.iter().map(|id| id.get())))
        .take();
    Expr::col(("event", "id")).in_subquery(events)
}
