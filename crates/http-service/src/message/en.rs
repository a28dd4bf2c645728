//! English.

use app::{
    error::{AppError, CredentialKind},
    fault::Fault,
    ports::StoreError,
};

use crate::error::{ApiError, InvalidJson};

pub(super) fn error(error: &ApiError) -> String {
    let text = match error {
        ApiError::NoRoute => "No route was found for this path and method.",
        ApiError::UnknownNamespace => "There is no such namespace.",
        ApiError::NotLoggedIn => "You are not logged in.",
        ApiError::InvalidJson(_) => "The body is not valid JSON.",
        ApiError::TooLarge { limit } => return format!("The body is larger than {limit} bytes."),
        ApiError::UriTooLong { limit } => {
            return format!("The query is longer than {limit} bytes.");
        }
        ApiError::BadIdempotencyKey => "Idempotency-Key must have 1 to 255 visible characters.",
        ApiError::UnreadableForm => "The multipart body cannot be read.",
        ApiError::SeveralHosts => "The request has several Host headers.",
        ApiError::UnsupportedBody => {
            "The service reads neither JSON Patch nor a body with a Content-Encoding."
        }
        ApiError::NoImage => {
            "Send a PNG, JPEG, GIF or WebP image as the body, or as a file of a multipart form."
        }
        ApiError::NoCalendarFile => {
            "Send an iCalendar file with the content type text/calendar, or a table with text/csv."
        }
        ApiError::TooManyEvents { limit } => {
            return format!("The file has more than {limit} events.");
        }
        ApiError::TooMuchToImport => {
            "The file has too many events, occurrences, terms or columns for a request. Import it on the server, with the command `events-calendar import`."
        }
        ApiError::Overloaded => "Too much is asked at once. Try again later.",
        ApiError::ReadOnly => "This calendar is read-only here.",
        ApiError::TooManyWaiting => "Too many of your requests wait for changes.",
        ApiError::TooSlow => "The request took too long.",
        ApiError::Moved { kind, to } => {
            return format!("No {kind} has this address any more; the present one is {to}.");
        }
        ApiError::TokenExpired { full_url, .. } => {
            return format!("The token has expired. Read all records again, from {full_url}.");
        }
        ApiError::App(error) => return app(error),
    };
    text.to_owned()
}

fn app(error: &AppError) -> String {
    let text = match error {
        AppError::Missing(fields) => {
            return format!("Missing parameter(s): {}", fields.join(", "));
        }
        AppError::Invalid(faults) => {
            let names: Vec<_> = faults.keys().map(|name| &**name).collect();
            return format!("Invalid parameter(s): {}", names.join(", "));
        }
        AppError::Unauthenticated => {
            "Log in to do that, with a user name and an application password, or with a token."
        }
        AppError::BadCredentials(CredentialKind::Basic) => {
            "The user name or the password is wrong."
        }
        AppError::BadCredentials(CredentialKind::Bearer) => {
            "The token is unknown, revoked or expired."
        }
        AppError::TooManyAttempts { .. } => "Too many failed attempts to log in.",
        AppError::TooManyPasswords { .. } => "Too many wrong passwords were sent.",
        AppError::Forbidden => "You are not allowed to do that. Log in as a user who is.",
        AppError::NotFound(kind) => return format!("There is no such {kind}."),
        AppError::NotAccessible(kind) => {
            return format!("This {kind} is not accessible. Log in as its author or as an editor.");
        }
        AppError::NoLongerAvailable => "This event is no longer available.",
        AppError::PasswordProtected => {
            "This event is protected by a password: send it as `password`."
        }
        AppError::InTrash(kind) => return format!("This {kind} is in the trash already."),
        AppError::PreconditionFailed => "The record has changed since.",
        AppError::KeyReused => "This Idempotency-Key was sent with something else before.",
        AppError::PageNotFound(_) => "The list has no such page.",
        AppError::FeedTooLarge { total, limit } => {
            return format!(
                "{total} events are more than the {limit} of a feed. Send filters or dates."
            );
        }
        AppError::UnknownEvent(field) => return format!("{field} names no event."),
        AppError::TermExists { .. } => "A term with this name exists already.",
        AppError::DuplicateTermSlug => "Another term has this slug.",
        AppError::EmptyTermName => "A name must not be empty.",
        AppError::NotHierarchical => "Tags have no parents.",
        AppError::TokenExpired(_) => "The token has expired. Read all records again.",
        AppError::FeedNotFound => "There is no such feed.",
        AppError::TooManyFeeds(limit) => {
            return format!(
                "You have {limit} feeds, the most that a user may have. Delete one first."
            );
        }
        AppError::SourceNotFound => "There is no such source.",
        AppError::SourceRunning => "The source is being read. Try again when the run has ended.",
        AppError::TooManySources(limit) => {
            return format!("A calendar has at most {limit} sources. Delete one first.");
        }
        AppError::DuplicateNotFound => "There is no such pair of duplicates.",
        AppError::DuplicateChanged => {
            "A record of the pair has changed, or the pair is closed. Read the list again."
        }
        AppError::RevisionNotFound => "The record has no such revision, or it is too old.",
        AppError::ImageNotFound => "There is no such image.",
        AppError::BadImage(bad) => return format!("The file {bad}."),
        AppError::Overloaded
        | AppError::Files(_)
        | AppError::Store(StoreError::Unavailable(_) | StoreError::Conflict) => {
            "The service cannot answer for now. Try again later."
        }
        AppError::Store(StoreError::Internal(_)) => "Something went wrong on our side.",
    };
    text.to_owned()
}

/// English texts of faults are their `Display`, which logs use too.
pub(super) fn field(field: &str, fault: &Fault) -> String {
    fault.of(field)
}

pub(super) fn json(reason: InvalidJson) -> String {
    match reason {
        InvalidJson::Syntax { line, column } => {
            format!("Syntax error at line {line}, column {column}.")
        }
        InvalidJson::TooDeep => "It is nested too deep.".to_owned(),
        InvalidJson::BrokenOff => "The body broke off.".to_owned(),
    }
}
