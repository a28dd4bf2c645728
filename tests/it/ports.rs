//! The contract of the ports, held by every store: in memory, SQLite and PostgreSQL.

mod foreign_writes;
mod journal;
mod search;
mod search_at_once;

mod memory {
    use app::test_support::InMemoryStore;
    use port_tests::{PortTest, port_tests};

    async fn each(test: PortTest) {
        test.run(&InMemoryStore::new()).await;
    }

    port_tests!(each);
}

mod sqlite {
    use port_tests::{PortTest, port_tests};
    use tests::db::TestDb;

    async fn each(test: PortTest) {
        test.run(&TestDb::sqlite().await.store).await;
    }

    port_tests!(each);
}

/// Without a PostgreSQL server, these tests do nothing, and the output says so.
mod postgres {
    use port_tests::{PortTest, port_tests};
    use tests::db::TestDb;

    async fn each(test: PortTest) {
        if let Some(db) = TestDb::postgres().await {
            test.run(&db.store).await;
        }
    }

    port_tests!(each);
}
