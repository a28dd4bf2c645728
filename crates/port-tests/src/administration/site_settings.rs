//! The settings of the site that people see.

use std::{collections::BTreeMap, fmt::Debug, str::FromStr};

use app::{
    ports::{SiteChange, Store, StoredSite, StoredSiteValue},
    test_support::at,
};
use domain::{
    UserId,
    site::{Logo, SiteSetting, SiteValue},
    time::Timestamp,
};

use crate::sample::in_unit;

fn line<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

/// The settings of the site change one revision after the other.
pub async fn a_site_is_changed_at_its_revision(store: &dyn Store) {
    let change = async |expected, changes: &[SiteChange], by: i64, at: Timestamp| {
        let by = UserId::from_raw(by);
        in_unit(store, async |to| to.settings().change_site(expected, changes, by, at).await).await
    };
    assert_eq!(store.settings().site().await.unwrap(), StoredSite::default());
    let [early, late] = ["2030-01-01 12:00:00", "2030-01-02 12:00:00"].map(at);
    let logo = Logo::new(b"\xff\xd8\xff\0\x01\xfe".to_vec()).unwrap();
    let logo = SiteValue::Logo(logo);
    let [name, other] = ["مهرجان 'x' <b>", "Fair"].map(|text| SiteValue::Name(line(text)));
    let both = [SiteChange::Set(name.clone()), SiteChange::Set(logo.clone())];
    assert!(change(0, &both, 1, early).await.unwrap());
    assert!(!change(0, &both[..1], 1, early).await.unwrap());
    assert!(!change(2, &both[..1], 1, early).await.unwrap());
    let stored = |value: &SiteValue, by: i64, set_at| {
        let set_by = Some(UserId::from_raw(by));
        (value.setting(), StoredSiteValue { value: value.clone(), set_by, set_at })
    };
    let site = store.settings().site().await.unwrap();
    let values = BTreeMap::from([stored(&name, 1, early), stored(&logo, 1, early)]);
    assert_eq!(site, StoredSite { revision: 1, values });

    let replaced = [SiteChange::Set(other.clone()), SiteChange::Unset(SiteSetting::Logo)];
    assert!(change(1, &replaced, 2, late).await.unwrap());
    let site = store.settings().site().await.unwrap();
    let values = BTreeMap::from([stored(&other, 2, late)]);
    assert_eq!(site, StoredSite { revision: 2, values });
    assert_eq!(store.settings().site_revision().await.unwrap(), 2);

    // A setting without a value is reset; the change counts.
    assert!(change(2, &replaced[1..], 2, late).await.unwrap());
    assert_eq!(store.settings().site_revision().await.unwrap(), 3);
}

/// A value stays when the user who set it is deleted.
pub async fn a_site_outlives_its_users(store: &dyn Store) {
    let cleo = UserId::from_raw(3);
    let footer = SiteValue::Footer(line("Town of Springfield"));
    let set = [SiteChange::Set(footer.clone())];
    let noon = at("2030-01-01 12:00:00");
    let changed =
        in_unit(store, async |to| to.settings().change_site(0, &set, cleo, noon).await).await;
    assert!(changed.unwrap());
    assert!(in_unit(store, async |to| to.users().remove(cleo).await).await.unwrap());
    let left = StoredSiteValue { value: footer, set_by: None, set_at: noon };
    let site = store.settings().site().await.unwrap();
    assert_eq!(site.values, BTreeMap::from([(SiteSetting::Footer, left)]));
}

/// A unit that is undone changes nothing of the site.
pub async fn a_site_belongs_to_units(store: &dyn Store) {
    let set = [SiteChange::Set(SiteValue::Footer(line("Town")))];
    let (ann, noon) = (UserId::from_raw(1), at("2030-01-01 12:00:00"));
    let unit = store.begin().await.unwrap();
    assert!(unit.settings().change_site(0, &set, ann, noon).await.unwrap());
    assert_eq!(unit.settings().site_revision().await.unwrap(), 1);
    assert_eq!(unit.settings().site().await.unwrap().values.len(), 1);
    unit.rollback().await.unwrap();
    assert_eq!(store.settings().site().await.unwrap(), StoredSite::default());
}
