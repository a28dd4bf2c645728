//! The command line of `mirror`.

use std::path::PathBuf;

use clap::Args;

/// The other calendar of a copy.
#[derive(Args)]
pub(crate) struct MirrorArgs {
    /// Address of the other calendar, such as `https://cal.example`
    pub(crate) url: String,
    /// File with a token, whose user sees more than the public records
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Copy the present records, and end
    #[arg(long)]
    pub(crate) once: bool,
}
