//! The layers: what each crate must not depend on, directly or through others.

mod examples;
pub(super) mod imports;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Component, Path, PathBuf},
    process::Command,
};

use domain::FieldName;
use sea_orm::DbBackend;

/// Each package with crates that it must not be built from, directly or indirectly.
const FORBIDDEN: [(&str, &[&str]); 14] = [
    // Entities and rules: no crate that does I/O.
    (
        "events-calendar-domain",
        &[
            "tokio",
            "async-trait",
            "sea-orm",
            "sqlx",
            "axum",
            "mockall",
            "events-calendar-app",
            "events-calendar-adapters-db",
            "events-calendar-http-service",
            "chrono-tz",
        ],
    ),
    // Use cases depend on ports, never on adapters.
    (
        "events-calendar-app",
        &[
            "sea-orm",
            "sqlx",
            "axum",
            "mockall",
            "events-calendar-adapters-db",
            "events-calendar-http-service",
        ],
    ),
    // Fields of requests and files are read without a server and without a database.
    ("events-calendar-forms", &["sea-orm", "axum", "mockall", "events-calendar-interchange"]),
    (
        "events-calendar-interchange",
        &[
            "sea-orm",
            "axum",
            "mockall",
            "events-calendar-adapters-db",
            "events-calendar-http-service",
        ],
    ),
    // The interfaces depend on no database. Neither depends on the other; both stand on what they share.
    (
        "events-calendar-http-service",
        &[
            "sea-orm",
            "sqlx",
            "mockall",
            "askama",
            "schemars",
            "events-calendar-adapters-db",
            "events-calendar-migration",
            "events-calendar-api-http",
            "events-calendar-pages",
            "events-calendar-desk",
        ],
    ),
    (
        "events-calendar-api-http",
        &[
            "sea-orm",
            "sqlx",
            "mockall",
            "events-calendar-adapters-db",
            "events-calendar-migration",
            "events-calendar-pages",
            "events-calendar-desk",
        ],
    ),
    (
        "events-calendar-pages",
        &[
            "sea-orm",
            "sqlx",
            "mockall",
            "events-calendar-adapters-db",
            "events-calendar-migration",
            "events-calendar-api-http",
            "events-calendar-desk",
        ],
    ),
    (
        "events-calendar-desk",
        &[
            "sea-orm",
            "sqlx",
            "mockall",
            "events-calendar-adapters-db",
            "events-calendar-migration",
            "events-calendar-api-http",
            "events-calendar-pages",
        ],
    ),
    // The database adapter depends on no interface.
    ("events-calendar-adapters-db", &["axum", "hyper", "events-calendar-http-service", "mockall"]),
    // The HTTP client has no knowledge of the calendar.
    ("events-calendar-adapters-http", &["sea-orm", "axum", "events-calendar-domain"]),
    // A client links no server and no database.
    (
        "events-calendar-client",
        &[
            "sea-orm",
            "sqlx",
            "axum",
            "mockall",
            "schemars",
            "events-calendar-interchange",
            "events-calendar-adapters-db",
            "events-calendar-http-service",
        ],
    ),
    // The adapter of calendar files is synchronous, and has no I/O of its own. Time zones come from `domain`.
    (
        "events-calendar-adapters-ical",
        &[
            "sea-orm",
            "sqlx",
            "axum",
            "reqwest",
            "chrono-tz",
            "events-calendar-adapters-db",
            "events-calendar-http-service",
        ],
    ),
    // The generator of made-up records depends on `domain` alone.
    (
        "seed",
        &[
            "tokio",
            "sea-orm",
            "events-calendar-app",
            "events-calendar-adapters-db",
            "events-calendar-http-service",
        ],
    ),
    // The example of what links `domain` alone.
    ("example-filter", &["tokio", "async-trait", "sea-orm", "axum", "events-calendar-app"]),
];

/// The most traits of all crates, those for tests left out. Two are of the client library: the kinds of records that it
/// reads, and a copy that it keeps. One is the port of the audit trail.
const MAX_TRAITS: usize = 50;

/// The output of `cargo tree` for a package, one crate or feature in a line.
fn tree(package: &str, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix=none", "--package", package])
        .args(arguments)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names are UTF-8")
}

/// A misspelt or former name would forbid nothing.
#[test]
fn each_forbidden_crate_exists() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("Cargo.lock");
    let lock = fs::read_to_string(lock).unwrap();
    for (package, forbidden) in FORBIDDEN {
        for name in forbidden.iter().chain([&package]) {
            assert!(lock.contains(&format!("\nname = \"{name}\"\n")), "{name}");
        }
    }
}

#[test]
fn no_package_is_built_from_a_forbidden_crate() {
    for (package, forbidden) in FORBIDDEN {
        let tree = tree(package, &["--edges=normal"]);
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        let reached: BTreeSet<_> = names.filter(|name| *name != package).collect();
        assert!(!reached.is_empty(), "{package} is built from something");
        for name in forbidden {
            assert!(!reached.contains(name), "{package} must not depend on {name}");
        }
    }
}

/// Forms of records belong to the layers around the domain: only `validator`, which checks e-mail
/// addresses, brings JSON.
#[test]
fn the_domain_uses_no_json() {
    let tree =
        tree("events-calendar-domain", &["--edges=normal", "--invert=serde_json", "--depth=1"]);
    let names: Vec<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["serde_json", "validator"]);
}

/// Programs that link `domain` alone choose what they pay for: the filter of HTML, the table of
/// currencies and the parsers of addresses are features.
#[test]
fn the_domain_without_features_is_small() {
    let tree = tree("events-calendar-domain", &["--edges=normal", "--no-default-features"]);
    let crates: BTreeSet<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.len() < 30, "{} crates:\n{tree}", crates.len());
    for left_out in ["ammonia", "iso_currency", "serde", "url", "validator"] {
        assert!(!crates.contains(left_out), "{left_out}");
    }
}

/// Time zone rules come from the program or from `--zone-data`, never from the machine.
#[test]
fn no_time_zone_is_read_from_the_system() {
    let tree = tree("server", &["--edges=normal,features"]);
    assert!(tree.contains("jiff feature \"tzdb-bundle-always\""));
    for feature in ["tz-system", "tzdb-zoneinfo", "tzdb-concatenated"] {
        assert!(!tree.contains(&format!("jiff feature \"{feature}\"")), "{feature}");
    }
}

/// The flags that the documentation recommends are those that this workspace uses.
#[test]
fn sqlite_is_compiled_with_the_documented_flags() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let line = format!("LIBSQLITE3_FLAGS = \"{}\"\n", adapters_db::SQLITE_FLAGS);
    let documentation = "crates/adapters-db/src/store/connect/compile_options.rs";
    for file in [".cargo/config.toml", "docs/RUST.md", documentation] {
        assert!(fs::read_to_string(workspace.join(file)).unwrap().contains(&line), "{file}");
    }
}

/// The folders `src` of all crates.
fn sources() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let crates = fs::read_dir(workspace.join("crates")).expect("there are crates");
    crates.map(|entry| entry.unwrap().path().join("src")).collect()
}

/// The columns are declared once: outside the entities, statements name them by the entities' types. The test compares
/// whole string literals with the names of columns. It does not see a column within a longer SQL text.
#[test]
fn only_the_entities_spell_the_names_of_columns() {
    // A field in the debug output of the options.
    const ALLOWED: [(&str, &str); 1] = [("store/connect/mod.rs", "url")];
    let columns: BTreeSet<_> = [DbBackend::Sqlite, DbBackend::Postgres]
        .into_iter()
        .flat_map(adapters_db::entity_columns)
        .map(|column| column.column)
        .collect();
    let src =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates/adapters-db/src");
    let mut spelled = BTreeSet::new();
    for path in imports::rust_files(&src) {
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap();
        // The comparison names the columns of links in lists, whose statements fail on a wrong name.
        let exempt = ["entity/", "doctor/"];
        if exempt.iter().any(|folder| file.starts_with(folder)) || file.ends_with("tests.rs") {
            continue;
        }
        let code = imports::code_of(&fs::read_to_string(&path).unwrap());
        let named = columns.iter().filter(|column| code.contains(&format!("\"{column}\"")));
        spelled.extend(named.map(|column| (file.to_owned(), *column)));
    }
    let allowed = ALLOWED.map(|(file, column)| (file.to_owned(), column));
    assert_eq!(spelled, BTreeSet::from(allowed));
}

/// One enum is the connection of all repositories, so that they are compiled once.
#[test]
fn no_repository_is_generic_over_its_connection() {
    let src =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates/adapters-db/src");
    let generic = imports::rust_files(&src).into_iter().filter(|path| {
        imports::code_of(&fs::read_to_string(path).unwrap()).contains(": Connection>")
    });
    assert_eq!(generic.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// The use cases know neither requests nor their form: only `validator`, through the domain, brings JSON.
#[test]
fn the_use_cases_use_no_json() {
    let tree = tree("events-calendar-app", &["--edges=normal", "--depth=1"]);
    assert!(tree.contains("events-calendar-domain"));
    assert!(!tree.lines().any(|line| line.starts_with("serde")), "{tree}");
}

/// A field has its name in one list of the domain. The test compares whole string literals.
#[test]
fn the_use_cases_spell_no_name_of_a_field() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates/app/src");
    let mut spelled = BTreeSet::new();
    for path in imports::rust_files(&src) {
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap();
        if file.contains("test") {
            continue;
        }
        let code = imports::code_of(&fs::read_to_string(&path).unwrap());
        let named = FieldName::ALL.into_iter();
        let named = named.filter(|name| code.contains(&format!("\"{name}\"")));
        spelled.extend(named.map(|name| (file.to_owned(), name.as_str())));
    }
    // The kind of a reference in a message, the name of a field of a Rust type, and the purpose of a code.
    let allowed = [
        ("fault/kinds.rs", "image"),
        ("fault/kinds.rs", "user"),
        ("sign_in/second_factor.rs", "user"),
        ("write/builder.rs", "kind"),
    ];
    let allowed = allowed.map(|(file, name)| (file.to_owned(), name));
    assert_eq!(spelled, BTreeSet::from(allowed));
}

/// Each write of a record has its entry of the trail: one file alone calls the methods that write. The links between
/// two halves of a series are no field.
#[test]
fn records_are_written_with_their_entries() {
    const WRITES: [&str; 4] = [".insert(", ".insert_at(", ".update(", ".delete("];
    const RECORDS: [&str; 6] =
        ["repository(", ".events()", ".venues()", ".organizers()", ".categories()", ".tags()"];
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates/app/src");
    let mut found = BTreeSet::new();
    for path in imports::rust_files(&src) {
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
        if file.contains("test") {
            continue;
        }
        let code = imports::code_of(&fs::read_to_string(&path).unwrap());
        let statements = code.split(';').map(|text| text.split_whitespace().collect::<String>());
        for statement in statements {
            let writes = WRITES.iter().any(|write| statement.contains(write));
            let of_record = RECORDS.iter().any(|records| statement.contains(records));
            if (writes && of_record) || statement.contains(".occurrences().apply(") {
                found.insert(file.clone());
            }
        }
    }
    let allowed = ["event/series/split_series.rs", "resource/writes.rs"];
    assert_eq!(found, BTreeSet::from(allowed.map(str::to_owned)));
}

/// Each trait is an idea that a reader has to learn.
#[test]
fn the_crates_have_few_traits() {
    let mut traits = Vec::new();
    for file in sources().iter().flat_map(|src| imports::rust_files(src)) {
        let is_test = |part: Component<'_>| {
            part.as_os_str() == "test_support" || part.as_os_str() == "port-tests"
        };
        if file.components().any(is_test) {
            continue;
        }
        for item in syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap().items {
            if let syn::Item::Trait(item) = item {
                traits.push(format!("{} in {}", item.ident, file.display()));
            }
        }
    }
    assert!(traits.len() <= MAX_TRAITS, "{} traits:\n{}", traits.len(), traits.join("\n"));
}

/// The table of contents has each test of the ports, so that every store runs it.
#[test]
fn every_test_of_the_ports_is_listed() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates/port-tests/src");
    let listed = fs::read_to_string(src.join("suites.rs")).unwrap();
    let (mut left_out, mut count) = (Vec::new(), 0);
    let files = imports::rust_files(&src).into_iter();
    for file in files.filter(|file| !file.ends_with("port_test.rs")) {
        let code = fs::read_to_string(file).unwrap();
        for line in code.lines().filter(|line| line.ends_with("(store: &dyn Store) {")) {
            let Some(function) = line.strip_prefix("pub async fn ") else { continue };
            let name = function.split(['<', '(']).next().unwrap();
            count += 1;
            if !["<", ","].iter().any(|end| listed.contains(&format!(" {name}{end}"))) {
                left_out.push(name.to_owned());
            }
        }
    }
    assert!(count > 170, "{count} tests");
    assert_eq!(left_out, Vec::<String>::new());
}

/// A record without an ID is `None`: no ID has a meaning of its own. Answers show 0 by `shown_id` alone.
#[test]
fn no_id_stands_for_none() {
    const ZEROS: [&str; 3] = ["from_raw(0)", "get() == 0", "get() != 0"];
    let files = sources().into_iter().flat_map(|src| imports::rust_files(&src));
    let found = files.filter(|path| {
        let code = imports::code_of(&fs::read_to_string(path).unwrap());
        ZEROS.iter().any(|zero| code.contains(zero))
    });
    assert_eq!(found.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// The page of the architecture is read at once; details are in `docs/internals`.
#[test]
fn the_page_of_the_architecture_is_short() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs/ARCHITECTURE.md");
    let lines = fs::read_to_string(page).unwrap().lines().count();
    assert!(lines <= 250, "{lines} lines");
}

/// The page of the architecture names each folder and file at the root of the crates that it describes.
#[test]
fn the_page_of_the_architecture_names_all_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let (_, folders) = page.split_once("## Folders of the crates").unwrap();
    let (folders, _) = folders.split_once("## Internals").unwrap();
    let rows = folders.lines().filter_map(|row| row.strip_prefix("| `")?.split_once("` | "));
    let mut described = 0;
    for (name, row) in rows {
        described += 1;
        for entry in fs::read_dir(root.join("crates").join(name).join("src")).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let is_named = ["lib", "main"].contains(&stem)
                || row.contains(&format!("`{stem}.rs`"))
                || row.contains(&format!("`{stem}/`"));
            assert!(is_named, "{name}: {stem}");
        }
    }
    assert!(described > 8, "{described} crates");
}

/// A folder has at most 15 files, so that a reader finds a file by its name.
#[test]
fn no_folder_holds_more_than_fifteen_files() {
    let mut counts = BTreeMap::<PathBuf, usize>::new();
    for file in sources().iter().flat_map(|src| imports::rust_files(src)) {
        *counts.entry(file.parent().unwrap().to_owned()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 15);
    assert!(counts.is_empty(), "{counts:#?}");
}

/// Sibling modules import in one direction: of two that import each other, neither can be
/// understood or changed alone.
#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut circles = String::new();
    for src in sources() {
        let read = imports::Crate::read(&src);
        let imports = read.imports();
        let folders: BTreeSet<_> = imports
            .keys()
            .flat_map(|module| (0..module.len()).map(|length| &module[..length]))
            .collect();
        for folder in folders {
            for (from, to) in circle(folder, &imports) {
                let (src, from, to) = (src.display(), from.join("::"), to.join("::"));
                writeln!(circles, "{src}: {from} -> {to}").unwrap();
            }
        }
    }
    assert!(circles.is_empty(), "modules in circles:\n{circles}");
}

/// No module imports an item that the root of its crate defines: the root stands on the modules. The
/// IDs of `domain` are its exception: each names a kind of record and the type of IDs. Exported macros, as those of
/// `port-tests`, always stand in the root.
#[test]
fn no_module_imports_the_root_of_its_crate() {
    let mut arrows = String::new();
    for src in sources()
        .iter()
        .filter(|src| !src.ends_with("domain/src") && !src.ends_with("port-tests/src"))
    {
        let read = imports::Crate::read(src);
        for (from, all) in read.imports() {
            if !from.is_empty() && all.contains(&Vec::new()) {
                writeln!(arrows, "{}: {}", src.display(), from.join("::")).unwrap();
            }
        }
    }
    assert!(arrows.is_empty(), "modules that import the root:\n{arrows}");
}

/// The imports between children of a folder that lie on a circle, each as its two modules.
fn circle<'a>(
    folder: &[String],
    imports: &'a BTreeMap<&Vec<String>, BTreeSet<Vec<String>>>,
) -> Vec<(&'a Vec<String>, &'a Vec<String>)> {
    let depth = folder.len();
    let inside = |module: &[String]| module.len() > depth && module.starts_with(folder);
    let mut between: Vec<_> = imports
        .iter()
        .flat_map(|(from, all)| all.iter().map(|to| (*from, to)))
        .filter(|(from, to)| inside(from) && inside(to) && from[depth] != to[depth])
        .collect();
    let mut arrows = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (from, to) in &between {
        arrows.entry(&from[depth]).or_default().insert(&to[depth]);
    }
    between.retain(|(from, to)| reaches(&arrows, &to[depth], &from[depth]));
    between
}

/// Whether a path of imports leads from one child to another.
fn reaches(arrows: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut next = vec![from];
    while let Some(child) = next.pop() {
        let targets = arrows.get(child).into_iter().flatten();
        next.extend(targets.filter(|target| seen.insert(target)));
    }
    seen.contains(to)
}
