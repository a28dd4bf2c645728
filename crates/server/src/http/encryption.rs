//! TLS on the connections of a listener.

#[cfg(feature = "tls")]
pub(crate) use self::with_feature::Encryption;

/// TLS, which a build without the feature `tls` does not have.
#[cfg(not(feature = "tls"))]
#[derive(Clone, Debug)]
pub(crate) enum Encryption {}

#[cfg(not(feature = "tls"))]
impl Encryption {
    /// Performs the handshake.
    #[expect(
        clippy::unused_async,
        reason = "the function of the feature is asynchronous"
    )]
    pub(super) async fn accept(
        self,
        _socket: tokio::net::TcpStream,
    ) -> std::io::Result<Option<super::stream::Stream>> {
        match self {}
    }
}

#[cfg(feature = "tls")]
mod with_feature {
    use std::{io, sync::Arc};

    use rustls_acme::{acme::ACME_TLS_ALPN_NAME, is_tls_alpn_challenge};
    use tokio::{io::AsyncWriteExt as _, net::TcpStream};
    use tokio_rustls::{
        LazyConfigAcceptor,
        rustls::{
            Error, ServerConfig,
            crypto::ring,
            server::{Acceptor, ResolvesServerCert},
        },
    };

    use crate::http::stream::Stream;

    /// The protocol that connections speak, as without TLS.
    const PROTOCOL: &[u8] = b"http/1.1";

    /// TLS with certificates that may change while connections are open.
    #[derive(Clone, Debug)]
    pub(crate) struct Encryption {
        requests: Arc<ServerConfig>,
        /// For the authority, which asks whether this server answers for a name.
        challenges: Arc<ServerConfig>,
    }

    impl Encryption {
        /// TLS 1.2 and 1.3, with the certificates of the resolver.
        ///
        /// # Errors
        ///
        /// If the random numbers of the system fail.
        pub(crate) fn new(certificates: &Arc<dyn ResolvesServerCert>) -> Result<Self, Error> {
            let config = |protocol: &[u8]| {
                let provider = Arc::new(ring::default_provider());
                let config = ServerConfig::builder_with_provider(provider);
                let config = config.with_safe_default_protocol_versions()?;
                let config = config.with_no_client_auth();
                let mut config = config.with_cert_resolver(Arc::clone(certificates));
                config.alpn_protocols.push(protocol.to_vec());
                Ok::<_, Error>(config)
            };
            let mut requests = config(PROTOCOL)?;
            // Clients resume sessions without memory here.
            requests.ticketer = ring::Ticketer::new()?;
            Ok(Self {
                requests: Arc::new(requests),
                challenges: Arc::new(config(ACME_TLS_ALPN_NAME)?),
            })
        }

        /// Performs the handshake. A challenge of the authority ends with it, and leaves no stream.
        ///
        /// # Errors
        ///
        /// If the client breaks the handshake off, or speaks no TLS.
        pub(in crate::http) async fn accept(self, socket: TcpStream) -> io::Result<Option<Stream>> {
            let start = LazyConfigAcceptor::new(Acceptor::default(), socket).await?;
            if is_tls_alpn_challenge(&start.client_hello()) {
                let mut stream = start.into_stream(self.challenges).await?;
                stream.shutdown().await?;
                return Ok(None);
            }
            let stream = start.into_stream(self.requests).await?;
            Ok(Some(Stream::Encrypted(Box::new(stream))))
        }
    }
}
