//! Mechanisms that a benchmark leaves out, to measure what each of them saves.

/// A mechanism that the store works without, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mechanism {
    RecordCache,
    ReadPool,
    AuditTrail,
    #[cfg(feature = "sqlite")]
    GroupCommit,
    #[cfg(feature = "sqlite")]
    NameCache,
    #[cfg(feature = "sqlite")]
    DeferredStatements,
}

impl Mechanism {
    /// Whether the benchmark leaves the mechanism out. Only a build with the feature `ablation` can.
    #[cfg(feature = "ablation")]
    pub(crate) fn is_left_out(self) -> bool {
        use std::sync::LazyLock;

        /// Names of mechanisms, separated by commas.
        static WITHOUT: LazyLock<String> =
            LazyLock::new(|| std::env::var("EVENTS_CALENDAR_ABLATION").unwrap_or_default());

        let name = match self {
            Self::RecordCache => "record-cache",
            Self::ReadPool => "read-pool",
            Self::AuditTrail => "audit-trail",
            #[cfg(feature = "sqlite")]
            Self::GroupCommit => "group-commit",
            #[cfg(feature = "sqlite")]
            Self::NameCache => "name-cache",
            #[cfg(feature = "sqlite")]
            Self::DeferredStatements => "deferred-statements",
        };
        WITHOUT.split(',').any(|without| without == name)
    }

    /// Whether the benchmark leaves the mechanism out.
    #[cfg(not(feature = "ablation"))]
    #[expect(clippy::unused_self, reason = "the feature `ablation` reads it")]
    pub(crate) const fn is_left_out(self) -> bool {
        false
    }
}
