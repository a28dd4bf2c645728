//! The settings of the site that people see, changed by administrators.

mod fields;

use app::{
    AppError,
    ports::{SiteChange, StoredSite},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::site::SiteValue;
use http_service::{Endpoint, face::Origin};

use self::fields::{Field, Shape};
use crate::{
    fault::{FieldFault, is_bad},
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The path of the page.
const SITE: &str = "/desk/site";

/// The page of the site.
pub(crate) fn endpoints() -> [Endpoint; 2] {
    [Endpoint::get(SITE, show), Endpoint::post(SITE, save)]
}

/// A setting as the page shows it.
#[derive(Debug)]
struct ShownSetting {
    name: &'static str,
    shape: Shape,
    title: &'static str,
    hint: Option<&'static str>,
    value: String,
    /// The choices of a setting that has some: value, text, and whether it is chosen.
    choices: Vec<(&'static str, &'static str, bool)>,
    is_bad: bool,
    /// Where the value is fixed.
    fixed: Option<Fixed>,
}

/// A value that cannot be changed here: the reason, and the flag or variable.
#[derive(Debug)]
struct Fixed {
    reason: &'static str,
    by: String,
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "site.html")]
struct SitePage {
    frame: Frame,
    faults: Vec<FieldFault>,
    revision: String,
    settings: Vec<ShownSetting>,
    /// The address of the present logo.
    logo: Option<String>,
    /// Titles, values and reasons of what the start of the service fixes.
    fixed: Vec<(&'static str, String, Fixed)>,
    /// When the settings were changed, and by whom.
    changed: Option<String>,
    /// The version of somebody else, where two people changed the site: titles and values.
    theirs: Vec<(&'static str, String)>,
}

/// `GET` of the page.
async fn show(request: DeskRequest) -> Answer {
    let stored = stored(&request).await?;
    form(&request, StatusCode::OK, &stored, Vec::new()).await
}

/// The stored settings, or the page of an error.
async fn stored(request: &DeskRequest) -> Result<StoredSite, Response> {
    let stored = request.state.calendar.site_settings(request.caller()).await;
    request.found(stored, Word::ASK_AN_ADMINISTRATOR)
}

/// `POST` of the settings. This server shows them at once.
async fn save(request: DeskRequest) -> Answer {
    let present = stored(&request).await?;
    let face = &request.state.site.face;
    let changes = match fields::changes(&request, face.fixed(), &present) {
        Ok(changes) => changes,
        Err(faults) => return form(&request, StatusCode::BAD_REQUEST, &present, faults).await,
    };
    match change(&request, &changes).await {
        Ok(()) => Ok(request.see(&format!("{SITE}?saved=1"))),
        Err(AppError::PreconditionFailed) => {
            let stored = stored(&request).await?;
            let conflict = FieldFault::new("", request.word(Word::SITE_CONFLICT));
            let mut faults = vec![conflict];
            faults.extend(fields::lost_file(&request));
            form(&request, StatusCode::CONFLICT, &stored, faults).await
        }
        Err(error) => Err(request.failed(error, Word::ASK_AN_ADMINISTRATOR)),
    }
}

async fn change(request: &DeskRequest, changes: &[SiteChange]) -> Result<(), AppError> {
    if changes.is_empty() {
        return Ok(());
    }
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let seen = request.form.get("revision");
    let seen = seen.and_then(|text| text.parse().ok());
    let seen = seen.ok_or(AppError::PreconditionFailed)?;
    calendar.change_site(caller, seen, changes).await?;
    if let Err(error) = request.state.site.face.refresh(calendar).await {
        // The job that follows other servers shows it soon.
        tracing::warn!(%error, "cannot read the settings of the site");
    }
    Ok(())
}

async fn form(
    request: &DeskRequest,
    status: StatusCode,
    stored: &StoredSite,
    faults: Vec<FieldFault>,
) -> Answer {
    let is_conflict = status == StatusCode::CONFLICT;
    let is_saved = request.parameter("saved").is_some() && faults.is_empty();
    let changed = last_change(request, stored).await;
    let changed = request.found(changed, Word::ASK_AN_ADMINISTRATOR)?;
    let live = &request.state.site.face;
    let logo = live.shown().logo.as_ref().map(|logo| logo.name.clone());
    let settings = Field::ALL.iter();
    let settings = settings.map(|field| shown(request, field, stored, &faults));
    // Sent again after a conflict, the form replaces the version that the person has seen now.
    let sent = request.form.get("revision").filter(|_| !is_conflict);
    let page = SitePage {
        frame: Frame::new(request, request.word(Word::SITE)).told(is_saved.then_some(Word::SAVED)),
        revision: sent.map_or_else(|| stored.revision.to_string(), str::to_owned),
        settings: settings.collect(),
        logo: logo.map(|name| request.state.site.asset(&name)),
        fixed: fixed_at_start(request),
        changed,
        theirs: if is_conflict {
            told(request, stored)
        } else {
            Vec::new()
        },
        faults,
    };
    Ok(page::response(status, request.language, &page))
}

fn shown(
    request: &DeskRequest,
    field: &Field,
    stored: &StoredSite,
    faults: &[FieldFault],
) -> ShownSetting {
    let name = field.setting.name();
    let fixed = request.state.site.face.fixed().get(field.setting);
    let own = stored
        .values
        .get(&field.setting)
        .map(|stored| &stored.value);
    let value = match (fixed, request.form.get(name)) {
        (Some((value, _)), _) => value.text(),
        (None, Some(typed)) => Some(typed.to_owned()),
        (None, None) => own.and_then(SiteValue::text),
    };
    let value = value.unwrap_or_default();
    let choices = fields::choices(field.shape);
    ShownSetting {
        name,
        shape: field.shape,
        title: request.word(field.title),
        hint: field.hint.map(|hint| request.word(hint)),
        choices: choices
            .map(|(one, word)| (one, request.word(word), one == value))
            .collect(),
        value,
        is_bad: is_bad(faults, name),
        fixed: fixed.map(|(_, origin)| Fixed {
            reason: request.word(match origin {
                Origin::Program => Word::FIXED_BY_PROGRAM,
                _ => Word::FIXED_BY,
            }),
            by: origin.to_string(),
        }),
    }
}

/// The settings that nobody changes while the service runs.
fn fixed_at_start(request: &DeskRequest) -> Vec<(&'static str, String, Fixed)> {
    let site = request.state.calendar.site();
    let fixed = |title, value: String, reason, by: &str| {
        let (reason, by) = (request.word(reason), by.to_owned());
        (request.word(title), value, Fixed { reason, by })
    };
    vec![
        fixed(
            Word::TIME_ZONE,
            site.zone.to_string(),
            Word::SITE_ZONE_FIXED,
            "--timezone",
        ),
        fixed(
            Word::SITE_LANGUAGE,
            site.language.to_string(),
            Word::SITE_LANGUAGE_FIXED,
            "--language",
        ),
    ]
}

/// When a value was set last, and by whom.
async fn last_change(
    request: &DeskRequest,
    stored: &StoredSite,
) -> Result<Option<String>, AppError> {
    let values = stored.values.values();
    let Some(last) = values.max_by_key(|stored| stored.set_at) else {
        return Ok(None);
    };
    let names = request.state.accounts.names().await?;
    let user = last.set_by.and_then(|user| names.get(&user));
    let user = user.map_or_else(String::new, |user| format!(", {user}"));
    Ok(Some(format!("{} UTC{user}", last.set_at)))
}

/// The stored values that a person compares, each with its title.
fn told(request: &DeskRequest, stored: &StoredSite) -> Vec<(&'static str, String)> {
    let told = Field::ALL.iter().filter_map(|field| {
        let value = &stored.values.get(&field.setting)?.value;
        Some((request.word(field.title), value.text()?))
    });
    told.collect()
}
