//! The fields of the form of the site.

use app::ports::{SiteChange, StoredSite};
use domain::site::{
    InvalidColour, InvalidLine, InvalidLogo, InvalidSiteValue, SiteSetting, SiteValue, WeekStart,
};
use http_service::face::FixedFace;

use crate::{fault::FieldFault, request::DeskRequest, words::Word};

/// The input of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line of text.
    Line,
    /// A line that is written from left to right, with the type of its input.
    Technical(&'static str),
    /// One of several days.
    Day,
    /// A file.
    File,
}

/// A setting in the form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) setting: SiteSetting,
    pub(super) shape: Shape,
    pub(super) title: Word,
    pub(super) hint: Option<Word>,
}

impl Field {
    /// All settings, in the order of the form.
    pub(super) const ALL: [Self; SiteSetting::ALL.len()] = [
        Self::new(SiteSetting::Name, Shape::Line, Word::SITE_NAME, None),
        Self::named_in(SiteSetting::ArabicName, Word::ARABIC_NAME),
        Self::named_in(SiteSetting::EnglishName, Word::ENGLISH_NAME),
        Self::named_in(SiteSetting::FrenchName, Word::FRENCH_NAME),
        Self::new(
            SiteSetting::Logo,
            Shape::File,
            Word::LOGO,
            Some(Word::LOGO_HINT),
        ),
        Self::new(
            SiteSetting::Colour,
            Shape::Technical("text"),
            Word::COLOUR,
            Some(Word::COLOUR_HINT),
        ),
        Self::new(SiteSetting::Footer, Shape::Line, Word::FOOTER, None),
        Self::new(
            SiteSetting::Imprint,
            Shape::Technical("url"),
            Word::IMPRINT_URL,
            None,
        ),
        Self::new(
            SiteSetting::Privacy,
            Shape::Technical("url"),
            Word::PRIVACY_URL,
            None,
        ),
        Self::new(SiteSetting::WeekStart, Shape::Day, Word::WEEK_START, None),
    ];

    const fn new(setting: SiteSetting, shape: Shape, title: Word, hint: Option<Word>) -> Self {
        Self {
            setting,
            shape,
            title,
            hint,
        }
    }

    const fn named_in(setting: SiteSetting, title: Word) -> Self {
        Self::new(setting, Shape::Line, title, Some(Word::NAME_IN_HINT))
    }
}

/// The choices of an input, each with its text.
pub(super) fn choices(shape: Shape) -> impl Iterator<Item = (&'static str, Word)> {
    let days = WeekStart::ALL.iter().map(|day| {
        let word = match day {
            WeekStart::Saturday => Word::SATURDAY,
            WeekStart::Sunday => Word::SUNDAY,
            WeekStart::Monday => Word::MONDAY,
        };
        (day.name(), word)
    });
    let days = [("", Word::BY_LANGUAGE)].into_iter().chain(days);
    days.filter(move |_| shape == Shape::Day)
}

/// The name of the input that removes the logo.
const REMOVE_LOGO: &str = "remove_logo";

/// The changes that a form asks for. Settings that the start of the service fixes do not change, and neither do those
/// that the form has not.
///
/// # Errors
///
/// The faults of the form.
pub(super) fn changes(
    request: &DeskRequest,
    fixed: &FixedFace,
    stored: &StoredSite,
) -> Result<Vec<SiteChange>, Vec<FieldFault>> {
    let (mut changes, mut faults) = (Vec::new(), Vec::new());
    for field in &Field::ALL {
        let Some(sent) = sent(request, field) else {
            continue;
        };
        if fixed.get(field.setting).is_some() {
            continue;
        }
        let present = stored.values.get(&field.setting);
        let value = Some(sent).filter(|sent| !sent.is_empty());
        match value.map(|sent| SiteValue::read(field.setting, sent)) {
            Some(Ok(value)) if present.is_some_and(|present| present.value == value) => {}
            Some(Ok(value)) => changes.push(SiteChange::Set(value)),
            Some(Err(error)) => faults.push(fault(request, field, error)),
            None if present.is_some() => changes.push(SiteChange::Unset(field.setting)),
            None => {}
        }
    }
    if faults.is_empty() {
        return Ok(changes);
    }
    if !faults
        .iter()
        .any(|fault| fault.input == SiteSetting::Logo.name())
    {
        faults.extend(lost_file(request));
    }
    Err(faults)
}

/// The value of a field that was sent; empty where the setting shall have none.
fn sent<'a>(request: &'a DeskRequest, field: &Field) -> Option<&'a [u8]> {
    let form = &request.form;
    if field.shape != Shape::File {
        return Some(form.get(field.setting.name())?.trim().as_bytes());
    }
    match &form.file {
        Some(file) => Some(&file.content),
        None => form.get(REMOVE_LOGO).map(|_| &b""[..]),
    }
}

/// The fault of a file that must be chosen again, because the form was refused.
pub(super) fn lost_file(request: &DeskRequest) -> Option<FieldFault> {
    let mut fields = Field::ALL.iter();
    let field = fields.find(|field| field.shape == Shape::File && request.form.file.is_some())?;
    Some(said(request, field, request.word(Word::CHOOSE_LOGO_AGAIN)))
}

fn said(request: &DeskRequest, field: &Field, text: &str) -> FieldFault {
    let title = request.word(field.title);
    FieldFault::new(field.setting.name(), format!("{title}: {text}"))
}

fn fault(request: &DeskRequest, field: &Field, error: InvalidSiteValue) -> FieldFault {
    let word = match error {
        InvalidSiteValue::Text | InvalidSiteValue::Line(InvalidLine::NotOneLine) => {
            Word::NOT_ONE_LINE
        }
        InvalidSiteValue::Line(InvalidLine::TooLong) => Word::LINE_TOO_LONG,
        InvalidSiteValue::Logo(InvalidLogo::TooLarge) => Word::FILE_TOO_LARGE,
        InvalidSiteValue::Logo(InvalidLogo::Format) => Word::NO_LOGO,
        InvalidSiteValue::Colour(InvalidColour::NoColour) => Word::NO_COLOUR,
        InvalidSiteValue::Colour(InvalidColour::Contrast(contrast)) => {
            let says = request.word(Word::PALE_COLOUR);
            return said(request, field, &format!("{says} {contrast:.1}."));
        }
        InvalidSiteValue::Url(_) => Word::NO_WEB_ADDRESS,
        InvalidSiteValue::WeekStart => Word::NO_WEEK_START,
    };
    said(request, field, request.word(word))
}
