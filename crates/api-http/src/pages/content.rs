//! What a page holds, and its template.

use askama::Template;
use domain::{
    Language,
    image::{Image, SizeName},
};

use super::words::{Word, direction, own_name};
use crate::site::Site;

/// A page, ready to be written.
#[derive(Debug, Template)]
#[template(path = "page.html")]
pub(super) struct Page {
    pub(super) head: Head,
    pub(super) body: Content,
}

impl Page {
    /// A word of the page's own, in its language.
    fn say(&self, word: Word) -> &'static str {
        word.text(self.head.language)
    }

    fn direction(&self) -> &'static str {
        direction(self.head.language)
    }
}

/// What a page says of itself to machines, and what all pages share.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) language: Language,
    /// The name of the site.
    pub(super) site: String,
    /// The path of the stylesheet.
    pub(super) style: String,
    /// The path of the icon.
    pub(super) icon: String,
    /// The address of the first page of all.
    pub(super) home: String,
    /// The one address of the page; none for errors.
    pub(super) canonical: Option<String>,
    /// The address of the page in each language.
    pub(super) languages: Vec<InLanguage>,
    /// The address of the page in the language of the site.
    pub(super) default_language: Option<String>,
    /// The address of the same in JSON.
    pub(super) json: Option<String>,
    /// What it is about, in a sentence.
    pub(super) summary: String,
    /// The address of a picture of it.
    pub(super) picture: Option<String>,
    /// What search engines are told, as JSON that is safe within HTML.
    pub(super) structured: Option<String>,
}

/// A page in a language.
#[derive(Debug)]
pub(super) struct InLanguage {
    pub(super) language: Language,
    /// What its speakers call it.
    pub(super) name: &'static str,
    /// The address of the page in this language.
    pub(super) url: String,
    /// The address by which search engines know that page.
    pub(super) canonical: String,
    /// Whether the texts of the page are in this language, too, and not its words alone.
    pub(super) has_texts: bool,
}

impl InLanguage {
    pub(super) fn new(language: Language, url: String, has_texts: bool) -> Self {
        Self {
            language,
            name: own_name(language),
            canonical: url.clone(),
            url,
            has_texts,
        }
    }
}

/// What people read.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// What kind of record it is.
    pub(super) kind: Option<&'static str>,
    pub(super) title: String,
    /// The language of title and description, where it is not that of the page.
    pub(super) language: Option<Language>,
    /// HTML.
    pub(super) when: Option<String>,
    /// The name of the time zone, where it says more than the time does.
    pub(super) zone: Option<String>,
    pub(super) notes: Vec<&'static str>,
    pub(super) picture: Option<Picture>,
    pub(super) facts: Vec<Fact>,
    /// Filtered HTML.
    pub(super) description: String,
    /// What is below it, under a heading.
    pub(super) children: Option<(&'static str, Vec<Link>)>,
    pub(super) events: Option<Events>,
}

/// A picture, in the size in which a page shows it.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) url: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Picture {
    /// That of an image: the large size, if it was made.
    pub(super) fn of(image: &Image, site: &Site) -> Self {
        let large = image.sizes.iter().find(|size| size.name == SizeName::Large);
        let (path, dimensions) = match large {
            Some(smaller) => (image.size_path(smaller), smaller.dimensions),
            None => (image.path(), image.dimensions),
        };
        Self {
            url: site.file(&path),
            width: dimensions.width(),
            height: dimensions.height(),
        }
    }
}

/// Something that is known of a record, under a label.
#[derive(Debug)]
pub(super) struct Fact {
    pub(super) label: &'static str,
    pub(super) lines: Vec<Value>,
    /// Categories or tags, side by side.
    pub(super) terms: Vec<Link>,
}

/// A line of a fact.
#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    Link(Link),
}

/// A link with its text.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) url: String,
    pub(super) text: String,
}

/// A list of events.
#[derive(Debug)]
pub(super) struct Events {
    /// None where the title of the page says it.
    pub(super) heading: Option<&'static str>,
    pub(super) days: Vec<Day>,
    pub(super) pager: Option<Pager>,
}

/// Events under a heading: those of a day, or those that have begun.
#[derive(Debug)]
pub(super) struct Day {
    /// HTML.
    pub(super) heading: String,
    pub(super) items: Vec<Item>,
}

/// An event in a list.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) title: Link,
    /// HTML.
    pub(super) when: String,
    pub(super) place: String,
    pub(super) categories: Vec<String>,
}

/// The way to the pages before and after.
#[derive(Debug)]
pub(super) struct Pager {
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
    pub(super) position: String,
}

impl Content {
    /// Adds what is known under a label, if anything is.
    pub(super) fn fact(&mut self, label: &'static str, lines: impl IntoIterator<Item = Value>) {
        let lines: Vec<_> = lines.into_iter().collect();
        if !lines.is_empty() {
            self.facts.push(Fact {
                label,
                lines,
                terms: Vec::new(),
            });
        }
    }

    /// Adds categories or tags, if there are any.
    pub(super) fn terms(&mut self, label: &'static str, terms: impl Iterator<Item = Link>) {
        let terms: Vec<_> = terms.collect();
        if !terms.is_empty() {
            self.facts.push(Fact {
                label,
                lines: Vec::new(),
                terms,
            });
        }
    }
}

impl Value {
    /// A text, if there is one.
    pub(super) fn text(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::Text(text.to_owned()))
    }

    pub(super) fn link(url: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Link(Link {
            url: url.into(),
            text: text.into(),
        })
    }
}
