//! `config show`: shows the settings with their origins.

use std::collections::BTreeMap;

use app::ports::{Repositories as _, StoredSite};
use domain::site::{SiteSetting, SiteValue};
use http_service::face::Origin;
use serde::Serialize;

use crate::{
    cli::{Cli, ConfigFormat, DescribedSetting},
    output,
    settings::{SetValue, Settings, SettingsArgs, without_password},
    wiring,
};

/// The settings whose values may hold a password.
const WITH_PASSWORD: [&str; 3] = ["database-url", "read-database-url", "media"];

/// A setting in JSON.
#[derive(Debug, Serialize)]
struct Shown {
    setting: String,
    /// None of a setting without a value. Its default may depend on others.
    value: Option<ShownValue>,
    origin: &'static str,
    /// The flag, the variable or the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The line of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The default in words.
    #[serde(skip)]
    said: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ShownValue {
    One(String),
    Several(Vec<String>),
}

/// The values of the desk, by flag.
type DeskValues = BTreeMap<&'static str, String>;

/// Returns the settings as text or JSON. A database that does not exist is not created.
///
/// # Errors
///
/// If the JSON cannot be written.
pub(crate) async fn run(
    args: &SettingsArgs,
    settings: &Settings,
    format: ConfigFormat,
) -> anyhow::Result<String> {
    let desk = desk_values(settings).await;
    let described = Cli::described_settings().into_iter();
    let shown: Vec<_> = described
        .map(|setting| {
            let set = args.set.iter().find(|value| value.flag == setting.flag);
            shown(setting, set, &desk)
        })
        .collect();
    Ok(match format {
        ConfigFormat::Text => {
            let rows = shown.into_iter().map(row);
            output::table(["SETTING", "VALUE", "ORIGIN"], rows.collect())
        }
        ConfigFormat::Json => serde_json::to_string_pretty(&shown)? + "\n",
    })
}

/// The values of the desk. A database that cannot be read has none, with a warning.
async fn desk_values(settings: &Settings) -> DeskValues {
    if wiring::require_database(settings).is_err() {
        return DeskValues::new();
    }
    let read = wiring::with_store(settings, async |store| Ok(store.settings().site().await?));
    let StoredSite { values, .. } = read.await.unwrap_or_else(|error| {
        tracing::warn!("cannot read the settings of the desk: {error:#}");
        StoredSite::default()
    });
    let values = values.into_iter().map(|(setting, stored)| {
        let value = stored.value;
        let text = SiteValue::text(&value).unwrap_or_else(|| "a picture".to_owned());
        (SiteSetting::name(setting), text)
    });
    values.collect()
}

fn shown(setting: DescribedSetting, set: Option<&SetValue>, desk: &DeskValues) -> Shown {
    let DescribedSetting {
        flag,
        default,
        said,
        takes_values,
        is_list,
    } = setting;
    let (texts, origin, name) = match (set, desk.get(&*flag)) {
        (Some(set), _) => {
            let origin = match &set.origin {
                Origin::Flag(_) => "flag",
                Origin::Variable(_) => "variable",
                _ => "file",
            };
            (set.texts.clone(), origin, Some(set.origin.to_string()))
        }
        (None, Some(text)) => (vec![text.clone()], "desk", None),
        (None, None) => (default.into_iter().collect(), "default", None),
    };
    let texts = texts.into_iter().map(|text| match &*text {
        "true" if !takes_values => "on".to_owned(),
        "false" if !takes_values => "off".to_owned(),
        _ if WITH_PASSWORD.contains(&&*flag) => without_password(&text),
        _ => text,
    });
    let mut texts: Vec<_> = texts.collect();
    Shown {
        value: if is_list {
            Some(ShownValue::Several(texts))
        } else {
            texts.pop().map(ShownValue::One)
        },
        setting: flag,
        origin,
        name,
        line: set.and_then(|set| set.line),
        said,
    }
}

/// The row of a setting in the table.
fn row(shown: Shown) -> [String; 3] {
    let value = match shown.value {
        Some(ShownValue::One(text)) => text,
        Some(ShownValue::Several(texts)) if !texts.is_empty() => texts.join(", "),
        _ => match shown.said {
            Some(said) => format!("({said})"),
            None => "-".to_owned(),
        },
    };
    let origin = match (shown.origin, shown.name, shown.line) {
        ("flag", ..) => "flag".to_owned(),
        ("file", Some(path), Some(line)) => format!("file {path}, line {line}"),
        (origin, Some(name), _) => format!("{origin} {name}"),
        (origin, None, _) => origin.to_owned(),
    };
    [shown.setting, value, origin]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(flag: &str, texts: &[&str], origin: Origin, line: Option<usize>) -> SetValue {
        SetValue {
            flag: flag.to_owned(),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            origin,
            line,
        }
    }

    #[test]
    fn each_row_has_a_value_and_its_origin() {
        let file = || Origin::File("/etc/c.toml".to_owned());
        let variable = || Origin::Variable("EVENTS_CALENDAR_DATABASE_URL_FILE".to_owned());
        let set = [
            set(
                "listen",
                &["[::1]:80"],
                Origin::Flag("--listen".to_owned()),
                None,
            ),
            set(
                "database-url",
                &["postgres://ann:hunter2@db.example/x"],
                variable(),
                None,
            ),
            set("mount", &["/a", "/b"], file(), Some(3)),
            set("strict", &["true"], file(), Some(4)),
            set("site-name", &["Springfield"], file(), Some(5)),
        ];
        let desk = [
            ("site-name", "Desk".to_owned()),
            ("site-footer", "Town".to_owned()),
        ];
        let desk = DeskValues::from(desk);
        let described = Cli::described_settings().into_iter();
        let rows = described.map(|setting| {
            let value = set.iter().find(|value| value.flag == setting.flag);
            let [setting, value, origin] = row(shown(setting, value, &desk));
            (setting, [value, origin])
        });
        let rows: BTreeMap<_, _> = rows.collect();
        for (setting, value, origin) in [
            ("listen", "[::1]:80", "flag"),
            (
                "database-url",
                "postgres://ann:***@db.example/x",
                "variable EVENTS_CALENDAR_DATABASE_URL_FILE",
            ),
            ("mount", "/a, /b", "file /etc/c.toml, line 3"),
            ("strict", "on", "file /etc/c.toml, line 4"),
            ("site-name", "Springfield", "file /etc/c.toml, line 5"),
            ("site-footer", "Town", "desk"),
            ("read-only", "off", "default"),
            ("timezone", "UTC", "default"),
            (
                "public-url",
                "(http://ADDRESS:PORT; with --domain https://NAME)",
                "default",
            ),
            ("domain", "-", "default"),
            ("trusted-proxy", "-", "default"),
        ] {
            assert_eq!(rows[setting], [value, origin], "{setting}");
        }
        assert!(!rows.contains_key("allow-private-image-hosts"));
    }
}
