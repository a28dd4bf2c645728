//! The password of a user.

use std::str::FromStr;

use crate::Secret;

/// The most common passwords of at least 8 characters, one a line, in lower case and sorted: the first 3,000 of the
/// list of `zxcvbn` (MIT licence, Copyright (c) 2016 Joshua Holmer; collected by Dropbox, Inc.).
const COMMON: &str = include_str!("common_passwords.txt");

/// A password that a user may choose: 8 to 128 characters, none of the most common ones, and not the name of the
/// service. Every character counts, blanks too.
///
/// ```
/// use events_calendar_domain::{NewPassword, RefusedPassword};
///
/// assert_eq!("correct horse".parse::<NewPassword>().unwrap().expose(), "correct horse");
/// assert_eq!((NewPassword::MIN, NewPassword::MAX), (8, 128));
/// assert_eq!("1234567".parse::<NewPassword>(), Err(RefusedPassword::TooShort));
/// assert_eq!("x".repeat(129).parse::<NewPassword>(), Err(RefusedPassword::TooLong));
/// assert_eq!("Iloveyou1".parse::<NewPassword>(), Err(RefusedPassword::Common));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPassword(Secret);

impl NewPassword {
    /// The smallest number of characters.
    pub const MIN: usize = 8;
    /// The largest number of characters.
    pub const MAX: usize = 128;

    /// The text, to be hashed.
    ///
    /// ```
    /// # use events_calendar_domain::NewPassword;
    /// assert_eq!("a long sentence".parse::<NewPassword>().unwrap().expose().len(), 15);
    /// ```
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

/// Error: the text is no [`NewPassword`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusedPassword {
    /// It has fewer than 8 characters.
    #[error("a password has at least {} characters", NewPassword::MIN)]
    TooShort,
    /// It has more than 128 characters.
    #[error("a password has at most {} characters", NewPassword::MAX)]
    TooLong,
    /// It is among the first that an attacker tries.
    #[error("the password is one of the most common")]
    Common,
}

impl FromStr for NewPassword {
    type Err = RefusedPassword;

    fn from_str(text: &str) -> Result<Self, RefusedPassword> {
        let characters = text.chars().count();
        if characters < Self::MIN {
            Err(RefusedPassword::TooShort)
        } else if characters > Self::MAX {
            Err(RefusedPassword::TooLong)
        } else if is_common(&text.to_lowercase()) {
            Err(RefusedPassword::Common)
        } else {
            Ok(Self(Secret::new(text.to_owned())))
        }
    }
}

/// Whether a password in lower case is common, or one character repeated.
fn is_common(password: &str) -> bool {
    let mut characters = password.chars();
    let first = characters.next();
    characters.all(|one| Some(one) == first)
        || COMMON.lines().any(|one| one == password)
        || password.contains("events-calendar")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_3000_common_passwords() {
        let all: Vec<_> = COMMON.lines().collect();
        assert_eq!(all.len(), 3000);
        assert!(all.is_sorted());
        assert!(all.iter().all(|one| one.to_lowercase() == *one));
        assert!(
            all.iter()
                .all(|one| one.parse::<NewPassword>() == Err(RefusedPassword::Common))
        );
    }

    #[test]
    fn lengths_count_characters() {
        assert!("كلمة سر طويلة".parse::<NewPassword>().is_ok());
        assert!("é".repeat(128).parse::<NewPassword>().is_err());
        let long: String = ('a'..='z').cycle().take(128).collect();
        assert!(long.parse::<NewPassword>().is_ok());
        assert!(" ".repeat(9).parse::<NewPassword>().is_err());
        assert!("my Events-Calendar".parse::<NewPassword>().is_err());
    }
}
