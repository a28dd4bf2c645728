//! Prices, each line one value: what is stored is read as an equal price.
#![no_main]

use domain::cost::{Cost, SiteCurrency};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines: Vec<_> = text.lines().collect();
    let Ok(cost) = Cost::parse(&lines) else {
        return;
    };
    assert_eq!(
        Cost::parse(cost.texts()).as_ref(),
        Ok(&cost),
        "as stored: {:?}",
        cost.texts()
    );
    let site: SiteCurrency = "EUR".parse().expect("a currency");
    for site in [site, SiteCurrency::Unsaid, SiteCurrency::None] {
        let currency = cost.currency(site);
        let shown = cost.shown(currency, site);
        assert_eq!(shown.is_empty(), cost.is_none(), "{shown:?} as shown");
        assert!(!shown.contains(char::is_control), "{shown:?} as shown");
    }
    let values = cost.values();
    assert!(values.len() <= Cost::MAX_AMOUNTS, "{} values", values.len());
    for value in values.iter().chain(&cost.least()) {
        let plain = value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        assert!(plain && !value.is_empty(), "{value:?} is no number");
    }
});
