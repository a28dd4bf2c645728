//! The occurrences that a write concerns.

/// The occurrences that a write on one of them changes.
///
/// ```
/// use domain::event::Scope;
///
/// assert_eq!(Scope::ALL.map(Scope::name), ["this", "following", "all"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The one alone.
    This,
    /// It and all later slots.
    Following,
    /// All.
    All,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 3] = [Self::This, Self::Following, Self::All];

    /// The value of the field `scope`.
    pub fn name(self) -> &'static str {
        match self {
            Self::This => "this",
            Self::Following => "following",
            Self::All => "all",
        }
    }
}
