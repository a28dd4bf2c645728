//! Towns where made-up venues lie.

use domain::Language;

use Language::{Arabic, English, French};

/// A town.
pub(super) struct City {
    pub(super) name: &'static str,
    pub(super) country: &'static str,
    /// Code of the state, in the United States; elsewhere the province, if any.
    pub(super) region: &'static str,
    /// Degrees north and east of its middle.
    pub(super) position: (f64, f64),
    pub(super) zone: &'static str,
    /// What most of its events are written in.
    pub(super) language: Language,
}

const fn city(
    name: &'static str,
    country: &'static str,
    region: &'static str,
    position: (f64, f64),
    zone: &'static str,
    language: Language,
) -> City {
    City {
        name,
        country,
        region,
        position,
        zone,
        language,
    }
}

/// The towns; the first ones have more venues.
#[rustfmt::skip]
pub(super) const CITIES: [City; 60] = [
    city("Paris", "France", "Île-de-France", (48.8566, 2.3522), "Europe/Paris", French),
    city("London", "United Kingdom", "", (51.5074, -0.1278), "Europe/London", English),
    city("New York", "United States", "NY", (40.7128, -74.0060), "America/New_York", English),
    city("Berlin", "Germany", "", (52.5200, 13.4050), "Europe/Berlin", English),
    city("القاهرة", "مصر", "", (30.0444, 31.2357), "Africa/Cairo", Arabic),
    city("San Francisco", "United States", "CA", (37.7749, -122.4194), "America/Los_Angeles", English),
    city("Montréal", "Canada", "Québec", (45.5017, -73.5673), "America/Toronto", French),
    city("Lyon", "France", "Auvergne-Rhône-Alpes", (45.7640, 4.8357), "Europe/Paris", French),
    city("دبي", "الإمارات", "", (25.2048, 55.2708), "Asia/Dubai", Arabic),
    city("Toronto", "Canada", "Ontario", (43.6532, -79.3832), "America/Toronto", English),
    city("Bruxelles", "Belgique", "", (50.8503, 4.3517), "Europe/Brussels", French),
    city("Amsterdam", "Netherlands", "Noord-Holland", (52.3676, 4.9041), "Europe/Amsterdam", English),
    city("Chicago", "United States", "IL", (41.8781, -87.6298), "America/Chicago", English),
    city("Austin", "United States", "TX", (30.2672, -97.7431), "America/Chicago", English),
    city("Genève", "Suisse", "Genève", (46.2044, 6.1432), "Europe/Zurich", French),
    city("تونس", "تونس", "", (36.8065, 10.1815), "Africa/Tunis", Arabic),
    city("Dublin", "Ireland", "Leinster", (53.3498, -6.2603), "Europe/Dublin", English),
    city("Barcelona", "Spain", "Catalunya", (41.3874, 2.1686), "Europe/Madrid", English),
    city("Lisbon", "Portugal", "", (38.7223, -9.1393), "Europe/Lisbon", English),
    city("Marseille", "France", "Provence-Alpes-Côte d’Azur", (43.2965, 5.3698), "Europe/Paris", French),
    city("Seattle", "United States", "WA", (47.6062, -122.3321), "America/Los_Angeles", English),
    city("Boston", "United States", "MA", (42.3601, -71.0589), "America/New_York", English),
    city("الدار البيضاء", "المغرب", "", (33.5731, -7.5898), "Africa/Casablanca", Arabic),
    city("بيروت", "لبنان", "", (33.8938, 35.5018), "Asia/Beirut", Arabic),
    city("Vienna", "Austria", "", (48.2082, 16.3738), "Europe/Vienna", English),
    city("Copenhagen", "Denmark", "", (55.6761, 12.5683), "Europe/Copenhagen", English),
    city("Stockholm", "Sweden", "", (59.3293, 18.0686), "Europe/Stockholm", English),
    city("Prague", "Czechia", "", (50.0755, 14.4378), "Europe/Prague", English),
    city("Toulouse", "France", "Occitanie", (43.6047, 1.4442), "Europe/Paris", French),
    city("Nantes", "France", "Pays de la Loire", (47.2184, -1.5536), "Europe/Paris", French),
    city("Sydney", "Australia", "New South Wales", (-33.8688, 151.2093), "Australia/Sydney", English),
    city("Melbourne", "Australia", "Victoria", (-37.8136, 144.9631), "Australia/Melbourne", English),
    city("Singapore", "Singapore", "", (1.3521, 103.8198), "Asia/Singapore", English),
    city("Tokyo", "Japan", "", (35.6762, 139.6503), "Asia/Tokyo", English),
    city("Bengaluru", "India", "Karnataka", (12.9716, 77.5946), "Asia/Kolkata", English),
    city("Cape Town", "South Africa", "Western Cape", (-33.9249, 18.4241), "Africa/Johannesburg", English),
    city("Nairobi", "Kenya", "", (-1.2921, 36.8219), "Africa/Nairobi", English),
    city("Dakar", "Sénégal", "", (14.7167, -17.4677), "Africa/Dakar", French),
    city("Abidjan", "Côte d’Ivoire", "", (5.3600, -4.0083), "Africa/Abidjan", French),
    city("عمّان", "الأردن", "", (31.9454, 35.9284), "Asia/Amman", Arabic),
    city("الرياض", "السعودية", "", (24.7136, 46.6753), "Asia/Riyadh", Arabic),
    city("São Paulo", "Brazil", "", (-23.5505, -46.6333), "America/Sao_Paulo", English),
    city("Buenos Aires", "Argentina", "", (-34.6037, -58.3816), "America/Argentina/Buenos_Aires", English),
    city("Mexico City", "Mexico", "", (19.4326, -99.1332), "America/Mexico_City", English),
    city("Denver", "United States", "CO", (39.7392, -104.9903), "America/Denver", English),
    city("Portland", "United States", "OR", (45.5152, -122.6784), "America/Los_Angeles", English),
    city("Québec", "Canada", "Québec", (46.8139, -71.2080), "America/Toronto", French),
    city("Vancouver", "Canada", "British Columbia", (49.2827, -123.1207), "America/Vancouver", English),
    city("Edinburgh", "United Kingdom", "", (55.9533, -3.1883), "Europe/London", English),
    city("Manchester", "United Kingdom", "", (53.4808, -2.2426), "Europe/London", English),
    city("Milan", "Italy", "Lombardia", (45.4642, 9.1900), "Europe/Rome", English),
    city("Warsaw", "Poland", "", (52.2297, 21.0122), "Europe/Warsaw", English),
    city("Helsinki", "Finland", "", (60.1699, 24.9384), "Europe/Helsinki", English),
    city("Oslo", "Norway", "", (59.9139, 10.7522), "Europe/Oslo", English),
    city("Auckland", "New Zealand", "", (-36.8509, 174.7645), "Pacific/Auckland", English),
    city("Kathmandu", "Nepal", "", (27.7172, 85.3240), "Asia/Kathmandu", English),
    city("Honolulu", "United States", "HI", (21.3069, -157.8583), "Pacific/Honolulu", English),
    city("Reykjavík", "Iceland", "", (64.1466, -21.9426), "Atlantic/Reykjavik", English),
    city("الجزائر", "الجزائر", "", (36.7538, 3.0588), "Africa/Algiers", Arabic),
    city("Lausanne", "Suisse", "Vaud", (46.5197, 6.6323), "Europe/Zurich", French),
];
