//! An in-memory store.

mod accounts;
mod audit;
mod duplicates;
mod feeds;
mod idempotency;
mod images;
mod indirect_changes;
mod journal;
mod occurrence_row;
mod occurrences;
mod repository;
mod reviews;
mod session;
mod sign_ins;
mod sources;
mod state;
mod tables;
mod tally;

pub use session::{FailingStep, InMemoryStore};

#[cfg(test)]
mod tests {
    use domain::{Role, UserId, VenueId};

    use super::*;
    use crate::{
        ports::{Repositories, SlugRequests, Store, StoreError},
        test_support::{event, tag, user, venue},
    };

    async fn store() -> InMemoryStore {
        let store = InMemoryStore::new();
        let unit = store.begin().await.unwrap();
        let ada = unit.users().insert(user("ada", Role::Author)).await;
        assert!(ada.unwrap().is_some());
        unit.commit().await.unwrap();
        store
    }

    #[tokio::test]
    async fn plain_reads_see_what_was_committed() {
        let store = store().await;
        let unit = store.begin().await.unwrap();
        let mill = venue("Old Mill").insert(&*unit).await;
        assert_eq!(store.venues().find(mill.id).await.unwrap(), None);
        unit.commit().await.unwrap();
        assert_eq!(store.venues().find(mill.id).await.unwrap(), Some(mill));
    }

    #[tokio::test]
    async fn a_unit_waits_for_the_one_before() {
        let store = store().await;
        let unit = store.begin().await.unwrap();
        let second = async {
            let unit = store.begin().await.unwrap();
            venue("second").insert(&*unit).await;
            unit.commit().await.unwrap();
        };
        let first = async {
            tokio::task::yield_now().await;
            venue("first").insert(&*unit).await;
            unit.commit().await.unwrap();
        };
        tokio::join!(second, first);
        let ids = [1, 2].map(VenueId::from_raw);
        let venues = store.venues().find_many(&ids).await.unwrap();
        let names: Vec<_> = venues.iter().map(|venue| venue.title.as_str()).collect();
        assert_eq!(names, ["first", "second"]);
    }

    #[tokio::test]
    async fn a_write_needs_a_unit() {
        let store = store().await;
        let refused = store
            .venues()
            .insert(venue("Old Mill").build(), SlugRequests::default())
            .await;
        assert!(matches!(refused, Err(StoreError::Internal(_))));
        let refused = store.settings().get_or_insert("name", "value").await;
        assert!(matches!(refused, Err(StoreError::Internal(_))));
    }

    #[tokio::test]
    async fn a_unit_is_not_to_be_used_while_one_within_it_is_under_way() {
        let store = store().await;
        let unit = store.begin().await.unwrap();
        let nested = unit.nested().await.unwrap();
        let misused = unit.users().list().await;
        assert!(matches!(misused, Err(StoreError::Internal(_))));
        assert!(unit.nested().await.is_err());
        nested.commit().await.unwrap();
        assert_eq!(unit.users().list().await.unwrap().len(), 1);
        let nested = unit.nested().await.unwrap();
        assert!(matches!(unit.commit().await, Err(StoreError::Internal(_))));
        drop(nested);
    }

    #[tokio::test]
    async fn what_names_nothing_is_refused_like_by_foreign_keys() {
        let store = store().await;
        let unit = store.begin().await.unwrap();
        let elsewhere = event("Concert").venue(VenueId::from_raw(7)).build();
        let refused = unit
            .events()
            .insert(elsewhere, SlugRequests::default())
            .await;
        assert!(matches!(refused, Err(StoreError::Internal(_))));
        let of_nobody = venue("Old Mill").author(UserId::from_raw(7)).build();
        let refused = unit
            .venues()
            .insert(of_nobody, SlugRequests::default())
            .await;
        assert!(matches!(refused, Err(StoreError::Internal(_))));
        // A term without a requested slug keeps its own, as in the database.
        let tag = tag("Jazz").build();
        let slug = tag.slug.clone();
        let stored = unit.tags().insert(tag, SlugRequests::default()).await;
        assert_eq!(stored.unwrap().slug, slug);
    }
}
