//! The cost of an event as sent.

use domain::{
    cost::{Cost, Position},
    event::EventDetails,
    text::collapsed_line,
};
use serde_json::Value;

use crate::{
    input::{self, Commas, ExpectedType, Fault, Input},
    site::Site,
};

/// A sent cost. The stored one decides what it means: a range that an answer shows stands for all
/// the values that it hides.
#[derive(Clone, Debug)]
pub(crate) struct CostWrite {
    /// The form of an answer that was sent.
    shown: Option<Shown>,
    values: Cost,
}

/// A cost in a form of answers.
#[derive(Clone, Debug)]
enum Shown {
    /// `cost`.
    Text(String),
    /// `cost_details`.
    Parts { symbol: String, values: Vec<String> },
}

impl From<Cost> for CostWrite {
    fn from(values: Cost) -> Self {
        Self {
            shown: None,
            values,
        }
    }
}

impl CostWrite {
    /// Reads `cost`, or else `cost_details`.
    pub(super) fn read(input: &mut Input<'_>) -> Option<Self> {
        let is_sent = input.raw("cost").is_some();
        let cost = input.read_list("cost", Commas::Belong, |value| {
            Ok(Self {
                shown: value.as_str().map(collapsed_line).map(Shown::Text),
                values: input::cost(value)?,
            })
        });
        if is_sent {
            return cost;
        }
        input.read("cost_details", read_parts).flatten()
    }

    /// Whether it was sent as `cost_details`.
    pub(super) fn is_of_details(&self) -> bool {
        matches!(self.shown, Some(Shown::Parts { .. }))
    }

    /// The cost after the write: the stored one, if it shows what was sent.
    pub(super) fn resolve(self, stored: Option<&EventDetails>, site: &Site) -> Cost {
        let is_shown = |stored: &&EventDetails| {
            let cost = &stored.cost;
            match &self.shown {
                None => false,
                Some(Shown::Text(text)) => cost.shown(stored.currency, site.currency) == *text,
                Some(Shown::Parts { symbol, values }) => {
                    cost.symbol() == symbol && cost.values() == *values
                }
            }
        };
        match stored.filter(is_shown) {
            Some(stored) => stored.cost.clone(),
            None => self.values,
        }
    }
}

/// Reads the values of `cost_details`, each with the symbol at its position; `None` if it is no object.
fn read_parts(value: &Value) -> Result<Option<CostWrite>, Fault> {
    const WANTED: Fault = Fault::Type(ExpectedType::Price);
    let text = |name| match value.get(name) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(collapsed_line(text)),
        Some(_) => Err(WANTED),
    };
    if !value.is_object() {
        return Ok(None);
    }
    let symbol = text("currency_symbol")?;
    let is_behind = text("currency_position")? == position_name(Position::Postfix);
    let values = match value.get("values") {
        None | Some(Value::Null) => Vec::new(),
        Some(values) => input::list(values)?,
    };
    let values: Vec<_> = values.iter().map(input::amount).collect::<Result<_, _>>()?;
    let texts: Vec<_> = values
        .iter()
        .map(|value| match (symbol.as_str(), is_behind) {
            ("", _) => value.clone(),
            (symbol, true) => format!("{value} {symbol}"),
            (symbol, false) => format!("{symbol} {value}"),
        })
        .collect();
    let parsed = Cost::parse(&texts)?;
    Ok(Some(CostWrite {
        shown: Some(Shown::Parts { symbol, values }),
        values: parsed,
    }))
}

/// The name of a position in `cost_details`.
fn position_name(position: Position) -> &'static str {
    match position {
        Position::Prefix => "prefix",
        Position::Postfix => "postfix",
    }
}
