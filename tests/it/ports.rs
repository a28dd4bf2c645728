//! The port suite on every store.

use app::test_support::InMemoryStore;
use tests::db::TestDb;

tests::port_suite!(memory, store = Some(InMemoryStore::new()) => &store);
tests::port_suite!(sqlite, db = Some(TestDb::sqlite().await) => &db.store);
tests::port_suite!(postgres, db = TestDb::postgres().await => &db.store);
