//! All faults of the settings at once.

use clap::{Args as _, Command, FromArgMatches as _};

use super::{Settings, args::SettingsArgs, invalid::InvalidSetting, set_value::SetValue};

/// A setting that is checked together with another one.
const TOGETHER: (&str, &str) = ("read-database-url", "database-url");

/// Each fault of the settings; [`Settings::read`] returns the first one.
pub(crate) fn faults(args: &SettingsArgs) -> Vec<InvalidSetting> {
    let mut faults = args.faults.clone();
    let alone = args.set.iter().filter_map(|value| {
        let with = (value.flag == TOGETHER.0).then_some(TOGETHER.1);
        let with = with.and_then(|flag| args.set.iter().find(|value| value.flag == flag));
        alone(value, with)
    });
    for error in alone.chain(Settings::of(args).err()) {
        let error = args.located(error);
        if !faults.contains(&error) {
            faults.push(error);
        }
    }
    faults
}

/// The fault of a value, with the defaults of all settings but `with`.
fn alone(value: &SetValue, with: Option<&SetValue>) -> Option<InvalidSetting> {
    let command = Command::new("settings").no_binary_name(true);
    let command = SettingsArgs::augment_args(command);
    let mut line = Vec::new();
    for SetValue { flag, texts, .. } in [Some(value), with].into_iter().flatten() {
        let is_switch = command.get_arguments().any(|setting| {
            setting.get_long() == Some(flag) && !setting.get_action().takes_values()
        });
        if is_switch {
            // No value of a switch is invalid.
            continue;
        }
        line.extend(texts.iter().map(|text| format!("--{flag}={text}")));
    }
    let matches = command.try_get_matches_from(line).ok()?;
    let args = SettingsArgs::from_arg_matches(&matches).ok()?;
    Settings::of(&args).err()
}

#[cfg(test)]
mod tests {
    use http_service::face::Origin;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        settings: SettingsArgs,
    }

    fn all(values: &[(&str, &str)]) -> Vec<String> {
        let line = values.iter().map(|(flag, text)| format!("--{flag}={text}"));
        let line = ["x".to_owned()].into_iter().chain(line);
        let mut args = <Line as clap::Parser>::parse_from(line).settings;
        args.faults = vec![InvalidSetting::new(
            "c.toml:1: x",
            "no setting has this name",
        )];
        args.set = values.iter().enumerate().map(set).collect();
        faults(&args).iter().map(ToString::to_string).collect()
    }

    /// A value of a file, which has a line for each.
    fn set((index, (flag, text)): (usize, &(&str, &str))) -> SetValue {
        SetValue {
            flag: (*flag).to_owned(),
            texts: vec![(*text).to_owned()],
            origin: Origin::File("c.toml".to_owned()),
            line: Some(index + 2),
        }
    }

    #[test]
    fn each_fault_is_told_once() {
        let first = "c.toml:1: x: no setting has this name";
        let found = all(&[
            ("listen", "nowhere"),
            ("site-name", "Springfield"),
            ("language", "de"),
            ("timezone", "Mars/Olympus"),
        ]);
        let expected = [
            first,
            "c.toml:2: listen: `nowhere` is not an address with a port, such as 127.0.0.1:8080 or localhost:8080",
            "c.toml:4: language: `de` is not one of ar, en, fr",
            "c.toml:5: timezone: `Mars/Olympus` is not a known time zone",
        ];
        assert_eq!(found, expected);
        let postgres = "postgres://db.example/calendar";
        let replica = ("read-database-url", postgres);
        assert_eq!(all(&[replica, ("database-url", postgres)]), [first]);
        assert_eq!(
            all(&[replica]),
            [
                first,
                "c.toml:2: read-database-url: only PostgreSQL has replicas: both databases must be postgres://…"
            ]
        );
    }
}
