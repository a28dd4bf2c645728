//! Entries of the trail as pages show them.

use app::ports::AuditEntry;
use domain::{
    FieldName, Language, Role, Status,
    audit::{AuditChannel, AuditedKind, FieldChange, ValueChange},
    policy::Capability,
    time::Timestamp,
};

use super::{
    known::Known,
    words::{field_word, linked, of_action, of_channel, of_kind},
};
use crate::{account::LANGUAGES, request::DeskRequest, words::Word};

/// Texts with more characters, or more lines, are folded.
const MAX_OPEN: (usize, usize) = (200, 4);

/// The characters of a folded text that are shown.
const BEGINNING: usize = 80;

/// An entry.
#[derive(Debug)]
pub(super) struct ShownEntry {
    pub(super) number: i64,
    pub(super) revision: i64,
    /// The time in the zone of the site, and as the element `time` has it.
    pub(super) time: String,
    pub(super) instant: String,
    /// The name of the user.
    pub(super) user: Option<String>,
    /// The way on which the write came, in words, and its name.
    pub(super) channel: &'static str,
    pub(super) channel_name: Option<String>,
    /// The address of the client, for administrators.
    pub(super) address: Option<String>,
    pub(super) action: &'static str,
    pub(super) record: ShownRecord,
    pub(super) changes: Vec<ShownChange>,
}

/// The record of an entry.
#[derive(Debug)]
pub(super) struct ShownRecord {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) form: Option<String>,
}

/// The change of a field.
#[derive(Debug)]
pub(super) struct ShownChange {
    /// The words of the field, or its name in the interface.
    pub(super) title: &'static str,
    /// The language of a translation.
    pub(super) language: Option<&'static str>,
    /// The text in place of values that are not there.
    pub(super) note: Option<&'static str>,
    pub(super) old: Option<ShownText>,
    pub(super) new: Option<ShownText>,
}

/// A value. A long text has a beginning, which is shown in its place.
#[derive(Debug)]
pub(super) struct ShownText {
    pub(super) text: String,
    pub(super) beginning: Option<String>,
}

/// The entries of a page.
pub(super) fn all(request: &DeskRequest, rows: &[AuditEntry], known: &Known) -> Vec<ShownEntry> {
    rows.iter().map(|row| shown(request, row, known)).collect()
}

fn shown(request: &DeskRequest, entry: &AuditEntry, known: &Known) -> ShownEntry {
    let is_administrator = request.caller().can(Capability::ReadAudit);
    let name = entry.channel_name.as_ref();
    let channel_name = match entry.channel {
        // The numbers of tokens are for administrators.
        AuditChannel::Token => name
            .filter(|_| is_administrator)
            .map(|id| format!("{} {id}", request.word(Word::KIND_TOKEN))),
        _ => name.cloned(),
    };
    let title = known.title(entry.kind, entry.record);
    ShownEntry {
        number: entry.number,
        revision: entry.revision,
        time: time(request, entry.at),
        instant: format!("{}Z", entry.at.to_string().replace(' ', "T")),
        user: entry.user_name.clone().or_else(|| known.user(entry.user?)),
        channel: request.word(of_channel(entry.channel)),
        channel_name,
        address: entry.address.clone().filter(|_| is_administrator),
        action: request.word(of_action(entry.action)),
        record: ShownRecord {
            kind: request.word(of_kind(entry.kind)),
            title: title.map_or_else(|| format!("#{}", entry.record), str::to_owned),
            form: known.form(entry.kind, entry.record).map(str::to_owned),
        },
        changes: changes(request, entry.kind, &entry.changes, known),
    }
}

/// A time in the zone of the site.
pub(super) fn time(request: &DeskRequest, at: Timestamp) -> String {
    let zone = &request.state.calendar.site().zone;
    zone.at(at).local.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// Changes of a record of a kind.
pub(super) fn changes(
    request: &DeskRequest,
    kind: AuditedKind,
    changes: &[FieldChange],
    known: &Known,
) -> Vec<ShownChange> {
    let changes = changes.iter();
    changes
        .map(|one| change(request, kind, one, known))
        .collect()
}

fn change(
    request: &DeskRequest,
    kind: AuditedKind,
    change: &FieldChange,
    known: &Known,
) -> ShownChange {
    let field = change.field;
    let value = |text: &String| folded(in_words(request, kind, field, text, known));
    let part = |start: usize, text: &str, end: usize| {
        let dots = |cut: usize| if cut > 0 { "…" } else { "" };
        (!text.is_empty()).then(|| folded(format!("{}{text}{}", dots(start), dots(end))))
    };
    let raw = |text: &String| folded(text.clone());
    let (note, old, new) = match &change.change {
        ValueChange::Whole { old, new } => (None, old.as_ref().map(value), new.as_ref().map(value)),
        ValueChange::Part {
            start,
            end,
            old,
            new,
        } => (None, part(*start, old, *end), part(*start, new, *end)),
        ValueChange::Digest { old, new } => {
            let note = Some(Word::ONLY_DIGESTS);
            (note, old.as_ref().map(raw), new.as_ref().map(raw))
        }
        ValueChange::Secret => (Some(Word::IS_SECRET), None, None),
    };
    let title = field_word(kind, field);
    ShownChange {
        title: title.map_or(field.as_str(), |word| request.word(word)),
        language: change.language.map(name_of),
        note: note.map(|word| request.word(word)),
        old,
        new,
    }
}

/// The name of a language.
fn name_of(language: Language) -> &'static str {
    let mut names = LANGUAGES.into_iter();
    let found = names.find(|(one, _)| *one == language);
    found.map_or(language.code(), |(_, name)| name)
}

/// A value as the desk says it elsewhere.
fn in_words(
    request: &DeskRequest,
    kind: AuditedKind,
    field: FieldName,
    text: &str,
    known: &Known,
) -> String {
    let word = match field {
        FieldName::Status => text.parse::<Status>().ok().map(Word::of_status),
        FieldName::Role => text.parse::<Role>().ok().map(Word::of_role),
        FieldName::AllDay
        | FieldName::Cancelled
        | FieldName::Disabled
        | FieldName::Featured
        | FieldName::HideFromListings
        | FieldName::Prune
        | FieldName::ShowMap
        | FieldName::ShowMapLink
        | FieldName::Sticky => match text {
            "true" => Some(Word::YES),
            _ => Some(Word::NO),
        },
        _ => None,
    };
    if let Some(word) = word {
        return request.word(word).to_owned();
    }
    if let (FieldName::Language, Ok(language)) = (field, text.parse()) {
        return name_of(language).to_owned();
    }
    let Some(of) = linked(kind, field) else {
        return text.to_owned();
    };
    let names = text.split(',').map(|id| {
        let title = id.parse().ok().and_then(|id| known.title(of, id));
        title.map_or_else(|| format!("#{id}"), str::to_owned)
    });
    names.collect::<Vec<_>>().join("\n")
}

fn folded(text: String) -> ShownText {
    let (characters, lines) = MAX_OPEN;
    let is_long = text.chars().nth(characters).is_some() || text.lines().nth(lines).is_some();
    let beginning = is_long.then(|| text.chars().take(BEGINNING).collect());
    ShownText { text, beginning }
}
