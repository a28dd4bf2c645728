//! Prices of events.
//!
//! ```
//! use events_calendar_domain::cost::{Cost, Currency, SiteCurrency};
//!
//! let cost = Cost::parse(&["15,50 – 20 €", "donation"])?;
//! assert_eq!(cost.values(), ["15.50", "20"]);
//! assert_eq!(cost.currency(SiteCurrency::Unsaid).map(Currency::code), Some("EUR"));
//! assert_eq!(cost.formatted("$"), "15,50€ – 20€, donation");
//! # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
//! ```

mod amount;
mod currency;
mod read;

use amount::Amount;
#[cfg(feature = "currencies")]
pub use currency::UnknownCurrency;
pub use currency::{Currency, SiteCurrency};

use crate::text::collapsed_line;

/// The price of an event: its amounts as typed.
///
/// A number is displayed with the symbol typed next to it. The values of `1,234.56`, `1.234,56`,
/// `15,50` and `1 000` are parsed. Words are displayed unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    entries: Vec<Entry>,
    /// The entries as texts, for storage.
    texts: Vec<String>,
}

/// A part of a price.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Amount(Amount),
    /// Words, with the amounts in them.
    Text {
        text: String,
        amounts: Vec<Amount>,
    },
}

/// The word for a price of zero.
const FREE: &str = "Free";

impl Entry {
    fn amounts(&self) -> &[Amount] {
        match self {
            Self::Amount(amount) => std::slice::from_ref(amount),
            Self::Text { amounts, .. } => amounts,
        }
    }

    fn is_free(&self) -> bool {
        matches!(self, Self::Text { text, .. } if text.eq_ignore_ascii_case(FREE))
    }
}

/// The position of the symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Before the number.
    Prefix,
    /// After the number.
    Postfix,
}

/// How a language writes prices.
#[derive(Clone, Copy, Debug)]
pub struct PriceStyle<'a> {
    /// The word for a price of zero.
    pub free: &'a str,
    /// Writes an amount other than zero: decimal digits like `1234.50`, and a symbol, which may be
    /// empty.
    pub amount: fn(&str, &str) -> String,
}

/// The reason why texts are not a [`Cost`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCost {
    /// An amount is negative.
    #[error("must not be negative, has -{amount}")]
    Negative {
        /// The amount without its sign.
        amount: String,
    },
    /// The texts exceed [`Cost::MAX_CHARS`].
    #[error("must have at most {max} characters, has {chars}", max = Cost::MAX_CHARS)]
    TooLong {
        /// Length of all texts, in Unicode scalar values.
        chars: usize,
    },
    /// There are more than [`Cost::MAX_AMOUNTS`] amounts.
    #[error("must have at most {max} amounts, has {amounts}", max = Cost::MAX_AMOUNTS)]
    TooMany {
        /// Number of amounts and texts.
        amounts: usize,
    },
}

impl Cost {
    /// Most characters of all texts together, in Unicode scalar values.
    pub const MAX_CHARS: usize = 500;
    /// Most amounts; a text without an amount counts as one.
    pub const MAX_AMOUNTS: usize = 20;

    /// Parses a price; each sent value is one text.
    ///
    /// A text is a list or range of numbers (`10-20`, `10, 20`), each with at most one symbol
    /// before or after it. A symbol is a short text without digits. A single symbol in a text
    /// applies to each number without one (`10-20 €`). HTML elements are removed, and blank texts
    /// left out. Other texts, such as `donation` or `10 € at the door`, are stored unchanged.
    ///
    /// Words that follow a list or range of amounts, after a separator, become a text of their own
    /// (`5 – donation`).
    ///
    /// If a number has both a comma and a dot, the last one is decimal. A single one before exactly
    /// three digits separates groups, otherwise it is decimal. Groups have three digits each, four
    /// each, or two each and three at the end (`1,50,000`).
    ///
    /// # Errors
    ///
    /// [`InvalidCost`], naming the rule that `texts` break.
    ///
    /// ```
    /// use events_calendar_domain::cost::{Cost, InvalidCost};
    ///
    /// assert_eq!(Cost::parse(&["10-20"])?.values(), ["10", "20"]);
    /// assert_eq!(Cost::parse(&["1,234.56"])?.values(), ["1234.56"]);
    /// assert!(Cost::parse(&[""])?.is_none());
    /// assert!(Cost::parse(&["-5"]).is_err());
    /// assert!(Cost::parse(&["5".repeat(Cost::MAX_CHARS + 1)]).is_err());
    /// let amounts = vec!["5"; Cost::MAX_AMOUNTS + 1];
    /// assert_eq!(Cost::parse(&amounts), Err(InvalidCost::TooMany { amounts: 21 }));
    /// # Ok::<(), InvalidCost>(())
    /// ```
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Self, InvalidCost> {
        let texts: Vec<String> = texts
            .iter()
            .map(|text| collapsed_line(text.as_ref()))
            .filter(|text| !text.is_empty())
            .collect();
        check_length(&texts)?;
        let mut entries = Vec::new();
        for text in &texts {
            entries.extend(read::read(text)?);
        }
        let amounts = entries
            .iter()
            .map(|entry| entry.amounts().len().max(1))
            .sum();
        if amounts > Self::MAX_AMOUNTS {
            return Err(InvalidCost::TooMany { amounts });
        }
        let texts: Vec<String> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Amount(amount) => amount.canonical(),
                Entry::Text { text, .. } => text.clone(),
            })
            .collect();
        // A shared symbol may have lengthened them.
        check_length(&texts)?;
        Ok(Self { entries, texts })
    }

    /// The price as texts that [`Cost::parse`] parses to an equal price.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["10-20 €", "USD 5"])?.texts(), ["10€", "20€", "USD 5"]);
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The price as one text whose [lines](Cost::parse_lines) parse to an equal price: as displayed
    /// without the symbol of the site, else the texts with commas between them, else in lines.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["5", "7"])?.lines(), "5 – 7");
    /// assert_eq!(Cost::parse(&["5", "7", "9"])?.lines(), "5, 7, 9");
    /// assert_eq!(Cost::parse(&["$5", "2, or 3 for all"])?.lines(), "$5\n2, or 3 for all");
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn lines(&self) -> String {
        let one_line = [self.formatted(""), self.texts.join(", ")];
        let is_equal = |line: &String| Self::parse(&[line]).is_ok_and(|cost| cost == *self);
        let equal = one_line.into_iter().find(is_equal);
        equal.unwrap_or_else(|| self.texts.join("\n"))
    }

    /// Parses a price of which each line is one text.
    ///
    /// # Errors
    ///
    /// As for [`Cost::parse`].
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse_lines("5\n7"), Cost::parse(&["5", "7"]));
    /// ```
    pub fn parse_lines(lines: &str) -> Result<Self, InvalidCost> {
        Self::parse(&lines.lines().collect::<Vec<_>>())
    }

    /// Whether no price is given. Zero is a price.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert!(Cost::default().is_none());
    /// assert!(!Cost::parse(&["0"])?.is_none());
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn is_none(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether every amount is 0, and there is one; the word "free" is one. Other words say nothing.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// let is_free = |text| Cost::parse(&[text]).map(|cost| cost.is_free());
    /// assert!(is_free("0")? && is_free("free")? && is_free("0.00 €")? && is_free("0 – donation")?);
    /// assert!(!is_free("0-10")? && !is_free("donation")? && !is_free("")?);
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn is_free(&self) -> bool {
        let has_zero = self.amounts().next().is_some() || self.entries.iter().any(Entry::is_free);
        has_zero && self.amounts().all(|amount| amount.number.is_zero())
    }

    /// The price as displayed: numbers without a symbol get that of `currency`, the event's, or
    /// else that of the site. See [`Cost::formatted`].
    ///
    /// ```
    /// # use events_calendar_domain::cost::{Cost, Currency, SiteCurrency};
    /// let cost = Cost::parse(&["5-7"]).unwrap();
    /// assert_eq!(cost.shown(None, SiteCurrency::Unsaid), "$5 – $7");
    /// assert_eq!(cost.shown(None, SiteCurrency::None), "5 – 7");
    /// let pounds = "GBP".parse::<Currency>()?;
    /// assert_eq!(cost.shown(Some(pounds), SiteCurrency::None), "£5 – £7");
    /// # Ok::<(), events_calendar_domain::cost::UnknownCurrency>(())
    /// ```
    pub fn shown(&self, currency: Option<Currency>, site: SiteCurrency) -> String {
        let symbol = currency.map_or_else(|| site.symbol(), Currency::symbol);
        self.formatted(&symbol)
    }

    /// The price as [displayed](Self::shown), in the style of a language.
    ///
    /// ```
    /// # use events_calendar_domain::cost::{Cost, PriceStyle, SiteCurrency};
    /// let french = PriceStyle {
    ///     free: "Gratuit",
    ///     amount: |number, symbol| format!("{} {symbol}", number.replace('.', ",")),
    /// };
    /// let shown = |text| Cost::parse(&[text]).unwrap().shown_in(french, None, SiteCurrency::Unsaid);
    /// assert_eq!(shown("0-7.50"), "Gratuit – 7,50 $");
    /// assert_eq!(shown("€1,200"), "1200 €");
    /// assert_eq!(shown("free"), "Gratuit");
    /// ```
    pub fn shown_in(
        &self,
        style: PriceStyle<'_>,
        currency: Option<Currency>,
        site: SiteCurrency,
    ) -> String {
        let symbol = currency.map_or_else(|| site.symbol(), Currency::symbol);
        self.text(&symbol, Some(style))
    }

    /// The price as displayed, unescaped: the lowest and the highest amount, `Free` for zero,
    /// `site_symbol` before numbers without a symbol; words unchanged.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["7", "5"])?.formatted("$"), "$5 – $7");
    /// assert_eq!(Cost::parse(&["0$", "20$", "30$"])?.formatted("$"), "Free – 30$");
    /// assert_eq!(Cost::parse(&["donation"])?.formatted("$"), "donation");
    /// assert_eq!(Cost::default().formatted("$"), "");
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn formatted(&self, site_symbol: &str) -> String {
        self.text(site_symbol, None)
    }

    /// The price as displayed; without a style, amounts and words as typed.
    fn text(&self, site_symbol: &str, style: Option<PriceStyle<'_>>) -> String {
        let mut range = self.range(site_symbol, style);
        let free = style.map(|style| style.free);
        let has_range = range.is_some();
        let mut parts: Vec<String> = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Amount(_) => parts.extend(range.take()),
                Entry::Text { .. } if has_range && entry.is_free() => parts.extend(range.take()),
                Entry::Text { text, .. } => {
                    let text = free.filter(|_| entry.is_free()).unwrap_or(text);
                    if !parts.iter().any(|part| part == text) {
                        parts.push(text.to_owned());
                    }
                }
            }
        }
        parts.join(", ")
    }

    /// The lowest and the highest of the amounts that are not part of a longer text.
    fn range(&self, site_symbol: &str, style: Option<PriceStyle<'_>>) -> Option<String> {
        let amounts = || {
            self.entries.iter().filter_map(|entry| match entry {
                Entry::Amount(amount) => Some(amount),
                Entry::Text { .. } => None,
            })
        };
        let least = amounts().min_by(|a, b| a.number.compare(&b.number))?;
        let greatest = amounts().max_by(|a, b| a.number.compare(&b.number))?;
        let has_free = self.entries.iter().any(Entry::is_free);
        let label = |amount: &Amount| match style {
            Some(style) => amount.styled(site_symbol, style),
            None => amount.label(site_symbol, FREE),
        };
        let from = if has_free {
            style.map_or(FREE, |style| style.free).to_owned()
        } else {
            label(least)
        };
        let to = label(greatest);
        let equal = !has_free
            && least.symbol == greatest.symbol
            && least.number.compare(&greatest.number).is_eq();
        Some(if equal || from == to {
            from
        } else {
            format!("{from} – {to}")
        })
    }

    /// The amounts that determine the symbol: all but a zero without one.
    fn telling(&self) -> impl Iterator<Item = &Amount> {
        self.amounts()
            .filter(|amount| amount.symbol.is_some() || !amount.number.is_zero())
    }

    fn amounts(&self) -> impl Iterator<Item = &Amount> {
        self.entries.iter().flat_map(Entry::amounts)
    }

    /// The typed symbol, if all amounts have the same one; otherwise empty.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["15,50 €"])?.symbol(), "€");
    /// assert_eq!(Cost::parse(&["20"])?.symbol(), "");
    /// assert_eq!(Cost::parse(&["$5", "€7"])?.symbol(), "");
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn symbol(&self) -> &str {
        fn of(amount: &Amount) -> &str {
            amount.symbol.as_ref().map_or("", |(symbol, _)| symbol)
        }
        let first = self.telling().next().map_or("", of);
        if self.telling().all(|amount| of(amount) == first) {
            first
        } else {
            ""
        }
    }

    /// The position of the symbol, if all amounts have the same symbol there.
    ///
    /// ```
    /// # use events_calendar_domain::cost::{Cost, Position};
    /// assert_eq!(Cost::parse(&["$20"])?.position(), Some(Position::Prefix));
    /// assert_eq!(Cost::parse(&["20"])?.position(), None);
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn position(&self) -> Option<Position> {
        let first = self.telling().next()?.symbol.as_ref();
        first
            .filter(|_| self.telling().all(|amount| amount.symbol.as_ref() == first))
            .map(|&(_, position)| position)
    }

    /// The distinct numbers, ascending: digits, and `.` before decimals as typed.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["$1,000", "15,50"])?.values(), ["15.50", "1000"]);
    /// assert!(Cost::parse(&["Free"])?.values().is_empty());
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn values(&self) -> Vec<String> {
        let mut numbers: Vec<_> = self.amounts().map(|amount| &amount.number).collect();
        numbers.sort_by(|a, b| a.compare(b));
        numbers.dedup_by(|a, b| a.compare(b).is_eq());
        numbers
            .into_iter()
            .map(|number| number.value.clone())
            .collect()
    }

    /// The lowest price: a number, `0` for words such as "free", none for other words.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["20-10"])?.least(), Some("10".to_owned()));
    /// assert_eq!(Cost::parse(&["Free"])?.least(), Some("0".to_owned()));
    /// assert_eq!(Cost::parse(&["donation"])?.least(), None);
    /// # Ok::<(), events_calendar_domain::cost::InvalidCost>(())
    /// ```
    pub fn least(&self) -> Option<String> {
        if self.entries.iter().any(Entry::is_free) {
            return Some("0".to_owned());
        }
        self.values().into_iter().next()
    }
}

fn check_length(texts: &[String]) -> Result<(), InvalidCost> {
    let chars = texts.iter().map(|text| text.chars().count()).sum();
    if chars > Cost::MAX_CHARS {
        Err(InvalidCost::TooLong { chars })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost(texts: &[&str]) -> Cost {
        let cost = Cost::parse(texts).unwrap();
        assert_eq!(Cost::parse(cost.texts()).unwrap(), cost, "{texts:?}");
        cost
    }

    #[test]
    fn prices_are_shown_with_their_symbols() {
        use Position::{Postfix, Prefix};
        type Case<'a> = (
            &'a [&'a str],
            &'a str,
            &'a str,
            Option<Position>,
            &'a [&'a str],
        );
        #[rustfmt::skip]
        let cases: &[Case<'_>] = &[
            (&["20"], "$20", "", None, &["20"]),
            (&["$20"], "$20", "$", Some(Prefix), &["20"]),
            (&["20$"], "20$", "$", Some(Postfix), &["20"]),
            (&["20 €"], "20€", "€", Some(Postfix), &["20"]),
            (&["£15.50"], "£15.50", "£", Some(Prefix), &["15.50"]),
            (&["15,50 €"], "15,50€", "€", Some(Postfix), &["15.50"]),
            (&["1,234.56"], "$1,234.56", "", None, &["1234.56"]),
            (&["1.234,56 €"], "1.234,56€", "€", Some(Postfix), &["1234.56"]),
            (&["$1,000"], "$1,000", "$", Some(Prefix), &["1000"]),
            (&["$0"], "Free", "$", Some(Prefix), &["0"]),
            (&["0"], "Free", "", None, &["0"]),
            (&["0.00"], "Free", "", None, &["0.00"]),
            (&["Free"], "Free", "", None, &[]),
            (&["donation"], "donation", "", None, &[]),
            (&["10-20"], "$10 – $20", "", None, &["10", "20"]),
            (&["10, 20"], "$10 – $20", "", None, &["10", "20"]),
            (&["20 – 10"], "$10 – $20", "", None, &["10", "20"]),
            (&["0$", "20$", "30$"], "Free – 30$", "$", Some(Postfix), &["0", "20", "30"]),
            (&["0", "20$"], "Free – 20$", "$", Some(Postfix), &["0", "20"]),
            (&["5", "7"], "$5 – $7", "", None, &["5", "7"]),
            (&["9", "10", "10.00"], "$9 – $10.00", "", None, &["9", "10"]),
            (&["10", "10.00"], "$10", "", None, &["10"]),
            (&["$5", "€7"], "$5 – €7", "", None, &["5", "7"]),
            (&["$5", "€5"], "$5 – €5", "", None, &["5"]),
            (&["$5", "7$"], "$5 – 7$", "$", None, &["5", "7"]),
            (&["5", "€7"], "$5 – €7", "", None, &["5", "7"]),
            (&["USD 20"], "USD20", "USD", Some(Prefix), &["20"]),
            (&["kr. 50"], "kr.50", "kr.", Some(Prefix), &["50"]),
            (&["S/ 20"], "S/20", "S/", Some(Prefix), &["20"]),
            (&["<b>5</b>"], "$5", "", None, &["5"]),
            (&["", " "], "", "", None, &[]),
            (&["10-20 €"], "10€ – 20€", "€", Some(Postfix), &["10", "20"]),
            (&["$10 - 20"], "$10 – $20", "$", Some(Prefix), &["10", "20"]),
            (&["5 €, 7 €"], "5€ – 7€", "€", Some(Postfix), &["5", "7"]),
            (&["5,10,15"], "$5 – $15", "", None, &["5", "10", "15"]),
            (&["1.50,2.50"], "$1.50 – $2.50", "", None, &["1.50", "2.50"]),
            (&["1,234,567"], "$1,234,567", "", None, &["1234567"]),
            (&["1 000 €"], "1 000€", "€", Some(Postfix), &["1000"]),
            (&["1\u{a0}234,50 €"], "1 234,50€", "€", Some(Postfix), &["1234.50"]),
            (&["CHF 1'000.50"], "CHF1'000.50", "CHF", Some(Prefix), &["1000.50"]),
            (&["$.50"], "$.50", "$", Some(Prefix), &["0.50"]),
            (&["0.500"], "$0.500", "", None, &["0.500"]),
            (&["10,- €"], "10€", "€", Some(Postfix), &["10"]),
            (&["10.-"], "$10", "", None, &["10"]),
            (&["007"], "$007", "", None, &["7"]),
            (&["Free", "20$"], "Free – 20$", "$", Some(Postfix), &["20"]),
            (&["donation", "5", "7"], "donation, $5 – $7", "", None, &["5", "7"]),
            (&["10 € at the door"], "10 € at the door", "€", Some(Postfix), &["10"]),
            (&["from $5 to $7"], "from $5 to $7", "$", Some(Prefix), &["5", "7"]),
            (&["10/8 €"], "10/8 €", "", None, &["8", "10"]),
            (&["Covid-19 test: EUR 5"], "Covid-19 test: EUR 5", "EUR", Some(Prefix), &["5"]),
            (&["1.2.3"], "1.2.3", "", None, &[]),
            (&["٢٠ ريال"], "٢٠ ريال", "", None, &[]),
            (&["₹1,50,000"], "₹1,50,000", "₹", Some(Prefix), &["150000"]),
            (&["1,50,000.50"], "$1,50,000.50", "", None, &["150000.50"]),
            (&["₹ 12,34,56,789"], "₹12,34,56,789", "₹", Some(Prefix), &["123456789"]),
            (&["1.234.567,89"], "$1.234.567,89", "", None, &["1234567.89"]),
            (&["1,2345,6789"], "$1,2345,6789", "", None, &["123456789"]),
            (&["1,0000"], "$1,0000", "", None, &["1.0000"]),
            (&["1 234,50"], "$1 234,50", "", None, &["1234.50"]),
            (&["1\u{202f}234\u{2009}567,5 €"], "1 234 567,5€", "€", Some(Postfix), &["1234567.5"]),
            (&["1 50 000"], "$1 50 000", "", None, &["150000"]),
            (&["10 20"], "10 20", "", None, &["10", "20"]),
            (&["1'234.50"], "$1'234.50", "", None, &["1234.50"]),
            (&["12’34’567"], "$12’34’567", "", None, &["1234567"]),
            (&["₹1,50,000 - ₹2,50,000"], "₹1,50,000 – ₹2,50,000", "₹", Some(Prefix), &["150000", "250000"]),
            (&["10,20,30"], "$10 – $30", "", None, &["10", "20", "30"]),
            (&["5 – donation"], "$5, donation", "", None, &["5"]),
            (&["5-donation"], "$5, donation", "", None, &["5"]),
            (&["5 €, voluntary donation welcome"], "5€, voluntary donation welcome", "€", Some(Postfix), &["5"]),
            (&["10-20 €; children free"], "10€ – 20€, children free", "€", Some(Postfix), &["10", "20"]),
            (&["20 – free"], "Free – $20", "", None, &["20"]),
            (&["10 - EUR"], "10EUR", "EUR", Some(Postfix), &["10"]),
            (&["5 e-mail"], "5 e-mail", "", None, &["5"]),
        ];
        for &(texts, formatted, symbol, position, values) in cases {
            let cost = cost(texts);
            assert_eq!(cost.formatted("$"), formatted, "{texts:?}");
            assert_eq!(
                (cost.symbol(), cost.position()),
                (symbol, position),
                "{texts:?}"
            );
            assert_eq!(cost.values(), values, "{texts:?}");
            assert_eq!(cost.is_none(), formatted.is_empty(), "{texts:?}");
        }
    }

    #[test]
    fn words_keep_their_blank_and_currencies_count_first() {
        for (text, formatted, values) in [
            ("2 for $5", "2 for $5", &["5"][..]),
            ("2 tickets for 15,50 €", "2 tickets for 15,50 €", &["15.50"]),
            ("2 for 5", "2 for 5", &["2", "5"]),
            ("from 20", "from 20", &["20"]),
            ("20 dollars", "20 dollars", &["20"]),
            ("20 ريال", "20 ريال", &["20"]),
            ("50 kr", "50 kr", &["50"]),
            ("ca. 20", "ca. 20", &["20"]),
            ("Dès 20 – 30", "Dès 20 – 30", &["20", "30"]),
        ] {
            let cost = cost(&[text]);
            assert_eq!(cost.formatted("$"), formatted);
            assert_eq!(cost.values(), values, "{text}");
        }
        assert_eq!(cost(&["from 20"]).symbol(), "");
        assert_eq!(cost(&["from 20 €"]).symbol(), "€");
    }

    #[test]
    fn negative_and_excessive_prices_are_refused() {
        for text in [
            "-5",
            "$-5",
            "-$5",
            "- 5",
            "−5 €",
            "USD -5",
            "10, -5",
            "10 - -5",
            "-0",
            "Adults -5",
        ] {
            assert!(
                matches!(Cost::parse(&[text]), Err(InvalidCost::Negative { .. })),
                "{text}"
            );
        }
        assert_eq!(
            Cost::parse(&["5"; 21]),
            Err(InvalidCost::TooMany { amounts: 21 })
        );
        assert_eq!(
            Cost::parse(&["x".repeat(501)]),
            Err(InvalidCost::TooLong { chars: 501 })
        );
    }

    fn prices() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "1", "0", "20", "345", ".", ",", "-", " – ", " ", "'", "$", "€", "USD", "kr.", "S/",
            "free", "/", "<b>", "&lt;", "é",
        ]);
        prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
    }

    #[test]
    fn lines_are_read_back() {
        for texts in [
            &["0"][..],
            &["0", "20$"],
            &["$5", "$10", "$20"],
            &["Free"],
            &["donation", "5", "7"],
            &["1,000", "2,000", "3,000"],
            &["15,50 €", "16,50 €", "17,50 €"],
            &["from 20", "members, with a card: 10", "x"],
            &[],
        ] {
            let cost = cost(texts);
            assert_eq!(Cost::parse_lines(&cost.lines()), Ok(cost), "{texts:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn stored_texts_are_read_back(texts in prop::collection::vec(prop_oneof![3 => prices(), 1 => any::<String>()], 0..4)) {
            if let Ok(cost) = Cost::parse(&texts) {
                prop_assert_eq!(&Cost::parse(cost.texts()).unwrap(), &cost);
                prop_assert_eq!(&Cost::parse_lines(&cost.lines()).unwrap(), &cost);
                prop_assert_eq!(cost.formatted("$").is_empty(), cost.is_none());
                prop_assert!(cost.values().iter().all(|value| value.parse::<f64>().is_ok()));
                cost.position();
            }
        }
    }
}
