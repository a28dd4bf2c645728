//! Made-up venues, organizers, categories and tags.

use std::collections::{HashMap, HashSet};

use anyhow::Context;
use domain::{
    Category, CategoryId, Entry, Kind, Language, Organizer, OrganizerDetails, Record, Status, Tag,
    UserId, Venue, VenueDetails, entry::Details, geo::Position, slug::Slug, text::Title,
    time::Timestamp, translation::Translation,
};

use super::{
    cities::{CITIES, City},
    random::Random,
    texts::{Writer, rich, website},
    words::{CATEGORIES, TAGS},
};

/// What all made-up records have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct World {
    pub(super) seed: u64,
    pub(super) author: UserId,
    /// The moment around which everything lies.
    pub(super) now: Timestamp,
}

/// Slugs of one kind, each given once.
#[derive(Debug, Default)]
pub(super) struct Slugs {
    given: HashSet<Slug>,
    /// The number that was given last to a slug that several want.
    last: HashMap<Slug, u32>,
}

impl Slugs {
    /// This slug, or one with a number if it is taken.
    pub(super) fn take(&mut self, wish: Slug) -> Slug {
        if !wish.is_reserved() && self.given.insert(wish.clone()) {
            return wish;
        }
        loop {
            let last = self.last.entry(wish.clone()).or_insert(1);
            *last += 1;
            let numbered = wish.numbered(*last);
            if self.given.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

impl World {
    /// A published entry that was written some time before now.
    pub(super) fn entry<D: Details>(
        &self,
        title: Title,
        language: Language,
        details: D,
        random: &mut Random,
    ) -> Entry<D> {
        let hours = i64::try_from(random.below(24 * 700)).unwrap_or_default();
        let written = self.now.saturating_add(-3600 * (hours + 1));
        let mut entry = Entry::new(self.author, title, details, written);
        entry.language = language;
        entry.move_to(Status::Publish, written);
        entry
    }

    pub(super) fn venue(&self, number: usize, slugs: &mut Slugs) -> anyhow::Result<Venue> {
        let mut random = Random::of(self.seed, Kind::Venue, number);
        let city = venue_city(self.seed, number);
        let (latitude, longitude) = city.position;
        // Within some 20 kilometres of the middle.
        let mut near = |middle: f64| middle + (random.unit() - 0.5) * 0.36;
        let position = Position::new(near(latitude), near(longitude)).context("a made-up place")?;
        let mut writer = Writer::new(city.language, city, &mut random);
        let title = writer.venue()?;
        let mut details = VenueDetails {
            address: writer.address(),
            city: city.name.to_owned(),
            country: city.country.to_owned(),
            position: Some(position),
            ..VenueDetails::default()
        };
        let description = writer.paragraphs(&[2]);
        details.zip = format!("{:05}", 10_000 + random.below(80_000));
        details.phone = format!("+{} {:07}", 20 + random.below(70), random.below(9_999_999));
        details.website = Some(website(number, 0)?);
        let region = city.region.to_owned();
        match details.region() {
            domain::translation::TextField::State => details.state = region,
            _ => details.province = region,
        }
        let derived = details.derived_stateprovince().to_owned();
        details.stateprovince = derived;
        let mut venue = self.entry(title, city.language, details, &mut random);
        venue.description = rich(&description)?;
        venue.slug = Some(slugs.take(venue.slug_from_title()));
        Ok(venue)
    }

    pub(super) fn organizer(&self, number: usize, slugs: &mut Slugs) -> anyhow::Result<Organizer> {
        let mut random = Random::of(self.seed, Kind::Organizer, number);
        let city = &CITIES[random.skewed(CITIES.len())];
        let mut writer = Writer::new(city.language, city, &mut random);
        let (title, description) = (writer.host()?, writer.paragraphs(&[2]));
        let details = OrganizerDetails {
            phone: format!("+{} {:07}", 20 + random.below(70), random.below(9_999_999)),
            website: Some(website(number, 1)?),
            email: format!("office{number}@example.org"),
        };
        let mut organizer = self.entry(title, city.language, details, &mut random);
        organizer.description = rich(&description)?;
        organizer.slug = Some(slugs.take(organizer.slug_from_title()));
        Ok(organizer)
    }
}

/// The town of a venue, which its events must know too.
pub(super) fn venue_city(seed: u64, number: usize) -> &'static City {
    let mut random = Random::of(seed ^ 0x63_69_74_79, Kind::Venue, number);
    &CITIES[random.skewed(CITIES.len())]
}

/// The categories at the top.
pub(super) fn top_categories(slugs: &mut Slugs) -> anyhow::Result<Vec<Category>> {
    let names = CATEGORIES.iter().map(|(name, _)| name);
    names.map(|name| category(name, None, slugs)).collect()
}

/// Those below them.
pub(super) fn sub_categories(
    top: &[CategoryId],
    slugs: &mut Slugs,
) -> anyhow::Result<Vec<Category>> {
    let mut all = Vec::new();
    for ((_, names), parent) in CATEGORIES.iter().zip(top) {
        for name in *names {
            all.push(category(name, Some(*parent), slugs)?);
        }
    }
    Ok(all)
}

fn category(name: &str, parent: Option<CategoryId>, slugs: &mut Slugs) -> anyhow::Result<Category> {
    let name = Title::parse(name).context("a made-up name")?;
    let slug = slugs.take(Category::slug_from(&name));
    let mut category = Category::new(name, slug);
    category.parent = parent;
    Ok(category)
}

/// The tags; a few have a French name.
pub(super) fn tags(slugs: &mut Slugs) -> anyhow::Result<Vec<Tag>> {
    let (first, second) = TAGS;
    let mut all = Vec::with_capacity(first.len() * second.len());
    for two in second {
        for one in first {
            let name = Title::parse(&format!("{one} {two}")).context("a made-up name")?;
            let slug = slugs.take(Tag::slug_from(&name));
            let mut tag = Tag::new(name, slug);
            if all.len() % 20 == 3 {
                let title = Title::parse(&format!("{one} {two} (fr)")).context("a made-up name")?;
                let french = Translation {
                    title: Some(title),
                    ..Translation::default()
                };
                tag.translations_mut().put(Language::French, french);
            }
            all.push(tag);
        }
    }
    Ok(all)
}
