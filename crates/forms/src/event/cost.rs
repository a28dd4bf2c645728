//! The cost of an event.

use app::{
    event::{CostWrite, ShownCost},
    fault::{ExpectedType, Fault},
};
use domain::{
    cost::{Cost, Position},
    text::collapsed_line,
};
use serde_json::{Value, json};

use crate::{
    field::{Output, Param, values},
    fields::Commas,
    input::Input,
};

/// Reads `cost`, or else its `details`.
pub(super) fn read(input: &mut Input<'_>, [cost, details]: [&Param; 2]) -> Option<CostWrite> {
    let [is_sent, _] = [cost, details].map(|field| input.raw(field).is_some());
    let read = input.read_list(cost, Commas::Belong, |value| {
        Ok(CostWrite {
            shown: value.as_str().map(collapsed_line).map(ShownCost::Text),
            values: values::cost(value)?,
        })
    });
    if is_sent {
        return read;
    }
    input.read(details, read_parts).flatten()
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
    let amounts = match value.get("values") {
        None | Some(Value::Null) => Vec::new(),
        Some(amounts) => values::list(amounts)?,
    };
    let amounts: Vec<_> = amounts
        .iter()
        .map(values::amount)
        .collect::<Result<_, _>>()?;
    let texts: Vec<_> = amounts
        .iter()
        .map(|value| match (symbol.as_str(), is_behind) {
            ("", _) => value.clone(),
            (symbol, true) => format!("{value} {symbol}"),
            (symbol, false) => format!("{symbol} {value}"),
        })
        .collect();
    let parsed = Cost::parse(&texts)?;
    Ok(Some(CostWrite {
        shown: Some(ShownCost::Parts {
            symbol,
            values: amounts,
        }),
        values: parsed,
    }))
}

/// Writes `cost`, or its `details` if it was sent in parts.
pub(super) fn write(output: &mut Output, [cost, details]: [&Param; 2], write: &CostWrite) {
    let CostWrite { shown, values } = write;
    match shown {
        None => output.put(cost, values.texts()),
        Some(ShownCost::Text(text)) => output.put(cost, text.as_str()),
        Some(ShownCost::Parts {
            symbol,
            values: amounts,
        }) => output.put(
            details,
            json!({
                "currency_symbol": symbol,
                "currency_position": values.position().map_or("", position_name),
                "values": amounts,
            }),
        ),
    }
}

/// The name of a position in `cost_details`.
fn position_name(position: Position) -> &'static str {
    match position {
        Position::Prefix => "prefix",
        Position::Postfix => "postfix",
    }
}
