//! The token of the first administrator, which is shown once.

use std::{
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use app::auth::{AccountError, Accounts};

/// Name of the file for a token that there is no terminal to show on.
pub(crate) const FILE_NAME: &str = "events-calendar.token";

/// How long another server may take from making the file, or the administrator, to the token.
const OTHERS_TIME: Duration = Duration::from_secs(1);

/// How often to look for what another server does.
const LOOK: Duration = Duration::from_millis(50);

/// Makes the first administrator if there is no user, and hands the token to `show`. A token that
/// was not shown is revoked.
///
/// # Errors
///
/// If the database does not answer, or if the token cannot be shown; the error says how to make
/// another.
pub(crate) async fn make(
    accounts: &Accounts,
    show: impl FnOnce(&str) -> io::Result<()>,
) -> anyhow::Result<bool> {
    let Some(token) = accounts.ensure_administrator().await? else {
        return Ok(false);
    };
    if let Err(error) = show(&token.text) {
        accounts.revoke_token(token.token.id).await?;
        return Err(error).context(
            "cannot show the token of the administrator `admin`; make another with \
             `events-calendar token create --user admin --name first`",
        );
    }
    Ok(true)
}

/// Makes the first administrator if there is no user, with the token in a new file that only its
/// owner reads; tells whether it did. Nobody is made unless the file was made before.
///
/// # Errors
///
/// As for [`make`], or if the file cannot be made.
pub(crate) async fn make_in_file(accounts: &Accounts, path: &Path) -> anyhow::Result<bool> {
    if !accounts.users().await?.is_empty() {
        return Ok(false);
    }
    let Some(mut file) = TokenFile::reserve(accounts, path).await? else {
        return Ok(false);
    };
    make(accounts, |text| file.write(text)).await
}

/// Whether nobody has a token, also after another server that starts at this moment had the time to make
/// the first one.
///
/// # Errors
///
/// If the database does not answer.
pub(crate) async fn nobody_has_one(accounts: &Accounts) -> Result<bool, AccountError> {
    if !accounts.tokens(None).await?.is_empty() {
        return Ok(false);
    }
    tokio::time::sleep(OTHERS_TIME).await;
    Ok(accounts.tokens(None).await?.is_empty())
}

/// A file that is removed unless a token was written into it.
struct TokenFile {
    path: PathBuf,
    file: File,
    written: bool,
}

impl TokenFile {
    /// Makes the file; none if another server made it and the administrator.
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
        // An empty one is of a server that starts at this moment, or of one that was killed then.
        let started = tokio::time::Instant::now();
        while is_empty_file(path) && started.elapsed() < OTHERS_TIME {
            tokio::time::sleep(LOOK).await;
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
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            written: false,
        })
    }

    fn write(&mut self, token: &str) -> io::Result<()> {
        writeln!(self.file, "{token}")?;
        self.file.sync_all()?;
        self.written = true;
        Ok(())
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        if !self.written
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
