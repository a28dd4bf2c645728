//! Looking up records by their names.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use app::ports::{RelatedNames, StoreError};
use domain::{
    Organizer, Stored, Venue,
    term::{Categories, Tags},
    text::fold,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Expr, Query, UnionType},
};

use crate::{
    named::{Part, Parts},
    over::{Connection, Over},
    selection::{self, Selection},
    table::Table,
};

/// What was found under folded names in a transaction beside which nobody else can write: it is so until
/// the transaction itself changes it.
#[derive(Debug, Default)]
pub(crate) struct NamesRead(Mutex<HashMap<&'static str, HashMap<String, Found>>>);

type Found = Arc<dyn Any + Send + Sync>;

impl NamesRead {
    fn tables(&self) -> MutexGuard<'_, HashMap<&'static str, HashMap<String, Found>>> {
        // Nothing under the lock can fail half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of some names of which nobody knows what is found.
    fn unknown<R: Table>(&self, names: &[String]) -> Vec<String> {
        let tables = self.tables();
        let known = tables.get(R::TABLE);
        let is_unknown = |name: &&String| known.is_none_or(|known| !known.contains_key(*name));
        names.iter().filter(is_unknown).cloned().collect()
    }

    /// The records of some names, by ID; none if that is not known of all of them.
    fn find<R: Table>(&self, names: &[String]) -> Option<Vec<Stored<R>>> {
        let tables = self.tables();
        let known = tables.get(R::TABLE)?;
        let mut found = Vec::new();
        for name in names {
            found.extend_from_slice(known.get(name)?.downcast_ref::<Vec<Stored<R>>>()?);
        }
        sort(&mut found);
        Some(found)
    }

    /// Adds all records of some names.
    fn add<R: Table>(&self, names: Vec<String>, records: &[Stored<R>]) {
        let mut tables = self.tables();
        let known = tables.entry(R::TABLE).or_default();
        for name in names {
            let is_named =
                |record: &&Stored<R>| record.titles().any(|title| fold(title.as_str()) == name);
            let found: Vec<_> = records.iter().filter(is_named).cloned().collect();
            known.insert(name, Arc::new(found));
        }
    }

    /// Forgets what was found in a table, as a record is added to it.
    pub(crate) fn forget<R: Table>(&self) {
        self.tables().remove(R::TABLE);
    }

    /// Forgets everything, as something is changed, deleted or undone.
    pub(crate) fn forget_all(&self) {
        self.tables().clear();
    }
}

/// By ID, each once.
fn sort<R: Table>(records: &mut Vec<Stored<R>>) {
    records.sort_unstable_by_key(|record| record.id);
    records.dedup_by_key(|record| record.id);
}

impl<C: Connection> Over<C> {
    /// See [`Repository::find_named`](app::ports::Repository::find_named).
    pub(crate) async fn find_names<R: Table>(
        &self,
        names: &[String],
    ) -> Result<Vec<Stored<R>>, StoreError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let read = self.connection.names_read();
        if let Some(found) = read.and_then(|read| read.find::<R>(names)) {
            return Ok(found);
        }
        let wanted = self.of_names::<R>(names);
        let mut found = self.load(wanted, selection::read::<R>).await?;
        sort(&mut found);
        if let Some(read) = read {
            read.add(names.to_vec(), &found);
        }
        Ok(found)
    }

    /// See [`EventRepository::prefetch_names`](app::ports::EventRepository::prefetch_names).
    pub(crate) async fn read_ahead(&self, names: &RelatedNames) -> Result<(), StoreError> {
        let Some(read) = self.connection.names_read() else {
            return Ok(());
        };
        let mut parts = Parts::default();
        let categories =
            self.ask::<domain::Term<Categories>>(read, &names.categories, &mut parts, "categories");
        let tags = self.ask::<domain::Term<Tags>>(read, &names.tags, &mut parts, "tags");
        let venues = self.ask::<Venue>(read, &names.venues, &mut parts, "venues");
        let organizers = self.ask::<Organizer>(read, &names.organizers, &mut parts, "organizers");
        if let Some(row) = parts.row(self).await? {
            let (names, part) = categories;
            read.add(
                names,
                &part.read(&row, selection::read::<domain::Term<Categories>>)?,
            );
            let (names, part) = tags;
            read.add(
                names,
                &part.read(&row, selection::read::<domain::Term<Tags>>)?,
            );
            let (names, part) = venues;
            read.add(names, &part.read(&row, selection::read::<Venue>)?);
            let (names, part) = organizers;
            read.add(names, &part.read(&row, selection::read::<Organizer>)?);
        }
        Ok(())
    }

    /// Asks for the records of those of some names of which nobody knows what is found.
    fn ask<R: Table>(
        &self,
        read: &NamesRead,
        names: &[String],
        parts: &mut Parts,
        column: &'static str,
    ) -> (Vec<String>, Part) {
        let names = read.unknown::<R>(names);
        let wanted = (!names.is_empty()).then(|| self.of_names::<R>(&names));
        (names, parts.ask(wanted, column))
    }

    /// The records whose folded title or name is one of these in some language.
    fn of_names<R: Table>(&self, names: &[String]) -> Selection {
        let translated = Query::select()
            .column("record_id")
            .from(R::TRANSLATIONS)
            .and_where(Expr::col("title_key").is_in(names))
            .take();
        // Each part follows an index; with an OR, PostgreSQL would read the whole table.
        let ids = Query::select()
            .column("id")
            .from(R::TABLE)
            .and_where(Expr::col(R::NAME_KEY).is_in(names))
            .union(UnionType::Distinct, translated)
            .take();
        let mut wanted = Selection::of::<R>(self.json());
        let has_name = Expr::col((R::TABLE, "id")).in_subquery(ids);
        wanted.rows().and_where(has_name);
        wanted
    }
}
