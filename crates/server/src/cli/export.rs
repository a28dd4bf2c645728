//! The arguments of `export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The parts to export.
#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The file, readable by its owner only, or `-` for standard output
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Form of the export [default: by the suffix of the file; jsonl for standard output]
    #[arg(long)]
    pub(crate) format: Option<ExportFormat>,
    /// Filters of `ics` and `csv`, as in the address of a list: "categories=3&start_date=2027-01-01".
    /// Without dates: events from 90 days ago to 24 months ahead
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) query: String,
    /// Records of `csv`
    #[arg(long, default_value = "events")]
    pub(crate) kind: ExportKind,
    /// Include the hashes of the passwords of events; without it, locked events become drafts
    #[arg(long)]
    pub(crate) secrets: bool,
    /// Include the audit trail, without addresses
    #[arg(long)]
    pub(crate) audit: bool,
    /// Folder for the files of images of an archive, or one archive with the ending .tar [default: FILE.images]
    #[arg(long, value_name = "FOLDER|FILE.tar")]
    pub(crate) images: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    #[arg(skip)]
    pub(crate) purpose: Purpose,
}

impl ExportArgs {
    /// The arguments for a backup: an archive of everything.
    pub(crate) fn whole(file: PathBuf, images: Option<PathBuf>, force: bool) -> Self {
        Self {
            file,
            format: Some(ExportFormat::Jsonl),
            query: String::new(),
            kind: ExportKind::Events,
            secrets: true,
            audit: true,
            images,
            force,
            purpose: Purpose::Backup,
        }
    }
}

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// An archive of everything, which `import` restores
    Jsonl,
    /// iCalendar, as the feed of public events
    Ics,
    /// A table of public records
    Csv,
}

/// The kind of records in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportKind {
    /// Events
    Events,
    /// Venues
    Venues,
    /// Organizers
    Organizers,
}

/// The reason to write files of images, which are in a folder or in one archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A copy for another place: a folder has the files alone.
    #[default]
    Export,
    /// A backup: a folder has links to the files where possible, and a list of their digests.
    Backup,
}
