//! The registry of slugs. A unique key of the database makes slugs unique within a kind, not a read
//! before the write.

use app::ports::{SlugRequest, SlugRequests, StoreError};
use std::collections::BTreeMap;

use domain::{Id, Kind, Language, slug::Slug};
use sea_orm::{
    ActiveModelTrait as _, EntityTrait as _, ExprTrait, IdenStatic, IntoActiveModel as _,
    QueryTrait as _,
    sea_query::{
        Asterisk, CommonTableExpression, Expr, Func, OnConflict, Order, Query, SelectStatement,
        SimpleExpr, WithClause,
    },
};

use super::suffix_search::{Outcome, SuffixSearch};
use crate::{
    entity::{
        RecordColumn,
        slug::{self, Column},
    },
    session::Session,
    sql::insert_selected,
    tables::{Table, owner_of_slug, slug_row},
};

/// The maximum number of slugs that concurrent callers may take first. Each attempt lost means that
/// another caller succeeded.
const MAX_LOST: usize = 64;

/// The result of a lookup in the registry.
struct Look {
    /// The index of the first slug that is free or belongs to the record.
    free: Option<usize>,
    next_id: Option<i64>,
    /// Whether the lookup has inserted that slug.
    is_taken: bool,
}

/// The work of a lookup besides the slug itself.
#[derive(Clone, Copy)]
struct Creation {
    /// The table whose next ID it reserves.
    table: &'static str,
    /// The ID to take instead, which the caller has reserved.
    reserved: Option<i64>,
    /// On PostgreSQL, it inserts the slug if it is among so many first ones.
    named: usize,
}

impl Session {
    /// Takes the slug that a request leads to. `present` is the record's slug in the language of
    /// the request, and `own` are all its slugs: no other caller changes them before the unit of
    /// work ends, so that they are valid for every lookup.
    async fn take_slug(
        &self,
        kind: Kind,
        id: i64,
        request: &SlugRequest,
        present: Option<&Slug>,
        own: &mut Vec<Slug>,
    ) -> Result<Slug, StoreError> {
        let own_first = present.into_iter().chain(own.iter());
        let choices = Choices::new(request, own_first);
        for _ in 0..MAX_LOST {
            let look = self.look(kind, Some(id), &choices.slugs, None).await?;
            let slug = self.choose(kind, Some(id), &choices, look.free).await?;
            if own.contains(&slug) {
                return Ok(slug);
            }
            if self.try_slug(kind, id, &slug).await? {
                own.push(slug.clone());
                return Ok(slug);
            }
        }
        Err(StoreError::Conflict)
    }

    /// The ID of a new record, and the slug that a request leads to, if there is one. `reserved` is
    /// the ID that the record gets; the next one by default.
    pub(crate) async fn take_id<R: Table>(
        &self,
        reserved: Option<Id<R>>,
        request: Option<&SlugRequest>,
    ) -> Result<(i64, Option<Slug>), StoreError> {
        let (kind, table) = (R::KIND, R::table());
        let reserved = reserved.map(Id::get);
        let choices = request.map(|request| Choices::new(request, []));
        for _ in 0..MAX_LOST {
            let slugs = choices.as_ref().map(|choices| &*choices.slugs);
            let slugs = slugs.unwrap_or_default();
            let named = choices.as_ref().map_or(0, |choices| choices.named);
            let creation = Creation {
                table,
                reserved,
                named,
            };
            let look = self.look(kind, None, slugs, Some(creation)).await?;
            let no_number = || StoreError::Internal(format!("{table} has no number left"));
            let id = look.next_id.ok_or_else(no_number)?;
            let Some(choices) = &choices else {
                return Ok((id, None));
            };
            let slug = self.choose(kind, None, choices, look.free).await?;
            if look.is_taken || self.try_slug(kind, id, &slug).await? {
                return Ok((id, Some(slug)));
            }
        }
        Err(StoreError::Conflict)
    }

    /// The slug that the choices lead to; `free` is the index of the first free one.
    async fn choose(
        &self,
        kind: Kind,
        id: Option<i64>,
        choices: &Choices<'_>,
        mut free: Option<usize>,
    ) -> Result<Slug, StoreError> {
        if let Some(index) = free
            && index < choices.named
        {
            return Ok(choices.slugs[index].clone());
        }
        free = free.map(|index| index - choices.named);
        let mut search = SuffixSearch::default();
        loop {
            match search.observe(&search.candidates(), free) {
                Outcome::Free(number) => return Ok(choices.last.numbered(number)),
                Outcome::Narrower => {}
                Outcome::NoneLeft => {
                    let text = format!("no slug is left like {}", choices.last);
                    return Err(StoreError::Internal(text));
                }
            }
            let numbers = search.candidates().into_iter();
            let numbered: Vec<_> = numbers.map(|n| choices.last.numbered(n)).collect();
            free = self.look(kind, id, &numbered, None).await?.free;
        }
    }

    /// Releases a slug of a record, or all of them.
    pub(crate) async fn release_slugs(
        &self,
        kind: Kind,
        id: i64,
        slug: Option<&Slug>,
    ) -> Result<(), StoreError> {
        let delete = Query::delete()
            .from_table(slug::Entity)
            .and_where(Expr::col(Column::Kind).eq(kind.name()))
            .and_where_option(slug.map(|slug| Expr::col(Column::Slug).eq(slug.as_str())))
            .and_where(Expr::col(Column::RecordId).eq(id))
            .take();
        self.connection.execute_deferred(&delete).await
    }

    /// Takes the slugs that the requests for a changed record lead to, and releases those that it
    /// no longer has.
    pub(crate) async fn take_slugs<R: Table>(
        &self,
        id: i64,
        before: &R,
        content: &mut R,
        requests: SlugRequests,
    ) -> Result<(), StoreError> {
        let old: Vec<Slug> = before.slugs().map(|(_, slug)| slug.clone()).collect();
        let mut own = old.clone();
        let present = before.slug();
        let slug = match requests.original {
            Some(request) => {
                let taken = self.take_slug(R::KIND, id, &request, present, &mut own);
                Some(taken.await?)
            }
            None => present.cloned(),
        };
        content.set_slug(slug);
        self.take_translated_slugs(id, Some(before), content, requests.translations, own)
            .await?;
        let is_freed = |old: &&Slug| content.slugs().all(|(_, slug)| slug != *old);
        for freed in old.iter().filter(is_freed) {
            self.release_slugs(R::KIND, id, Some(freed)).await?;
        }
        Ok(())
    }

    /// Takes the slugs of the translations. `own` are the slugs that the record has already.
    pub(crate) async fn take_translated_slugs<R: Table>(
        &self,
        id: i64,
        before: Option<&R>,
        content: &mut R,
        mut requests: BTreeMap<Language, SlugRequest>,
        mut own: Vec<Slug>,
    ) -> Result<(), StoreError> {
        for language in Language::ALL {
            let present =
                before.and_then(|before| before.translations().get(language)?.slug.clone());
            let request = requests.remove(&language);
            if request.is_none() && content.translations().get(language).is_none() {
                continue;
            }
            let mut translation = content.translations_mut().take(language);
            translation.slug = match request {
                Some(request) => {
                    let taken = self.take_slug(R::KIND, id, &request, present.as_ref(), &mut own);
                    Some(taken.await?)
                }
                None => present.filter(|_| translation.slug.is_some()),
            };
            content.translations_mut().put(language, translation);
        }
        Ok(())
    }

    /// Takes a slug that was free in the last lookup; false if a concurrent caller was first.
    async fn try_slug(&self, kind: Kind, id: i64, slug: &Slug) -> Result<bool, StoreError> {
        let row = slug_row(kind, id, slug).into_active_model().reset_all();
        let mut insert = slug::Entity::insert(row).into_query();
        if !self.is_postgres() {
            // SQLite has one writer: no concurrent caller can be first.
            self.connection.execute_deferred(&insert).await?;
            return Ok(true);
        }
        insert.on_conflict(no_conflict());
        Ok(self.connection.run(&insert).await?.rows_affected() == 1)
    }

    /// Looks up the first slug that is free or belongs to the record.
    async fn look(
        &self,
        kind: Kind,
        id: Option<i64>,
        slugs: &[Slug],
        creation: Option<Creation>,
    ) -> Result<Look, StoreError> {
        let next_id = match creation {
            Some(Creation {
                reserved: Some(id), ..
            }) => Expr::value(id),
            Some(creation) => self.next_id(creation.table),
            None => Expr::value(Option::<i64>::None),
        };
        let mut look = Query::select()
            .expr_as(self.first_free(kind, id, slugs), FREE)
            .expr_as(next_id, NEXT_ID)
            .take();
        match creation {
            Some(creation) if self.is_postgres() => {
                look = taking(kind, slugs, creation.named, look)?;
            }
            _ => {
                look.expr_as(Expr::value(0_i64), TAKEN);
            }
        }
        let no_row = || StoreError::Internal("the lookup of slugs returned no row".to_owned());
        let found: Option<(Option<i64>, Option<i64>, i64)> = self.connection.value(&look).await?;
        let (free, next_id, taken) = found.ok_or_else(no_row)?;
        Ok(Look {
            free: free.and_then(|index| usize::try_from(index).ok()),
            next_id,
            is_taken: taken == 1,
        })
    }

    /// The index of the first slug that no other record has. All slugs are one parameter, so that
    /// the SQL text stays the same.
    fn first_free(&self, kind: Kind, id: Option<i64>, slugs: &[Slug]) -> SimpleExpr {
        let slugs = Expr::val(listed(slugs));
        let index = Expr::cust("CAST(choice.value ->> 0 AS bigint)");
        // A subquery for each slug uses the key. PostgreSQL plans a join for a hundred slugs, and
        // then reads all slugs of the kind. No record has the ID 0.
        let own = id.unwrap_or_default();
        let owner = owner_of_slug(kind, Expr::cust("choice.value ->> 1"));
        let owner = SimpleExpr::SubQuery(None, Box::new(owner.into()));
        let mut first = Query::select()
            .expr(index.clone())
            .and_where(Expr::expr(Func::coalesce([owner, Expr::val(own)])).eq(own))
            .take();
        if self.is_postgres() {
            let choices = Func::cust("json_array_elements").arg(slugs.cast_as("json"));
            first
                .from_function(choices, "choice")
                .order_by_expr(index, Order::Asc)
                .limit(1);
        } else {
            // SQLite returns the elements in order, and takes the first row of a subquery as its
            // value. A bound limit would make it prepare the statement again each time.
            first.from_function(Func::cust("json_each").arg(slugs), "choice");
        }
        SimpleExpr::SubQuery(None, Box::new(first.into()))
    }

    /// The next ID of a table, reserved for the caller.
    fn next_id(&self, table: &'static str) -> SimpleExpr {
        let next = if self.is_postgres() {
            let id = RecordColumn::Id.as_str();
            format!("nextval(pg_get_serial_sequence($1, '{id}'))")
        } else {
            "COALESCE((SELECT seq FROM sqlite_sequence WHERE name = ?), 0) + 1".to_owned()
        };
        Expr::cust_with_exprs(next, [Expr::val(table)])
    }
}

/// The names of the columns of a lookup.
const FREE: &str = "free";
const NEXT_ID: &str = "next_id";
const TAKEN: &str = "taken";

/// The slugs as JSON, each with its index.
fn listed(slugs: &[Slug]) -> String {
    let slugs: Vec<_> = slugs.iter().map(Slug::as_str).enumerate().collect();
    serde_json::json!(slugs).to_string()
}

/// A lookup on PostgreSQL that inserts the free slug for the next ID, if it is among the first
/// `named`. A concurrent caller may have inserted it first.
fn taking(
    kind: Kind,
    slugs: &[Slug],
    named: usize,
    look: SelectStatement,
) -> Result<SelectStatement, StoreError> {
    const LOOK: &str = "look";
    let part = |name: &'static str| CommonTableExpression::new().table_name(name).to_owned();
    let free = Expr::col((LOOK, FREE));
    let slug = "CAST($1 AS json) -> CAST($2 AS integer) ->> 1";
    let slug = Expr::cust_with_exprs(slug, [Expr::val(listed(slugs)), free.clone()]);
    let named = i64::try_from(named).unwrap_or(i64::MAX);
    let row = Query::select()
        .expr(Expr::val(kind.name()))
        .expr(slug)
        .column((LOOK, NEXT_ID))
        .from(LOOK)
        .and_where(free.lt(named))
        .take();
    let columns = [Column::Kind, Column::Slug, Column::RecordId];
    let insert = insert_selected(slug::Entity, columns, row)?
        .on_conflict(no_conflict())
        .returning_col(Column::RecordId)
        .take();
    let mut with = WithClause::new();
    with.cte(part(LOOK).query(look).to_owned());
    with.cte(part(TAKEN).query(insert).to_owned());
    let taken = Query::select()
        .expr(Expr::col(Asterisk).count())
        .from(TAKEN)
        .take();
    let taken = SimpleExpr::SubQuery(None, Box::new(taken.into()));
    Ok(Query::select()
        .columns([FREE, NEXT_ID])
        .expr_as(taken, TAKEN)
        .from(LOOK)
        .with_cte(with)
        .take())
}

/// An insertion of a slug that another record has changes nothing. An error would end the
/// transaction on PostgreSQL.
fn no_conflict() -> OnConflict {
    OnConflict::columns([Column::Kind, Column::Slug])
        .do_nothing()
        .to_owned()
}

/// The slugs that a request leads to.
struct Choices<'a> {
    /// The requested slugs, then the record's own slugs with a number behind the last requested
    /// one, then the first numbered candidates.
    slugs: Vec<Slug>,
    /// The number of slugs before the numbered candidates.
    named: usize,
    last: &'a Slug,
}

impl<'a> Choices<'a> {
    fn new<'b>(request: &'a SlugRequest, own: impl IntoIterator<Item = &'b Slug>) -> Self {
        let last = request.last();
        let named = request
            .candidates()
            .iter()
            .filter(|slug| !slug.is_reserved());
        let numbered = own.into_iter().filter(|own| own.is_numbered(last));
        let mut slugs: Vec<_> = named.cloned().chain(numbered.cloned()).collect();
        let named = slugs.len();
        let numbers = SuffixSearch::default().candidates().into_iter();
        slugs.extend(numbers.map(|number| last.numbered(number)));
        Self { slugs, named, last }
    }
}
