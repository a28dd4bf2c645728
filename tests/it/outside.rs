//! The tests of `tests/outside`, which are written as a user of the libraries writes them, stay
//! short, and there is one for a mock of each port. `.ci/run` runs them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::{Item, parse_file};

use super::architecture::imports::rust_files;

/// The most lines of a test, with its attribute and its last brace.
const MAX_LINES: usize = 20;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The files with the tests, as text.
fn files() -> Vec<String> {
    let folder = fs::read_dir(workspace().join("tests/outside/tests")).unwrap();
    folder.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// The tests in a formatted file: each from the line of its attribute to the line of its last
/// brace.
fn tests(file: &str) -> Vec<Vec<&str>> {
    let mut tests = Vec::new();
    let mut lines = file.lines();
    while let Some(line) = lines.next() {
        if line == "#[tokio::test]" {
            let mut test = vec![line];
            test.extend(lines.by_ref().take_while(|line| *line != "}"));
            test.push("}");
            tests.push(test);
        }
    }
    tests
}

#[test]
fn no_test_of_a_user_is_longer_than_twenty_lines() {
    let mut count = 0;
    for file in files() {
        let found = tests(&file);
        let items = parse_file(&file).unwrap().items;
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
        let attributed = functions.filter(|function| !function.attrs.iter().all(is_doc));
        assert_eq!(found.len(), attributed.count(), "each test is found:\n{file}");
        count += found.len();
        for test in found {
            assert!(test.len() <= MAX_LINES, "{} lines:\n{}", test.len(), test.join("\n"));
        }
    }
    assert!(count >= 3, "{count} tests");
}

fn is_doc(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("doc")
}

#[test]
fn each_port_has_a_mock_and_a_test_with_it() {
    let (mut traits, mut tested) = (BTreeSet::new(), BTreeSet::new());
    let mut ports = rust_files(&workspace().join("crates/app/src/ports"));
    let of_files = ["source_site.rs", "format.rs", "source/read.rs"];
    let of_files = of_files.map(|file| workspace().join("crates/interchange/src").join(file));
    ports.extend(of_files);
    for file in ports {
        for item in parse_file(&fs::read_to_string(file).unwrap()).unwrap().items {
            if let Item::Trait(port) = item {
                traits.insert(format!("Mock{}", port.ident));
            }
        }
    }
    // Each port of a store is mocked; the list of them is no port.
    assert!(traits.remove("MockRepositories"));
    let texts = files();
    let all = texts.iter().flat_map(|file| tests(file)).flatten();
    for line in all {
        let words = line.split(|c: char| !c.is_alphanumeric());
        tested.extend(words.filter(|word| word.starts_with("Mock")).map(str::to_owned));
    }
    assert_eq!(tested, traits);
}

/// A program outside the workspace keeps a copy of a calendar; the page on copies shows it.
#[test]
fn a_program_keeps_a_copy_in_less_than_thirty_lines() {
    let program = fs::read_to_string(workspace().join("examples/mirror.rs")).unwrap();
    assert!(program.lines().count() < 30);
    let page = fs::read_to_string(workspace().join("docs/SYNC.md")).unwrap();
    assert!(page.contains(&format!("```rust\n{program}```\n")));
    let manifest = fs::read_to_string(workspace().join("tests/outside/Cargo.toml")).unwrap();
    assert!(manifest.contains("path = \"../../examples/mirror.rs\""));
}
