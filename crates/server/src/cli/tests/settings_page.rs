//! The table of `docs/SETTINGS.md` is made from the command line.

use std::fmt::Write as _;
use std::path::Path;

use super::*;

/// Environment variable: the test writes the table instead of comparing it.
const UPDATE: &str = "UPDATE_SETTINGS";
const BEGIN: &str =
    "<!-- The table is generated: UPDATE_SETTINGS=1 cargo test -p server settings_page -->\n";
const END: &str = "<!-- The end of the table. -->\n";

/// Returns the table of all settings that the help shows.
fn table() -> String {
    let mut table = "| flag | variable | default | meaning |\n|---|---|---|---|\n".to_owned();
    let mut command = Cli::definition();
    command.build();
    let settings = command.get_arguments().filter(|one| !one.is_hide_set());
    for setting in settings.filter(|one| one.get_env().is_some()) {
        let help = setting.get_help().map(ToString::to_string).unwrap();
        let (meaning, said) = match help.split_once(" [default: ") {
            Some((meaning, said)) => (meaning, said.trim_end_matches(']').to_owned()),
            None => (help.as_str(), String::new()),
        };
        let values = setting.get_default_values().iter();
        let values = values.map(|value| format!("`{}`", value.to_string_lossy()));
        let default = match values.collect::<Vec<_>>().join(", ") {
            value if !value.is_empty() && setting.get_action().takes_values() => value,
            _ if !said.is_empty() => said,
            _ if setting.get_action().takes_values() => "none".to_owned(),
            _ => "off".to_owned(),
        };
        let mut meaning = meaning.trim_end_matches('.').to_owned();
        let possible = setting.get_possible_values();
        if setting.get_action().takes_values() && !possible.is_empty() {
            let names = possible.iter().map(|one| format!("`{}`", one.get_name()));
            let names = names.collect::<Vec<_>>().join(", ");
            write!(meaning, ": {names}").unwrap();
        }
        let variable = setting.get_env().unwrap().to_string_lossy().into_owned();
        let flag = setting.to_string().replace(['<', '>'], "");
        writeln!(
            table,
            "| `{flag}` | `{variable}` | {default} | {} |",
            meaning.replace('|', "\\|")
        )
        .unwrap();
    }
    table
}

/// The page has each setting with its variable, default and meaning, as `--help` has them.
#[test]
fn the_page_of_settings_has_the_settings_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SETTINGS.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the table begins");
    let (recorded, after) = rest.split_once(END).expect("the table ends");
    let table = table();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}\n{table}\n{END}{after}")).unwrap();
        return;
    }
    assert_eq!(
        recorded.trim(),
        table.trim(),
        "docs/SETTINGS.md differs from the program: run {UPDATE}=1 cargo test -p server settings_page"
    );
}
