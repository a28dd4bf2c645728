//! Reads and writes of each kind.

use app::write::{
    CategoryUpdate, DeleteOptions, EventUpdate, NewCategory, NewEvent, NewOrganizer, NewTag,
    NewVenue, OrganizerUpdate, ReadOptions, TagUpdate, VenueUpdate,
};
use client::{ClientError, ErrorCode, ListQuery};
use domain::{
    Category, Event, EventId, FieldName, Language, Organizer, Secret, Status, Tag, Venue, VenueId,
    image::ImageFormat,
    text::Title,
    time::{EventTime, parse_civil},
};
use futures_util::{StreamExt as _, TryStreamExt as _};
use tests::{app::TestApp, both_stores, pictures::png};

use super::connect;

fn when() -> EventTime {
    let [nine, noon] =
        ["2027-03-10 09:00:00", "2027-03-10 12:00:00"].map(|one| parse_civil(one).unwrap());
    EventTime::new("Europe/Paris".parse().unwrap(), nine, noon, false).unwrap()
}

fn title(text: &str) -> Title {
    text.parse().unwrap()
}

fn code<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> ErrorCode {
    answer.unwrap_err().code().unwrap().clone()
}

#[both_stores]
async fn each_kind_is_created_read_changed_and_deleted(app: &TestApp) {
    let client = connect(app, 1).await;
    let (plain, forever) = (ReadOptions::default(), DeleteOptions::permanently());

    let made =
        client.create(&NewVenue::builder(title("Mill <1>")).city("Lyon").build()).await.unwrap();
    assert_eq!(made.city.as_deref(), Some("Lyon"));
    let french = VenueUpdate::builder().language(Language::French).title(title("Moulin")).build();
    client.update(made.id, &french).await.unwrap();
    let read = client.get::<Venue>(made.id, &plain).await.unwrap();
    assert_eq!(title(&read.venue), title("Mill <1>"));
    let in_french = client.clone().with_language(Language::French);
    assert_eq!(in_french.get::<Venue>(made.id, &plain).await.unwrap().venue, "Moulin");

    let hands =
        client.create(&NewOrganizer::builder(title("Hands")).phone("1").build()).await.unwrap();
    let muted = OrganizerUpdate::builder().phone("").build();
    assert_eq!(client.update(hands.id, &muted).await.unwrap().phone, None);

    let music = client.create(&NewCategory::builder(title("Music")).build()).await.unwrap();
    let jazz = NewCategory::builder(title("Jazz")).parent(music.id).build();
    let jazz = client.create(&jazz).await.unwrap();
    assert_eq!(jazz.parent, Some(music.id));
    let top = CategoryUpdate::builder().clear_parent().build();
    assert_eq!(client.update(jazz.id, &top).await.unwrap().parent, None);
    let loud = client.create(&NewTag::builder(title("Loud")).build()).await.unwrap();
    let louder = TagUpdate::builder().name(title("Louder")).build();
    assert_eq!(client.update(loud.id, &louder).await.unwrap().name, "Louder");

    let image = client.upload(png(30, 20), ImageFormat::Png, Some(&"A dot".parse().unwrap())).await;
    let image = image.unwrap();
    assert_eq!((image.width, image.alt.as_str()), (Some(30), "A dot"));
    let event = NewEvent::builder(title("Cleanup"), when())
        .venue(made.id)
        .organizers([hands.id])
        .categories([jazz.id])
        .tags([loud.id])
        .image(image.id)
        .password(Secret::new("river".to_owned()))
        .build();
    let event = client.create(&event).await.unwrap();
    assert_eq!(event.start_date, parse_civil("2027-03-10 09:00:00").unwrap());
    assert_eq!(event.links.venue.unwrap().id, made.id);
    assert_eq!(event.links.organizers[0].id, hands.id);
    assert_eq!(event.links.categories[0].id, jazz.id);
    assert_eq!(event.links.tags[0].id, loud.id);
    assert_eq!(event.image.unwrap().id, image.id);
    let nobody = connect(app, 0).await;
    assert_eq!(code(nobody.get::<Event>(event.id, &plain).await), ErrorCode::EventLocked);
    let opened = plain.clone().password(Secret::new("river".to_owned()));
    assert_eq!(nobody.get::<Event>(event.id, &opened).await.unwrap().featured, Some(false));
    let open = EventUpdate::builder().clear_password().cancelled(true).build();
    assert!(client.update(event.id, &open).await.unwrap().cancelled);
    let slug = event.slug.parse().unwrap();
    assert_eq!(client.get_by_slug::<Event>(&slug, &plain).await.unwrap().id, event.id);

    let trashed = client.delete::<Event>(event.id, &DeleteOptions::default()).await.unwrap();
    assert_eq!(trashed.status, Status::Trash);
    let again = client.delete::<Event>(event.id, &DeleteOptions::default()).await;
    assert_eq!(code(again), ErrorCode::EventInTrash);
    client.delete::<Event>(event.id, &forever).await.unwrap();
    client.delete::<Venue>(made.id, &forever).await.unwrap();
    client.delete::<Organizer>(hands.id, &forever).await.unwrap();
    client.delete::<Category>(jazz.id, &DeleteOptions::default()).await.unwrap();
    client.delete::<Tag>(loud.id, &DeleteOptions::default()).await.unwrap();
    assert_eq!(code(client.get::<Event>(event.id, &plain).await), ErrorCode::EventNotFound);
    assert_eq!(code(client.get::<Venue>(made.id, &plain).await), ErrorCode::VenueNotFound);
    assert_eq!(code(client.get::<Organizer>(hands.id, &plain).await), ErrorCode::OrganizerNotFound);
    assert_eq!(code(client.get::<Category>(jazz.id, &plain).await), ErrorCode::TermNotFound);
    assert_eq!(code(client.get::<Tag>(loud.id, &plain).await), ErrorCode::TermNotFound);
}

#[both_stores]
async fn series_and_tickets_have_their_records(app: &TestApp) {
    let client = connect(app, 1).await;
    let rule = Some("FREQ=WEEKLY;COUNT=3".parse().unwrap());
    let parts = domain::recurrence::RecurrenceParts { rule, ..Default::default() };
    let seat = domain::ticket::Ticket {
        name: title("Seat"),
        price: "12.50".parse().unwrap(),
        currency: "EUR".parse().unwrap(),
        url: None,
        on_sale: domain::ticket::OnSale::default(),
    };
    let jazz = NewEvent::builder(title("Jazz"), when()).recurrence(parts).tickets([seat]).build();
    let jazz = client.create(&jazz).await.unwrap();
    let recurrence = jazz.recurrence.unwrap();
    assert_eq!((recurrence.total, recurrence.rule.count), (Some(3), Some(3)));
    assert_eq!(jazz.tickets[0].price, "12.50");
    let list: Vec<_> = client.list::<Event>(&ListQuery::default()).try_collect().await.unwrap();
    assert_eq!(list.len(), 3);
    assert!(list.iter().all(|one| one.series.as_ref().unwrap().id == jazz.id));
}

#[both_stores]
async fn lists_are_streams_over_all_pages(app: &TestApp) {
    for number in 0..7 {
        app.admin().make("/tags", serde_json::json!({"name": format!("Tag {number}")})).await;
    }
    let client = connect(app, 0).await;
    let query = ListQuery::default().with(FieldName::HideEmpty, false).with(FieldName::PerPage, 3);
    let names: Vec<_> =
        client.list::<Tag>(&query).map_ok(|tag| tag.name).try_collect().await.unwrap();
    let expected: Vec<_> = (0..7).map(|number| format!("Tag {number}")).collect();
    assert_eq!(names, expected);
    let none: Vec<_> = client.list::<Venue>(&ListQuery::default()).try_collect().await.unwrap();
    assert!(none.is_empty());
    let bad = ListQuery::default().with(FieldName::StartDate, "someday");
    let mut refused = std::pin::pin!(client.list::<Event>(&bad));
    let ClientError::Refused(refusal) = refused.next().await.unwrap().unwrap_err() else {
        panic!()
    };
    assert_eq!((refusal.status, &refusal.code), (400, &ErrorCode::InvalidFields));
    assert!(refusal.fields["start_date"].is_some());
    assert!(refused.next().await.is_none());
}

#[both_stores]
async fn errors_have_codes_and_faults_of_fields(app: &TestApp) {
    let (nobody, contributor) = (connect(app, 0).await, connect(app, 4).await);
    let mill = NewVenue::builder(title("Mill")).build();
    assert_eq!(code(nobody.create(&mill).await), ErrorCode::Forbidden);
    let wrong = nobody.clone().with_token(&Secret::new("wrong".to_owned())).unwrap();
    assert_eq!(code(wrong.create(&mill).await), ErrorCode::InvalidToken);
    let taken = NewVenue::builder(title("Mill")).author(domain::UserId::from_raw(1)).build();
    assert_eq!(code(contributor.create(&taken).await), ErrorCode::Forbidden);
    // Faults that the write knows are not sent.
    let long = NewVenue::builder(title("Mill")).city("x".repeat(1_001)).build();
    let unsent = contributor.create(&long).await.unwrap_err();
    assert!(matches!(unsent, ClientError::Fields(_)), "{unsent}");
    let parent = NewEvent::builder(title("Part"), when()).parent(EventId::from_raw(9)).build();
    let ClientError::Refused(refusal) = connect(app, 1).await.create(&parent).await.unwrap_err()
    else {
        panic!()
    };
    assert_eq!(refusal.fields.keys().collect::<Vec<_>>(), ["parent"]);
    assert!(!refusal.message.is_empty());
    let away = client::Client::new("http://127.0.0.1:1/").unwrap();
    let unsent = away.delete::<Venue>(VenueId::from_raw(1), &DeleteOptions::default()).await;
    assert!(matches!(unsent, Err(ClientError::NoAnswer(_))), "{unsent:?}");
    assert!(nobody.with_token(&Secret::new("a\nb".to_owned())).is_err());
}
