//! Values of rows in JSON.

use std::{borrow::Cow, fmt};

use domain::Id;
use serde::{
    Deserialize, Deserializer,
    de::{self, Visitor},
};

/// A value. A text borrows from the JSON if it has no escapes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
}

/// A type that a cell can be read as.
pub(crate) trait FromCell: Sized {
    /// The value; none if the cell holds another type.
    fn from_cell(cell: &Cell<'_>) -> Option<Self>;
}

impl FromCell for i64 {
    fn from_cell(cell: &Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl<R> FromCell for Id<R> {
    fn from_cell(cell: &Cell<'_>) -> Option<Self> {
        i64::from_cell(cell).map(Self::from_raw)
    }
}

impl FromCell for bool {
    fn from_cell(cell: &Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Bool(is) => Some(*is),
            // SQLite stores booleans as integers.
            Cell::Integer(number) => Some(*number != 0),
            _ => None,
        }
    }
}

impl FromCell for f64 {
    fn from_cell(cell: &Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Real(number) => Some(*number),
            Cell::Text(number) => number.parse().ok(),
            // PostgreSQL writes whole numbers without a fraction.
            Cell::Integer(number) => number.to_string().parse().ok(),
            Cell::Null | Cell::Bool(_) => None,
        }
    }
}

impl FromCell for String {
    fn from_cell(cell: &Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Text(text) => Some(text.clone().into_owned()),
            _ => None,
        }
    }
}

impl<T: FromCell> FromCell for Option<T> {
    fn from_cell(cell: &Cell<'_>) -> Option<Self> {
        match cell {
            Cell::Null => Some(None),
            cell => T::from_cell(cell).map(Some),
        }
    }
}

impl<'de> Deserialize<'de> for Cell<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Cell<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value of a row")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Cell<'de>, E> {
                Ok(Cell::Null)
            }

            fn visit_bool<E: de::Error>(self, is: bool) -> Result<Cell<'de>, E> {
                Ok(Cell::Bool(is))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Cell<'de>, E> {
                Ok(Cell::Integer(number))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Cell<'de>, E> {
                i64::try_from(number).map(Cell::Integer).map_err(E::custom)
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Cell<'de>, E> {
                Ok(Cell::Real(number))
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Cell<'de>, E> {
                Ok(Cell::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Cell<'de>, E> {
                Ok(Cell::Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_any(Read)
    }
}
