//! The elements and attributes that sanitized HTML may contain.

use std::borrow::Cow;
use std::sync::LazyLock;

use ammonia::Builder;

/// The allowed elements.
#[rustfmt::skip]
const ELEMENTS: [&str; 72] = [
    "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote",
    "br", "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn",
    "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "i", "img", "ins", "kbd", "li", "main", "mark", "nav", "ol", "p", "pre", "q",
    "s", "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt",
    "u", "ul", "var", "wbr",
];

/// Whether the element `name` (lower case) is allowed.
pub(super) fn is_allowed(name: &str) -> bool {
    ELEMENTS.contains(&name)
}

/// The allowed attributes of each element, besides [`GENERIC_ATTRIBUTES`].
const ATTRIBUTES: [(&str, &[&str]); 15] = [
    ("a", &["href", "hreflang", "name", "rel", "target"]),
    ("blockquote", &["cite"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("del", &["cite", "datetime"]),
    ("details", &["open"]),
    ("img", &["alt", "height", "loading", "src", "width"]),
    ("ins", &["cite", "datetime"]),
    ("li", &["value"]),
    ("ol", &["reversed", "start", "type"]),
    ("q", &["cite"]),
    ("td", &["align", "colspan", "headers", "rowspan", "valign"]),
    (
        "th",
        &["align", "colspan", "headers", "rowspan", "scope", "valign"],
    ),
    ("time", &["datetime"]),
    ("ul", &["type"]),
];

/// The allowed attributes of every element.
const GENERIC_ATTRIBUTES: [&str; 4] = ["class", "dir", "lang", "title"];

/// Whether the element `element` (lower case) may have the attribute `name`.
pub(super) fn is_allowed_attribute(element: &str, name: &str) -> bool {
    let is_name = |allowed: &&str| allowed.eq_ignore_ascii_case(name);
    let own = ATTRIBUTES.iter().find(|(owner, _)| *owner == element);
    GENERIC_ATTRIBUTES.iter().any(is_name)
        || own.is_some_and(|(_, names)| names.iter().any(is_name))
}

/// The allowed elements, each with the attributes that it may have.
///
/// ```
/// use events_calendar_domain::html::allowed_elements;
///
/// let (_, attributes) = allowed_elements().find(|(name, _)| *name == "del").unwrap();
/// assert_eq!(attributes, ["cite", "datetime", "class", "dir", "lang", "title"]);
/// assert!(allowed_elements().all(|(name, _)| name != "script"));
/// ```
pub fn allowed_elements() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    ELEMENTS.into_iter().map(|element| {
        let own = ATTRIBUTES.iter().find(|(owner, _)| *owner == element);
        let own = own.map_or(&[][..], |(_, names)| names);
        (element, [own, &GENERIC_ATTRIBUTES].concat())
    })
}

/// The schemes of links and images.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Whether an address has neither control characters, which a browser removes before it parses the
/// address, nor another scheme behind blanks and line separators, which other readers remove.
fn is_harmless_address(value: &str) -> bool {
    if value.contains(char::is_control) {
        return false;
    }
    let Some((start, _)) = value.split_once(':') else {
        return true;
    };
    let scheme: String = start.split_whitespace().collect();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    !is_scheme || SCHEMES.contains(&scheme.to_ascii_lowercase().as_str())
}

/// The allow-list. It is built once, as it has a dozen hash tables.
pub(super) static ALLOWED: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(ELEMENTS.into())
        .clean_content_tags(["script", "style"].into())
        .generic_attributes(GENERIC_ATTRIBUTES.into())
        .tag_attributes(
            ATTRIBUTES
                .map(|(tag, names)| (tag, names.iter().copied().collect()))
                .into(),
        )
        .link_rel(None)
        .url_schemes(SCHEMES.into())
        .attribute_filter(|_, name, value| {
            let harmless = match name {
                "href" | "src" | "cite" => is_harmless_address(value),
                "target" => value == "_blank",
                "rel" => !value
                    .split_whitespace()
                    .any(|word| word.eq_ignore_ascii_case("opener")),
                _ => true,
            };
            harmless.then_some(Cow::Borrowed(value))
        });
    builder
});
