//! Hashes of passwords that people choose: Argon2id.

use argon2::{
    Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version,
    password_hash::phc::PasswordHash,
};
use domain::Secret;

use crate::{cpu_limiter::CpuLimiter, error::AppError};

/// Memory of one hash, in KiB: 19 MiB.
const MEMORY_KIB: u32 = 19 * 1024;

/// Passes over the memory.
const PASSES: u32 = 2;

/// A hash that no password has, with which an absent one is compared: the same work.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyBpdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and verifies passwords, one at a time: a flood of sign-ins takes at most one processor and 19 MiB.
#[derive(Clone, Debug)]
pub(super) struct Hasher {
    limiter: CpuLimiter,
    parameters: Params,
}

impl Default for Hasher {
    fn default() -> Self {
        Self {
            limiter: CpuLimiter::with_permits(1),
            parameters: Params::new(MEMORY_KIB, PASSES, 1, None).unwrap_or_default(),
        }
    }
}

impl Hasher {
    fn argon2(&self) -> Argon2<'static> {
        Argon2::new(Algorithm::Argon2id, Version::V0x13, self.parameters.clone())
    }

    /// The bytes of memory of one hash, by which the limiter sees that it is long work.
    const WORK: usize = MEMORY_KIB as usize * 1024;

    /// Hashes a password with a random salt, into the PHC string format.
    ///
    /// # Errors
    ///
    /// [`AppError::Overloaded`] if other passwords keep the processor busy.
    pub(super) async fn hash(&self, password: &str) -> Result<Secret, AppError> {
        let hash = || self.argon2().hash_password(password.as_bytes());
        match self.limiter.run(Self::WORK, hash).await? {
            Ok(hash) => Ok(Secret::new(hash.to_string())),
            Err(error) => Err(internal(&error)),
        }
    }

    /// Whether a password has a hash. Without a hash it does not, after the same work.
    ///
    /// # Errors
    ///
    /// As [`hash`](Self::hash).
    pub(super) async fn verify(
        &self,
        password: &str,
        hash: Option<&Secret>,
    ) -> Result<bool, AppError> {
        let text = hash.map_or(NOBODY, |hash| hash.expose().as_str());
        let parsed = PasswordHash::new(text).map_err(|error| internal(&error))?;
        let verify = || self.argon2().verify_password(password.as_bytes(), &parsed);
        let is_right = self.limiter.run(Self::WORK, verify).await?.is_ok();
        Ok(is_right && hash.is_some())
    }
}

fn internal(error: &impl ToString) -> AppError {
    crate::ports::StoreError::Internal(error.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_has_its_hash_alone() {
        let hasher = Hasher::default();
        let hash = hasher.hash("correct horse").await.unwrap();
        let prefix = "$argon2id$v=19$m=19456,t=2,p=1$";
        assert!(hash.expose().starts_with(prefix));
        assert!(NOBODY.starts_with(prefix));
        let other = hasher.hash("correct horse").await.unwrap();
        assert_ne!(hash, other);
        for (password, is_right) in [
            ("correct horse", true),
            ("correct horsf", false),
            ("", false),
        ] {
            let verified = hasher.verify(password, Some(&hash)).await.unwrap();
            assert_eq!(verified, is_right, "{password}");
        }
        assert!(!hasher.verify("correct horse", None).await.unwrap());
    }
}
