//! Puts a tombstone when an event stops being public, and removes it when the event is public again.

use domain::{Event, Stored, event::Tombstone, time::Timestamp};

use crate::{
    error::AppError,
    ports::{Repositories, SlugRequests},
    request::Request,
    resource::save,
};

/// Stores the content of an event or a series, and its tombstone.
pub(super) async fn save_event(
    before: Stored<Event>,
    mut content: Event,
    slugs: SlugRequests,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let [was, is] = [&before.content, &content].map(|event| event.is_public(request.now));
    match (was, is) {
        (true, false) => put(&before, request.now, unit).await?,
        (false, true) => {
            unit.tombstones().remove(&before.details.uid).await?;
        }
        (true, true) | (false, false) => {}
    }
    content.count_publicity_since(&before, request.now);
    save(before, content, slugs, request, unit).await
}

/// Puts the tombstone of a public event or series, before a write after which it is not public.
pub(super) async fn put(
    event: &Stored<Event>,
    now: Timestamp,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let categories = &event.details.categories;
    let categories = if categories.is_empty() {
        Vec::new()
    } else {
        let lineage = unit.categories().with_ancestors(categories).await?;
        lineage.into_iter().map(|category| category.id).collect()
    };
    let tombstone = Tombstone::of(event, categories, now);
    unit.tombstones().put(&tombstone).await?;
    Ok(())
}
