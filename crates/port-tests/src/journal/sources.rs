//! Sources that are read on a schedule.

use app::{
    ports::{SourceLease, Store, StoreError, StoredSource},
    test_support::{at, source},
};
use domain::{
    Status,
    source::{
        ReadFault, ReportCounts, Source, SourceFailure, SourceFinding, SourceFormat, SourceReport,
        SourceRuns, UpdatePolicy, Validators,
    },
};

use crate::sample::{in_unit, user_id};

const NOW: &str = "2030-01-01 00:00:00";

async fn insert(store: &dyn Store, name: &str, limit: u64) -> Option<StoredSource> {
    let source = source(name, user_id(0));
    let runs = SourceRuns::new(&source, at(NOW));
    in_unit(store, async |to| to.sources().insert(&source, &runs, limit).await.unwrap()).await
}

fn lease(holder: &str, until: &str) -> SourceLease {
    SourceLease { holder: holder.to_owned(), until: at(until) }
}

/// A source comes back as it was stored, with all that runs left behind.
pub async fn sources_round_trip(store: &dyn Store) {
    let club = insert(store, "Club", 100).await.unwrap();
    let upper = insert(store, "CLUB", 100).await.unwrap();
    assert_eq!(club.source, source("Club", user_id(0)));
    assert_eq!((club.runs.next_run, &club.runs.report, &club.lease), (at(NOW), &None, &None));
    let changed = Source {
        format: SourceFormat::Table,
        url: "http://other.example:81/x?key=🎉".parse().unwrap(),
        user: user_id(1),
        every: "7d".parse().unwrap(),
        status: Status::Pending,
        category: Some("Été".parse().unwrap()),
        policy: UpdatePolicy::FillBlanks,
        prune: true,
        header_file: Some("/etc/headers".to_owned().into()),
        paused: true,
        ..club.source.clone()
    };
    let finding = SourceFinding {
        line: 8,
        uid: "é\n".to_owned(),
        property: "DTSTART".to_owned(),
        code: "bad-date".to_owned(),
    };
    let runs = SourceRuns {
        ledger: "club.example".to_owned(),
        next_run: at("2030-01-02 00:00:00"),
        is_requested: true,
        validators: Validators {
            etag: Some("W/\"5f\"".to_owned()),
            last_modified: Some("Tue, 01 Jan 2030 00:00:00 GMT".to_owned()),
        },
        last_run: Some(at("2030-01-01 01:00:00")),
        last_success: Some(at("2030-01-01 02:00:00")),
        failure: Some(SourceFailure::Status(503)),
        failures: 3,
        failing_since: Some(at("2030-01-01 03:00:00")),
        told: Some(at("2030-01-01 04:00:00")),
        events: 12,
        report: Some(SourceReport {
            counts: ReportCounts {
                read: 1,
                created: 2,
                updated: 3,
                unchanged: 4,
                cancelled: 5,
                duplicates: 8,
                merged: 9,
                pruned: 6,
                ignored: 7,
            },
            refused: vec![finding.clone()],
            warnings: vec![finding, SourceFinding::default()],
        }),
    };
    let update = in_unit(store, async |to| {
        to.sources().update(club.id, &changed, &runs, at(NOW)).await.unwrap()
    });
    assert!(update.await);
    let after = StoredSource { source: changed, runs, ..club.clone() };
    let sources = store.sources();
    assert_eq!(sources.find(club.id).await.unwrap().as_ref(), Some(&after));
    assert_eq!(sources.find_by_name("Club").await.unwrap().as_ref(), Some(&after));
    assert_eq!(sources.find_by_name("club").await.unwrap(), None);
    assert_eq!(sources.list().await.unwrap(), [after, upper]);
}

/// A name is used once, and the number of sources is limited.
pub async fn sources_are_limited(store: &dyn Store) {
    let club = insert(store, "Club", 2).await.unwrap();
    let unit = store.begin().await.unwrap();
    let again = source("Club", user_id(0));
    let runs = SourceRuns::new(&again, at(NOW));
    let taken = unit.sources().insert(&again, &runs, 2).await;
    assert!(matches!(taken, Err(StoreError::Conflict)), "{taken:?}");
    unit.rollback().await.unwrap();
    let choir = insert(store, "Choir", 2).await.unwrap();
    assert_eq!(insert(store, "School", 2).await, None);
    let deleted =
        in_unit(store, async |to| to.sources().delete(choir.id, None, at(NOW)).await.unwrap());
    assert!(deleted.await);
    let school = insert(store, "School", 2).await.unwrap();
    assert!(club.id < choir.id && choir.id < school.id);
}

/// One holder at a time has a lease, until it ends or is given back.
pub async fn a_source_has_one_lease(store: &dyn Store) {
    let club = insert(store, "Club", 100).await.unwrap();
    let try_lease = async |holder: &str, until: &str, now: &str| {
        let lease = lease(holder, until);
        in_unit(store, async |to| to.sources().lease(club.id, &lease, at(now)).await.unwrap()).await
    };
    let [one, two, three] = ["2030-01-01 00:01:00", "2030-01-01 00:02:00", "2030-01-01 00:03:00"];
    assert!(try_lease("a", one, NOW).await);
    assert!(!try_lease("b", two, NOW).await);
    assert!(try_lease("a", two, NOW).await, "it is renewed");
    assert!(!try_lease("b", three, one).await);
    assert!(try_lease("b", three, two).await, "it ended");
    assert!(!try_lease("a", three, two).await);
    let stored = store.sources().find(club.id).await.unwrap().unwrap();
    assert_eq!(stored.lease, Some(lease("b", three)));

    // A result without the lease is ignored.
    let mut runs = club.runs.clone();
    runs.fail(club.source.every, at(two), 0, ReadFault::TooSlow.into(), None);
    let finish = async |holder: &str| {
        in_unit(store, async |to| to.sources().finish(club.id, holder, &runs).await.unwrap()).await
    };
    assert!(!finish("a").await);
    assert_eq!(store.sources().find(club.id).await.unwrap().unwrap().runs, club.runs);
    assert!(finish("b").await);
    assert!(!finish("b").await);
    let stored = store.sources().find(club.id).await.unwrap().unwrap();
    assert_eq!((stored.runs, stored.lease), (runs, None));
}

/// While a lease lasts, nobody else changes or deletes the source.
pub async fn a_leased_source_stays(store: &dyn Store) {
    let club = insert(store, "Club", 100).await.unwrap();
    let until = "2030-01-01 00:01:00";
    let held = lease("a", until);
    assert!(
        in_unit(store, async |to| to.sources().lease(club.id, &held, at(NOW)).await.unwrap()).await
    );
    let update = async |now: &str| {
        in_unit(store, async |to| {
            to.sources().update(club.id, &club.source, &club.runs, at(now)).await.unwrap()
        })
        .await
    };
    let delete = async |holder: Option<&str>, now: &str| {
        let holder = holder.map(str::to_owned);
        in_unit(store, async |to| to.sources().delete(club.id, holder, at(now)).await.unwrap())
            .await
    };
    assert!(!update(NOW).await);
    assert!(!delete(None, NOW).await && !delete(Some("b"), NOW).await);
    assert!(update(until).await);
    assert!(delete(Some("a"), NOW).await);
    assert!(!delete(Some("a"), NOW).await && !update(until).await);
}

/// A user whose records a source brings is not removed.
pub async fn a_source_keeps_its_user(store: &dyn Store) {
    let club = insert(store, "Club", 100).await.unwrap();
    let remove =
        async || in_unit(store, async |to| to.users().remove(user_id(0)).await.unwrap()).await;
    assert!(!remove().await);
    let deleted =
        in_unit(store, async |to| to.sources().delete(club.id, None, at(NOW)).await.unwrap());
    assert!(deleted.await);
    assert!(remove().await);
}
