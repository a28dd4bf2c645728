//! The registry of slugs, and former slugs.

use std::collections::BTreeMap;

use app::ports::StoreError;
use domain::{Category, Event, Organizer, Stored, Tag, Venue};
use sea_orm::{
    EntityTrait as _, ExprTrait,
    sea_query::{Expr, Query},
};

use super::{
    Check, Findings, Work,
    records::{Walk, name},
};
use crate::{
    entity::{former_slug, slug},
    sql::InsertBatch,
    tables::{Table, slug_row},
};

impl Work<'_> {
    /// Compares the slugs of records with the registry.
    pub(super) async fn registered<R: Table>(
        &self,
        records: &[Stored<R>],
        mends: bool,
        walk: &mut Walk,
    ) -> Result<(), StoreError> {
        use slug::Column::{Kind, RecordId, Slug};
        let registering = records.iter().filter(|record| record.registers_slugs());
        let expected: Vec<_> = registering
            .flat_map(|record| {
                let slugs = record.slugs();
                slugs.map(|(_, slug)| (record.id.get(), slug.clone()))
            })
            .collect();
        if expected.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = expected
            .iter()
            .map(|(_, slug)| slug.as_str().to_owned())
            .collect();
        let select = Query::select()
            .columns([Slug, RecordId])
            .from(slug::Entity)
            .and_where(Expr::col(Kind).eq(R::KIND.name()))
            .and_where(self.session.json().is_one_of_texts(Slug, &texts))
            .take();
        let owners = self.session.connection.values(&select).await?;
        let mut owners: BTreeMap<String, i64> = owners.into_iter().collect();
        for (id, slug) in expected {
            let owner = owners.get(slug.as_str());
            let texts = |found: String| {
                [
                    format!("slug {} of {}", slug.as_str(), name::<R>(id)),
                    found,
                    "a slug of this record".to_owned(),
                ]
            };
            match owner {
                Some(owner) if *owner == id => {}
                // A person decides which of the two keeps it, unless the other one has gone.
                Some(owner) => walk.add(
                    Check::Slugs,
                    false,
                    texts(format!("a slug of {}", name::<R>(*owner))),
                ),
                None => {
                    walk.add(Check::Slugs, true, texts("not registered".to_owned()));
                    owners.insert(slug.as_str().to_owned(), id);
                    if mends {
                        let mut row = InsertBatch::default();
                        row.push_model(&slug_row(R::KIND, id, &slug));
                        row.insert(self.session).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares the registry of slugs with the records, and looks for former slugs of records that do not
    /// exist.
    pub(super) async fn slugs(&self, found: &mut Findings) -> Result<(), StoreError> {
        self.surplus::<Event>(found).await?;
        self.surplus::<Venue>(found).await?;
        self.surplus::<Organizer>(found).await?;
        self.surplus::<Category>(found).await?;
        self.surplus::<Tag>(found).await?;
        // After the surplus rows have gone, which may have been of another record.
        self.of_walk(Check::Slugs, found).await
    }

    async fn surplus<R: Table>(&self, found: &mut Findings) -> Result<(), StoreError> {
        let (kind, table, translations) = (R::KIND.name(), R::table(), R::translations_table());
        let surplus = format!(
            "SELECT slug, record_id FROM slug WHERE kind = '{kind}'
            AND NOT EXISTS (SELECT 1 FROM {table} WHERE id = slug.record_id AND {table}.slug = slug.slug)
            AND NOT EXISTS (SELECT 1 FROM {translations} AS shown
                WHERE shown.record_id = slug.record_id AND shown.slug = slug.slug) ORDER BY slug"
        );
        let former = format!(
            "SELECT slug, record_id FROM former_slug WHERE kind = '{kind}'
            AND NOT EXISTS (SELECT 1 FROM {table} WHERE id = former_slug.record_id) ORDER BY slug"
        );
        for (slug, id) in self.rows::<(String, i64)>(surplus).await? {
            found.derived(
                format!("slug {slug} of {}", name::<R>(id)),
                "registered",
                "no slug of this record",
            );
            if self.mends {
                let registered = slug::Entity::delete_by_id((kind.to_owned(), slug));
                self.session.connection.change(registered).await?;
            }
        }
        for (slug, id) in self.rows::<(String, i64)>(former).await? {
            found.derived(
                format!("former slug {slug} of {}", name::<R>(id)),
                "kept",
                "nothing: the record does not exist",
            );
            if self.mends {
                let kept = former_slug::Entity::delete_by_id((kind.to_owned(), slug));
                self.session.connection.change(kept).await?;
            }
        }
        Ok(())
    }
}
