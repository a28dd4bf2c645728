//! The records and users that entries name, as the person may read them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use app::{AppError, ports::AuditEntry};
use domain::{
    Category, Event, Id, Organizer, Status, Tag, UserId, UserName, Venue,
    audit::{AuditedKind, FieldChange, ValueChange},
    event::EventFilter,
    image::ImageFilter,
    page::{MAX_PER_PAGE, PageRequest},
    place::PlaceFilter,
    policy::Capability,
    query::Statuses,
    source::Source,
    term::{Taxonomy, TermFilter},
};
use http_service::record::ShownRecord;

use super::words::{forms, linked};
use crate::request::DeskRequest;

/// The most records of a kind that a page names by their titles. Others have their IDs.
const MAX_NAMED: usize = 5 * MAX_PER_PAGE as usize;

/// A record that exists.
#[derive(Debug)]
struct Named {
    title: Option<String>,
    /// The form, if the person may open it.
    form: Option<String>,
}

/// The records that exist, by kind and ID, and the users.
#[derive(Debug, Default)]
pub(super) struct Known {
    records: HashMap<(AuditedKind, i64), Named>,
    users: HashMap<UserId, UserName>,
}

impl Known {
    /// The names of all users, for a person who sees them in lists.
    pub(super) async fn with_users(request: &DeskRequest) -> Result<Self, AppError> {
        let users = if request.caller().can(Capability::EditOthers) {
            request.state.accounts.names().await?
        } else {
            HashMap::new()
        };
        Ok(Self {
            users,
            ..Self::default()
        })
    }

    /// The names of the users, in their order.
    pub(super) fn users(&self) -> Vec<String> {
        let names: BTreeSet<_> = self.users.values().map(ToString::to_string).collect();
        names.into_iter().collect()
    }

    /// The user of a name.
    pub(super) fn user_named(&self, name: &str) -> Option<UserId> {
        let mut users = self.users.iter();
        let found = users.find(|(_, one)| one.as_str() == name);
        found.map(|(id, _)| *id)
    }

    /// The name of a user.
    pub(super) fn user(&self, id: UserId) -> Option<String> {
        self.users.get(&id).map(ToString::to_string)
    }

    /// The title of a record.
    pub(super) fn title(&self, kind: AuditedKind, id: i64) -> Option<&str> {
        self.records.get(&(kind, id))?.title.as_deref()
    }

    /// The form of a record.
    pub(super) fn form(&self, kind: AuditedKind, id: i64) -> Option<&str> {
        self.records.get(&(kind, id))?.form.as_deref()
    }

    /// Reads the records of entries, and those that their values name.
    pub(super) async fn read(
        &mut self,
        request: &DeskRequest,
        entries: &[AuditEntry],
    ) -> Result<(), AppError> {
        let mut ids: BTreeMap<AuditedKind, BTreeSet<i64>> = BTreeMap::new();
        for entry in entries {
            ids.entry(entry.kind).or_default().insert(entry.record);
            add_links(entry.kind, &entry.changes, &mut ids);
        }
        self.read_all(request, ids).await
    }

    /// The records that the values of records of a kind name.
    pub(super) async fn linked<'a>(
        request: &DeskRequest,
        kind: AuditedKind,
        changes: impl IntoIterator<Item = &'a FieldChange>,
    ) -> Result<Self, AppError> {
        let mut known = Self::with_users(request).await?;
        let mut ids = BTreeMap::new();
        add_links(kind, changes, &mut ids);
        known.read_all(request, ids).await?;
        Ok(known)
    }

    async fn read_all(
        &mut self,
        request: &DeskRequest,
        ids: BTreeMap<AuditedKind, BTreeSet<i64>>,
    ) -> Result<(), AppError> {
        for (kind, ids) in ids {
            let ids: Vec<_> = ids.into_iter().take(MAX_NAMED).collect();
            for ids in ids.chunks(MAX_PER_PAGE as usize) {
                match kind {
                    AuditedKind::Event => self.read_kind::<Event>(request, events_among(ids)).await,
                    AuditedKind::Venue => self.read_kind::<Venue>(request, places_among(ids)).await,
                    AuditedKind::Organizer => {
                        self.read_kind::<Organizer>(request, places_among(ids))
                            .await
                    }
                    AuditedKind::Category => {
                        self.read_kind::<Category>(request, terms_among(ids)).await
                    }
                    AuditedKind::Tag => self.read_kind::<Tag>(request, terms_among(ids)).await,
                    AuditedKind::Image => self.read_images(request, ids).await,
                    AuditedKind::Source => self.read_sources(request).await,
                    AuditedKind::User => {
                        self.read_users(request, ids);
                        Ok(())
                    }
                    AuditedKind::Site => {
                        self.add(request, (kind, 0), None, Some("/desk/site"));
                        Ok(())
                    }
                    AuditedKind::Token | AuditedKind::Feed => Ok(()),
                }?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        request: &DeskRequest,
        of: (AuditedKind, i64),
        title: Option<String>,
        form: Option<&str>,
    ) {
        let form = form.map(|path| request.url(path));
        self.records.insert(of, Named { title, form });
    }

    async fn read_kind<R: ShownRecord>(
        &mut self,
        request: &DeskRequest,
        filter: R::Filter,
    ) -> Result<(), AppError> {
        let (calendar, caller, options) =
            (&request.state.calendar, request.caller(), request.options());
        let found = calendar.query::<R>(caller, request.network(), filter, all(), &options);
        for view in found.await?.rows {
            let shown = R::shown(&view);
            let is_open = !shown.content.is_in_trash() && shown.content.may_edit(caller);
            let form = is_open.then(|| format!("{}/{}", forms(R::KIND), shown.id));
            let title = shown.content.title().as_str().to_owned();
            self.add(
                request,
                (R::KIND.into(), shown.id),
                Some(title),
                form.as_deref(),
            );
        }
        Ok(())
    }

    async fn read_images(&mut self, request: &DeskRequest, ids: &[i64]) -> Result<(), AppError> {
        let filter = ImageFilter {
            include: Some(ids_of(ids)),
            ..ImageFilter::default()
        };
        let (calendar, options) = (&request.state.calendar, request.options());
        let found = calendar.query_images(request.caller(), &filter, all(), &options);
        for image in found.await?.rows {
            let form = format!("/desk/images/{}", image.id);
            self.add(
                request,
                (AuditedKind::Image, image.id.get()),
                None,
                Some(&form),
            );
        }
        Ok(())
    }

    async fn read_sources(&mut self, request: &DeskRequest) -> Result<(), AppError> {
        let limit = u32::try_from(Source::MAX).unwrap_or(u32::MAX);
        let page = PageRequest::new(1, Source::MAX, limit);
        for stored in request
            .state
            .calendar
            .sources(request.caller(), page)
            .await?
            .rows
        {
            let form = format!("/desk/sources/{}", stored.id);
            let title = stored.source.name.as_str().to_owned();
            self.add(
                request,
                (AuditedKind::Source, stored.id.get()),
                Some(title),
                Some(&form),
            );
        }
        Ok(())
    }

    fn read_users(&mut self, request: &DeskRequest, ids: &[i64]) {
        for id in ids {
            if let Some(name) = self.user(Id::from_raw(*id)) {
                let form = format!("/desk/users/{id}");
                self.add(request, (AuditedKind::User, *id), Some(name), Some(&form));
            }
        }
    }
}

fn all_statuses() -> Statuses {
    Statuses(Some(Status::ALL.to_vec()))
}

fn ids_of<R>(ids: &[i64]) -> Vec<Id<R>> {
    ids.iter().copied().map(Id::from_raw).collect()
}

/// The filter of some events, in any state.
fn events_among(ids: &[i64]) -> EventFilter {
    EventFilter {
        statuses: all_statuses(),
        include: Some(ids_of(ids)),
        ..EventFilter::default()
    }
}

/// The filter of some venues or organizers, in any state.
fn places_among<D: Default>(ids: &[i64]) -> PlaceFilter<D> {
    PlaceFilter {
        statuses: all_statuses(),
        include: Some(ids_of(ids)),
        ..PlaceFilter::default()
    }
}

/// The filter of some categories or tags.
fn terms_among<X: Taxonomy>(ids: &[i64]) -> TermFilter<X> {
    TermFilter {
        include: Some(ids_of(ids)),
        ..TermFilter::default()
    }
}

/// A page with all records of a filter by IDs.
fn all() -> PageRequest {
    PageRequest::new(1, MAX_PER_PAGE.into(), MAX_PER_PAGE)
}

/// Adds the records that values name.
fn add_links<'a>(
    kind: AuditedKind,
    changes: impl IntoIterator<Item = &'a FieldChange>,
    ids: &mut BTreeMap<AuditedKind, BTreeSet<i64>>,
) {
    for change in changes {
        if let (Some(of), ValueChange::Whole { old, new }) =
            (linked(kind, change.field), &change.change)
        {
            let values = old.iter().chain(new).flat_map(|text| text.split(','));
            let values = values.filter_map(|id| id.parse::<i64>().ok());
            ids.entry(of).or_default().extend(values);
        }
    }
}
