//! Records and users for the beginning of a test.

use domain::{Role, policy::Caller};

use super::{caller, user};
use crate::ports::{Store, UnitOfWork};

/// Works in a unit of work of a store, and commits it.
///
/// ```
/// use events_calendar_app::{ports::Repositories, test_support::{InMemoryStore, add_user, in_unit, venue}};
/// use domain::Role;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Author).await; // the author of records from builders
/// let mill = in_unit(&store, async |unit| venue("Old Mill").insert(unit).await).await;
/// assert_eq!(store.venues().find(mill.id).await.unwrap(), Some(mill));
/// # }
/// ```
pub async fn in_unit<T>(store: &dyn Store, work: impl AsyncFnOnce(&dyn UnitOfWork) -> T) -> T {
    let unit = store.begin().await.unwrap();
    let done = work(&*unit).await;
    unit.commit().await.unwrap();
    done
}

/// Adds a user to a store: a caller for its use cases. The first user of an empty store has the ID
/// 1, which is the author of the records of [builders](super::venue).
///
/// ```
/// use events_calendar_app::test_support::{InMemoryStore, add_user};
/// use domain::{Role, UserId, policy::Caller};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let store = InMemoryStore::new();
/// let editor = add_user(&store, "ada", Role::Editor).await;
/// assert_eq!(editor, Caller::of(UserId::from_raw(1), Role::Editor));
/// # }
/// ```
pub async fn add_user(store: &dyn Store, name: &str, role: Role) -> Caller {
    let add = async |unit: &dyn UnitOfWork| unit.users().insert(user(name, role)).await;
    let added = in_unit(store, add).await.unwrap();
    caller(added.unwrap().id, role)
}
