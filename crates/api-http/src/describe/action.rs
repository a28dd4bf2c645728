//! Actions of the interface, with their methods, paths and parameters.

use app::request::Purpose;
use axum::http::Method;
use domain::Kind;

use forms::{
    AS_OF, AUDIT_FILTERS, CHANGES, DUPLICATE_FILTERS, FORCE, IMAGE_FIELDS, LANGUAGE, MERGE_FIELDS,
    OPENING_PASSWORD, PAGING, Param, REVISION_FILTERS, SCOPE, SECRET_FEED, WHICH_OCCURRENCES,
    occurrence_params,
};
use interchange::{
    import::IMPORT_OPTIONS,
    source::{SOURCE_FIELDS, SOURCE_REMOVAL},
};

use super::{
    fields_of, filters_of,
    param::{ID, INDEX, RECURRENCE_ID, REVISION, SLUG},
};

/// The action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `GET` of the namespace.
    Index,
    /// `GET` of the document.
    Document,
    /// `GET` of the changes.
    Changes,
    /// `GET` of a collection.
    List(Kind),
    /// `POST` to a collection.
    Create(Kind),
    /// `GET` of the occurrences of an event.
    Occurrences,
    /// `GET` of a record.
    Read(Kind, By),
    /// `POST`, `PUT` and `PATCH` of a record.
    Update(Kind, By),
    /// `POST` that an event is still right.
    Verify,
    /// `GET` of the revisions of a record.
    Revisions(Kind),
    /// `POST` that a record is as it was after a revision.
    Restore(Kind),
    /// `DELETE` of a record.
    Delete(Kind, By),
    /// `POST` of an image.
    Upload,
    /// `GET` of an image.
    ReadImage,
    /// `POST`, `PUT` and `PATCH` of an image.
    UpdateImage,
    /// `DELETE` of an image.
    DeleteImage,
    /// `POST` of a calendar file.
    Import,
    /// `GET` of the secret feeds.
    ListFeeds,
    /// `POST` of a secret feed.
    CreateFeed,
    /// `GET` of a secret feed.
    ReadFeed,
    /// `DELETE` of a secret feed.
    DeleteFeed,
    /// `GET` of the sources.
    ListSources,
    /// `POST` of a source.
    CreateSource,
    /// `GET` of a source.
    ReadSource,
    /// `POST`, `PUT` and `PATCH` of a source.
    UpdateSource,
    /// `DELETE` of a source.
    DeleteSource,
    /// `POST` that a source is due.
    RunSource,
    /// `POST` that a source is not read.
    PauseSource,
    /// `POST` that a source is read again.
    ResumeSource,
    /// `GET` of the duplicates.
    ListDuplicates,
    /// `POST` that duplicates are one record.
    MergeDuplicate,
    /// `POST` that duplicates are two things.
    DismissDuplicate,
    /// `POST` that a merge is undone.
    UndoMerge,
    /// `GET` of the audit trail.
    Audit,
}

/// The key of a record in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The ID.
    Id,
    /// The slug.
    Slug,
    /// The ID of the series and the slot; only of events.
    Slot,
}

impl Action {
    /// The methods that perform it.
    pub(crate) fn methods(self) -> &'static [Method] {
        const GET: &[Method] = &[Method::GET];
        const POST: &[Method] = &[Method::POST];
        const CHANGE: &[Method] = &[Method::POST, Method::PUT, Method::PATCH];
        const DELETE: &[Method] = &[Method::DELETE];
        match self {
            Self::Index
            | Self::Document
            | Self::Changes
            | Self::List(_)
            | Self::Occurrences
            | Self::Read(..)
            | Self::ReadImage
            | Self::ListFeeds
            | Self::ReadFeed
            | Self::ListSources
            | Self::ReadSource
            | Self::ListDuplicates
            | Self::Revisions(_)
            | Self::Audit => GET,
            Self::Create(_)
            | Self::Upload
            | Self::Import
            | Self::CreateFeed
            | Self::Verify
            | Self::Restore(_)
            | Self::CreateSource
            | Self::RunSource
            | Self::PauseSource
            | Self::ResumeSource
            | Self::MergeDuplicate
            | Self::DismissDuplicate
            | Self::UndoMerge => POST,
            Self::Update(..) | Self::UpdateImage | Self::UpdateSource => CHANGE,
            Self::Delete(..) | Self::DeleteImage | Self::DeleteFeed | Self::DeleteSource => DELETE,
        }
    }

    /// Whether it is a write.
    pub(super) fn is_write(self) -> bool {
        !self.methods().contains(&Method::GET)
    }

    /// Whether it is a write that heeds `If-Match`.
    pub(super) const fn takes_precondition(self) -> bool {
        matches!(
            self,
            Self::Update(..)
                | Self::UpdateImage
                | Self::Restore(_)
                | Self::Delete(..)
                | Self::DeleteImage
        )
    }

    /// Whether only users may perform it.
    pub(super) fn needs_login(self) -> bool {
        let reads = [
            Self::ListFeeds,
            Self::ReadFeed,
            Self::ListSources,
            Self::ReadSource,
            Self::ListDuplicates,
            Self::Audit,
        ];
        self.is_write() || reads.contains(&self) || matches!(self, Self::Revisions(_))
    }

    /// The pattern of the path, below the namespace.
    pub(super) fn path(self) -> String {
        match self {
            Self::Index => String::new(),
            Self::Document => "/doc".to_owned(),
            Self::Changes => "/changes".to_owned(),
            Self::Upload => "/images".to_owned(),
            Self::Import => "/imports".to_owned(),
            Self::ReadImage | Self::UpdateImage | Self::DeleteImage => "/images/{id}".to_owned(),
            Self::ListFeeds | Self::CreateFeed => "/feeds".to_owned(),
            Self::ReadFeed | Self::DeleteFeed => "/feeds/{id}".to_owned(),
            Self::ListSources | Self::CreateSource => "/sources".to_owned(),
            Self::ReadSource | Self::UpdateSource | Self::DeleteSource => {
                "/sources/{id}".to_owned()
            }
            Self::RunSource => "/sources/{id}/run".to_owned(),
            Self::PauseSource => "/sources/{id}/pause".to_owned(),
            Self::ResumeSource => "/sources/{id}/resume".to_owned(),
            Self::Audit => "/audit".to_owned(),
            Self::ListDuplicates => "/duplicates".to_owned(),
            Self::MergeDuplicate => "/duplicates/{id}/merge".to_owned(),
            Self::DismissDuplicate => "/duplicates/{id}/dismiss".to_owned(),
            Self::UndoMerge => "/duplicates/{id}/undo".to_owned(),
            Self::List(kind) | Self::Create(kind) => format!("/{}", kind.plural()),
            Self::Occurrences => "/events/{id}/occurrences".to_owned(),
            Self::Verify => "/events/{id}/verify".to_owned(),
            Self::Revisions(kind) => format!("/{}/{{id}}/revisions", kind.plural()),
            Self::Restore(kind) => format!("/{}/{{id}}/revisions/{{n}}/restore", kind.plural()),
            Self::Read(kind, by) | Self::Update(kind, by) | Self::Delete(kind, by) => match by {
                By::Id => format!("/{}/{{id}}", kind.plural()),
                By::Slug => format!("/{}/by-slug/{{slug}}", kind.plural()),
                By::Slot => format!("/{}/{{id}}/occurrences/{{recurrence_id}}", kind.plural()),
            },
        }
    }

    /// The parameters in the path.
    pub(super) fn in_path(self) -> Vec<Param> {
        let path = self.path();
        let all = [ID, REVISION, SLUG, RECURRENCE_ID].into_iter();
        all.filter(|param| path.contains(&format!("{{{}}}", param.name)))
            .collect()
    }

    /// The parameters in the query.
    pub(super) fn in_query(self) -> Vec<Param> {
        let mut params = match self {
            Self::Index => INDEX.to_vec(),
            Self::List(kind) => filters_of(kind),
            Self::Changes => CHANGES.to_vec(),
            Self::Occurrences => occurrence_params(),
            Self::Import => IMPORT_OPTIONS.to_vec(),
            Self::ListFeeds | Self::ListSources => PAGING.to_vec(),
            Self::ListDuplicates => [&PAGING[..], &DUPLICATE_FILTERS].concat(),
            Self::Audit => [&PAGING[..], &AUDIT_FILTERS].concat(),
            Self::Revisions(_) => [&PAGING[..], &REVISION_FILTERS].concat(),
            Self::DeleteSource => SOURCE_REMOVAL.to_vec(),
            Self::Upload => IMAGE_FIELDS.to_vec(),
            Self::Read(Kind::Event, _) | Self::Delete(Kind::Event, _) => {
                vec![OPENING_PASSWORD.param]
            }
            _ => Vec::new(),
        };
        if matches!(self, Self::Delete(..)) {
            params.push(FORCE.param);
        }
        if matches!(self, Self::Read(..)) {
            params.push(AS_OF);
        }
        match self {
            Self::Delete(Kind::Event, _) => params.push(SCOPE.param),
            Self::Update(Kind::Event, _) => params.extend(WHICH_OCCURRENCES),
            _ => {}
        }
        params.push(LANGUAGE.param);
        params
    }

    /// The fields in the body.
    pub(super) fn in_body(self) -> Vec<Param> {
        match self {
            Self::CreateFeed => return SECRET_FEED.to_vec(),
            Self::CreateSource | Self::UpdateSource => return SOURCE_FIELDS.to_vec(),
            Self::MergeDuplicate => return MERGE_FIELDS.to_vec(),
            Self::UpdateImage => return IMAGE_FIELDS.to_vec(),
            _ => {}
        }
        let written = self.writes();
        written.map_or_else(Vec::new, |(kind, purpose)| fields_of(kind, purpose))
    }

    /// The kind of record that it writes, and whether it creates or updates; none for other
    /// actions.
    pub(super) fn writes(self) -> Option<(Kind, Purpose)> {
        match self {
            Self::Create(kind) => Some((kind, Purpose::Create)),
            Self::Update(kind, _) => Some((kind, Purpose::Update)),
            _ => None,
        }
    }

    /// The tag in the OpenAPI document.
    pub(crate) fn tag(self) -> String {
        match self {
            Self::Index | Self::Document | Self::Changes => "service".to_owned(),
            Self::Import => Kind::Event.plural().to_owned(),
            // The first part of the path names the resource.
            _ => self.path().split('/').nth(1).unwrap_or_default().to_owned(),
        }
    }

    /// The summary in the OpenAPI document.
    pub(crate) fn summary(self) -> String {
        match self {
            Self::Index => "List the routes of the namespace".to_owned(),
            Self::Document => "Describe the interface".to_owned(),
            Self::Changes => "List what changed since a state, or all records".to_owned(),
            Self::Upload => "Upload an image".to_owned(),
            Self::Import => "Import the events of a calendar file".to_owned(),
            Self::ReadImage => "Read an image by its ID".to_owned(),
            Self::UpdateImage => "Say in words what an image shows".to_owned(),
            Self::DeleteImage => "Delete an image and remove it from its records".to_owned(),
            Self::ListFeeds => "List your secret feeds".to_owned(),
            Self::CreateFeed => "Add a secret feed".to_owned(),
            Self::ReadFeed => "Read a secret feed by its ID".to_owned(),
            Self::DeleteFeed => "Delete a secret feed, whose URL leads nowhere then".to_owned(),
            Self::ListSources => "List the sources".to_owned(),
            Self::CreateSource => "Add a source, which is read at once".to_owned(),
            Self::ReadSource => "Read a source by its ID".to_owned(),
            Self::UpdateSource => "Change a source".to_owned(),
            Self::DeleteSource => "Remove a source, with or without its events".to_owned(),
            Self::RunSource => "Let a source be read at once".to_owned(),
            Self::PauseSource => "Pause a source".to_owned(),
            Self::ResumeSource => "Let a paused source be read again".to_owned(),
            Self::Audit => "List who changed what".to_owned(),
            Self::ListDuplicates => "List pairs of records that look alike".to_owned(),
            Self::MergeDuplicate => "Merge two records into one".to_owned(),
            Self::DismissDuplicate => "Say that two records are two things".to_owned(),
            Self::UndoMerge => "Part two records again, within 30 days".to_owned(),
            Self::List(kind) => format!("List {}", kind.plural()),
            Self::Occurrences => "List the occurrences of an event".to_owned(),
            Self::Verify => "Say that an event is still right".to_owned(),
            Self::Revisions(kind) => {
                format!("List the revisions of {} {}", article(kind), kind.name())
            }
            Self::Restore(kind) => {
                let record = format!("{} {}", article(kind), kind.name());
                format!("Give {record} the fields that it had after a revision")
            }
            Self::Create(kind) => format!("Add {} {}", article(kind), kind.name()),
            Self::Read(kind, by) | Self::Update(kind, by) | Self::Delete(kind, by) => {
                let verb = match self {
                    Self::Read(..) => "Read",
                    Self::Update(..) => "Change",
                    _ => "Delete",
                };
                let record = format!("{} {}", article(kind), kind.name());
                match by {
                    By::Id => format!("{verb} {record} by its ID"),
                    By::Slug => format!("{verb} {record} by its slug"),
                    By::Slot => format!("{verb} an occurrence by its slot in the series"),
                }
            }
        }
    }
}

/// The indefinite article of the name of a kind.
pub(super) fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Event | Kind::Organizer => "an",
        Kind::Venue | Kind::Category | Kind::Tag => "a",
    }
}
