//! The change of a value that may be absent.

/// The change that a request makes to a field that can be emptied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldChange<T> {
    /// It was not sent: the value stays.
    #[default]
    Unchanged,
    /// It was sent empty: the value goes.
    Clear,
    /// It was sent.
    Set(T),
}

impl<T> FieldChange<T> {
    /// Applies the change to a value.
    pub fn apply(self, value: &mut Option<T>) {
        match self {
            Self::Unchanged => {}
            Self::Clear => *value = None,
            Self::Set(new) => *value = Some(new),
        }
    }

    /// Whether a stored value equals the value that was sent, if one was sent.
    pub fn fits(&self, value: Option<&T>) -> bool
    where
        T: PartialEq,
    {
        match self {
            Self::Set(sent) => value == Some(sent),
            Self::Unchanged | Self::Clear => true,
        }
    }
}
