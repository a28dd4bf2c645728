//! The arguments of `backup`, `restore` and `doctor`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of `backup`.
#[derive(Args)]
pub(crate) struct BackupArgs {
    /// The copy, readable by its owner only
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Copy the files of images, too: into a folder, as hard links where possible, where present files stay; or into
    /// one archive, if the name ends in .tar
    #[arg(long, value_name = "FOLDER|FILE.tar")]
    pub(crate) images: Option<PathBuf>,
    /// Replace the file, and an archive of images, if they exist
    #[arg(long, conflicts_with = "verify")]
    pub(crate) force: bool,
    /// Check a backup instead of making one: it is read as `doctor` reads a calendar, and the images by their digests
    #[arg(long)]
    pub(crate) verify: bool,
}

/// The arguments of `restore`.
#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// The backup: a copy of `backup`, or an archive of `export`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Folder with the files of images of the backup, or their archive with the ending .tar
    #[arg(long, value_name = "FOLDER|FILE.tar")]
    pub(crate) images: Option<PathBuf>,
    /// Replace the database file, which no program may have open
    #[arg(long)]
    pub(crate) force: bool,
}

/// The arguments of `doctor`.
#[derive(Args)]
pub(crate) struct DoctorArgs {
    /// Mend what is derived; what a person wrote is only reported
    #[arg(long)]
    pub(crate) repair: bool,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
}
