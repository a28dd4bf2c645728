//! Every field of every kind comes back as it was stored.

use std::{collections::BTreeMap, marker::PhantomData};

use app::{
    ports::{SlugRequests, Store},
    test_support::{at, category, event, organizer, venue},
};
use domain::{
    Category, Entry, Event, Id, ImageId, Language, Organizer, OrganizerDetails, Record, Role,
    Stage, Stored, Tag, Term, TextField, Translation, Translations, User, UserId, Venue,
    VenueDetails,
    cost::{Cost, Currency},
    entry::PasswordHash,
    event::{EventDetails, Rescheduling},
    geo::Position,
    html::RichText,
    term::Taxonomy,
    text::Title,
    ticket::{OnSale, Price, Ticket},
    time::{EventTime, Timestamp, Zone, parse_civil, parse_date},
    web_url::WebUrl,
};

use crate::sample::{Links, Sample, add, change, found, in_unit, slug, user_id};

/// One-line texts with characters that a store might change.
const LINES: [&str; 8] = [
    "O'Neil's \"Bar\" & <Grill>; DROP TABLE event; --",
    "مهرجان الموسيقى",
    "🎉 party 👩‍👩‍👧‍👦",
    "100% _x_ \\ back\\slash ? $1 :name {0}",
    "東京 ﬁ e\u{301} é",
    "null",
    "0",
    "  inner   blanks",
];

fn title(text: &str) -> Title {
    text.parse::<Title>().unwrap()
}

/// Formatted text of several paragraphs around a line.
fn rich(text: &str) -> RichText {
    let raw =
        format!("{text}\n\nline 1\nline 2\n<pre>\n  a\tb\n</pre><a href=\"/x?a=1&b=2\">é</a>");
    RichText::parse(&raw).unwrap()
}

fn url(text: &str) -> WebUrl {
    text.parse::<WebUrl>().unwrap()
}

/// Translations from a language, each with some texts and without slugs.
fn translations(from: Language, n: usize, of_entry: bool) -> Translations {
    let others = Language::ALL.into_iter().filter(|other| *other != from);
    let some = |bit: usize, offset: usize| {
        let line = LINES[(n + offset) % LINES.len()];
        (n >> bit & 1 == 0).then_some(line)
    };
    others
        .take(n % 3)
        .map(|language| {
            let translation = Translation {
                title: some(0, 1).map(title),
                slug: None,
                former_slug: some(1, 0).filter(|_| of_entry).map(slug),
                description: some(2, 2).map(rich),
                excerpt: some(0, 3).filter(|_| of_entry).map(rich),
                text_fields: BTreeMap::new(),
            };
            (language, translation)
        })
        .collect()
}

/// Stores each record, changes one record into each in turn, and compares what is read.
async fn check<R: Sample>(store: &dyn Store, records: Vec<R>) {
    let mut all = Vec::new();
    for (n, content) in records.iter().enumerate() {
        let text = format!("slug-{n}");
        let stored = add(store, content.clone(), &text).await;
        assert_eq!(stored.content, content.clone().with_slug(Some(&slug(&text))));
        assert_eq!(found(store, stored.id).await.as_ref(), Some(&stored));
        all.push(stored);
    }
    let ids: Vec<_> = all.iter().map(|record| record.id).collect();
    let many = R::repository(store.repositories()).find_many(&ids).await.unwrap();
    assert_eq!(many, all);

    let mut record = all[0].clone();
    for content in records.into_iter().rev() {
        let content = content.in_place_of(&record.content).with_slug(record.slug());
        let after = change(store, &record, content.clone(), None).await;
        assert_eq!(after.content, content);
        assert_eq!(found(store, record.id).await.as_ref(), Some(&after));
        record = after;
    }
    // The other records are unchanged.
    let many = R::repository(store.repositories()).find_many(&ids).await.unwrap();
    assert_eq!(many[0], record);
    assert_eq!(many[1..], all[1..]);
}

/// Entries that cover every kind of value in the shared fields.
fn entries<D: Clone>(usual: &Entry<D>) -> Vec<Entry<D>> {
    let mut entries = vec![usual.clone()];
    let stages = [Stage::Draft, Stage::Pending, Stage::Private, Stage::Trashed, Stage::Published];
    for (n, line) in LINES.into_iter().enumerate() {
        entries.push(Entry {
            author: user_id(n % 2 + 1),
            stage: stages[n % stages.len()],
            date: at("2031-02-03 04:05:06"),
            date_is_chosen: n.is_multiple_of(2),
            published_at: Some(at("2032-03-04 05:06:07")),
            modified: at("2033-04-05 06:07:08"),
            language: Language::ALL[n % 3],
            translations: translations(Language::ALL[n % 3], n, true),
            title: title(line),
            slug: None,
            former_slug: Some(slug("former")),
            description: rich(line),
            excerpt: rich(LINES[(n + 1) % LINES.len()]),
            image: Some(ImageId::from_raw(77)),
            details: usual.details.clone(),
        });
    }
    entries.push(Entry {
        date: Timestamp::MIN,
        published_at: Some(Timestamp::MAX),
        modified: Timestamp::MAX,
        title: title(&"é".repeat(Title::MAX_CHARS)),
        description: RichText::parse(&"word ".repeat(20_000)).unwrap(),
        former_slug: Some(slug("مهرجان__trashed")),
        image: Some(ImageId::from_raw(i64::MAX)),
        ..usual.clone()
    });
    entries.push(Entry {
        stage: Stage::Draft,
        date: Timestamp::MAX,
        published_at: None,
        modified: Timestamp::MIN,
        former_slug: None,
        description: RichText::default(),
        excerpt: RichText::default(),
        image: None,
        ..usual.clone()
    });
    entries
}

/// Gives each entry the details that `details` returns for its index.
fn with_details<D>(entries: Vec<Entry<D>>, details: impl Fn(usize) -> D) -> Vec<Entry<D>> {
    let numbered = entries.into_iter().enumerate();
    numbered.map(|(n, entry)| Entry { details: details(n), ..entry }).collect()
}

/// Some of three IDs, in an order other than ascending.
fn shuffled<R>(of: &[Id<R>], n: usize) -> Vec<Id<R>> {
    [vec![of[2], of[0], of[1]], vec![], vec![of[1], of[2]], vec![of[1]]][n % 4].clone()
}

/// Times in every kind of zone, including both readings of an hour that clocks repeat.
fn times() -> Vec<EventTime> {
    let civil = |text| parse_civil(text).unwrap();
    let whole = |zone: &str, start, end, all_day| {
        EventTime::new(zone.parse::<Zone>().unwrap(), civil(start), civil(end), all_day).unwrap()
    };
    let new_york = "America/New_York".parse::<Zone>().unwrap();
    let twice = |start, end| {
        let moment = |text| parse_date(text, &new_york, at("2027-01-01 00:00:00")).unwrap();
        EventTime::between(new_york.clone(), moment(start), moment(end), false).unwrap()
    };
    vec![
        whole("UTC", "2030-06-01 10:00:00", "2030-06-01 12:00:00", false),
        whole("Asia/Kathmandu", "2030-06-01 23:59:59", "2031-01-01 00:00:00", false),
        whole("Europe/Paris", "2030-03-31 00:00:00", "2030-03-31 00:00:00", true),
        twice("2027-11-07T05:30:00Z", "2027-11-07T05:30:00Z"),
        twice("2027-11-07T05:30:00Z", "2027-11-07T06:30:00Z"),
        twice("2027-11-07T06:30:00Z", "2027-11-07T06:30:00Z"),
        whole("America/New_York", "2027-03-14 02:30:00", "2027-03-14 03:30:00", false),
        whole("UTC+5.5", "0001-01-02 00:00:00", "9999-12-30 23:59:59", false),
        whole("-03:30", "1969-12-31 23:59:59", "1970-01-01 00:00:01", false),
        whole("utc-5", "2030-06-01 10:00:00", "2030-06-03 10:00:00", true),
    ]
}

/// Prices in common spellings.
const COSTS: [&[&str]; 7] = [
    &[],
    &["0"],
    &["10-20 €", "USD 5"],
    &["donation", "10 € at the door; \"quoted\", with comma"],
    &["1,234.56"],
    &["مجاني"],
    &["free"],
];

fn currency(code: &str) -> Currency {
    code.parse::<Currency>().unwrap()
}

/// None, one, or some tickets, in an order other than by name.
fn tickets(n: usize) -> Vec<Ticket> {
    let ticket = |m: usize| Ticket {
        name: title(LINES[LINES.len() - 1 - m % LINES.len()]),
        price: ["0", "12.50", "99999999999.9999", "7.0"][m % 4].parse::<Price>().unwrap(),
        currency: currency(["EUR", "BHD"][m % 2]),
        url: [None, Some(url("https://tickets.example/?a=1&b='2'"))][m % 2].clone(),
        on_sale: [
            OnSale::default(),
            OnSale::new(Some(Timestamp::MIN), Some(Timestamp::MAX)).unwrap(),
            OnSale::new(Some(at("2031-02-03 04:05:06")), None).unwrap(),
        ][m % 3],
    };
    (0..[0, 1, 5, 0, 100][n % 5]).map(ticket).collect()
}

/// Events.
pub async fn events(store: &dyn Store) {
    let links = in_unit(store, async |to| Links::add(to, &["A", "B", "C"]).await).await;
    let parent = add(store, event("Parent").build(), "parent").await.id;
    let times = times();
    let currencies = [None, Some("EUR"), Some("JPY")];
    let details = |n: usize| EventDetails {
        uid: format!("{n}-é🎉@\"calendar\".example"),
        sequence: [0, 1, i64::MAX][n % 3],
        when: times[n % times.len()].clone(),
        rescheduling: [
            None,
            Some((Timestamp::MIN, Timestamp::MAX)),
            Some((at("2031-02-03 04:05:06"), Timestamp::MIN)),
        ][n % 3]
            .map(|(previous_start, moved)| Rescheduling { previous_start, moved }),
        repetition: domain::event::Repetition::Once,
        cancelled: n % 4 == 1,
        cost: Cost::parse(COSTS[n % COSTS.len()]).unwrap(),
        currency: currencies[n % 3].map(currency),
        tickets: tickets(n),
        website: [None, Some(url("https://a.example/x?a=1&b='2'#c"))][n % 2].clone(),
        show_map: n.is_multiple_of(2),
        show_map_link: n.is_multiple_of(3),
        hide_from_listings: n % 2 == 1,
        sticky: n % 3 == 1,
        featured: n % 5 == 1,
        categories: shuffled(&links.categories, n),
        tags: shuffled(&links.tags, n + 1),
        venue: [Some(links.venues[1]), None, Some(links.venues[2])][n % 3],
        organizers: shuffled(&links.organizers, n + 2),
        parent: [Some(parent), None][n % 2],
        password: [None, Some(PasswordHash::from_stored("5f'00".to_owned()))][n % 2].clone(),
    };
    let usual: Event = event("Usual").build();
    check(store, with_details(entries(&usual), details)).await;
    // All flags together, and each by itself.
    let full = Entry {
        details: EventDetails {
            uid: "full".to_owned(),
            categories: shuffled(&links.categories, 0),
            tags: shuffled(&links.tags, 0),
            organizers: shuffled(&links.organizers, 0),
            ..details(14)
        },
        ..usual
    };
    let flags: [fn(&mut EventDetails) -> &mut bool; 6] = [
        |details| &mut details.cancelled,
        |details| &mut details.show_map,
        |details| &mut details.show_map_link,
        |details| &mut details.hide_from_listings,
        |details| &mut details.sticky,
        |details| &mut details.featured,
    ];
    let mut flagged = vec![full.clone()];
    for flag in flags {
        let mut one = full.clone();
        for flag in flags {
            *flag(&mut one.details) = false;
        }
        *flag(&mut one.details) = true;
        one.details.uid = format!("flag-{}", flagged.len());
        flagged.push(one);
    }
    let unit = store.begin().await.unwrap();
    for content in flagged {
        let stored = unit.events().insert(content.clone(), SlugRequests::default()).await.unwrap();
        assert_eq!(stored.content, content);
        assert_eq!(unit.events().find(stored.id).await.unwrap(), Some(stored));
    }
    unit.commit().await.unwrap();
}

/// Venues.
pub async fn venues(store: &dyn Store) {
    let line = |n: usize| LINES[n % LINES.len()].to_owned();
    let position = |latitude, longitude| Some(Position::new(latitude, longitude).unwrap());
    let positions = [
        None,
        position(0.1 + 0.2, -179.999_999_999_999_97),
        position(-90.0, 180.0),
        position(0.0, 0.0),
        position(48.858_370_5, 2.294_481_3),
    ];
    let details = |n: usize| {
        if n == 1 {
            return VenueDetails::default();
        }
        VenueDetails {
            address: line(n),
            city: line(n + 1),
            country: line(n + 2),
            province: line(n + 3),
            state: line(n + 4),
            stateprovince: line(n + 5),
            zip: line(n + 6),
            phone: line(n + 7),
            website: [Some(url("http://[::1]:8080/~me/{x}")), None][n % 2].clone(),
            show_map: n.is_multiple_of(2),
            show_map_link: n.is_multiple_of(3),
            position: positions[n % positions.len()],
        }
    };
    let usual: Venue = venue("Usual").build();
    let mut all = with_details(entries(&usual), details);
    for (n, venue) in all.iter_mut().enumerate() {
        let languages = venue.languages();
        for (index, language) in languages.into_iter().skip(1).enumerate() {
            let mut translation = venue.translations.take(language);
            let some = TextField::ALL.into_iter().skip(n % 3).step_by(index + 1);
            translation.text_fields = some.map(|shown| (shown, line(n + index))).collect();
            venue.translations.put(language, translation);
        }
    }
    check(store, all).await;
}

/// Organizers.
pub async fn organizers(store: &dyn Store) {
    let line = |n: usize| LINES[n % LINES.len()].to_owned();
    let details = |n: usize| {
        if n == 1 {
            return OrganizerDetails::default();
        }
        OrganizerDetails {
            phone: line(n),
            website: [Some(url("HTTPS://Example.ORG/%C3%A9")), None][n % 2].clone(),
            email: line(n + 1),
        }
    };
    let usual: Organizer = organizer("Usual").build();
    check(store, with_details(entries(&usual), details)).await;
}

/// Terms that cover every kind of value in their fields; `parents` exist.
fn all_terms<X: Taxonomy>(parents: &[Option<Id<Term<X>>>]) -> Vec<Term<X>> {
    let numbered = LINES.into_iter().enumerate();
    let mut terms: Vec<_> = numbered
        .map(|(n, line)| Term {
            language: Language::ALL[n % 3],
            translations: translations(Language::ALL[n % 3], n, false),
            name: title(line),
            slug: slug("whatever"),
            description: rich(line),
            parent: parents[n % parents.len()],
            taxonomy: PhantomData,
        })
        .collect();
    terms.push(Term::new(title("Nothing else"), slug("whatever")));
    terms
}

/// Categories.
pub async fn categories(store: &dyn Store) {
    let first: Stored<Category> = add(store, category("First").build(), "first").await;
    let below = category("Second").below(first.id).build();
    let second = add(store, below, "second").await;
    check(store, all_terms(&[Some(first.id), None, Some(second.id)])).await;
}

/// Tags.
pub async fn tags(store: &dyn Store) {
    check::<Tag>(store, all_terms(&[None])).await;
}

/// Users.
pub async fn users(store: &dyn Store) {
    let mut all = Vec::new();
    for (n, role) in Role::ALL.into_iter().enumerate() {
        let user = User {
            name: format!("Éa{n}-مهرجان🎉'\"%_").parse().unwrap(),
            email: (n % 2 == 1).then(|| format!("{n}.O'x@ärzte.example").parse().unwrap()),
            role,
            disabled: n % 3 == 1,
        };
        let stored = in_unit(store, async |to| to.users().insert(user.clone()).await);
        let stored = stored.await.unwrap().unwrap();
        assert_eq!(stored.content, user);
        assert_eq!(stored.id, UserId::from_raw(i64::try_from(n + 1).unwrap()));
        all.push(stored);
    }
    for user in &all {
        let found = store.users().find(user.id).await.unwrap();
        assert_eq!(found.as_ref(), Some(user));
    }
    assert_eq!(store.users().list().await.unwrap(), all);
    assert_eq!(store.users().find(Id::from_raw(99)).await.unwrap(), None);
}
