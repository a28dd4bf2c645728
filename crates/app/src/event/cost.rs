//! The cost of an event as sent.

use domain::{cost::Cost, event::EventDetails};

use crate::site::Site;

/// A sent cost. The stored one decides what it means: a range that an answer shows stands for all
/// the values that it hides.
#[derive(Clone, Debug)]
pub struct CostWrite {
    /// The form of an answer that was sent.
    pub shown: Option<ShownCost>,
    /// The amounts that it says.
    pub values: Cost,
}

/// A cost in a form of answers.
#[derive(Clone, Debug)]
pub enum ShownCost {
    /// One text, with the blanks collapsed.
    Text(String),
    /// Parts.
    Parts {
        /// The symbol of the currency.
        symbol: String,
        /// The amounts.
        values: Vec<String>,
    },
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
    /// Whether it was sent in parts.
    pub(super) fn is_of_details(&self) -> bool {
        matches!(self.shown, Some(ShownCost::Parts { .. }))
    }

    /// The cost after the write: the stored one, if it shows what was sent.
    pub(super) fn resolve(self, stored: Option<&EventDetails>, site: &Site) -> Cost {
        let is_shown = |stored: &&EventDetails| {
            let cost = &stored.cost;
            match &self.shown {
                None => false,
                Some(ShownCost::Text(text)) => cost.shown(stored.currency, site.currency) == *text,
                Some(ShownCost::Parts { symbol, values }) => {
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
