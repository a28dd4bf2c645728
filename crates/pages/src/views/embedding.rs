//! Views in frames of other sites, and the element by which these show them.

use crate::{address::View, content::Head, request::PageRequest, words::Word};

impl PageRequest {
    /// Marks a view with an address outside of frames: search engines list the page there, and readers get there.
    /// A view outside of frames gets the element that embeds it. `with_filters` adds the filters of the page to a URL.
    pub(super) fn mark_embedding(
        &self,
        head: &mut Head,
        (view, outside): (View, String),
        with_filters: impl Fn(String) -> String,
    ) {
        if let Some(frame) = &mut head.frame {
            frame.outside = with_filters(outside);
            head.canonical = None;
            head.noindex = true;
            head.nofollow = true;
        } else if self.state.embed_ancestors.is_some() && view.is_embeddable() {
            // The values of filters are percent-encoded.
            let url = with_filters(view.url(&self.site.embedded())).replace('&', "&amp;");
            let title = self.word(Word::CALENDAR_OF_EVENTS);
            head.snippet = Some(format!(
                "<iframe src=\"{url}\" title=\"{title}\" width=\"100%\" height=\"700\" loading=\"lazy\"></iframe>"
            ));
        }
    }
}
