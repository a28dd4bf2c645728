//! Passwords, invitations and sessions of browsers.

use app::{
    ports::{BrowserSession, Invitation, SecondFactor, Store, StoreError},
    test_support::{at, user},
};
use domain::{Role, Secret, UserId, time::Timestamp};

use crate::sample::in_unit;

async fn add(store: &dyn Store, name: &str) -> UserId {
    let user = user(name, Role::Author);
    in_unit(store, async |to| to.users().insert(user).await).await.unwrap().unwrap().id
}

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

fn noon() -> Timestamp {
    at("2030-01-01 12:00:00")
}

fn session(user: UserId, hash: &str, hours: i64) -> BrowserSession {
    BrowserSession {
        hash: secret(hash),
        user,
        data: "{\"language\":\"ar\"}".to_owned(),
        created: noon().saturating_add(hours * 3600),
        expires: noon().saturating_add((hours + 12) * 3600),
    }
}

/// A user has one password.
pub async fn a_password_replaces_the_former(store: &dyn Store) {
    let [ada, ben] = [add(store, "ada").await, add(store, "ben").await];
    for hash in ["first", "second"] {
        let hash = secret(hash);
        in_unit(store, async |to| to.sign_ins().set_password(ada, &hash, noon()).await)
            .await
            .unwrap();
        assert_eq!(store.sign_ins().password(ada).await.unwrap(), Some(hash));
    }
    assert_eq!(store.sign_ins().password(ben).await.unwrap(), None);
}

/// A second factor replaces the one that was read, and no other.
pub async fn a_second_factor_replaces_the_former(store: &dyn Store) {
    let [ada, ben] = [add(store, "ada").await, add(store, "ben").await];
    let replace = async |user, former: Option<&SecondFactor>, new: Option<&SecondFactor>| {
        let done = in_unit(store, async |to| {
            to.sign_ins().replace_second_factor(user, former.cloned(), new.cloned()).await
        });
        done.await.unwrap()
    };
    let first = SecondFactor {
        secret: secret("first"),
        last_step: 7,
        recovery_codes: vec![secret("a"), secret("b")],
    };
    let used = SecondFactor { last_step: 8, recovery_codes: Vec::new(), ..first.clone() };
    assert!(replace(ada, None, None).await);
    assert!(!replace(ada, Some(&first), Some(&used)).await);
    assert!(replace(ada, None, Some(&first)).await);
    assert!(!replace(ada, None, Some(&used)).await);
    assert!(!replace(ada, None, None).await);
    assert_eq!(store.sign_ins().second_factor(ada).await.unwrap(), Some(first.clone()));
    assert_eq!(store.sign_ins().second_factor(ben).await.unwrap(), None);
    assert!(replace(ada, Some(&first), Some(&used)).await);
    assert!(!replace(ada, Some(&first), Some(&used)).await);
    assert!(!replace(ada, Some(&first), None).await);
    assert_eq!(store.sign_ins().second_factor(ada).await.unwrap(), Some(used.clone()));
    assert!(replace(ada, Some(&used), None).await);
    assert_eq!(store.sign_ins().second_factor(ada).await.unwrap(), None);
}

/// A user has one invitation.
pub async fn an_invitation_replaces_the_former(store: &dyn Store) {
    let [ada, ben] = [add(store, "ada").await, add(store, "ben").await];
    for (user, hash) in [(ada, "first"), (ada, "second"), (ben, "of ben")] {
        let invitation = Invitation { user, hash: secret(hash), expires: noon() };
        in_unit(store, async |to| to.sign_ins().invite(&invitation).await).await.unwrap();
        let found = store.sign_ins().invitation(hash).await.unwrap();
        assert_eq!(found, Some(invitation));
    }
    assert_eq!(store.sign_ins().invitation("first").await.unwrap(), None);
    for is_there in [true, false] {
        let ended =
            in_unit(store, async |to| to.sign_ins().end_invitation(ada).await).await.unwrap();
        assert_eq!(ended, is_there);
    }
    assert!(store.sign_ins().invitation("of ben").await.unwrap().is_some());
}

/// Sessions are listed by their sign-in, and end alone, with others, or by time.
pub async fn sessions_end(store: &dyn Store) {
    let [ada, ben] = [add(store, "ada").await, add(store, "ben").await];
    let all = [session(ada, "late", 2), session(ada, "early", 0), session(ben, "of ben", 1)];
    in_unit(store, async |to| {
        for one in &all {
            to.sign_ins().put_session(one).await?;
        }
        Ok::<(), StoreError>(())
    })
    .await
    .unwrap();
    let of_ada = store.sign_ins().sessions(ada).await.unwrap();
    assert_eq!(of_ada, [all[1].clone(), all[0].clone()]);
    let used = BrowserSession { expires: noon().saturating_add(99 * 3600), ..all[0].clone() };
    in_unit(store, async |to| to.sign_ins().put_session(&used).await).await.unwrap();
    assert_eq!(store.sign_ins().session("late").await.unwrap(), Some(used));

    let ended =
        in_unit(store, async |to| to.sign_ins().end_sessions(ada, Some("late".to_owned())).await);
    assert_eq!(ended.await.unwrap(), 1);
    assert_eq!(store.sign_ins().session("early").await.unwrap(), None);
    for is_there in [true, false] {
        let ended =
            in_unit(store, async |to| to.sign_ins().end_session("late").await).await.unwrap();
        assert_eq!(ended, is_there);
    }
    let invitation = Invitation { user: ben, hash: secret("of ben"), expires: all[2].expires };
    in_unit(store, async |to| to.sign_ins().invite(&invitation).await).await.unwrap();
    for (now, count) in [(all[2].expires.saturating_add(-1), 0), (all[2].expires, 1)] {
        let pruned =
            in_unit(store, async |to| to.sign_ins().prune_sessions(now).await).await.unwrap();
        assert_eq!(pruned, count);
        let is_left = store.sign_ins().invitation("of ben").await.unwrap().is_some();
        assert_eq!(is_left, count == 0);
    }
}

/// Password, invitation and sessions are deleted with their user.
pub async fn sign_ins_go_with_their_user(store: &dyn Store) {
    let ada = add(store, "ada").await;
    let invitation = Invitation { user: ada, hash: secret("link"), expires: noon() };
    let stay = session(ada, "stay", 0);
    let factor =
        SecondFactor { secret: secret("s"), last_step: 1, recovery_codes: vec![secret("a")] };
    in_unit(store, async |to| {
        to.sign_ins().set_password(ada, &secret("hash"), noon()).await?;
        to.sign_ins().invite(&invitation).await?;
        to.sign_ins().replace_second_factor(ada, None, Some(factor.clone())).await?;
        to.sign_ins().put_session(&stay).await
    })
    .await
    .unwrap();
    assert!(in_unit(store, async |to| to.users().remove(ada).await).await.unwrap());
    assert_eq!(store.sign_ins().password(ada).await.unwrap(), None);
    assert_eq!(store.sign_ins().invitation("link").await.unwrap(), None);
    assert_eq!(store.sign_ins().session("stay").await.unwrap(), None);
    assert_eq!(store.sign_ins().second_factor(ada).await.unwrap(), None);
}
