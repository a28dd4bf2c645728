use super::*;
use crate::{
    Entry, OrganizerDetails, Role, Status, UserId, VenueDetails,
    entry::Details,
    event::EventDetails,
    policy::{Caller, Capability, Guarded, Reach, Visibility},
    text::Title,
    time::{EventTime, Timestamp, Zone, parse_civil},
};

const ROLES: [Role; 5] = [
    Role::Subscriber,
    Role::Contributor,
    Role::Author,
    Role::Editor,
    Role::Administrator,
];

fn me() -> UserId {
    UserId::from_raw(1)
}

fn now() -> Timestamp {
    Timestamp::from_seconds(1_000).unwrap()
}

/// A caller in each role, limited to each collection alone.
fn limited() -> impl Iterator<Item = (Role, Collection, Caller)> {
    ROLES.into_iter().flat_map(|role| {
        Collection::ALL.map(|one| {
            let to = [one].into_iter().collect();
            (role, one, Caller::of(me(), role).limited_to(to))
        })
    })
}

/// The decisions on an entry of the caller's own.
fn decisions<D: Details>(details: D, status: Status, caller: Caller) -> [bool; 6] {
    let mut entry = Entry::new(me(), "Mill".parse::<Title>().unwrap(), details, now());
    entry.move_to(status, now());
    let visibility = Visibility::new(caller, now());
    [
        caller.may_edit(&entry),
        entry.is_visible(&visibility),
        entry.is_linkable(&visibility),
        entry.check_readable(&visibility).is_ok(),
        visibility.includes(D::KIND, &entry.audience()),
        visibility.opens(&entry),
    ]
}

fn of_kind(kind: Kind, status: Status, caller: Caller) -> [bool; 6] {
    match kind {
        Kind::Event => {
            let noon = parse_civil("2027-04-17 12:00:00").unwrap();
            let time = EventTime::new(Zone::utc(), noon, noon, false).unwrap();
            let mut details = EventDetails::new(time, "a@b".into());
            details.password = Some(crate::entry::PasswordHash::from_stored("5f".into()));
            decisions(details, status, caller)
        }
        Kind::Organizer => decisions(OrganizerDetails::default(), status, caller),
        _ => decisions(VenueDetails::default(), status, caller),
    }
}

/// Within its collection a limited caller has each decision of its role, outside of it those of an anonymous caller.
#[test]
fn a_limited_caller_is_anonymous_outside_of_its_collections() {
    for (role, collection, caller) in limited() {
        let full = Caller::of(me(), role);
        for kind in [Kind::Event, Kind::Venue, Kind::Organizer] {
            let is_held = collection == kind.into();
            let like = if is_held { full } else { Caller::Anonymous };
            let case = format!("{role} in {collection}: {kind}");
            for status in Status::ALL {
                let expected = of_kind(kind, status, like);
                assert_eq!(of_kind(kind, status, caller), expected, "{case} {status}");
                assert_eq!(
                    caller.granted(kind, status),
                    like.granted(kind, status),
                    "{case}"
                );
            }
            let reach = |caller| Visibility::new(caller, now()).reach(kind);
            assert_eq!(reach(caller), reach(like), "{case}");
            assert_eq!(
                caller.default_status(kind),
                like.default_status(kind),
                "{case}"
            );
        }
    }
}

/// Rights of a collection are those of the role in it; rights beyond all collections are none.
#[test]
fn a_limited_caller_has_the_rights_of_its_collections_alone() {
    for (role, collection, caller) in limited() {
        let full = Caller::of(me(), role);
        for right in Capability::ALL {
            let is_held = right.collection() == Some(collection);
            let case = format!("{role} in {collection}: {right}");
            assert_eq!(caller.can(right), is_held && full.can(right), "{case}");
            for other in Collection::ALL {
                let expected = other == collection && full.can_in(other, right);
                assert_eq!(caller.can_in(other, right), expected, "{case} in {other}");
            }
        }
        let is_held = collection == Collection::Images;
        assert_eq!(
            caller.may_see_image_of(me()),
            is_held,
            "{role} in {collection}"
        );
        let changes = is_held && full.may_change_image_of(me());
        assert_eq!(
            caller.may_change_image_of(me()),
            changes,
            "{role} in {collection}"
        );
        assert_eq!(caller.beyond(), Caller::Anonymous);
    }
}

/// The journal is asked for all that the caller may see in any collection.
#[test]
fn the_greatest_reach_is_that_of_a_collection() {
    let own = |private| Reach::Own {
        user: me(),
        private,
    };
    for (role, collection, caller) in limited() {
        let entries = [
            Collection::Events,
            Collection::Venues,
            Collection::Organizers,
        ];
        let expected = match role {
            _ if !entries.contains(&collection) => Reach::Published,
            Role::Subscriber => Reach::Published,
            Role::Contributor => own(false),
            Role::Author => own(true),
            Role::Editor | Role::Administrator => Reach::All,
        };
        let reach = Visibility::new(caller, now()).greatest_reach();
        assert_eq!(reach, expected, "{role} in {collection}");
    }
}

#[test]
fn collections_are_read_as_they_are_written() {
    for bits in 1..1 << Collection::ALL.len() {
        let some = Collections(bits);
        assert_eq!(some.to_string().parse(), Ok(some));
        assert_eq!(
            Collection::ALL
                .into_iter()
                .filter(|one| some.hold(*one))
                .collect::<Collections>(),
            some
        );
    }
    for text in [
        "",
        "event",
        "Events",
        "events,",
        "events, venues",
        "all,events",
    ] {
        assert_eq!(text.parse::<Collections>(), Err(UnknownName), "{text}");
    }
    // The rights of a role end at the collections, not at an anonymous caller's.
    let tags = [Collection::Tags].into_iter().collect();
    assert_eq!(Caller::Anonymous.limited_to(tags), Caller::Anonymous);
}
