//! Venues.

use super::PlaceFilter;
use crate::{
    Entry, FieldName, Kind, Language, TextField, audit::TrailReader, entry::Details, geo::Position,
    web_url::WebUrl,
};

/// A place where events happen.
pub type Venue = Entry<VenueDetails>;

/// The fields that only a venue has. Absent texts are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VenueDetails {
    /// Street and number.
    pub address: String,
    /// Town.
    pub city: String,
    /// Country.
    pub country: String,
    /// Province, outside the United States.
    pub province: String,
    /// State, in the United States.
    pub state: String,
    /// State or province, whichever applies: see [`VenueDetails::derived_stateprovince`].
    pub stateprovince: String,
    /// Postal code.
    pub zip: String,
    /// Telephone number.
    pub phone: String,
    /// The web site.
    pub website: Option<WebUrl>,
    /// Whether pages of its events show a map.
    pub show_map: bool,
    /// Whether pages of its events link to a map.
    pub show_map_link: bool,
    /// The position.
    pub position: Option<Position>,
}

impl Default for VenueDetails {
    fn default() -> Self {
        Self {
            address: String::new(),
            city: String::new(),
            country: String::new(),
            province: String::new(),
            state: String::new(),
            stateprovince: String::new(),
            zip: String::new(),
            phone: String::new(),
            website: None,
            show_map: true,
            show_map_link: true,
            position: None,
        }
    }
}

impl Venue {
    /// The city as readers of a language see it; empty if none is known.
    ///
    /// ```
    /// use events_calendar_domain::{Language, TextField, Translation, UserId, Venue, VenueDetails, time::Timestamp};
    /// let details = VenueDetails { city: "Geneva".into(), ..VenueDetails::default() };
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Venue::new(UserId::from_raw(1), "Hall".parse()?, details, now);
    /// let text_fields = [(TextField::City, "Genève".to_owned())].into();
    /// venue.translations.put(Language::French, Translation { text_fields, ..Translation::default() });
    /// assert_eq!(venue.shown_city(Language::French), "Genève");
    /// assert_eq!(venue.shown_city(Language::Arabic), "Geneva");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shown_city(&self, language: Language) -> &str {
        let shown = (language != self.language).then(|| self.translations.get(language));
        let city = shown
            .flatten()
            .and_then(|texts| texts.text_fields.get(&TextField::City));
        city.unwrap_or(&self.details.city)
    }
}

impl VenueDetails {
    /// State or province, from the other fields: the state if the country is unknown or the United
    /// States, else the province.
    ///
    /// ```
    /// use events_calendar_domain::VenueDetails;
    /// let mut venue = VenueDetails { state: "TX".into(), province: "ARA".into(), ..VenueDetails::default() };
    /// assert_eq!(venue.derived_stateprovince(), "TX");
    /// venue.country = "France".into();
    /// assert_eq!(venue.derived_stateprovince(), "ARA");
    /// ```
    pub fn derived_stateprovince(&self) -> &str {
        match self.region() {
            TextField::State => &self.state,
            _ => &self.province,
        }
    }

    /// The field that holds the state or province: see [`VenueDetails::derived_stateprovince`].
    ///
    /// ```
    /// use events_calendar_domain::{VenueDetails, TextField,};
    /// assert_eq!(VenueDetails::default().region(), TextField::State);
    /// ```
    pub fn region(&self) -> TextField {
        match self.country.as_str() {
            "" | "US" | "United States" => TextField::State,
            _ => TextField::Province,
        }
    }
}

impl Details for VenueDetails {
    const KIND: Kind = Kind::Venue;
    const TRASH_IS_READABLE: bool = true;
    type Filter = PlaceFilter<Self>;
    const TEXT_FIELDS: &'static [TextField] = &TextField::ALL;

    fn text_field_mut(&mut self, field: TextField) -> Option<&mut String> {
        Some(match field {
            TextField::Address => &mut self.address,
            TextField::City => &mut self.city,
            TextField::Country => &mut self.country,
            TextField::Province => &mut self.province,
            TextField::State => &mut self.state,
            TextField::StateProvince => &mut self.stateprovince,
        })
    }

    details_fields! { Venue;
        text Address => address;
        text City => city;
        text Country => country;
        text Province => province;
        text State => state;
        text StateProvince => stateprovince;
        text Zip => zip;
        text Phone => phone;
        url Website => website;
        flag ShowMap => show_map;
        flag ShowMapLink => show_map_link;
        position Latitude | Longitude => position;
    }

    fn trailed(&self, field: FieldName) -> Option<String> {
        let position = self.position.as_ref()?;
        match field {
            FieldName::Latitude => Some(position.latitude().to_string()),
            FieldName::Longitude => Some(position.longitude().to_string()),
            _ => None,
        }
    }

    fn contact_texts(&self) -> Vec<&str> {
        let Self {
            address,
            city,
            country,
            province,
            state,
            stateprovince,
            zip,
            phone,
            website,
            show_map: _,
            show_map_link: _,
            position: _,
        } = self;
        let website = website.as_ref().map_or("", WebUrl::as_str);
        vec![
            address,
            city,
            country,
            province,
            state,
            stateprovince,
            zip,
            phone,
            website,
        ]
    }
}
