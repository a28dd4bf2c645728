//! A change of an optional value.

/// The change that a write makes to an optional field.
///
/// ```
/// use events_calendar_app::write::Change;
///
/// let mut city = Some("Lyon");
/// Change::Keep.apply(&mut city);
/// assert_eq!(city, Some("Lyon"));
/// Change::Set("Vienne").apply(&mut city);
/// assert_eq!(city, Some("Vienne"));
/// Change::Clear.apply(&mut city);
/// assert_eq!(city, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The value stays.
    #[default]
    Keep,
    /// The value is removed.
    Clear,
    /// The value is replaced.
    Set(T),
}

impl<T> Change<T> {
    /// Applies the change to a value.
    pub fn apply(self, value: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *value = None,
            Self::Set(new) => *value = Some(new),
        }
    }

    /// Takes out the value that the record shows; `is_none` says that it shows none.
    pub fn drop_shown(&mut self, is_shown: impl FnOnce(&T) -> bool, is_none: bool) {
        let is_shown = match self {
            Self::Keep => false,
            Self::Clear => is_none,
            Self::Set(sent) => is_shown(sent),
        };
        if is_shown {
            *self = Self::Keep;
        }
    }

    /// Whether a stored value equals the value that was sent, if one was sent.
    pub fn fits(&self, value: Option<&T>) -> bool
    where
        T: PartialEq,
    {
        match self {
            Self::Set(sent) => value == Some(sent),
            Self::Keep | Self::Clear => true,
        }
    }
}
