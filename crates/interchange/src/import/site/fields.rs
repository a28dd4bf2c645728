//! The fields of a record of a site, as requests name them.

use app::ports::ImportedRecord;
use domain::{FieldName, Kind, Record, Status, policy::Capability, source::UpdatePolicy};
use forms::Fields;
use serde_json::{Map, Value};

use super::{Move, SiteImportError};
use crate::{import::policy, source_site::SourceRecord};

/// A record that was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrived {
    /// It is here as a date of a series, which cannot have what it has now.
    Misfit,
    /// It has this ID here.
    Here(i64),
    /// It would be created, in a run that writes nothing.
    Rehearsed,
    /// It was not taken.
    Refused,
}

/// The name of a record in remarks: its URL, or else its kind and ID.
pub(super) fn name_of(record: &SourceRecord) -> String {
    if record.url.is_empty() {
        format!("{} {}", record.kind, record.id)
    } else {
        record.url.clone()
    }
}

/// Whether a record is refused rather than taken without a field.
pub(super) fn is_required(kind: Kind, field: &str) -> bool {
    field == FieldName::title_of(kind).as_str()
        || matches!(field, "start_date" | "end_date" | "recurrence" | "")
}

/// The fields that an update clears if the site has no value for them.
fn clearable(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Event => &[
            "description",
            "excerpt",
            "cost",
            "website",
            "image",
            "venue",
            "organizer",
            "categories",
            "tags",
        ],
        Kind::Venue => &[
            "description",
            "image",
            "address",
            "city",
            "country",
            "province",
            "state",
            "stateprovince",
            "zip",
            "phone",
            "website",
        ],
        Kind::Organizer => &["description", "image", "phone", "website", "email"],
        Kind::Category | Kind::Tag => &["description"],
    }
}

impl Move<'_> {
    /// The body of the creation of a record.
    pub(super) async fn body(
        &mut self,
        record: &SourceRecord,
    ) -> Result<Map<String, Value>, SiteImportError> {
        let mut body = record.fields.clone();
        let url = name_of(record);
        if record.locked {
            body.insert("status".to_owned(), Status::Draft.name().into());
            self.remark(
                &url,
                "locked by a password that the site does not tell: taken as a draft",
            );
        }
        if let Some(author) = &record.author
            && self.caller.can(Capability::EditOthers)
            && let Some(user) = self.user_of(author).await?
        {
            body.insert("author".to_owned(), user.get().into());
        }
        if let Some(parent) = record.parent {
            match self.arrived.get(&(record.kind, parent)) {
                Some(Arrived::Here(id)) => drop(body.insert("parent".to_owned(), (*id).into())),
                Some(Arrived::Rehearsed) => {}
                Some(Arrived::Refused | Arrived::Misfit) | None => {
                    self.remark(&url, format_args!("left out: parent: {parent} is not here"));
                }
            }
        }
        for (kind, field) in [
            (Kind::Venue, "venue"),
            (Kind::Organizer, "organizer"),
            (Kind::Category, "categories"),
            (Kind::Tag, "tags"),
        ] {
            let mut ids = Vec::new();
            for one in record.related.iter().filter(|one| one.kind == kind) {
                match self.arrived.get(&(kind, one.id)) {
                    Some(Arrived::Here(id)) => ids.push(*id),
                    Some(Arrived::Rehearsed) => {}
                    Some(Arrived::Refused | Arrived::Misfit) | None => {
                        let id = one.id;
                        self.remark(&url, format_args!("left out: {field}: {id} is not here"));
                    }
                }
            }
            if kind == Kind::Venue {
                ids.truncate(1);
            }
            if !ids.is_empty() {
                body.insert(field.to_owned(), ids.into());
            }
        }
        if let Some(category) = self
            .options
            .category
            .as_ref()
            .filter(|_| record.kind == Kind::Event)
        {
            let empty = || Value::Array(Vec::new());
            let categories = body.entry("categories").or_insert_with(empty);
            if let Some(values) = categories.as_array_mut() {
                // The markup says that digits are a name.
                values.push(format!("<b>{category}").into());
            }
        }
        Ok(body)
    }

    /// Gives an event the status that the options say, in place of that of the site, unless it is private or
    /// locked there.
    pub(super) fn put_status(
        &self,
        record: &SourceRecord,
        body: &mut Map<String, Value>,
        is_new: bool,
    ) {
        let is_private = body
            .get("status")
            .is_some_and(|status| status == Status::Private.name());
        let Some(status) = self
            .options
            .status
            .filter(|_| record.kind == Kind::Event && !record.locked && !is_private)
        else {
            return;
        };
        if is_new {
            body.insert("status".to_owned(), status.name().into());
        } else {
            body.remove("status");
        }
    }

    /// The fields of the update of a record by the policy; `None` if it stays.
    pub(super) fn update_of<R: Record>(
        &self,
        present: &R,
        known: Option<&ImportedRecord>,
        body: &Map<String, Value>,
    ) -> Option<Map<String, Value>> {
        let mut body = body.clone();
        if matches!(
            self.options.policy,
            UpdatePolicy::Overwrite | UpdatePolicy::KeepLocal
        ) {
            for field in clearable(R::KIND) {
                body.entry(*field).or_insert_with(|| "".into());
            }
        }
        let sent = Fields::from_body(body);
        let kept = policy::apply(self.options.policy, &sent, present, known)?;
        Some(kept.body)
    }
}

#[cfg(test)]
mod tests {
    use app::request::Purpose;
    use domain::{Category, Event, Organizer, Tag, Venue};
    use forms::Form;

    use super::*;

    /// The fields that stay if a site has no value for them: it always has one, or never says one.
    const KEPT: [FieldName; 25] = [
        FieldName::AllDay,
        FieldName::Author,
        FieldName::Cancelled,
        FieldName::CostDetails,
        FieldName::Currency,
        FieldName::Date,
        FieldName::DateUtc,
        FieldName::EndDate,
        FieldName::Featured,
        FieldName::HideFromListings,
        FieldName::Latitude,
        FieldName::Longitude,
        FieldName::Name,
        FieldName::Parent,
        FieldName::Password,
        FieldName::Recurrence,
        FieldName::ShowMap,
        FieldName::ShowMapLink,
        FieldName::Slug,
        FieldName::StartDate,
        FieldName::Status,
        FieldName::Sticky,
        FieldName::Tickets,
        FieldName::TimeZone,
        FieldName::Title,
    ];

    fn assert_decided<R: Form>() {
        for field in R::fields(Purpose::Create) {
            let is_cleared = clearable(R::KIND).contains(&field.name.as_str());
            let is_kept = KEPT.contains(&field.name) || field.name == FieldName::title_of(R::KIND);
            assert_ne!(is_cleared, is_kept, "{}: {}", R::KIND, field.name);
        }
    }

    #[test]
    fn every_field_of_a_write_is_cleared_or_kept() {
        assert_decided::<Event>();
        assert_decided::<Venue>();
        assert_decided::<Organizer>();
        assert_decided::<Category>();
        assert_decided::<Tag>();
    }
}
