//! The authority that issues certificates.

use std::{fmt, io, sync::Arc, time::Duration};

use anyhow::{Context as _, bail};
use rustls_acme::{
    EventError, OrderError,
    acme::{Auth, Directory, Identifier},
};
use tokio::time::timeout;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::output;

/// Timeout of reading the directory.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The most characters of a reason that are logged.
const MAX_REASON: usize = 1000;

/// The authority at a directory.
pub(super) struct Authority {
    /// The URL of the directory.
    pub(super) directory: String,
    /// TLS with the root certificates of the system.
    pub(super) client: Arc<ClientConfig>,
}

impl Authority {
    /// The authority with this directory, which one of the root certificates of the system vouches for.
    ///
    /// # Errors
    ///
    /// If the system has no root certificates.
    pub(super) fn new(directory: &str) -> anyhow::Result<Self> {
        let found = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(found.certs);
        if added == 0 {
            let reason = found.errors.first().map(|error| format!(" ({error})"));
            bail!(
                "the system has no root certificates, by which the authority is known{}: install ca-certificates",
                reason.unwrap_or_default()
            );
        }
        let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .context("cannot use TLS")?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            directory: directory.to_owned(),
            client: Arc::new(client),
        })
    }

    /// Asks the authority for its directory, which is no order.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read.
    pub(super) async fn is_reachable(&self) -> Result<(), String> {
        match timeout(TIMEOUT, Directory::discover(&self.client, &self.directory)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(short(&error)),
            Err(_) => Err(format!("no answer in {} s", TIMEOUT.as_secs())),
        }
    }
}

/// The reason why an order failed, in the words of the authority where it has some.
pub(super) fn reason(error: &EventError<io::Error, io::Error>) -> String {
    match error {
        EventError::Order(OrderError::BadAuth(auth)) => refused(auth),
        EventError::Order(OrderError::BadOrder(order)) => {
            let detail = order.error.as_ref().and_then(|error| error.detail.as_ref());
            short(detail.map_or("the authority gave no reason", String::as_str))
        }
        error => short(error),
    }
}

fn refused(auth: &Auth) -> String {
    let Identifier::Dns(name) = &auth.identifier;
    let details = auth.challenges.iter().filter_map(|challenge| {
        let detail = challenge.error.as_ref()?.detail.as_deref();
        Some(detail.unwrap_or("no reason given"))
    });
    let details: Vec<_> = details.collect();
    short(format!(
        "{name} could not be verified at port 443 of this server: {}",
        details.join("; ")
    ))
}

fn short(text: impl fmt::Display) -> String {
    let text = output::printable(&text.to_string());
    text.chars().take(MAX_REASON).collect()
}

#[cfg(test)]
mod tests {
    use rustls_acme::acme::{AuthStatus, Challenge, ChallengeType, Problem};

    use super::*;

    #[test]
    fn the_words_of_the_authority_are_told() {
        let auth = Auth {
            status: AuthStatus::Invalid,
            identifier: Identifier::Dns("cal.example.org".to_owned()),
            challenges: vec![Challenge {
                typ: ChallengeType::TlsAlpn01,
                url: String::new(),
                token: "secret".to_owned(),
                error: Some(Problem {
                    typ: None,
                    detail: Some("Connection\nrefused".to_owned()),
                }),
            }],
        };
        let error = EventError::Order(OrderError::BadAuth(auth));
        assert_eq!(
            reason(&error),
            "cal.example.org could not be verified at port 443 of this server: Connection\\nrefused"
        );
    }
}
