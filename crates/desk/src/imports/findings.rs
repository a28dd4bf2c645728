//! The findings of an import in words.

use interchange::FindingCode;

use crate::words::Word;

/// The meaning of a finding.
pub(super) const fn word(code: FindingCode) -> Word {
    match code {
        FindingCode::BadDate => Word::FINDING_BAD_DATE,
        FindingCode::NoStart => Word::FINDING_NO_START,
        FindingCode::EndBeforeStart => Word::FINDING_END_BEFORE_START,
        FindingCode::NoTitle => Word::FINDING_NO_TITLE,
        FindingCode::Recurrence => Word::FINDING_RECURRENCE,
        FindingCode::TooLarge => Word::FINDING_TOO_LARGE,
        FindingCode::TooDeep => Word::FINDING_TOO_DEEP,
        FindingCode::TooManyProperties => Word::FINDING_TOO_MANY_PROPERTIES,
        FindingCode::TooManyValues => Word::FINDING_TOO_MANY_VALUES,
        FindingCode::Encoding => Word::FINDING_ENCODING,
        FindingCode::NoCalendar => Word::FINDING_NO_CALENDAR,
        FindingCode::NoColon => Word::FINDING_NO_COLON,
        FindingCode::NotClosed => Word::FINDING_NOT_CLOSED,
        FindingCode::UnknownZone => Word::FINDING_UNKNOWN_ZONE,
        FindingCode::AdjustedTime => Word::FINDING_ADJUSTED_TIME,
        FindingCode::AdjustedValue => Word::FINDING_ADJUSTED_VALUE,
        FindingCode::Method => Word::FINDING_METHOD,
        FindingCode::ForeignUid => Word::FINDING_FOREIGN_UID,
        FindingCode::Twice => Word::FINDING_TWICE,
        FindingCode::NoUid => Word::FINDING_NO_UID,
        FindingCode::BadValue => Word::FINDING_BAD_VALUE,
        FindingCode::Forbidden => Word::FINDING_FORBIDDEN,
        FindingCode::MoreWarnings => Word::FINDING_MORE_WARNINGS,
        FindingCode::UnknownParent => Word::FINDING_UNKNOWN_PARENT,
        FindingCode::UnknownColumn => Word::FINDING_UNKNOWN_COLUMN,
        FindingCode::TooManyColumns => Word::FINDING_TOO_MANY_COLUMNS,
        FindingCode::DayFirst => Word::FINDING_DAY_FIRST,
        FindingCode::MonthFirst => Word::FINDING_MONTH_FIRST,
        FindingCode::DateOrder => Word::FINDING_DATE_ORDER,
        FindingCode::NotLinked => Word::FINDING_NOT_LINKED,
        FindingCode::TooManyDates => Word::FINDING_TOO_MANY_DATES,
        FindingCode::NotReached => Word::FINDING_NOT_REACHED,
    }
}
