//! The tests and files that pages name exist.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Code spans of a line: `` `tests/it/main.rs` ``.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Checks that each row of the tables of a page, which number their rows, names a test in its last column, and that
/// the named files have the tests. Returns the number of rows.
fn check(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join(page)).unwrap();
    let mut rows = 0;
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let columns: Vec<_> = line.trim_matches('|').split(" | ").collect();
        let [number, _, _, shown_by] = columns[..] else {
            panic!("not four columns: {line}");
        };
        if number.trim() == "#" {
            continue;
        }
        rows += 1;
        assert_eq!(number.trim(), rows.to_string());
        let mut file = None;
        let mut named = 0;
        for span in spans(shown_by) {
            if span.contains('/') {
                let text = fs::read_to_string(root.join(span));
                file = Some(text.unwrap_or_else(|error| panic!("{span}: {error}")));
                continue;
            }
            let text = file.as_deref().unwrap_or_else(|| panic!("no file before {span}"));
            let declarations = [("fn", '('), ("fn", '<'), ("def", '(')];
            let has = declarations.map(|(word, end)| text.contains(&format!("{word} {span}{end}")));
            assert!(has.contains(&true), "row {rows}: no test {span}");
            named += 1;
        }
        assert!(named > 0, "row {rows} names no test");
    }
    rows
}

#[test]
fn each_test_that_a_rule_names_is_there() {
    assert_eq!(check("docs/RELIABILITY.md"), 21);
}

#[test]
fn each_test_that_a_threat_names_is_there() {
    assert!(check("SECURITY.md") >= 15);
}

/// The Markdown pages below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect()
}

#[test]
fn each_file_that_a_page_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = pages(&root.join("docs"));
    files.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root.join(page)));
    let folders = ["crates/", "tests/", "migration/", "bench/", "fuzz/", "examples/", ".ci/"];
    let mut named = 0;
    for page in files {
        let text = fs::read_to_string(&page).unwrap();
        for path in text.lines().flat_map(spans) {
            // Patterns, such as `{event_lists,place_lists}.rs`, and command lines are no paths.
            let is_path = folders.iter().any(|folder| path.starts_with(folder))
                && !path.contains([' ', '{', '*', '…']);
            if is_path {
                assert!(root.join(path).exists(), "{}: {path}", page.display());
                named += 1;
            }
        }
    }
    assert!(named > 300, "{named} paths");
}
