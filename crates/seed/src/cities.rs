//! Cities in which generated venues lie.

use std::sync::LazyLock;

use domain::Language;

/// A city.
#[derive(Debug)]
pub(crate) struct City {
    pub(crate) name: &'static str,
    pub(crate) country: &'static str,
    /// Code of the state in the United States; elsewhere the province, if any.
    pub(crate) region: &'static str,
    /// Latitude and longitude of the centre, in degrees north and east.
    pub(crate) position: (f64, f64),
    pub(crate) zone: &'static str,
    /// The language of at least nine events in ten.
    pub(crate) language: Language,
}

/// All cities. The first ones get more venues.
pub(crate) static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| {
    let rows = include_str!("../data/cities.csv").lines().skip(1);
    rows.filter_map(City::parse).collect()
});

impl City {
    /// Reads a row of `cities.csv`.
    fn parse(row: &'static str) -> Option<Self> {
        let fields: Vec<&str> = row.split(';').collect();
        let [name, country, region, latitude, longitude, zone, language] = fields[..] else {
            return None;
        };
        Some(Self {
            name,
            country,
            region,
            position: (latitude.parse().ok()?, longitude.parse().ok()?),
            zone,
            language: language.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_city() {
        assert_eq!(CITIES.len(), 60);
    }
}
