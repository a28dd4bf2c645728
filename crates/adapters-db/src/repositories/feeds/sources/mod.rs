//! Sources that are read on a schedule.

mod report;

use app::ports::{SourceLease, Sources, StoreError, StoredSource};
use async_trait::async_trait;
use domain::{
    Id,
    source::{Every, Source, SourceRuns, Validators},
    time::Timestamp,
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, EntityName, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    sea_query::IntoCondition,
};

use crate::{
    entity::source::{ActiveModel, Column, Entity, Model},
    error::{broken_column, store_error},
    session::Session,
    sql::{optional_time_column, parse_column, parse_optional_column, time_column},
};

fn read(row: Model) -> Result<StoredSource, StoreError> {
    let Model {
        id,
        name,
        format,
        url,
        user_id,
        every_seconds,
        status,
        category_name,
        policy,
        prune,
        header_file,
        paused,
        ledger,
        next_run_utc,
        requested,
        etag,
        last_modified,
        last_run_utc,
        last_success_utc,
        failure,
        failures,
        failing_since_utc,
        told_utc,
        event_count,
        report,
        lease_holder,
        lease_until_utc,
    } = row;
    let every = u32::try_from(every_seconds).ok();
    let every = every.and_then(Every::from_seconds);
    let report = report.as_deref().map(report::read).transpose();
    let until = optional_time_column(Column::LeaseUntilUtc, lease_until_utc)?;
    Ok(StoredSource {
        id: Id::from_raw(id),
        source: Source {
            name: parse_column(Column::Name, &name)?,
            format: parse_column(Column::Format, &format)?,
            // The error does not have the address.
            url: parse_column(Column::Url, &url)?,
            user: Id::from_raw(user_id),
            every: every.ok_or_else(|| broken_column(Column::EverySeconds, "out of range"))?,
            status: parse_column(Column::Status, &status)?,
            category: parse_optional_column(Column::CategoryName, category_name.as_deref())?,
            policy: parse_column(Column::Policy, &policy)?,
            prune,
            header_file: header_file.map(Into::into),
            paused,
        },
        runs: SourceRuns {
            ledger,
            next_run: time_column(Column::NextRunUtc, next_run_utc)?,
            is_requested: requested,
            validators: Validators {
                etag,
                last_modified,
            },
            last_run: optional_time_column(Column::LastRunUtc, last_run_utc)?,
            last_success: optional_time_column(Column::LastSuccessUtc, last_success_utc)?,
            failure: parse_optional_column(Column::Failure, failure.as_deref())?,
            failures: u32::try_from(failures)
                .map_err(|error| broken_column(Column::Failures, error))?,
            failing_since: optional_time_column(Column::FailingSinceUtc, failing_since_utc)?,
            told: optional_time_column(Column::ToldUtc, told_utc)?,
            events: u64::try_from(event_count)
                .map_err(|error| broken_column(Column::EventCount, error))?,
            report: report.map_err(|error| broken_column(Column::Report, error))?,
        },
        lease: lease_holder
            .zip(until)
            .map(|(holder, until)| SourceLease { holder, until }),
    })
}

/// The columns of what people chose.
fn with_source(row: ActiveModel, source: &Source) -> ActiveModel {
    let Source {
        name,
        format,
        url,
        user,
        every,
        status,
        category,
        policy,
        prune,
        header_file,
        paused,
    } = source;
    ActiveModel {
        name: Set(name.as_str().to_owned()),
        format: Set(format.name().to_owned()),
        url: Set(url.expose().to_owned()),
        user_id: Set(user.get()),
        every_seconds: Set(every.seconds().into()),
        status: Set(status.name().to_owned()),
        category_name: Set(category.as_ref().map(ToString::to_string)),
        policy: Set(policy.name().to_owned()),
        prune: Set(*prune),
        header_file: Set(header_file.as_ref().map(|file| file.expose().clone())),
        paused: Set(*paused),
        ..row
    }
}

/// The columns of what runs left behind.
fn with_runs(row: ActiveModel, runs: &SourceRuns) -> ActiveModel {
    let SourceRuns {
        ledger,
        next_run,
        is_requested,
        validators: Validators {
            etag,
            last_modified,
        },
        last_run,
        last_success,
        failure,
        failures,
        failing_since,
        told,
        events,
        report,
    } = runs;
    let seconds = |time: &Option<Timestamp>| Set(time.map(Timestamp::seconds));
    ActiveModel {
        ledger: Set(ledger.clone()),
        next_run_utc: Set(next_run.seconds()),
        requested: Set(*is_requested),
        etag: Set(etag.clone()),
        last_modified: Set(last_modified.clone()),
        last_run_utc: seconds(last_run),
        last_success_utc: seconds(last_success),
        failure: Set(failure.map(|failure| failure.to_string())),
        failures: Set((*failures).into()),
        failing_since_utc: seconds(failing_since),
        told_utc: seconds(told),
        event_count: Set(i64::try_from(*events).unwrap_or(i64::MAX)),
        report: Set(report.as_ref().map(report::write)),
        ..row
    }
}

/// No lease of somebody else than `holder` lasts.
fn is_free(holder: Option<&str>, now: Timestamp) -> Condition {
    let free = Condition::any()
        .add(Column::LeaseUntilUtc.is_null())
        .add(Column::LeaseUntilUtc.lte(now.seconds()));
    match holder {
        Some(holder) => free.add(Column::LeaseHolder.eq(holder)),
        None => free,
    }
}

impl Session {
    /// Changes a source on a condition. Returns whether it did.
    async fn change_source(
        &self,
        id: Id<Source>,
        row: ActiveModel,
        on: impl IntoCondition,
    ) -> Result<bool, StoreError> {
        let change = Entity::update_many()
            .set(row)
            .filter(Column::Id.eq(id.get()))
            .filter(on.into_condition());
        Ok(self.connection.change(change).await? > 0)
    }
}

#[async_trait]
impl Sources for Session {
    async fn insert(
        &self,
        source: &Source,
        runs: &SourceRuns,
        limit: u64,
    ) -> Result<Option<StoredSource>, StoreError> {
        // Another unit of work that adds a source waits.
        self.lock_word(Entity.table_name().to_owned()).await?;
        let all = Entity::find().count(&self.connection).await;
        if all.map_err(store_error)? >= limit {
            return Ok(None);
        }
        let row = ActiveModel {
            id: NotSet,
            lease_holder: Set(None),
            lease_until_utc: Set(None),
            ..<ActiveModel as Default>::default()
        };
        let row = with_runs(with_source(row, source), runs);
        let row = row.insert(&self.connection).await.map_err(store_error)?;
        read(row).map(Some)
    }

    async fn find(&self, id: Id<Source>) -> Result<Option<StoredSource>, StoreError> {
        let row = self.one(Entity::find_by_id(id.get())).await?;
        row.map(read).transpose()
    }

    async fn find_by_name(&self, name: &str) -> Result<Option<StoredSource>, StoreError> {
        let row = self
            .one(Entity::find().filter(Column::Name.eq(name)))
            .await?;
        row.map(read).transpose()
    }

    async fn list(&self) -> Result<Vec<StoredSource>, StoreError> {
        let rows = self.all(Entity::find().order_by_asc(Column::Id)).await?;
        rows.into_iter().map(read).collect()
    }

    async fn update(
        &self,
        id: Id<Source>,
        source: &Source,
        runs: &SourceRuns,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let row = with_runs(
            with_source(<ActiveModel as Default>::default(), source),
            runs,
        );
        self.change_source(id, row, is_free(None, now)).await
    }

    async fn lease(
        &self,
        id: Id<Source>,
        lease: &SourceLease,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let row = ActiveModel {
            lease_holder: Set(Some(lease.holder.clone())),
            lease_until_utc: Set(Some(lease.until.seconds())),
            ..<ActiveModel as Default>::default()
        };
        let free = is_free(Some(&lease.holder), now);
        self.change_source(id, row, free).await
    }

    async fn finish(
        &self,
        id: Id<Source>,
        holder: &str,
        runs: &SourceRuns,
    ) -> Result<bool, StoreError> {
        let row = ActiveModel {
            lease_holder: Set(None),
            lease_until_utc: Set(None),
            ..with_runs(<ActiveModel as Default>::default(), runs)
        };
        let own = Column::LeaseHolder.eq(holder);
        self.change_source(id, row, own).await
    }

    async fn delete(
        &self,
        id: Id<Source>,
        holder: Option<String>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let delete = Entity::delete_many()
            .filter(Column::Id.eq(id.get()))
            .filter(is_free(holder.as_deref(), now));
        Ok(self.connection.change(delete).await? > 0)
    }
}
