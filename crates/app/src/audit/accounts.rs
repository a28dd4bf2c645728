//! The entries of writes that are none of records: of users, tokens, images, sources, feeds and settings.

use domain::{
    FieldName, Image, Secret, Stored, User, UserId,
    audit::{AuditAction, AuditedKind, FieldChange, TrailValues, ValueChange},
    source::Source,
    time::Timestamp,
};

use super::add_entry;
use crate::ports::{Repositories, StoreError};

/// Adds an entry by a user, or else by the user of the running request, unless no field changed.
pub(crate) async fn note(
    user: Option<UserId>,
    (kind, record): (AuditedKind, i64),
    action: AuditAction,
    changes: Vec<FieldChange>,
    at: Timestamp,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    add_entry(user, at, (kind, record, 0), action, changes, unit).await
}

/// The change of one value.
pub(crate) fn value(field: FieldName, old: Option<String>, new: Option<String>) -> FieldChange {
    FieldChange {
        field,
        language: None,
        change: ValueChange::Whole { old, new },
    }
}

/// A field with another secret.
pub(crate) const fn secret(field: FieldName) -> FieldChange {
    FieldChange {
        field,
        language: None,
        change: ValueChange::Secret,
    }
}

/// The action that leads from one state to another one.
const fn action<T>(before: Option<&T>, after: Option<&T>) -> AuditAction {
    match (before, after) {
        (None, _) => AuditAction::Create,
        (_, None) => AuditAction::Delete,
        _ => AuditAction::Update,
    }
}

fn collected(values: impl IntoIterator<Item = (FieldName, Option<String>)>) -> TrailValues {
    let values = values.into_iter();
    values
        .filter_map(|(field, value)| Some(((field, None), value?)))
        .collect()
}

/// Adds the entry of a change of a user; `None` where there is no user.
pub(crate) async fn of_user(
    before: Option<&Stored<User>>,
    after: Option<&Stored<User>>,
    mut others: Vec<FieldChange>,
    at: Timestamp,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    let Some(user) = after.or(before) else {
        return Ok(());
    };
    let values = |user: &Stored<User>| {
        let User {
            name,
            email,
            role,
            disabled,
        } = &user.content;
        collected([
            (FieldName::Name, Some(name.to_string())),
            (FieldName::Email, email.as_ref().map(ToString::to_string)),
            (FieldName::Role, Some(role.name().to_owned())),
            (FieldName::Disabled, Some(disabled.to_string())),
        ])
    };
    let [old, new] = [before, after].map(|user| user.map(values).unwrap_or_default());
    let mut changes = FieldChange::of_values(&old, &new);
    changes.append(&mut others);
    let of = (AuditedKind::User, user.id.get());
    note(None, of, action(before, after), changes, at, unit).await
}

/// Adds the entry of a change of an image; `None` where there is no image.
pub(crate) async fn of_image(
    user: Option<UserId>,
    before: Option<&Stored<Image>>,
    after: Option<&Stored<Image>>,
    at: Timestamp,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    let Some(image) = after.or(before) else {
        return Ok(());
    };
    let values = |image: &Stored<Image>| {
        let mut values = collected([
            (FieldName::File, Some(image.path().as_str().to_owned())),
            (FieldName::Author, Some(image.uploader.to_string())),
        ]);
        for (language, alt) in image.alt.iter() {
            values.insert((FieldName::Alt, Some(language)), alt.to_string());
        }
        values
    };
    let [old, new] = [before, after].map(|image| image.map(values).unwrap_or_default());
    let changes = FieldChange::of_values(&old, &new);
    let of = (AuditedKind::Image, image.id.get(), image.revision);
    add_entry(user, at, of, action(before, after), changes, unit).await
}

/// Adds the entry of a change of a source; `None` where there is no source. The address may hold a key.
pub(crate) async fn of_source(
    id: i64,
    before: Option<&Source>,
    after: Option<&Source>,
    at: Timestamp,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    let values = |source: &Source| {
        collected([
            (FieldName::Name, Some(source.name.as_str().to_owned())),
            (FieldName::Format, Some(source.format.to_string())),
            (FieldName::User, Some(source.user.to_string())),
            (FieldName::Every, Some(source.every.to_string())),
            (FieldName::Status, Some(source.status.to_string())),
            (
                FieldName::Category,
                source.category.as_ref().map(ToString::to_string),
            ),
            (FieldName::Policy, Some(source.policy.to_string())),
            (FieldName::Prune, Some(source.prune.to_string())),
            (FieldName::Disabled, Some(source.paused.to_string())),
        ])
    };
    let [old, new] = [before, after].map(|source| source.map(values).unwrap_or_default());
    let mut changes = FieldChange::of_values(&old, &new);
    if before.map(|source| &source.url) != after.map(|source| &source.url) {
        changes.push(secret(FieldName::Url));
    }
    let [old, new] = [before, after].map(|source| source?.header_file.as_ref());
    if old.map(Secret::expose) != new.map(Secret::expose) {
        changes.push(secret(FieldName::HeaderFile));
    }
    let of = (AuditedKind::Source, id);
    note(None, of, action(before, after), changes, at, unit).await
}
