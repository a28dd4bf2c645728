//! Currencies, and which one a price is in.

use std::fmt;

use super::Cost;

/// A currency of ISO 4217.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Currency(iso_currency::Currency);

/// Why a text is no [`Currency`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the three letters of a currency, as in ISO 4217")]
pub struct UnknownCurrency;

impl Currency {
    /// The currency of a code of three letters, in any letter case.
    ///
    /// # Errors
    ///
    /// [`UnknownCurrency`] if ISO 4217 has no such code.
    ///
    /// ```
    /// use domain::cost::Currency;
    /// assert_eq!(Currency::parse("eur")?.code(), "EUR");
    /// assert!(Currency::parse("EUX").is_err());
    /// # Ok::<(), domain::cost::UnknownCurrency>(())
    /// ```
    pub fn parse(code: &str) -> Result<Self, UnknownCurrency> {
        iso_currency::Currency::from_code(&code.to_ascii_uppercase())
            .map(Self)
            .ok_or(UnknownCurrency)
    }

    /// Its code.
    ///
    /// ```
    /// # use domain::cost::Currency;
    /// assert_eq!(Currency::parse("JPY")?.code(), "JPY");
    /// # Ok::<(), domain::cost::UnknownCurrency>(())
    /// ```
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The currency that a symbol stands for without doubt.
    fn of_symbol(symbol: &str) -> Option<Self> {
        let code = match symbol {
            "€" => "EUR",
            "₹" => "INR",
            "₽" => "RUB",
            "₺" => "TRY",
            "₪" => "ILS",
            "₴" => "UAH",
            "₩" => "KRW",
            "₫" => "VND",
            "zł" => "PLN",
            "US$" => "USD",
            code if code.bytes().all(|byte| byte.is_ascii_uppercase()) => code,
            // `$`, `£`, `¥`, `kr` and others are names of several currencies.
            _ => return None,
        };
        Self::parse(code).ok()
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Cost {
    /// The currency of all amounts, if their symbols say it without doubt; `site_symbol` is that of
    /// numbers without a symbol.
    ///
    /// ```
    /// use domain::cost::Cost;
    /// let currency = |text| Cost::parse(&[text]).unwrap().currency("$").map(|one| one.code());
    /// assert_eq!(currency("15 €"), Some("EUR"));
    /// assert_eq!(currency("CHF 20"), Some("CHF"));
    /// assert_eq!(currency("20"), None);
    /// ```
    pub fn currency(&self, site_symbol: &str) -> Option<Currency> {
        let mut symbols = self.telling().map(|amount| match &amount.symbol {
            Some((symbol, _)) => symbol.as_str(),
            None => site_symbol,
        });
        let first = symbols.next().unwrap_or(site_symbol);
        if symbols.all(|symbol| symbol == first) {
            Currency::of_symbol(first)
        } else {
            None
        }
    }

    /// The least that somebody pays: a number, `0` for words that say so, none for other words.
    ///
    /// ```
    /// use domain::cost::Cost;
    /// assert_eq!(Cost::parse(&["20-10"])?.least(), Some("10".to_owned()));
    /// assert_eq!(Cost::parse(&["Free"])?.least(), Some("0".to_owned()));
    /// assert_eq!(Cost::parse(&["donation"])?.least(), None);
    /// # Ok::<(), domain::cost::InvalidCost>(())
    /// ```
    pub fn least(&self) -> Option<String> {
        if self.entries.iter().any(super::Entry::is_free) {
            return Some("0".to_owned());
        }
        self.values().into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_never_guessed() {
        for (texts, site, currency) in [
            (&["15,50 €"][..], "$", Some("EUR")),
            (&["€5", "€7"], "$", Some("EUR")),
            (&["€5", "$7"], "€", None),
            (&["5", "€7"], "$", None),
            (&["5", "€7"], "€", Some("EUR")),
            (&["10-20"], "€", Some("EUR")),
            (&["0"], "€", Some("EUR")),
            (&["0", "$5"], "€", None),
            (&["$5"], "€", None),
            (&["£5"], "€", None),
            (&["kr 5"], "€", None),
            (&["USD 20"], "€", Some("USD")),
            (&["usd 20"], "€", None),
            (&["ZZZ 20"], "€", None),
            (&["5 pesos"], "€", None),
            (&["donation"], "", None),
            (&["5"], "", None),
        ] {
            let cost = Cost::parse(texts).unwrap();
            let found = cost.currency(site).map(Currency::code);
            assert_eq!(found, currency, "{texts:?} {site}");
        }
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        for code in ["EUR", "usd", "BHD", "Xof"] {
            assert_eq!(
                Currency::parse(code).unwrap().code(),
                code.to_ascii_uppercase()
            );
        }
        for code in ["", "EU", "EURO", "ABC", "€", "E R", "éur", "EUR "] {
            assert_eq!(Currency::parse(code), Err(UnknownCurrency), "{code}");
        }
    }
}
