//! A value set through a builder is the value of the stored record.

use std::sync::atomic::{AtomicU32, Ordering};

use domain::{
    Category, Event, Language, Organizer, Record, Secret, Stage, Status, Stored, Tag, Venue,
    cost::{Cost, Currency},
    event::OverrideField,
    geo::Position,
    policy::Caller,
    recurrence::RecurrenceParts,
    slug::Slug,
    text::Title,
    ticket::{OnSale, Ticket},
    web_url::WebUrl,
};

use super::{
    super::{
        CategoryUpdate, DeleteOptions, EventUpdate, NewCategory, NewEvent, NewOrganizer, NewTag,
        NewVenue, OrganizerUpdate, PlaceLink, ReadOptions, TagUpdate, VenueUpdate,
    },
    World, noon, title,
};
use crate::{
    calendar::Precondition,
    error::AppError,
    event::Scope,
    ports::Repositories,
    test_support::{at, category, in_unit, organizer, venue},
};

/// A setter has its effect in a new record and in an update, and the effect is not the default.
macro_rules! sets {
    ($world:ident, $kind:ty, $new:expr, $update:ident, [$($setter:tt)+], |$made:ident| $holds:expr) => {
        let (set, holds) = (stringify!($($setter)+), |$made: &Stored<$kind>| $holds);
        let bare = $world.create(&$new.build()).await;
        assert!(!holds(&bare), "by default {set}");
        let created = $world.create(&$new $($setter)+.build()).await;
        assert!(holds(&created), "new {set}: {created:?}");
        let updated = $world.update(bare.id, &$update::builder() $($setter)+.build()).await;
        assert!(holds(&updated), "update {set}: {updated:?}");
    };
}

/// An update changes what the setters of the new record made.
macro_rules! changes {
    ($world:ident, $kind:ty, $new:expr, $update:ident, [$($setter:tt)+], |$made:ident| $holds:expr) => {
        let (set, holds) = (stringify!($($setter)+), |$made: &Stored<$kind>| $holds);
        let made = $world.create(&$new.build()).await;
        assert!(!holds(&made), "before {set}");
        let updated = $world.update(made.id, &$update::builder() $($setter)+.build()).await;
        assert!(holds(&updated), "{set}: {updated:?}");
    };
}

/// The setters that events, venues and organizers share.
macro_rules! sets_entry_fields {
    ($world:ident, $kind:ty, $new:expr, $update:ident) => {
        let chosen = at("2029-12-24 18:00:00");
        let image = $world.image.clone();
        let own = format!("http://localhost/media/{}", image.path().as_str());
        let own: WebUrl = own.parse().unwrap();
        let boots = "<p>Bring <b>boots</b>.</p>";
        sets!($world, $kind, $new, $update, [.author($world.other)], |made| made.author == $world.other);
        sets!($world, $kind, $new, $update, [.date(chosen)], |made| made.date == chosen && made.date_is_chosen);
        sets!($world, $kind, $new, $update, [.description(boots)], |made| made.description.as_str() == boots);
        changes!($world, $kind, $new.description("x"), $update, [.description("")], |made| made.description.is_empty());
        sets!($world, $kind, $new, $update, [.status(Status::Draft)], |made| made.stage == Stage::Draft);
        sets!($world, $kind, $new, $update, [.image(image.id)], |made| made.image == Some(image.id));
        sets!($world, $kind, $new, $update, [.image(own.clone())], |made| made.image == Some(image.id));
        changes!($world, $kind, $new.image(image.id), $update, [.clear_image()], |made| made.image.is_none());
        sets!($world, $kind, $new, $update, [.website(url("a"))], |made| made.details.website == Some(url("a")));
        changes!($world, $kind, $new.website(url("a")), $update, [.clear_website()], |made| made.details.website.is_none());
        changes!($world, $kind, $new, $update, [.title(title("a < b"))], |made| made.title == title("a < b"));
        sets!($world, $kind, $new.description("x"), $update, [.language(Language::French).description("y")],
            |made| made.content.clone().localized(Language::French).description.as_str() == "<p>y</p>");
        let translated = $update::builder().language(Language::French).title(title("Le titre"));
        let made = $world.create(&$new.build()).await;
        let updated = $world.update(made.id, &translated.build()).await;
        assert_eq!((in_french(&updated), &updated.title), (title("Le titre"), &made.title));
        let cleared = $update::builder().language(Language::French).clear_title();
        let updated = $world.update(made.id, &cleared.build()).await;
        assert_eq!(in_french(&updated), made.title);
    };
}

/// The setters that categories and tags share.
macro_rules! sets_term_fields {
    ($world:ident, $kind:ty, $new:expr, $update:ident) => {
        let other = || title("3 < 4, 5");
        changes!($world, $kind, $new, $update, [.name(other())], |made| made.name == other());
        sets!($world, $kind, $new, $update, [.description("<i>x</i>")], |made| made.description.as_str() == "<i>x</i>");
        let translated = || $update::builder().language(Language::French);
        let made = $world.create(&$new.slug(slug("the-slug")).build()).await;
        assert_eq!(made.slug, slug("the-slug"));
        let updated = $world.update(made.id, &$update::builder().slug(slug("another")).build()).await;
        assert_eq!(updated.slug, slug("another"));
        let french = translated().name(title("Le titre")).slug(slug("titre-fr"));
        let updated = $world.update(made.id, &french.build()).await;
        assert_eq!((in_french(&updated), &updated.name), (title("Le titre"), &made.name));
        assert!(updated.slugs().any(|(_, one)| *one == slug("titre-fr")));
        let updated = $world.update(made.id, &translated().clear_slug().build()).await;
        assert!(!updated.slugs().any(|(_, one)| *one == slug("titre-fr")));
        let updated = $world.update(made.id, &translated().clear_name().build()).await;
        assert_eq!(in_french(&updated), made.name);
    };
}

/// A name that no other record has.
fn name() -> Title {
    static NAMES: AtomicU32 = AtomicU32::new(1);
    title(&format!("Name {}", NAMES.fetch_add(1, Ordering::Relaxed)))
}

fn url(path: &str) -> WebUrl {
    format!("https://cal.example/{path}").parse().unwrap()
}

fn slug(text: &str) -> Slug {
    Slug::normalize(text).unwrap()
}

fn in_french<R: Record>(record: &Stored<R>) -> Title {
    let french = record.content.clone().localized(Language::French);
    french.title().clone()
}

fn euros() -> Currency {
    "EUR".parse().unwrap()
}

#[tokio::test]
async fn of_organizers() {
    let world = World::new().await;
    let new = || NewOrganizer::builder(name());
    sets_entry_fields!(world, Organizer, new(), OrganizerUpdate);
    sets!(world, Organizer, new(), OrganizerUpdate, [.phone("+33 1")], |made| made.details.phone == "+33 1");
    sets!(world, Organizer, new(), OrganizerUpdate, [.email("a@b.example")], |made| made.details.email == "a@b.example");
    changes!(world, Organizer, new().phone("1"), OrganizerUpdate, [.phone("")], |made| made.details.phone.is_empty());
}

#[tokio::test]
async fn of_venues() {
    let world = World::new().await;
    let new = || NewVenue::builder(name());
    sets_entry_fields!(world, Venue, new(), VenueUpdate);
    sets!(world, Venue, new(), VenueUpdate, [.address("1 rue A > B")], |made| made.details.address == "1 rue A > B");
    sets!(world, Venue, new(), VenueUpdate, [.city("Lyon")], |made| made.details.city == "Lyon");
    sets!(world, Venue, new(), VenueUpdate, [.country("France")], |made| made.details.country == "France");
    sets!(world, Venue, new(), VenueUpdate, [.province("ARA")], |made| made.details.province == "ARA");
    sets!(world, Venue, new(), VenueUpdate, [.state("TX")], |made| made.details.state == "TX");
    sets!(world, Venue, new(), VenueUpdate, [.stateprovince("NY")], |made| made.details.stateprovince == "NY");
    sets!(world, Venue, new(), VenueUpdate, [.zip("69001")], |made| made.details.zip == "69001");
    sets!(world, Venue, new(), VenueUpdate, [.phone("+33 1")], |made| made.details.phone == "+33 1");
    sets!(world, Venue, new(), VenueUpdate, [.show_map(false)], |made| !made.details.show_map);
    sets!(world, Venue, new(), VenueUpdate, [.show_map_link(false)], |made| !made.details.show_map_link);
    let position = Position::new(45.764, -4.835_700_000_1).unwrap();
    sets!(world, Venue, new(), VenueUpdate, [.position(position)], |made| made.details.position == Some(position));
    changes!(world, Venue, new().position(position), VenueUpdate, [.clear_position()], |made| made.details.position.is_none());
    changes!(world, Venue, new().city("Lyon"), VenueUpdate, [.city("")], |made| made.details.city.is_empty());
}

#[tokio::test]
async fn of_categories() {
    let world = World::new().await;
    let new = || NewCategory::builder(name());
    let top = world.create(&new().build()).await.id;
    sets_term_fields!(world, Category, new(), CategoryUpdate);
    sets!(world, Category, new(), CategoryUpdate, [.parent(top)], |made| made.parent == Some(top));
    changes!(world, Category, new().parent(top), CategoryUpdate, [.clear_parent()], |made| made.parent.is_none());
}

#[tokio::test]
async fn of_tags() {
    let world = World::new().await;
    let new = || NewTag::builder(name());
    sets_term_fields!(world, Tag, new(), TagUpdate);
}

#[tokio::test]
async fn of_events() {
    let world = World::new().await;
    let new = || NewEvent::builder(name(), noon());
    sets_entry_fields!(world, Event, new(), EventUpdate);
    sets!(world, Event, new(), EventUpdate, [.excerpt("<p>x</p>")], |made| made.excerpt.as_str() == "<p>x</p>");
    changes!(world, Event, new().excerpt("x"), EventUpdate, [.excerpt("")], |made| made.excerpt.is_empty());
    for cost in [
        "15,50 – 20 €",
        "1.234",
        "free; donation",
        "kr. 5",
        "<x> 1.000,000",
    ] {
        let cost = Cost::parse(&[cost]).unwrap();
        sets!(world, Event, new(), EventUpdate, [.cost(cost.clone())], |made| made.details.cost == cost);
        changes!(world, Event, new().cost(cost.clone()), EventUpdate, [.cost(Cost::default())], |made| made.details.cost.is_none());
    }
    sets!(world, Event, new(), EventUpdate, [.currency(euros())], |made| made.details.currency == Some(euros()));
    changes!(world, Event, new().currency(euros()), EventUpdate, [.clear_currency()], |made| made.details.currency.is_none());
    sets!(world, Event, new(), EventUpdate, [.hide_from_listings(true)], |made| made.details.hide_from_listings);
    sets!(world, Event, new(), EventUpdate, [.cancelled(true)], |made| made.details.cancelled);
    sets!(world, Event, new(), EventUpdate, [.sticky(true)], |made| made.details.sticky);
    sets!(world, Event, new(), EventUpdate, [.featured(true)], |made| made.details.featured);
    sets!(world, Event, new(), EventUpdate, [.show_map(true)], |made| made.details.show_map);
    sets!(world, Event, new(), EventUpdate, [.show_map_link(true)], |made| made.details.show_map_link);
    let parent = world.event("Parent").await.id;
    sets!(world, Event, new(), EventUpdate, [.parent(parent)], |made| made.details.parent == Some(parent));
    changes!(world, Event, new().parent(parent), EventUpdate, [.clear_parent()], |made| made.details.parent.is_none());
    let made = world.create(&new().slug(slug("chosen")).build()).await;
    assert_eq!(made.slug, Some(slug("chosen")));
    let french = || EventUpdate::builder().language(Language::French);
    let updated = world
        .update(made.id, &french().slug(slug("choisi")).build())
        .await;
    assert!(updated.slugs().any(|(_, one)| *one == slug("choisi")));
    let updated = world.update(made.id, &french().clear_slug().build()).await;
    assert!(!updated.slugs().any(|(_, one)| *one == slug("choisi")));
    assert_eq!(updated.slug, Some(slug("chosen")));
    Box::pin(sets_links(&world)).await;
    Box::pin(sets_tickets(&world)).await;
    Box::pin(sets_recurrence(&world)).await;
    Box::pin(changes_series(&world)).await;
}

fn weekly(count: u16, deleted: &[&str]) -> RecurrenceParts {
    RecurrenceParts {
        rule: format!("FREQ=WEEKLY;COUNT={count}").parse().ok(),
        extra: vec!["2031-01-01T12:00:00".parse().unwrap()],
        deleted: deleted.iter().map(|date| date.parse().unwrap()).collect(),
    }
}

async fn sets_recurrence(world: &World) {
    let new = || NewEvent::builder(name(), noon());
    let lines = |made: &Stored<Event>| made.series().map(|series| series.recurrence.lines());
    let expected = [
        "RRULE:FREQ=WEEKLY;COUNT=3",
        "RDATE:20310101T120000Z",
        "EXDATE:20300608T120000Z",
    ];
    let expected = || Some(expected.map(str::to_owned).to_vec());
    let three = || weekly(3, &["2030-06-08"]);
    sets!(world, Event, new(), EventUpdate, [.recurrence(three())], |made| lines(made) == expected());
    changes!(world, Event, new().recurrence(three()), EventUpdate, [.stop_repeating()], |made| lines(made).is_none());
    let dates = RecurrenceParts {
        rule: None,
        ..three()
    };
    changes!(world, Event, new().recurrence(three()), EventUpdate, [.recurrence(dates.clone())],
        |made| lines(made).is_some_and(|lines| lines[0].starts_with("RDATE")));
}

async fn changes_series(world: &World) {
    let update = EventUpdate::builder;
    let new = NewEvent::builder(name(), noon()).recurrence(weekly(4, &[]));
    let series = world.create(&new.build()).await;
    let stored = world.store.occurrences();
    let stored = stored
        .of_series(series.id, &crate::ports::OccurrenceFilter::default())
        .await
        .unwrap();
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|index| stored[index].id);
    let own = |event: &Stored<Event>| event.occurrence().unwrap().overridden.names();

    let named = update().title(title("Own")).featured(true).build();
    assert_eq!(
        own(&world.update(first, &named).await),
        ["title", "featured"]
    );
    let reset = update().reset([OverrideField::Title]).build();
    assert_eq!(own(&world.update(first, &reset).await), ["featured"]);
    let reset = update().reset_all().build();
    assert!(own(&world.update(first, &reset).await).is_empty());

    world.update(second, &named).await;
    let all = update().scope(Scope::All).title(title("All")).build();
    let changed = world.update(first, &all).await;
    assert_eq!(changed.title, title("All"));
    let events = world.store.events();
    let found = async |id| events.find(id).await.unwrap().unwrap();
    assert_eq!(found(second).await.title, title("Own"));
    let all = update().title(title("Each")).reset_overrides().build();
    world.update(series.id, &all).await;
    assert_eq!(found(second).await.title, title("Each"));

    world.update(fourth, &named).await;
    let shorter = update().recurrence(weekly(2, &[])).keep_orphans().build();
    let changed = world.update(series.id, &shorter).await;
    let slots: Vec<_> = changed
        .series()
        .unwrap()
        .recurrence
        .extra()
        .iter()
        .collect();
    assert_eq!(slots.len(), 2, "the fourth one and that of the input");
    assert!(events.find(third).await.unwrap().is_none());
    let alone = world.update(fourth, &update().detach().build()).await;
    assert!(alone.occurrence().is_none() && alone.title == title("Own"));

    let gone = DeleteOptions::default().scope(Scope::All);
    let (editor, any) = (world.editor, Precondition::Any);
    let deleted = world
        .calendar
        .delete::<Event>(editor, first.into(), &any, &gone);
    deleted.await.unwrap();
    assert_eq!(found(series.id).await.stage, Stage::Trashed);
}

async fn sets_links(world: &World) {
    let new = || NewEvent::builder(name(), noon());
    let (mill, club, music) = in_unit(&world.store, async |unit| {
        let mill = venue("Mill").insert(unit).await.id;
        let club = organizer("Club").insert(unit).await.id;
        (mill, club, category("Music").insert(unit).await.id)
    })
    .await;
    sets!(world, Event, new(), EventUpdate, [.venue(mill)], |made| made.details.venue == Some(mill));
    changes!(world, Event, new().venue(mill), EventUpdate, [.clear_venue()], |made| made.details.venue.is_none());
    sets!(world, Event, new(), EventUpdate, [.organizers([club])], |made| made.details.organizers == [club]);
    changes!(world, Event, new().organizers([club]), EventUpdate, [.clear_organizers()], |made| made.details.organizers.is_empty());
    let inline = NewVenue::builder(title("Barn"))
        .city("Lyon")
        .show_map(false)
        .position(Position::new(1.5, 2.5).unwrap());
    let (inline, friends) = (
        inline.build(),
        NewOrganizer::builder(title("Friends"))
            .email("a@b.example")
            .build(),
    );
    let links = [PlaceLink::from(friends), club.into()];
    let event = world
        .create(&new().venue(inline.clone()).organizers(links).build())
        .await;
    let barn = world
        .store
        .venues()
        .find(event.details.venue.unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (
            barn.title.as_str(),
            barn.details.city.as_str(),
            barn.details.show_map
        ),
        ("Barn", "Lyon", false)
    );
    assert_eq!(event.details.organizers.len(), 2);
    assert_eq!(event.details.organizers[1], club);
    let friends = world
        .store
        .organizers()
        .find(event.details.organizers[0])
        .await;
    assert_eq!(friends.unwrap().unwrap().details.email, "a@b.example");
    let again = world
        .update(
            world.event("x").await.id,
            &EventUpdate::builder().venue(inline).build(),
        )
        .await;
    assert_eq!(again.details.venue, Some(barn.id));

    sets!(world, Event, new(), EventUpdate, [.categories([music])], |made| made.details.categories == [music]);
    changes!(world, Event, new().categories([music]), EventUpdate, [.clear_categories()], |made| made.details.categories.is_empty());
    sets!(world, Event, new(), EventUpdate, [.categories([title("music")])], |made| made.details.categories == [music]);
    // Names that a list of a request would read as IDs, or as nothing.
    for text in ["2030", "1,2", ",", "a,b", "3 < 4", "<x>", "x>"] {
        let name = || [title(text)];
        let event = world
            .create(&new().categories(name()).tags(name()).build())
            .await;
        let category = world
            .store
            .categories()
            .find(event.details.categories[0])
            .await;
        assert_eq!(category.unwrap().unwrap().name, title(text));
        let tag = world.store.tags().find(event.details.tags[0]).await;
        assert_eq!(tag.unwrap().unwrap().name, title(text));
        let updated = world
            .update(
                world.event("x").await.id,
                &EventUpdate::builder().tags(name()).build(),
            )
            .await;
        assert_eq!(updated.details.tags, event.details.tags);
    }
}

async fn sets_tickets(world: &World) {
    let new = || NewEvent::builder(name(), noon());
    let (from, until) = (at("2030-01-01 10:00:00"), at("2030-05-01 00:00:00"));
    let balcony = Ticket {
        name: title("Balcony > stalls"),
        price: "12.50".parse().unwrap(),
        currency: euros(),
        url: Some(url("7")),
        on_sale: OnSale::new(Some(from), Some(until)).unwrap(),
    };
    let free = Ticket {
        price: "0".parse().unwrap(),
        url: None,
        on_sale: OnSale::default(),
        ..balcony.clone()
    };
    let tickets = [balcony.clone(), free];
    sets!(world, Event, new(), EventUpdate, [.tickets(tickets.clone())], |made| made.details.tickets == tickets);
    changes!(world, Event, new().tickets(tickets.clone()), EventUpdate, [.tickets([])], |made| made.details.tickets.is_empty());
}

#[tokio::test]
async fn of_passwords_of_events() {
    let world = World::new().await;
    let secret = || Secret::new("let me in".to_owned());
    let event = world.event("Wedding").await;
    let locked = EventUpdate::builder().password(secret()).build();
    let locked = world.update(event.id, &locked).await;
    assert!(locked.details.password.is_some());
    let made = NewEvent::builder(title("Party"), noon())
        .password(secret())
        .build();
    assert_eq!(
        world.create(&made).await.details.password,
        locked.details.password
    );
    let get = async |options: ReadOptions| {
        world
            .calendar
            .get::<Event>(Caller::Anonymous, event.id.into(), &options)
            .await
    };
    let refused = get(ReadOptions::default()).await;
    assert!(matches!(refused, Err(AppError::PasswordProtected)));
    assert!(
        get(ReadOptions::default().password(secret()))
            .await
            .unwrap()
            .open
    );
    let opened = world
        .update(event.id, &EventUpdate::builder().clear_password().build())
        .await;
    assert_eq!(opened.details.password, None);
}
