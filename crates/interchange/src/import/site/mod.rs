//! Moving a running site of another program here.

mod arrival;
mod copies;
mod fields;
mod joined_copies;
mod ledger;
mod list;
mod missing_records;
mod pictures;
mod slugs;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
};

use app::{calendar::Calendar, error::AppError};
use domain::{
    Kind, Status, UserId,
    duplicate::MergeDuplicates,
    policy::{Caller, Capability},
    source::UpdatePolicy,
    text::Title,
};

use self::{copies::Copies, fields::Arrived, ledger::Ledger, slugs::WantedSlug};
use super::apply::Brought;
use crate::source_site::{SourceSite, SourceSiteError};

/// The way in which a site is imported.
#[derive(Clone, Debug, Default)]
pub struct SiteImport {
    /// The effect on records that an earlier run brought.
    pub policy: UpdatePolicy,
    /// The status of new events, whatever the site says, but for private ones; by default that of the site.
    pub status: Option<Status>,
    /// The name of a category of all events that are new or changed.
    pub category: Option<Title>,
    /// The duplicates that are merged; by default those of the setting of the site.
    pub merge_duplicates: Option<MergeDuplicates>,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// Whether copies of one event at regular dates become a series.
    pub join_copies: bool,
    /// Whether records that earlier runs brought, and that the site does not show any more, go to the
    /// trash.
    pub prune: bool,
    /// Whether pictures within texts stay links to the site.
    pub keep_image_links: bool,
    /// The users here by the names of authors there: IDs, names or e-mail addresses, in lower case.
    pub authors: HashMap<String, UserId>,
}

/// The number of records of a kind by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteCounts {
    /// Records that are new here.
    pub created: u64,
    /// Records that an earlier run brought, and that changed.
    pub updated: u64,
    /// Records that stay as they are.
    pub unchanged: u64,
    /// Records that were not taken.
    pub refused: u64,
}

/// The result of an import of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteReport {
    /// The counts of each kind.
    pub counts: BTreeMap<Kind, SiteCounts>,
    /// The records with another ID than in the site.
    pub renumbered: u64,
    /// The events whose times in UTC differ from those of the site.
    pub wrong_utc: u64,
    /// The images that were not taken.
    pub failed_images: u64,
    /// The groups of copies of one event.
    pub copies: u64,
    /// The events that became dates of a series.
    pub joined: u64,
    /// The records that earlier runs brought, and that the site does not show any more.
    pub gone: u64,
    /// The records of these that went to the trash.
    pub pruned: u64,
    /// The pairs of records that look alike, and that nobody knew of.
    pub duplicates: u64,
    /// The pairs that were merged.
    pub merged: u64,
    /// Whether none of them went to the trash, as a list was not complete, or as too many of the coming
    /// events are among them.
    pub is_prune_refused: bool,
}

impl SiteReport {
    /// Whether nothing changed here.
    pub fn is_unchanged(&self) -> bool {
        let mut counts = self.counts.values();
        self.pruned == 0 && counts.all(|counts| (counts.created, counts.updated) == (0, 0))
    }

    /// The number of records that were not taken.
    pub fn refused(&self) -> u64 {
        self.counts.values().map(|counts| counts.refused).sum()
    }
}

/// The progress of an import.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SiteProgress<'a> {
    /// A list begins; its number of records, if the site says it.
    List(Kind, Option<u64>),
    /// A record of the list is done.
    Record,
    /// A remark about a record, for a person.
    Remark(&'a str),
}

/// The reasons for which an import of a site stops. The records before it stay.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteImportError {
    /// The site cannot be read.
    #[error(transparent)]
    Site(#[from] SourceSiteError),
    /// The caller may not import, or the store failed.
    #[error(transparent)]
    App(#[from] AppError),
}

/// The receiver of the progress.
pub type Observer<'a> = dyn Fn(SiteProgress<'_>) + Sync + 'a;

/// An import of a site that is under way.
struct Move<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    site: &'a dyn SourceSite,
    options: &'a SiteImport,
    observer: &'a Observer<'a>,
    report: SiteReport,
    /// The records that were read, by their ID there.
    arrived: HashMap<(Kind, i64), Arrived>,
    /// The records that lists had.
    listed: HashSet<(Kind, i64)>,
    /// The IDs of events that the site named, hidden ones among them.
    named: HashSet<i64>,
    /// The slugs of events that lists had.
    event_slugs: HashSet<String>,
    /// The users here by author there; none for the caller.
    authors: HashMap<String, Option<UserId>>,
    /// The records that earlier runs brought.
    ledger: Ledger,
    copies: Copies,
    /// The slugs that other records had when theirs were written.
    slugs: Vec<WantedSlug>,
    /// The series of joined copies that were read, and whether the run changed them.
    series: BTreeMap<i64, bool>,
    /// The records that are new here, or changed.
    brought: Brought,
}

impl Move<'_> {
    /// Passes a remark to the observer.
    fn remark(&self, subject: impl fmt::Display, remark: impl fmt::Display) {
        (self.observer)(SiteProgress::Remark(&format!("{subject}: {remark}")));
    }

    /// The user here who is an author there.
    async fn user_of(&mut self, author: &str) -> Result<Option<UserId>, SiteImportError> {
        if let Some(known) = self.authors.get(author) {
            return Ok(*known);
        }
        let names = self.site.author_names(author).await?;
        let mapped = names
            .iter()
            .find_map(|name| self.options.authors.get(&name.to_lowercase()).copied());
        let mut user = mapped;
        for name in names.iter().filter(|_| mapped.is_none()) {
            let found = self.calendar.store().users().find_by_login(name).await;
            user = user.or(found.map_err(AppError::from)?.map(|user| user.id));
        }
        if user.is_none() {
            let remark =
                "no user here has one of these names: the records belong to the importing user";
            self.remark(format_args!("author {}", names.join(", ")), remark);
        }
        self.authors.insert(author.to_owned(), user);
        Ok(user)
    }
}

/// Imports all records of a site, one after the other: terms, venues, organizers, events. Each
/// record is a unit of work of its own, so that a run that was interrupted is continued by another
/// one. A record that an earlier run brought is found by its identifier in the site.
///
/// A record keeps its ID if that is free here. A field that is not valid here is left out, and
/// a record without a required field is refused; both are remarks to the observer.
///
/// ```
/// use domain::{Kind, Status};
/// use events_calendar_interchange::{
///     MockSourceSite, SourcePage, SourceRecord,
///     import::{SiteCounts, SiteImport, SiteImportError, SiteProgress, SiteReport, import_site},
/// };
/// use serde_json::json;
/// # use app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), SiteImportError> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let mut site = MockSourceSite::new();
/// site.expect_name().return_const("old.example".to_owned());
/// site.expect_statuses().return_const(vec![Status::Publish]);
/// site.expect_event_ids().returning(|_, _| Ok(None));
/// site.expect_page().returning(|list, number| {
///     let mut mill = SourceRecord::new(Kind::Venue, 7, "https://old.example/venue/mill/");
///     mill.fields = json!({ "venue": "Old Mill" }).as_object().unwrap().clone();
///     let page = SourcePage { records: vec![mill], ..SourcePage::default() };
///     Ok((list.kind == Kind::Venue && number == 1).then_some(page))
/// });
/// let observer = |progress: SiteProgress| if let SiteProgress::Remark(remark) = progress {
///     println!("{remark}");
/// };
/// let import = SiteImport::default();
/// let report: SiteReport = import_site(&calendar, editor, &site, &import, &observer).await?;
/// assert_eq!(report.counts[&Kind::Venue], SiteCounts { created: 1, ..SiteCounts::default() });
/// let again = import_site(&calendar, editor, &site, &import, &observer).await?;
/// assert!(again.is_unchanged() && again.refused() == 0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`AppError::Forbidden`] for a caller who may not change the records of others; or if the site or
/// the store fails.
pub async fn import_site(
    calendar: &Calendar,
    caller: Caller,
    site: &dyn SourceSite,
    options: &SiteImport,
    observer: &Observer<'_>,
) -> Result<SiteReport, SiteImportError> {
    if !caller.can(Capability::EditOthers) {
        return Err(AppError::Forbidden.into());
    }
    import_site_of(calendar, caller, site, options, observer).await
}

/// As [`import_site`], also for callers who may change their own records alone. Theirs are all that they
/// bring.
pub(crate) async fn import_site_of(
    calendar: &Calendar,
    caller: Caller,
    site: &dyn SourceSite,
    options: &SiteImport,
    observer: &Observer<'_>,
) -> Result<SiteReport, SiteImportError> {
    let mut moving = Move {
        calendar,
        caller,
        site,
        options,
        observer,
        report: SiteReport::default(),
        arrived: HashMap::new(),
        listed: HashSet::new(),
        named: HashSet::new(),
        event_slugs: HashSet::new(),
        authors: HashMap::new(),
        ledger: Ledger::default(),
        copies: Copies::default(),
        slugs: Vec::new(),
        series: BTreeMap::new(),
        brought: Brought::default(),
    };
    moving.lists().await?;
    if !options.dry_run {
        let found = moving
            .brought
            .compare(calendar, caller, options.merge_duplicates);
        [moving.report.duplicates, moving.report.merged] = found.await?;
    }
    Ok(moving.report)
}
