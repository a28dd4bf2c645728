//! Users and their tokens.

use app::{
    ports::{NewToken, Repositories, SlugRequests, Store, Token, TokenRights, TokenScope},
    test_support::{START, at, event, user, venue},
};
use domain::{Id, Role, Stored, User, UserId, policy::Collection, time::Timestamp};

use crate::sample::in_unit;

async fn add(store: &dyn Store, name: &str, email: Option<&str>) -> Option<Stored<User>> {
    let user =
        User { email: email.map(|email| email.parse().unwrap()), ..user(name, Role::Author) };
    in_unit(store, async |to| to.users().insert(user).await).await.unwrap()
}

async fn id_of_login(store: &dyn Store, login: &str) -> Option<i64> {
    let user = store.users().find_by_login(login).await.unwrap();
    user.map(|user| user.id.get())
}

/// A login is a name or an e-mail address.
pub async fn logins_are_found_in_any_letter_case(store: &dyn Store) {
    add(store, "Ada", Some("Ada@Example.org")).await.unwrap();
    add(store, "élodie_1", None).await.unwrap();
    add(store, "élodiex1", None).await.unwrap();
    for login in ["Ada", "ada", "ADA", "ada@example.org", "ADA@EXAMPLE.ORG"] {
        assert_eq!(id_of_login(store, login).await, Some(1), "{login}");
    }
    for login in ["élodie_1", "ÉLODIE_1"] {
        assert_eq!(id_of_login(store, login).await, Some(2), "{login}");
    }
    for login in ["", "ad", "adaa", "ada%", "elodie_1", "ada@example.com", "'"] {
        assert_eq!(id_of_login(store, login).await, None, "{login}");
    }
}

/// No user's name or e-mail address is another user's, in any letter case. Many users have no
/// address.
pub async fn logins_are_taken_in_any_letter_case(store: &dyn Store) {
    assert!(add(store, "Ada", Some("ada@example.org")).await.is_some());
    assert!(add(store, "Élodie", None).await.is_some());
    assert!(add(store, "ben@example.org", None).await.is_some());
    for name in ["Ada", "ada", "ADA", "ÉLODIE", "élodie"] {
        assert_eq!(add(store, name, None).await, None, "{name}");
        assert_eq!(add(store, name, Some("new@example.org")).await, None, "{name}");
    }
    for email in ["ada@example.org", "ADA@example.ORG"] {
        assert_eq!(add(store, "new", Some(email)).await, None, "{email}");
    }
    assert_eq!(add(store, "ADA@example.org", None).await, None);
    assert_eq!(add(store, "new", Some("Ben@example.org")).await, None);
    assert_eq!(store.users().list().await.unwrap().len(), 3);
    assert!(add(store, "new", Some("new@example.org")).await.is_some());
}

/// An address is free if no other user has it as name or address, in any letter case.
pub async fn an_address_is_replaced(store: &dyn Store) {
    let ada = add(store, "ada", Some("ada@example.org")).await.unwrap();
    add(store, "ben@example.org", None).await.unwrap();
    for (email, is_free) in [
        (Some("BEN@example.org"), false),
        (Some("ADA@example.org"), true),
        (Some("lovelace@example.org"), true),
        (None, true),
    ] {
        let address = email.map(|email| email.parse().unwrap());
        let set = in_unit(store, async |to| to.users().set_email(ada.id, address).await).await;
        assert_eq!(set.unwrap(), is_free, "{email:?}");
        if let Some(email) = email.filter(|_| is_free) {
            assert_eq!(id_of_login(store, email).await, Some(ada.id.get()));
        }
    }
    assert_eq!(id_of_login(store, "lovelace@example.org").await, None);
    assert!(add(store, "eve", Some("ada@example.org")).await.is_some());
}

/// A name is free if no other user has it as name or address, in any letter case.
pub async fn a_name_is_replaced(store: &dyn Store) {
    let ada = add(store, "ada", Some("ada@example.org")).await.unwrap();
    add(store, "ben", Some("ben@example.org")).await.unwrap();
    for (name, is_free) in [
        ("BEN", false),
        ("Ben@example.org", false),
        ("ADA", true),
        ("ADA@example.org", true),
        ("Élodie", true),
    ] {
        let parsed = name.parse().unwrap();
        let set = in_unit(store, async |to| to.users().set_name(ada.id, parsed).await).await;
        assert_eq!(set.unwrap(), is_free, "{name}");
        if is_free {
            assert_eq!(id_of_login(store, name).await, Some(ada.id.get()));
        }
    }
    let kept = store.users().find(ada.id).await.unwrap().unwrap();
    assert_eq!(kept.name.as_str(), "Élodie");
    assert_eq!(id_of_login(store, "ada").await, None);
}

/// Another user gets the records of a user, who can be deleted then.
pub async fn records_are_given(store: &dyn Store) {
    let ada = add(store, "ada", None).await.unwrap();
    let ben = add(store, "ben", None).await.unwrap();
    let mut mill = venue("Old Mill").build();
    mill.author = ada.id;
    let mut hall = venue("Hall").build();
    hall.author = ben.id;
    let [mill, hall] = in_unit(store, async |to| {
        let insert =
            async |venue| to.venues().insert(venue, SlugRequests::default()).await.unwrap();
        [insert(mill).await, insert(hall).await]
    })
    .await;
    let mut fair = event("Fair").build();
    fair.author = ada.id;
    let fair = in_unit(store, async |to| to.events().insert(fair, SlugRequests::default()).await);
    let fair = fair.await.unwrap();
    let give =
        async || in_unit(store, async |to| to.users().give_records(ada.id, ben.id).await).await;
    assert_eq!(give().await.unwrap(), 2);
    assert_eq!(give().await.unwrap(), 0);
    let given = store.venues().find(mill.id).await.unwrap().unwrap();
    assert!(given.author == ben.id && given.revision > mill.revision);
    let given = store.events().find(fair.id).await.unwrap().unwrap();
    assert!(given.author == ben.id && given.revision > fair.revision);
    assert_eq!(store.venues().find(hall.id).await.unwrap(), Some(hall));
    let removed = in_unit(store, async |to| to.users().remove(ada.id).await).await;
    assert!(removed.unwrap());
}

/// A user is deleted with the tokens of the user, unless a record has the user as its author. The ID is not
/// given again.
pub async fn a_user_without_records_is_deleted(store: &dyn Store) {
    let remove = async |id| in_unit(store, async |to| to.users().remove(id).await).await.unwrap();
    let ada = add(store, "ada", None).await.unwrap();
    let ben = add(store, "ben", None).await.unwrap();
    let kept = add_token(store, token(ada.id, "1")).await;
    let gone = add_token(store, token(ben.id, "2")).await;
    let mut venue = venue("Old Mill").build();
    venue.author = ada.id;
    in_unit(store, async |to| to.venues().insert(venue, SlugRequests::default()).await)
        .await
        .unwrap();
    assert!(!remove(ada.id).await);
    assert!(remove(ben.id).await);
    assert_eq!(store.users().list().await.unwrap(), [ada]);
    assert_eq!(store.users().list_tokens(None).await.unwrap(), [kept]);
    let eve = add(store, "eve", None).await.unwrap();
    assert!(eve.id > ben.id);
    let new = add_token(store, token(eve.id, "3")).await;
    assert!(new.id > gone.id);
}

/// A taken login is reported as an answer, after which the unit of work continues.
pub async fn a_taken_login_spares_the_unit(store: &dyn Store) {
    add(store, "ada", None).await.unwrap();
    let unit = store.begin().await.unwrap();
    let refused = unit.users().insert(user("ADA", Role::Editor)).await;
    assert_eq!(refused.unwrap(), None);
    let added = unit.users().insert(user("ben", Role::Editor)).await;
    assert!(added.unwrap().is_some());
    unit.commit().await.unwrap();
    assert!(id_of_login(store, "ben").await.is_some());
}

/// The list holds all users, including disabled ones.
pub async fn users_are_listed_by_id(store: &dyn Store) {
    assert_eq!(store.users().list().await.unwrap(), []);
    let mut all = Vec::new();
    for name in ["zoe", "ada", "max"] {
        all.push(add(store, name, None).await.unwrap());
    }
    assert_eq!(store.users().list().await.unwrap(), all);
    set_disabled(store, all[1].id, true).await;
    let listed = store.users().list().await.unwrap();
    let names: Vec<_> = listed.iter().map(|user| user.name.as_str()).collect();
    assert_eq!(names, ["zoe", "ada", "max"]);
}

/// A new role applies to the named user alone.
pub async fn roles_change(store: &dyn Store) {
    let ada = add(store, "ada", Some("ada@example.org")).await.unwrap();
    let ben = add(store, "ben", None).await.unwrap();
    for role in Role::ALL {
        in_unit(store, async |to| to.users().set_role(ada.id, role).await).await.unwrap();
        let found = store.users().find(ada.id).await.unwrap().unwrap();
        let expected = User { role, ..ada.content.clone() };
        assert_eq!(found.content, expected);
    }
    assert_eq!(store.users().find(ben.id).await.unwrap(), Some(ben));
}

/// A user can be disabled and enabled again.
pub async fn users_are_disabled(store: &dyn Store) {
    let ada = add(store, "ada", None).await.unwrap();
    let ben = add(store, "ben", None).await.unwrap();
    for disabled in [true, false] {
        set_disabled(store, ada.id, disabled).await;
        let found = store.users().find(ada.id).await.unwrap().unwrap();
        let expected = User { disabled, ..ada.content.clone() };
        assert_eq!(found.content, expected);
        assert_eq!(id_of_login(store, "ada").await, Some(1));
    }
    assert_eq!(store.users().find(ben.id).await.unwrap(), Some(ben));
}

async fn set_disabled(store: &dyn Store, user: UserId, disabled: bool) {
    let disable = async |to: &dyn Repositories| to.users().set_disabled(user, disabled).await;
    in_unit(store, disable).await.unwrap();
}

async fn add_token(store: &dyn Store, token: NewToken) -> Token {
    let add = async |to: &dyn Repositories| to.users().insert_token(token).await;
    in_unit(store, add).await.unwrap()
}

async fn revoke(store: &dyn Store, id: Id<Token>, now: Timestamp) -> bool {
    let revoke = async |to: &dyn Repositories| to.users().revoke_token(id, now).await;
    in_unit(store, revoke).await.unwrap()
}

fn token(user: UserId, hash: &str) -> NewToken {
    NewToken {
        user,
        label: "laptop".to_owned(),
        hash: hash.to_owned().into(),
        rights: TokenScope::Write.into(),
        created: at(START),
        expires: None,
    }
}

/// A token is found with its user, in every detail.
pub async fn tokens_are_found_by_hash(store: &dyn Store) {
    let ada = add(store, "ada", Some("ada@example.org")).await.unwrap();
    let ben = add(store, "ben", None).await.unwrap();
    let tokens = [
        (&ada, token(ada.id, "5f")),
        (
            &ben,
            NewToken {
                label: "'🎉' مهرجان".to_owned(),
                rights: TokenRights {
                    scope: TokenScope::Read,
                    collections: [Collection::Events, Collection::Images].into_iter().collect(),
                },
                created: at("2029-01-02 03:04:05"),
                expires: Some(at("2031-01-02 03:04:05")),
                ..token(ben.id, "5F")
            },
        ),
        (
            &ada,
            NewToken {
                label: String::new(),
                rights: TokenRights::default(),
                ..token(ada.id, "5f00")
            },
        ),
    ];
    for (n, (user, new)) in (1..).zip(tokens) {
        let token = add_token(store, new.clone()).await;
        assert_eq!(token.id, Id::from_raw(n));
        assert_eq!(token.details, new);
        assert_eq!(token.revoked, None);
        let found = store.users().find_token(new.hash.expose()).await.unwrap();
        assert_eq!(found, Some((token.clone(), user.clone())));
        let day = at("2030-05-06 23:59:59").civil().date();
        let used = async |to: &dyn Repositories| to.users().set_token_used(token.id, day).await;
        in_unit(store, used).await.unwrap();
        let found = store.users().find_token(new.hash.expose()).await.unwrap();
        let used = Token { last_used: Some(day), ..token };
        assert_eq!(found, Some((used, user.clone())));
    }
    for hash in ["", "5", "5f0", "5%", "6f"] {
        assert_eq!(store.users().find_token(hash).await.unwrap(), None, "{hash}");
    }
    // A lookup does not judge whether the user may log in.
    set_disabled(store, ada.id, true).await;
    let (_, user) = store.users().find_token("5f").await.unwrap().unwrap();
    assert!(user.disabled);
}

/// The tokens of one user or of all users, including revoked ones.
pub async fn tokens_are_listed_by_id(store: &dyn Store) {
    let ada = add(store, "ada", None).await.unwrap();
    let ben = add(store, "ben", None).await.unwrap();
    let mut all = Vec::new();
    for (user, hash) in [(ben.id, "9"), (ada.id, "8"), (ben.id, "7")] {
        all.push(add_token(store, token(user, hash)).await);
    }
    assert_eq!(store.users().list_tokens(None).await.unwrap(), all);
    let of_ben = [all[0].clone(), all[2].clone()];
    assert_eq!(store.users().list_tokens(Some(ben.id)).await.unwrap(), of_ben);
    let absent = store.users().list_tokens(Some(Id::from_raw(99))).await;
    assert_eq!(absent.unwrap(), []);
    assert!(revoke(store, all[0].id, at(START)).await);
    all[0].revoked = Some(at(START));
    assert_eq!(store.users().list_tokens(None).await.unwrap(), all);
}

/// The first revocation time stays.
pub async fn a_token_is_revoked_once(store: &dyn Store) {
    let ada = add(store, "ada", None).await.unwrap();
    let one = add_token(store, token(ada.id, "1")).await;
    let two = add_token(store, token(ada.id, "2")).await;
    let later = at(START).saturating_add(60);
    assert!(!revoke(store, Id::from_raw(99), later).await);
    assert!(revoke(store, one.id, at(START)).await);
    assert!(!revoke(store, one.id, later).await);
    let (found, _) = store.users().find_token("1").await.unwrap().unwrap();
    assert_eq!(found.revoked, Some(at(START)));
    let (found, _) = store.users().find_token("2").await.unwrap().unwrap();
    assert_eq!(found, two);
}

/// An expired token cannot be revoked.
pub async fn an_expired_token_is_worth_nothing(store: &dyn Store) {
    let ada = add(store, "ada", None).await.unwrap();
    for (hash, seconds, is_worth) in [("1", 1, true), ("2", 0, false), ("3", -1, false)] {
        let token =
            NewToken { expires: Some(at(START).saturating_add(seconds)), ..token(ada.id, hash) };
        let token = add_token(store, token).await;
        let revoked = revoke(store, token.id, at(START)).await;
        assert_eq!(revoked, is_worth, "{seconds}");
    }
}
