//! Imports of calendar files and tables: a rehearsal, which stores nothing, and the import.

mod findings;
mod report;

use std::{path::Path, sync::Arc};

use app::AppError;
use askama::Template;
use axum::{body::Bytes, http::StatusCode, response::Response};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{Kind, policy::Capability, source::UpdatePolicy};
use forms::{Fields, Reading};
use http_service::{Endpoint, error::ApiError, imports::import_file, message};
use interchange::import::ImportOptions;
use serde_json::{Map, Value};

pub(crate) use report::Report;

use crate::{
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The path of the page.
const IMPORTS: &str = "/desk/imports";

/// The policies for known records.
pub(crate) const POLICIES: [(&str, Word); 4] = [
    (UpdatePolicy::Overwrite.name(), Word::POLICY_OVERWRITE),
    (UpdatePolicy::KeepLocal.name(), Word::POLICY_KEEP_LOCAL),
    (UpdatePolicy::FillBlanks.name(), Word::POLICY_FILL_BLANKS),
    (UpdatePolicy::Keep.name(), Word::POLICY_KEEP),
];

/// The fields of a form that are options of the interface, with their words.
const OPTIONS: [(&str, Word); 6] = [
    ("kind", Word::ROWS_ARE),
    ("source", Word::SOURCE),
    ("policy", Word::POLICY),
    ("timezone", Word::TIME_ZONE),
    ("date_order", Word::DATE_ORDER),
    ("prune", Word::PRUNE),
];

/// The pages of imports.
pub(crate) fn endpoints() -> [Endpoint; 2] {
    [Endpoint::get(IMPORTS, new), Endpoint::post(IMPORTS, import)]
}

/// The form, and the report of the file that was sent.
#[derive(Debug, Template)]
#[template(path = "imports.html")]
struct ImportPage {
    frame: Frame,
    source: String,
    timezone: String,
    prunes: bool,
    kinds: Vec<(&'static str, &'static str, bool)>,
    policies: Vec<(&'static str, &'static str, bool)>,
    orders: Vec<(&'static str, &'static str, bool)>,
    /// The faults: the ID of the input, and the text.
    faults: Vec<(&'static str, String)>,
    report: Option<Report>,
    /// After a rehearsal, what the import sends: names and values.
    again: Vec<(&'static str, String)>,
}

impl ImportPage {
    /// Whether a field has a fault.
    fn is_bad(&self, input: &str) -> bool {
        self.faults.iter().any(|(one, _)| *one == input)
    }
}

/// The file of a request.
struct File {
    name: String,
    content: Bytes,
}

/// `GET` of the form.
async fn new(request: DeskRequest) -> Answer {
    let required = app::calendar::require(request.caller(), Capability::EditOthers);
    request.found(required, Word::EDITORS_IMPORT)?;
    Ok(show(&request, StatusCode::OK, Vec::new(), None))
}

/// `POST` of a file: the rehearsal or the import.
async fn import(mut request: DeskRequest) -> Response {
    let is_rehearsal = request.form.get("action") != Some("import");
    // The right comes before the file.
    let options = match options(&request, is_rehearsal) {
        Ok(options) => options,
        Err(error) => return refused(&request, &error.into()),
    };
    let Some(file) = file(&mut request) else {
        let (file, missing) = (request.word(Word::FILE), request.word(Word::MISSING));
        let faults = vec![("file", format!("{file}: {missing}"))];
        return show(&request, StatusCode::BAD_REQUEST, faults, None);
    };
    let is_table = is_table(&file.name);
    let (state, caller) = (&request.state, request.caller());
    match import_file(state, caller, file.content.clone(), is_table, options).await {
        Ok(done) => {
            let again = if is_rehearsal {
                again(&request, &file)
            } else {
                Vec::new()
            };
            let report = Report::new(&done.into(), request.language);
            show(&request, StatusCode::OK, Vec::new(), Some((report, again)))
        }
        Err(error) => refused(&request, &error),
    }
}

/// Whether a file is a table by its name, compressed or not.
fn is_table(name: &str) -> bool {
    let has_end = |path: &Path, end: &str| {
        path.extension()
            .is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    let path = Path::new(name);
    let plain = if has_end(path, "gz") {
        path.file_stem().map_or(path, Path::new)
    } else {
        path
    };
    has_end(plain, "csv")
}

/// The options of the form.
fn options(request: &DeskRequest, is_rehearsal: bool) -> Result<ImportOptions, AppError> {
    let mut body = Map::new();
    body.insert("dry_run".to_owned(), is_rehearsal.into());
    for (name, _) in OPTIONS {
        let sent = request.form.get(name).map(str::trim);
        if let Some(sent) = sent.filter(|sent| !sent.is_empty()) {
            body.insert(name.to_owned(), Value::from(sent));
        }
    }
    let fields = Fields::from_body(body);
    let reading = Reading::of(&request.state.calendar, request.caller());
    ImportOptions::read(&fields, reading)
}

/// The chosen file, or the file of the rehearsal.
fn file(request: &mut DeskRequest) -> Option<File> {
    if let Some(file) = request.form.file.take() {
        return Some(File {
            name: file.name,
            content: file.content,
        });
    }
    let content = request
        .form
        .get("content")
        .filter(|text| !text.is_empty())?;
    Some(File {
        name: request.form.get("file_name").unwrap_or_default().to_owned(),
        content: STANDARD.decode(content).ok()?.into(),
    })
}

/// The fields by which the import follows its rehearsal: a browser does not choose a file again by itself.
fn again(request: &DeskRequest, file: &File) -> Vec<(&'static str, String)> {
    let options = OPTIONS.iter().filter_map(|(name, _)| {
        let sent = request.form.get(name)?;
        Some((*name, sent.to_owned()))
    });
    let file = [
        ("file_name", file.name.clone()),
        ("content", STANDARD.encode(&file.content)),
    ];
    options.chain(file).collect()
}

fn refused(request: &DeskRequest, error: &ApiError) -> Response {
    let (status, _) = error.kind();
    let faults = match error {
        ApiError::App(error) => match &**error {
            AppError::Invalid(faults) => faults,
            AppError::Forbidden => {
                return request.failed(AppError::Forbidden, Word::EDITORS_IMPORT);
            }
            _ => return page::unavailable(request, &ApiError::App(Arc::clone(error))),
        },
        error => {
            let text = message::error(error, request.language);
            return show(request, status, vec![("file", text)], None);
        }
    };
    let faults = faults.iter().map(|(name, fault)| {
        let known = OPTIONS.iter().find(|(one, _)| one == name);
        let title = known.map_or(&**name, |(_, word)| request.word(*word));
        let input = known.map_or("", |(one, _)| *one);
        (input, message::fault(title, fault, request.language))
    });
    show(request, status, faults.collect(), None)
}

fn show(
    request: &DeskRequest,
    status: StatusCode,
    faults: Vec<(&'static str, String)>,
    done: Option<(Report, Vec<(&'static str, String)>)>,
) -> Response {
    let title = match &done {
        None => Word::IMPORTS,
        Some((_, again)) if again.is_empty() => Word::IMPORTED,
        Some(_) => Word::REHEARSED,
    };
    let (report, again) = done.unzip();
    let sent = |name: &str| request.form.get(name).unwrap_or_default();
    let choices = |name: &str, all: &[(&'static str, Word)]| {
        let choice = |(value, word): &(&'static str, Word)| {
            (*value, request.word(*word), *value == sent(name))
        };
        all.iter().map(choice).collect::<Vec<_>>()
    };
    let page = ImportPage {
        frame: Frame::new(request, request.word(title)),
        source: sent("source").to_owned(),
        timezone: sent("timezone").to_owned(),
        prunes: request.form.get("prune").is_some(),
        kinds: choices(
            "kind",
            &[
                (Kind::Event.plural(), Word::EVENTS),
                (Kind::Venue.plural(), Word::VENUES),
                (Kind::Organizer.plural(), Word::ORGANIZERS),
            ],
        ),
        policies: choices("policy", &POLICIES),
        orders: choices(
            "date_order",
            &[
                ("", Word::ORDER_BY_FILE),
                ("dmy", Word::DAY_FIRST),
                ("mdy", Word::MONTH_FIRST),
            ],
        ),
        faults,
        report,
        again: again.unwrap_or_default(),
    };
    page::response(status, request.language, &page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_known_by_their_names() {
        for (name, is) in [
            ("venues.csv", true),
            ("Venues.CSV.gz", true),
            ("fair.ics", false),
            ("fair.csv.ics", false),
            ("csv", false),
            ("", false),
        ] {
            assert_eq!(is_table(name), is, "{name}");
        }
    }
}
