//! Lists by filters of the domain.

use std::net::IpAddr;

use domain::{
    Event, Language, Organizer, Secret, Status,
    event::EventFilter,
    image::ImageFilter,
    page::{Page, PageRequest},
    policy::Caller,
    query::Statuses,
    search::Search,
};
use futures_util::FutureExt as _;

use super::{
    super::{DeleteOptions, EventUpdate, NewEvent, ReadOptions},
    World, noon, title,
};
use crate::{
    calendar::{Deleted, Precondition},
    error::AppError,
    event::{EventQuery, EventView},
};

const ANYBODY: Caller = Caller::Anonymous;

fn page(number: u64, per_page: u64) -> PageRequest {
    PageRequest::new(number, per_page, u32::MAX)
}

async fn query(
    world: &World,
    filter: EventFilter,
    page: PageRequest,
    options: ReadOptions,
) -> Result<Page<EventView>, AppError> {
    world
        .calendar
        .query::<Event>(ANYBODY, None, filter, page, &options)
        .await
}

fn titles(page: &Page<EventView>) -> Vec<&str> {
    page.rows
        .iter()
        .map(|view| view.event.title.as_str())
        .collect()
}

#[tokio::test]
async fn a_query_lists_what_a_request_lists() {
    let world = World::new().await;
    for name in ["One", "Two", "Three"] {
        world.event(name).await;
    }
    let draft = NewEvent::builder(title("Draft"), noon())
        .status(Status::Draft)
        .build();
    world.create(&draft).await;
    for number in [1, 2] {
        let (filter, options) = (EventFilter::default(), ReadOptions::default());
        let found = query(&world, filter, page(number, 2), options)
            .await
            .unwrap();
        let request = page(number, 2);
        let (all, options) = (EventQuery::default(), ReadOptions::default());
        let list = world
            .calendar
            .find_page::<Event>(ANYBODY, None, all, request, &options)
            .await
            .unwrap();
        let list = list.load().await.unwrap();
        assert_eq!(titles(&found), titles(&list));
        assert_eq!((found.total, found.request), (3, list.request));
    }
    let beyond = query(
        &world,
        EventFilter::default(),
        page(3, 2),
        ReadOptions::default(),
    );
    let beyond = beyond.await.err();
    assert!(matches!(
        beyond,
        Some(AppError::PageNotFound(domain::Kind::Event))
    ));
    let large = query(
        &world,
        EventFilter::default(),
        page(1, 1000),
        ReadOptions::default(),
    );
    assert_eq!(
        large.await.unwrap().request.per_page(),
        world.calendar.site().max_per_page
    );
}

#[tokio::test]
async fn a_filter_does_not_widen_what_the_caller_sees() {
    let world = World::new().await;
    let draft = NewEvent::builder(title("Draft"), noon())
        .status(Status::Draft)
        .build();
    let draft = world.create(&draft).await.id;
    for filter in [
        EventFilter {
            statuses: Statuses(Some(vec![Status::Draft])),
            ..EventFilter::default()
        },
        EventFilter {
            statuses: Statuses(Some(vec![Status::Draft])),
            include: Some(vec![draft]),
            ..EventFilter::default()
        },
    ] {
        let options = ReadOptions::default();
        let own =
            world
                .calendar
                .query::<Event>(world.editor, None, filter.clone(), page(1, 9), &options);
        assert_eq!(own.await.unwrap().total, 1);
        let found = query(&world, filter, page(1, 9), options).await.unwrap();
        assert_eq!((found.total, found.rows.len()), (0, 0));
    }
    let organizers = domain::place::PlaceFilter::default();
    let options = ReadOptions::default();
    let found = world
        .calendar
        .query::<Organizer>(ANYBODY, None, organizers, page(1, 9), &options);
    assert_eq!(found.await.unwrap().total, 0);
}

#[tokio::test]
async fn options_choose_the_language_and_open_events() {
    let world = World::new().await;
    let secret = || Secret::new("let me in".to_owned());
    let event = world.event("Wedding").await.id;
    let french = EventUpdate::builder()
        .language(Language::French)
        .title(title("Noces"));
    world.update(event, &french.build()).await;
    world
        .update(event, &EventUpdate::builder().password(secret()).build())
        .await;
    let options = ReadOptions::default()
        .language(Language::French)
        .password(secret());
    let found = query(&world, EventFilter::default(), page(1, 9), options)
        .await
        .unwrap();
    assert_eq!((titles(&found), found.rows[0].open), (vec!["Noces"], true));
    let found = query(
        &world,
        EventFilter::default(),
        page(1, 9),
        ReadOptions::default(),
    );
    let found = found.await.unwrap();
    assert_eq!(
        (titles(&found), found.rows[0].open),
        (vec!["Wedding"], false)
    );
}

#[tokio::test]
async fn a_search_waits_for_its_turn() {
    let world = World::new().await;
    world.event("River").await;
    let search = || {
        let filter = EventFilter {
            search: Search::parse("river"),
            ..EventFilter::default()
        };
        query(&world, filter, page(1, 9), ReadOptions::default())
    };
    let clients = (0..=u8::MAX).map(|number| Some(IpAddr::from([192, 0, 2, number])));
    let queue = world.calendar.search_queue();
    let turns: Vec<_> = clients
        .map_while(|client| queue.turn(client).now_or_never())
        .collect();
    assert!(!turns.is_empty());
    assert!(search().now_or_never().is_none(), "the search waits");
    let all = query(
        &world,
        EventFilter::default(),
        page(1, 9),
        ReadOptions::default(),
    );
    assert!(
        all.now_or_never().is_some(),
        "a list without search does not"
    );
    drop(turns);
    assert_eq!(search().await.unwrap().total, 1);
}

#[tokio::test]
async fn images_are_listed_and_deletions_have_options() {
    let world = World::new().await;
    let options = ReadOptions::default();
    let list = async |caller| {
        let filter = ImageFilter::default();
        world
            .calendar
            .query_images(caller, &filter, page(1, 9), &options)
            .await
            .unwrap()
    };
    let listed = list(world.editor).await.rows;
    assert_eq!(listed, std::slice::from_ref(&world.image));
    assert_eq!(list(ANYBODY).await.total, 0);
    let event = world.event("Over").await.id;
    let delete = async |options: DeleteOptions| {
        let any = Precondition::Any;
        world
            .calendar
            .delete::<Event>(world.editor, event.into(), &any, &options)
            .await
            .unwrap()
    };
    let trashed = delete(DeleteOptions::default().language(Language::French)).await;
    assert!(matches!(&trashed, Deleted::Trashed(view) if view.language == Language::French));
    assert!(matches!(
        delete(DeleteOptions::permanently()).await,
        Deleted::Gone(_)
    ));
}
