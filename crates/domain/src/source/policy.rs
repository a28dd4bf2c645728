//! The effect of an import on records that it brought before.

named_enum! {
    /// The fields of a known record that an import changes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum UpdatePolicy, name {
        /// All that are sent.
        #[default]
        Overwrite = "overwrite",
        /// Fields that nobody changed in this calendar.
        KeepLocal = "keep-local",
        /// None.
        Keep = "keep",
        /// The fields that are empty in this calendar.
        FillBlanks = "fill-blanks",
    }
}
