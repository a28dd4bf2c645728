//! Formatted texts: nothing in the result can act, and filtering it again changes nothing.
#![no_main]

use domain::{
    html::RichText,
    text::{Title, collapsed_line, plain_line},
};
use libfuzzer_sys::fuzz_target;

/// Elements that fetch, run or send something by themselves.
const ACTIVE: [&str; 16] = [
    "script", "style", "iframe", "object", "embed", "form", "input", "button", "svg", "math",
    "template", "link", "meta", "base", "noscript", "textarea",
];

/// Checks each tag of serialized HTML, in which attributes stand in double quotes.
fn check(html: &str) {
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        rest = rest[open + 1..].trim_start_matches('/');
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        assert!(!name.is_empty(), "a `<` that opens no tag in {html:?}");
        assert!(!ACTIVE.contains(&name.as_str()), "<{name}> in {html:?}");
        rest = &rest[end..];
        loop {
            rest = rest.trim_start_matches([' ', '/']);
            if let Some(after) = rest.strip_prefix('>') {
                rest = after;
                break;
            }
            let Some((attribute, after)) = rest.split_once("=\"") else {
                panic!("an open tag <{name} in {html:?}");
            };
            let Some((value, after)) = after.split_once('"') else {
                panic!("an open attribute {attribute} in {html:?}");
            };
            check_attribute(&name, attribute, value);
            rest = after;
        }
    }
}

fn check_attribute(element: &str, name: &str, value: &str) {
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase());
    assert!(
        plain && !name.starts_with("on") && name != "style",
        "{name} of <{element}>"
    );
    if ["href", "src", "cite"].contains(&name) {
        let value: String = value
            .chars()
            .filter(|c| !c.is_whitespace() && !c.is_control())
            .collect();
        // Otherwise the colon is part of a relative address.
        let is_scheme = |text: &str| {
            let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
            text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(is_legal)
        };
        if let Some((scheme, _)) = value.split_once(':')
            && is_scheme(scheme)
        {
            let scheme = scheme.to_ascii_lowercase();
            let known = ["http", "https", "mailto", "tel"].contains(&scheme.as_str());
            assert!(known, "the scheme {scheme:?} of {name} of <{element}>");
        }
    }
}

fuzz_target!(|text: &str| {
    if let Ok(parsed) = RichText::parse(text) {
        check(parsed.as_str());
        assert_eq!(
            RichText::parse(parsed.as_str()).as_ref(),
            Ok(&parsed),
            "filtered again"
        );
        assert!(
            !parsed.plain().contains('\n'),
            "the plain text of {:?}",
            parsed.as_str()
        );
    }
    if let Ok(parsed) = RichText::parse_lines(text) {
        check(parsed.as_str());
        assert_eq!(
            RichText::parse_lines(parsed.as_str()).as_ref(),
            Ok(&parsed),
            "filtered again"
        );
        check(&parsed.in_paragraphs());
    }
    let line = plain_line(text);
    assert_eq!(plain_line(&line), line, "a line again");
    assert!(!line.contains(char::is_control), "{line:?} is not one line");
    let line = collapsed_line(text);
    assert_eq!(collapsed_line(&line), line, "a collapsed line again");
    if let Ok(title) = text.parse::<Title>() {
        assert_eq!(
            title.as_str().parse::<Title>().as_ref(),
            Ok(&title),
            "a title again"
        );
    }
});
