//! The pictures of HTML.

use super::tidy::Tag;

/// The file endings of pictures, in lower case.
const ENDINGS: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];

/// The addresses of the pictures in HTML, and of the pictures to which it links, as they stand
/// there: escaped, in their order.
///
/// ```
/// use events_calendar_domain::html::picture_addresses;
///
/// let html = "<a href=\"/big.JPG\"><img src=\"/small.jpg?a=1&amp;b=2\"></a> <a href=\"/page\">x</a>";
/// assert_eq!(picture_addresses(html), ["/big.JPG", "/small.jpg?a=1&amp;b=2"]);
/// ```
pub fn picture_addresses(html: &str) -> Vec<&str> {
    let mut addresses = Vec::new();
    for (at, _) in html.match_indices('<') {
        let Some(tag) = Tag::read(&html[at + 1..]) else {
            break;
        };
        let address = match &*tag.name {
            "img" => tag.value("src"),
            "a" => tag.value("href").filter(|address| is_picture(address)),
            _ => None,
        };
        addresses.extend(address.filter(|address| !address.is_empty()));
    }
    addresses
}

/// Whether an address has the ending of a picture's file.
fn is_picture(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = path.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}
