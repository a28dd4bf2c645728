//! Stored answers under idempotency keys.

use app::ports::{IdempotencyKeys, Store, StoredAnswer};
use domain::time::Timestamp;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds).unwrap()
}

/// Claims a key at a moment, for ten seconds.
async fn take(
    keys: &dyn IdempotencyKeys,
    key: &str,
    digest: &str,
    now: i64,
) -> Option<StoredAnswer> {
    keys.claim(key, digest, at(now), at(now + 10)).await.unwrap()
}

/// Claims a key and stores an answer, in a unit of its own.
async fn answer(store: &dyn Store, key: &str, now: i64, answer: &str) {
    let unit = store.begin().await.unwrap();
    assert_eq!(take(unit.idempotency(), key, "5f", now).await, None, "{key}");
    unit.idempotency().store_answer(key, answer).await.unwrap();
    unit.commit().await.unwrap();
}

/// A second claim of a key returns the stored answer, with any digest.
pub async fn a_key_is_taken_once(store: &dyn Store) {
    let odd = "🎉 'x' \"y\" \\ % مهرجان\n";
    answer(store, "a", 0, odd).await;
    answer(store, "A", 0, "other").await;
    for digest in ["5f", "a1"] {
        let unit = store.begin().await.unwrap();
        let kept = take(unit.idempotency(), "a", digest, 5).await.unwrap();
        assert_eq!((kept.digest.as_str(), kept.answer.as_str()), ("5f", odd));
        unit.commit().await.unwrap();
    }
}

/// A rollback releases the key that its unit of work claimed.
pub async fn a_key_that_was_not_kept_is_free(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    assert_eq!(take(unit.idempotency(), "a", "5f", 0).await, None);
    unit.idempotency().store_answer("a", "never").await.unwrap();
    unit.rollback().await.unwrap();
    answer(store, "a", 0, "first").await;
}

/// A claimed key is free again after it expires.
pub async fn expired_keys_are_free(store: &dyn Store) {
    for key in 0..40 {
        answer(store, &key.to_string(), 0, "old").await;
    }
    let unit = store.begin().await.unwrap();
    assert!(take(unit.idempotency(), "39", "5f", 9).await.is_some());
    unit.commit().await.unwrap();
    answer(store, "39", 10, "new").await;
    let unit = store.begin().await.unwrap();
    let kept = take(unit.idempotency(), "39", "5f", 11).await.unwrap();
    assert_eq!(kept.answer, "new");
    unit.commit().await.unwrap();
}
