//! Tests with a table of rows.

use std::{any::Any, fmt::Debug, panic::AssertUnwindSafe};

use futures_util::FutureExt as _;

/// Checks each row, then fails with the name and the reason of each row that failed.
///
/// The name of a row is its `Debug` form.
pub async fn for_each_row<R: Debug>(
    rows: impl IntoIterator<Item = R>,
    mut check: impl AsyncFnMut(R),
) {
    let mut failed = Vec::new();
    for row in rows {
        let name = format!("{row:?}");
        if let Err(panic) = AssertUnwindSafe(check(row)).catch_unwind().await {
            failed.push(format!("{name}: {}", message(&*panic)));
        }
    }
    assert!(failed.is_empty(), "failed rows:\n{}", failed.join("\n"));
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[tokio::test]
async fn every_row_runs_before_the_failure() {
    let mut seen = Vec::new();
    let run = for_each_row([1, 2, 3], async |row| {
        seen.push(row);
        assert!(row == 2, "odd");
    });
    let panic = AssertUnwindSafe(run).catch_unwind().await.unwrap_err();
    assert_eq!(message(&*panic), "failed rows:\n1: odd\n3: odd");
    assert_eq!(seen, [1, 2, 3]);
}
