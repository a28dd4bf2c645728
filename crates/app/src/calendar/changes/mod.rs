//! Changes since a state, for readers that keep a copy of the records.

mod page;
mod records;
mod token;

use std::fmt;

use domain::{
    Category, Event, FieldName, Kind, Language, Organizer, Tag, Translation, Venue,
    policy::{Caller, Reach, SyncAction, Visibility},
    time::Timestamp,
};

use self::{
    page::{Item, Page, batch},
    token::{PageToken, Position, Reader, SyncCursor, SyncScope, SyncToken, TokenKey},
};
use crate::{
    calendar::Calendar,
    error::{AppError, TokenExpiry},
    fault::Fault,
    ports::{CursorState, DataVersion, JournalCursor, RecordRef},
    resource::Resource,
    write::ReadOptions,
};

/// A token without news is replaced after this time, in seconds, so that its place stays in the journal.
const RENEWED_AFTER: i64 = 7 * 86_400;

/// Which changes a reader asks for.
///
/// ```
/// use events_calendar_app::calendar::ListChanges;
/// let all = ListChanges::default();
/// assert_eq!(all.per_page, ListChanges::DEFAULT_PER_PAGE);
/// assert!(all.per_page <= ListChanges::MAX_PER_PAGE && all.sync_token.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct ListChanges {
    /// The token of the state that the reader has; none for a first walk through all records.
    pub sync_token: Option<String>,
    /// The token of a further page.
    pub page_token: Option<String>,
    /// The kinds of records; `None` for the kinds of the token, or for all kinds without one.
    pub kinds: Option<Vec<Kind>>,
    /// Most items on the page.
    pub per_page: u32,
    /// Whether items have the records.
    pub with_records: bool,
    /// Whether records have their texts in all languages.
    pub with_texts: bool,
    /// The language of the records.
    pub options: ReadOptions,
}

impl ListChanges {
    /// The number of items on a page by default.
    pub const DEFAULT_PER_PAGE: u32 = 100;
    /// The greatest number of items on a page.
    pub const MAX_PER_PAGE: u32 = 500;
}

impl Default for ListChanges {
    fn default() -> Self {
        Self {
            sync_token: None,
            page_token: None,
            kinds: None,
            per_page: Self::DEFAULT_PER_PAGE,
            with_records: true,
            with_texts: false,
            options: ReadOptions::default(),
        }
    }
}

/// A page of changes.
#[derive(Debug)]
pub struct Delta {
    /// The changed records, each once in all pages.
    pub items: Vec<SyncItem>,
    /// The token of the next page, or of the state that the reader has reached.
    pub next: Following,
}

/// A page of changes whose records are not read yet.
pub struct FoundChanges<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    input: &'a ListChanges,
    key: TokenKey,
    page: PageToken,
    is_quiet: bool,
}

impl fmt::Debug for FoundChanges<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoundChanges")
            .field("is_quiet", &self.is_quiet)
            .finish_non_exhaustive()
    }
}

/// A mark of the state of the records: [`Calendar::news_mark`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewsMark {
    data: Option<DataVersion>,
    /// The end of the journal, where the store reports no data version.
    end: Option<JournalCursor>,
    /// The last scheduled publication that took effect.
    due: Option<Timestamp>,
}

/// The continuation of a page of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Following {
    /// Another page, with this token.
    Page(String),
    /// Nothing: the reader has the state of this token.
    Complete(String),
}

/// A changed record.
#[derive(Debug)]
pub struct SyncItem {
    /// The record.
    pub record: RecordRef,
    /// The reader's action on it.
    pub action: SyncAction,
    /// Its view, of an upsert in a list with records.
    pub content: Option<SyncRecord>,
}

/// A record of any kind as an answer shows it.
#[derive(Debug)]
pub enum SyncRecord {
    /// An event.
    Event(Box<Synced<Event>>),
    /// A venue.
    Venue(Box<Synced<Venue>>),
    /// An organizer.
    Organizer(Box<Synced<Organizer>>),
    /// A category.
    Category(Box<Synced<Category>>),
    /// A tag.
    Tag(Box<Synced<Tag>>),
}

/// A view, with its texts in all languages if they are asked for.
pub struct Synced<R: Resource> {
    /// The view.
    pub view: R::View,
    /// The record's own texts in each of its languages, the original first.
    pub texts: Vec<(Language, Translation)>,
}

impl<R: Resource> fmt::Debug for Synced<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Synced").finish_non_exhaustive()
    }
}

impl Calendar {
    /// A page of the records that changed since the state of a token; without one, a page of a first walk
    /// through all records that the caller may list.
    ///
    /// A reader that applies all pages has what lists show the caller: each record of an upsert, and no
    /// removed one. It covers every write that was acknowledged before the first page. Later writes are in
    /// the delta of the token on the last page.
    ///
    /// ```
    /// use events_calendar_app::{calendar::{Delta, Following, ListChanges, SyncItem, SyncRecord, Synced}, write::{DeleteOptions, NewTag}};
    /// use domain::{Kind, Tag, policy::{Caller, SyncAction}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// # let nobody = Caller::Anonymous;
    ///
    /// let Delta { items, next } = calendar.changes(nobody, &ListChanges::default()).await?;
    /// assert!(items.is_empty());
    /// let Following::Complete(token) = next else { panic!("one page") };
    ///
    /// let loud = calendar.create(editor, &NewTag::builder("Loud".parse()?).build()).await?;
    /// let later = ListChanges { sync_token: Some(token), ..ListChanges::default() };
    /// let delta = calendar.changes(nobody, &later).await?;
    /// let item: &SyncItem = &delta.items[0];
    /// assert_eq!((item.record.kind, item.record.id), (Kind::Tag, loud.term.id.get()));
    /// assert_eq!(item.action, SyncAction::Upsert);
    /// let Some(SyncRecord::Tag(synced)) = &item.content else { panic!("a tag") };
    /// let Synced::<Tag> { view, texts } = &**synced;
    /// assert_eq!((view.term.name.as_str(), texts.len()), ("Loud", 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for a token that this site did not make, and for other kinds than those of the
    /// token; [`AppError::TokenExpired`].
    pub async fn changes(&self, caller: Caller, input: &ListChanges) -> Result<Delta, AppError> {
        self.find_changes(caller, input).await?.load().await
    }

    /// The first part of [`changes`](Self::changes): reads the token, and whether there is news.
    ///
    /// ```
    /// use events_calendar_app::calendar::{FoundChanges, ListChanges};
    /// use domain::policy::Caller;
    /// # use events_calendar_app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let calendar = calendar(InMemoryStore::new()).await;
    /// let all = ListChanges::default();
    /// let found: FoundChanges<'_> = calendar.find_changes(Caller::Anonymous, &all).await?;
    /// // A server may wait here for the memory that so many records take.
    /// assert_eq!(found.rows(), 64);
    /// assert!(!found.is_quiet());
    /// assert!(found.present().len() <= 80);
    /// assert!(found.load().await?.items.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`changes`](Self::changes).
    #[tracing::instrument(name = "app.changes", skip_all)]
    pub async fn find_changes<'a>(
        &'a self,
        caller: Caller,
        input: &'a ListChanges,
    ) -> Result<FoundChanges<'a>, AppError> {
        let key = TokenKey::of_site(&self.hash_key);
        // Reads that begin after this call have every write before it.
        let journal = self.store.journal().end().await?;
        let now = SyncCursor {
            journal,
            at: self.now(),
        };
        let (page, quiet) = match (&input.page_token, &input.sync_token) {
            (Some(text), _) => {
                let page = PageToken::open(&key, text);
                let page = page.ok_or_else(|| not_ours(FieldName::PageToken))?;
                page.scope.check(caller, input)?;
                (page, false)
            }
            (None, Some(text)) => {
                let token = SyncToken::open(&key, text);
                let SyncToken { scope, cursor } =
                    token.ok_or_else(|| not_ours(FieldName::SyncToken))?;
                scope.check(caller, input)?;
                // The clock of another server may be ahead.
                let end = SyncCursor {
                    at: now.at.max(cursor.at),
                    ..now
                };
                let page = PageToken {
                    scope,
                    end,
                    position: Position::Entry(cursor, cursor.journal.number),
                };
                (page, self.is_quiet(cursor, caller).await?)
            }
            (None, None) => {
                let page = PageToken {
                    scope: SyncScope::of(caller, input),
                    end: now,
                    position: Position::Walk(None),
                };
                (page, false)
            }
        };
        let found = FoundChanges {
            calendar: self,
            caller,
            input,
            key,
            page,
            is_quiet: quiet,
        };
        if quiet {
            found.check_cursors().await?;
        }
        Ok(found)
    }

    /// A mark of the present state, which differs after each change that a reader may notice.
    ///
    /// ```
    /// use events_calendar_app::{calendar::NewsMark, test_support::*};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = InMemoryStore::new();
    /// let calendar = calendar(store.clone()).await;
    /// let before: NewsMark = calendar.news_mark().await?;
    /// assert_eq!(calendar.news_mark().await?, before);
    /// in_unit(&store, async |unit| tag("Loud").insert(unit).await).await;
    /// assert_ne!(calendar.news_mark().await?, before);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn news_mark(&self) -> Result<NewsMark, AppError> {
        let journal = self.store.journal();
        let data = self.store.version().await?;
        let end = match data {
            Some(_) => None,
            None => Some(journal.end().await?),
        };
        let due = journal.last_due(self.now(), Reach::All).await?;
        Ok(NewsMark { data, end, due })
    }

    /// Whether nothing happened since a state that the caller could notice.
    async fn is_quiet(&self, cursor: SyncCursor, caller: Caller) -> Result<bool, AppError> {
        let visibility = Visibility::new(caller, self.now());
        let (last, due) = self.last_changes(&visibility).await?;
        Ok(last.number <= cursor.journal.number && due.is_none_or(|due| due <= cursor.at))
    }
}

impl FoundChanges<'_> {
    /// The greatest number of records that are read at once.
    pub fn rows(&self) -> usize {
        if self.is_quiet {
            0
        } else {
            batch(self.input.per_page as usize + 1)
        }
    }

    /// Whether nothing happened that the caller could notice.
    pub const fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// The token of the present state, without a walk to it.
    pub fn present(&self) -> String {
        let token = SyncToken {
            scope: self.page.scope.clone(),
            cursor: self.page.end,
        };
        token.seal(&self.key)
    }

    /// Reads the page.
    ///
    /// # Errors
    ///
    /// As for [`Calendar::changes`].
    pub async fn load(self) -> Result<Delta, AppError> {
        let delta = if self.is_quiet {
            self.answered(Vec::new(), None)
        } else {
            let delta = self.read().await?;
            // The entries behind the cursors were there until the last one was read.
            self.check_cursors().await?;
            delta
        };
        match (&self.input.sync_token, self.page.position) {
            (Some(token), Position::Entry(start, _))
                if self.input.page_token.is_none()
                    && delta.items.is_empty()
                    && self.page.end.at < start.at.saturating_add(RENEWED_AFTER) =>
            {
                let next = Following::Complete(token.clone());
                Ok(Delta { next, ..delta })
            }
            _ => Ok(delta),
        }
    }

    /// Checks that the journal has all that happened after the cursors of the page.
    async fn check_cursors(&self) -> Result<(), AppError> {
        if self.input.page_token.is_some() {
            self.check_cursor(self.page.end).await?;
        }
        match self.page.position {
            Position::Walk(_) => Ok(()),
            Position::Entry(start, _) | Position::Due(start, ..) => self.check_cursor(start).await,
        }
    }

    async fn check_cursor(&self, cursor: SyncCursor) -> Result<(), AppError> {
        match self.calendar.store.journal().check(cursor.journal).await? {
            CursorState::Valid => Ok(()),
            CursorState::TooOld => Err(AppError::TokenExpired(TokenExpiry::TooOld)),
            CursorState::Unknown => Err(AppError::TokenExpired(TokenExpiry::Unknown)),
        }
    }

    async fn read(&self) -> Result<Delta, AppError> {
        let (store, input) = (&self.calendar.store, self.input);
        let request = self.calendar.request_with(self.caller, &input.options);
        let visibility = Visibility {
            now: self.page.end.at,
            ..request.visibility()
        };
        let reads = match self.page.position {
            Position::Walk(_) => store.bulk_reads().await?,
            Position::Entry(..) | Position::Due(..) => store.reads().await?,
        };
        let room = input.per_page as usize;
        let mut page = Page::new(&self.page, room, &visibility, store.journal(), &*reads);
        let next = page.read(self.page.position).await?;
        let Page { items, records, .. } = page;
        let upserts = items.iter().filter(|one| one.action == SyncAction::Upsert);
        let wanted = upserts.filter(|_| input.with_records);
        let wanted = wanted.map(|one| one.record).collect();
        let loading = records.load(&wanted, input.with_texts, &visibility, &*reads);
        let mut loaded = loading.await?;
        let item = |Item { record, action, .. }| SyncItem {
            record,
            action,
            content: loaded.remove(&record),
        };
        Ok(self.answered(items.into_iter().map(item).collect(), next))
    }

    /// The answer with the items of the page, and the position of the next one.
    fn answered(&self, items: Vec<SyncItem>, next: Option<Position>) -> Delta {
        let next = match next {
            Some(position) => {
                let token = PageToken {
                    position,
                    ..self.page.clone()
                };
                Following::Page(token.seal(&self.key))
            }
            None => Following::Complete(self.present()),
        };
        Delta { items, next }
    }
}

impl SyncScope {
    fn of(caller: Caller, input: &ListChanges) -> Self {
        let kinds = Kind::ALL.into_iter().filter(|kind| {
            let asked = input.kinds.as_ref();
            asked.is_none_or(|asked| asked.contains(kind))
        });
        Self {
            reader: Reader::of(caller),
            kinds: kinds.collect(),
        }
    }

    /// Checks that a token of this scope is for the caller, and for the kinds that the request names.
    fn check(&self, caller: Caller, input: &ListChanges) -> Result<(), AppError> {
        if self.reader != Reader::of(caller) {
            return Err(AppError::TokenExpired(TokenExpiry::Caller));
        }
        if input.kinds.is_some() && *self != Self::of(caller, input) {
            return Err(AppError::invalid(FieldName::Kinds, Fault::KindsOfToken));
        }
        Ok(())
    }
}

/// The fault of a text that is no token of this site.
fn not_ours(name: FieldName) -> AppError {
    AppError::invalid(name, Fault::Token)
}
