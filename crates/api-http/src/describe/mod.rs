//! The table of operations, from which the index of routes, the responses to `OPTIONS` and the
//! OpenAPI document are made.
//!
//! Tests compare the table with the routes served and the fields read.

mod action;
mod document;
pub(crate) mod fields;
pub(crate) mod filters;
pub(crate) mod index;
mod openapi;
mod page;
pub(crate) mod param;
pub(crate) mod schema;

use std::sync::LazyLock;

use app::request::Purpose;
use domain::Kind;

use action::{Action, By};
use param::Param;
use schema::Schema;

pub(crate) use document::Document;

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
        let mut actions = vec![Action::Index, Action::Document];
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
            if kind == Kind::Event {
                actions.push(Action::Occurrences);
            }
        }
        actions.extend([
            Action::Upload,
            Action::ReadImage,
            Action::DeleteImage,
            Action::Import,
        ]);
        actions.extend([Action::ListFeeds, Action::CreateFeed]);
        actions.extend([Action::ReadFeed, Action::DeleteFeed]);
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
        format!("/{}{}", crate::site::NAMESPACE, self.path)
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
    use filters::{CHILDREN, DATES, ENTRIES, EVENTS, LIST_DAYS, PAGING, PLACES, TERMS};
    match kind {
        Kind::Event => {
            // An empty password opens no event.
            let password = Param {
                schema: Schema::AnyText,
                ..fields::OPENING_PASSWORD
            };
            [
                &PAGING[..],
                &ENTRIES,
                &LIST_DAYS,
                &DATES,
                &EVENTS,
                &[password],
            ]
            .concat()
        }
        Kind::Venue | Kind::Organizer => [&PAGING[..], &ENTRIES, &PLACES].concat(),
        Kind::Category => [&PAGING[..], &TERMS, &[CHILDREN]].concat(),
        Kind::Tag => [&PAGING[..], &TERMS].concat(),
    }
}

/// The parameters of the list of an event's occurrences.
fn filters_of_occurrences() -> Vec<Param> {
    use filters::{DATES, OCCURRENCE_DAYS, OCCURRENCES, PAGING};
    [
        &PAGING[..],
        &OCCURRENCE_DAYS,
        &DATES,
        &OCCURRENCES,
        &[fields::OPENING_PASSWORD],
    ]
    .concat()
}

/// The writable fields of a kind; some are required of a new record.
pub(crate) fn fields_of(kind: Kind, purpose: Purpose) -> Vec<Param> {
    use fields::{
        ENTRY, EVENT, EVENT_DATES, OCCURRENCE, ORGANIZER, PARENT, TERM, VENUE, WHICH_OCCURRENCES,
    };
    let needed = |param: Param| match purpose {
        Purpose::Create => param.required(),
        Purpose::Update => param,
    };
    let name = [needed(match kind {
        Kind::Event => fields::TITLE,
        Kind::Venue => fields::VENUE_NAME,
        Kind::Organizer => fields::ORGANIZER_NAME,
        Kind::Category | Kind::Tag => fields::TERM_NAME,
    })];
    match kind {
        Kind::Event => {
            let of_series: [&[Param]; 2] = match purpose {
                Purpose::Create => [&[], &[]],
                Purpose::Update => [&WHICH_OCCURRENCES, &OCCURRENCE],
            };
            let dates = EVENT_DATES.map(needed);
            [
                &name[..],
                &dates,
                &ENTRY,
                &EVENT,
                of_series[0],
                of_series[1],
            ]
            .concat()
        }
        Kind::Venue => [&name[..], &ENTRY, &VENUE].concat(),
        Kind::Organizer => [&name[..], &ENTRY, &ORGANIZER].concat(),
        Kind::Category => [&name[..], &TERM, &[PARENT]].concat(),
        Kind::Tag => [&name[..], &TERM].concat(),
    }
}

/// Whether records of the kind are terms.
pub(crate) fn is_term(kind: Kind) -> bool {
    matches!(kind, Kind::Category | Kind::Tag)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::site::NAMESPACE;

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
        let served: Served = crate::routes()
            .into_iter()
            .map(|route| (route.method.to_string(), route.path))
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
}
