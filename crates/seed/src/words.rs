//! Words and patterns from which titles and texts are generated.

use std::sync::LazyLock;

use domain::Language;

type List = Vec<&'static str>;

/// Words and patterns of a language. In a pattern, `{t}` stands for a topic, `{f}` for a form,
/// `{p}` for a person and `{c}` for a city.
pub(crate) struct Words {
    pub(crate) topics: List,
    pub(crate) forms: List,
    pub(crate) titles: List,
    pub(crate) sentences: List,
    pub(crate) given_names: List,
    /// Parts of family names.
    pub(crate) syllables: List,
    pub(crate) streets: List,
    pub(crate) venues: List,
    pub(crate) hosts: List,
}

impl Words {
    /// Reads a file of sections: `[name]`, one entry a line, an empty line.
    fn parse(text: &'static str) -> Self {
        let section = |name: &str| {
            let lines = text.lines().skip_while(|line| {
                line.strip_prefix('[')
                    .and_then(|line| line.strip_suffix(']'))
                    != Some(name)
            });
            lines.skip(1).take_while(|line| !line.is_empty()).collect()
        };
        Self {
            topics: section("topics"),
            forms: section("forms"),
            titles: section("titles"),
            sentences: section("sentences"),
            given_names: section("given_names"),
            syllables: section("syllables"),
            streets: section("streets"),
            venues: section("venues"),
            hosts: section("hosts"),
        }
    }

    /// The words of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ARABIC: LazyLock<Words> =
            LazyLock::new(|| Words::parse(include_str!("../data/ar.txt")));
        static ENGLISH: LazyLock<Words> =
            LazyLock::new(|| Words::parse(include_str!("../data/en.txt")));
        static FRENCH: LazyLock<Words> =
            LazyLock::new(|| Words::parse(include_str!("../data/fr.txt")));
        match language {
            Language::Arabic => &ARABIC,
            Language::English => &ENGLISH,
            Language::French => &FRENCH,
        }
    }
}

/// A rare word for searches. About 20 events contain it, or all events of a small calendar.
pub(crate) const RARE: &str = "glockenspiel";

/// The names of top categories, each with the names of its children.
pub(crate) fn categories()
-> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    include_str!("../data/categories.txt").lines().map(|line| {
        let (name, children) = line.split_once(": ").unwrap_or((line, ""));
        (name, children.split(", ").filter(|name| !name.is_empty()))
    })
}

/// First and second words of tags. Each pair is a tag.
pub(crate) const TAGS: ([&str; 20], [&str; 10]) = (
    [
        "free", "outdoor", "indoor", "evening", "weekend", "summer", "winter", "family", "student",
        "senior", "beginner", "expert", "local", "open", "classic", "modern", "quiet", "festive",
        "green", "digital",
    ],
    [
        "entry", "stage", "course", "meeting", "tour", "night", "club", "talk", "session", "days",
    ],
);
