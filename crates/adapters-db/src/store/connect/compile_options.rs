//! The version of SQLite, and the options with which it was compiled.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement};

/// The flags with which SQLite is to be compiled, for the environment variable `LIBSQLITE3_FLAGS`.
///
/// No crate can pass them to the program that links it. That program sets them in its own
/// `.cargo/config.toml`:
///
/// ```toml
/// [env]
/// LIBSQLITE3_FLAGS = "-DSQLITE_ENABLE_QPSG -USQLITE_ENABLE_STAT4 -USQLITE_ENABLE_MEMORY_MANAGEMENT -USQLITE_ENABLE_API_ARMOR -DSQLITE_DEFAULT_MEMSTATUS=0"
/// ```
///
/// With other options, answers are the same, and [`connect`](crate::connect) logs a warning. With
/// `ENABLE_QPSG` and without `ENABLE_STAT4`, plans do not depend on bound values, so that no
/// statement is prepared again for other values. With `DEFAULT_MEMSTATUS=0` and without
/// `ENABLE_MEMORY_MANAGEMENT`, connections do not wait for each other. `ENABLE_API_ARMOR` checks
/// pointers that the driver guarantees.
pub const SQLITE_FLAGS: &str = "-DSQLITE_ENABLE_QPSG -USQLITE_ENABLE_STAT4 -USQLITE_ENABLE_MEMORY_MANAGEMENT \
     -USQLITE_ENABLE_API_ARMOR -DSQLITE_DEFAULT_MEMSTATUS=0";

/// The first version of SQLite that loses no commit when a checkpoint restarts the write-ahead log while another connection writes.
const LEAST_VERSION: [u32; 3] = [3, 51, 3];

/// Refuses a version of SQLite that can damage a file. Cargo may link another one than this crate was tested with.
pub(super) async fn require_version(connection: &DatabaseConnection) -> Result<(), DbErr> {
    let backend = connection.get_database_backend();
    let statement = Statement::from_string(backend, "SELECT sqlite_version()");
    let row = connection.query_one_raw(statement).await?;
    let version: String = row
        .map(|row| row.try_get_by_index(0))
        .transpose()?
        .unwrap_or_default();
    if is_safe(&version) {
        return Ok(());
    }
    let least = LEAST_VERSION.map(|part| part.to_string()).join(".");
    Err(DbErr::Custom(format!(
        "the program is linked with SQLite {version}, which can damage a file that is written to: {least} or later is needed"
    )))
}

fn is_safe(version: &str) -> bool {
    let parts: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
    parts.is_ok_and(|parts| *parts >= LEAST_VERSION[..])
}

/// Logs one warning if SQLite was compiled with other options. One that does not list its options is
/// used, too.
pub(super) async fn check(connection: &DatabaseConnection) {
    match options(connection).await {
        Ok(options) => {
            let deviations = deviations(&options);
            if !deviations.is_empty() {
                tracing::warn!(
                    "SQLite was compiled {}, so it is slower: set LIBSQLITE3_FLAGS in \
                     .cargo/config.toml as the documentation of adapters_db::SQLITE_FLAGS says",
                    deviations.join(", ")
                );
            }
        }
        Err(error) => tracing::debug!(%error, "the compile options of SQLite are unknown"),
    }
}

async fn options(connection: &DatabaseConnection) -> Result<Vec<String>, DbErr> {
    let statement = Statement::from_string(
        connection.get_database_backend(),
        "SELECT * FROM pragma_compile_options",
    );
    let rows = connection.query_all_raw(statement).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// The differences of the options from [`SQLITE_FLAGS`].
fn deviations(options: &[String]) -> Vec<String> {
    let deviation = |flag: &str| {
        let (action, name) = flag.split_at_checked("-DSQLITE_".len())?;
        let is_set = options.iter().any(|option| option == name);
        match (action.starts_with("-D"), is_set) {
            (true, false) => Some(format!("without {name}")),
            (false, true) => Some(format!("with {name}")),
            _ => None,
        }
    };
    SQLITE_FLAGS.split(' ').filter_map(deviation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for version in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
            assert!(is_safe(version), "{version}");
        }
        for version in ["3.51.2", "3.9.0", "3.51", "", "x"] {
            assert!(!is_safe(version), "{version}");
        }
    }

    #[test]
    fn each_deviation_is_named() {
        let options = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let by_default = options(&["ENABLE_API_ARMOR", "ENABLE_FTS5", "ENABLE_STAT4"]);
        let expected = [
            "without ENABLE_QPSG",
            "with ENABLE_STAT4",
            "with ENABLE_API_ARMOR",
            "without DEFAULT_MEMSTATUS=0",
        ];
        assert_eq!(deviations(&by_default), expected);
        let ours = options(&["DEFAULT_MEMSTATUS=0", "ENABLE_QPSG", "THREADSAFE=1"]);
        assert_eq!(deviations(&ours), [""; 0]);
    }
}
