//! Writing an archive.

use std::collections::BTreeMap;

use app::{
    calendar::Calendar,
    error::AppError,
    ports::{OccurrenceFilter, Repositories, Repository, StoreError},
};
use domain::{
    Category, Event, EventId, Id, OrganizerId, Record, Role, Stage, Stored, TagId, UserId, VenueId,
    image::{FilePath, ImageFilter},
    page::PageRequest,
    policy::{Caller, Visibility},
    time::{Timestamp, ZoneData},
};
use serde_json::json;

use super::{
    entry::EntryLine,
    event::{DateLine, OccurrencesLine},
    image::ImageLine,
    line::{FORMAT, Header, Line, UserLine, VERSION},
    review::{ProposalLine, RemarkLine, VerificationLine},
    site::SiteLine,
    term::TermLine,
    text::{FormerSlugLine, SlugText, Utc},
    tombstone::TombstoneLine,
    trail::TrailLine,
};

/// The number of records that are read at once.
const BATCH: u32 = 200;

/// The number of occurrences in a line.
const OCCURRENCES: usize = 500;

/// The content of an archive besides the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// The hashes of the passwords of events, and their key. Without them, locked events become
    /// drafts, as they would be open to everybody.
    pub secrets: bool,
    /// Whether the audit trail is in the archive, without addresses.
    pub audit: bool,
}

/// The next part of an archive.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ExportPart {
    /// The lines, without line ends.
    pub lines: Vec<String>,
    /// The files of the images among them.
    pub files: Vec<FilePath>,
    /// The locked events among them that became drafts.
    pub made_drafts: Vec<EventId>,
}

/// An archive of one state of the calendar, which is read as it is written. Writes may wait until it
/// is dropped.
pub struct Export {
    records: Box<dyn Repositories>,
    options: ExportOptions,
    /// One of the users, in whose place images are listed; `None` if there is no user.
    user: Option<UserId>,
    step: Step,
}

/// The records that come next: those of a kind, after an ID.
enum Step {
    Start(Box<Header>),
    Tags(Option<TagId>),
    Images(u32),
    Venues(Option<VenueId>),
    Organizers(Option<OrganizerId>),
    Events(Option<EventId>),
    Tombstones(Option<String>),
    Reviews(Option<EventId>),
    /// The trail behind an entry.
    Trail(i64),
    End,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Export")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Begins an archive of everything in the calendar.
///
/// # Errors
///
/// If the store cannot answer.
pub async fn export(calendar: &Calendar, options: ExportOptions) -> Result<Export, AppError> {
    let site = calendar.site();
    let password_key = options.secrets.then(|| calendar.secret().expose().clone());
    let header = Header {
        archive: FORMAT.to_owned(),
        version: VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        created_utc: Utc(calendar.now()),
        timezone: site.zone.clone(),
        language: site.language,
        zone_data: ZoneData::version_in_use().to_string(),
        password_key,
    };
    Ok(Export {
        records: calendar.store().snapshot().await?,
        options,
        user: None,
        step: Step::Start(Box::new(header)),
    })
}

impl Export {
    /// The next part; none at the end.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn next_part(&mut self) -> Result<Option<ExportPart>, StoreError> {
        let mut part = ExportPart::default();
        while part.lines.is_empty() {
            self.step = match std::mem::replace(&mut self.step, Step::End) {
                Step::Start(header) => {
                    part.lines.push(json!(header).to_string());
                    self.users(&mut part).await?;
                    self.all_categories(&mut part).await?;
                    Step::Tags(None)
                }
                Step::Tags(after) => {
                    let line = |tag, slugs| Line::Tag(TermLine::new(tag, slugs));
                    match lines(self.records.tags(), after, line, &mut part).await? {
                        None => Step::Images(1),
                        last => Step::Tags(last),
                    }
                }
                Step::Images(page) => {
                    if self.images(page, &mut part).await? {
                        Step::Images(page + 1)
                    } else {
                        Step::Venues(None)
                    }
                }
                Step::Venues(after) => {
                    let venues = self.records.venues();
                    let line = |one, slugs| Line::Venue(Box::new(EntryLine::new(one, slugs)));
                    match lines(venues, after, line, &mut part).await? {
                        None => Step::Organizers(None),
                        last => Step::Venues(last),
                    }
                }
                Step::Organizers(after) => {
                    let organizers = self.records.organizers();
                    let line = |one, slugs| Line::Organizer(Box::new(EntryLine::new(one, slugs)));
                    match lines(organizers, after, line, &mut part).await? {
                        None => Step::Events(None),
                        last => Step::Organizers(last),
                    }
                }
                Step::Events(after) => match self.events(after, &mut part).await? {
                    None => Step::Tombstones(None),
                    last => Step::Events(last),
                },
                Step::Tombstones(after) => match self.tombstones(after, &mut part).await? {
                    None => Step::Reviews(None),
                    last => Step::Tombstones(last),
                },
                Step::Reviews(after) => match self.reviews(after, &mut part).await? {
                    None => {
                        self.site(&mut part).await?;
                        if self.options.audit {
                            Step::Trail(0)
                        } else {
                            Step::End
                        }
                    }
                    last => Step::Reviews(last),
                },
                Step::Trail(after) => match self.trail(after, &mut part).await? {
                    None => Step::End,
                    Some(last) => Step::Trail(last),
                },
                Step::End => return Ok(None),
            };
        }
        Ok(Some(part))
    }

    async fn users(&mut self, part: &mut ExportPart) -> Result<(), StoreError> {
        for user in self.records.users().list().await? {
            self.user = Some(user.id);
            part.push(&Line::User(UserLine::new(user)));
        }
        Ok(())
    }

    /// The settings of the site.
    async fn site(&self, part: &mut ExportPart) -> Result<(), StoreError> {
        let Some(user) = self.user else {
            return Ok(());
        };
        for stored in self.records.settings().site().await?.values.values() {
            part.push(&Line::SiteSetting(SiteLine::new(stored, user)));
        }
        Ok(())
    }

    /// All categories, each after its parent.
    async fn all_categories(&self, part: &mut ExportPart) -> Result<(), StoreError> {
        let repository = self.records.categories();
        let mut children: BTreeMap<_, Vec<WithSlugs<Category>>> = BTreeMap::new();
        let mut after = None;
        while let Some((last, records)) = batch(repository, after).await? {
            after = Some(last);
            for (category, slugs) in records {
                let siblings = children.entry(category.parent).or_default();
                siblings.push((category, slugs));
            }
        }
        let mut next = children.remove(&None).unwrap_or_default();
        next.reverse();
        while let Some((category, slugs)) = next.pop() {
            let below = children.remove(&Some(category.id)).unwrap_or_default();
            next.extend(below.into_iter().rev());
            part.push(&Line::Category(TermLine::new(category, slugs)));
        }
        Ok(())
    }

    /// A page of images. Returns whether there was one.
    async fn images(&self, page: u32, part: &mut ExportPart) -> Result<bool, StoreError> {
        let images = self.records.images();
        // Without a user, nobody has uploaded an image.
        let Some(id) = self.user else {
            return Ok(false);
        };
        let role = Role::Administrator;
        let everything = Visibility::new(Caller::of(id, role), Timestamp::MAX);
        let page = PageRequest::new(page.into(), BATCH.into(), BATCH);
        let filter = ImageFilter::default();
        let listed = images.list_visible(&filter, &page, &everything).await?;
        let ids = listed.rows;
        for image in images.find_many(&ids).await? {
            part.files.extend(image.paths());
            part.push(&Line::Image(ImageLine::new(image)));
        }
        Ok(!ids.is_empty())
    }

    /// Events, and the occurrences of the series among them.
    async fn events(
        &self,
        after: Option<EventId>,
        part: &mut ExportPart,
    ) -> Result<Option<EventId>, StoreError> {
        let Some((last, events)) = batch(self.records.events(), after).await? else {
            return Ok(None);
        };
        for (event, slugs) in events {
            // An occurrence follows its series.
            if event.occurrence().is_some() {
                continue;
            }
            let series = event.series().is_some().then_some(event.id);
            self.event(event, slugs, part);
            if let Some(series) = series {
                self.occurrences(series, part).await?;
            }
        }
        Ok(Some(last))
    }

    /// Tombstones after a UID. Returns the last UID; none at the end.
    async fn tombstones(
        &self,
        after: Option<String>,
        part: &mut ExportPart,
    ) -> Result<Option<String>, StoreError> {
        let tombstones = self.records.tombstones();
        let page = tombstones.page(
            Timestamp::MIN,
            after.as_deref().unwrap_or_default(),
            BATCH.into(),
        );
        let page = page.await?;
        let last = page.last().map(|last| last.uid.clone());
        for tombstone in page {
            part.push(&Line::Tombstone(TombstoneLine::new(tombstone)));
        }
        Ok(last)
    }

    /// The remarks, verifications and proposals of the events after one. Returns the last ID; `None` at the end.
    async fn reviews(
        &self,
        after: Option<EventId>,
        part: &mut ExportPart,
    ) -> Result<Option<EventId>, StoreError> {
        let ids = self.records.events();
        let ids = ids.ids_after(after, BATCH as usize).await?;
        let reviews = self.records.reviews();
        for remark in reviews.remarks(&ids).await? {
            part.push(&Line::Remark(RemarkLine::new(&remark)));
        }
        for (event, verified) in reviews.verified(&ids).await? {
            let verified_utc = Utc(verified);
            part.push(&Line::Verification(VerificationLine {
                event,
                verified_utc,
            }));
        }
        for proposal in reviews.proposals(&ids).await? {
            part.push(&Line::Proposal(Box::new(ProposalLine::new(proposal))));
        }
        Ok(ids.last().copied())
    }

    /// Adds entries of the trail. Returns the number of the last one.
    async fn trail(&self, after: i64, part: &mut ExportPart) -> Result<Option<i64>, StoreError> {
        let entries = self.records.audit();
        let entries = entries.entries_after(after, BATCH.into()).await?;
        let last = entries.last().map(|entry| entry.number);
        for entry in entries {
            part.push(&Line::Audit(Box::new(TrailLine::new(entry))));
        }
        Ok(last)
    }

    fn event(&self, mut event: Stored<Event>, slugs: Vec<FormerSlugLine>, part: &mut ExportPart) {
        if !self.options.secrets && event.details.password.is_some() {
            let content = &mut event.content;
            content.details.password = None;
            if content.stage != Stage::Trashed {
                content.stage = Stage::Draft;
            }
            part.made_drafts.push(event.id);
        }
        part.push(&Line::Event(Box::new(EntryLine::new(event, slugs))));
    }

    /// The occurrences of a series, and then the records of overrides.
    async fn occurrences(&self, series: EventId, part: &mut ExportPart) -> Result<(), StoreError> {
        let repository = self.records.occurrences();
        let stored = repository
            .of_series(series, &OccurrenceFilter::default())
            .await?;
        for chunk in stored.chunks(OCCURRENCES) {
            let ids: Vec<_> = chunk.iter().map(|one| one.id).collect();
            let events = self.records.events().find_many(&ids).await?;
            let occurrences = chunk.iter().zip(&events).map(|(one, event)| DateLine {
                id: one.id,
                date: one.slot,
                revision: event.revision,
                is_override: one.is_override,
            });
            part.push(&Line::Occurrences(OccurrencesLine {
                series,
                occurrences: occurrences.collect(),
            }));
            let overrides = chunk.iter().zip(events).filter(|(one, _)| one.is_override);
            for (_, event) in overrides {
                self.event(event, Vec::new(), part);
            }
        }
        Ok(())
    }
}

impl ExportPart {
    fn push(&mut self, line: &Line) {
        self.lines.push(json!(line).to_string());
    }
}

/// A record with the slugs that it gave up.
type WithSlugs<R> = (Stored<R>, Vec<FormerSlugLine>);

/// The records after one, with the last of their IDs; none at the end.
async fn batch<R: Record>(
    repository: &(impl Repository<R> + ?Sized),
    after: Option<Id<R>>,
) -> Result<Option<(Id<R>, Vec<WithSlugs<R>>)>, StoreError> {
    let ids = repository.ids_after(after, BATCH as usize).await?;
    let Some(last) = ids.last().copied() else {
        return Ok(None);
    };
    let mut former = BTreeMap::<_, Vec<_>>::new();
    for (id, language, slug) in repository.former_slugs(&ids).await? {
        let slug = SlugText(slug);
        let line = FormerSlugLine { slug, language };
        former.entry(id).or_default().push(line);
    }
    let records = repository.find_many(&ids).await?.into_iter();
    let records = records.map(|record| {
        let slugs = former.remove(&record.id).unwrap_or_default();
        (record, slugs)
    });
    Ok(Some((last, records.collect())))
}

/// Adds the lines of the records after one. Returns the last of their IDs; none at the end.
async fn lines<R: Record>(
    repository: &(impl Repository<R> + ?Sized),
    after: Option<Id<R>>,
    line: impl Fn(Stored<R>, Vec<FormerSlugLine>) -> Line,
    part: &mut ExportPart,
) -> Result<Option<Id<R>>, StoreError> {
    let Some((last, records)) = batch(repository, after).await? else {
        return Ok(None);
    };
    for (record, slugs) in records {
        part.push(&line(record, slugs));
    }
    Ok(Some(last))
}
