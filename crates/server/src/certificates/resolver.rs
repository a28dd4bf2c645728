//! The certificate of each handshake.

use std::sync::{Arc, Mutex, PoisonError};

use rustls_acme::{ResolvesServerCertAcme, is_tls_alpn_challenge};
use tokio_rustls::rustls::{
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};

/// The certificate in use, and the answers to the authority. Handshakes that are complete do not notice a change.
#[derive(Debug, Default)]
pub(super) struct Resolver {
    /// Holds the certificate in use.
    certificate: Mutex<Option<Arc<ResolvesServerCertAcme>>>,
    /// Holds the answers for the order in progress.
    challenge: Mutex<Option<Arc<ResolvesServerCertAcme>>>,
}

impl Resolver {
    /// Uses the certificate of an order.
    pub(super) fn use_certificate(&self, order: Arc<ResolvesServerCertAcme>) {
        *lock(&self.certificate) = Some(order);
    }

    /// Answers the authority for an order.
    pub(super) fn answer_for(&self, order: Arc<ResolvesServerCertAcme>) {
        *lock(&self.challenge) = Some(order);
    }
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, client: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let order = if is_tls_alpn_challenge(&client) {
            &self.challenge
        } else {
            &self.certificate
        };
        let order = lock(order).clone()?;
        order.resolve(client)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
