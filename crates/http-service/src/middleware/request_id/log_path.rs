//! The path of a request as the log has it.

use std::borrow::Cow;

use app::ports::SecretFeed;
use axum::http::Uri;
use percent_encoding::percent_decode_str;

use crate::extract::key;

/// The segments below which paths have keys: of secret feeds, of invitations, and of the senders of proposals.
const ABOVE_KEYS: [&str; 3] = ["feeds", "invitation", "propose"];

/// The path without the query, which may hold a password, and without the keys of secret feeds and links.
pub(in crate::middleware) fn of(uri: &Uri) -> Cow<'_, str> {
    let path = uri.path();
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    let mut is_below = false;
    let mut hides = false;
    let segments: Vec<_> = decoded
        .split('/')
        .map(|segment| {
            if is_below && !segment.is_empty() && key::id::<SecretFeed>(segment).is_none() {
                hides = true;
                return "…";
            }
            is_below |= ABOVE_KEYS
                .iter()
                .any(|one| segment.eq_ignore_ascii_case(one));
            segment
        })
        .collect();
    if hides {
        segments.join("/").into()
    } else {
        path.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hidden() {
        for (path, expected) in [
            (
                "/cal/events/v1/feeds/4?password=x",
                "/cal/events/v1/feeds/4",
            ),
            ("/cal/events/v1/feeds", "/cal/events/v1/feeds"),
            ("/cal/events/v1/feeds/Zk3-q.ics", "/cal/events/v1/feeds/…"),
            (
                "/fr/cal/events/v1/Feeds//Zk3-q/",
                "/fr/cal/events/v1/Feeds//…/",
            ),
            ("/cal/events/v1/%66eeds/Zk3-q.ics", "/cal/events/v1/feeds/…"),
            ("/cal/events/v1/feeds%2FZk3-q.ics", "/cal/events/v1/feeds/…"),
            ("/desk/invitation/0f3c", "/desk/invitation/…"),
            ("/propose/0f3c", "/propose/…"),
            ("/propose", "/propose"),
            ("/event/caf%C3%A9", "/event/caf%C3%A9"),
        ] {
            assert_eq!(of(&path.parse().unwrap()), expected, "{path}");
        }
    }
}
