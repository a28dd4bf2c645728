//! Made-up titles, names and texts.

use anyhow::Context;
use domain::{Language, html::RichText, text::Title, web_url::WebUrl};

use crate::{cities::City, random::Random, words::Words};

/// Generates titles and texts in a language, about a city.
pub(crate) struct TextGenerator<'a> {
    words: &'static Words,
    city: &'a City,
    random: &'a mut Random,
}

impl<'a> TextGenerator<'a> {
    pub(crate) fn new(language: Language, city: &'a City, random: &'a mut Random) -> Self {
        Self {
            words: Words::of(language),
            city,
            random,
        }
    }

    /// The title of an event.
    pub(crate) fn title(&mut self) -> anyhow::Result<Title> {
        let pattern = self.random.pick(&self.words.titles);
        self.named(pattern)
    }

    /// The name of an organizer.
    pub(crate) fn organizer(&mut self) -> anyhow::Result<Title> {
        let pattern = self.random.pick(&self.words.hosts);
        self.named(pattern)
    }

    /// The name of a venue.
    pub(crate) fn venue(&mut self) -> anyhow::Result<Title> {
        let house = self.random.pick(&self.words.venues);
        let pattern = self.random.pick(&["{h} {n}", "{h} {c}", "{h}, {s}"]);
        let street = self.random.pick(&self.words.streets);
        let name = pattern
            .replace("{h}", house)
            .replace("{s}", street)
            .replace("{n}", &self.family_name());
        self.named(&name)
    }

    fn named(&mut self, pattern: &str) -> anyhow::Result<Title> {
        let text = self.filled(pattern);
        capitalized(&text).parse::<Title>().context("a title")
    }

    /// Paragraphs with these numbers of sentences.
    pub(crate) fn paragraphs(&mut self, sentences: &[usize]) -> String {
        let paragraphs = sentences.iter().map(|count| {
            let sentences = (0..*count).map(|_| {
                let pattern = self.random.pick(&self.words.sentences);
                capitalized(&self.filled(pattern))
            });
            sentences.collect::<Vec<_>>().join(" ")
        });
        paragraphs.collect::<Vec<_>>().join("\n\n")
    }

    /// Street and number.
    pub(crate) fn address(&mut self) -> String {
        let number = 1 + self.random.below(180);
        format!("{number} {}", self.random.pick(&self.words.streets))
    }

    fn family_name(&mut self) -> String {
        let count = 2 + self.random.below(2);
        let parts = (0..count).map(|_| self.random.pick(&self.words.syllables));
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
                "t" => text.push_str(self.random.pick(&self.words.topics)),
                "f" => text.push_str(self.random.pick(&self.words.forms)),
                "c" => text.push_str(self.city.name),
                _ => {
                    text.push_str(self.random.pick(&self.words.given_names));
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

/// A text as a client would send it.
pub(crate) fn rich(text: &str) -> anyhow::Result<RichText> {
    RichText::parse(text).context("a text")
}

/// A web address below `example.org`, which is reserved.
pub(crate) fn website(host: usize, path: usize) -> anyhow::Result<WebUrl> {
    let url = format!("https://www{host}.example.org/programme/{path}");
    url.parse::<WebUrl>().context("a web address")
}
