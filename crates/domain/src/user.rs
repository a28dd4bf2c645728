//! Users, their roles, user names and e-mail addresses.

mod password;

use std::str::FromStr;

pub use password::{NewPassword, RefusedPassword};

/// A person or program that may log in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The login name, compared without regard to letter case.
    pub name: UserName,
    /// An alternative to the name for the login.
    pub email: Option<EmailAddress>,
    /// The role.
    pub role: Role,
    /// A disabled user cannot log in.
    pub disabled: bool,
}

impl User {
    /// The name of the user to whom proposals of visitors belong.
    ///
    /// ```
    /// assert!(events_calendar_domain::User::PROPOSALS.parse::<events_calendar_domain::UserName>().is_ok());
    /// ```
    pub const PROPOSALS: &'static str = "proposals";

    /// Whether nobody may sign in as this user, by password or token: proposals of visitors belong to it.
    ///
    /// ```
    /// use events_calendar_domain::{Role, User};
    /// let user = User { name: "Proposals".parse()?, email: None, role: Role::Contributor, disabled: false };
    /// assert!(user.is_reserved());
    /// # Ok::<(), events_calendar_domain::InvalidUserName>(())
    /// ```
    pub fn is_reserved(&self) -> bool {
        self.name.as_str().eq_ignore_ascii_case(Self::PROPOSALS)
    }

    /// Whether the user is an administrator who is not disabled.
    ///
    /// ```
    /// use events_calendar_domain::{Role, User};
    /// let ada = User { name: "ada".parse()?, email: None, role: Role::Administrator, disabled: false };
    /// assert!(ada.is_active_administrator());
    /// assert!(!User { disabled: true, ..ada }.is_active_administrator());
    /// # Ok::<(), events_calendar_domain::InvalidUserName>(())
    /// ```
    pub fn is_active_administrator(&self) -> bool {
        self.role == Role::Administrator && !self.disabled
    }
}

named_enum! {
    /// The role of a user, from the fewest rights to the most.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Role, name {
        /// Reads public records.
        Subscriber = "subscriber",
        /// Writes drafts that an editor publishes.
        Contributor = "contributor",
        /// Publishes and changes its own records.
        Author = "author",
        /// Changes the records of all users.
        Editor = "editor",
        /// Has an editor's rights, and runs the service.
        Administrator = "administrator",
    }
}

impl User {
    /// The user name and the e-mail address in lower case: the texts that are valid as login.
    ///
    /// ```
    /// # use events_calendar_domain::*;
    /// let user = User { name: "Ann".parse()?, email: None, role: Role::Author, disabled: false };
    /// assert!(user.logins().eq(["ann"]));
    /// # Ok::<(), InvalidUserName>(())
    /// ```
    pub fn logins(&self) -> impl Iterator<Item = String> {
        let email = self.email.as_ref().map(EmailAddress::as_str);
        let logins = std::iter::once(self.name.as_str()).chain(email);
        logins.map(str::to_lowercase)
    }

    /// Whether a text is a login of the user, in any letter case.
    ///
    /// ```
    /// # use events_calendar_domain::*;
    /// let user = User { name: "Ann".parse()?, email: None, role: Role::Author, disabled: false };
    /// assert!(user.has_login("aNN"));
    /// # Ok::<(), InvalidUserName>(())
    /// ```
    pub fn has_login(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.logins().any(|login| login == text)
    }
}

/// The name of a user: 1 to 60 characters without blanks, control characters and colons.
///
/// Basic credentials separate name and password by a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserName(String);

text_value!(UserName, "ann".parse::<events_calendar_domain::UserName>().unwrap() => "ann");

/// Error: the text is not a [`UserName`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a user's name has 1 to 60 characters, without blanks and colons")]
pub struct InvalidUserName;

impl FromStr for UserName {
    type Err = InvalidUserName;

    /// Checks a name.
    ///
    /// ```
    /// use events_calendar_domain::{InvalidUserName, UserName};
    /// assert!("ann@example.org".parse::<UserName>().is_ok());
    /// assert_eq!("ann lee".parse::<UserName>(), Err(InvalidUserName));
    /// ```
    fn from_str(text: &str) -> Result<Self, InvalidUserName> {
        let is_refused = |c: char| c.is_whitespace() || c.is_control() || c == ':';
        if (1..=60).contains(&text.chars().count()) && !text.contains(is_refused) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidUserName)
        }
    }
}

/// An e-mail address as the HTML standard defines it; international domains are allowed.
///
/// Only the feature `email` can check an address. Without it, there is no way to make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress(String);

text_value!(EmailAddress, "ann@example.org".parse::<events_calendar_domain::EmailAddress>().unwrap() => "ann@example.org");

/// Error: the text is not an [`EmailAddress`].
#[cfg(feature = "email")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an e-mail address has the form name@example.org")]
pub struct InvalidEmailAddress;

#[cfg(feature = "email")]
impl FromStr for EmailAddress {
    type Err = InvalidEmailAddress;

    /// Checks an address.
    ///
    /// ```
    /// use events_calendar_domain::{EmailAddress, InvalidEmailAddress};
    /// assert!("ann@bücher.example".parse::<EmailAddress>().is_ok());
    /// assert!("ann@[192.0.2.1]".parse::<EmailAddress>().is_ok());
    /// assert_eq!("ann".parse::<EmailAddress>(), Err(InvalidEmailAddress));
    /// ```
    fn from_str(text: &str) -> Result<Self, InvalidEmailAddress> {
        use validator::ValidateEmail as _;

        match text.rsplit_once('@') {
            Some((_, host)) if text.validate_email() && is_host(host) => Ok(Self(text.to_owned())),
            _ => Err(InvalidEmailAddress),
        }
    }
}

/// Whether a text is a domain, or an IP address in brackets. `validator` 0.21 ignores characters
/// before such an address.
#[cfg(feature = "email")]
fn is_host(text: &str) -> bool {
    let literal = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    match literal {
        Some(address) => address.parse::<std::net::IpAddr>().is_ok(),
        None => url::Host::parse(text).is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "email")]
    #[test]
    fn an_address_has_the_form_of_one() {
        for bad in [
            "",
            "ann",
            "@example.org",
            "ann@",
            "a nn@example.org",
            "a:b@c",
            "ann@b c",
            "ann@-a.example",
            "ann@a..example",
            "ann@[::g]",
            "Ö@example.org",
            "ann@%41.example",
            "a@b@c.example",
            "ann@b c[127.0.0.1]",
            "ann@x\r\nBcc: y[::1]",
            "ann@b［127.0.0.1］",
            "ann@example.999",
            &format!("{}@example.org", "a".repeat(65)),
            &format!("ann@{}", ["a"; 129].join(".")),
        ] {
            assert_eq!(
                bad.parse::<EmailAddress>(),
                Err(InvalidEmailAddress),
                "{bad}"
            );
        }
        for good in ["ann@example.org", "o'x+1@b", "ann@[::1]", "ann@192.0.2.1"] {
            assert!(good.parse::<EmailAddress>().is_ok(), "{good}");
        }
    }

    #[test]
    fn names_have_a_length() {
        assert!("ü".repeat(60).parse::<UserName>().is_ok());
        for bad in ["", "a b", "a:b", "a\tb", &"ü".repeat(61)] {
            assert_eq!(bad.parse::<UserName>(), Err(InvalidUserName), "{bad}");
        }
    }
}
