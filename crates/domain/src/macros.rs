//! Macros for enums with names and for values that wrap a checked text.

/// Declares an enum with named variants: `ALL`, the method that returns the name, `Display` and
/// `FromStr`.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $type:ident, $name:ident {
            $(#[$first_meta:meta])*
            $first:ident = $first_text:literal,
            $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)*
        }
    ) => {
        $(#[$meta])*
        pub enum $type {
            $(#[$first_meta])*
            $first,
            $($(#[$variant_meta])* $variant,)*
        }

        impl $type {
            /// Every value, in the order of declaration.
            pub const ALL: [Self; [$first_text, $($text),*].len()] =
                [Self::$first, $(Self::$variant),*];

            #[doc = concat!("The ", stringify!($name), " of every value, in the same order.")]
            pub const NAMES: [&'static str; Self::ALL.len()] = [$first_text, $($text),*];

            #[doc = concat!("The ", stringify!($name), " of the value; `FromStr` reads it, in this letter case.")]
            ///
            /// ```
            /// use events_calendar_domain::{*, audit::*, duplicate::*, event::*, image::*, recurrence::{Frequency, MissingDay, Part}, policy::{Collection, SyncAction}, site::{SiteSetting, WeekStart}, source::*, term::TermSort};
            #[doc = concat!("assert_eq!(", stringify!($type), "::", stringify!($first), ".", stringify!($name), "(), \"", $first_text, "\");")]
            #[doc = concat!("assert_eq!(\"", $first_text, "\".parse(), Ok(", stringify!($type), "::", stringify!($first), "));")]
            #[doc = concat!("assert!(\"other\".parse::<", stringify!($type), ">().is_err());")]
            /// ```
            pub const fn $name(self) -> &'static str {
                match self {
                    Self::$first => $first_text,
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.$name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, $crate::UnknownName> {
                let mut all = Self::ALL.into_iter();
                all.find(|one| one.$name() == text).ok_or($crate::UnknownName)
            }
        }
    };
}

/// Implements `as_str`, `AsRef<str>` and `Display` for a value that wraps a text.
macro_rules! text_value {
    ($type:ident, $example:expr => $text:literal) => {
        impl $type {
            /// The text.
            ///
            /// ```
            #[doc = concat!("assert_eq!(", stringify!($example), ".as_str(), ", stringify!($text), ");")]
            /// ```
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}
