//! Occurrences that become events of their own.

use domain::{Event, Record, Stage, Stored, Translations, event::Repetition, slug::Slug};

use super::overrides::{is_override, set_override};
use crate::{
    error::AppError,
    hashing::random_hex,
    ports::{OccurrencePlan, Repositories, SlugRequest, SlugRequests},
    request::Request,
    resource::{save, writes},
};

/// Makes an occurrence an event of its own, with its ID and all its values; in the trash if `trashed`.
/// The slot of the series is left as it is.
pub(super) async fn detach(
    series: &Stored<Event>,
    occurrence: Stored<Event>,
    trashed: bool,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let own = if is_override(series, occurrence.id, unit).await? {
        occurrence
    } else {
        let content = occurrence.content.clone();
        set_override(series, &occurrence, content, false, request, unit).await?
    };
    let plan = OccurrencePlan {
        detached: vec![own.id],
        ..OccurrencePlan::default()
    };
    writes::apply(series, &plan, request, unit).await?;
    let mut content = own.content.clone();
    content.details.repetition = Repetition::Once;
    let host = series
        .details
        .uid
        .rsplit_once('@')
        .map_or("", |(_, host)| host);
    content.details.uid = format!("{}@{host}", random_hex());
    if trashed {
        content.stage = Stage::Trashed;
    }
    let trashed = content.is_in_trash();
    let slug_of = |slug: Option<Slug>, former: Option<Slug>| {
        // Outside the trash, the occurrence has a slug; in it, the one that it had.
        let slug = former.or(slug)?;
        let slug = Slug::normalize(&slug.as_str().replace('~', "-"))?;
        Some(slug)
    };
    let take = |slug: &mut Option<Slug>, former: &mut Option<Slug>| {
        let public = slug_of(slug.take(), former.take())?;
        if !trashed {
            return Some(SlugRequest::new(public));
        }
        *former = Some(public.clone());
        Some(SlugRequest::new(public.trashed()))
    };
    let mut slugs = SlugRequests {
        original: take(&mut content.slug, &mut content.former_slug),
        ..SlugRequests::default()
    };
    let translations = content.translations.iter().map(|(language, translation)| {
        let mut translation = translation.clone();
        let slug = take(&mut translation.slug, &mut translation.former_slug);
        slugs.translations.extend(slug.map(|slug| (language, slug)));
        (language, translation)
    });
    let translations: Translations = translations.collect();
    content.translations = translations;
    save(own, content, slugs, request, unit).await
}
