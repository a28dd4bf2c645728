//! The languages of the calendar's texts.

named_enum! {
    /// A language of stored and displayed texts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Language, code {
        /// Arabic, `ar`, written from right to left.
        Arabic = "ar",
        /// English, `en`.
        #[default]
        English = "en",
        /// French, `fr`.
        French = "fr",
    }
}
