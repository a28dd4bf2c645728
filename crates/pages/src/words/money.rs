//! Prices as each language writes them.

use domain::{
    Language,
    cost::{PriceStyle, SiteCurrency},
    event::EventDetails,
    ticket::Ticket,
};

use super::{Word, least_price};

/// Between a number and its symbol.
const NO_BREAK: char = '\u{a0}';

/// Between the thousands of French numbers.
const NARROW_NO_BREAK: char = '\u{202f}';

/// The price of an event; empty if it has none.
pub(crate) fn cost(details: &EventDetails, site: SiteCurrency, language: Language) -> String {
    details
        .cost
        .shown_in(style(language), details.currency, site)
}

/// The price of an event in a list: its cost, or the least price of its tickets.
pub(crate) fn short(details: &EventDetails, site: SiteCurrency, language: Language) -> String {
    let cost = cost(details, site, language);
    if !cost.is_empty() {
        return cost;
    }
    let tickets = &details.tickets;
    let Some(least) = least(tickets) else {
        return cost;
    };
    let price = price(least, language);
    if tickets.iter().any(|one| one.price != least.price) {
        least_price(&price, language)
    } else {
        price
    }
}

/// The cheapest ticket; none if they are in several currencies.
pub(crate) fn least<'a>(
    tickets: impl IntoIterator<Item = &'a Ticket, IntoIter: Clone>,
) -> Option<&'a Ticket> {
    let mut tickets = tickets.into_iter();
    let least = tickets.clone().min_by_key(|ticket| ticket.price)?;
    let is_same = |ticket: &Ticket| ticket.currency == least.currency;
    tickets.all(is_same).then_some(least)
}

/// The price of a ticket.
pub(crate) fn price(ticket: &Ticket, language: Language) -> String {
    let style = style(language);
    if ticket.price.is_zero() {
        return style.free.to_owned();
    }
    let number = ticket.price.to_string();
    (style.amount)(&number, &ticket.currency.symbol())
}

fn style(language: Language) -> PriceStyle<'static> {
    PriceStyle {
        free: Word::FREE.text(language),
        amount: match language {
            Language::Arabic => arabic,
            Language::English => english,
            Language::French => french,
        },
    }
}

/// `€1,234.50`; `CHF 20`.
fn english(number: &str, symbol: &str) -> String {
    let number = written(number, ',', '.');
    match symbol.chars().next_back() {
        Some(last) if last.is_alphabetic() || last == '.' => format!("{symbol}{NO_BREAK}{number}"),
        _ => format!("{symbol}{number}"),
    }
}

/// `1 234,50 €`.
fn french(number: &str, symbol: &str) -> String {
    before_symbol(&written(number, NARROW_NO_BREAK, ','), symbol)
}

/// `1,234.50 €`.
fn arabic(number: &str, symbol: &str) -> String {
    before_symbol(&written(number, ',', '.'), symbol)
}

fn before_symbol(number: &str, symbol: &str) -> String {
    match symbol {
        "" => number.to_owned(),
        symbol => format!("{number}{NO_BREAK}{symbol}"),
    }
}

/// Digits in groups of three, with at least two decimals or none.
fn written(number: &str, group: char, point: char) -> String {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let mut text = String::with_capacity(number.len() + number.len() / 2);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(group);
        }
        text.push(digit);
    }
    if !decimals.is_empty() {
        text.push(point);
        text += decimals;
        if decimals.len() == 1 {
            text.push('0');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        for (number, symbol, expected) in [
            ("20", "€", ["20\u{a0}€", "€20", "20\u{a0}€"]),
            ("12.5", "€", ["12.50\u{a0}€", "€12.50", "12,50\u{a0}€"]),
            ("12.345", "", ["12.345", "12.345", "12,345"]),
            ("999", "$", ["999\u{a0}$", "$999", "999\u{a0}$"]),
            (
                "1234567.50",
                "CHF",
                [
                    "1,234,567.50\u{a0}CHF",
                    "CHF\u{a0}1,234,567.50",
                    "1\u{202f}234\u{202f}567,50\u{a0}CHF",
                ],
            ),
            ("50", "kr.", ["50\u{a0}kr.", "kr.\u{a0}50", "50\u{a0}kr."]),
        ] {
            let shown = Language::ALL.map(|language| (style(language).amount)(number, symbol));
            assert_eq!(shown, expected, "{number} {symbol}");
        }
    }
}
