//! Random searches through two stores over one database.

use app::ports::Store;
use port_tests::{
    Dice, add_users, rounds,
    sample::in_unit,
    search::{
        random::write_and_search,
        random_writes::{Calendar, varied},
    },
};
use tests::{both_stores, db::TestDb};

/// Bulk loads among writes through two stores over one database, which search each other's events.
#[both_stores]
async fn random_searches_after_a_bulk_load(db: &TestDb) {
    let mut dice = Dice(12);
    let other = db.another(|_| ()).await;
    let stores: [&dyn Store; 2] = [&db.store, &other];
    add_users(&db.store).await;
    in_unit(&db.store, async |to| Calendar::fill(to, &mut dice, 10).await).await;
    for count in [300, 1, 257] {
        let links = Calendar::read(stores[0].repositories()).await.links;
        let events: Vec<_> = (0..count).map(|_| varied(&mut dice, &links)).collect();
        let mut loader = db.store.loader().await.unwrap();
        assert_eq!(loader.add(&events).await.unwrap().len(), count);
        loader.commit().await.unwrap();
        write_and_search(&stores, &mut dice, rounds(5)).await;
    }
    other.close().await.unwrap();
}
