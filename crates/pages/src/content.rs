//! The content of a page, and its template.

mod frame;
pub(super) mod microformat;
mod panel;

use std::{iter, sync::Arc};

use askama::Template;
use domain::{
    Language,
    image::{Image, SizeName},
    time::NaiveDate,
};
use http_service::{
    BackForm,
    face::Face,
    response::asset::{Asset, ICON},
    site::Site,
};
use serde_json::Value as Json;

use super::{
    address::{IndexLink, ViewLink},
    assets::{SCRIPT, STYLE},
    calendar_links::{AddToCalendar, Subscription},
    files::Files,
    words::{Word, direction, locale, own_name},
};

pub(super) use frame::EmbedFrame;
use microformat::{Marked, Times};
pub(super) use panel::{Chip, Input, Panel, Select, SelectOption, Widening};

/// A page of a record or a list, ready to be rendered. Its template fills the layout, which all pages share.
#[derive(Debug, Template)]
#[template(path = "page.html")]
pub(super) struct Page {
    pub(super) head: Head,
    pub(super) body: Content,
}

impl Page {
    /// A text of the page itself, in its language.
    fn word(&self, word: Word) -> &'static str {
        self.head.word(word)
    }

    /// The ways to subscribe to the list of the page; a page in a frame has none.
    fn subscription(&self) -> Option<Subscription> {
        if self.head.frame.is_some() {
            return None;
        }
        Subscription::of(self.head.files.as_ref()?, &self.body.title)
    }
}

/// The metadata of a page, and the parts that all pages share.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) language: Language,
    /// The name of the site.
    pub(super) site: String,
    /// The face of the site.
    pub(super) face: Arc<Face>,
    /// The path of the folder of assets.
    pub(super) assets: String,
    /// The URL of the documentation of the interface.
    pub(super) documentation: String,
    /// The page on which visitors propose events, if all may.
    pub(super) propose: Option<String>,
    /// The URL of the first page of the site.
    pub(super) home: String,
    /// The canonical URL of the page; none for errors.
    pub(super) canonical: Option<String>,
    /// The page in each language.
    pub(super) languages: Vec<InLanguage>,
    /// The URL of the page in the language of the site.
    pub(super) default_language: Option<String>,
    /// The URL of the same content as JSON.
    pub(super) json: Option<String>,
    /// The same events in other formats.
    pub(super) files: Option<Files>,
    /// A summary in one sentence.
    pub(super) summary: String,
    /// The picture beside a link to the page.
    pub(super) picture: Option<Picture>,
    /// Whether no cache may store the page.
    pub(super) is_private: bool,
    /// JSON-LD for search engines, escaped for HTML.
    pub(super) structured_data: Option<String>,
    /// Links to the views of the calendar.
    pub(super) views: Vec<ViewLink>,
    /// Links to the indexes of records.
    pub(super) indexes: Vec<IndexLink>,
    /// Whether search engines leave the page out.
    pub(super) noindex: bool,
    /// Whether they follow no link that keeps the filters of the page.
    pub(super) nofollow: bool,
    /// The frame of another site that shows the page.
    pub(super) frame: Option<EmbedFrame>,
    /// The element by which other sites show the view.
    pub(super) snippet: Option<String>,
    /// Whether the response cache stores the page.
    pub(super) is_stored: bool,
}

impl Head {
    /// The stylesheets, the most specific last.
    pub(super) fn stylesheets(&self) -> impl Iterator<Item = &Asset> {
        let own = [&self.face.colour, &self.face.stylesheet];
        iter::once(&*STYLE).chain(own.into_iter().flatten())
    }

    /// The path of the script.
    pub(super) fn script(&self) -> String {
        format!("{}{}", self.assets, SCRIPT.name)
    }

    /// The attribute of a link that leads out of a frame.
    pub(super) fn target(&self) -> &'static str {
        if self.frame.is_some() {
            " target=\"_top\""
        } else {
            ""
        }
    }

    /// The path of the icon.
    pub(super) fn icon(&self) -> String {
        format!("{}{}", self.assets, ICON.name)
    }

    /// The language as Open Graph names it.
    pub(super) fn locale(&self) -> &'static str {
        locale(self.language)
    }

    /// A text of the page itself, in its language.
    pub(super) fn word(&self, word: Word) -> &'static str {
        word.text(self.language)
    }

    /// The writing direction of the page.
    pub(super) fn direction(&self) -> &'static str {
        direction(self.language)
    }
}

/// A page in a language.
#[derive(Debug)]
pub(super) struct InLanguage {
    pub(super) language: Language,
    /// The name of the language in itself.
    pub(super) name: &'static str,
    /// The canonical URL of the page in this language.
    pub(super) url: String,
    /// Whether the record has texts in this language.
    pub(super) has_texts: bool,
}

impl InLanguage {
    pub(super) fn new(language: Language, url: String, has_texts: bool) -> Self {
        Self {
            language,
            name: own_name(language),
            url,
            has_texts,
        }
    }
}

/// The visible content of a page.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// The microformat of the whole page, unless it is an event.
    pub(super) microformat: &'static str,
    /// The microformat of an event.
    pub(super) event: Option<Marked>,
    /// The form that leads from a preview back to where the event is written.
    pub(super) back: Option<BackForm>,
    /// The name of the kind of record.
    pub(super) kind: Option<&'static str>,
    pub(super) title: String,
    /// The language of title and description, if it differs from that of the page.
    pub(super) language: Option<Language>,
    /// HTML.
    pub(super) when: Option<String>,
    /// The rule of a series in words.
    pub(super) repeats: Option<String>,
    /// The name of the time zone, if it differs from its abbreviation.
    pub(super) zone: Option<String>,
    /// The start from which the event was moved, as HTML.
    pub(super) moved: Option<String>,
    /// The form for the password of a locked event.
    pub(super) unlock: Option<Unlock>,
    /// The offer of the event's tickets; `None` if it has none, is over or cancelled.
    pub(super) tickets: Option<TicketButton>,
    /// The ways to add the event to a calendar; none if it is over or cancelled.
    pub(super) add_to_calendar: Option<AddToCalendar>,
    /// Whether the event is cancelled: its title is struck through.
    pub(super) cancelled: bool,
    /// Links to other periods, on a view of one.
    pub(super) period: Option<PeriodLinks>,
    /// The form that finds events, on a list or a view.
    pub(super) finding: Option<Panel>,
    /// The URL of the list that the search box of an error leads to.
    pub(super) search: Option<String>,
    pub(super) notes: Vec<&'static str>,
    pub(super) picture: Option<Picture>,
    pub(super) facts: Vec<Fact>,
    /// Filtered HTML.
    pub(super) description: String,
    /// Links to subcategories, with their heading.
    pub(super) children: Option<(&'static str, Vec<Link>)>,
    /// Lists with different headings.
    pub(super) events: Vec<Events>,
    /// JSON-LD in place of that of the record.
    pub(super) structured_data: Option<Json>,
}

/// An image in one of its sizes.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) url: String,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The text in place of the image; empty for one that only decorates.
    pub(super) alt: String,
}

impl Picture {
    /// The large size of an image, for pages.
    pub(super) fn large(image: &Image, language: Language, site: &Site) -> Self {
        Self::sized(image, SizeName::Large, language, site)
    }

    /// The medium size of an image, for lists.
    pub(super) fn medium(image: &Image, language: Language, site: &Site) -> Self {
        Self::sized(image, SizeName::Medium, language, site)
    }

    /// An image in a size, or the original if it is no larger.
    fn sized(image: &Image, name: SizeName, language: Language, site: &Site) -> Self {
        let smaller = image.sizes.iter().find(|size| size.name == name);
        let (path, dimensions) = match smaller {
            Some(smaller) => (image.size_path(smaller), smaller.dimensions),
            None => (image.path(), image.dimensions),
        };
        Self {
            url: site.file(&path),
            width: dimensions.width(),
            height: dimensions.height(),
            alt: image.alt.shown(language).to_owned(),
        }
    }
}

/// The present offer of an event's tickets.
#[derive(Debug)]
pub(super) enum TicketButton {
    /// A link to the shop.
    Buy(Link),
    /// A sentence, if nothing is sold now.
    Note(String),
}

/// The form for the password of a locked event.
#[derive(Debug, Default)]
pub(super) struct Unlock {
    /// Whether a wrong password was sent.
    pub(super) is_wrong: bool,
}

/// A labelled field of a record.
#[derive(Debug)]
pub(super) struct Fact {
    /// Its microformat.
    pub(super) class: &'static str,
    pub(super) label: &'static str,
    pub(super) lines: Vec<Value>,
    /// Links to categories or tags.
    pub(super) terms: Vec<Link>,
}

/// A line of a fact.
#[derive(Debug)]
pub(super) struct Value {
    /// None for plain text.
    pub(super) url: Option<String>,
    /// The microformat of a link.
    pub(super) class: &'static str,
    pub(super) parts: Vec<Part>,
}

/// A part of a line, with its microformat.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) class: &'static str,
    pub(super) text: String,
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
    /// None if the title of the page is the heading.
    pub(super) heading: Option<&'static str>,
    pub(super) days: Vec<Day>,
    /// A link to the whole list.
    pub(super) all: Option<Link>,
    pub(super) pager: Option<Pager>,
}

/// The events of a day, or the ongoing events, with a heading.
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
    pub(super) times: Times,
    /// The start from which the event was moved, as HTML.
    pub(super) moved: Option<String>,
    /// Whether the event is cancelled: its title is struck through.
    pub(super) cancelled: bool,
    /// Whether the event stands out.
    pub(super) featured: bool,
    pub(super) picture: Option<Picture>,
    /// The venue and its city.
    pub(super) place: String,
    /// The cost, or the least price of a ticket.
    pub(super) price: String,
    /// Links to its categories.
    pub(super) categories: Vec<Link>,
}

/// Links from a view of a period to others.
#[derive(Debug)]
pub(super) struct PeriodLinks {
    pub(super) previous: Option<PeriodLink>,
    pub(super) next: Option<PeriodLink>,
    /// The URL of the view of the present period, to which the form sends a date.
    pub(super) today: String,
    /// The filters that the form keeps, by name.
    pub(super) filters: Vec<(String, String)>,
    /// The first day of the shown period.
    pub(super) date: NaiveDate,
    /// The first and the last date that the form accepts.
    pub(super) bounds: [NaiveDate; 2],
}

/// A link to a neighbouring period.
#[derive(Debug)]
pub(super) struct PeriodLink {
    pub(super) url: String,
    pub(super) text: String,
    /// Whether search engines follow the link.
    pub(super) is_followed: bool,
}

/// Links to the previous and the next page of a list.
#[derive(Debug)]
pub(super) struct Pager {
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
    pub(super) position: String,
}

impl Content {
    /// The classes of the page.
    fn classes(&self) -> &'static str {
        match self.event {
            Some(_) => "h-event",
            None => self.microformat,
        }
    }

    /// The form, if filters stand in the title.
    fn filtered(&self) -> Option<&Panel> {
        let form = self.finding.as_ref();
        form.filter(|form| !form.names.is_empty())
    }

    /// Adds a labelled field, unless it is empty.
    pub(super) fn fact(&mut self, label: &'static str, lines: impl IntoIterator<Item = Value>) {
        self.marked_fact(label, "", lines);
    }

    /// Adds a labelled field with a microformat, unless it is empty.
    pub(super) fn marked_fact(
        &mut self,
        label: &'static str,
        class: &'static str,
        lines: impl IntoIterator<Item = Value>,
    ) {
        let lines: Vec<_> = lines.into_iter().collect();
        if !lines.is_empty() {
            self.facts.push(Fact {
                class,
                label,
                lines,
                terms: Vec::new(),
            });
        }
    }

    /// Adds links to categories or tags, unless there are none.
    pub(super) fn terms(&mut self, label: &'static str, terms: impl Iterator<Item = Link>) {
        let terms: Vec<_> = terms.collect();
        if !terms.is_empty() {
            self.facts.push(Fact {
                class: "",
                label,
                lines: Vec::new(),
                terms,
            });
        }
    }
}

impl Value {
    /// A text, unless it is empty.
    pub(super) fn text(text: &str) -> Option<Self> {
        Self::line([("", text)])
    }

    /// The parts of a line that are not empty, each with its microformat; none if all are empty.
    pub(super) fn line<'a>(
        parts: impl IntoIterator<Item = (&'static str, &'a str)>,
    ) -> Option<Self> {
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let parts: Vec<_> = parts.map(|(class, text)| Part::new(class, text)).collect();
        (!parts.is_empty()).then_some(Self {
            url: None,
            class: "",
            parts,
        })
    }

    pub(super) fn link(url: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            url: Some(url.into()),
            class: "",
            parts: vec![Part::new("", text)],
        }
    }

    /// The same line with a microformat.
    pub(super) fn marked(self, class: &'static str) -> Self {
        Self { class, ..self }
    }
}

impl Part {
    fn new(class: &'static str, text: impl Into<String>) -> Self {
        Self {
            class,
            text: text.into(),
        }
    }
}
