//! The settings that the service stores: its own secrets, and the settings of the site that people see.

use app::ports::{Settings, SiteChange, StoreError, StoredSite, StoredSiteValue};
use async_trait::async_trait;
use domain::{
    Id, UserId,
    site::{SiteSetting, SiteValue},
    time::Timestamp,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::{
    entity::{
        setting,
        site_setting::{ActiveModel, Column, Entity, Model},
    },
    error::broken_column,
    session::Session,
    sql::{parse_column, time_column},
};

/// The name under which the number of changes of the site is stored.
const SITE_REVISION: &str = "site_revision";

/// The number of changes of a site that was never changed.
const UNCHANGED: &str = "0";

fn read_site_value(row: &Model) -> Result<(SiteSetting, StoredSiteValue), StoreError> {
    let setting: SiteSetting = parse_column(Column::Name, &row.name)?;
    let value = SiteValue::read(setting, &row.value);
    let stored = StoredSiteValue {
        value: value.map_err(|error| broken_column(Column::Value, error))?,
        set_by: row.set_by_id.map(Id::from_raw),
        set_at: time_column(Column::SetUtc, row.set_utc)?,
    };
    Ok((setting, stored))
}

impl Session {
    /// The text stored under a name.
    pub(crate) async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = self.one(setting::Entity::find_by_id(name)).await?;
        Ok(row.map(|row| row.value))
    }
}

#[async_trait]
impl Settings for Session {
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError> {
        let row = setting::ActiveModel {
            name: Set(name.to_owned()),
            value: Set(value.to_owned()),
        };
        let insert = setting::Entity::insert(row).on_conflict_do_nothing();
        self.connection.change(insert).await?;
        let stored = self.setting(name).await?;
        stored.ok_or_else(|| StoreError::Internal(format!("no setting {name}")))
    }

    async fn site_revision(&self) -> Result<i64, StoreError> {
        let stored = self.setting(SITE_REVISION).await?;
        let text = stored.unwrap_or_else(|| UNCHANGED.to_owned());
        parse_column(setting::Column::Value, &text)
    }

    async fn site(&self) -> Result<StoredSite, StoreError> {
        let revision = self.site_revision().await?;
        let rows = self.all(Entity::find()).await?;
        let values = rows.iter().map(read_site_value);
        Ok(StoredSite {
            revision,
            values: values.collect::<Result<_, _>>()?,
        })
    }

    async fn change_site(
        &self,
        expected: i64,
        changes: &[SiteChange],
        by: UserId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        // The row is one that concurrent changes can lock.
        self.get_or_insert(SITE_REVISION, UNCHANGED).await?;
        let next = expected.saturating_add(1).to_string();
        let count = setting::Entity::update_many()
            .col_expr(setting::Column::Value, next.into())
            .filter(setting::Column::Name.eq(SITE_REVISION))
            .filter(setting::Column::Value.eq(expected.to_string()));
        if self.connection.change(count).await? == 0 {
            return Ok(false);
        }
        for change in changes {
            let name = change.setting().name();
            match change {
                SiteChange::Set(value) => {
                    let row = ActiveModel {
                        name: Set(name.to_owned()),
                        value: Set(value.to_bytes()),
                        set_by_id: Set(Some(by.get())),
                        set_utc: Set(at.seconds()),
                    };
                    self.put(row).await?;
                }
                SiteChange::Unset(_) => {
                    self.connection.change(Entity::delete_by_id(name)).await?;
                }
            }
        }
        Ok(true)
    }
}
