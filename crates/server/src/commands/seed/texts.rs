//! Made-up titles, names and texts.

use anyhow::Context;
use domain::{Language, html::RichText, text::Title, web_url::WebUrl};

use super::{
    cities::City,
    random::Random,
    words::{Words, words},
};

/// Writes in one language, of one town.
pub(super) struct Writer<'a> {
    words: &'static Words,
    city: &'a City,
    random: &'a mut Random,
}

impl<'a> Writer<'a> {
    pub(super) fn new(language: Language, city: &'a City, random: &'a mut Random) -> Self {
        Self {
            words: words(language),
            city,
            random,
        }
    }

    /// A title, or the name of an organizer.
    pub(super) fn title(&mut self) -> anyhow::Result<Title> {
        let pattern = *self.random.pick(self.words.titles);
        self.named(pattern)
    }

    pub(super) fn host(&mut self) -> anyhow::Result<Title> {
        let pattern = *self.random.pick(self.words.hosts);
        self.named(pattern)
    }

    pub(super) fn venue(&mut self) -> anyhow::Result<Title> {
        let house = *self.random.pick(self.words.venues);
        let pattern = *self.random.pick(&["{h} {n}", "{h} {c}", "{h}, {s}"]);
        let street = *self.random.pick(self.words.streets);
        let name = pattern
            .replace("{h}", house)
            .replace("{s}", street)
            .replace("{n}", &self.family_name());
        self.named(&name)
    }

    fn named(&mut self, pattern: &str) -> anyhow::Result<Title> {
        let text = self.filled(pattern);
        Title::parse(&capitalized(&text)).context("a made-up title")
    }

    /// Paragraphs of so many sentences each.
    pub(super) fn paragraphs(&mut self, sentences: &[usize]) -> String {
        let paragraphs = sentences.iter().map(|count| {
            let sentences = (0..*count).map(|_| {
                let pattern = *self.random.pick(self.words.sentences);
                capitalized(&self.filled(pattern))
            });
            sentences.collect::<Vec<_>>().join(" ")
        });
        paragraphs.collect::<Vec<_>>().join("\n\n")
    }

    /// Street and number.
    pub(super) fn address(&mut self) -> String {
        let number = 1 + self.random.below(180);
        format!("{number} {}", self.random.pick(self.words.streets))
    }

    fn one_of(&mut self, words: &'static [&'static str]) -> &'static str {
        self.random.pick::<&str>(words)
    }

    fn family_name(&mut self) -> String {
        let count = 2 + self.random.below(2);
        let parts = (0..count).map(|_| *self.random.pick(self.words.syllables));
        let separator = if self.words.syllables.len() > 10 {
            ""
        } else {
            " "
        };
        capitalized(&parts.collect::<Vec<_>>().join(separator))
    }

    fn filled(&mut self, pattern: &str) -> String {
        let mut text = String::with_capacity(pattern.len() * 2);
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (what, after) = after.split_once('}').unwrap_or((after, ""));
            match what {
                "t" => text.push_str(self.one_of(self.words.topics)),
                "f" => text.push_str(self.one_of(self.words.forms)),
                "c" => text.push_str(self.city.name),
                _ => {
                    text.push_str(self.one_of(self.words.given_names));
                    text.push(' ');
                    text.push_str(&self.family_name());
                }
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// A text as people would send it.
pub(super) fn rich(text: &str) -> anyhow::Result<RichText> {
    RichText::parse(text).context("a made-up text")
}

/// An address of a web site that nobody has.
pub(super) fn website(host: usize, path: usize) -> anyhow::Result<WebUrl> {
    let url = format!("https://www{host}.example.org/programme/{path}");
    WebUrl::parse(&url).context("a made-up address")
}
