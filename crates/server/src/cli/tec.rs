//! The arguments of `import tec`.

use std::path::PathBuf;

use clap::Args;
use domain::source::UpdatePolicy;

use super::named;

/// The arguments of `import tec`.
#[derive(Args)]
pub(crate) struct TecArgs {
    /// URL of the site, such as `https://old.example`, or of its REST interface
    pub(crate) url: String,
    /// User of the site, who may read drafts, private and scheduled events. Its application password is read from
    /// --password-file, from the variable `EVENTS_CALENDAR_SITE_PASSWORD`, or from the terminal
    #[arg(long, value_name = "USER")]
    pub(crate) login: Option<String>,
    /// File with the password of --login
    #[arg(long, value_name = "FILE", requires = "login")]
    pub(crate) password_file: Option<PathBuf>,
    /// Author of records whose author is not here: name or e-mail address [default: the first administrator]
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// User here of an author there; the author is named by ID, name or e-mail address. May be repeated
    #[arg(long, value_name = "AUTHOR=USER", value_parser = pair)]
    pub(crate) map_author: Vec<(String, String)>,
    /// Fields of known records that change after a change in the site: all, none, or those that are empty here
    #[arg(long, default_value = UpdatePolicy::Overwrite.name(), value_parser = named::<UpdatePolicy>(UpdatePolicy::NAMES))]
    pub(crate) policy: UpdatePolicy,
    /// Make one series of events with the same content at regular dates
    #[arg(long)]
    pub(crate) join_copies: bool,
    /// Put records into the trash that an earlier run brought and that the site does not show any more; not if half of
    /// the coming events are among them, or if a list was not complete
    #[arg(long)]
    pub(crate) prune: bool,
    /// Leave pictures within texts links to the site, instead of moving them
    #[arg(long)]
    pub(crate) keep_image_links: bool,
    /// Write nothing, and show the same report
    #[arg(long)]
    pub(crate) dry_run: bool,
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    let pair = text.split_once('=').ok_or("must be AUTHOR=USER")?;
    Ok((pair.0.trim().to_owned(), pair.1.trim().to_owned()))
}
