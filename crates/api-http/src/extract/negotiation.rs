//! The format of a response that a client asks for: by the suffix of the path, else by the parameter
//! `format`, else by `Accept`.

use app::{AppError, fault::Fault};
use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use domain::{FieldName, Kind};
use http_service::{error::ApiError, extract::Format, response::tag::EntityTags};

use super::RequestContext;

/// The formats that a request names, and the entity tags that its client has.
#[derive(Debug)]
pub(crate) struct Negotiation {
    suffix: Option<Format>,
    accepted: Vec<Format>,
    pub(crate) cached: Option<EntityTags>,
}

impl<S: Sync> FromRequestParts<S> for Negotiation {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Self {
            suffix: Format::of_suffix(&parts.extensions),
            accepted: Format::accepted(&parts.headers),
            cached: EntityTags::read(&parts.headers, &header::IF_NONE_MATCH),
        })
    }
}

impl RequestContext<Negotiation> {
    /// The format of the list of a kind.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] if `format` names none.
    pub(crate) fn list_format(&self, kind: Kind) -> Result<Format, ApiError> {
        self.format(Format::of_list(kind))
    }

    /// The format of one record of a kind.
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] if `format` names none.
    pub(crate) fn record_format(&self, kind: Kind) -> Result<Format, ApiError> {
        self.format(Format::of_record(kind))
    }

    fn format(&self, offered: &[Format]) -> Result<Format, ApiError> {
        let is_offered = |format: &Format| {
            offered.contains(format)
                && (*format != Format::Calendar || self.state.calendar_format.is_some())
        };
        if !offered.iter().any(is_offered) {
            return Ok(Format::Json);
        }
        if let Some(format) = self.head.suffix {
            return Ok(format);
        }
        let mut sent = self.query.iter().rev().filter(|(name, _)| name == "format");
        match sent.next() {
            Some((_, name)) if name == Format::Json.name() => Ok(Format::Json),
            Some((_, name)) => Format::named(name).filter(is_offered).ok_or_else(|| {
                let offered = offered.iter().filter(|format| is_offered(format));
                let names = [Format::Json.name()].into_iter();
                let names = names.chain(offered.map(|format| format.name()));
                AppError::invalid(FieldName::Format, Fault::NotOneOf(names.collect())).into()
            }),
            None => {
                let mut accepted = self.head.accepted.iter().copied();
                Ok(accepted.find(is_offered).unwrap_or(Format::Json))
            }
        }
    }
}
