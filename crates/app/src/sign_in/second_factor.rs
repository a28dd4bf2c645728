//! The second factor: an authenticator, which shows another code every 30 seconds (RFC 6238).

use domain::{Secret, Stored, User, UserId};
use totp_rs::{Builder, Totp};

use super::{SignIn, SignInError};
use crate::{
    error::AppError,
    hashing::{random_bytes, random_hex, sha256_hex},
    ports::{SecondFactor, StoreError},
};

/// The number of recovery codes.
const RECOVERY_CODES: usize = 10;

/// The letters of a recovery code: 112 bits.
const RECOVERY_LETTERS: usize = 28;

/// A second factor that a user has not confirmed yet.
#[derive(Debug)]
pub struct OfferedSecondFactor {
    /// The secret, in base 32, which a person may type into the authenticator.
    pub secret: Secret,
    /// The secret as an `otpauth:` address, which opens the authenticator.
    pub url: Secret,
}

impl SignIn {
    /// Whether a user has a second factor.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn has_second_factor(&self, user: UserId) -> Result<bool, AppError> {
        let factor = self.store.sign_ins().second_factor(user).await?;
        Ok(factor.is_some())
    }

    /// A new secret for the authenticator of a user, which shows it under the name of a site.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use events_calendar_app::{
    ///     auth::Accounts,
    ///     sign_in::{INVITATION_SECONDS, OfferedSecondFactor, SignInError},
    ///     test_support::{FixedClock, InMemoryStore},
    /// };
    /// use domain::Role;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (store, clock) = (Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
    /// let accounts = Accounts::new(store, clock);
    /// let ada = accounts.add_user("ada", Role::Editor, None).await?;
    /// let sign_in = accounts.sign_in();
    /// let OfferedSecondFactor { secret, url } = sign_in.offer_second_factor(&ada, "Town")?;
    /// assert!(url.expose().starts_with("otpauth://totp/Town:ada?secret="));
    ///
    /// // It is stored when a code of the authenticator and the password are right.
    /// let wrong = sign_in.set_second_factor(ada.id, "guess", secret.expose(), "000000").await;
    /// assert!(matches!(wrong, Err(SignInError::Refused)));
    /// assert!(!sign_in.has_second_factor(ada.id).await?);
    /// assert!(!sign_in.is_code(ada.id, "000000").await?);
    /// assert!(!sign_in.remove_second_factor(ada.id).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Never for a user whom the store has.
    pub fn offer_second_factor(
        &self,
        user: &Stored<User>,
        site: &str,
    ) -> Result<OfferedSecondFactor, AppError> {
        let [bytes @ .., _, _, _, _, _, _, _, _, _, _, _, _] = random_bytes();
        let secret = totp_rs::Secret::from(bytes);
        let text = Secret::new(secret.to_base32());
        // A colon separates the two names.
        let named = |name: &str| name.replace(':', " ").into_boxed_str();
        let authenticator = Builder::new()
            .with_secret(secret)
            .with_skew(1)
            .with_account_name(named(user.name.as_str()))
            .with_issuer(Some(named(site)))
            .build();
        let url = authenticator.and_then(|one| one.to_url());
        Ok(OfferedSecondFactor {
            secret: text,
            url: Secret::new(url.map_err(|error| StoreError::Internal(error.to_string()))?),
        })
    }

    /// Stores the second factor of a user who knows the password and shows a code. Returns the recovery codes, each of
    /// which takes the place of a code once.
    ///
    /// # Errors
    ///
    /// [`SignInError::Refused`] for a wrong password or code, and if the user has a second factor;
    /// [`AppError::Overloaded`]; or if the store fails.
    pub async fn set_second_factor(
        &self,
        user: UserId,
        password: &str,
        secret: &str,
        code: &str,
    ) -> Result<Vec<Secret>, SignInError> {
        self.require_password(user, password).await?;
        let step = authenticator(secret).and_then(|one| self.step_of(&one, code));
        let last_step = step.ok_or(SignInError::Refused)?;
        let codes: Vec<_> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
        let hashes = codes.iter().map(|code| hash_of(code.expose()).into());
        let factor = SecondFactor {
            secret: Secret::new(secret.to_owned()),
            last_step,
            recovery_codes: hashes.collect(),
        };
        if self.replace(user, None, Some(factor)).await? {
            Ok(codes)
        } else {
            Err(SignInError::Refused)
        }
    }

    /// Removes the second factor of a user who knows the password.
    ///
    /// # Errors
    ///
    /// As [`set_second_factor`](Self::set_second_factor).
    pub async fn end_second_factor(&self, user: UserId, password: &str) -> Result<(), SignInError> {
        self.require_password(user, password).await?;
        self.remove_second_factor(user).await?;
        Ok(())
    }

    /// Removes the second factor of a user who lost it, for an operator. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn remove_second_factor(&self, user: UserId) -> Result<bool, AppError> {
        let factor = self.store.sign_ins().second_factor(user).await?;
        match factor {
            Some(factor) => self.replace(user, Some(factor), None).await,
            None => Ok(false),
        }
    }

    /// Whether a user shows a code of the authenticator, or a recovery code. Each is right once; the code of the former
    /// and of the next 30 seconds are right, too.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn is_code(&self, user: UserId, code: &str) -> Result<bool, AppError> {
        let Some(factor) = self.store.sign_ins().second_factor(user).await? else {
            return Ok(false);
        };
        let code = letters(code);
        let mut left = factor.clone();
        let step = authenticator(factor.secret.expose()).and_then(|one| self.step_of(&one, &code));
        let recovery = sha256_hex(&code);
        let codes = factor.recovery_codes.iter();
        let recovery = codes.into_iter().position(|one| *one.expose() == recovery);
        match (step.filter(|step| *step > factor.last_step), recovery) {
            (Some(step), _) => left.last_step = step,
            (None, Some(index)) => {
                left.recovery_codes.remove(index);
            }
            (None, None) => return Ok(false),
        }
        // Another request may have used the same code meanwhile.
        self.replace(user, Some(factor), Some(left)).await
    }

    /// The step of a code that is right now, or was or will be within 30 seconds.
    fn step_of(&self, authenticator: &Totp, code: &str) -> Option<i64> {
        let now = u64::try_from(self.now().seconds()).ok()?;
        let step = authenticator.check(&letters(code), now)?;
        i64::try_from(step).ok()
    }

    async fn replace(
        &self,
        user: UserId,
        former: Option<SecondFactor>,
        new: Option<SecondFactor>,
    ) -> Result<bool, AppError> {
        let unit = self.store.begin().await?;
        let sign_ins = unit.sign_ins();
        let replaced = sign_ins.replace_second_factor(user, former, new).await?;
        unit.commit().await?;
        Ok(replaced)
    }
}

/// The authenticator of a secret in base 32; `None` if the text is none.
fn authenticator(secret: &str) -> Option<Totp> {
    let secret = totp_rs::Secret::try_from_base32(secret).ok()?;
    let builder = Builder::new().with_secret(secret).with_skew(1);
    builder.with_account_name("user").build().ok()
}

/// A code without what people put between its letters.
fn letters(code: &str) -> String {
    let letters = code.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|one| one.to_ascii_lowercase()).collect()
}

/// The hash of a recovery code.
fn hash_of(code: &str) -> String {
    sha256_hex(&letters(code))
}

/// A random recovery code, in four groups.
fn recovery_code() -> Secret {
    let random = random_hex();
    let groups: Vec<_> = random.as_bytes()[..RECOVERY_LETTERS]
        .chunks(RECOVERY_LETTERS / 4)
        .map(String::from_utf8_lossy)
        .collect();
    Secret::new(groups.join("-"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;

    use super::*;
    use crate::{
        auth::Accounts,
        ports::Clock as _,
        sign_in::INVITATION_SECONDS,
        test_support::{FixedClock, InMemoryStore},
    };

    const PASSWORD: &str = "correct horse";

    struct Ada {
        accounts: Accounts,
        clock: Arc<FixedClock>,
        id: UserId,
        secret: Secret,
        recovery: Vec<Secret>,
    }

    impl Ada {
        async fn new() -> Self {
            let (store, clock) = (InMemoryStore::new(), Arc::new(FixedClock::default()));
            let accounts = Accounts::new(Arc::new(store), clock.clone());
            let user = accounts.add_user("ada", Role::Author, None).await.unwrap();
            let sign_in = accounts.sign_in();
            let invitation = sign_in.invite(&user, INVITATION_SECONDS).await.unwrap();
            let password = PASSWORD.parse().unwrap();
            sign_in
                .accept(invitation.text.expose(), &password)
                .await
                .unwrap();
            let offered = sign_in.offer_second_factor(&user, "Town: events").unwrap();
            let mut ada = Self {
                id: user.id,
                secret: offered.secret,
                recovery: Vec::new(),
                accounts,
                clock,
            };
            let sign_in = ada.accounts.sign_in();
            let (secret, code) = (ada.secret.expose(), ada.code(0));
            let set = sign_in.set_second_factor(user.id, PASSWORD, secret, &code);
            ada.recovery = set.await.unwrap();
            ada
        }

        /// The code that the authenticator shows at some distance from now.
        fn code(&self, seconds: i64) -> String {
            let now = self.clock.now().seconds() + seconds;
            let authenticator = authenticator(self.secret.expose()).unwrap();
            let code = authenticator.generate(u64::try_from(now).unwrap());
            code.to_string()
        }

        async fn is_code(&self, code: &str) -> bool {
            let sign_in = self.accounts.sign_in();
            sign_in.is_code(self.id, code).await.unwrap()
        }
    }

    #[tokio::test]
    async fn a_code_is_right_once_and_within_30_seconds() {
        let ada = Ada::new().await;
        // The code of the confirmation is used up.
        assert!(!ada.is_code(&ada.code(0)).await);
        assert!(!ada.is_code(&ada.code(-30)).await);
        ada.clock.advance_seconds(300);
        for far in [-90, 90] {
            assert!(!ada.is_code(&ada.code(far)).await, "{far}");
        }
        let code = ada.code(-30);
        let spaced = format!(" {} {}", &code[..3], &code[3..]);
        assert!(ada.is_code(&spaced).await);
        assert!(!ada.is_code(&code).await);
        assert!(ada.is_code(&ada.code(0)).await);
        assert!(ada.is_code(&ada.code(30)).await);
        assert!(!ada.is_code(&ada.code(0)).await);
    }

    #[tokio::test]
    async fn ten_recovery_codes_are_right_once() {
        let ada = Ada::new().await;
        assert_eq!(ada.recovery.len(), RECOVERY_CODES);
        for code in &ada.recovery {
            assert!(ada.is_code(&code.expose().to_uppercase()).await);
            assert!(!ada.is_code(code.expose()).await);
        }
        assert!(!ada.is_code("").await);
    }

    #[tokio::test]
    async fn the_password_ends_it() {
        let ada = Ada::new().await;
        let sign_in = ada.accounts.sign_in();
        let wrong = sign_in.end_second_factor(ada.id, "guess").await;
        assert!(matches!(wrong, Err(SignInError::Refused)));
        let (secret, code) = (ada.secret.expose(), ada.code(0));
        let again = sign_in.set_second_factor(ada.id, PASSWORD, secret, &code);
        assert!(matches!(again.await, Err(SignInError::Refused)));
        assert!(sign_in.has_second_factor(ada.id).await.unwrap());
        sign_in.end_second_factor(ada.id, PASSWORD).await.unwrap();
        assert!(!sign_in.has_second_factor(ada.id).await.unwrap());
    }
}
