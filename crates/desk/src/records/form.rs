//! The form of a record.

use app::AppError;
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Language, Status};
use forms::Reading;

use super::{
    action::Action,
    fields::{self, Values},
    key,
    kind::{Input, Kept, Shape, Summary},
    list::may_write,
    path, read, tree,
};
use crate::{
    fault::{self, FieldFault, is_bad},
    images::picture::{self, Picture},
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    words::Word,
};

/// A field as the form shows it.
#[derive(Debug)]
struct ShownInput {
    input: Input,
    title: &'static str,
    hint: Option<&'static str>,
    value: String,
    is_on: bool,
    is_bad: bool,
    /// The choices of a field that has some: value, text, and whether it is chosen.
    choices: Vec<(String, String, bool)>,
}

/// The parts of a stored record beside its fields.
#[derive(Debug)]
struct StoredParts {
    /// The page for people.
    view: Option<String>,
    history: String,
    act: String,
    actions: Vec<(&'static str, &'static str)>,
    /// The version of somebody else, where two people changed the record: titles and values.
    theirs: Vec<(&'static str, String)>,
}

/// The form.
#[derive(Debug, Template)]
#[template(path = "record.html")]
struct RecordPage {
    frame: Frame,
    revision: String,
    inputs: Vec<ShownInput>,
    picture: Option<Picture>,
    faults: Vec<FieldFault>,
    stored: Option<StoredParts>,
}

/// The stored record of a form.
type Present<'a, R> = Option<&'a <R as app::resource::Resource>::View>;

/// `GET` of an empty form.
pub(super) async fn new<R: Kept>(request: DeskRequest) -> Answer {
    if !may_write::<R>(request.caller()) {
        return Err(request.failed(AppError::Forbidden, Word::NO_SUCH_RECORD));
    }
    let values = Values::blank::<R>();
    show::<R>(&request, StatusCode::OK, &values, None, Vec::new()).await
}

/// `POST` of a new record.
pub(super) async fn create<R: Kept>(mut request: DeskRequest) -> Answer {
    let kept = keep_picture::<R>(&mut request).await;
    request.found(kept, Word::NO_SUCH_RECORD)?;
    let fields = fields::of_form::<R>(&mut request.form, None);
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let write = forms::create::<R>(&fields, Reading::of(calendar, caller));
    match calendar.create(caller, &write).await {
        Ok(view) => saved::<R>(&request, &view).await,
        Err(error) => refused::<R>(&request, None, error).await,
    }
}

/// `GET` of the form of a record.
pub(super) async fn edit<R: Kept>(path: PathText, request: DeskRequest) -> Answer {
    let (view, _) = find::<R>(&request, &path).await?;
    let values = Values::of::<R>(&view);
    show::<R>(&request, StatusCode::OK, &values, Some(&view), Vec::new()).await
}

/// The record of a path with its language, or the page of an error.
async fn find<R: Kept>(
    request: &DeskRequest,
    path: &PathText,
) -> Result<(R::View, Language), Response> {
    let found = match path.id() {
        Some(id) => read::<R>(request, id).await,
        None => Err(R::not_found()),
    };
    request.found(found, Word::NO_SUCH_RECORD)
}

/// `POST` of the changes of a record.
pub(super) async fn update<R: Kept>(path: PathText, mut request: DeskRequest) -> Answer {
    let (view, language) = find::<R>(&request, &path).await?;
    let stored = Values::of::<R>(&view);
    let kept = keep_picture::<R>(&mut request).await;
    request.found(kept, Word::NO_SUCH_RECORD)?;
    let fields = fields::of_form::<R>(&mut request.form, Some((&stored, language)));
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let write = forms::update::<R>(&fields, Reading::of(calendar, caller));
    let (key, expected) = (key(R::shown(&view).id), request.expected());
    match calendar.update(caller, key, &expected, &write).await {
        Ok(view) => saved::<R>(&request, &view).await,
        Err(error) => refused::<R>(&request, Some(&view), error).await,
    }
}

/// Stores the picture of a form that has one.
async fn keep_picture<R: Kept>(request: &mut DeskRequest) -> Result<(), AppError> {
    if R::is_entry() && may_write::<R>(request.caller()) {
        picture::keep(request).await?;
    }
    Ok(())
}

/// A redirect to the form of a stored record.
async fn saved<R: Kept>(request: &DeskRequest, view: &R::View) -> Answer {
    let image = R::summary(view, &request.state.site).image;
    let described = picture::describe(request, image.as_deref()).await;
    request.found(described, Word::NO_SUCH_RECORD)?;
    let shown = R::shown(view);
    let (path, id, revision) = (path::<R>(), shown.id, shown.revision);
    Ok(request.see(&format!("{path}/{id}?saved={revision}")))
}

/// The input and the words of a field of the interface.
fn input_of<'a, R: Kept>(request: &DeskRequest, name: &'a str) -> (&'static str, &'a str) {
    match R::INPUTS.iter().find(|input| input.name.as_str() == name) {
        Some(input) => (input.name.as_str(), request.word(input.title)),
        None if name == "image" => ("image", request.word(Word::PICTURE)),
        None => ("", name),
    }
}

/// The form again, with what was typed and what is wrong.
async fn refused<R: Kept>(request: &DeskRequest, view: Present<'_, R>, error: AppError) -> Answer {
    let mut status = StatusCode::BAD_REQUEST;
    let fault = |name, says| {
        let (input, title) = input_of::<R>(request, name);
        let text = format!("{title}: {}", request.word(says));
        Some(vec![FieldFault::new(input, text)])
    };
    let faults = match &error {
        AppError::EmptyTermName => fault("name", Word::MISSING),
        AppError::TermExists { .. } => fault("name", Word::TERM_EXISTS),
        AppError::DuplicateTermSlug => fault("slug", Word::SLUG_TAKEN),
        AppError::PreconditionFailed if view.is_some() => {
            status = StatusCode::CONFLICT;
            let conflict = request.word(Word::RECORD_CONFLICT);
            Some(vec![FieldFault::new("", conflict)])
        }
        error => fault::of_error(error, request.language, |name| input_of::<R>(request, name)),
    };
    let Some(faults) = faults else {
        return Err(request.failed(error, Word::NO_SUCH_RECORD));
    };
    let values = Values::sent(&request.form);
    show::<R>(request, status, &values, view, faults).await
}

async fn show<R: Kept>(
    request: &DeskRequest,
    status: StatusCode,
    values: &Values,
    view: Present<'_, R>,
    faults: Vec<FieldFault>,
) -> Answer {
    let is_conflict = status == StatusCode::CONFLICT;
    let page = load::<R>(request, values, view, faults, is_conflict).await;
    let page = request.found(page, Word::NO_SUCH_RECORD)?;
    Ok(page::response(status, request.language, &page))
}

async fn load<R: Kept>(
    request: &DeskRequest,
    values: &Values,
    view: Present<'_, R>,
    faults: Vec<FieldFault>,
    is_conflict: bool,
) -> Result<RecordPage, AppError> {
    let summary = view.map(|view| R::summary(view, &request.state.site));
    let shown = view.map(R::shown);
    let id = shown.as_ref().map(|shown| shown.id);
    let present = summary.as_ref().and_then(|summary| summary.status);
    let mut inputs = Vec::with_capacity(R::INPUTS.len());
    for input in R::INPUTS {
        let value = values.get(input.name.as_str());
        let choices = match input.shape {
            Shape::Status => statuses::<R>(request, present, value),
            Shape::Parent => parents(request, id, value).await?,
            _ => Vec::new(),
        };
        inputs.push(ShownInput {
            input: *input,
            title: request.word(input.title),
            hint: input.hint.map(|hint| request.word(hint)),
            value: value.to_owned(),
            is_on: values.has(input.name.as_str()),
            is_bad: is_bad(&faults, input.name.as_str()),
            choices,
        });
    }
    let title = if view.is_some() {
        R::TITLES.edit
    } else {
        R::TITLES.new
    };
    let mut frame = Frame::new(request, request.word(title));
    if faults.is_empty() {
        frame.confirm(request).await;
    }
    let picture = if R::is_entry() {
        let image = summary
            .as_ref()
            .and_then(|summary| summary.image.as_deref());
        let is_bad = faults.iter().any(|fault| fault.input == "image");
        Picture::new(request, image, is_bad).await?
    } else {
        None
    };
    // Sent again after a conflict, the form replaces the version that the person has seen now.
    let stored_revision = shown.map_or_else(String::new, |shown| shown.revision.to_string());
    let sent = request.form.get("revision").filter(|_| !is_conflict);
    let theirs = view.filter(|_| is_conflict);
    Ok(RecordPage {
        frame,
        revision: sent.map_or(stored_revision, str::to_owned),
        inputs,
        picture,
        faults,
        stored: summary.map(|summary| {
            let Summary { status, page, .. } = summary;
            let form = format!("{}/{}", path::<R>(), id.unwrap_or_default());
            let actions = Action::of(status).into_iter();
            StoredParts {
                view: page,
                history: request.url(&format!("{form}/history")),
                act: request.url(&format!("{form}/action")),
                actions: actions
                    .map(|one| (one.name(), request.word(one.title())))
                    .collect(),
                theirs: theirs.map_or_else(Vec::new, |view| told::<R>(request, view)),
            }
        }),
    })
}

/// The values that a person compares, each with its title.
fn told<R: Kept>(request: &DeskRequest, view: &R::View) -> Vec<(&'static str, String)> {
    let stored = Values::of::<R>(view);
    let told = R::INPUTS.iter().filter(|input| input.shape != Shape::Flag);
    let told = told.map(|input| {
        (
            request.word(input.title),
            stored.get(input.name.as_str()).to_owned(),
        )
    });
    told.filter(|(_, text)| !text.is_empty()).collect()
}

/// The statuses that the person may give, and the present one.
fn statuses<R: Kept>(
    request: &DeskRequest,
    present: Option<Status>,
    typed: &str,
) -> Vec<(String, String, bool)> {
    let default = request.caller().default_status(R::KIND);
    let chosen = typed.parse().ok().or(present).unwrap_or(default);
    request.statuses(R::KIND, present, chosen)
}

/// The categories that can stand above a category, in the order of the tree.
async fn parents(
    request: &DeskRequest,
    id: Option<i64>,
    chosen: &str,
) -> Result<Vec<(String, String, bool)>, AppError> {
    let top = request.word(Word::TOP_LEVEL).to_owned();
    let top = [(String::new(), top, chosen.is_empty())];
    let tree = tree::without(tree::read(request).await?, id);
    let below = tree.iter().map(|(depth, view)| {
        let id = view.term.id.to_string();
        let text = format!("{}{}", "— ".repeat(*depth), view.term.name.as_str());
        let is_chosen = id == chosen;
        (id, text, is_chosen)
    });
    Ok(top.into_iter().chain(below).collect())
}
