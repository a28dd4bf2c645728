//! The command line of `audit`.

use clap::Args;
use domain::audit::AuditedKind;

use super::named;

/// The command line of `audit`.
#[derive(Args)]
pub(crate) struct AuditArgs {
    /// Only writes of records of this kind
    #[arg(long, value_name = "KIND", value_parser = named::<AuditedKind>(AuditedKind::NAMES))]
    pub(crate) kind: Option<AuditedKind>,
    /// Only writes of records with this ID
    #[arg(long, value_name = "ID")]
    pub(crate) record: Option<i64>,
    /// Only writes of this user, by name, e-mail address or ID
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Only writes from this moment on, such as 2030-12-31 or "-7 days", in the time zone of the settings
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub(crate) after: Option<String>,
    /// Only writes before this moment
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub(crate) before: Option<String>,
    /// Most writes to show, the newest first
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
}
