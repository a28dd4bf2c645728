//! Lookup of records by name.

use app::ports::{RelatedNames, StoreError};
use domain::{
    Organizer, Stored, Venue,
    term::{Categories, Tags},
};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query, UnionType},
};

use super::related_loader::{BatchColumn, BatchQuery};
use crate::{
    connection::{Connection, NameCache, sort_by_id},
    entity::{event, event_translation},
    session::Session,
    tables::{RecordQuery, Table, read_record},
};

impl<C: Connection> Session<C> {
    /// Implements [`Repository::find_named`](app::ports::Repository::find_named).
    pub(crate) async fn find_names<R: Table>(
        &self,
        names: &[String],
    ) -> Result<Vec<Stored<R>>, StoreError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let cache = self.connection.name_cache();
        if let Some(found) = cache.and_then(|cache| cache.find::<R>(names)) {
            return Ok(found);
        }
        let wanted = self.of_names::<R>(names);
        let mut found = self.load(wanted, read_record::<R>).await?;
        sort_by_id(&mut found);
        if let Some(cache) = cache {
            cache.add(names.to_vec(), &found);
        }
        Ok(found)
    }

    /// Implements [`EventRepository::prefetch_names`](app::ports::EventRepository::prefetch_names).
    pub(crate) async fn read_ahead(&self, names: &RelatedNames) -> Result<(), StoreError> {
        let Some(cache) = self.connection.name_cache() else {
            return Ok(());
        };
        let mut parts = BatchQuery::default();
        let categories = self.ask::<domain::Term<Categories>>(
            cache,
            &names.categories,
            &mut parts,
            "categories",
        );
        let tags = self.ask::<domain::Term<Tags>>(cache, &names.tags, &mut parts, "tags");
        let venues = self.ask::<Venue>(cache, &names.venues, &mut parts, "venues");
        let organizers = self.ask::<Organizer>(cache, &names.organizers, &mut parts, "organizers");
        if let Some(row) = parts.row(self).await? {
            let (names, part) = categories;
            cache.add(
                names,
                &part.read(&row, read_record::<domain::Term<Categories>>)?,
            );
            let (names, part) = tags;
            cache.add(names, &part.read(&row, read_record::<domain::Term<Tags>>)?);
            let (names, part) = venues;
            cache.add(names, &part.read(&row, read_record::<Venue>)?);
            let (names, part) = organizers;
            cache.add(names, &part.read(&row, read_record::<Organizer>)?);
        }
        Ok(())
    }

    /// Adds a query for the names that are not cached.
    fn ask<R: Table>(
        &self,
        cache: &NameCache,
        names: &[String],
        parts: &mut BatchQuery,
        column: &'static str,
    ) -> (Vec<String>, BatchColumn) {
        let names = cache.unknown::<R>(names);
        let wanted = (!names.is_empty()).then(|| self.of_names::<R>(&names));
        (names, parts.ask(wanted, column))
    }

    /// The records with one of these folded titles or names in any language.
    fn of_names<R: Table>(&self, names: &[String]) -> RecordQuery {
        let translated = Query::select()
            .column(event_translation::Column::RecordId)
            .from(R::translations_table())
            .and_where(Expr::col(event_translation::Column::TitleKey).is_in(names))
            .take();
        // Each part uses an index; with an `OR`, PostgreSQL would scan the table.
        let ids = Query::select()
            .column(event::Column::Id)
            .from(R::table())
            .and_where(Expr::col(R::name_key()).is_in(names))
            .union(UnionType::Distinct, translated)
            .take();
        let mut wanted = RecordQuery::of::<R>(self.json());
        let has_name = Expr::col((R::table(), event::Column::Id)).in_subquery(ids);
        wanted.rows().and_where(has_name);
        wanted
    }
}
