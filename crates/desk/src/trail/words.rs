//! The words and paths of the trail: for what entries have as names of the interface.

use domain::{
    Category, FieldName, Kind, Organizer, Tag, Venue,
    audit::{AuditAction, AuditChannel, AuditedKind},
};

use crate::{event_form, records, sources, words::Word};

/// The path of the forms of a kind, which the ID follows.
pub(crate) fn forms(kind: Kind) -> String {
    match kind {
        Kind::Event => "/desk/event".to_owned(),
        kind => format!("/desk/{}", kind.plural()),
    }
}

/// The effect of a write.
pub(super) const fn of_action(action: AuditAction) -> Word {
    match action {
        AuditAction::Create => Word::WAS_CREATED,
        AuditAction::Update => Word::WAS_CHANGED,
        AuditAction::Trash => Word::WAS_TRASHED,
        AuditAction::Untrash => Word::WAS_UNTRASHED,
        AuditAction::Delete => Word::WAS_DELETED,
    }
}

/// The kind of a record.
pub(super) const fn of_kind(kind: AuditedKind) -> Word {
    match kind {
        AuditedKind::Event => Word::of_kind(Kind::Event),
        AuditedKind::Venue => Word::of_kind(Kind::Venue),
        AuditedKind::Organizer => Word::of_kind(Kind::Organizer),
        AuditedKind::Category => Word::of_kind(Kind::Category),
        AuditedKind::Tag => Word::of_kind(Kind::Tag),
        AuditedKind::Image => Word::KIND_IMAGE,
        AuditedKind::User => Word::KIND_USER,
        AuditedKind::Token => Word::KIND_TOKEN,
        AuditedKind::Feed => Word::KIND_FEED,
        AuditedKind::Source => Word::KIND_SOURCE,
        AuditedKind::Site => Word::KIND_SITE,
    }
}

/// The way on which a write came, which its name follows.
pub(super) const fn of_channel(channel: AuditChannel) -> Word {
    match channel {
        AuditChannel::Token => Word::BY_TOKEN,
        AuditChannel::Session => Word::AT_THE_DESK,
        AuditChannel::Visitor => Word::BY_A_VISITOR,
        AuditChannel::Command => Word::BY_COMMAND,
        AuditChannel::Job => Word::BY_JOB,
        AuditChannel::Program => Word::BY_PROGRAM,
    }
}

/// The words of a field: those of the form of its kind, if it has the field. Few fields have none.
pub(crate) fn field_word(kind: AuditedKind, field: FieldName) -> Option<Word> {
    let name = field.as_str();
    let of_form = match kind {
        AuditedKind::Event => event_form::title_of(name),
        AuditedKind::Venue => records::title_of::<Venue>(name),
        AuditedKind::Organizer => records::title_of::<Organizer>(name),
        AuditedKind::Category => records::title_of::<Category>(name),
        AuditedKind::Tag => records::title_of::<Tag>(name),
        AuditedKind::Source => sources::title_of(name),
        _ => None,
    };
    of_form.or_else(|| {
        Some(match field {
            FieldName::Name => Word::NAME,
            FieldName::Email => Word::EMAIL,
            FieldName::Role => Word::ROLE,
            FieldName::Disabled => Word::IS_DISABLED,
            FieldName::Password => Word::PASSWORD,
            FieldName::File => Word::FILE,
            FieldName::Alt => Word::ALTERNATIVE_TEXT,
            FieldName::Author => Word::AUTHOR,
            FieldName::User => Word::OWNER,
            FieldName::Query => Word::FILTER,
            FieldName::Fields => Word::CHANGED_SETTINGS,
            FieldName::Image => Word::PICTURE,
            FieldName::Excerpt => Word::EXCERPT,
            FieldName::Slug => Word::SLUG,
            FieldName::Parent => Word::PARENT,
            FieldName::DateUtc => Word::PUBLISHED_ON,
            FieldName::Language => Word::LANGUAGE_OF_TEXTS,
            FieldName::ShowMap => Word::SHOW_MAP,
            FieldName::ShowMapLink => Word::SHOW_MAP_LINK,
            FieldName::Tickets => Word::TICKETS,
            FieldName::RecurrenceId => Word::DATE_OF_SERIES,
            FieldName::Own => Word::OWN_FIELDS,
            _ => return None,
        })
    })
}

/// The kind of the records whose IDs are the value of a field.
pub(super) const fn linked(kind: AuditedKind, field: FieldName) -> Option<AuditedKind> {
    match (kind, field) {
        (AuditedKind::Event, FieldName::Venue) => Some(AuditedKind::Venue),
        (AuditedKind::Event, FieldName::Organizer) => Some(AuditedKind::Organizer),
        (AuditedKind::Event, FieldName::Categories) => Some(AuditedKind::Category),
        (AuditedKind::Event, FieldName::Tags) => Some(AuditedKind::Tag),
        (AuditedKind::Event | AuditedKind::Category, FieldName::Parent) => Some(kind),
        (_, FieldName::Author | FieldName::User) => Some(AuditedKind::User),
        _ => None,
    }
}
