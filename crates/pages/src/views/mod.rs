//! The views of the calendar: a month, a week or a day, and the lists of what comes up and of what is over.

mod bounds;
mod day;
mod embedding;
mod frame;
mod lists;
mod month;
mod nearest;
mod titles;
mod week;
mod words;

use app::error::AppError;
use axum::response::{IntoResponse as _, Response};
use domain::{
    Kind,
    time::{Period, PeriodUnit},
};

use http_service::error::ApiError;

use super::{
    address::{Address, View, date_in},
    finding::{self, Finding, Sent},
    request::{Outcome, PageRequest},
};
use bounds::Bounds;
use frame::Frame;

/// `GET` of a view. A date from the form leads to the view of its period; each other spelling of an address
/// leads to the one spelling that has a page.
pub(super) async fn view(request: PageRequest) -> Response {
    let outcome = show(&request).await;
    request.response(outcome)
}

/// `GET` of a view in a frame. Without sites that may show it, there is no such page.
pub(super) async fn embedded(request: PageRequest) -> Response {
    if request.state.embed_ancestors.is_none() {
        return ApiError::NoRoute.into_response();
    }
    view(request).await
}

async fn show(request: &PageRequest) -> Result<Outcome, AppError> {
    const NO_SUCH_DATE: AppError = AppError::NotFound(Kind::Event);
    let site = &request.site;
    let address = Address::read(&request.path, site).ok_or(NO_SUCH_DATE)?;
    let Address { view, period } = address;
    let unit = view.unit(site);
    let sent = Sent::of(request);
    if let (Some(unit), None, Some(date)) = (unit, period, request.query("date")) {
        let date = date_in(date).ok_or(NO_SUCH_DATE)?;
        let url = view.url_of(Period::of(date, unit), site);
        return Ok(Outcome::Chosen(sent.keep(url)));
    }
    if request.sent_path != address.path(site) {
        let page = request.query("page").filter(|_| unit.is_none());
        let page = page.and_then(|page| page.parse::<u64>().ok());
        let urls = sent.urls(address.url(site));
        return Ok(Outcome::Moved(urls.page(page.unwrap_or(1))));
    }
    if let Some(url) = sent.chosen(address.url(site), request) {
        return Ok(Outcome::Chosen(url));
    }
    let finding = match sent.read(request).await {
        Ok(finding) => finding,
        Err(AppError::Invalid(faults)) => {
            return finding::refused(request, address.url(site), &sent, &faults).await;
        }
        Err(error) => return Err(error),
    };
    let _turn = request.turn(&finding.filter).await?;
    match unit {
        None if view == View::Past => lists::past(request, finding).await,
        None => lists::upcoming(request, finding).await,
        Some(unit) => of_period(request, view, period, unit, finding).await,
    }
}

/// The view of a period, without one of the present one.
async fn of_period(
    request: &PageRequest,
    view: View,
    period: Option<Period>,
    unit: PeriodUnit,
    finding: Finding,
) -> Result<Outcome, AppError> {
    let calendar = &request.state.calendar;
    let today = request.site.zone.at(calendar.now()).local.date();
    let mut agenda = calendar.agenda(&request.options()).await?;
    if !finding.choices.is_empty() {
        agenda = agenda.only(finding.filter.clone(), request.client);
    }
    let frame = Frame {
        request,
        view,
        period: period.unwrap_or_else(|| Period::of(today, unit)),
        bounds: Bounds::new(agenda.extent().await?, today),
        agenda,
        finding,
    };
    if !frame.bounds.hold(frame.period) {
        return Ok(frame.absent());
    }
    match view {
        View::Week => week::show(&frame).await,
        View::Day => day::show(&frame).await,
        _ => month::show(&frame).await,
    }
}
