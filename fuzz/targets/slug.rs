//! Slugs: normalizing a slug changes nothing, and every slug fits its length and a path.
#![no_main]

use domain::slug::Slug;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(slug) = Slug::normalize(text) else {
        return;
    };
    let number = u32::try_from(text.len()).expect("a short text") + 2;
    let numbered = slug.numbered(number);
    assert!(
        numbered.is_numbered(&slug),
        "{slug} with the number {number}"
    );
    for slug in [slug.trashed(), slug.appended(&numbered), numbered, slug] {
        assert!(
            slug.as_str().chars().count() <= Slug::MAX_CHARS,
            "{slug} is too long"
        );
        assert!(slug.percent_encoded().is_ascii(), "{slug} in a path");
        let unsafe_in_a_path =
            |c: char| c.is_whitespace() || c.is_control() || "/?#%&<>\"'".contains(c);
        assert!(
            !slug.as_str().contains(unsafe_in_a_path),
            "{slug:?} in a path"
        );
        assert_eq!(
            Slug::normalize(slug.as_str()).as_ref(),
            Some(&slug),
            "{slug:?} again"
        );
    }
});
