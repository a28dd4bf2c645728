//! The texts of an event in all languages, side by side.

use app::{
    AppError,
    calendar::Precondition,
    event::EventView,
    write::{Change, ImageWrite},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{
    Event, Image, ImageId, Language, Stored, Translation, html::RichText, slug::Slug, text::Title,
};
use forms::{Digits, Fields, Reading};
use serde_json::{Map, Value};

use super::{
    editor::editor_words,
    read::{find, key},
    shown::{self, conflict, faults_of},
};
use crate::{
    account::LANGUAGES,
    assets::EDITOR,
    fault::{FieldFault, is_bad},
    page::{self, Answer, Frame, direction},
    request::{DeskRequest, PathText},
    words::Word,
};

/// The texts that are translated: name, title, and the number of lines of the input.
const TEXTS: [(&str, Word, u8); 4] = [
    ("title", Word::TITLE, 1),
    ("excerpt", Word::EXCERPT, 3),
    ("description", Word::DESCRIPTION, 8),
    ("slug", Word::SLUG, 1),
];

/// The input with the alternative text of the picture.
const ALT: &str = "image_alt";

/// A text in the original and in another language.
#[derive(Debug)]
struct Text {
    name: &'static str,
    title: &'static str,
    lines: u8,
    original: String,
    /// The text in the form.
    value: String,
    /// The stored text, if somebody else changed it meanwhile.
    theirs: Option<String>,
    is_missing: bool,
    is_bad: bool,
}

/// A language other than the original one.
#[derive(Debug)]
struct Section {
    language: Language,
    name: &'static str,
    texts: Vec<Text>,
    /// Whether the event has texts in the language.
    is_there: bool,
}

impl Section {
    const fn direction(&self) -> &'static str {
        direction(self.language)
    }
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "translations.html")]
struct TranslationsPage {
    frame: Frame,
    /// The form of the event.
    event: String,
    title: String,
    original: Language,
    original_name: &'static str,
    revision: i64,
    sections: Vec<Section>,
    faults: Vec<FieldFault>,
}

impl TranslationsPage {
    /// The path of the rich-text editor.
    fn editor(&self) -> String {
        self.frame.asset(&EDITOR)
    }

    /// The texts of the rich-text editor, as JSON.
    fn editor_words(&self) -> String {
        editor_words(&self.frame)
    }

    const fn original_direction(&self) -> &'static str {
        direction(self.original)
    }
}

/// The faults of the texts that were sent for a language.
struct Refused {
    language: Language,
    faults: Vec<FieldFault>,
    is_conflict: bool,
}

/// `GET` of the texts of an event in all languages.
pub(crate) async fn translations(path: PathText, request: DeskRequest) -> Answer {
    let (id, view) = find(&request, &path).await?;
    Ok(show(&request, StatusCode::OK, id, &view, None))
}

/// `POST` of the texts in one language.
pub(crate) async fn translate(path: PathText, request: DeskRequest) -> Answer {
    let (id, view) = find(&request, &path).await?;
    let language = request
        .form
        .get("language")
        .and_then(|code| code.parse().ok());
    let Some(language) = language.filter(|one| *one != view.event.language) else {
        return Err(request.not_found(Word::NO_SUCH_EVENT));
    };
    let refused = |status, faults| {
        let refused = Refused {
            language,
            faults,
            is_conflict: status == StatusCode::CONFLICT,
        };
        Ok(show(&request, status, id, &view, Some(refused)))
    };
    let Ok(alt) = changed_alt(&request, &view, language) else {
        return refused(StatusCode::BAD_REQUEST, vec![shown::bad_alt(&request)]);
    };
    let fields = Fields {
        body: changed(&request, &view, language),
        digits: Digits::Name,
        language: Some(language),
        ..Fields::default()
    };
    let expected = request.expected();
    let calendar = &request.state.calendar;
    let caller = request.caller();
    let write = forms::update::<Event>(&fields, Reading::of(calendar, caller));
    match calendar.update(caller, key(id), &expected, &write).await {
        Ok(view) => {
            if let Some((image, write)) = alt {
                let changed = calendar.update_image(caller, image, &write, &Precondition::Any);
                request.found(changed.await, Word::NO_SUCH_EVENT)?;
            }
            let id = view.event.id.map_or(id, domain::EventId::get);
            let saved = view.event.revision;
            Ok(request.see(&format!("/desk/event/{id}/translations?saved={saved}")))
        }
        Err(AppError::PreconditionFailed) => {
            refused(StatusCode::CONFLICT, vec![conflict(&request)])
        }
        Err(AppError::Invalid(faults)) => {
            refused(StatusCode::BAD_REQUEST, faults_of(&request, &faults))
        }
        Err(error) => Err(request.failed(error, Word::NO_SUCH_EVENT)),
    }
}

/// The texts of the form that differ from the stored ones; all are empty if the translation is removed.
fn changed(request: &DeskRequest, view: &EventView, language: Language) -> Map<String, Value> {
    let is_removed = request.form.get("remove").is_some();
    let plain = |text: &str| text.replace('\r', "").trim().to_owned();
    let stored = view.event.translations.get(language);
    let texts = TEXTS.iter().filter_map(|(name, ..)| {
        let stored = stored.map_or_else(String::new, |one| text_of(one, name));
        let sent = if is_removed {
            ""
        } else {
            request.form.get(name)?
        };
        (plain(sent) != plain(&stored)).then(|| ((*name).to_owned(), sent.trim().into()))
    });
    texts.collect()
}

/// The picture whose alternative text the person may change.
fn picture<'a>(request: &DeskRequest, view: &'a EventView) -> Option<&'a Stored<Image>> {
    let image = view.image.as_deref()?;
    let may_change = request.caller().may_change_image_of(image.uploader);
    may_change.then_some(image)
}

/// The alternative text of a picture in a language.
fn alt_of(image: &Image, language: Language) -> String {
    let mut texts = image.alt.iter();
    let own = texts.find(|(one, _)| *one == language);
    own.map_or_else(String::new, |(_, text)| text.as_str().to_owned())
}

/// The alternative text of the form, if it differs from the stored one.
///
/// # Errors
///
/// If it is none, such as a text that is too long.
fn changed_alt(
    request: &DeskRequest,
    view: &EventView,
    language: Language,
) -> Result<Option<(ImageId, ImageWrite)>, ()> {
    let (Some(image), Some(sent)) = (picture(request, view), request.form.get(ALT)) else {
        return Ok(None);
    };
    let is_removed = request.form.get("remove").is_some();
    let sent = if is_removed { "" } else { sent.trim() };
    if sent == alt_of(image, language) {
        return Ok(None);
    }
    let alt = if sent.is_empty() {
        Change::Clear
    } else {
        Change::Set(sent.parse().map_err(|_| ())?)
    };
    let language = Some(language);
    Ok(Some((image.id, ImageWrite { alt, language })))
}

fn text_of(translation: &Translation, name: &str) -> String {
    let text = match name {
        "title" => translation.title.as_ref().map(Title::as_str),
        "excerpt" => translation.excerpt.as_ref().map(RichText::as_str),
        "description" => translation.description.as_ref().map(RichText::as_str),
        _ => translation.slug.as_ref().map(Slug::as_str),
    };
    text.unwrap_or_default().to_owned()
}

fn show(
    request: &DeskRequest,
    status: StatusCode,
    id: i64,
    view: &EventView,
    refused: Option<Refused>,
) -> Response {
    let event = &view.event;
    let original = event.language;
    let original_text = |name: &str| match name {
        "title" => event.title.as_str(),
        "excerpt" => event.excerpt.as_str(),
        "description" => event.description.as_str(),
        _ => event.slug.as_ref().map_or("", |slug| slug.as_str()),
    };
    let others = LANGUAGES.iter().filter(|(one, _)| *one != original);
    let sections = others.map(|(language, name)| {
        let stored = event.translations.get(*language);
        let sent = refused.as_ref().filter(|one| one.language == *language);
        // A date of a series has the address of its series.
        let has_slug = event.occurrence().is_none();
        let texts = TEXTS
            .iter()
            .filter(|(name, ..)| has_slug || *name != "slug");
        let texts = texts.map(|(name, word, lines)| {
            let own = stored.map_or_else(String::new, |one| text_of(one, name));
            let typed = sent.and_then(|_| request.form.get(name)).map(str::to_owned);
            let is_conflict = sent.is_some_and(|one| one.is_conflict);
            let original = original_text(name).to_owned();
            Text {
                name,
                title: request.word(*word),
                lines: *lines,
                is_missing: own.is_empty() && !original.is_empty(),
                theirs: (is_conflict && typed.as_ref() != Some(&own)).then(|| own.clone()),
                is_bad: sent.is_some_and(|one| is_bad(&one.faults, name)),
                value: typed.unwrap_or(own),
                original,
            }
        });
        let mut texts: Vec<_> = texts.collect();
        if let Some(image) = picture(request, view) {
            let own = alt_of(image, *language);
            let mut all = image.alt.iter();
            let original = all.next().map_or("", |(_, text)| text.as_str());
            let typed = sent.and_then(|_| request.form.get(ALT)).map(str::to_owned);
            texts.push(Text {
                name: ALT,
                title: request.word(Word::ALTERNATIVE_TEXT),
                lines: 1,
                is_missing: own.is_empty() && !original.is_empty(),
                theirs: None,
                is_bad: sent.is_some_and(|one| is_bad(&one.faults, ALT)),
                value: typed.unwrap_or(own),
                original: original.to_owned(),
            });
        }
        Section {
            language: *language,
            name,
            texts,
            is_there: stored.is_some(),
        }
    });
    let sections = sections.collect();
    let mut frame = Frame::new(request, request.word(Word::TRANSLATIONS));
    let (mut faults, language) = match refused {
        Some(refused) => (refused.faults, Some(refused.language)),
        None => (Vec::new(), None),
    };
    if let Some(language) = language {
        for fault in faults.iter_mut().filter(|fault| !fault.input.is_empty()) {
            fault.language = Some(language);
        }
    }
    if faults.is_empty() && request.parameter("saved").is_some() {
        frame.notice = Some(request.word(Word::SAVED).to_owned());
    }
    let name = LANGUAGES.iter().find(|(one, _)| *one == original);
    let page = TranslationsPage {
        frame,
        event: request.url(&format!("/desk/event/{id}")),
        title: event.title.as_str().to_owned(),
        original,
        original_name: name.map_or("", |(_, name)| name),
        revision: event.revision,
        sections,
        faults,
    };
    page::response(status, request.language, &page)
}
