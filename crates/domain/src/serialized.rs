//! The feature `serde`: checked values as the texts that their constructors parse, and IDs as
//! numbers. A text that a constructor refuses is refused with its message.

use std::{borrow::Cow, fmt::Display};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{
    EmailAddress, Id, Kind, Language, Role, Status, TextField, UserName,
    cost::{Cost, Currency},
    geo::Position,
    html::RichText,
    image::{AltText, SizeName},
    recurrence::{DateValue, Frequency, Rule, Slot, WeekdayNumber},
    slug::Slug,
    text::Title,
    ticket::Price,
    time::{Timestamp, Zone, ZoneDataVersion},
    web_url::WebUrl,
};

/// Reads a text, and makes a value of it.
fn parsed<'de, T, E: Display, D: Deserializer<'de>>(
    from: D,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    let text = Cow::<str>::deserialize(from)?;
    parse(&text).map_err(Error::custom)
}

/// Writes values of these types as they are displayed.
macro_rules! displayed {
    ($($type:ty),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }
    )*};
}

/// Reads values of these types by `FromStr`.
macro_rules! from_text {
    ($($(#[$feature:meta])? $type:ty),* $(,)?) => {$(
        $(#[$feature])?
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                parsed(from, str::parse)
            }
        }
    )*};
}

displayed!(
    AltText,
    DateValue,
    EmailAddress,
    Frequency,
    Kind,
    Language,
    Price,
    Role,
    Rule,
    SizeName,
    Slot,
    Slug,
    Status,
    TextField,
    Title,
    UserName,
    WebUrl,
    WeekdayNumber,
    Zone,
    ZoneDataVersion,
);

from_text!(
    AltText,
    DateValue,
    Frequency,
    Kind,
    Language,
    Price,
    Role,
    Rule,
    SizeName,
    Slot,
    Slug,
    Status,
    TextField,
    Title,
    UserName,
    WeekdayNumber,
    Zone,
    ZoneDataVersion,
    #[cfg(feature = "currencies")]
    Currency,
    #[cfg(feature = "email")]
    EmailAddress,
    #[cfg(feature = "url")]
    WebUrl,
);

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code())
    }
}

/// HTML.
impl Serialize for RichText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// HTML is filtered, as by [`RichText::parse_lines`].
#[cfg(feature = "html")]
impl<'de> Deserialize<'de> for RichText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        parsed(from, Self::parse_lines)
    }
}

/// The texts of [`Cost::texts`].
impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        Self::parse(&texts).map_err(Error::custom)
    }
}

impl<R: ?Sized> Serialize for Id<R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(self.get())
    }
}

impl<'de, R: ?Sized> Deserialize<'de> for Id<R> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        i64::deserialize(from).map(Self::from_raw)
    }
}

/// The Unix time in seconds.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(self.seconds())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let seconds = i64::deserialize(from)?;
        Self::from_seconds(seconds)
            .ok_or_else(|| Error::custom("must be within the years 1 to 9999"))
    }
}

/// The serialized form of a position.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Position")]
struct Coordinates {
    latitude: f64,
    longitude: f64,
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (latitude, longitude) = (self.latitude(), self.longitude());
        Coordinates {
            latitude,
            longitude,
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Coordinates {
            latitude,
            longitude,
        } = Coordinates::deserialize(from)?;
        Self::new(latitude, longitude).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;
    use serde_json::{Value, from_value, json, to_value};

    use super::*;
    use crate::EventId;

    /// A value is written as this JSON, and read back.
    fn is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &Value) {
        assert_eq!(&to_value(value).unwrap(), json);
        assert_eq!(&from_value::<T>(json.clone()).unwrap(), value);
    }

    /// The message for JSON that is no value of a type.
    fn refused<T: DeserializeOwned + Debug>(json: Value) -> String {
        from_value::<T>(json).unwrap_err().to_string()
    }

    #[test]
    fn values_are_the_texts_that_they_are_parsed_from() {
        is(&"River".parse::<Title>().unwrap(), &json!("River"));
        is(&Slug::normalize("東京 a").unwrap(), &json!("東京-a"));
        is(
            &"Europe/Paris".parse::<Zone>().unwrap(),
            &json!("Europe/Paris"),
        );
        is(&"12.50".parse::<Price>().unwrap(), &json!("12.50"));
        for rule in ["FREQ=WEEKLY", "FREQ=MONTHLY;COUNT=4;BYDAY=-1FR"] {
            is(&rule.parse::<Rule>().unwrap(), &json!(rule));
        }
        let slot = "2027-03-16T19:00:00";
        is(&slot.parse::<Slot>().unwrap(), &json!(slot));
        is(&slot.parse::<DateValue>().unwrap(), &json!(slot));
        is(&Frequency::Weekly, &json!("weekly"));
        is(&"-1FR".parse::<WeekdayNumber>().unwrap(), &json!("-1FR"));
        is(&Status::Future, &json!("future"));
        is(&Language::French, &json!("fr"));
        is(&"ann".parse::<UserName>().unwrap(), &json!("ann"));
        is(&Cost::parse(&["10-20 €"]).unwrap(), &json!(["10€", "20€"]));
        is(&EventId::from_raw(7), &json!(7));
        is(
            &Timestamp::from_seconds(1_800_000_000).unwrap(),
            &json!(1_800_000_000),
        );
        is(
            &Position::new(1.5, 2.0).unwrap(),
            &json!({ "latitude": 1.5, "longitude": 2.0 }),
        );
    }

    #[test]
    fn what_a_constructor_refuses_is_refused() {
        assert_eq!(refused::<Title>(json!(" ")), "must not be empty");
        assert_eq!(
            refused::<Slug>(json!("A b")),
            "must be a slug, such as river-cleanup"
        );
        assert_eq!(refused::<Price>(json!("-1")), "must not be negative");
        assert_eq!(
            refused::<Cost>(json!(["-5"])),
            "must not be negative, has -5"
        );
        let nowhere = json!({ "latitude": 91, "longitude": 0 });
        assert_eq!(
            refused::<Position>(nowhere),
            "must have a latitude from -90 to 90"
        );
        assert_eq!(
            refused::<Timestamp>(json!(i64::MAX)),
            "must be within the years 1 to 9999"
        );
        refused::<Title>(json!(7));
        refused::<Language>(json!("FR"));
    }

    #[cfg(all(
        feature = "currencies",
        feature = "email",
        feature = "html",
        feature = "url"
    ))]
    #[test]
    fn so_are_the_values_that_need_a_feature() {
        is(&"EUR".parse::<Currency>().unwrap(), &json!("EUR"));
        is(
            &"a@b.example".parse::<EmailAddress>().unwrap(),
            &json!("a@b.example"),
        );
        is(
            &"https://a.example".parse::<WebUrl>().unwrap(),
            &json!("https://a.example"),
        );
        is(
            &RichText::parse("A\n\nB").unwrap(),
            &json!("<p>A</p>\n<p>B</p>"),
        );
        let filtered = from_value::<RichText>(json!("<b onclick=x>x</b>")).unwrap();
        assert_eq!(filtered.as_str(), "<b>x</b>");
        refused::<Currency>(json!("EUX"));
        refused::<WebUrl>(json!("ftp://a.example"));
        refused::<EmailAddress>(json!("a"));
    }
}
