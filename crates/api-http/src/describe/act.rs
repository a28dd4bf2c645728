//! What can be done, and what it takes.

use axum::http::Method;
use domain::Kind;

use super::{
    fields, fields_of, filters_of,
    param::{Param, Preset},
    shape::Shape,
};
use crate::NAMESPACE;

/// What is done at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// `GET` of the namespace.
    Index,
    /// `GET` of the document.
    Document,
    /// `GET` of a collection.
    List(Kind),
    /// `POST` to a collection.
    Create(Kind),
    /// `GET` of a record.
    Read(Kind, By),
    /// `POST`, `PUT` and `PATCH` of a record.
    Update(Kind, By),
    /// `DELETE` of a record.
    Delete(Kind, By),
}

/// How a path names a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// By its number.
    Id,
    /// By its slug.
    Slug,
}

impl Act {
    /// The methods that do it.
    pub(crate) fn methods(self) -> &'static [Method] {
        const GET: &[Method] = &[Method::GET];
        const POST: &[Method] = &[Method::POST];
        const CHANGE: &[Method] = &[Method::POST, Method::PUT, Method::PATCH];
        const DELETE: &[Method] = &[Method::DELETE];
        match self {
            Self::Index | Self::Document | Self::List(_) | Self::Read(..) => GET,
            Self::Create(_) => POST,
            Self::Update(..) => CHANGE,
            Self::Delete(..) => DELETE,
        }
    }

    /// The pattern of the path, below the namespace.
    pub(super) fn path(self) -> String {
        match self {
            Self::Index => String::new(),
            Self::Document => "/doc".to_owned(),
            Self::List(kind) | Self::Create(kind) => format!("/{}", kind.plural()),
            Self::Read(kind, by) | Self::Update(kind, by) | Self::Delete(kind, by) => match by {
                By::Id => format!("/{}/{{id}}", kind.plural()),
                By::Slug => format!("/{}/by-slug/{{slug}}", kind.plural()),
            },
        }
    }

    /// What it takes in the path.
    pub(super) fn in_path(self) -> Vec<Param> {
        match self {
            Self::Index | Self::Document | Self::List(_) | Self::Create(_) => Vec::new(),
            Self::Read(_, by) | Self::Update(_, by) | Self::Delete(_, by) => match by {
                By::Id => vec![fields::ID],
                By::Slug => vec![fields::SLUG],
            },
        }
    }

    /// What it takes in the query.
    pub(super) fn in_query(self) -> Vec<Param> {
        let mut params = match self {
            Self::Index => vec![
                Param::new("namespace", Shape::Text, "The namespace to describe.")
                    .or(Preset::Text(NAMESPACE)),
                Param::new("context", Shape::Line, "Accepted, without effect.")
                    .or(Preset::Text("view")),
            ],
            Self::List(kind) => filters_of(kind),
            Self::Read(Kind::Event, _) | Self::Delete(Kind::Event, _) => {
                vec![fields::OPENING_PASSWORD]
            }
            Self::Document
            | Self::Create(_)
            | Self::Read(..)
            | Self::Update(..)
            | Self::Delete(..) => Vec::new(),
        };
        if matches!(self, Self::Delete(..)) {
            params.push(fields::FORCE);
        }
        params.push(fields::LANGUAGE);
        params
    }

    /// What it takes in the body.
    pub(super) fn in_body(self) -> Vec<Param> {
        match self {
            Self::Create(kind) => fields_of(kind, true),
            Self::Update(kind, _) => fields_of(kind, false),
            _ => Vec::new(),
        }
    }

    /// The kind of record that it is about.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Index | Self::Document => None,
            Self::List(kind)
            | Self::Create(kind)
            | Self::Read(kind, _)
            | Self::Update(kind, _)
            | Self::Delete(kind, _) => Some(kind),
        }
    }

    /// What it does, in a line.
    pub(crate) fn summary(self) -> String {
        let by = |by: By| match by {
            By::Id => "ID",
            By::Slug => "slug",
        };
        match self {
            Self::Index => "Tell what the namespace offers".to_owned(),
            Self::Document => "Describe the interface".to_owned(),
            Self::List(kind) => format!("List {}", kind.plural()),
            Self::Create(kind) => format!("Add {} {}", article(kind), kind.name()),
            Self::Read(kind, way) => {
                format!("Read {} {} by its {}", article(kind), kind.name(), by(way))
            }
            Self::Update(kind, way) => {
                format!(
                    "Change {} {} by its {}",
                    article(kind),
                    kind.name(),
                    by(way)
                )
            }
            Self::Delete(kind, way) => {
                format!(
                    "Delete {} {} by its {}",
                    article(kind),
                    kind.name(),
                    by(way)
                )
            }
        }
    }
}

fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Event | Kind::Organizer => "an",
        Kind::Venue | Kind::Category | Kind::Tag => "a",
    }
}
