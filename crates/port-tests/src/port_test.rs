//! A test as a value, and its run.

use std::pin::Pin;

use app::{ports::Store, test_support::user};
use domain::{Role, UserId};

/// A run of a test on a store.
type Run = for<'a> fn(&'a dyn Store) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

/// One test of the ports.
#[derive(Clone, Copy, Debug)]
pub struct PortTest {
    has_users: bool,
    run: Run,
}

impl PortTest {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(has_users: bool, run: Run) -> Self {
        Self { has_users, run }
    }

    /// Runs the test on a store without records.
    ///
    /// # Panics
    ///
    /// If the store fails the test.
    pub async fn run(self, store: &dyn Store) {
        if self.has_users {
            add_users(store).await;
        }
        (self.run)(store).await;
    }
}

/// Adds the users ada, ben and cleo, who are the authors of other records. Their IDs are 1, 2 and 3.
pub async fn add_users(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    for (number, name) in (1..).zip(["ada", "ben", "cleo"]) {
        let added = unit.users().insert(user(name, Role::Author)).await;
        assert_eq!(added.unwrap().unwrap().id, UserId::from_raw(number));
    }
    unit.commit().await.unwrap();
}

/// Runs a test to its end, on a runtime of one thread.
#[doc(hidden)]
pub fn block_on(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(test);
}
