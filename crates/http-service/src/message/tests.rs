use std::sync::Arc;

use app::{
    error::{AppError, CredentialKind, TokenExpiry},
    fault::{BadFields, ExpectedType, Fault, Faults, Range, RecurrenceFault, ReferenceKind},
    ports::{BadImage, FetchError, FilesError, StoreError},
};
use domain::{
    FieldName, Kind,
    cost::InvalidCost,
    html::TooLong,
    image::{ImageFormat, InvalidDimensions},
    policy::Capability,
    recurrence::{
        Frequency, InvalidLine, InvalidMove, InvalidRecurrence, InvalidRule, InvalidSplit, Part,
    },
    source::{InvalidEvery, InvalidSourceName},
    text::InvalidTitle,
    ticket::{EndsBeforeStart, InvalidPrice},
    time::{InvalidDate, InvalidEventTime, InvalidZone},
    web_url::InvalidWebUrl,
};

use super::*;

fn faults_of_recurrences() -> Vec<Fault> {
    let rules = [
        InvalidRule::TooLong { chars: 1001 },
        InvalidRule::Unknown {
            name: "FOO".to_owned(),
        },
        InvalidRule::Missing(Part::Frequency),
        InvalidRule::Twice(Part::Count),
        InvalidRule::NotWith(Part::Count, Part::Until),
        InvalidRule::NotWithFrequency(Part::Days, Frequency::Weekly),
        InvalidRule::PositionsAlone,
        InvalidRule::TooManyTimes,
        InvalidRule::NoMissingDay,
    ];
    let values = Part::ALL.map(InvalidRule::Value);
    let rules: Vec<_> = rules.into_iter().chain(values).collect();
    let name = || "FOO".to_owned();
    let lines = [
        InvalidLine::Unknown { name: name() },
        InvalidLine::TwoRules,
        InvalidLine::Parameter { name: name() },
        InvalidLine::Zone { name: name() },
        InvalidLine::Period,
        InvalidLine::Value { name: name() },
    ];
    let in_lines = rules.iter().cloned().map(InvalidLine::Rule);
    let lines = lines.into_iter().chain(in_lines).map(Fault::from);
    let dates = [
        InvalidRecurrence::UntilBeforeStart,
        InvalidRecurrence::NotForAllDay(Part::Hours),
        InvalidRecurrence::OtherSecond,
        InvalidRecurrence::Never,
        InvalidRecurrence::TooManySlots,
        InvalidRecurrence::TooManyDates,
        InvalidRecurrence::NoneLeft,
        InvalidRecurrence::OutOfRange(InvalidDate::OutOfRange),
    ];
    let others = [
        RecurrenceFault::UnknownMember(name()).into(),
        RecurrenceFault::RuleTwice.into(),
        Fault::Member {
            name: "rdate",
            fault: Box::new(InvalidDate::Unreadable.into()),
        },
        InvalidRule::Unknown {
            name: String::new(),
        }
        .into(),
        InvalidMove::Contradicts(Part::Days).into(),
        InvalidMove::NotForAllDay(Part::Hours).into(),
        InvalidSplit::First.into(),
        InvalidSplit::Extra.into(),
        InvalidSplit::NoSlot.into(),
        Fault::OfOccurrenceOnly,
        Fault::OfSeriesOnly,
        Fault::ScopeOfSeries,
    ];
    let faults = rules.iter().cloned().map(Fault::from).chain(lines);
    let faults = faults.chain(dates.map(Fault::from));
    faults.chain(others).collect()
}

#[expect(clippy::too_many_lines, reason = "a table with one error of each kind")]
fn faults() -> Vec<Fault> {
    let mut faults = vec![
        Fault::Empty,
        Fault::NotOneOf(vec!["a", "b"]),
        Fault::RequiresCapability(Capability::ListUnpublished),
        Fault::RequiresCapability(Capability::Publish),
        Fault::RequiresCapability(Capability::EditOthers),
        Fault::OutOfRange(Range::From(1)),
        Fault::OutOfRange(Range::Within(-90, 90)),
        Fault::OutOfRange(Range::Above(0, 20_000)),
        Fault::RequiresField(FieldName::Latitude),
        Fault::TooLong(1000),
        Fault::TextsTooLong,
        Fault::TooMany,
        InvalidTitle::Empty.into(),
        InvalidTitle::TooLong { chars: 1203 }.into(),
        TooLong { bytes: 300_000 }.into(),
        InvalidEventTime::EndBeforeStart.into(),
        InvalidZone::Unknown.into(),
        InvalidZone::OffsetOutOfRange.into(),
        InvalidWebUrl::Scheme.into(),
        InvalidWebUrl::Character.into(),
        InvalidWebUrl::Host.into(),
        InvalidWebUrl::Credentials.into(),
        InvalidEvery.into(),
        InvalidSourceName::Empty.into(),
        InvalidSourceName::TooLong.into(),
        InvalidSourceName::Control.into(),
        Fault::Taken,
        Fault::Fixed,
        Fault::HidesPublic,
        Fault::NotTakeable,
        Fault::NotRestorable,
        Fault::OfOneRecord,
        Fault::NoAuthor,
        InvalidWebUrl::TooLong { bytes: 3000 }.into(),
        InvalidCost::Negative {
            amount: "5".to_owned(),
        }
        .into(),
        InvalidCost::TooLong { chars: 501 }.into(),
        InvalidCost::TooMany { amounts: 21 }.into(),
        InvalidPrice::Form.into(),
        InvalidPrice::Negative.into(),
        InvalidPrice::TooLong.into(),
        EndsBeforeStart.into(),
        Fault::CircularParent(Kind::Event),
        Fault::CircularParent(Kind::Category),
        Fault::Items(vec![
            (0, BadFields::Missing(vec!["name", "price"])),
            (
                2,
                BadFields::Invalid(Faults::from_iter([("name".into(), Fault::Empty)])),
            ),
        ]),
        Fault::Token,
        Fault::KindsOfToken,
        Fault::Slug,
        Fault::UnknownReference(ReferenceKind::User),
        Fault::UnknownReference(ReferenceKind::Image),
        Fault::Repeated,
        Fault::File,
        Fault::Encoding,
        Fault::UnknownField { nearest: None },
        Fault::UnknownField {
            nearest: Some("categories"),
        },
        Fault::TooManyImageUrls(4),
        Fault::TooManyGone,
        Fault::Fetch(FetchError::Forbidden),
        Fault::Fetch(FetchError::NoAnswer),
        Fault::Fetch(FetchError::NotAnImage),
        Fault::Fetch(FetchError::TooLarge(10)),
        Fault::Image(BadImage::TooLarge),
        Fault::Image(BadImage::NotAnImage),
        Fault::Image(BadImage::Memory),
        Fault::Image(BadImage::Broken("no end".to_owned())),
        Fault::Image(BadImage::Misnamed {
            said: ImageFormat::Png,
            is: ImageFormat::Gif,
        }),
        Fault::Image(
            InvalidDimensions {
                width: 0,
                height: 1,
            }
            .into(),
        ),
    ];
    faults.extend(
        [
            ExpectedType::Text,
            ExpectedType::Boolean,
            ExpectedType::WholeNumber,
            ExpectedType::Number,
            ExpectedType::Date,
            ExpectedType::Price,
            ExpectedType::Currency,
            ExpectedType::ImageId,
            ExpectedType::IdsAndNames,
            ExpectedType::Tickets,
            ExpectedType::Recurrence,
            ExpectedType::FieldNames,
            ExpectedType::FieldSources,
            ExpectedType::Email,
        ]
        .map(Fault::Type),
    );
    faults.extend(
        [
            InvalidDate::Empty,
            InvalidDate::Unreadable,
            InvalidDate::NotUnixTime,
            InvalidDate::ImpossibleDay,
            InvalidDate::ImpossibleTime,
            InvalidDate::OutOfRange,
        ]
        .map(Fault::Date),
    );
    faults.extend(faults_of_recurrences());
    faults.extend(Kind::ALL.map(|kind| Fault::UnknownReference(ReferenceKind::Record(kind))));
    for cause in [
        BadFields::Missing(vec!["venue"]),
        BadFields::Missing(vec!["venue", "city"]),
        BadFields::Invalid(Faults::from_iter([
            ("venue".into(), Fault::Empty),
            ("website".into(), InvalidWebUrl::Scheme.into()),
        ])),
    ] {
        faults.extend(Kind::ALL.map(|kind| Fault::Inline {
            kind,
            cause: cause.clone(),
        }));
    }
    faults
}

fn errors() -> Vec<ApiError> {
    let mut errors = vec![
        AppError::Missing(vec!["title"]),
        AppError::Missing(vec!["title", "start_date"]),
        AppError::Missing(vec!["title", "start_date", "end_date"]),
        AppError::Unauthenticated,
        AppError::BadCredentials(CredentialKind::Basic),
        AppError::BadCredentials(CredentialKind::Bearer),
        AppError::TooManyAttempts {
            retry_after_seconds: 5,
        },
        AppError::TooManyPasswords {
            retry_after_seconds: 5,
        },
        AppError::Overloaded,
        AppError::Forbidden,
        AppError::NoLongerAvailable,
        AppError::PasswordProtected,
        AppError::PreconditionFailed,
        AppError::KeyReused,
        AppError::UnknownEvent(FieldName::Event),
        AppError::TermExists { term_id: 1 },
        AppError::DuplicateTermSlug,
        AppError::EmptyTermName,
        AppError::NotHierarchical,
        AppError::Store(StoreError::Conflict),
        AppError::TokenExpired(TokenExpiry::Unknown),
        AppError::ImageNotFound,
        AppError::SourceNotFound,
        AppError::SourceRunning,
        AppError::TooManySources(100),
        AppError::DuplicateNotFound,
        AppError::RevisionNotFound,
        AppError::DuplicateChanged,
        AppError::BadImage(BadImage::NotAnImage),
        AppError::Files(FilesError("secret".to_owned())),
        AppError::Store(StoreError::Internal("secret".to_owned())),
    ];
    for names in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
        let faults = names.iter().map(|&name| (name, Fault::Empty));
        let faults = faults.map(|(name, fault)| (name.into(), fault));
        errors.push(AppError::Invalid(faults.collect()));
    }
    errors.push(AppError::FeedTooLarge { total: 2, limit: 1 });
    for kind in Kind::ALL {
        errors.extend([
            AppError::NotFound(kind),
            AppError::NotAccessible(kind),
            AppError::InTrash(kind),
            AppError::PageNotFound(kind),
        ]);
    }
    let app = errors
        .into_iter()
        .map(|error| ApiError::App(Arc::new(error)));
    let own = [
        ApiError::NoRoute,
        ApiError::UnknownNamespace,
        ApiError::NotLoggedIn,
        ApiError::NoImage,
        ApiError::NoCalendarFile,
        ApiError::TooManyEvents { limit: 1 },
        ApiError::TooMuchToImport,
        ApiError::InvalidJson(InvalidJson::TooDeep),
        ApiError::TooLarge { limit: 1 },
        ApiError::UriTooLong { limit: 1 },
        ApiError::BadIdempotencyKey,
        ApiError::UnreadableForm,
        ApiError::SeveralHosts,
        ApiError::UnsupportedBody,
        ApiError::Overloaded,
        ApiError::ReadOnly,
        ApiError::TooManyWaiting,
        ApiError::TooSlow,
        ApiError::TokenExpired {
            expiry: TokenExpiry::TooOld,
            full_url: "https://cal.example/changes".to_owned(),
        },
        ApiError::Moved {
            kind: Kind::Venue,
            to: "https://cal.example/cal/events/v1/venues/1".to_owned(),
        },
    ];
    own.into_iter().chain(app).collect()
}

/// Fails unless a text exists in each language, in its script, without punctuation of another
/// language.
fn is_said_in_each(text: impl Fn(Language) -> String) {
    let [arabic, english, french] = Language::ALL.map(text);
    let is_arabic = |c: char| ('\u{600}'..='\u{6ff}').contains(&c);
    assert!(arabic.chars().next().is_some_and(is_arabic), "{arabic}");
    assert!(!arabic.contains([',', ';', '?']), "{arabic}");
    assert!(english.is_ascii() && !english.is_empty(), "{english}");
    assert!(
        !french.is_empty() && !french.contains(is_arabic),
        "{french}"
    );
    // The typographic apostrophe, and a space that does not break before a colon.
    assert!(!french.contains('\''), "{french}");
    let before_colon = french.split(": ").next().filter(|&head| head != french);
    assert!(
        before_colon.is_none_or(|head| head.ends_with('\u{a0}')),
        "{french}"
    );
    assert_ne!(english, french);
}

#[test]
fn errors_are_told_in_each_language() {
    for one in errors() {
        is_said_in_each(|language| error(&one, language));
    }
    let reasons = [
        InvalidJson::Syntax { line: 1, column: 7 },
        InvalidJson::TooDeep,
        InvalidJson::BrokenOff,
    ];
    for reason in reasons {
        is_said_in_each(|language| json(reason, language));
    }
}

#[test]
fn faults_are_told_in_each_language() {
    for one in faults() {
        is_said_in_each(|language| fault("field", &one, language));
    }
}

#[test]
fn sentences() {
    let cause = BadFields::Invalid(Faults::from_iter([
        ("venue".into(), Fault::Empty),
        ("website".into(), InvalidWebUrl::Scheme.into()),
    ]));
    let kind = Kind::Venue;
    let inline = Fault::Inline { kind, cause };
    let messages = Language::ALL.map(|language| fault("venue", &inline, language));
    assert_eq!(
        messages,
        [
            "الحقل venue: لا يمكن إنشاء مكان منه: الحقل venue: يجب ألا يكون فارغًا؛ \
             الحقل website: يجب أن يبدأ بالبادئة http:// أو https://",
            "venue is not usable as venue: venue must not be empty; \
             website must start with http:// or https://",
            "venue n’est pas utilisable comme lieu\u{a0}: venue ne doit pas être vide\u{a0}; \
             website doit commencer par http:// ou https://",
        ]
    );
}
