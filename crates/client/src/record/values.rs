//! Forms of values in answers.

use serde::{Deserialize, Deserializer, Serializer, de::DeserializeOwned, de::Error};
use serde_json::Value;

/// A value, or something empty in its place: `false`, `[]`, `null`.
pub(super) fn one_or_none<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(from)?;
    let is_none = match &value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(values) => values.is_empty(),
        _ => false,
    };
    if is_none {
        return Ok(None);
    }
    serde_json::from_value(value)
        .map(Some)
        .map_err(Error::custom)
}

/// An ID; 0 stands for none.
pub(super) mod id_or_zero {
    use domain::Id;

    use super::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes the field")]
    pub(crate) fn serialize<R, S: Serializer>(
        id: &Option<Id<R>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_i64(id.map_or(0, Id::get))
    }

    pub(crate) fn deserialize<'de, R, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Id<R>>, D::Error> {
        let number = Option::<i64>::deserialize(from)?;
        Ok(number.filter(|number| *number != 0).map(Id::from_raw))
    }
}

/// Makes a module that reads and writes dates, such as `2027-04-17 09:00:00`, and one for those that can be
/// absent.
macro_rules! dates {
    ($one:ident, $optional:ident, $type:ty, $read:expr, $write:expr) => {
        pub(super) mod $one {
            use super::{Deserialize, Deserializer, Error, Serializer};

            pub(crate) fn serialize<S: Serializer>(date: &$type, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&$write(date))
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<$type, D::Error> {
                let text = String::deserialize(from)?;
                $read(&text).ok_or_else(|| D::Error::custom(format!("{text} is no date")))
            }
        }

        pub(super) mod $optional {
            use super::{Deserialize, Deserializer, Error, Serializer};

            #[expect(clippy::ref_option, reason = "serde passes the field")]
            pub(crate) fn serialize<S: Serializer>(
                date: &Option<$type>,
                to: S,
            ) -> Result<S::Ok, S::Error> {
                match date {
                    Some(date) => super::$one::serialize(date, to),
                    None => to.serialize_none(),
                }
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Option<$type>, D::Error> {
                let Some(text) = Option::<String>::deserialize(from)? else {
                    return Ok(None);
                };
                let date = $read(&text);
                date.map(Some)
                    .ok_or_else(|| D::Error::custom(format!("{text} is no date")))
            }
        }
    };
}

dates!(
    utc,
    optional_utc,
    domain::time::Timestamp,
    |text: &str| text.parse().ok(),
    |date: &domain::time::Timestamp| date.to_string()
);
dates!(
    wall,
    optional_wall,
    domain::time::NaiveDateTime,
    domain::time::parse_civil,
    |date: &domain::time::NaiveDateTime| domain::time::format_civil(*date)
);
