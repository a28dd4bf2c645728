//! The files of the account and the certificate, and the permission of each order.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use app::ports::SystemClock;
use async_trait::async_trait;
use rustls_acme::{AccountCache, CertCache};
use tokio::{sync::Notify, task::spawn_blocking, time::sleep};

use super::{
    authority::Authority,
    folder::{PrivateFolder, file_name},
    orders::{Orders, Permission},
};

/// The time after which an authority that is not reachable, or a disk that fails, is tried again.
pub(super) const RETRY: Duration = Duration::from_mins(1);

/// The account and the certificate. The account is given out when an order may begin, and not before.
#[derive(Clone)]
pub(super) struct Cache {
    inner: Arc<Inner>,
    /// Notified when the order begins.
    begins: Arc<Notify>,
}

struct Inner {
    folder: PrivateFolder,
    orders: Arc<Orders<SystemClock>>,
    authority: Arc<Authority>,
    certificate_file: String,
    account_file: String,
    /// The newest certificate, which a full disk must not lose.
    certificate: Mutex<Option<Vec<u8>>>,
}

impl Cache {
    /// Reads the stored certificate for these names, if there is one.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub(super) fn new(
        folder: PrivateFolder,
        authority: Arc<Authority>,
        domains: &[String],
        contact: &[String],
    ) -> io::Result<Self> {
        let directory = &authority.directory;
        let of = |texts: &[String]| [texts, std::slice::from_ref(directory)].concat();
        let certificate_file = file_name("certificate", &of(domains), ".pem");
        let account_file = file_name("account", &of(contact), ".key");
        folder.read(&account_file)?;
        let inner = Inner {
            certificate: Mutex::new(folder.read(&certificate_file)?),
            orders: Arc::new(Orders::new(folder.clone(), directory, SystemClock)),
            folder,
            authority,
            certificate_file,
            account_file,
        };
        Ok(Self {
            inner: Arc::new(inner),
            begins: Arc::default(),
        })
    }

    /// The same files, for another order.
    pub(super) fn for_order(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            begins: Arc::default(),
        }
    }

    /// Waits until the order begins.
    pub(super) async fn order_begins(&self) {
        self.begins.notified().await;
    }

    /// Waits until the authority is reachable and an order may begin, and records it.
    async fn permission(&self) {
        let Inner {
            authority, orders, ..
        } = &*self.inner;
        loop {
            if let Err(reason) = authority.is_reachable().await {
                tracing::warn!(
                    directory = authority.directory,
                    reason,
                    retry_seconds = RETRY.as_secs(),
                    "cannot order a certificate: the authority is not reachable"
                );
                sleep(RETRY).await;
                continue;
            }
            let orders = Arc::clone(orders);
            let permission = in_background(move || orders.begin()).await;
            match permission {
                Ok(Permission::Granted) => break,
                Ok(Permission::In(left)) => {
                    tracing::info!(
                        minutes = left.as_secs().div_ceil(60),
                        "the next order of a certificate waits: one an hour is allowed"
                    );
                    sleep(left).await;
                }
                Err(error) => {
                    tracing::error!(%error, "cannot store the time of an order");
                    sleep(RETRY).await;
                }
            }
        }
        tracing::info!(directory = authority.directory, "ordering a certificate");
        self.begins.notify_one();
    }

    async fn write(&self, file: &str, content: &[u8]) -> io::Result<()> {
        let (folder, file, content) =
            (self.inner.folder.clone(), file.to_owned(), content.to_vec());
        in_background(move || folder.write(&file, &content)).await
    }
}

/// Runs work on files outside the asynchronous workers.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

#[async_trait]
impl CertCache for Cache {
    type EC = io::Error;

    async fn load_cert(&self, _: &[String], _: &str) -> io::Result<Option<Vec<u8>>> {
        let certificate = &self.inner.certificate;
        let certificate = certificate.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(certificate.clone())
    }

    async fn store_cert(&self, _: &[String], _: &str, pem: &[u8]) -> io::Result<()> {
        {
            let certificate = &self.inner.certificate;
            let mut certificate = certificate.lock().unwrap_or_else(PoisonError::into_inner);
            *certificate = Some(pem.to_vec());
        }
        self.write(&self.inner.certificate_file, pem).await
    }
}

#[async_trait]
impl AccountCache for Cache {
    type EA = io::Error;

    async fn load_account(&self, _: &[String], _: &str) -> io::Result<Option<Vec<u8>>> {
        let (folder, file) = (self.inner.folder.clone(), self.inner.account_file.clone());
        let account = in_background(move || folder.read(&file)).await?;
        self.permission().await;
        Ok(account)
    }

    async fn store_account(&self, _: &[String], _: &str, key: &[u8]) -> io::Result<()> {
        self.write(&self.inner.account_file, key).await
    }
}
