//! The colour of a site.

use std::{fmt, str::FromStr};

/// A colour: `#rrggbb`.
///
/// Text of this colour is legible on the light backgrounds of pages: its contrast is at least 4.5, the minimum of level AA
/// in the [Web Content Accessibility Guidelines](https://www.w3.org/TR/WCAG22/#contrast-minimum). The dark scheme uses a
/// lighter shade.
///
/// ```
/// use events_calendar_domain::site::{Colour, InvalidColour};
/// assert!("#0b5d57".parse::<Colour>().is_ok());
/// assert_eq!("teal".parse::<Colour>(), Err(InvalidColour::NoColour));
/// let pale = "#ffd700".parse::<Colour>().unwrap_err();
/// assert_eq!(pale.to_string(), "has a contrast of 1.3 to the background of pages; 4.5 is the minimum");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(Rgb);

/// The reason why a text is not the colour of a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidColour {
    /// It has not the form `#rrggbb`.
    NoColour,
    /// It is too pale for text: its contrast to the background of pages, with one decimal.
    Contrast(f64),
}

impl fmt::Display for InvalidColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColour => f.write_str("is not a colour such as #0b5d57"),
            Self::Contrast(contrast) => write!(
                f,
                "has a contrast of {contrast:.1} to the background of pages; {MIN_CONTRAST} is the minimum"
            ),
        }
    }
}

impl std::error::Error for InvalidColour {}

/// The minimum contrast of text, level AA.
const MIN_CONTRAST: f64 = 4.5;

/// The page in the light scheme: `--card` of the stylesheet.
const LIGHT: Rgb = Rgb([0xff, 0xff, 0xff]);

/// The page in the dark scheme: `--card` of the stylesheet, the lightest of its backgrounds.
const DARK: Rgb = Rgb([0x1c, 0x20, 0x26]);

/// The parts of the colour in a tint, in percent.
const LIGHT_TINT: u16 = 8;
const DARK_TINT: u16 = 20;

impl FromStr for Colour {
    type Err = InvalidColour;

    fn from_str(text: &str) -> Result<Self, InvalidColour> {
        let colour = Rgb::parse(text).ok_or(InvalidColour::NoColour)?;
        let contrast = colour.contrast(colour.over(LIGHT, LIGHT_TINT));
        if contrast < MIN_CONTRAST {
            // Rounded down: 4.49 is not 4.5.
            return Err(InvalidColour::Contrast((contrast * 10.0).floor() / 10.0));
        }
        Ok(Self(colour))
    }
}

impl Colour {
    /// The shades on a light page.
    ///
    /// ```
    /// use events_calendar_domain::site::Colour;
    /// let light = "#0b5d57".parse::<Colour>().unwrap().light();
    /// assert_eq!((&*light.text, &*light.tint), ("#0b5d57", "#ebf2f1"));
    /// ```
    pub fn light(self) -> Shades {
        let Self(colour) = self;
        Shades {
            text: colour.to_string(),
            tint: colour.over(LIGHT, LIGHT_TINT).to_string(),
        }
    }

    /// The shades on a dark page.
    ///
    /// ```
    /// use events_calendar_domain::site::Colour;
    /// let dark = "#0b5d57".parse::<Colour>().unwrap().dark();
    /// assert_eq!(dark.tint, "#182c2f");
    /// assert_ne!(dark.text, "#0b5d57");
    /// ```
    pub fn dark(self) -> Shades {
        let Self(colour) = self;
        let tint = colour.over(DARK, DARK_TINT);
        let shade = (0..=100).map(|part| LIGHT.over(colour, part));
        let mut legible = shade.filter(|shade| {
            [DARK, tint]
                .iter()
                .all(|background| shade.contrast(*background) >= MIN_CONTRAST)
        });
        Shades {
            text: legible.next().unwrap_or(LIGHT).to_string(),
            tint: tint.to_string(),
        }
    }
}

/// `#rrggbb`, in lowercase.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The shades of a [`Colour`] in a scheme, each as `#rrggbb`.
///
/// ```
/// use events_calendar_domain::site::{Colour, Shades};
/// let Shades { text, .. } = "#7A1F3D".parse::<Colour>().unwrap().light();
/// assert_eq!(text, "#7a1f3d");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shades {
    /// The colour of text.
    pub text: String,
    /// A background, on which the text is legible, too.
    pub tint: String,
}

/// Red, green and blue of the colour space sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rgb([u8; 3]);

impl Rgb {
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self([red, green, blue]))
    }

    /// This colour with an opacity in percent, over another one.
    fn over(self, background: Self, percent: u16) -> Self {
        let mixed = |top: u8, bottom: u8| {
            let sum = u16::from(top) * percent + u16::from(bottom) * (100 - percent);
            u8::try_from(sum / 100).unwrap_or(u8::MAX)
        };
        let (Self(top), Self(bottom)) = (self, background);
        Self([0, 1, 2].map(|channel: usize| mixed(top[channel], bottom[channel])))
    }

    /// The ratio of contrast, 1 to 21.
    fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The relative luminance, 0 to 1.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([red, green, blue]) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        let black = Rgb([0, 0, 0]);
        assert!((black.contrast(LIGHT) - 21.0).abs() < 1e-9);
        let grey = Rgb::parse("#767676").unwrap();
        assert!((grey.contrast(LIGHT) - 4.54).abs() < 0.01);
    }

    #[test]
    fn colours_without_form_are_refused() {
        for text in [
            "", "#", "teal", "0b5d57", "#0b5d5", "#0b5d577", "#0b5d5g", "#+b5d57", "#é5d57",
        ] {
            assert_eq!(
                text.parse::<Colour>(),
                Err(InvalidColour::NoColour),
                "{text}"
            );
        }
    }

    #[test]
    fn each_accepted_colour_is_legible_in_both_schemes() {
        let mut accepted = 0;
        for number in (0..0x0100_0000_u32).step_by(4_099) {
            let text = format!("#{number:06x}");
            let Ok(colour) = text.parse::<Colour>() else {
                continue;
            };
            accepted += 1;
            assert_eq!(colour.to_string(), text);
            for (shades, page) in [(colour.light(), LIGHT), (colour.dark(), DARK)] {
                let [text, tint] = [&shades.text, &shades.tint].map(|rgb| Rgb::parse(rgb).unwrap());
                for background in [page, tint] {
                    assert!(text.contrast(background) >= MIN_CONTRAST, "{shades:?}");
                }
            }
        }
        assert!(accepted > 500, "{accepted}");
    }
}
