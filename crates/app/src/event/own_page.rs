//! The URL of the page of an event, which shows as its website if it has none.

use domain::{Event, Kind, Record as _, Stored};

use crate::site::Site;

/// Whether a URL is the one of the page of an event, which shows as its website if it has none.
pub(super) fn is_page_of(url: &str, event: &Stored<Event>, site: &Site) -> bool {
    let rest = || {
        let (authority, path) = url.split_once("://")?.1.split_once('/')?;
        let without_port = authority.trim_end_matches(|c: char| c.is_ascii_digit());
        let host = without_port.strip_suffix(':').unwrap_or(authority);
        let page = format!("{host}/{path}");
        page.strip_prefix(&site.host).map(str::to_owned)
    };
    let Some(path) = rest() else { return false };
    let kind = Kind::Event.name();
    // An event without slug.
    if path.ends_with(&format!("/?post_type={kind}&p={}", event.id)) {
        return true;
    }
    let slug = || {
        let (before, slug) = path.strip_suffix('/')?.rsplit_once('/')?;
        before.strip_suffix(kind)?.ends_with('/').then_some(slug)
    };
    let mut slugs = event.slugs();
    slug().is_some_and(|named| slugs.any(|(_, slug)| slug.percent_encoded() == named))
}

#[cfg(test)]
mod tests {
    use domain::slug::Slug;

    use super::*;
    use crate::test_support::event;

    #[test]
    fn the_page_of_an_occurrence() {
        let site = Site {
            host: "cal.example".to_owned(),
            ..Site::default()
        };
        let mut third = event("Jazz night").build();
        third.slug = Slug::of_url("jazz-night~2027-03-16");
        let third = Stored {
            id: domain::Id::from_raw(7),
            revision: 1,
            content: third,
        };
        for (url, is_page) in [
            ("https://cal.example/event/jazz-night~2027-03-16/", true),
            (
                "http://cal.example:8080/fr/event/jazz-night~2027-03-16/",
                true,
            ),
            ("https://cal.example/event/jazz-night~2027-03-23/", false),
            ("https://cal.example/venue/jazz-night~2027-03-16/", false),
            ("https://other.example/event/jazz-night~2027-03-16/", false),
            ("https://cal.example/", false),
            ("https://cal.example/fr/?post_type=event&p=7", true),
            ("https://cal.example/?post_type=event&p=77", false),
        ] {
            assert_eq!(is_page_of(url, &third, &site), is_page, "{url}");
        }
    }
}
