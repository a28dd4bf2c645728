//! Who works with the calendar.

use std::fmt;

/// A person or program that may log in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name to log in with, compared without regard to case.
    pub name: String,
    /// Another name to log in with.
    pub email: Option<String>,
    /// What the user may do.
    pub role: Role,
    /// A disabled user cannot log in.
    pub disabled: bool,
}

/// What a user may do, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Reads what everybody reads.
    Subscriber,
    /// Writes drafts that an editor publishes.
    Contributor,
    /// Publishes and changes own records.
    Author,
    /// Changes everybody's records.
    Editor,
    /// As an editor, and runs the service.
    Administrator,
}

impl Role {
    /// Every role, from least to most.
    pub const ALL: [Self; 5] = [
        Self::Subscriber,
        Self::Contributor,
        Self::Author,
        Self::Editor,
        Self::Administrator,
    ];

    /// Its name: `editor`.
    ///
    /// ```
    /// assert_eq!(domain::Role::Editor.name(), "editor");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subscriber => "subscriber",
            Self::Contributor => "contributor",
            Self::Author => "author",
            Self::Editor => "editor",
            Self::Administrator => "administrator",
        }
    }

    /// The role of a name.
    ///
    /// ```
    /// use domain::Role;
    /// assert_eq!(Role::from_name("author"), Some(Role::Author));
    /// assert_eq!(Role::from_name("king"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
