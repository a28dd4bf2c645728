//! The reasons for which runs of sources fail, in words.

use domain::{
    Language,
    source::{ReadFault, SourceFailure},
};

use crate::words::Word;

/// The reason for a failure.
pub(super) fn told(failure: SourceFailure, language: Language) -> String {
    match failure {
        SourceFailure::Status(status) => {
            format!("{} {status}", Word::SOURCE_STATUS.text(language))
        }
        SourceFailure::Fault(fault) => word(fault).text(language).to_owned(),
    }
}

const fn word(fault: ReadFault) -> Word {
    match fault {
        ReadFault::Unreachable => Word::SOURCE_UNREACHABLE,
        ReadFault::TooSlow => Word::SOURCE_TOO_SLOW,
        ReadFault::ForbiddenAddress => Word::SOURCE_FORBIDDEN_ADDRESS,
        ReadFault::Redirects => Word::SOURCE_REDIRECTS,
        ReadFault::TooLarge => Word::SOURCE_TOO_LARGE,
        ReadFault::Damaged => Word::SOURCE_DAMAGED,
        ReadFault::NoCalendar => Word::SOURCE_NO_CALENDAR,
        ReadFault::TooManyEvents => Word::SOURCE_TOO_MANY_EVENTS,
        ReadFault::TooManyGone => Word::SOURCE_TOO_MANY_GONE,
        ReadFault::NoUser => Word::SOURCE_NO_USER,
        ReadFault::HeaderFile => Word::SOURCE_HEADER_FILE,
        ReadFault::Stopped => Word::SOURCE_STOPPED,
    }
}
