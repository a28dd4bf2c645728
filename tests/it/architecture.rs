//! The layers: what each crate must not depend on, directly or through others.

use std::{collections::BTreeSet, process::Command};

/// The crates that a crate of ours is built from, as `cargo tree` tells.
fn dependencies(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--edges=normal",
            "--prefix=none",
            "--package",
            package,
        ])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names are UTF-8");
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| *name != package).map(str::to_owned).collect()
}

#[track_caller]
fn reaches_none_of(package: &str, forbidden: &[&str]) {
    let reached = dependencies(package);
    assert!(!reached.is_empty(), "{package} is built from something");
    for name in forbidden {
        assert!(!reached.contains(*name), "{package} must not depend on {name}");
    }
}

/// Whoever links `domain` gets entities and rules, and nothing that runs.
#[test]
fn the_domain_does_no_io() {
    reaches_none_of(
        "domain",
        &[
            "tokio",
            "async-trait",
            "sea-orm",
            "sqlx",
            "axum",
            "serde_json",
            "app",
            "adapters-db",
            "api-http",
            "chrono-tz",
        ],
    );
}

/// The rules of time zones are those that the program holds or was handed, on whichever machine it runs.
#[test]
fn no_time_zone_is_read_from_the_system() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges=normal,features"])
        .args(["--prefix=none", "--package=server"])
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8(output.stdout).expect("names are UTF-8");
    assert!(tree.contains("jiff feature \"tzdb-bundle-always\""));
    for feature in ["tz-system", "tzdb-zoneinfo", "tzdb-concatenated"] {
        assert!(!tree.contains(&format!("jiff feature \"{feature}\"")), "{feature}");
    }
}

/// Use cases know ports, not what stands behind them.
#[test]
fn the_use_cases_know_no_adapter() {
    reaches_none_of("app", &["sea-orm", "sqlx", "axum", "mockall", "adapters-db", "api-http"]);
}

/// The interface knows no database.
#[test]
fn the_interface_knows_no_database() {
    reaches_none_of("api-http", &["sea-orm", "sqlx", "adapters-db", "migration", "mockall"]);
}

/// The database knows no interface.
#[test]
fn the_database_knows_no_interface() {
    reaches_none_of("adapters-db", &["axum", "hyper", "api-http", "mockall"]);
}

/// The generator of made-up records knows the domain alone.
#[test]
fn the_seed_generator_knows_the_domain_alone() {
    reaches_none_of("seed", &["tokio", "sea-orm", "app", "adapters-db", "api-http"]);
}
