//! Currencies, and the currency of a price.

use std::fmt;
#[cfg(feature = "currencies")]
use std::str::FromStr;

use self::known::Known;
#[cfg(feature = "currencies")]
use super::Cost;

#[cfg(feature = "currencies")]
mod known {
    pub(super) use iso_currency::Currency as Known;

    pub(super) fn symbol(currency: Known) -> String {
        currency.symbol().symbol
    }
}

#[cfg(not(feature = "currencies"))]
mod known {
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) enum Known {}

    impl Known {
        pub(super) fn code(self) -> &'static str {
            match self {}
        }
    }

    pub(super) fn symbol(currency: Known) -> String {
        match currency {}
    }
}

/// A currency of ISO 4217.
///
/// Only the feature `currencies` knows the codes. Without it, the type has no values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Currency(Known);

/// The reason why a text is not a [`Currency`].
#[cfg(feature = "currencies")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the three letters of a currency, as in ISO 4217")]
pub struct UnknownCurrency;

impl Currency {
    /// The code.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Currency;
    /// assert_eq!("JPY".parse::<Currency>()?.code(), "JPY");
    /// # Ok::<(), events_calendar_domain::cost::UnknownCurrency>(())
    /// ```
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The symbol displayed before prices; the code for currencies without a symbol.
    ///
    /// ```
    /// # use events_calendar_domain::cost::Currency;
    /// assert_eq!("EUR".parse::<Currency>()?.symbol(), "€");
    /// assert_eq!("CHF".parse::<Currency>()?.symbol(), "CHF");
    /// # Ok::<(), events_calendar_domain::cost::UnknownCurrency>(())
    /// ```
    pub fn symbol(self) -> String {
        let symbol = known::symbol(self.0);
        match symbol.as_str() {
            // The generic currency sign, and a sign that is not used in Switzerland.
            "¤" | "₣" => self.code().to_owned(),
            _ => symbol,
        }
    }

    /// The currency with a code; none without the feature `currencies`.
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        #[cfg(feature = "currencies")]
        let currency = code.parse().ok();
        #[cfg(not(feature = "currencies"))]
        let currency = Some(code).and(None);
        currency
    }

    /// The currency that a symbol denotes unambiguously.
    #[cfg(feature = "currencies")]
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
            // `$`, `£`, `¥`, `kr` and others denote several currencies.
            _ => return None,
        };
        code.parse().ok()
    }
}

#[cfg(feature = "currencies")]
impl FromStr for Currency {
    type Err = UnknownCurrency;

    /// Parses the three-letter code of a currency, in any letter case.
    ///
    /// # Errors
    ///
    /// [`UnknownCurrency`] if ISO 4217 has no such code.
    ///
    /// ```
    /// use events_calendar_domain::cost::{Currency, UnknownCurrency};
    /// assert_eq!("eur".parse::<Currency>()?.code(), "EUR");
    /// assert_eq!("EUX".parse::<Currency>(), Err(UnknownCurrency));
    /// # Ok::<(), UnknownCurrency>(())
    /// ```
    fn from_str(code: &str) -> Result<Self, UnknownCurrency> {
        iso_currency::Currency::from_code(&code.to_ascii_uppercase())
            .map(Self)
            .ok_or(UnknownCurrency)
    }
}

/// The site's currency: for prices whose currency neither a symbol nor the event determines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SiteCurrency {
    /// Not configured: prices are displayed with `$`, and have no certain currency.
    #[default]
    Unsaid,
    /// Configured as none: prices are displayed as bare numbers.
    None,
    /// Configured.
    Said(Currency),
}

impl SiteCurrency {
    /// The currency, if it is configured.
    ///
    /// ```
    /// use events_calendar_domain::cost::SiteCurrency;
    /// assert_eq!(SiteCurrency::Unsaid.said(), None);
    /// ```
    pub fn said(self) -> Option<Currency> {
        match self {
            Self::Unsaid | Self::None => None,
            Self::Said(currency) => Some(currency),
        }
    }

    /// The symbol displayed before an amount that has none.
    ///
    /// ```
    /// use events_calendar_domain::cost::SiteCurrency;
    /// assert_eq!(SiteCurrency::Unsaid.symbol(), "$");
    /// assert_eq!(SiteCurrency::None.symbol(), "");
    /// assert_eq!("eur".parse::<SiteCurrency>()?.symbol(), "€");
    /// # Ok::<(), events_calendar_domain::cost::UnknownCurrency>(())
    /// ```
    pub fn symbol(self) -> String {
        match self {
            Self::Unsaid => "$".to_owned(),
            Self::None => String::new(),
            Self::Said(currency) => currency.symbol(),
        }
    }
}

#[cfg(feature = "currencies")]
impl FromStr for SiteCurrency {
    type Err = UnknownCurrency;

    /// Parses the code of a currency, or `none`.
    fn from_str(text: &str) -> Result<Self, UnknownCurrency> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self::None);
        }
        text.parse::<Currency>().map(Self::Said)
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(feature = "currencies")]
impl Cost {
    /// The currency of all amounts, if it is certain: an unambiguous symbol determines it. An
    /// amount without a symbol, or with an ambiguous symbol that the site's currency has, is in the
    /// site's currency, if that is configured.
    ///
    /// ```
    /// use events_calendar_domain::cost::{Cost, Currency, SiteCurrency};
    /// let of = |text: &str, site| {
    ///     let cost = Cost::parse(&[text]).unwrap();
    ///     cost.currency(site).map(Currency::code)
    /// };
    /// assert_eq!(of("15 €", SiteCurrency::Unsaid), Some("EUR"));
    /// assert_eq!(of("20", SiteCurrency::Unsaid), None);
    /// let said = "CAD".parse::<SiteCurrency>()?;
    /// assert_eq!(of("20", said), Some("CAD"));
    /// assert_eq!(of("$20", said), Some("CAD"));
    /// # Ok::<(), events_calendar_domain::cost::UnknownCurrency>(())
    /// ```
    pub fn currency(&self, site: SiteCurrency) -> Option<Currency> {
        let said = site.said();
        let mut currencies = self.telling().map(|amount| match &amount.symbol {
            Some((symbol, _)) => {
                Currency::of_symbol(symbol).or(said.filter(|said| said.symbol() == *symbol))
            }
            None => said,
        });
        let first = currencies.next().unwrap_or(said)?;
        currencies.all(|one| one == Some(first)).then_some(first)
    }
}

#[cfg(all(test, feature = "currencies"))]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_never_guessed() {
        for (texts, site, currency) in [
            (&["15,50 €"][..], "", Some("EUR")),
            (&["€5", "€7"], "", Some("EUR")),
            (&["€5", "$7"], "EUR", None),
            (&["5", "€7"], "", None),
            (&["5", "€7"], "USD", None),
            (&["5", "€7"], "EUR", Some("EUR")),
            (&["5", "EUR 7"], "EUR", Some("EUR")),
            (&["10-20"], "EUR", Some("EUR")),
            (&["0"], "EUR", Some("EUR")),
            (&["0", "$5"], "EUR", None),
            (&["$5"], "EUR", None),
            (&["$5"], "CAD", Some("CAD")),
            (&["$5"], "", None),
            (&["£5"], "EUR", None),
            (&["kr 5"], "EUR", None),
            (&["kr 5"], "SEK", Some("SEK")),
            (&["USD 20"], "EUR", Some("USD")),
            (&["usd 20"], "EUR", None),
            (&["ZZZ 20"], "EUR", None),
            (&["5 pesos"], "EUR", None),
            (&["donation"], "", None),
            (&["5"], "", None),
            (&["5"], "none", None),
        ] {
            let cost = Cost::parse(texts).unwrap();
            let site = site.parse().unwrap_or_default();
            let found = cost.currency(site).map(Currency::code);
            assert_eq!(found, currency, "{texts:?} {site:?}");
        }
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        for code in ["EUR", "usd", "BHD", "Xof"] {
            assert_eq!(
                code.parse::<Currency>().unwrap().code(),
                code.to_ascii_uppercase()
            );
        }
        for code in ["", "EU", "EURO", "ABC", "€", "E R", "éur", "EUR "] {
            assert_eq!(code.parse::<Currency>(), Err(UnknownCurrency), "{code}");
        }
    }
}
