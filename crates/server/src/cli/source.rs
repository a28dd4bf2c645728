//! The command line of sources.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::{
    Status,
    source::{Every, Source, SourceFormat, SourceName, SourceUrl, UpdatePolicy},
    text::Title,
};
use interchange::source::Fate;

use super::named;

/// A command about sources.
#[derive(Subcommand)]
pub(crate) enum SourceCommand {
    /// Add a source, which `serve` reads from then on
    Add(Box<SourceAddArgs>),
    /// Show sources, without path and query of their addresses
    List,
    /// Show all about a source, with its last report
    Show {
        /// Name of the source
        name: String,
    },
    /// Read a source now, also one that is paused
    Run {
        /// Name of the source
        name: String,
    },
    /// Pause a source
    Pause {
        /// Name of the source
        name: String,
    },
    /// Let a paused source be read again
    Resume {
        /// Name of the source
        name: String,
    },
    /// Remove a source
    Remove {
        /// Name of the source
        name: String,
        /// Fate of its events
        #[arg(long, value_name = "FATE", value_parser = named::<Fate>(Fate::ALL.map(Fate::name)))]
        events: Fate,
    },
}

/// A new source.
#[derive(Args)]
pub(crate) struct SourceAddArgs {
    /// Address of the calendar
    #[arg(value_name = "URL")]
    pub(crate) url: SourceUrl,
    /// Name of the source, which does not change; an import from a source of this name is continued
    #[arg(long, value_name = "NAME")]
    pub(crate) name: SourceName,
    /// Time between two runs, from 5m to 7d [default: 1h]
    #[arg(long, value_name = "TIME")]
    pub(crate) every: Option<Every>,
    /// Form: a calendar file, a table, or a site of The Events Calendar [default: ics]
    #[arg(long, value_name = "FORM", value_parser = named::<SourceFormat>(SourceFormat::NAMES))]
    pub(crate) format: Option<SourceFormat>,
    /// Author of its events, whose rights count: name or e-mail address [default: the first administrator]
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Status of new events [default: publish]
    #[arg(long, value_name = "STATUS", value_parser = named::<Status>(Source::STATUSES.map(Status::name)))]
    pub(crate) status: Option<Status>,
    /// Name of a category of all its events
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<Title>,
    /// Fields of known events that change: those that nobody changed here, all, none, or those that are empty [default: keep-local]
    #[arg(long, value_parser = named::<UpdatePolicy>(UpdatePolicy::NAMES))]
    pub(crate) policy: Option<UpdatePolicy>,
    /// Put events into the trash that have not ended and that the source has no longer
    #[arg(long)]
    pub(crate) prune: bool,
    /// File with headers of the requests, one `Name: value` a line, which `serve` reads at each run
    #[arg(long, value_name = "FILE")]
    pub(crate) header_file: Option<PathBuf>,
}
