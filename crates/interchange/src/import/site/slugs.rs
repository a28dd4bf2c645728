//! Slugs that move from one record of a site to another.

use app::request::RecordKey;
use domain::{Category, Event, Id, Kind, Tag, slug::Slug};
use forms::Form;
use serde_json::json;

use super::{Move, SiteImportError};
use crate::{import::rows::faults_of, source_site::SourceRecord};

/// A slug that another record had when this one was written.
#[derive(Debug)]
pub(super) struct WantedSlug {
    pub(super) kind: Kind,
    /// The ID here.
    pub(super) id: i64,
    /// The name of the record in remarks.
    pub(super) name: String,
    pub(super) wanted: Slug,
    /// The slug that it has instead.
    pub(super) slug: Slug,
}

impl Move<'_> {
    /// Gives records the slugs that became free when others were written, and reports the rest.
    pub(super) async fn settle_slugs(&mut self) -> Result<(), SiteImportError> {
        for one in std::mem::take(&mut self.slugs) {
            let is_settled = match one.kind {
                _ if self.options.dry_run => false,
                Kind::Event => self.settle::<Event>(&one).await?,
                Kind::Category => self.settle::<Category>(&one).await?,
                Kind::Tag => self.settle::<Tag>(&one).await?,
                // They have no field for it.
                Kind::Venue | Kind::Organizer => false,
            };
            if !is_settled {
                let (wanted, slug) = (one.wanted.as_str(), one.slug.as_str());
                let remark = format!("the slug {wanted} is taken: it is {slug} here");
                self.remark(&one.name, remark);
            }
        }
        Ok(())
    }

    async fn settle<R: Form>(&self, one: &WantedSlug) -> Result<bool, SiteImportError> {
        let repository = R::repository(self.calendar.store());
        let holder = repository.find_by_slug(&one.wanted).await;
        if holder.map_err(app::AppError::from)?.is_some() {
            return Ok(false);
        }
        let record = SourceRecord::new(one.kind, one.id, "");
        let key = RecordKey::<R>::Id(Id::from_raw(one.id));
        let body = json!({"slug": one.wanted.as_str()});
        let body = body.as_object().cloned().unwrap_or_default();
        match self.attempt(&record, Some(&key), &body, &[]).await {
            Ok(written) => Ok(written.record.content.slug() == Some(&one.wanted)),
            Err(error) => {
                faults_of(error)?;
                Ok(false)
            }
        }
    }
}
