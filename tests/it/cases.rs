//! The table of cases in `docs/CASES.md`, generated from the comments of the tests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use super::architecture::imports::rust_files;

/// The environment variable with which the test writes the table instead of comparing it.
const UPDATE: &str = "UPDATE_CASES";

/// The groups of cases in their order: the prefix of their names, a title, and the range of
/// numbers.
const GROUPS: [(&str, &str, &[&str]); 14] = [
    ("G", "Requests in general", &["01-50", "50b", "50c", "51-53"]),
    ("EC", "Adding an event", &["01-153"]),
    ("EU", "Changing an event", &["01-42", "44-51"]),
    ("ED", "Deleting an event", &["01-06", "08-12"]),
    ("ES", "Reading an event", &["01-03", "05-18"]),
    ("EL", "Lists of events", &["01-57", "57b", "58-60"]),
    ("V", "Venues", &["01-40"]),
    ("O", "Organizers", &["01-17"]),
    ("C", "Categories", &["01-27"]),
    ("T", "Tags", &["01-10"]),
    ("R", "Events that repeat", &["55-134", "136-138", "140"]),
    (
        "F",
        "Calendar files",
        &["01", "03-10", "17", "25-29", "31-46", "49-54", "57-58", "60", "63-69", "71", "73-80"],
    ),
    ("Y", "Keeping a copy", &["01-35", "39-52", "55-56"]),
    ("D", "Decisions beyond the single record", &["16-42", "44", "49", "51"]),
];

/// The text above the table.
const HEAD: &str = "\
# Cases

The promises of the interface, case by case, each with its test. Every test runs on
SQLite and on PostgreSQL.

This page is made from the doc comments of the tests in `tests/it/http`, and a test compares the two.
After a change there, write it anew:

```sh
UPDATE_CASES=1 cargo test -p tests --test it cases
```
";

/// A test and the case that its comment states.
#[derive(Debug, PartialEq, Eq)]
struct Proof {
    case: String,
    expected: String,
    test: String,
    file: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The name of a case at the beginning of a text, and the text behind it.
fn case(text: &str) -> Option<(&str, &str)> {
    let (name, expected) = text.split_once(": ")?;
    let (group, number) = name.split_once('-')?;
    let number = number.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(number);
    let is_case = !group.is_empty()
        && group.chars().all(|c| c.is_ascii_uppercase())
        && number.len() >= 2
        && number.chars().all(|c| c.is_ascii_digit());
    is_case.then_some((name, expected))
}

/// The name of the function that a line declares.
fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub(super) ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("fn ")?.split(['(', '<']).next()
}

/// The cases in the comments above the tests of a source file. A case may span several lines.
fn proofs(file: &str, source: &str) -> Vec<Proof> {
    let module = file.trim_start_matches("http/").trim_end_matches(".rs").replace('/', "::");
    let mut proofs = Vec::new();
    let mut open: Vec<(String, String)> = Vec::new();
    // Whether the next line may continue the last case.
    let mut goes_on = false;
    for line in source.lines().map(str::trim) {
        if let Some(doc) = line.strip_prefix("///") {
            let doc = doc.trim();
            if let Some((name, expected)) = case(doc) {
                open.push((name.to_owned(), expected.to_owned()));
                goes_on = true;
            } else if doc.is_empty() {
                goes_on = false;
            } else if let Some((_, expected)) = open.last_mut().filter(|_| goes_on) {
                expected.push(' ');
                expected.push_str(doc);
            }
        } else if let Some(name) = function(line) {
            proofs.extend(open.drain(..).map(|(case, expected)| Proof {
                case,
                expected,
                test: format!("{module}::{name}"),
                file: file.to_owned(),
            }));
            goes_on = false;
        } else if !line.starts_with("#[") {
            assert!(open.is_empty(), "{file}: {} stands above no test", open[0].0);
        }
    }
    proofs
}

/// The names of all cases of a group.
fn cases(group: &str, numbers: &[&str]) -> Vec<String> {
    let expand = |numbers: &&str| match numbers.split_once('-') {
        None => vec![format!("{group}-{numbers}")],
        Some((first, last)) => (first.parse::<u32>().unwrap()..=last.parse().unwrap())
            .map(|number| format!("{group}-{number:02}"))
            .collect(),
    };
    numbers.iter().flat_map(expand).collect()
}

/// The table: each case with each test that proves it.
fn table(proofs: &[Proof]) -> String {
    let mut page = HEAD.to_owned();
    for (group, about, numbers) in GROUPS {
        write!(
            page,
            "\n## {about} ({group})\n\n| case | what is expected | test |\n| --- | --- | --- |\n"
        )
        .unwrap();
        for case in cases(group, numbers) {
            for Proof { expected, test, file, .. } in
                proofs.iter().filter(|proof| proof.case == case)
            {
                let expected = expected.replace('|', "\\|");
                writeln!(page, "| {case} | {expected} | [`{test}`](../tests/it/{file}) |").unwrap();
            }
        }
    }
    page
}

fn all_proofs() -> Vec<Proof> {
    let tests = root().join("tests/it");
    let name =
        |path: &Path| path.strip_prefix(&tests).unwrap().to_str().unwrap().replace('\\', "/");
    let paths = rust_files(&tests.join("http")).into_iter();
    let files: BTreeMap<_, _> = paths.map(|path| (name(&path), path)).collect();
    let read = |path| fs::read_to_string(path).unwrap();
    files.iter().flat_map(|(name, path)| proofs(name, &read(path))).collect()
}

fn all_cases() -> BTreeSet<String> {
    GROUPS.iter().flat_map(|(group, _, numbers)| cases(group, numbers)).collect()
}

#[test]
fn the_table_says_what_the_tests_say() {
    let page = root().join("docs/CASES.md");
    let made = table(&all_proofs());
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&page, &made).unwrap();
    }
    let kept = fs::read_to_string(&page).unwrap_or_default();
    assert!(kept == made, "docs/CASES.md is out of date: run the tests `cases` with {UPDATE}=1");
}

#[test]
fn tests_name_no_case_that_there_is_not() {
    let known = all_cases();
    let unknown: Vec<_> =
        all_proofs().into_iter().filter(|proof| !known.contains(&proof.case)).collect();
    assert_eq!(unknown, []);
}

#[test]
fn every_case_has_a_test() {
    let proven: BTreeSet<_> = all_proofs().into_iter().map(|proof| proof.case).collect();
    let cases = all_cases();
    let missing: Vec<_> = cases.difference(&proven).collect();
    assert!(missing.is_empty(), "no test proves {missing:?}");
}

#[test]
fn a_case_is_read_with_its_lines_and_its_test() {
    let source = "
        /// G-50b: One line.
        /// EC-01: Two
        /// lines.
        ///
        /// And a remark.
        #[both_stores]
        async fn proves_both(app: &TestApp) {}

        /// T-10: A test on one store.
        #[tokio::test]
        async fn proves_one() {}
    ";
    let found = proofs("http/rights/table.rs", source);
    let found: Vec<_> =
        found.iter().map(|proof| (&*proof.case, &*proof.expected, &*proof.test)).collect();
    assert_eq!(
        found,
        [
            ("G-50b", "One line.", "rights::table::proves_both"),
            ("EC-01", "Two lines.", "rights::table::proves_both"),
            ("T-10", "A test on one store.", "rights::table::proves_one"),
        ]
    );
}
