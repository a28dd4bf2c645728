//! What the tests of the calendar as a whole are made with: databases, the service, its ports.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up shall fail at once"
)]

pub mod app;
pub mod client;
pub mod db;
pub mod pictures;
pub mod ports;

/// Runs each test on SQLite and on PostgreSQL, with a service of its own.
///
/// ```text
/// on_both_stores! {
///     /// EC-34: An end before the start is refused.
///     async fn the_end_is_not_before_the_start(app) { … }
/// }
/// ```
///
/// `on_both_stores! { threads = 4; … }` runs what each test spawns on that many threads.
#[macro_export]
macro_rules! on_both_stores {
    (threads = $threads:literal; $($tests:tt)*) => {
        $crate::on_both_stores! { @ (flavor = "multi_thread", worker_threads = $threads) $($tests)* }
    };
    (@ $runtime:tt $($(#[$meta:meta])* async fn $name:ident($app:ident) $body:block)*) => {
        $($(#[$meta])* async fn $name($app: &$crate::app::TestApp) $body)*

        mod sqlite {
            $(#[tokio::test $runtime] async fn $name() {
                let app = $crate::app::TestApp::new($crate::db::TestDb::sqlite().await).await;
                super::$name(&app).await;
            })*
        }

        mod postgres {
            $(#[tokio::test $runtime] async fn $name() {
                if let Some(db) = $crate::db::TestDb::postgres().await {
                    let app = $crate::app::TestApp::new(db).await;
                    super::$name(&app).await;
                }
            })*
        }
    };
    ($($tests:tt)*) => {
        $crate::on_both_stores! { @ () $($tests)* }
    };
}
