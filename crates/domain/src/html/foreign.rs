//! HTML of another program, before it is filtered.

use super::tidy::{CUT, Fate, Tag, tidy_by};

/// Longest text within a video in which its source is looked for, in bytes.
const MAX_WITHIN: usize = 4096;

/// HTML of another program without what makes no sense outside of it.
///
/// ```
/// use events_calendar_domain::html::Foreign;
///
/// let raw = "<p>A</p><iframe src=\"https://video.example/7\"></iframe><a>B</a>";
/// let read = Foreign::read(raw, |class| class == "rubbish");
/// assert_eq!(
///     read.html,
///     "<p>A</p><a href=\"https://video.example/7\">https://video.example/7</a>B"
/// );
/// assert_eq!((read.embedded, read.data_pictures), (1, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The HTML; it is not filtered.
    pub html: String,
    /// The frames, videos and sounds that became links to their addresses.
    pub embedded: usize,
    /// The pictures within the text itself (`data:`), which went.
    pub data_pictures: usize,
}

impl Foreign {
    /// Reads HTML. Elements go with their content if `is_rendered` holds for one of their classes;
    /// frames, videos and sounds become links to their addresses; pictures whose address is `data:` go;
    /// links without a target go, and their content stays.
    pub fn read(raw: &str, is_rendered: impl Fn(&str) -> bool) -> Self {
        let (mut embedded, mut data_pictures) = (0, 0);
        let mut decide = |tag: &Tag<'_>| {
            let classes = tag.value("class").unwrap_or_default();
            if classes.split_ascii_whitespace().any(&is_rendered) {
                return Decision::Gone;
            }
            match &*tag.name {
                "iframe" | "video" | "audio" | "embed" | "object" => {
                    embedded += 1;
                    Decision::Embedded
                }
                "a" if !has_target(tag) => Decision::Unwrapped,
                "img" if tag.value("src").is_some_and(is_data) => {
                    if later_source(tag).is_some() {
                        return Decision::Later;
                    }
                    data_pictures += 1;
                    Decision::Gone
                }
                _ => Decision::Stays,
            }
        };
        let tidy = tidy_by(raw, &mut |tag| fate(tag, &decide(tag)));
        Self {
            html: tidy.html.replace(CUT, ""),
            embedded,
            data_pictures,
        }
    }
}

/// The fate of an element.
enum Decision {
    Stays,
    Unwrapped,
    Gone,
    /// A link to its address replaces it.
    Embedded,
    /// A script would set its address.
    Later,
}

fn fate<'a>(tag: &Tag<'a>, decision: &Decision) -> Fate<'a> {
    match decision {
        Decision::Stays => Fate::Stays,
        Decision::Unwrapped => Fate::Unwrapped,
        Decision::Gone => Fate::Gone,
        Decision::Embedded => embedded_address(tag).map_or(Fate::Gone, Fate::Link),
        Decision::Later => later_source(tag).map_or(Fate::Gone, Fate::Source),
    }
}

/// Whether a text begins as another one, in lower case, does.
fn begins(text: &str, start: &str) -> bool {
    let begin = text.as_bytes().get(..start.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start.as_bytes()))
}

fn is_data(address: &str) -> bool {
    begins(address, "data:")
}

fn is_web(address: &str) -> bool {
    begins(address, "http://") || begins(address, "https://") || address.starts_with("//")
}

/// Whether a link leads somewhere, or is a place to which other links lead.
fn has_target(link: &Tag<'_>) -> bool {
    let target = link.value("href").unwrap_or_default();
    let leads = !matches!(target, "" | "#") && !begins(target, "javascript:");
    leads || link.value("name").is_some_and(|name| !name.is_empty())
}

/// The address of a picture that is fetched when it comes into view.
fn later_source<'a>(picture: &Tag<'a>) -> Option<&'a str> {
    let names = ["data-src", "data-lazy-src"];
    let mut found = names.iter().filter_map(|name| picture.value(name));
    found.find(|address| is_web(address) || address.starts_with('/'))
}

/// The address of a frame, video or sound, or of its first source.
fn embedded_address<'a>(tag: &Tag<'a>) -> Option<&'a str> {
    let names = ["src", "data-src", "data-lazy-src", "data"];
    let own = names.iter().filter_map(|name| tag.value(name));
    if let Some(address) = own.into_iter().find(|address| is_web(address)) {
        return Some(address);
    }
    if !matches!(&*tag.name, "video" | "audio" | "object") {
        return None;
    }
    let within = &tag.after[..tag.after.floor_char_boundary(MAX_WITHIN)];
    let within = within.split(&format!("</{}", tag.name)).next()?;
    let sources = within.split('<').filter_map(|piece| {
        let source = Tag::read(piece)?;
        (matches!(&*source.name, "source" | "embed")).then(|| source.value("src"))?
    });
    sources.into_iter().find(|address| is_web(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Foreign {
        Foreign::read(raw, |class| class.starts_with("gone"))
    }

    #[test]
    fn elements_of_a_class_go_with_their_content() {
        for (raw, html) in [
            (
                "a<div class='x gone-1'>b<div>c</div><br><img src=/x></div>d",
                "ad",
            ),
            ("<p>a<span class=gone>b</span>c</p>", "<p>ac</p>"),
            (
                "a<div class=gone><button>b<svg><path/></svg></button></div>c",
                "ac",
            ),
            ("a<img class=gone src=/x>b", "ab"),
            ("<div class=begone>a</div>", "<div class=\"begone\">a</div>"),
            ("a<button class=gone>b</button>c", "ac"),
        ] {
            assert_eq!(read(raw).html, html, "{raw}");
        }
        // It does not end: the rest of the text stays.
        assert!(
            read("a<div class=gone>b<p>c</p>")
                .html
                .contains("b<p>c</p>")
        );
    }

    #[test]
    fn embedded_media_become_links() {
        let link = |url: &str| format!("a<a href=\"{url}\">{url}</a>b");
        for (raw, url) in [
            (
                "a<iframe src='https://v.example/1?a=1&amp;b=2' width=3></iframe>b",
                "https://v.example/1?a=1&amp;b=2",
            ),
            (
                "a<IFRAME data-src=//v.example/1>c</IFRAME>b",
                "//v.example/1",
            ),
            (
                "a<video controls><source src=https://v.example/a.mp4>no video</video>b",
                "https://v.example/a.mp4",
            ),
            (
                "a<audio src=http://v.example/a.mp3></audio>b",
                "http://v.example/a.mp3",
            ),
            ("a<embed src=http://v.example/a>b", "http://v.example/a"),
            (
                "a<object data=http://v.example/a><p>c</p></object>b",
                "http://v.example/a",
            ),
        ] {
            let read = read(raw);
            assert_eq!((read.html, read.embedded), (link(url), 1), "{raw}");
        }
        assert_eq!(read("a<iframe src='javascript:x'></iframe>b").html, "ab");
        assert_eq!(read("a<iframe>b").html.replace("</iframe>", ""), "ab");
    }

    #[test]
    fn pictures_in_the_text_and_links_to_nothing_go() {
        let data = "QUJD".repeat(100_000);
        let found = read(&format!(
            "a<img alt=x src=\"data:image/png;base64,{data}\">b"
        ));
        assert_eq!((&*found.html, found.data_pictures), ("ab", 1));
        assert_eq!(
            read("<img src=data:x data-src=/p.png>").html,
            "<img src=\"/p.png\">"
        );
        for link in [
            "<a>",
            "<a href=''>",
            "<a href=#>",
            "<a href=javascript:x()>",
        ] {
            assert_eq!(
                read(&format!("a{link}<b>c</b></a>d")).html,
                "a<b>c</b>d",
                "{link}"
            );
        }
        assert_eq!(read("<a href=/x>a</a>").html, "<a href=\"/x\">a</a>");
        assert_eq!(read("<a name=x>a</a>").html, "<a name=\"x\">a</a>");
    }
}
