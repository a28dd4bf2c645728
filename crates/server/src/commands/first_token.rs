//! The token of the first administrator, which is shown once.

use std::{
    fs::File,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use app::auth::{AccountError, Accounts};

use crate::output;

/// Name of the file for the token if there is no terminal.
pub(crate) const FILE_NAME: &str = "events-calendar.token";

/// Time that another server may take from creating the file, or the administrator, to the token.
const CREATION_TIMEOUT: Duration = Duration::from_secs(1);

/// Interval of checks for the token of another server.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Creates the first administrator if there is no user, and passes the token to `show`. Returns
/// whether it did. If `show` fails, the token is revoked.
///
/// # Errors
///
/// If the database does not answer, or if the token cannot be shown; the error says how to create
/// another.
pub(crate) async fn create(
    accounts: &Accounts,
    show: impl FnOnce(&str) -> io::Result<()>,
) -> anyhow::Result<bool> {
    let Some(token) = accounts.ensure_administrator().await? else {
        return Ok(false);
    };
    if let Err(error) = show(token.text.expose()) {
        accounts.revoke_token(token.token.id).await?;
        return Err(error).context(
            "cannot show the token of the administrator `admin`; create another with \
             `events-calendar token create --user admin --name first`",
        );
    }
    Ok(true)
}

/// Creates the first administrator if there is no user, with the token in a new file that only its
/// owner can read. Returns whether it did. Without the file, no administrator is created.
///
/// # Errors
///
/// As [`create`], or if the file cannot be created.
pub(crate) async fn create_in_file(accounts: &Accounts, path: &Path) -> anyhow::Result<bool> {
    if !accounts.users().await?.is_empty() {
        return Ok(false);
    }
    let Some(mut file) = TokenFile::reserve(accounts, path).await? else {
        return Ok(false);
    };
    create(accounts, |text| file.write(text)).await
}

/// Whether no user has a token. Waits for another server that may be creating the first one.
///
/// # Errors
///
/// If the database does not answer.
pub(crate) async fn none_exists(accounts: &Accounts) -> Result<bool, AccountError> {
    if !accounts.tokens(None).await?.is_empty() {
        return Ok(false);
    }
    tokio::time::sleep(CREATION_TIMEOUT).await;
    Ok(accounts.tokens(None).await?.is_empty())
}

/// A file that is removed unless a token was written into it.
struct TokenFile {
    path: PathBuf,
    file: File,
    is_written: bool,
}

impl TokenFile {
    /// Creates the file; none if another server created it and the administrator.
    async fn reserve(accounts: &Accounts, path: &Path) -> anyhow::Result<Option<Self>> {
        let refused = || {
            format!(
                "cannot write the token of the first administrator into {}",
                path.display()
            )
        };
        match Self::create(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            file => return file.map(Some).with_context(refused),
        }
        // An empty file belongs to a server that is starting, or was killed while it started.
        let started = tokio::time::Instant::now();
        while is_empty_file(path) && started.elapsed() < CREATION_TIMEOUT {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        if !accounts.users().await?.is_empty() {
            return Ok(None);
        }
        if is_empty_file(path) {
            std::fs::remove_file(path).with_context(refused)?;
            return Self::create(path).map(Some).with_context(refused);
        }
        bail!(
            "{}: it exists, and may hold the token of another database: move it away",
            refused()
        );
    }

    fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            file: output::create_private(path)?,
            is_written: false,
        })
    }

    fn write(&mut self, token: &str) -> io::Result<()> {
        writeln!(self.file, "{token}")?;
        self.file.sync_all()?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        if !self.is_written
            && let Err(error) = std::fs::remove_file(&self.path)
        {
            tracing::warn!(%error, file = %self.path.display(), "cannot remove an empty file");
        }
    }
}

fn is_empty_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == 0)
}

#[cfg(test)]
mod tests;
