//! URLs of lists and their pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that need no encoding in the value of a query.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b',')
    .remove(b':');

/// The URL of a list and of its other pages, with the parameters of the request.
#[derive(Clone, Debug)]
pub struct ListUrls {
    collection: String,
    query: Vec<(String, String)>,
}

impl ListUrls {
    /// The URLs of a list with a query. `query` is as sent, `per_page` the effective value. A
    /// password is left out.
    pub fn new(collection: String, query: &[(String, String)], per_page: u32) -> Self {
        let sent = query.iter().filter(|(name, _)| name != "password");
        let query = sent.map(|(name, value)| {
            let value = if name == "per_page" {
                per_page.to_string()
            } else {
                value.clone()
            };
            (name.clone(), value)
        });
        Self {
            collection,
            query: query.collect(),
        }
    }

    /// The list as requested.
    pub fn this(&self) -> String {
        self.with(
            self.query
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        )
    }

    /// Another page of the list; the first has no number.
    pub fn page(&self, number: u64) -> String {
        let text = number.to_string();
        let others = self.query.iter().filter(|(name, _)| name != "page");
        let others = others.map(|(name, value)| (name.as_str(), value.as_str()));
        self.with(others.chain((number > 1).then_some(("page", text.as_str()))))
    }

    /// The page of a list without numbers that a token names. A wait for news is over.
    pub fn page_of_token(&self, token: &str) -> String {
        let replaced = ["page_token", "sync_token", "wait"];
        let others = self
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let others = others.filter(|(name, _)| !replaced.contains(name));
        self.with(others.chain([("page_token", token)]))
    }

    /// The entries below a number, from their first page on.
    pub fn below(&self, number: i64) -> String {
        let text = number.to_string();
        let others = self.query.iter();
        let others = others.map(|(name, value)| (name.as_str(), value.as_str()));
        let others = others.filter(|(name, _)| !["page", "before_id"].contains(name));
        self.with(others.chain([("before_id", text.as_str())]))
    }

    fn with<'a>(&self, query: impl Iterator<Item = (&'a str, &'a str)>) -> String {
        let mut url = self.collection.clone();
        for (index, (name, value)) in query.enumerate() {
            url.push(if index == 0 { '?' } else { '&' });
            url.extend(utf8_percent_encode(name, QUERY));
            url.push('=');
            url.extend(utf8_percent_encode(value, QUERY));
        }
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_what_was_sent() {
        let query = [
            ("search", "a b&c"),
            ("page", "2"),
            ("per_page", "1000"),
            ("password", "x"),
        ];
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let urls = ListUrls::new("http://h/events".to_owned(), &query, 100);
        assert_eq!(
            urls.this(),
            "http://h/events?search=a%20b%26c&page=2&per_page=100"
        );
        assert_eq!(
            urls.page(1),
            "http://h/events?search=a%20b%26c&per_page=100"
        );
        assert_eq!(
            ListUrls::new("http://h/changes".to_owned(), &query[2..3], 100).page_of_token("t"),
            "http://h/changes?per_page=100&page_token=t"
        );
        assert_eq!(
            urls.page(3),
            "http://h/events?search=a%20b%26c&per_page=100&page=3"
        );
    }
}
