//! The effect of an import on records that it brought before.

use app::ports::ImportedRecord;
use domain::{FieldName, Record, source::UpdatePolicy};
use forms::Fields;

use super::missing_events::CANCELLED;

/// Whether an update writes a field of a record. `known` is the row of the ledger of its last import.
pub(super) fn takes<R: Record>(
    policy: UpdatePolicy,
    field: FieldName,
    present: &R,
    known: Option<&ImportedRecord>,
) -> bool {
    match policy {
        UpdatePolicy::Overwrite => true,
        UpdatePolicy::Keep => false,
        UpdatePolicy::FillBlanks => present.is_blank(field),
        UpdatePolicy::KeepLocal => known.map_or_else(
            || present.written(field).is_none(),
            |known| known.fields.is_untouched(field, present) || revives(field, present, known),
        ),
    }
}

/// Whether a field takes a record out of the trash, where an import put it.
fn revives<R: Record>(field: FieldName, present: &R, known: &ImportedRecord) -> bool {
    field == FieldName::Status && present.is_in_trash() && known.digest == CANCELLED
}

/// The fields of an update of a record; `None` if there is nothing to update.
pub(super) fn apply<R: Record>(
    policy: UpdatePolicy,
    sent: &Fields,
    present: &R,
    known: Option<&ImportedRecord>,
) -> Option<Fields> {
    let mut fields = sent.clone();
    let takes = |field| takes(policy, field, present, known);
    fields.body.retain(|name, _| name.parse().is_ok_and(takes));
    (!fields.body.is_empty()).then_some(fields)
}

#[cfg(test)]
mod tests {
    use app::{ports::FieldDigests, test_support::venue};
    use domain::Kind;
    use serde_json::json;

    use super::*;

    #[test]
    fn each_policy_takes_other_fields() {
        let body = json!({ "venue": "Mill", "city": "Lyon", "zip": "69002", "phone": "+33 1" });
        let sent = Fields::from_body(body.as_object().unwrap().clone());
        let mut present = venue("Old Mill").build();
        present.details.city = "Vienne".to_owned();
        present.details.zip = "38200".to_owned();
        let known = ImportedRecord {
            source: "club".to_owned(),
            kind: Kind::Venue,
            uid: "1".to_owned(),
            id: 1,
            sequence: 0,
            stamp: None,
            digest: String::new(),
            slot: None,
            fields: FieldDigests::of(&present),
        };
        // An editor changes the city.
        present.details.city = "Valence".to_owned();
        let names = |policy, known| {
            let fields = apply(policy, &sent, &present, known);
            fields.map(|fields| fields.body.keys().cloned().collect::<Vec<_>>().join(" "))
        };
        for (policy, expected) in [
            (UpdatePolicy::Overwrite, Some("venue city zip phone")),
            (UpdatePolicy::KeepLocal, Some("venue zip phone")),
            (UpdatePolicy::FillBlanks, Some("phone")),
            (UpdatePolicy::Keep, None),
        ] {
            assert_eq!(names(policy, Some(&known)).as_deref(), expected, "{policy}");
        }
        assert_eq!(
            names(UpdatePolicy::KeepLocal, None).as_deref(),
            Some("phone")
        );
    }
}
