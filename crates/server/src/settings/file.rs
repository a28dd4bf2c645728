//! The file of settings, in TOML: each key is the name of a flag.

use std::{error::Error as _, fs, path::Path};

use clap::{
    Arg, ArgAction, Command,
    error::{ContextKind, ContextValue},
};
use toml_edit::{Document, Item, Value};

use super::{
    invalid::InvalidSetting,
    names::{CONFIG, nearest},
};

/// The settings of a file. Without `Debug`: a value may hold a password.
pub(crate) struct SettingsFile {
    path: String,
    values: Vec<FileValue>,
    faults: Vec<InvalidSetting>,
}

/// A setting in a file.
struct FileValue {
    flag: String,
    texts: Vec<String>,
    line: usize,
}

impl SettingsFile {
    /// Reads a file. `command` has the settings as its arguments.
    pub(crate) fn read(path: &Path, command: &Command) -> Self {
        let shown = path.display().to_string();
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(shown, &text, command),
            Err(error) => Self {
                faults: vec![InvalidSetting::of(
                    CONFIG,
                    format!("cannot read {shown}: {error}"),
                )],
                path: shown,
                values: Vec::new(),
            },
        }
    }

    fn parse(path: String, text: &str, command: &Command) -> Self {
        let (mut values, mut faults) = (Vec::new(), Vec::new());
        match Document::parse(text) {
            Ok(document) => {
                for (name, item) in document.iter() {
                    let line = line_of_key(text, &document, name);
                    let location = format!("{path}:{line}: {name}");
                    match value(command, name, item) {
                        Ok(texts) if texts.is_empty() => {}
                        Ok(texts) => values.push(FileValue {
                            flag: name.to_owned(),
                            texts,
                            line,
                        }),
                        Err(reason) => faults.push(InvalidSetting::new(location, reason)),
                    }
                }
            }
            // The text of the line is not repeated: it may hold a password.
            Err(error) => {
                let line = line_at(text, error.span().map_or(0, |span| span.start));
                let words: Vec<_> = error.message().split_whitespace().collect();
                faults.push(InvalidSetting::new(
                    format!("{path}:{line}"),
                    words.join(" "),
                ));
            }
        }
        Self {
            path,
            values,
            faults,
        }
    }

    /// The command with the values of the file as defaults, which flags and variables replace.
    pub(crate) fn as_defaults(&self, mut command: Command) -> Command {
        for value in &self.values {
            let setting = find(&command, &value.flag).map(|setting| setting.get_id().clone());
            let Some(id) = setting else { continue };
            // A value may be secret: the help must not show it.
            command = command.mut_arg(id, |setting| {
                let hides = setting.get_action().takes_values();
                let setting = setting.default_values(value.texts.clone());
                if hides {
                    setting.hide_default_value(true)
                } else {
                    setting
                }
            });
        }
        command
    }

    /// The path, as it was given.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The line of a setting in the file.
    pub(crate) fn line(&self, flag: &str) -> Option<usize> {
        let value = self.values.iter().find(|value| value.flag == flag)?;
        Some(value.line)
    }

    /// The faults of the file.
    pub(crate) fn into_faults(self) -> Vec<InvalidSetting> {
        self.faults
    }
}

/// The setting with this flag, except for the flag that names the file.
fn find<'a>(command: &'a Command, flag: &str) -> Option<&'a Arg> {
    settings(command).find(|setting| setting.get_long() == Some(flag))
}

/// The settings that a file may have.
fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    let all = command.get_arguments();
    all.filter(|setting| setting.get_env().is_some() && setting.get_long() != Some(CONFIG))
}

/// Reads and checks a value as the command line does.
fn value(command: &Command, name: &str, item: &Item) -> Result<Vec<String>, String> {
    let Some(setting) = find(command, name) else {
        let shown = settings(command).filter(|setting| !setting.is_hide_set());
        let known = shown.filter_map(Arg::get_long);
        return Err(match nearest(name, known, "") {
            Some(nearest) => format!("no setting has this name; did you mean {nearest}?"),
            None => "no setting has this name".to_owned(),
        });
    };
    let texts = texts(setting, item)?;
    if setting.get_action().takes_values() {
        for text in &texts {
            check(setting, name, text)?;
        }
    }
    Ok(texts)
}

/// The texts of a value, as the command line has them.
fn texts(setting: &Arg, item: &Item) -> Result<Vec<String>, String> {
    let Some(value) = item.as_value() else {
        return Err("must be a value, not a table".to_owned());
    };
    if !setting.get_action().takes_values() {
        return match value {
            Value::Boolean(switch) => Ok(vec![switch.value().to_string()]),
            _ => Err("must be true or false".to_owned()),
        };
    }
    match value {
        Value::Array(values) if matches!(setting.get_action(), ArgAction::Append) => {
            values.iter().map(|value| text(setting, value)).collect()
        }
        Value::Array(_) => Err("has one value, not a list".to_owned()),
        value => Ok(vec![text(setting, value)?]),
    }
}

fn text(setting: &Arg, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.value().clone()),
        Value::Integer(number) => Ok(number.value().to_string()),
        _ => Err(match setting.get_possible_values() {
            values if values.is_empty() => "must be a text in quotes, or a whole number".to_owned(),
            values => {
                let names = values
                    .iter()
                    .map(|value| format!("\"{}\"", value.get_name()));
                format!("must be one of {}", names.collect::<Vec<_>>().join(", "))
            }
        }),
    }
}

/// Checks a text by the rule of the command line.
fn check(setting: &Arg, flag: &str, text: &str) -> Result<(), String> {
    let command = Command::new("settings").no_binary_name(true);
    let command = command.arg(setting.clone());
    let read = command.try_get_matches_from([format!("--{flag}={text}")]);
    let Err(error) = read else { return Ok(()) };
    Err(match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) if !valid.is_empty() => {
            format!("`{text}` is not one of {}", valid.join(", "))
        }
        _ => match error.source() {
            Some(reason) => format!("`{text}`: {reason}"),
            None => "must not be empty".to_owned(),
        },
    })
}

/// The number of the line of a key.
fn line_of_key(text: &str, document: &Document<&str>, name: &str) -> usize {
    let key = document.as_table().key(name);
    let span = key.and_then(toml_edit::Key::span);
    let span = span.or_else(|| document.get(name)?.span());
    line_at(text, span.map_or(0, |span| span.start))
}

/// The number of the line of a byte.
fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use http_service::face::Origin;

    use super::*;
    use crate::settings::{LogFormat, SettingsArgs, with_variables};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        settings: SettingsArgs,
    }

    fn command() -> Command {
        with_variables(<Line as clap::CommandFactory>::command())
    }

    fn file(text: &str) -> SettingsFile {
        SettingsFile::parse("c.toml".to_owned(), text, &command())
    }

    /// The settings of a file and a command line. Variables are those of the process, which has none.
    fn read(text: &str, line: &[&str]) -> SettingsArgs {
        let file = file(text);
        assert_eq!(file.faults, [], "{text}");
        let line = [&["x"], line].concat();
        let matches = file.as_defaults(command()).try_get_matches_from(line);
        let matches = matches.unwrap_or_else(|error| panic!("{error}"));
        let read = <Line as clap::FromArgMatches>::from_arg_matches(&matches);
        read.unwrap_or_else(|error| panic!("{error}")).settings
    }

    #[test]
    fn values_of_each_type_are_read() {
        let read = read(
            "# The calendar of a town.\n\
             listen = \"0.0.0.0:80\"\n\
             cache-mib = 64\n\
             strict = true\n\
             read-only = false\n\
             mount = [\"/a\", \"/b\"]\n\
             trusted-proxy = \"10.0.0.1,10.0.0.2\"\n\
             embed-ancestors = []\n\
             log-format = \"json\"\n\
             site-footer = '''Town\tof \"Springfield\"'''\n",
            &[],
        );
        assert_eq!(read.listen, "0.0.0.0:80");
        assert_eq!(read.cache_mib, 64);
        assert!(read.strict && !read.read_only);
        assert_eq!(read.mount, ["/a", "/b"]);
        assert_eq!(read.trusted_proxy, ["10.0.0.1", "10.0.0.2"]);
        assert_eq!(read.embed_ancestors, [""; 0]);
        assert_eq!(read.log_format, LogFormat::Json);
        assert_eq!(
            read.site_footer.as_deref(),
            Some("Town\tof \"Springfield\"")
        );
        assert_eq!(read.timezone, "UTC", "others keep their default");
    }

    #[test]
    fn a_flag_replaces_each_value_of_the_file() {
        let text = "listen = \"0.0.0.0:80\"\nmount = [\"/a\", \"/b\"]\nread-only = false\n";
        let line = ["--mount=/c", "--listen=[::1]:80", "--read-only"];
        let read = read(text, &line);
        assert_eq!(read.listen, "[::1]:80");
        assert_eq!(read.mount, ["/c"]);
        assert!(read.read_only);
    }

    #[test]
    fn each_fault_has_its_line_and_key() {
        for (text, faults) in [
            (
                "listen = \"a\"\n\ntimezon = \"UTC\"\nsite-colours = 1\n",
                &[
                    "c.toml:3: timezon: no setting has this name; did you mean timezone?",
                    "c.toml:4: site-colours: no setting has this name; did you mean site-colour?",
                ][..],
            ),
            (
                "public_url = \"https://cal.example\"",
                &["c.toml:1: public_url: no setting has this name; did you mean public-url?"],
            ),
            (
                "config = \"other.toml\"\ncolour-of-buttons = 1",
                &[
                    "c.toml:1: config: no setting has this name",
                    "c.toml:2: colour-of-buttons: no setting has this name",
                ],
            ),
            (
                "[listen]\nport = 8080",
                &["c.toml:1: listen: must be a value, not a table"],
            ),
            (
                "cache-mib = \"much\"\nmax-staleness = 60001\njournal-days = -1",
                &[
                    "c.toml:1: cache-mib: `much`: invalid digit found in string",
                    "c.toml:2: max-staleness: `60001`: 60001 is not in 0..=60000",
                    "c.toml:3: journal-days: `-1`: -1 is not in 1..=365",
                ],
            ),
            (
                "strict = \"yes\"\nread-only = 1\n",
                &[
                    "c.toml:1: strict: must be true or false",
                    "c.toml:2: read-only: must be true or false",
                ],
            ),
            (
                "log-format = \"loud\"\naccess-log = true\nsite-name = true\nzone-data = \"\"",
                &[
                    "c.toml:1: log-format: `loud` is not one of auto, text, json",
                    "c.toml:2: access-log: must be one of \"off\", \"on\"",
                    "c.toml:3: site-name: must be a text in quotes, or a whole number",
                    "c.toml:4: zone-data: must not be empty",
                ],
            ),
            (
                "listen = [\"127.0.0.1:80\"]\nmount = [\"/a\", 1.5]",
                &[
                    "c.toml:1: listen: has one value, not a list",
                    "c.toml:2: mount: must be a text in quotes, or a whole number",
                ],
            ),
        ] {
            let found = file(text).faults;
            let found: Vec<_> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found, faults);
        }
    }

    #[test]
    fn a_text_that_is_no_toml_is_refused_without_its_content() {
        for (text, line) in [
            (
                "strict = true\ndatabase-url = postgres://ann:hunter2@db.example\n",
                2,
            ),
            ("\n\nsite-name = \"hunter2\n", 3),
            ("strict = true\nstrict = false\n", 2),
        ] {
            let faults = file(text).faults;
            let [fault] = &faults[..] else {
                panic!("{faults:?}")
            };
            let fault = fault.to_string();
            assert!(fault.starts_with(&format!("c.toml:{line}: ")), "{fault}");
            assert!(
                !fault.contains("hunter2") && !fault.contains('\n'),
                "{fault}"
            );
        }
    }

    #[test]
    fn values_of_the_file_are_in_no_help() {
        let file = file("database-url = \"postgres://ann:hunter2@db.example/calendar\"");
        let help = file.as_defaults(command()).render_long_help().to_string();
        assert!(
            help.contains("--database-url") && !help.contains("hunter2"),
            "{help}"
        );
    }

    #[test]
    fn an_invalid_value_is_told_with_its_line() {
        let text = "\ntimezone = \"Mars/Olympus\"";
        let mut args = read(text, &[]);
        args.set.push(crate::settings::SetValue {
            flag: "timezone".to_owned(),
            texts: vec!["Mars/Olympus".to_owned()],
            origin: Origin::File("c.toml".to_owned()),
            line: file(text).line("timezone"),
        });
        let error = crate::settings::Settings::read(&args)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "c.toml:2: timezone: `Mars/Olympus` is not a known time zone"
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let read = SettingsFile::read(Path::new("/nowhere/c.toml"), &command());
        let faults: Vec<_> = read.faults.iter().map(ToString::to_string).collect();
        let expected = "--config (EVENTS_CALENDAR_CONFIG): cannot read /nowhere/c.toml: ";
        assert!(faults[0].starts_with(expected), "{faults:?}");
    }
}
