//! Made-up venues, organizers, categories and tags.

use anyhow::Context;
use domain::{
    Category, CategoryId, Entry, Kind, Language, Organizer, OrganizerDetails, Record, Status, Tag,
    TextField, Translation, UserId, Venue, VenueDetails, entry::Details, geo::Position,
    text::Title, time::Timestamp,
};

use crate::{
    cities::{CITIES, City},
    random::Random,
    slugs::SlugAllocator,
    texts::{TextGenerator, rich, website},
    words::{self, TAGS},
};

/// Makes the records of a calendar, each by its number.
#[derive(Debug)]
pub struct Generator {
    pub(crate) seed: u64,
    pub(crate) author: UserId,
    pub(crate) now: Timestamp,
    pub(crate) slugs: SlugAllocator,
    /// The largest distance of an event from now, in days.
    pub(crate) days: usize,
}

impl Generator {
    /// A generator of records by `author`. Events lie within five years before and after `now`; see
    /// [`Generator::over_years`].
    pub fn new(seed: u64, author: UserId, now: Timestamp) -> Self {
        Self {
            seed,
            author,
            now,
            slugs: SlugAllocator::default(),
            days: 5 * 365,
        }
    }

    /// The same generator, with events within this many years around now.
    #[must_use]
    pub fn over_years(mut self, years: usize) -> Self {
        self.days = (years * 365).div_ceil(2).max(1);
        self
    }

    /// A published entry that was written at most 700 days before now.
    pub(crate) fn entry<D: Details>(
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

    /// The venue of a number.
    ///
    /// # Errors
    ///
    /// If the domain rejects a generated value. The other methods return the same error.
    pub fn venue(&mut self, number: usize) -> anyhow::Result<Venue> {
        let mut random = Random::of(self.seed, Kind::Venue, number);
        let city = venue_city(self.seed, number);
        let (latitude, longitude) = city.position;
        // Within about 20 km of the centre.
        let mut near = |middle: f64| middle + (random.unit() - 0.5) * 0.36;
        let position = Position::new(near(latitude), near(longitude)).context("a position")?;
        let mut texts = TextGenerator::new(city.language, city, &mut random);
        let title = texts.venue()?;
        let mut details = VenueDetails {
            address: texts.address(),
            city: city.name.to_owned(),
            country: city.country.to_owned(),
            position: Some(position),
            ..VenueDetails::default()
        };
        let description = texts.paragraphs(&[2]);
        details.zip = format!("{:05}", 10_000 + random.below(80_000));
        details.phone = phone(&mut random);
        details.website = Some(website(number, 0)?);
        let region = city.region.to_owned();
        match details.region() {
            TextField::State => details.state = region,
            _ => details.province = region,
        }
        let derived = details.derived_stateprovince().to_owned();
        details.stateprovince = derived;
        let mut venue = self.entry(title, city.language, details, &mut random);
        venue.description = rich(&description)?;
        venue.slug = Some(self.slugs.take(Kind::Venue, venue.slug_from_title()));
        Ok(venue)
    }

    /// The organizer of a number.
    ///
    /// # Errors
    ///
    /// As [`Generator::venue`].
    pub fn organizer(&mut self, number: usize) -> anyhow::Result<Organizer> {
        let mut random = Random::of(self.seed, Kind::Organizer, number);
        let city = &CITIES[random.skewed(CITIES.len())];
        let mut texts = TextGenerator::new(city.language, city, &mut random);
        let (title, description) = (texts.organizer()?, texts.paragraphs(&[2]));
        let details = OrganizerDetails {
            phone: phone(&mut random),
            website: Some(website(number, 1)?),
            email: format!("office{number}@example.org"),
        };
        let mut organizer = self.entry(title, city.language, details, &mut random);
        organizer.description = rich(&description)?;
        let slug = organizer.slug_from_title();
        organizer.slug = Some(self.slugs.take(Kind::Organizer, slug));
        Ok(organizer)
    }

    /// The categories without a parent.
    ///
    /// # Errors
    ///
    /// As [`Generator::venue`].
    pub fn top_categories(&mut self) -> anyhow::Result<Vec<Category>> {
        let names = words::categories().map(|(name, _)| name);
        names.map(|name| self.category(name, None)).collect()
    }

    /// The children of the top categories, whose IDs are given in the same order.
    ///
    /// # Errors
    ///
    /// As [`Generator::venue`].
    pub fn child_categories(&mut self, top: &[CategoryId]) -> anyhow::Result<Vec<Category>> {
        let children = words::categories().zip(top);
        children
            .flat_map(|((_, names), parent)| names.map(move |name| (name, *parent)))
            .map(|(name, parent)| self.category(name, Some(parent)))
            .collect()
    }

    fn category(&mut self, name: &str, parent: Option<CategoryId>) -> anyhow::Result<Category> {
        let name = title(name)?;
        let slug = self.slugs.take(Kind::Category, Category::slug_from(&name));
        let mut category = Category::new(name, slug);
        category.parent = parent;
        Ok(category)
    }

    /// The tags. One in 20 has a French name too.
    ///
    /// # Errors
    ///
    /// As [`Generator::venue`].
    pub fn tags(&mut self) -> anyhow::Result<Vec<Tag>> {
        let (first, second) = TAGS;
        let pairs = second
            .iter()
            .flat_map(|two| first.iter().map(move |one| format!("{one} {two}")));
        pairs
            .enumerate()
            .map(|(number, pair)| {
                let name = title(&pair)?;
                let slug = self.slugs.take(Kind::Tag, Tag::slug_from(&name));
                let mut tag = Tag::new(name, slug);
                if number % 20 == 3 {
                    let french = Translation {
                        title: Some(title(&format!("{pair} (fr)"))?),
                        ..Translation::default()
                    };
                    tag.translations_mut().put(Language::French, french);
                }
                Ok(tag)
            })
            .collect()
    }
}

fn phone(random: &mut Random) -> String {
    format!("+{} {:07}", 20 + random.below(70), random.below(9_999_999))
}

fn title(text: &str) -> anyhow::Result<Title> {
    text.parse::<Title>().context("a name")
}

/// The city of a venue and of its events, from the number of the venue alone.
pub(crate) fn venue_city(seed: u64, number: usize) -> &'static City {
    let mut random = Random::of(seed ^ 0x63_69_74_79, Kind::Venue, number);
    &CITIES[random.skewed(CITIES.len())]
}
