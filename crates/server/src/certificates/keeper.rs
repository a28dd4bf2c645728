//! Keeps a certificate: orders it, uses it, and renews it after two thirds of its time.

use std::{io, sync::Arc, time::Duration};

use anyhow::Context as _;
use futures_util::StreamExt as _;
use rustls_acme::{AcmeConfig, AcmeState, EventError, EventOk};
use tokio::{pin, sync::watch, task::JoinHandle, time::sleep};
use tokio_rustls::rustls::server::ResolvesServerCert;

use super::{
    authority::{Authority, reason},
    cache::{Cache, RETRY},
    folder::PrivateFolder,
    resolver::Resolver,
};
use crate::{http::Encryption, settings::TlsSettings};

/// The longest duration of an order.
const MAX_ORDER: Duration = Duration::from_mins(5);

/// The certificate of a server. It is renewed until this is dropped.
pub(crate) struct Certificates {
    /// TLS with the certificate.
    pub(crate) encryption: Encryption,
    is_ready: watch::Receiver<bool>,
    task: JoinHandle<()>,
}

impl Certificates {
    /// Uses the stored certificate, or orders one.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used, or if the system has no root certificates.
    pub(crate) fn keep(settings: &TlsSettings) -> anyhow::Result<Self> {
        let cannot = || format!("cannot use the folder {}", settings.folder.display());
        let folder = PrivateFolder::open(&settings.folder).with_context(cannot)?;
        let authority = Arc::new(Authority::new(&settings.directory)?);
        let contact = settings.contact.iter();
        let contact: Vec<_> = contact.map(|address| format!("mailto:{address}")).collect();
        let cache = Cache::new(folder, Arc::clone(&authority), &settings.domains, &contact);
        let resolver = Arc::new(Resolver::default());
        let certificates: Arc<dyn ResolvesServerCert> = Arc::clone(&resolver) as _;
        let encryption = Encryption::new(&certificates).context("cannot use TLS")?;
        let (ready, is_ready) = watch::channel(false);
        let keeper = Keeper {
            domains: settings.domains.clone(),
            contact,
            authority,
            cache: cache.with_context(cannot)?,
            resolver,
            ready,
        };
        Ok(Self {
            encryption,
            is_ready,
            task: tokio::spawn(async move { keeper.run().await }),
        })
    }

    /// Waits until there is a certificate.
    pub(crate) async fn ready(&self) {
        let mut is_ready = self.is_ready.clone();
        if !*is_ready.borrow() {
            tracing::info!("waiting for a certificate");
        }
        if is_ready.wait_for(|is_ready| *is_ready).await.is_err() {
            // The task ends with the process alone.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Certificates {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Keeper {
    domains: Vec<String>,
    contact: Vec<String>,
    authority: Arc<Authority>,
    cache: Cache,
    resolver: Arc<Resolver>,
    ready: watch::Sender<bool>,
}

impl Keeper {
    async fn run(self) {
        loop {
            if let Err(reason) = self.up_to_next_order().await {
                if *self.ready.borrow() {
                    tracing::warn!(reason, "cannot renew the certificate");
                } else {
                    tracing::error!(reason, "no certificate was issued: the start waits");
                }
            }
        }
    }

    /// Uses the certificate that there is, waits for the time of the next order, and orders.
    async fn up_to_next_order(&self) -> Result<(), String> {
        // A state for each order: the cache holds each of them back until it may begin.
        let config =
            AcmeConfig::new_with_client_config(&self.domains, Arc::clone(&self.authority.client));
        let config = config.directory(&self.authority.directory);
        let cache = self.cache.for_order();
        let config = config.contact(&self.contact).cache(cache.clone());
        let mut state = config.state();
        self.resolver.answer_for(state.resolver());
        let too_long = async {
            cache.order_begins().await;
            sleep(MAX_ORDER).await;
        };
        pin!(too_long);
        loop {
            let event = tokio::select! {
                event = state.next() => event,
                () = &mut too_long => None,
            };
            let Some(event) = event else {
                return Err("the order took more than 5 minutes".to_owned());
            };
            match event {
                Ok(EventOk::DeployedCachedCert) => {
                    tracing::debug!("the stored certificate is in use");
                    self.uses(&state);
                }
                Ok(EventOk::DeployedNewCert) => {
                    tracing::info!(
                        names = self.domains.join(", "),
                        "a new certificate is in use"
                    );
                    self.uses(&state);
                }
                Ok(EventOk::AccountCacheStore) => {}
                Ok(EventOk::CertCacheStore) => return Ok(()),
                Err(EventError::CertCacheStore(error)) => {
                    tracing::error!(%error, "cannot store the certificate: a restart will order another one");
                    return Ok(());
                }
                Err(EventError::AccountCacheStore(error)) => {
                    tracing::error!(%error, "cannot store the account: a restart will create another one");
                }
                Err(EventError::AccountCacheLoad(error)) => {
                    sleep(RETRY).await;
                    return Err(format!("cannot read the account: {error}"));
                }
                Err(EventError::CertCacheLoad(error)) => {
                    tracing::warn!(%error, "cannot read the stored certificate");
                }
                Err(EventError::CachedCertParse(error)) => {
                    tracing::warn!(%error, "the stored certificate is damaged");
                }
                Err(error) => return Err(reason(&error)),
            }
        }
    }

    fn uses(&self, state: &AcmeState<io::Error>) {
        self.resolver.use_certificate(state.resolver());
        self.ready.send_replace(true);
    }
}
