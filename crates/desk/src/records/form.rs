//! The form of a record.

use app::{AppError, calendar::Precondition};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Kind, Status};
use forms::Reading;
use http_service::message;

use super::{
    IdPath,
    action::Action,
    fields::{self, Values},
    id_of, key,
    kind::{Input, Kept, Shape, Summary},
    list::may_write,
    path, read, tree,
};
use crate::{
    fault::{FieldFault, is_bad},
    images::picture::{self, Picture},
    page::{self, Frame},
    request::DeskRequest,
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
pub(super) async fn new<R: Kept>(request: DeskRequest) -> Response {
    if !may_write::<R>(request.caller()) {
        return request.failed(AppError::Forbidden, Word::NO_SUCH_RECORD);
    }
    let values = Values::blank::<R>();
    show::<R>(&request, StatusCode::OK, &values, None, Vec::new()).await
}

/// `POST` of a new record.
pub(super) async fn create<R: Kept>(mut request: DeskRequest) -> Response {
    if let Err(error) = keep_picture::<R>(&mut request).await {
        return request.failed(error, Word::NO_SUCH_RECORD);
    }
    let fields = fields::of_form::<R>(&mut request.form, None);
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let write = forms::create::<R>(&fields, Reading::of(calendar, caller));
    match calendar.create(caller, &write).await {
        Ok(view) => saved::<R>(&request, &view).await,
        Err(error) => refused::<R>(&request, None, error).await,
    }
}

/// `GET` of the form of a record.
pub(super) async fn edit<R: Kept>(path: IdPath, request: DeskRequest) -> Response {
    let Some(id) = id_of(&path) else {
        return request.not_found(Word::NO_SUCH_RECORD);
    };
    match read::<R>(&request, id).await {
        Ok((view, _)) => {
            let values = Values::of::<R>(&view);
            show::<R>(&request, StatusCode::OK, &values, Some(&view), Vec::new()).await
        }
        Err(error) => request.failed(error, Word::NO_SUCH_RECORD),
    }
}

/// `POST` of the changes of a record.
pub(super) async fn update<R: Kept>(path: IdPath, mut request: DeskRequest) -> Response {
    let Some(id) = id_of(&path) else {
        return request.not_found(Word::NO_SUCH_RECORD);
    };
    let (view, language) = match read::<R>(&request, id).await {
        Ok(found) => found,
        Err(error) => return request.failed(error, Word::NO_SUCH_RECORD),
    };
    let stored = Values::of::<R>(&view);
    if let Err(error) = keep_picture::<R>(&mut request).await {
        return request.failed(error, Word::NO_SUCH_RECORD);
    }
    let fields = fields::of_form::<R>(&mut request.form, Some((&stored, language)));
    let revision = request.form.get("revision");
    let revision = revision.and_then(|text| text.parse().ok());
    let expected = revision.map_or(Precondition::Any, |one| Precondition::OneOf(vec![one]));
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let write = forms::update::<R>(&fields, Reading::of(calendar, caller));
    match calendar.update(caller, key(id), &expected, &write).await {
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
async fn saved<R: Kept>(request: &DeskRequest, view: &R::View) -> Response {
    let image = R::summary(view, &request.state.site).image;
    if let Err(error) = picture::describe(request, image.as_deref()).await {
        return request.failed(error, Word::NO_SUCH_RECORD);
    }
    let shown = R::shown(view);
    let (path, id, revision) = (path::<R>(), shown.id, shown.revision);
    request.see(&format!("{path}/{id}?saved={revision}"))
}

/// The input of a field of the interface.
fn input<R: Kept>(name: &str) -> Option<&'static Input> {
    R::INPUTS.iter().find(|input| input.name == name)
}

/// The form again, with what was typed and what is wrong.
async fn refused<R: Kept>(
    request: &DeskRequest,
    view: Present<'_, R>,
    error: AppError,
) -> Response {
    let fault = |name: &str, says: Word| {
        let input = input::<R>(name);
        let title = input.map_or(Word::NAME, |input| input.title);
        let text = format!("{}: {}", request.word(title), request.word(says));
        vec![FieldFault::new(input.map_or("", |input| input.name), text)]
    };
    let (status, faults) = match error {
        AppError::Invalid(faults) => {
            let faults = faults.iter().map(|(name, fault)| {
                let input = input::<R>(name);
                let is_image = name == "image";
                let title = match input {
                    Some(input) => request.word(input.title),
                    None if is_image => request.word(Word::PICTURE),
                    None => name,
                };
                let own = if is_image { "image" } else { "" };
                let text = message::fault(title, fault, request.language);
                FieldFault::new(input.map_or(own, |input| input.name), text)
            });
            (StatusCode::BAD_REQUEST, faults.collect())
        }
        AppError::Missing(names) => {
            let faults = names.into_iter();
            let faults = faults.flat_map(|name| fault(name, Word::MISSING));
            (StatusCode::BAD_REQUEST, faults.collect())
        }
        AppError::EmptyTermName => (StatusCode::BAD_REQUEST, fault("name", Word::MISSING)),
        AppError::TermExists { .. } => (StatusCode::BAD_REQUEST, fault("name", Word::TERM_EXISTS)),
        AppError::DuplicateTermSlug => (StatusCode::BAD_REQUEST, fault("slug", Word::SLUG_TAKEN)),
        AppError::PreconditionFailed if view.is_some() => {
            let conflict = FieldFault::new("", request.word(Word::RECORD_CONFLICT));
            (StatusCode::CONFLICT, vec![conflict])
        }
        error => return request.failed(error, Word::NO_SUCH_RECORD),
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
) -> Response {
    let is_conflict = status == StatusCode::CONFLICT;
    match load::<R>(request, values, view, faults, is_conflict).await {
        Ok(page) => page::response(status, request.language, &page),
        Err(error) => request.failed(error, Word::NO_SUCH_RECORD),
    }
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
        let value = values.get(input.name);
        let choices = match input.shape {
            Shape::Status => statuses(R::KIND, request, present, value),
            Shape::Parent => parents(request, id, value).await?,
            _ => Vec::new(),
        };
        inputs.push(ShownInput {
            input: *input,
            title: request.word(input.title),
            hint: input.hint.map(|hint| request.word(hint)),
            value: value.to_owned(),
            is_on: values.has(input.name),
            is_bad: is_bad(&faults, input.name),
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
    let told = told.map(|input| (request.word(input.title), stored.get(input.name).to_owned()));
    told.filter(|(_, text)| !text.is_empty()).collect()
}

/// The statuses that the person may give, and the present one.
fn statuses(
    kind: Kind,
    request: &DeskRequest,
    present: Option<Status>,
    typed: &str,
) -> Vec<(String, String, bool)> {
    const OFFERED: [Status; 4] = [
        Status::Draft,
        Status::Pending,
        Status::Publish,
        Status::Private,
    ];
    let caller = request.caller();
    let chosen = typed.parse().ok().or(present);
    let chosen = chosen.unwrap_or_else(|| caller.default_status(kind));
    let other = present.filter(|one| !OFFERED.contains(one));
    let all = OFFERED.into_iter().chain(other);
    let may = |one: &Status| Some(*one) == present || caller.granted(kind, *one) == Some(*one);
    let choices = all.filter(may).map(|one| {
        let text = request.word(Word::of_status(one)).to_owned();
        (one.name().to_owned(), text, one == chosen)
    });
    choices.collect()
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
