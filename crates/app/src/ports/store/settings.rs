//! Settings that the service stores: its own secrets, and the settings of the site that people see.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    UserId,
    site::{SiteSetting, SiteValue},
    time::Timestamp,
};

use super::super::StoreError;

/// The settings of the site that are stored.
///
/// ```
/// use events_calendar_app::ports::StoredSite;
/// // The site of a new store.
/// let site = StoredSite::default();
/// assert!(site.revision == 0 && site.values.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredSite {
    /// The number of changes so far. The values belong to this change, or to a later one.
    pub revision: i64,
    /// The values that are set.
    pub values: BTreeMap<SiteSetting, StoredSiteValue>,
}

/// A stored value of a setting of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSiteValue {
    /// The value.
    pub value: SiteValue,
    /// The user who set it; `None` if the user was deleted.
    pub set_by: Option<UserId>,
    /// When it was set.
    pub set_at: Timestamp,
}

/// A change of a setting of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteChange {
    /// The setting of the value gets it.
    Set(SiteValue),
    /// The setting loses its value.
    Unset(SiteSetting),
}

impl SiteChange {
    /// The setting.
    ///
    /// ```
    /// use events_calendar_app::ports::SiteChange;
    /// use domain::site::SiteSetting;
    /// assert_eq!(SiteChange::Unset(SiteSetting::Logo).setting(), SiteSetting::Logo);
    /// ```
    pub fn setting(&self) -> SiteSetting {
        match self {
            Self::Set(value) => value.setting(),
            Self::Unset(setting) => *setting,
        }
    }
}

/// Stores texts under names, and the settings of the site.
///
/// ```
/// use events_calendar_app::{
///     ports::{Settings, SiteChange, StoredSiteValue, Store},
///     test_support::{InMemoryStore, at, user},
/// };
/// use domain::{Role, site::{SiteSetting, SiteValue}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let ada = unit.users().insert(user("ada", Role::Administrator)).await?.unwrap().id;
/// let settings: &dyn Settings = unit.settings();
/// settings.get_or_insert("key", "first").await?;
/// assert_eq!(settings.get_or_insert("key", "second").await?, "first");
///
/// let (set_by, set_at) = (Some(ada), at("2030-01-01 00:00:00"));
/// let value = SiteValue::Footer("Town of Springfield".parse()?);
/// let set = [SiteChange::Set(value.clone())];
/// assert!(settings.change_site(0, &set, ada, set_at).await?);
/// // Another change of the same state comes too late.
/// assert!(!settings.change_site(0, &set, ada, set_at).await?);
/// assert_eq!(settings.site_revision().await?, 1);
/// let stored = StoredSiteValue { value, set_by, set_at };
/// assert_eq!(settings.site().await?.values[&SiteSetting::Footer], stored);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait Settings: Send + Sync {
    /// The text stored under a name; if there is none, stores and returns `value`.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError>;

    /// The number of changes of the site so far.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn site_revision(&self) -> Result<i64, StoreError>;

    /// The settings of the site. Its revision MUST be read before its values.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or holds a value that does not suit its setting.
    async fn site(&self) -> Result<StoredSite, StoreError>;

    /// Changes settings of the site, if `expected` is its revision, which then grows by one. Returns whether it was.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn change_site(
        &self,
        expected: i64,
        changes: &[SiteChange],
        by: UserId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;
}
