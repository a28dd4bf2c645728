//! The occurrences that a write concerns.

named_enum! {
    /// The occurrences that a write on one of them changes, with the value of the field `scope`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scope, name {
        /// The one alone.
        This = "this",
        /// It and all later slots.
        Following = "following",
        /// All.
        All = "all",
    }
}
