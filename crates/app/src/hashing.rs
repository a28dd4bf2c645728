//! Random texts, and hashes of secrets.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{Secret, entry::PasswordHash};
use rand::Rng;
use sha2::{Digest, Sha256};

use crate::ports::{Store, StoreError, UnitOfWork};

/// The name of the setting with the site's secret.
const NAME: &str = "event_password_key";

/// The key with which event passwords are hashed. The site's database stores it.
///
/// ```
/// use events_calendar_app::{hashing::{HashKey, sha256_hex}, test_support::InMemoryStore};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = HashKey::load(&InMemoryStore::new()).await?;
/// assert_eq!(key.hash("let me in"), key.hash("let me in"));
/// assert!(sha256_hex("abc").starts_with("ba7816bf"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct HashKey(Secret);

impl HashKey {
    /// Loads the site's secret, or creates it on the first call for this site.
    /// Later calls read it outside of a unit of work, which would wait for another process that writes.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn load(store: &dyn Store) -> Result<Self, StoreError> {
        if let Some(key) = store.setting(NAME).await? {
            return Ok(Self(key.into()));
        }
        let unit = store.begin().await?;
        let key = unit.settings().get_or_insert(NAME, &random_hex()).await?;
        unit.commit().await?;
        Ok(Self(key.into()))
    }

    /// Stores the secret of another site. Returns false if this site has another one.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub(crate) async fn adopt(unit: &dyn UnitOfWork, key: &str) -> Result<bool, StoreError> {
        Ok(unit.settings().get_or_insert(NAME, key).await? == key)
    }

    /// The secret.
    pub(crate) const fn secret(&self) -> &Secret {
        &self.0
    }

    /// Hashes an event password: SHA-256 of the key, the password and the key again. Without the
    /// key, which has 256 random bits, passwords cannot be guessed from hashes.
    pub fn hash(&self, password: &str) -> PasswordHash {
        PasswordHash::from_stored(self.digest(password.as_bytes()))
    }

    /// A key for another purpose, from which this one does not follow.
    pub(crate) fn derived(&self, purpose: &str) -> Self {
        Self(self.digest(purpose.as_bytes()).into())
    }

    /// As [`derived`](Self::derived), as bytes.
    pub(crate) fn derived_bytes(&self, purpose: &str) -> [u8; 32] {
        self.sha256(purpose.as_bytes())
    }

    /// Hashes content that may hold a secret with little entropy.
    pub(crate) fn digest(&self, bytes: &[u8]) -> String {
        hex(&self.sha256(bytes))
    }

    fn sha256(&self, bytes: &[u8]) -> [u8; 32] {
        let key = self.0.expose().as_bytes();
        Sha256::digest([key, b"\0", bytes, b"\0", key].concat()).into()
    }
}

/// 256 random bits as hexadecimal digits.
pub(crate) fn random_hex() -> String {
    hex(&random_bytes())
}

/// 256 random bits as a part of a URL: 43 letters of base64url (RFC 4648, 5).
pub(crate) fn random_segment() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(random_bytes())
}

/// 256 random bits.
pub(crate) fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

/// SHA-256 of a text or of bytes, as hexadecimal digits. It hides texts of high entropy, not passwords.
pub fn sha256_hex<T: AsRef<[u8]> + ?Sized>(content: &T) -> String {
    hex(&Sha256::digest(content))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::InMemoryStore;

    #[tokio::test]
    async fn the_key_of_a_site_is_hidden() {
        let store = InMemoryStore::new();
        let key = HashKey::load(&store).await.unwrap();
        assert_eq!(format!("{key:?}"), "HashKey(Secret(…))");
        let again = HashKey::load(&store).await.unwrap();
        let hash = again.hash("hunter2");
        assert_eq!(hash, key.hash("hunter2"));
        assert!(!format!("{hash:?}").contains(hash.as_str()));
    }
}
