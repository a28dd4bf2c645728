//! Positions on the earth, and distances between them.
//!
//! ```
//! use events_calendar_domain::geo::{Circle, Position};
//!
//! let (paris, orly) = (Position::new(48.8566, 2.3522)?, Position::new(48.7262, 2.3652)?);
//! let around_paris = Circle::new(paris, 20.0)?;
//! assert!(around_paris.holds(orly));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Mean radius of the earth in kilometres (IUGG: a third of the sum of twice the equatorial radius
/// and the polar radius of WGS 84).
const EARTH_RADIUS_KM: f64 = 6_371.008_8;

/// The margin between a circle and its box, in degrees, against rounding errors: 0.1 mm.
const MARGIN_DEGREES: f64 = 1e-9;

/// A position on the earth: latitude and longitude in degrees, WGS 84.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    latitude: f64,
    longitude: f64,
}

// Neither coordinate is ever `NaN`.
impl Eq for Position {}

/// The reason why two numbers are not a [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPosition {
    /// The latitude is out of range.
    #[error("must have a latitude from -90 to 90")]
    Latitude,
    /// The longitude is out of range.
    #[error("must have a longitude from -180 to 180")]
    Longitude,
}

impl Position {
    /// The position with a latitude from -90 to 90 and a longitude from -180 to 180, in degrees.
    ///
    /// # Errors
    ///
    /// [`InvalidPosition`], naming the coordinate that is out of its range.
    ///
    /// ```
    /// use events_calendar_domain::geo::{InvalidPosition, Position};
    /// assert_eq!(Position::new(48.8584, 2.2945)?.latitude(), 48.8584);
    /// assert_eq!(Position::new(91.0, 0.0), Err(InvalidPosition::Latitude));
    /// assert_eq!(Position::new(0.0, f64::NAN), Err(InvalidPosition::Longitude));
    /// # Ok::<(), InvalidPosition>(())
    /// ```
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, InvalidPosition> {
        if !(-90.0..=90.0).contains(&latitude) {
            return Err(InvalidPosition::Latitude);
        }
        if !(-180.0..=180.0).contains(&longitude) {
            return Err(InvalidPosition::Longitude);
        }
        Ok(Self {
            latitude,
            longitude,
        })
    }

    /// Degrees north of the equator.
    ///
    /// ```
    /// # use events_calendar_domain::geo::Position;
    /// assert_eq!(Position::new(-33.9, 18.4)?.latitude(), -33.9);
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east of Greenwich.
    ///
    /// ```
    /// # use events_calendar_domain::geo::Position;
    /// assert_eq!(Position::new(-33.9, 18.4)?.longitude(), 18.4);
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn longitude(self) -> f64 {
        self.longitude
    }

    /// The unit vector from the centre of the earth to the position. Its axes point to the equator
    /// at Greenwich, to the equator at 90° east, and to the north pole.
    ///
    /// Stores keep it beside the coordinates. Distances are then compared with sums and products
    /// alone, which every store computes to the same number.
    ///
    /// ```
    /// # use events_calendar_domain::geo::Position;
    /// let [x, y, z] = Position::new(90.0, 0.0)?.direction();
    /// assert!(x.abs() < 1e-15 && y == 0.0 && z == 1.0);
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn direction(self) -> [f64; 3] {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        [
            latitude.cos() * longitude.cos(),
            latitude.cos() * longitude.sin(),
            latitude.sin(),
        ]
    }

    /// The great-circle distance to another position, in kilometres.
    ///
    /// ```
    /// # use events_calendar_domain::geo::Position;
    /// let (paris, london) = (Position::new(48.8566, 2.3522)?, Position::new(51.5074, -0.1278)?);
    /// assert!((paris.distance_km(london) - 343.6).abs() < 0.1);
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn distance_km(self, other: Self) -> f64 {
        let half_chord = squared_chord(self.direction(), other.direction()).sqrt() / 2.0;
        2.0 * EARTH_RADIUS_KM * half_chord.min(1.0).asin()
    }
}

/// The square of the chord between two directions. Unlike the cosine of their angle, it is precise
/// for close positions.
fn squared_chord(here: [f64; 3], there: [f64; 3]) -> f64 {
    let [x, y, z] = [here[0] - there[0], here[1] - there[1], here[2] - there[2]];
    x * x + y * y + z * z
}

/// All positions within a radius of a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    center: Position,
    radius_km: f64,
}

// The radius is never `NaN`.
impl Eq for Circle {}

/// The reason why a number is not the radius of a [`Circle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be more than 0 and at most 20000")]
pub struct InvalidRadius;

/// A box between two latitudes and two longitudes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The southern and the northern border, in degrees.
    pub latitudes: (f64, f64),
    /// The western and the eastern border, in degrees; the western one is greater if the date line
    /// lies between them. None around a pole: every longitude.
    pub longitudes: Option<(f64, f64)>,
}

impl Circle {
    /// Greatest radius accepted, in kilometres; the antipodes are 20,015 km away.
    pub const MAX_RADIUS_KM: i32 = 20_000;

    /// The circle with radius `radius_km` around `center`.
    ///
    /// # Errors
    ///
    /// [`InvalidRadius`] unless the radius is more than 0 and at most [`Self::MAX_RADIUS_KM`].
    ///
    /// ```
    /// use events_calendar_domain::geo::{Circle, InvalidRadius, Position};
    /// let paris = Position::new(48.8566, 2.3522)?;
    /// assert!(Circle::new(paris, Circle::MAX_RADIUS_KM.into()).is_ok());
    /// assert_eq!(Circle::new(paris, 0.0), Err(InvalidRadius));
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn new(center: Position, radius_km: f64) -> Result<Self, InvalidRadius> {
        if radius_km > 0.0 && radius_km <= f64::from(Self::MAX_RADIUS_KM) {
            Ok(Self { center, radius_km })
        } else {
            Err(InvalidRadius)
        }
    }

    /// The centre.
    ///
    /// ```
    /// # use events_calendar_domain::geo::{Circle, Position};
    /// # let paris = Position::new(48.8566, 2.3522)?;
    /// assert_eq!(Circle::new(paris, 25.0).unwrap().center(), paris);
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn center(&self) -> Position {
        self.center
    }

    /// The squared chord of the radius: the greatest one between the [`Position::direction`] of the
    /// centre and that of a position within the circle.
    ///
    /// ```
    /// # use events_calendar_domain::geo::{Circle, Position};
    /// let quarter = Circle::new(Position::new(90.0, 0.0)?, 10_007.557).unwrap();
    /// assert!((quarter.max_squared_chord() - 2.0).abs() < 1e-6);
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn max_squared_chord(&self) -> f64 {
        let half_chord = (self.radius_km / EARTH_RADIUS_KM / 2.0).sin();
        4.0 * half_chord * half_chord
    }

    /// Whether a position is within the circle.
    ///
    /// ```
    /// # use events_calendar_domain::geo::{Circle, Position};
    /// let fiji = Circle::new(Position::new(-17.0, 179.9)?, 25.0).unwrap();
    /// assert!(fiji.holds(Position::new(-17.0, -179.9)?));
    /// assert!(!fiji.holds(Position::new(-17.0, 179.5)?));
    /// # Ok::<(), events_calendar_domain::geo::InvalidPosition>(())
    /// ```
    pub fn holds(&self, place: Position) -> bool {
        squared_chord(place.direction(), self.center.direction()) <= self.max_squared_chord()
    }

    /// A box of coordinates that contains the circle. It is tight unless a pole is near.
    ///
    /// ```
    /// # use events_calendar_domain::geo::{Circle, Position};
    /// let around = |latitude, longitude| {
    ///     Circle::new(Position::new(latitude, longitude).unwrap(), 111.2).unwrap().bounds()
    /// };
    /// let (west, east) = around(0.0, 179.9).longitudes.unwrap();
    /// assert!((178.8..179.0).contains(&west) && (-179.2..-179.0).contains(&east));
    /// assert_eq!(around(89.5, 0.0).longitudes, None);
    /// ```
    pub fn bounds(&self) -> Bounds {
        let angle = self.radius_km / EARTH_RADIUS_KM;
        let Position {
            latitude,
            longitude,
        } = self.center;
        let reach = angle.to_degrees() + MARGIN_DEGREES;
        let latitudes = (latitude - reach, latitude + reach);
        let longitudes = if latitudes.0 <= -90.0 || latitudes.1 >= 90.0 {
            None
        } else {
            // The meridian that touches the circle does so at a higher latitude than the centre's.
            let sideways = (angle.sin() / latitude.to_radians().cos()).min(1.0).asin();
            let sideways = sideways.to_degrees() + MARGIN_DEGREES;
            let (west, east) = (longitude - sideways, longitude + sideways);
            Some((
                if west < -180.0 { west + 360.0 } else { west },
                if east > 180.0 { east - 360.0 } else { east },
            ))
        };
        Bounds {
            latitudes,
            longitudes,
        }
    }
}

impl Bounds {
    /// The ranges of longitude from west to east, none of which crosses the date line; empty if
    /// every longitude is within.
    ///
    /// ```
    /// use events_calendar_domain::geo::Bounds;
    /// let bounds = Bounds { latitudes: (-1.0, 1.0), longitudes: Some((179.0, -179.0)) };
    /// assert_eq!(bounds.stretches(), [(179.0, 180.0), (-180.0, -179.0)]);
    /// ```
    pub fn stretches(&self) -> Vec<(f64, f64)> {
        match self.longitudes {
            None => Vec::new(),
            Some((west, east)) if west <= east => vec![(west, east)],
            Some((west, east)) => vec![(west, 180.0), (-180.0, east)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(latitude: f64, longitude: f64) -> Position {
        Position::new(latitude, longitude).unwrap()
    }

    /// The haversine formula.
    fn haversine_km(a: Position, b: Position) -> f64 {
        let (phi1, phi2) = (a.latitude.to_radians(), b.latitude.to_radians());
        let phi = (phi2 - phi1) / 2.0;
        let lambda = (b.longitude - a.longitude).to_radians() / 2.0;
        let h = phi.sin().powi(2) + phi1.cos() * phi2.cos() * lambda.sin().powi(2);
        2.0 * EARTH_RADIUS_KM * h.sqrt().min(1.0).asin()
    }

    fn within(bounds: &Bounds, place: Position) -> bool {
        let (south, north) = bounds.latitudes;
        let stretches = bounds.stretches();
        (south..=north).contains(&place.latitude)
            && (stretches.is_empty()
                || stretches
                    .iter()
                    .any(|(west, east)| (*west..=*east).contains(&place.longitude)))
    }

    #[test]
    fn known_distances() {
        for (a, b, km) in [
            (place(0.0, 0.0), place(0.0, 0.0), 0.0),
            (place(0.0, 0.0), place(0.0, 1.0), 111.195),
            (place(0.0, 179.9), place(0.0, -179.9), 22.239),
            (place(12.0, 180.0), place(12.0, -180.0), 0.0),
            (place(90.0, 17.0), place(90.0, -120.0), 0.0),
            (place(89.9, 0.0), place(89.9, 180.0), 22.239),
            (place(90.0, 0.0), place(-90.0, 0.0), 20_015.115),
            (place(40.6413, -73.7781), place(51.47, -0.4543), 5_540.019),
        ] {
            let distance = a.distance_km(b);
            assert!((distance - km).abs() < 0.1, "{a:?} {b:?}: {distance}");
        }
        // Positions 1 m apart are distinguished from positions 2 m apart.
        let (here, there) = (place(45.0, 5.0), place(45.000_009, 5.0));
        assert!(Circle::new(here, 0.002).unwrap().holds(there));
        assert!(!Circle::new(here, 0.001).unwrap().holds(there));
    }

    #[test]
    fn radii_have_a_range() {
        let here = place(0.0, 0.0);
        for radius in [0.0, -1.0, 20_000.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Circle::new(here, radius), Err(InvalidRadius), "{radius}");
        }
        assert!(Circle::new(here, 20_000.0).is_ok());
    }

    fn places() -> impl Strategy<Value = Position> {
        let latitude = prop_oneof![
            -90.0..=90.0_f64,
            prop::sample::select(vec![-90.0, -89.99, 0.0, 89.9, 90.0]),
        ];
        let longitude = prop_oneof![
            -180.0..=180.0_f64,
            prop::sample::select(vec![-180.0, -179.95, 0.0, 179.9, 180.0]),
        ];
        (latitude, longitude).prop_map(|(latitude, longitude)| place(latitude, longitude))
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_textbook(a in places(), b in places()) {
            let (distance, textbook) = (a.distance_km(b), haversine_km(a, b));
            // Near the antipodes both formulas lose some digits.
            prop_assert!((distance - textbook).abs() < 0.001, "{distance} {textbook}");
        }

        #[test]
        fn a_circle_holds_what_is_near(a in places(), b in places(), radius in 0.001..20_000.0_f64) {
            let distance = a.distance_km(b);
            prop_assume!((distance - radius).abs() > 0.001);
            let circle = Circle::new(a, radius).unwrap();
            prop_assert_eq!(circle.holds(b), distance < radius);
        }

        #[test]
        fn bounds_hold_the_circle(a in places(), bearing in 0.0..std::f64::consts::TAU, radius in 0.001..20_000.0_f64) {
            let circle = Circle::new(a, radius).unwrap();
            // A position just within the circle, in some direction.
            let angle = radius * 0.999_999 / EARTH_RADIUS_KM;
            let phi1 = a.latitude.to_radians();
            let phi2 = (phi1.sin() * angle.cos() + phi1.cos() * angle.sin() * bearing.cos()).clamp(-1.0, 1.0).asin();
            let lambda = (bearing.sin() * angle.sin() * phi1.cos()).atan2(angle.cos() - phi1.sin() * phi2.sin());
            let longitude = (a.longitude + lambda.to_degrees() + 540.0).rem_euclid(360.0) - 180.0;
            let b = place(phi2.to_degrees().clamp(-90.0, 90.0), longitude.clamp(-180.0, 180.0));
            prop_assert!(!circle.holds(b) || within(&circle.bounds(), b), "{b:?} {:?}", circle.bounds());
        }
    }
}
