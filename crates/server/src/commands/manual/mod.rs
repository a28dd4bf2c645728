//! `manual`: writes man pages and completions.

use std::{fs, path::Path};

use anyhow::Context;

use crate::cli;

/// Writes the man pages and completions below a folder such as `/usr/local`.
///
/// # Errors
///
/// If a file cannot be written.
pub(crate) fn run(folder: &Path) -> anyhow::Result<()> {
    for (path, content) in cli::manual()? {
        let path = folder.join(path);
        let written = match path.parent() {
            Some(above) => fs::create_dir_all(above),
            None => Ok(()),
        };
        written
            .and_then(|()| fs::write(&path, content))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
