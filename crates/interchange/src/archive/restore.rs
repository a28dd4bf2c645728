//! Reading an archive into an empty calendar.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
};

use app::{
    calendar::restore_secret,
    place::Place,
    ports::{
        GivenOccurrence, OccurrencePlan, Repository, SiteChange, SlugRequest, SlugRequests, Store,
        StoreError, UnitOfWork,
    },
    resource::Resource,
};
use domain::{
    Entry, EventId, Id, Kind, Language, Stored,
    event::{Event, Repetition},
    image::FilePath,
    slug::Slug,
    time::Zone,
};
use serde_json::Value;

use super::{
    event::OccurrencesLine,
    line::{FORMAT, Header, Line, VERSION},
    site::SiteLine,
    text::FormerSlugLine,
};

/// The greatest ID: JavaScript reads greater numbers wrongly.
const MAX_ID: i64 = (1 << 53) - 1;

/// Why an archive cannot be read. Then nothing of it is in the calendar.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The first line is no header.
    #[error("the first line is no header of an archive: {0}")]
    Header(String),
    /// Another version of the program wrote the archive.
    #[error("the archive has version {0} of the format, and this program reads version {VERSION}")]
    Version(u32),
    /// The calendar has events, venues, organizers, categories, tags or images.
    #[error("the calendar is not empty: an archive is read into a new database")]
    NotEmpty,
    /// The calendar hashes passwords with another key than the archive.
    #[error(
        "the calendar has another key for passwords than the archive: read the archive into a database that no \
         server has used yet"
    )]
    OtherKey,
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// The rule that it breaks.
        reason: String,
    },
    /// The store cannot answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The number of records of each kind in an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoredCounts(BTreeMap<&'static str, u64>);

impl fmt::Display for RestoredCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.iter().map(|(word, count)| match (*count, *word) {
            (1, word) => format!("1 {word}"),
            (count, "category") => format!("{count} categories"),
            (count, word) => format!("{count} {word}s"),
        });
        f.write_str(&counts.collect::<Vec<_>>().join(", "))
    }
}

/// An archive that is being read into an empty calendar, in one unit of work. Dropping it reads
/// nothing.
pub struct Restore {
    unit: Box<dyn UnitOfWork>,
    zone: Zone,
    language: Language,
    line: u64,
    seen: Seen,
    /// The last series, whose occurrences may follow.
    series: Option<Stored<Event>>,
    counts: RestoredCounts,
}

/// The facts of the lines so far.
#[derive(Default)]
struct Seen {
    /// The IDs of records, and those of users and images.
    ids: HashSet<(&'static str, i64)>,
    uids: HashSet<String>,
    /// The parents of events, each with its first line.
    parents: HashMap<EventId, u64>,
    /// Overrides whose records must follow, each with its line.
    overrides: HashMap<EventId, u64>,
}

impl fmt::Debug for Restore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Restore")
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

const USER: &str = "user";
const IMAGE: &str = "image";

/// The word of messages for an entry of the audit trail.
const TRAIL: &str = "change";

impl Restore {
    /// Whether a line is the header of an archive, of any version.
    pub fn is_header(line: &str) -> bool {
        let header = serde_json::from_str::<Value>(line.trim_start_matches('\u{feff}'));
        header.is_ok_and(|header| header.get("archive").is_some_and(|name| name == FORMAT))
    }

    /// Begins with the header.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`].
    pub async fn begin(store: &dyn Store, header: &str) -> Result<Self, ArchiveError> {
        let malformed = |error: serde_json::Error| ArchiveError::Header(error.to_string());
        let header = header.trim_start_matches('\u{feff}');
        let version: Value = serde_json::from_str(header).map_err(malformed)?;
        let version = version.get("version").and_then(Value::as_u64);
        if let Some(version) = version.filter(|version| *version != u64::from(VERSION)) {
            return Err(ArchiveError::Version(
                version.try_into().unwrap_or(u32::MAX),
            ));
        }
        let header: Header = serde_json::from_str(header).map_err(malformed)?;
        let unit = store.begin().await?;
        if !is_empty(&*unit).await? {
            return Err(ArchiveError::NotEmpty);
        }
        if let Some(key) = header.password_key
            && !restore_secret(&*unit, &key).await?
        {
            return Err(ArchiveError::OtherKey);
        }
        Ok(Self {
            unit,
            zone: header.timezone,
            language: header.language,
            line: 1,
            seen: Seen::default(),
            series: None,
            counts: RestoredCounts::default(),
        })
    }

    /// The time zone of the site that wrote the archive.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The language of that site.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Adds the record of the next line. Returns the files that must exist before the
    /// [`commit`](Self::commit): those of an image.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Line`], or [`ArchiveError::Store`]. The archive cannot be read further then.
    pub async fn add(&mut self, line: &str) -> Result<Vec<FilePath>, ArchiveError> {
        self.line += 1;
        if line.trim().is_empty() {
            return Ok(Vec::new());
        }
        let line = serde_json::from_str(line).map_err(|error| self.unreadable(&error))?;
        match line {
            Line::User(line) => self.add_user(line.into_user()).await?,
            Line::SiteSetting(line) => self.add_site_setting(line).await?,
            Line::Category(line) => {
                let (category, former) = line.into_record();
                self.require(Kind::Category.name(), category.parent)?;
                self.add_record(category, former).await?;
            }
            Line::Tag(line) => {
                let (tag, former) = line.into_record();
                self.add_record(tag, former).await?;
            }
            Line::Image(line) => {
                let image = line.into_image().map_err(|reason| self.refused(reason))?;
                self.require(USER, [image.uploader])?;
                self.take(IMAGE, image.id.get())?;
                let files = image.paths();
                let added = self.unit.images().insert_at(image).await;
                self.stored(added)?;
                return Ok(files);
            }
            Line::Venue(line) => {
                let line = line.into_record().map_err(|reason| self.refused(reason))?;
                self.add_place(line).await?;
            }
            Line::Organizer(line) => {
                let line = line.into_record().map_err(|reason| self.refused(reason))?;
                self.add_place(line).await?;
            }
            Line::Event(line) => {
                let line = line.into_record();
                let (event, former) = line.map_err(|reason| self.refused(reason))?;
                self.add_event(event, former).await?;
            }
            Line::Occurrences(line) => self.add_occurrences(line).await?,
            Line::Tombstone(line) => {
                let tombstone = line.into_tombstone();
                let put = self.unit.tombstones().put(&tombstone).await;
                self.stored(put)?;
            }
            Line::Remark(line) => {
                let remark = line.into_remark().map_err(|reason| self.refused(reason))?;
                self.require(Kind::Event.name(), [remark.event])?;
                self.require(USER, remark.author)?;
                let put = self.unit.reviews().put_remark(&remark).await;
                self.stored(put)?;
            }
            Line::Verification(line) => {
                self.require(Kind::Event.name(), [line.event])?;
                let reviews = self.unit.reviews();
                let verified = reviews.verify(line.event, line.verified_utc.0).await;
                self.stored(verified)?;
            }
            Line::Audit(line) => {
                let entry = line.into_entry().map_err(|reason| self.refused(reason))?;
                let added = self.unit.audit().add(&entry).await;
                self.stored(added)?;
                *self.counts.0.entry(TRAIL).or_default() += 1;
            }
            Line::Proposal(line) => {
                let proposal = line.into_proposal();
                self.require(Kind::Event.name(), [proposal.event])?;
                let added = self.unit.reviews().add_proposal(&proposal).await;
                self.stored(added)?;
            }
        }
        Ok(Vec::new())
    }

    /// Commits all records.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`]; then the calendar is as before.
    pub async fn commit(self) -> Result<RestoredCounts, ArchiveError> {
        let event = Kind::Event.name();
        let parents = self.seen.parents.iter();
        let mut lost: Vec<_> = parents
            .filter(|(id, _)| !self.seen.ids.contains(&(event, id.get())))
            .map(|(id, line)| (*line, format!("the archive has no event {id}")))
            .collect();
        let missing = self.seen.overrides.iter();
        lost.extend(missing.map(|(id, line)| {
            let reason = format!("the archive has no record of the occurrence {id}");
            (*line, reason)
        }));
        if let Some((line, reason)) = lost.into_iter().min() {
            return Err(ArchiveError::Line { line, reason });
        }
        self.unit.commit().await?;
        Ok(self.counts)
    }

    /// The error for this line.
    fn refused(&self, reason: impl Into<String>) -> ArchiveError {
        ArchiveError::Line {
            line: self.line,
            reason: reason.into(),
        }
    }

    /// The error for a line of another form, with the column instead of the line within the line.
    fn unreadable(&self, error: &serde_json::Error) -> ArchiveError {
        let text = error.to_string();
        let (reason, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
        match error.column() {
            0 => self.refused(reason),
            column => self.refused(format!("{reason}, at column {column}")),
        }
    }

    /// The result of a write. A conflict can only come from the line, or from another writer.
    fn stored<T>(&self, result: Result<T, StoreError>) -> Result<T, ArchiveError> {
        result.map_err(|error| match error {
            StoreError::Conflict => {
                self.refused("conflicts with a line before it, or with another program that writes")
            }
            error => error.into(),
        })
    }

    /// Refuses references to records that no line has brought.
    fn require<R>(
        &self,
        kind: &'static str,
        ids: impl IntoIterator<Item = Id<R>>,
    ) -> Result<(), ArchiveError> {
        let mut ids = ids.into_iter();
        match ids.find(|id| !self.seen.ids.contains(&(kind, id.get()))) {
            Some(id) => Err(self.refused(format!("no line before it has the {kind} {id}"))),
            None => Ok(()),
        }
    }

    /// Takes an ID, and counts the record that has it.
    fn take(&mut self, kind: &'static str, id: i64) -> Result<(), ArchiveError> {
        if !(1..=MAX_ID).contains(&id) {
            return Err(self.refused(format!("id: must be from 1 to {MAX_ID}")));
        }
        if !self.seen.ids.insert((kind, id)) {
            return Err(self.refused(format!("a line before it has the {kind} {id}")));
        }
        *self.counts.0.entry(kind).or_default() += 1;
        Ok(())
    }

    async fn add_site_setting(&mut self, line: SiteLine) -> Result<(), ArchiveError> {
        let (value, by, at) = line.into_value().map_err(|reason| self.refused(reason))?;
        self.require(USER, [by])?;
        let settings = self.unit.settings();
        let revision = self.stored(settings.site_revision().await)?;
        let set = [SiteChange::Set(value)];
        self.stored(settings.change_site(revision, &set, by, at).await)?;
        Ok(())
    }

    async fn add_user(&mut self, user: Stored<domain::User>) -> Result<(), ArchiveError> {
        self.take(USER, user.id.get())?;
        let users = self.unit.users();
        // The first start of a server creates a user.
        if let Some(known) = users.find(user.id).await?
            && known.name.as_str().to_lowercase() == user.name.as_str().to_lowercase()
        {
            return Ok(());
        }
        let reason = format!(
            "another user of the calendar has the ID, the name or the e-mail address of `{}`",
            user.name
        );
        let added = users.insert_at(user).await;
        if self.stored(added)? {
            Ok(())
        } else {
            Err(self.refused(reason))
        }
    }

    /// Adds a record with its slugs, and those that it gave up.
    async fn add_record<R: Resource>(
        &mut self,
        record: Stored<R>,
        former: Vec<FormerSlugLine>,
    ) -> Result<(), ArchiveError> {
        self.take(R::KIND.name(), record.id.get())?;
        let translations = record.translations().iter();
        let translations = translations.filter_map(|(language, translation)| {
            let slug = translation.slug.clone()?;
            Some((language, SlugRequest::new(slug)))
        });
        let requests = SlugRequests {
            original: record.slug().cloned().map(SlugRequest::new),
            translations: translations.collect(),
        };
        let slugs = |record: &Stored<R>| -> Vec<(Language, Slug)> {
            record
                .slugs()
                .map(|(language, slug)| (language, slug.clone()))
                .collect()
        };
        let (id, wanted) = (record.id, slugs(&record));
        let repository = R::repository(&*self.unit);
        let added = self.stored(repository.insert_at(record, requests).await)?;
        let taken = || self.refused(format!("another {} has the ID {id}", R::KIND));
        let got = slugs(&added.ok_or_else(taken)?);
        let other = wanted.iter().find(|slug| !got.contains(slug));
        if let Some((_, slug)) = other {
            return Err(self.refused(format!("another {} has the slug {slug}", R::KIND)));
        }
        if !former.is_empty() {
            let former = former.into_iter().map(|line| (line.language, line.slug.0));
            let former: Vec<_> = former.collect();
            self.stored(repository.give_up_slugs(id, &former).await)?;
        }
        Ok(())
    }

    /// Adds a venue or an organizer.
    async fn add_place<D: Place>(
        &mut self,
        (place, former): (Stored<Entry<D>>, Vec<FormerSlugLine>),
    ) -> Result<(), ArchiveError> {
        self.require(USER, [place.author])?;
        self.require(IMAGE, place.image)?;
        self.add_record(place, former).await
    }

    async fn add_event(
        &mut self,
        event: Stored<Event>,
        former: Vec<FormerSlugLine>,
    ) -> Result<(), ArchiveError> {
        self.require(USER, [event.author])?;
        self.require(IMAGE, event.image)?;
        let details = &event.details;
        self.require(Kind::Category.name(), details.categories.iter().copied())?;
        self.require(Kind::Tag.name(), details.tags.iter().copied())?;
        self.require(Kind::Venue.name(), details.venue)?;
        self.require(Kind::Organizer.name(), details.organizers.iter().copied())?;
        if let Some(parent) = details.parent {
            self.seen.parents.entry(parent).or_insert(self.line);
        }
        if !self.seen.uids.insert(details.uid.clone()) {
            return Err(self.refused(format!("a line before it has the UID {}", details.uid)));
        }
        let series = match &details.repetition {
            Repetition::Once => None,
            Repetition::Series(_) => Some(event.clone()),
            Repetition::Occurrence(_) => return self.add_override(event).await,
        };
        self.add_record(event, former).await?;
        self.series = series.or(self.series.take());
        Ok(())
    }

    /// Adds the record of an override, whose date came before.
    async fn add_override(&mut self, record: Stored<Event>) -> Result<(), ArchiveError> {
        let events = self.unit.events();
        let before = match self.seen.overrides.remove(&record.id) {
            Some(_) => events.find(record.id).await?,
            None => None,
        };
        let slot_of = |event: &Event| event.occurrence().map(|one| (one.series, one.slot));
        let before = before.filter(|before| slot_of(before) == slot_of(&record));
        let before = before.ok_or_else(|| {
            self.refused("no line before it has an occurrence with this ID, series and date")
        })?;
        let series = match (&self.series, before.occurrence()) {
            (Some(last), Some(one)) if last.id == one.series => Some(Cow::Borrowed(last)),
            (_, Some(one)) => self.unit.events().find(one.series).await?.map(Cow::Owned),
            (_, None) => None,
        };
        let series = series.ok_or_else(|| self.refused("its series is missing"))?;
        let plan = OccurrencePlan {
            overridden: vec![(before, record.content)],
            ..OccurrencePlan::default()
        };
        let set = self.unit.occurrences().apply(&series, &plan).await;
        self.stored(set).map(drop)
    }

    async fn add_occurrences(&mut self, line: OccurrencesLine) -> Result<(), ArchiveError> {
        let series = self.series.take().filter(|series| series.id == line.series);
        let series = series.ok_or_else(|| {
            self.refused(format!("no line before it has the series {}", line.series))
        })?;
        let recurrence = series.series().map(|series| &series.recurrence);
        let mut given = Vec::with_capacity(line.occurrences.len());
        for one in line.occurrences {
            self.take(Kind::Event.name(), one.id.get())?;
            if recurrence.is_none_or(|recurrence| recurrence.time_at(one.date).is_none()) {
                return Err(self.refused(format!("date: the series has no time at {}", one.date)));
            }
            if one.is_override {
                self.seen.overrides.insert(one.id, self.line);
            }
            given.push(GivenOccurrence {
                id: one.id,
                slot: one.date,
                // Its record gets the next revision.
                revision: one.revision - i64::from(one.is_override),
            });
        }
        let added = self.unit.occurrences().insert_at(&series, &given).await;
        self.stored(added)?;
        self.series = Some(series);
        Ok(())
    }
}

/// Whether there are no records but users.
async fn is_empty(unit: &dyn UnitOfWork) -> Result<bool, StoreError> {
    async fn has_none<R: domain::Record>(
        repository: &(impl Repository<R> + ?Sized),
    ) -> Result<bool, StoreError> {
        Ok(repository.ids_after(None, 1).await?.is_empty())
    }
    Ok(has_none(unit.events()).await?
        && has_none(unit.venues()).await?
        && has_none(unit.organizers()).await?
        && has_none(unit.categories()).await?
        && has_none(unit.tags()).await?
        && unit.images().paths().await?.is_empty())
}
