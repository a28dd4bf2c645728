//! Random texts, and hashes of secrets.

use std::fmt;

use domain::entry::PasswordHash;
use rand::Rng;
use sha2::{Digest, Sha256};

use crate::ports::{Store, StoreError};

/// The key with which event passwords are hashed. The site's database stores it.
#[derive(Clone)]
pub struct HashKey(String);

impl HashKey {
    /// Loads the site's secret, or creates it on the first call for this site.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn load(store: &dyn Store) -> Result<Self, StoreError> {
        let unit = store.begin().await?;
        let key = unit
            .settings()
            .get_or_insert("event_password_key", &random_hex())
            .await?;
        unit.commit().await?;
        Ok(Self(key))
    }

    /// Hashes an event password: SHA-256 of the key, the password and the key again. Without the
    /// key, which has 256 random bits, passwords cannot be guessed from hashes.
    pub fn hash(&self, password: &str) -> PasswordHash {
        PasswordHash::from_stored(self.digest(password.as_bytes()))
    }

    /// Hashes content that may hold a secret with little entropy.
    pub(crate) fn digest(&self, bytes: &[u8]) -> String {
        let key = self.0.as_bytes();
        hex(&Sha256::digest([key, b"\0", bytes, b"\0", key].concat()))
    }
}

impl fmt::Debug for HashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashKey(…)")
    }
}

/// 256 random bits as hexadecimal digits.
pub(crate) fn random_hex() -> String {
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    hex(&bytes)
}

/// SHA-256 of a text, as hexadecimal digits; sufficient for texts with high entropy.
pub(crate) fn sha256_hex(text: &str) -> String {
    hex(&Sha256::digest(text))
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
