//! Entity tags of responses, and lists of tags in requests.
//!
//! # Source
//!
//! RFC 9110, 8.8.3. A tag is `"r<revision>-<hash>"` for a record, else `"<hash>"`; the tag of an
//! encoded response ends with `-<encoding>`.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// The length of a hash in a tag, in bytes; collisions are infeasible.
const HASH_BYTES: usize = 16;

/// The hash of a body.
pub fn hash(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes);
    BASE64_URL_SAFE_NO_PAD.encode(&hash.as_bytes()[..HASH_BYTES])
}

/// A tag with its quotes. `suffix` names the encoding.
pub fn make(revision: Option<i64>, hash: &str, suffix: &str) -> HeaderValue {
    let tag = match revision {
        Some(revision) => format!("\"r{revision}-{hash}{suffix}\""),
        None => format!("\"{hash}{suffix}\""),
    };
    // A tag consists of ASCII letters, digits and `-_`.
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// The entity tags of a condition.
#[derive(Debug, PartialEq, Eq)]
pub enum EntityTags {
    /// `*`: any tag.
    Any,
    /// A list of tags.
    Listed(Vec<Tag>),
}

/// A tag that a client sent.
#[derive(Debug, PartialEq, Eq)]
pub struct Tag {
    /// With its quotes, without `W/`.
    text: String,
}

impl EntityTags {
    /// The tags in a header; none if the header is missing. Malformed tags are left out.
    pub fn read(headers: &HeaderMap, name: &HeaderName) -> Option<Self> {
        let mut values = headers.get_all(name).iter().peekable();
        values.peek()?;
        let mut tags = Vec::new();
        for value in values {
            let mut rest = value.to_str().unwrap_or_default().trim();
            if rest == "*" {
                return Some(Self::Any);
            }
            while let Some((tag, after)) = Tag::first_of(rest) {
                tags.push(tag);
                rest = after;
            }
        }
        Some(Self::Listed(tags))
    }

    /// Whether a tag matches by weak comparison.
    pub fn name_weakly(&self, tag: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(tags) => tags.iter().any(|one| one.text.as_bytes() == tag),
        }
    }

    /// The revisions in the tags, which proxies may have weakened; none for `*`.
    pub fn revisions(&self) -> Option<Vec<i64>> {
        match self {
            Self::Any => None,
            Self::Listed(tags) => Some(tags.iter().filter_map(Tag::revision).collect()),
        }
    }
}

impl Tag {
    /// The first tag of a list and the rest of the list.
    fn first_of(list: &str) -> Option<(Self, &str)> {
        let list = list.trim_start_matches([',', ' ', '\t']);
        let tag = list.strip_prefix("W/").unwrap_or(list);
        let inner = tag.strip_prefix('"')?;
        let (text, after) = tag.split_at(inner.find('"')? + 2);
        let text = text.to_owned();
        Some((Self { text }, after))
    }

    /// The revision in a tag. A weak tag has one, too: a proxy that compresses a response weakens its
    /// tag, and the revision alone is compared.
    fn revision(&self) -> Option<i64> {
        let (digits, _) = self.text.strip_prefix("\"r")?.split_once('-')?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        digits.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    fn read(values: &[&str]) -> Option<EntityTags> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::IF_MATCH, value.parse().unwrap());
        }
        EntityTags::read(&headers, &header::IF_MATCH)
    }

    #[test]
    fn lists_of_tags() {
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[" * "]), Some(EntityTags::Any));
        assert_eq!(read(&["nonsense"]), Some(EntityTags::Listed(Vec::new())));
        let listed = read(&["\"r7-a,b\", W/\"c\" ,\"\"", "\"r9-x\""]).unwrap();
        for tag in ["\"r7-a,b\"", "\"c\"", "\"\"", "\"r9-x\""] {
            assert!(listed.name_weakly(tag.as_bytes()), "{tag}");
        }
        assert!(!listed.name_weakly(b"\"r7-a\""));
        assert_eq!(listed.revisions(), Some(vec![7, 9]));
    }

    #[test]
    fn only_tags_of_records_name_a_revision() {
        for (value, revisions) in [
            ("\"r12-abc-gzip\"", vec![12]),
            ("W/\"r12-abc\"", vec![12]),
            ("W/\"abc\"", vec![]),
            ("\"12-abc\"", vec![]),
            ("\"r-abc\"", vec![]),
            ("\"r+1-abc\"", vec![]),
            ("\"r12\"", vec![]),
            ("r12-abc", vec![]),
            ("\"r99999999999999999999-a\"", vec![]),
        ] {
            assert_eq!(
                read(&[value]).unwrap().revisions(),
                Some(revisions),
                "{value}"
            );
        }
        assert_eq!(read(&["*"]).unwrap().revisions(), None);
    }

    #[test]
    fn a_tag_is_of_revision_bytes_and_encoding() {
        let make =
            |revision, bytes: &[u8], suffix| super::make(revision, &super::hash(bytes), suffix);
        let tags = [
            make(None, b"a", ""),
            make(Some(1), b"a", ""),
            make(Some(2), b"a", ""),
            make(Some(1), b"b", ""),
            make(Some(1), b"a", "-gzip"),
        ];
        for (index, tag) in tags.iter().enumerate() {
            assert!(!tags[..index].contains(tag), "{tag:?}");
        }
    }
}
