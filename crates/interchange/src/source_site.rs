//! The port of calendars that move here: running sites of another program.

use async_trait::async_trait;
use domain::{Kind, Status, time::Timestamp};
use serde_json::{Map, Value};

/// A running calendar site, which is read page by page.
///
/// ```
/// use async_trait::async_trait;
/// use domain::{Kind, Status};
/// use events_calendar_interchange::{SourceList, SourcePage, SourceRecord, SourceSite, SourceSiteError};
/// use serde_json::json;
///
/// /// A site with one venue.
/// struct OneVenue;
///
/// #[async_trait]
/// impl SourceSite for OneVenue {
///     fn name(&self) -> &str {
///         "old.example"
///     }
///
///     fn statuses(&self) -> &[Status] {
///         &[Status::Publish]
///     }
///
///     async fn page(&self, list: SourceList, number: u32) -> Result<Option<SourcePage>, SourceSiteError> {
///         if list.kind != Kind::Venue || number > 1 {
///             return Ok(None);
///         }
///         let mut mill = SourceRecord::new(Kind::Venue, 7, "https://old.example/venue/mill/");
///         mill.fields = json!({ "venue": "Old Mill" }).as_object().unwrap().clone();
///         Ok(Some(SourcePage { records: vec![mill], ..SourcePage::default() }))
///     }
///
///     async fn author_names(&self, author: &str) -> Result<Vec<String>, SourceSiteError> {
///         Ok(vec![author.to_owned()])
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), SourceSiteError> {
/// let list = SourceList { kind: Kind::Venue, status: Status::Publish };
/// let page = OneVenue.page(list, 1).await?.unwrap();
/// assert_eq!(page.records[0].uid("old.example"), "old.example?venue=7");
///
/// // By default, a site has no list that names hidden events.
/// assert_eq!(OneVenue.event_ids(Status::Publish, 1).await?, None);
/// assert!(OneVenue.event(7, Status::Publish).await?.is_none());
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait SourceSite: Send + Sync {
    /// The name of the site among the sources of imports: its host, and its path if it has one.
    fn name(&self) -> &str;

    /// The statuses with lists of their own. Terms have only the first list.
    fn statuses(&self) -> &[Status];

    /// A page of a list, numbered from 1; none beyond the last one. A page may repeat records of
    /// earlier pages.
    ///
    /// # Errors
    ///
    /// [`SourceSiteError`], after the adapter repeated a failed request.
    async fn page(
        &self,
        list: SourceList,
        number: u32,
    ) -> Result<Option<SourcePage>, SourceSiteError>;

    /// A page of the IDs of the events with a status, numbered from 1, by a list that names hidden events
    /// too; `None` beyond the last page, or if the site has no such list.
    ///
    /// # Errors
    ///
    /// As for `page`; [`SourceSiteError::NotReadable`] if the site shows no such list.
    async fn event_ids(
        &self,
        status: Status,
        number: u32,
    ) -> Result<Option<Vec<i64>>, SourceSiteError> {
        let _ = (status, number);
        Ok(None)
    }

    /// The event with an ID, which has this status; `None` if the site does not show it.
    ///
    /// # Errors
    ///
    /// As for `page`.
    async fn event(
        &self,
        id: i64,
        status: Status,
    ) -> Result<Option<SourceRecord>, SourceSiteError> {
        let _ = (id, status);
        Ok(None)
    }

    /// The names of an author, by which a user of this calendar may be found: IDs, names and e-mail
    /// addresses. The reference of a record to its author is among them.
    ///
    /// # Errors
    ///
    /// As for `page`.
    async fn author_names(&self, author: &str) -> Result<Vec<String>, SourceSiteError>;
}

/// A list of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceList {
    /// The kind of its records.
    pub kind: Kind,
    /// The status of its records.
    pub status: Status,
}

/// A page of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourcePage {
    /// The records.
    pub records: Vec<SourceRecord>,
    /// The items that are no records, each with the reason.
    pub unreadable: Vec<String>,
    /// The number of records in all pages, if the site says it.
    pub total: Option<u64>,
}

/// A record of a site, in the fields of a creation here.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRecord {
    /// The kind.
    pub kind: Kind,
    /// The ID in the site.
    pub id: i64,
    /// The identifier that the site says, unique in the world.
    pub global_id: Option<String>,
    /// The URL in the site, for people.
    pub url: String,
    /// The author: an ID or a name.
    pub author: Option<String>,
    /// The slug. Venues and organizers have no field of this name.
    pub slug: Option<String>,
    /// The fields of a creation, without author and records that are named by ID.
    pub fields: Map<String, Value>,
    /// The ID of the image.
    pub image_id: Option<i64>,
    /// The ID of the parent of a category.
    pub parent: Option<i64>,
    /// The records that an event names. None of them names others.
    pub related: Vec<SourceRecord>,
    /// Start and end in UTC by the site, as `2030-03-10 08:00:00`.
    pub utc: Option<[String; 2]>,
    /// The last change in the site, in UTC.
    pub modified: Option<Timestamp>,
    /// Whether a password hides the content of an event.
    pub locked: bool,
    /// The guesses that were made.
    pub notes: Vec<String>,
}

impl SourceRecord {
    /// A record without fields.
    pub fn new(kind: Kind, id: i64, url: &str) -> Self {
        Self {
            kind,
            id,
            global_id: None,
            url: url.to_owned(),
            author: None,
            slug: None,
            fields: Map::new(),
            image_id: None,
            parent: None,
            related: Vec::new(),
            utc: None,
            modified: None,
            locked: false,
            notes: Vec::new(),
        }
    }

    /// The identifier among the records of the site with this name.
    pub fn uid(&self, site: &str) -> String {
        let by_id = || format!("{site}?{}={}", self.kind, self.id);
        self.global_id.clone().unwrap_or_else(by_id)
    }
}

/// The reasons for which a site cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceSiteError {
    /// The caller may not read the list, or the site does not have it.
    #[error("{0}")]
    NotReadable(String),
    /// The site failed, also when the request was repeated; the text is the reason.
    #[error("{0}")]
    Failed(String),
}
