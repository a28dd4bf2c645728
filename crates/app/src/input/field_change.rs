//! What an update does to a value that may be absent.

/// What a request says of a field that can be emptied.
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
    /// Does to `value` what the request says.
    pub fn apply(self, value: &mut Option<T>) {
        match self {
            Self::Unchanged => {}
            Self::Clear => *value = None,
            Self::Set(new) => *value = Some(new),
        }
    }

    /// Whether a value contradicts nothing that was sent.
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
