//! The form for the password of a locked event.
//!
//! The right password gives the browser a pass (`app::calendar::EventPass`) in a cookie, which pages of
//! that event alone read.

use app::{error::AppError, request::RecordKey, write::ReadOptions};
use axum::{
    body::{Body, to_bytes},
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Redirect, Response},
};
use domain::{Event, EventId, Secret, policy::Caller, slug::Slug};

use super::super::{
    content::Unlock,
    record::show,
    request::{Outcome, PRIVATE, PageRequest, cookie_name, page_response},
    words::Word,
};
/// The maximum size of the form.
const MAX_BYTES: usize = 16 * 1024;

/// `POST` of the form on the page of a locked event, from that page alone.
pub(crate) async fn unlock(
    mut request: PageRequest,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if !request.state.is_own_page(&headers) {
        return request.error(
            StatusCode::FORBIDDEN,
            Word::NOT_SENT_FROM_HERE,
            Word::OPEN_AGAIN,
        );
    }
    let slug = path.ok().and_then(|Path(slug)| Slug::of_url(&slug));
    let Some(slug) = slug else {
        return request.not_found_page();
    };
    let key = RecordKey::<Event>::Slug(slug);
    let password = password(body).await;
    match entered(&request, &key, password).await {
        Ok(Entered::Right { event, pass }) => opened(&request, event, &pass),
        Ok(Entered::Wrong) => wrong(&mut request, key).await,
        Err(AppError::TooManyPasswords {
            retry_after_seconds,
        }) => {
            let mut response = request.error(
                StatusCode::TOO_MANY_REQUESTS,
                Word::TOO_MANY_TRIES,
                Word::TRY_AGAIN,
            );
            let seconds = HeaderValue::from(retry_after_seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
            response
        }
        Err(error) => request.response(Err(error)),
    }
}

/// The result of a password's check.
enum Entered {
    Right {
        event: EventId,
        pass: Secret,
    },
    /// Also an empty one, and one for an event without a password.
    Wrong,
}

/// Compares a password, and counts it against the limit of the client.
async fn entered(
    request: &PageRequest,
    key: &RecordKey<Event>,
    password: Option<Secret>,
) -> Result<Entered, AppError> {
    let Some(password) = password else {
        return Ok(Entered::Wrong);
    };
    let calendar = &request.state.calendar;
    let options = ReadOptions::default().password(password.clone());
    let attempt = calendar.password_attempt(Caller::Anonymous, &options, Some(key));
    if let Some(attempt) = attempt.await? {
        let throttle = &request.state.password_throttle;
        let wait = throttle.wait_seconds(request.address, &attempt, calendar.monotonic());
        if let Some(retry_after_seconds) = wait {
            return Err(AppError::TooManyPasswords {
                retry_after_seconds,
            });
        }
    }
    let pass = calendar.event_pass(key, &password).await?;
    Ok(pass.map_or(Entered::Wrong, |pass| Entered::Right {
        event: pass.event,
        pass: pass.text,
    }))
}

/// A redirect to the page, with the pass for the browser.
fn opened(request: &PageRequest, event: EventId, pass: &Secret) -> Response {
    let path = request.path.trim_end_matches('/');
    let url = request.site.page_at(&format!("{path}/"));
    let secure = if request.site.root().starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{}={}; Path=/; HttpOnly; SameSite=Lax{secure}",
        cookie_name(event),
        pass.expose()
    );
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::CACHE_CONTROL, PRIVATE.to_owned()),
    ];
    (headers, Redirect::to(&url)).into_response()
}

/// The page with the form again. An event that needs no password shows its page.
async fn wrong(request: &mut PageRequest, key: RecordKey<Event>) -> Response {
    match show(request, key).await {
        Ok(Outcome::Page(mut page)) if page.body.unlock.is_some() => {
            page.body.unlock = Some(Unlock { is_wrong: true });
            page_response(StatusCode::FORBIDDEN, &page)
        }
        Ok(Outcome::Page(_)) => {
            let path = request.path.trim_end_matches('/');
            Redirect::to(&request.site.page_at(&format!("{path}/"))).into_response()
        }
        outcome => request.response(outcome),
    }
}

/// The password in a form; none if it is empty, or the form is too large or unreadable.
async fn password(body: Body) -> Option<Secret> {
    let bytes = to_bytes(body, MAX_BYTES).await.ok()?;
    let mut fields = form_urlencoded::parse(&bytes);
    let (_, password) = fields.find(|(name, _)| name == "password")?;
    (!password.is_empty()).then(|| Secret::new(password.into_owned()))
}
