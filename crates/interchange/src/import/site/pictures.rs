//! The pictures within the texts of a record.

use std::collections::HashSet;

use app::{
    calendar::{Calendar, Unit, Work},
    error::AppError,
    fault::{Fault, ReferenceKind},
    ports::UnitOfWork,
    request::FetchedImages,
};
use async_trait::async_trait;
use domain::{html::picture_addresses, policy::Caller, web_url::WebUrl};
use serde_json::{Map, Value};

use super::{Move, SiteImportError, fields::name_of};
use crate::source_site::SourceRecord;

/// Most pictures of a record that are fetched.
const MAX_PICTURES: usize = 20;

/// The fields with formatted texts.
const TEXTS: [&str; 2] = ["description", "excerpt"];

/// The folder of a site with the files that were uploaded there.
const UPLOADS: &str = "/wp-content/uploads/";

impl Move<'_> {
    /// Stores the pictures within the texts of a record that lie on the site, and writes their
    /// addresses here into the texts. Returns whether each one that was tried is here.
    pub(super) async fn take_pictures(
        &mut self,
        record: &SourceRecord,
        body: &mut Map<String, Value>,
    ) -> Result<bool, SiteImportError> {
        let host = self.site.name().split('/').next().unwrap_or_default();
        let mut pictures: Vec<(String, WebUrl)> = Vec::new();
        let mut known = HashSet::new();
        for text in TEXTS.iter().filter_map(|field| body.get(*field)?.as_str()) {
            for address in picture_addresses(text) {
                if known.insert(address)
                    && let Some(url) = upload(address, host)
                {
                    pictures.push((address.to_owned(), url));
                }
            }
        }
        if pictures.is_empty() || self.options.dry_run || self.options.keep_image_links {
            return Ok(true);
        }
        let left = pictures.len().saturating_sub(MAX_PICTURES);
        if left > 0 {
            let remark = format!("{left} pictures more than {MAX_PICTURES} stay as links");
            self.remark(name_of(record), remark);
        }
        pictures.truncate(MAX_PICTURES);
        let urls: Vec<_> = pictures.iter().map(|(_, url)| url).collect();
        let fetch = self.calendar.fetch_images(self.caller, urls, MAX_PICTURES);
        let images = fetch.await?;
        let pictures = Pictures {
            calendar: self.calendar,
            caller: self.caller,
            images,
            of_texts: pictures,
        };
        let mut all_here = true;
        let stored = self.calendar.in_unit(&pictures).await;
        self.calendar.discard_unused(&pictures.images).await;
        for ((address, url), stored) in pictures.of_texts.iter().zip(stored?) {
            match stored {
                Ok(here) => rewrite(body, address, &here),
                Err(fault) => {
                    all_here = false;
                    let remark = format_args!("a picture stays a link: {url}: {fault}");
                    self.remark(name_of(record), remark);
                    self.report.failed_images += 1;
                }
            }
        }
        Ok(all_here)
    }
}

/// The URL of an address in a text, if a file that was uploaded to the site has it.
fn upload(address: &str, host: &str) -> Option<WebUrl> {
    let address = address.replace("&amp;", "&");
    let url = if address.starts_with("//") {
        format!("https:{address}")
    } else if address.starts_with('/') {
        format!("https://{host}{address}")
    } else {
        address
    };
    let (_, rest) = url.split_once("://")?;
    let (of, path) = rest.split_at(rest.find('/')?);
    // The name of a site has no port.
    let of = match of.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => of,
    };
    (of.eq_ignore_ascii_case(host) && path.contains(UPLOADS))
        .then(|| url.parse().ok())
        .flatten()
}

/// Replaces an address in the texts.
fn rewrite(body: &mut Map<String, Value>, address: &str, here: &str) {
    let here = here.replace('&', "&amp;");
    for field in TEXTS {
        if let Some(Value::String(text)) = body.get_mut(field) {
            *text = text.replace(&format!("\"{address}\""), &format!("\"{here}\""));
        }
    }
}

/// The unit of work of the pictures of a record.
struct Pictures<'a> {
    calendar: &'a Calendar,
    caller: Caller,
    images: FetchedImages,
    /// The pictures, by their addresses in the texts.
    of_texts: Vec<(String, WebUrl)>,
}

#[async_trait]
impl Work for Pictures<'_> {
    /// The URL of each here, or its fault.
    type Output = Vec<Result<String, Fault>>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Self::Output, AppError> {
        let writes = Unit::new(self.calendar, self.caller, unit);
        let mut ids = Vec::with_capacity(self.of_texts.len());
        for (_, url) in &self.of_texts {
            ids.push(writes.record_image(url, &self.images).await?);
        }
        let stored: Vec<_> = ids
            .iter()
            .filter_map(|id| id.as_ref().ok().copied())
            .collect();
        let stored = unit.images().find_many(&stored).await?;
        let url_of = |id| {
            let image = stored.iter().find(|image| image.id == id);
            let path = image.map(|image| image.path());
            let path = path.ok_or(Fault::UnknownReference(ReferenceKind::Image))?;
            Ok(format!(
                "{}/{}",
                self.calendar.site().media_url,
                path.as_str()
            ))
        };
        Ok(ids.into_iter().map(|id| url_of(id?)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_site_alone_are_taken() {
        let url = |address| upload(address, "old.example").map(|url| url.to_string());
        for (address, taken) in [
            ("https://old.example/wp-content/uploads/a.png", true),
            (
                "http://OLD.example/blog/wp-content/uploads/a.png?x=1&amp;y=2",
                true,
            ),
            ("//old.example/wp-content/uploads/a.png", true),
            ("/wp-content/uploads/a.png", true),
            ("https://old.example/logo.png", false),
            (
                "https://old.example.evil.example/wp-content/uploads/a.png",
                false,
            ),
            (
                "https://evil.example/old.example/wp-content/uploads/a.png",
                false,
            ),
            ("https://old.example:8080/wp-content/uploads/a.png", true),
            (
                "https://old.example@evil.example/wp-content/uploads/a.png",
                false,
            ),
            ("wp-content/uploads/a.png", false),
            ("data:image/png;base64,AAAA", false),
        ] {
            assert_eq!(url(address).is_some(), taken, "{address}");
        }
        let relative = url("/wp-content/uploads/a.png?x=1&amp;y=2").unwrap();
        assert_eq!(
            relative,
            "https://old.example/wp-content/uploads/a.png?x=1&y=2"
        );
    }
}
