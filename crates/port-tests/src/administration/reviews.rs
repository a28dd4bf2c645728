//! Remarks on events that editors returned, verifications of events, and proposals of visitors.

use app::{
    ports::{EventRemark, Proposal, Store},
    test_support::{at, event},
};
use domain::{Event, EventId, Status, UserId, time::Timestamp};

use crate::sample::{add, in_unit};

fn remark(event: EventId, text: &str, author: i64) -> EventRemark {
    EventRemark {
        event,
        text: text.parse().unwrap(),
        author: Some(UserId::from_raw(author)),
        at: at("2030-01-01 12:00:00"),
    }
}

async fn put(store: &dyn Store, remark: &EventRemark) {
    in_unit(store, async |to| to.reviews().put_remark(remark).await).await.unwrap();
}

/// An event has one remark: the last one.
pub async fn a_remark_replaces_the_former(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await.id;
    let show = add(store, event("Show").build(), "show").await.id;
    put(store, &remark(fair, "Which hall?", 2)).await;
    let last = remark(fair, "Which\nday?", 3);
    put(store, &last).await;
    let other = remark(show, "No", 2);
    put(store, &other).await;
    let found = store.reviews().remarks(&[show, fair]).await.unwrap();
    assert_eq!(found, [last, other.clone()]);
    for is_there in [true, false] {
        let ended = in_unit(store, async |to| to.reviews().end_remark(fair).await).await;
        assert_eq!(ended.unwrap(), is_there);
    }
    assert_eq!(store.reviews().remarks(&[fair, show]).await.unwrap(), [other]);
    assert_eq!(store.reviews().remarks(&[]).await.unwrap(), []);
}

/// A remark is deleted with its event.
pub async fn a_remark_goes_with_its_event(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await.id;
    put(store, &remark(fair, "Which hall?", 2)).await;
    assert!(in_unit(store, async |to| to.events().delete(fair).await).await.unwrap());
    assert_eq!(store.reviews().remarks(&[fair]).await.unwrap(), []);
}

/// A remark stays when the user who wrote it is deleted.
pub async fn a_remark_outlives_its_author(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await.id;
    let written = remark(fair, "Which hall?", 3);
    put(store, &written).await;
    let cleo = UserId::from_raw(3);
    assert!(in_unit(store, async |to| to.users().remove(cleo).await).await.unwrap());
    let left = EventRemark { author: None, ..written };
    assert_eq!(store.reviews().remarks(&[fair]).await.unwrap(), [left]);
}

/// An event has one verification, the last one, which changes nothing of it and is deleted with it.
pub async fn a_verification_goes_with_its_event(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await;
    let noon = at("2030-01-01 12:00:00");
    for later in [0, 60] {
        let now = noon.saturating_add(later);
        in_unit(store, async |to| to.reviews().verify(fair.id, now).await).await.unwrap();
        assert_eq!(store.reviews().verified(&[fair.id]).await.unwrap(), [(fair.id, now)]);
    }
    assert_eq!(store.events().find(fair.id).await.unwrap().as_ref(), Some(&fair));
    assert!(in_unit(store, async |to| to.events().delete(fair.id).await).await.unwrap());
    assert_eq!(store.reviews().verified(&[fair.id]).await.unwrap(), []);
    assert_eq!(store.reviews().verified(&[]).await.unwrap(), []);
}

/// A store finds the events that the rule of the domain says, also series, by the age of their last changes.
pub async fn events_are_to_be_verified(store: &dyn Store) {
    const DAY: i64 = 86_400;
    let now = at("2030-01-01 12:00:00");
    let (seconds, ada) = (Event::VERIFIED_DAYS * DAY, UserId::from_raw(1));
    let mut expected = Vec::new();
    let mut number = 0;
    for start in [-1, 0, seconds, seconds + 1] {
        for changed in [seconds - 1, seconds, seconds + 1] {
            for verified in [None, Some(seconds - 1), Some(seconds)] {
                for status in [Status::Publish, Status::Draft] {
                    number += 1;
                    let name = format!("event-{number}");
                    let modified = now.saturating_add(-changed);
                    let begin = now.saturating_add(start).to_string();
                    let builder = event(&name).lasting(&begin, &begin);
                    let builder = builder.with(|event| {
                        event.date = now.saturating_add(-seconds * 2);
                        event.move_to(status, event.date);
                        event.modified = modified;
                    });
                    let content = builder.build();
                    let id = add(store, content.clone(), &name).await.id;
                    let verified = verified.map(|ago| now.saturating_add(-ago));
                    if let Some(at) = verified {
                        in_unit(store, async |to| to.reviews().verify(id, at).await).await.unwrap();
                    }
                    let start = now.saturating_add(start);
                    let next = (now <= start).then_some(start);
                    if content.is_to_be_verified(next, verified, now) {
                        expected.push((modified, id));
                    }
                }
            }
        }
    }
    // The first occurrence of each series is past.
    for (rule, is_due) in [
        ("FREQ=DAILY;COUNT=3", false),
        ("FREQ=WEEKLY;COUNT=60", true),
        ("FREQ=YEARLY;COUNT=3", false),
        ("FREQ=YEARLY", true),
    ] {
        let first = now.saturating_add(-200 * DAY);
        let builder = event(rule).lasting(&first.to_string(), &first.to_string()).with(|event| {
            event.move_to(Status::Publish, first);
            event.modified = first;
        });
        let builder = builder.repeating(rule, now.saturating_add(400 * DAY));
        let (series, _) = in_unit(store, async |to| builder.insert_series(to).await).await;
        if is_due {
            expected.push((first, series.id));
        }
    }
    expected.sort_unstable();
    assert_eq!(expected.len(), 10);
    let of = async |author: UserId, limit: u32| {
        let found: Vec<EventId> = store.reviews().to_verify(author, now, limit).await.unwrap();
        found
    };
    let ids: Vec<_> = expected.into_iter().map(|(_, id): (Timestamp, _)| id).collect();
    assert_eq!(of(ada, 100).await, ids);
    assert_eq!(of(ada, 3).await, ids[..3]);
    assert_eq!(of(UserId::from_raw(2), 100).await, []);
}

/// Proposals count by address and network until they are closed, and are deleted later, or with their events.
pub async fn proposals_are_counted_and_closed(store: &dyn Store) {
    let noon = at("2030-01-01 12:00:00");
    let mut all = Vec::new();
    for (number, address, network) in [(0, "a", "n"), (1, "b", "n"), (2, "a", "m")] {
        let name = format!("proposal-{number}");
        let proposal = Proposal {
            event: add(store, event(&name).build(), &name).await.id,
            hash: name.clone().into(),
            address: address.to_owned(),
            network: network.to_owned(),
            sender: "Ève".to_owned(),
            email: (number == 0).then(|| "eve@cal.example".parse().unwrap()),
            place: "Old Mill".to_owned(),
            created: noon.saturating_add(number),
            closed: None,
        };
        in_unit(store, async |to| to.reviews().add_proposal(&proposal).await).await.unwrap();
        all.push(proposal);
    }
    let reviews = store.reviews();
    assert_eq!(reviews.proposal("proposal-1").await.unwrap().as_ref(), Some(&all[1]));
    assert_eq!(reviews.proposal("proposal").await.unwrap(), None);
    let ids = [all[2].event, all[0].event];
    assert_eq!(reviews.proposals(&ids).await.unwrap(), [all[0].clone(), all[2].clone()]);
    assert_eq!(reviews.proposals(&[]).await.unwrap(), []);
    for (after, sent) in [(-1, vec![0, 2]), (0, vec![2]), (2, vec![])] {
        let found = reviews.proposals_sent("a", noon.saturating_add(after)).await.unwrap();
        let sent: Vec<_> = sent.into_iter().map(|number| noon.saturating_add(number)).collect();
        assert_eq!(found, sent);
    }
    let open = async |network: Option<&str>| {
        store.reviews().open_proposals(network.map(str::to_owned)).await.unwrap()
    };
    assert_eq!((open(None).await, open(Some("n")).await, open(Some("x")).await), (3, 2, 0));
    for is_open in [true, false] {
        let closed = in_unit(store, async |to| to.reviews().close_proposal(ids[1], noon).await);
        assert_eq!(closed.await.unwrap(), is_open);
    }
    assert_eq!((open(None).await, open(Some("n")).await), (2, 1));
    for (before, count) in [(noon.saturating_add(-1), 0), (noon, 1), (noon, 0)] {
        let pruned = in_unit(store, async |to| to.reviews().prune_proposals(before).await).await;
        assert_eq!(pruned.unwrap(), count);
    }
    assert!(store.events().find(ids[1]).await.unwrap().is_some());
    assert!(in_unit(store, async |to| to.events().delete(ids[0]).await).await.unwrap());
    assert_eq!(store.reviews().proposals(&ids).await.unwrap(), []);
}
