//! The in-memory repositories of records.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{
    Event, EventId, Id, Kind, Language, Stored, Term,
    event::{EventFilter, EventSpan, Series, Window},
    index::{IndexEntry, IndexQuery, upcoming_of},
    page::Page,
    policy::{Caller, Guarded, Visibility},
    query::Query,
    slug::Slug,
    text::fold,
    time::Timestamp,
};

use super::{
    session::Session,
    state::State,
    tables::{RecordTable, TermTable},
    tally::tally,
};
use crate::ports::{
    EventRepository, ImportedRecord, RelatedIds, RelatedRecords, Repository, SlugRequest,
    SlugRequests, StoreError, Tally, TermRepository, TermWithCount,
};

#[async_trait]
impl<R: RecordTable> Repository<R> for Session {
    async fn find(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError> {
        self.read(|state| R::find(state, id))
    }

    async fn find_for_update(&self, id: Id<R>) -> Result<Option<Stored<R>>, StoreError> {
        self.find(id).await // one unit at a time
    }

    async fn find_many(&self, ids: &[Id<R>]) -> Result<Vec<Stored<R>>, StoreError> {
        self.read(|state| distinct(ids).filter_map(|id| R::find(state, id)).collect())
    }

    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Id<R>>, StoreError> {
        self.read(|state| {
            let rows = R::table(state).rows.values();
            let mut rows = rows.filter(|row| row.registers_slugs());
            rows.find(|row| row.slugs().any(|(_, one)| one == slug))
                .map(|row| row.id)
        })
    }

    async fn find_named(&self, folded: &[String]) -> Result<Vec<Stored<R>>, StoreError> {
        self.read(|state| {
            let rows = R::table(state).rows.values();
            let is_named = |row: &R| {
                let mut titles = row.titles();
                titles.any(|title| folded.contains(&fold(title.as_str())))
            };
            rows.filter(|row| is_named(&row.content)).cloned().collect()
        })
    }

    async fn lock_names(&self, _folded: &[String]) -> Result<(), StoreError> {
        self.write(|_| Ok(())) // one unit at a time
    }

    async fn lock_tree(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(())) // one unit at a time
    }

    async fn page(&self, query: &Query<R::Filter>) -> Result<Page<Id<R>>, StoreError> {
        let Query {
            visibility,
            filter,
            page,
        } = query;
        self.read(|state| {
            let mut found = R::list(state, filter, visibility);
            found.retain(|id| state.merged_into(R::KIND, id.get()).is_none());
            Page::of(found, *page)
        })
    }

    async fn index(&self, query: &IndexQuery) -> Result<Page<IndexEntry<R>>, StoreError> {
        let visibility = Visibility::new(Caller::Anonymous, query.now);
        self.read(|state| {
            let upcoming = |id: Id<R>| {
                let filter = upcoming_of(id, query.now);
                filter.map_or(0, |filter| {
                    Event::list(state, &filter, &visibility).len() as u64
                })
            };
            let records = R::table(state).rows.values();
            let records = records.filter(|_| R::KIND != Kind::Event);
            Page::of(query.list(records, upcoming), query.page)
        })
    }

    async fn insert(&self, mut content: R, slugs: SlugRequests) -> Result<Stored<R>, StoreError> {
        self.write(|state| {
            content.check(None, state)?;
            take_slugs(state, None, &mut content, slugs);
            Ok(R::table_mut(state).add(content))
        })
    }

    async fn insert_at(
        &self,
        mut record: Stored<R>,
        slugs: SlugRequests,
    ) -> Result<Option<Stored<R>>, StoreError> {
        self.write(|state| {
            if R::holds(state, record.id) {
                return Ok(None);
            }
            record.content.check(None, state)?;
            take_slugs(state, None, &mut record.content, slugs);
            Ok(Some(R::table_mut(state).add_at(record)))
        })
    }

    async fn update(
        &self,
        before: &Stored<R>,
        mut content: R,
        slugs: SlugRequests,
    ) -> Result<Stored<R>, StoreError> {
        self.write(|state| {
            let now = R::table(state).get(before.id);
            let now = now.filter(|now| now.revision == before.revision);
            let now = now.ok_or(StoreError::Conflict)?.clone();
            content.check(Some(now.id), state)?;
            take_slugs(state, Some(&now), &mut content, slugs);
            let after = Stored {
                id: now.id,
                revision: now.revision + 1,
                content,
            };
            R::table_mut(state).rows.insert(after.id, after.clone());
            Ok(after)
        })
    }

    async fn give_up_slugs(&self, id: Id<R>, slugs: &[(Language, Slug)]) -> Result<(), StoreError> {
        self.write(|state| {
            let slugs = slugs.iter().cloned();
            let rows = slugs.map(|(language, slug)| (slug, (id, language)));
            R::table_mut(state).former_slugs.extend(rows);
            Ok(())
        })
    }

    async fn find_by_former_slug(
        &self,
        slug: &Slug,
    ) -> Result<Option<(Id<R>, Language)>, StoreError> {
        self.read(|state| R::table(state).former_slugs.get(slug).copied())
    }

    async fn ids_after(
        &self,
        after: Option<Id<R>>,
        limit: usize,
    ) -> Result<Vec<Id<R>>, StoreError> {
        self.read(|state| {
            let ids = R::table(state).rows.keys().copied();
            let ids = ids.filter(|id| Some(*id) > after);
            ids.take(limit).collect()
        })
    }

    async fn former_slugs(
        &self,
        ids: &[Id<R>],
    ) -> Result<Vec<(Id<R>, Language, Slug)>, StoreError> {
        self.read(|state| {
            let former = R::table(state).former_slugs.iter();
            let rows = former.filter(|(_, (id, _))| ids.contains(id));
            let mut rows: Vec<_> = rows
                .map(|(slug, (id, language))| (*id, *language, slug.clone()))
                .collect();
            rows.sort_by(|a, b| (a.0, &a.2).cmp(&(b.0, &b.2)));
            rows
        })
    }

    async fn keep(&self, id: Id<R>) -> Result<Option<String>, StoreError> {
        self.write(|state| {
            let Some(record) = R::find(state, id) else {
                return Ok(None);
            };
            let kept = &mut R::table_mut(state).kept;
            kept.push(record);
            Ok(Some((kept.len() - 1).to_string()))
        })
    }

    async fn kept(&self, text: &str) -> Result<Option<Stored<R>>, StoreError> {
        self.read(|state| {
            let index = text.parse::<usize>().ok()?;
            R::table(state).kept.get(index).cloned()
        })
    }

    async fn delete(&self, id: Id<R>) -> Result<bool, StoreError> {
        self.write(|state| {
            let table = R::table_mut(state);
            table.former_slugs.retain(|_, (owner, _)| *owner != id);
            let is_other = |one: &ImportedRecord| one.kind != R::KIND || one.id != id.get();
            state.imported.retain(|_, one| is_other(one));
            state.forget_pairs(R::KIND, id.get());
            Ok(R::delete(state, id))
        })
    }
}

#[async_trait]
impl EventRepository for Session {
    async fn ancestors(&self, id: EventId) -> Result<Vec<EventId>, StoreError> {
        self.read(|state| {
            let mut lineage = Vec::new();
            let mut next = Some(id);
            while let Some(event) = next.take().and_then(|id| Event::find(state, id)) {
                if !lineage.contains(&event.id) {
                    lineage.push(event.id);
                    next = event.details.parent;
                }
            }
            lineage
        })
    }

    async fn load_related(
        &self,
        ids: &RelatedIds,
        now: Timestamp,
    ) -> Result<RelatedRecords, StoreError> {
        let RelatedIds {
            categories,
            tags,
            venues,
            organizers,
        } = ids;
        Ok(RelatedRecords {
            categories: self.find_with_counts(categories, now).await?,
            tags: self.find_with_counts(tags, now).await?,
            venues: self.find_many(venues).await?,
            organizers: self.find_many(organizers).await?,
        })
    }

    async fn find_uids(&self, uids: &[String]) -> Result<Vec<(String, EventId)>, StoreError> {
        self.read(|state| {
            let events = state.events.rows.values();
            let found = events.filter(|event| uids.contains(&event.details.uid));
            found
                .map(|event| (event.details.uid.clone(), event.id))
                .collect()
        })
    }

    async fn find_titled(
        &self,
        folded: &str,
        start: Timestamp,
    ) -> Result<Vec<EventId>, StoreError> {
        self.read(|state| {
            let events = state.events.rows.values();
            let found = events.filter(|event| {
                event.details.when.start().utc == start && fold(event.title.as_str()) == folded
            });
            found.map(|event| event.id).collect()
        })
    }

    async fn linkable_ids(
        &self,
        ids: &[EventId],
        visibility: &Visibility,
    ) -> Result<Vec<EventId>, StoreError> {
        self.read(|state| {
            let events = distinct(ids).filter_map(|id| Event::find(state, id));
            events
                .filter(|event| event.is_linkable(visibility))
                .map(|event| event.id)
                .collect()
        })
    }

    async fn recorded(&self, ids: &[EventId]) -> Result<Vec<EventId>, StoreError> {
        self.read(|state| {
            let rows = state.events.rows.keys().copied();
            rows.filter(|id| ids.contains(id)).collect()
        })
    }

    async fn neighbours(&self, ids: &[EventId]) -> Result<Vec<(EventId, EventId)>, StoreError> {
        self.read(|state| {
            let rows = state.events.rows.values();
            let asked = rows.filter(|event| ids.contains(&event.id));
            let pairs = asked.flat_map(|event| {
                let neighbours = event.series().into_iter().flat_map(Series::neighbours);
                neighbours.map(|neighbour| (event.id, neighbour))
            });
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_unstable();
            pairs
        })
    }

    async fn find_password_protected(
        &self,
        id: Option<EventId>,
        visibility: &Visibility,
        limit: usize,
    ) -> Result<Vec<(EventId, bool)>, StoreError> {
        self.read(|state| {
            let is_wanted = |event: &Stored<Event>| {
                event.details.password.is_some()
                    && event.is_linkable(visibility)
                    && !visibility.caller.may_edit(event)
            };
            let events: Vec<_> = match id {
                Some(id) => Event::find(state, id).into_iter().collect(),
                None => state.events.rows.values().cloned().collect(),
            };
            let events = events.iter().filter(|event| is_wanted(event));
            let mut found: Vec<_> = events
                .map(|event| (event.id, visibility.opens(event)))
                .collect();
            found.sort_by_key(|(id, opened)| (!opened, *id));
            found.truncate(limit);
            found
        })
    }

    async fn spans(
        &self,
        window: &Window,
        now: Timestamp,
        limit: u64,
    ) -> Result<Vec<EventSpan>, StoreError> {
        let filter = EventFilter {
            window: *window,
            ..EventFilter::default()
        };
        let visibility = Visibility::new(Caller::Anonymous, now);
        self.read(|state| {
            let listed = Event::list(state, &filter, &visibility).into_iter();
            let events = listed.filter_map(|id| Event::find(state, id));
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            events
                .take(limit)
                .map(|event| EventSpan::of(&event))
                .collect()
        })
    }

    async fn find_outlines(&self, ids: &[EventId]) -> Result<Vec<Stored<Event>>, StoreError> {
        self.find_many(ids).await
    }

    async fn extent(&self, now: Timestamp) -> Result<Option<[EventSpan; 2]>, StoreError> {
        let all = self.spans(&Window::default(), now, u64::MAX).await?;
        let first = all.iter().min_by_key(|span| span.start);
        let last = all.iter().max_by_key(|span| span.end);
        Ok(first
            .zip(last)
            .map(|(first, last)| [first, last].map(EventSpan::clone)))
    }

    async fn tally(
        &self,
        ids: &[EventId],
        _window: Option<Window>,
        visibility: &Visibility,
    ) -> Result<Tally, StoreError> {
        self.read(|state| tally(state, ids, visibility))
    }
}

#[async_trait]
impl<X: TermTable> TermRepository<X> for Session {
    async fn find_with_counts(
        &self,
        ids: &[Id<Term<X>>],
        now: Timestamp,
    ) -> Result<Vec<TermWithCount<X>>, StoreError> {
        self.read(|state| {
            let mut found = Vec::new();
            let mut seen = HashSet::new();
            let mut next = ids.to_vec();
            while let Some(id) = next.pop() {
                if let Some(term) = X::table(state).get(id).filter(|_| seen.insert(id)) {
                    next.extend(term.parent);
                    found.push(TermWithCount {
                        term: term.clone(),
                        events: X::count(state, id, now),
                    });
                }
            }
            found
        })
    }
}

/// The IDs without repetition.
fn distinct<R>(ids: &[Id<R>]) -> impl Iterator<Item = Id<R>> {
    let mut seen = HashSet::new();
    ids.iter().copied().filter(move |id| seen.insert(*id))
}

/// Assigns the requested slugs to the content of a record; `before` is its stored state, if any. The
/// slugs of an occurrence stay as they are.
fn take_slugs<R: RecordTable>(
    state: &State,
    before: Option<&Stored<R>>,
    content: &mut R,
    mut requests: SlugRequests,
) {
    if !content.registers_slugs() {
        return;
    }
    let present = before.and_then(|before| before.slug());
    content.set_slug(match requests.original {
        Some(request) => Some(free_slug(state, &request, before, present)),
        None => present.cloned(),
    });
    for language in Language::ALL {
        let mut translation = content.translations_mut().take(language);
        let kept = before.and_then(|before| before.translations().get(language)?.slug.clone());
        translation.slug = match requests.translations.remove(&language) {
            Some(request) => Some(free_slug(state, &request, before, kept.as_ref())),
            None => kept.filter(|_| translation.slug.is_some()),
        };
        content.translations_mut().put(language, translation);
    }
}

/// The slug that a request leads to, for the record with the stored state `before`; `present` is
/// its slug in the language of the request.
fn free_slug<R: RecordTable>(
    state: &State,
    request: &SlugRequest,
    before: Option<&Stored<R>>,
    present: Option<&Slug>,
) -> Slug {
    let own = before.map(|before| before.id);
    let others = R::table(state)
        .rows
        .values()
        .filter(|row| Some(row.id) != own);
    let taken: HashSet<_> = others
        .flat_map(|row| {
            row.slugs()
                .map(|(_, slug)| slug.clone())
                .collect::<Vec<_>>()
        })
        .collect();
    let is_free = |slug: &Slug| !slug.is_reserved() && !taken.contains(slug);
    if let Some(slug) = request.candidates().iter().find(|slug| is_free(slug)) {
        return slug.clone();
    }
    let last = request.last();
    let others = before.into_iter().flat_map(|before| before.slugs());
    let mut own = present.into_iter().chain(others.map(|(_, slug)| slug));
    if let Some(slug) = own.find(|slug| slug.is_numbered(last)) {
        return slug.clone();
    }
    let mut number = 2;
    loop {
        let slug = last.numbered(number);
        if is_free(&slug) {
            return slug;
        }
        number += 1;
    }
}
