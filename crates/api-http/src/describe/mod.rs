//! The table of operations, from which the index of routes, the responses to `OPTIONS` and the
//! OpenAPI document are made.
//!
//! Tests compare the table with the routes served, and with the fields that requests may have. Tests of `forms`
//! compare the fields of records with those read.

mod action;
mod document;
pub(crate) mod index;
mod openapi;
mod page;
pub(crate) mod param;

use std::sync::LazyLock;

use app::request::Purpose;
use domain::{Category, Event, Kind, Organizer, Tag, Venue};
use forms::{Form as _, PAGING, Param};

use action::{Action, By};

pub(crate) use document::Document;
pub(crate) use page::document_asset;

/// An operation with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) action: Action,
    /// The pattern of the path below the namespace: `/events/{id}`, empty for the namespace itself.
    pub(crate) path: String,
    /// In the path.
    pub(crate) in_path: Vec<Param>,
    /// In the query.
    pub(crate) in_query: Vec<Param>,
    /// In the body, or in the query as well.
    pub(crate) in_body: Vec<Param>,
}

/// All operations of the namespace; those of one path are adjacent.
pub(crate) fn operations() -> &'static [Operation] {
    static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        let mut actions = vec![Action::Index, Action::Document, Action::Changes];
        for kind in Kind::ALL {
            actions.extend([Action::List(kind), Action::Create(kind)]);
            let by_slug = (!is_term(kind)).then_some(By::Slug);
            let by_slot = (kind == Kind::Event).then_some(By::Slot);
            for by in [By::Id].into_iter().chain(by_slug).chain(by_slot) {
                actions.extend([
                    Action::Read(kind, by),
                    Action::Delete(kind, by),
                    Action::Update(kind, by),
                ]);
            }
            actions.extend([Action::Revisions(kind), Action::Restore(kind)]);
            if kind == Kind::Event {
                actions.extend([Action::Occurrences, Action::Verify]);
            }
        }
        actions.extend([
            Action::Upload,
            Action::ReadImage,
            Action::UpdateImage,
            Action::DeleteImage,
            Action::Import,
        ]);
        actions.extend([Action::ListFeeds, Action::CreateFeed]);
        actions.extend([Action::ReadFeed, Action::DeleteFeed]);
        actions.extend([
            Action::ListSources,
            Action::CreateSource,
            Action::ReadSource,
            Action::UpdateSource,
            Action::DeleteSource,
            Action::RunSource,
            Action::PauseSource,
            Action::ResumeSource,
            Action::ListDuplicates,
            Action::MergeDuplicate,
            Action::DismissDuplicate,
            Action::UndoMerge,
            Action::Audit,
        ]);
        actions.into_iter().map(Operation::of).collect()
    });
    &OPERATIONS
}

impl Operation {
    fn of(action: Action) -> Self {
        Self {
            action,
            path: action.path(),
            in_path: action.in_path(),
            in_query: action.in_query(),
            in_body: action.in_body(),
        }
    }

    /// The pattern of the whole path.
    #[cfg(test)]
    pub(crate) fn route(&self) -> String {
        format!("/{}{}", http_service::site::NAMESPACE, self.path)
    }

    /// All parameters.
    pub(crate) fn params(&self) -> impl Iterator<Item = &Param> {
        self.in_path
            .iter()
            .chain(&self.in_query)
            .chain(&self.in_body)
    }
}

/// The parameters of a list of a kind.
pub(crate) fn filters_of(kind: Kind) -> Vec<Param> {
    let filters = match kind {
        Kind::Event => Event::filters(),
        Kind::Venue => Venue::filters(),
        Kind::Organizer => Organizer::filters(),
        Kind::Category => Category::filters(),
        Kind::Tag => Tag::filters(),
    };
    PAGING.into_iter().chain(filters).collect()
}

/// The writable fields of a kind; some are required of a new record.
pub(crate) fn fields_of(kind: Kind, purpose: Purpose) -> Vec<Param> {
    match kind {
        Kind::Event => Event::fields(purpose),
        Kind::Venue => Venue::fields(purpose),
        Kind::Organizer => Organizer::fields(purpose),
        Kind::Category => Category::fields(purpose),
        Kind::Tag => Tag::fields(purpose),
    }
}

/// Whether records of the kind are terms.
pub(crate) fn is_term(kind: Kind) -> bool {
    matches!(kind, Kind::Category | Kind::Tag)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use app::{AppError, fault::Fault, site::Site, test_support::at};
    use domain::{FieldName, Role, UserId, policy::Caller};
    use forms::{ChangesForm, Fields, Reading};
    use interchange::{
        import::ImportOptions,
        source::{removal, source_write},
    };

    use super::*;
    use http_service::site::NAMESPACE;

    /// A method and a path.
    type Served = BTreeSet<(String, String)>;

    #[test]
    fn what_is_described_is_served_and_what_is_served_is_described() {
        let described: Served = operations()
            .iter()
            .flat_map(|operation| {
                let methods = operation.action.methods().iter();
                methods.map(|method| (method.to_string(), operation.route()))
            })
            .collect();
        let served: Served = crate::endpoints()
            .routes()
            .map(|route| (route.method.to_string(), route.path.clone()))
            .filter(|(_, path)| path.starts_with(&format!("/{NAMESPACE}")))
            .collect();
        assert_eq!(described, served);
    }

    #[test]
    fn no_operation_takes_the_same_field_twice_from_one_place() {
        for operation in operations() {
            for params in [&operation.in_path, &operation.in_query, &operation.in_body] {
                let names: BTreeSet<_> = params.iter().map(|param| param.name).collect();
                assert_eq!(names.len(), params.len(), "{:?}", operation.action);
            }
        }
    }

    /// Reads the fields of a request that writes no record. None for actions that take a language alone or read
    /// no fields.
    fn read(action: Action, fields: &Fields) -> Option<Result<(), AppError>> {
        let site = Site::default();
        let caller = Caller::of(UserId::from_raw(1), Role::Editor);
        let reading = Reading {
            caller,
            site: &site,
            now: at("2030-01-01 09:00:00"),
        };
        let read = match action {
            Action::List(Kind::Event) => forms::query::<Event>(fields, reading).map(drop),
            Action::List(Kind::Venue) => forms::query::<Venue>(fields, reading).map(drop),
            Action::List(Kind::Organizer) => forms::query::<Organizer>(fields, reading).map(drop),
            Action::List(Kind::Category) => forms::query::<Category>(fields, reading).map(drop),
            Action::List(Kind::Tag) => forms::query::<Tag>(fields, reading).map(drop),
            Action::Changes => ChangesForm::read(fields).map(drop),
            Action::Occurrences => forms::occurrences(fields, reading).map(drop),
            Action::Read(kind, _) => forms::read_options(fields, kind).map(drop),
            Action::Delete(kind, _) => forms::delete_options(fields, kind).map(drop),
            Action::ListFeeds | Action::ListSources => fields.page(&site).map(drop),
            Action::CreateSource | Action::UpdateSource => source_write(fields).map(drop),
            Action::ListDuplicates => forms::duplicates(fields, &site).map(drop),
            Action::Audit => forms::audit(fields, &site, reading.now).map(drop),
            Action::Revisions(_) => forms::revisions(fields, &site).map(drop),
            Action::MergeDuplicate => forms::merge(fields).map(drop),
            Action::DeleteSource => return Some(removal(fields).map(drop)),
            Action::CreateFeed => forms::secret_feed(fields, &Fields::default(), reading).map(drop),
            Action::Upload => forms::new_image(fields).map(drop),
            Action::Import => return Some(ImportOptions::read(fields, reading).map(drop)),
            _ => return None,
        };
        Some(read.map_err(AppError::from))
    }

    /// The names that a strict request may send.
    fn accepted(read: impl Fn(&Fields) -> Result<(), AppError>) -> BTreeSet<&'static str> {
        let names = FieldName::ALL.into_iter().map(FieldName::as_str);
        let accepted = names.filter(|name| {
            // A secret feed requires a name, and a merge the record that stays.
            let mut fields = Fields::from_query(&format!("name=x&keep=1&{name}=x"));
            fields.strict = true;
            let faults = match read(&fields) {
                Err(AppError::Invalid(faults)) => faults,
                read => return read.is_ok(),
            };
            !matches!(faults.get(*name), Some(Fault::UnknownField { .. }))
        });
        accepted.collect()
    }

    #[test]
    fn the_fields_read_are_those_described() {
        let by_all = accepted(|fields| Ok(fields.check_language_only(&[])?));
        for Operation {
            action,
            in_query,
            in_body,
            ..
        } in operations()
        {
            if read(*action, &Fields::default()).is_some() {
                let described = in_query.iter().chain(in_body);
                let mut described: BTreeSet<_> =
                    described.map(|param| param.name.as_str()).collect();
                described.extend(&by_all);
                let accepted = accepted(|fields| read(*action, fields).unwrap_or(Ok(())));
                assert_eq!(accepted, described, "{action:?}");
            }
        }
    }
}
