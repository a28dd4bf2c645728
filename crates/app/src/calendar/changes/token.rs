//! The tokens of readers that keep a copy: which changes a reader has, and who it is.
//!
//! A token is encrypted and authenticated (AES-SIV, RFC 5297) with a key of the site, so that it tells nothing
//! of the activity of others. Equal contents make equal tokens: an answer without news is the same answer.

use aes_siv::{KeyInit as _, siv::Aes128Siv};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{
    Kind, Role, UserId,
    policy::{Caller, Collection, Collections, Reach, Visibility},
    time::Timestamp,
};

use crate::{
    hashing::HashKey,
    ports::{JournalCursor, Publication, RecordRef},
};

/// The key of all tokens of a site.
pub(super) struct TokenKey([u8; 32]);

/// The bit beside the role of a reader who is limited to some collections: their byte follows the user.
const LIMITED: u8 = 0x80;

/// The caller to whom a token belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// Everybody who reads only public records.
    Public,
    /// One user in one role, in some collections.
    User(UserId, Role, Collections),
}

/// The reader of a token, and what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SyncScope {
    pub(super) reader: Reader,
    /// In the order of [`Kind::ALL`].
    pub(super) kinds: Vec<Kind>,
}

/// A state of the records: the entries of the journal that it includes, and the publications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SyncCursor {
    pub(super) journal: JournalCursor,
    pub(super) at: Timestamp,
}

/// The content of a sync token: the state that its reader has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SyncToken {
    pub(super) scope: SyncScope,
    pub(super) cursor: SyncCursor,
}

/// The content of a page token: what is left of a walk or of a delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageToken {
    pub(super) scope: SyncScope,
    /// The state that the reader gets.
    pub(super) end: SyncCursor,
    pub(super) position: Position,
}

/// The last item of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// The record of a first walk; none before the first page.
    Walk(Option<RecordRef>),
    /// The number of an entry in a delta from a state.
    Entry(SyncCursor, u64),
    /// The publication in a delta from a state, and the ID of the neighbour of its series; none for the published
    /// record itself, before its neighbours.
    Due(SyncCursor, Publication, Option<i64>),
}

impl TokenKey {
    pub(super) fn of_site(key: &HashKey) -> Self {
        Self(key.derived_bytes("tokens of synchronization"))
    }

    /// The token of a content, which is of use for one purpose alone.
    fn seal(&self, purpose: &str, content: &[u8]) -> String {
        // Encryption fails for contents of many gigabytes alone.
        let sealed = self.cipher().encrypt([purpose], content);
        BASE64_URL_SAFE_NO_PAD.encode(sealed.unwrap_or_default())
    }

    /// Reads the content of a token. None for a text that this site did not make for the purpose.
    fn open<T>(
        &self,
        purpose: &str,
        text: &str,
        read: impl Fn(&mut Bytes<'_>) -> Option<T>,
    ) -> Option<T> {
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let content = self.cipher().decrypt([purpose], &sealed).ok()?;
        let mut bytes = Bytes(&content);
        read(&mut bytes).filter(|_| bytes.0.is_empty())
    }

    fn cipher(&self) -> Aes128Siv {
        Aes128Siv::new(&self.0.into())
    }
}

impl Reader {
    pub(super) fn of(caller: Caller) -> Self {
        let reach = Visibility::new(caller, Timestamp::MAX).greatest_reach();
        match caller {
            Caller::User {
                id,
                role,
                collections,
            } if reach != Reach::Published => Self::User(id, role, collections),
            Caller::User { .. } | Caller::Anonymous => Self::Public,
        }
    }
}

/// The bytes of a content that are not read yet.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn number(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }

    fn id(&mut self) -> Option<i64> {
        self.take().map(i64::from_be_bytes)
    }

    fn instant(&mut self) -> Option<Timestamp> {
        Timestamp::from_seconds(self.id()?)
    }

    fn kind(&mut self) -> Option<Kind> {
        Kind::ALL.get(usize::from(self.byte()?)).copied()
    }

    fn record(&mut self) -> Option<RecordRef> {
        let (kind, id) = (self.kind()?, self.id()?);
        Some(RecordRef { kind, id })
    }

    fn cursor(&mut self) -> Option<SyncCursor> {
        let (number, nonce) = (self.number()?, self.take().map(u32::from_be_bytes)?);
        let journal = JournalCursor { number, nonce };
        let at = self.instant()?;
        Some(SyncCursor { journal, at })
    }

    fn scope(&mut self) -> Option<SyncScope> {
        let reader = match self.byte()? {
            0 => Reader::Public,
            byte => {
                let index = usize::from(byte & !LIMITED).checked_sub(1)?;
                let role = Role::ALL.get(index)?;
                let id = UserId::from_raw(self.id()?);
                let collections = match byte & LIMITED {
                    0 => Collections::ALL,
                    _ => self.some_of(Collection::ALL)?.collect(),
                };
                Reader::User(id, *role, collections)
            }
        };
        let kinds = self.some_of(Kind::ALL)?.collect();
        Some(SyncScope { reader, kinds })
    }

    /// The values whose bits are set in a byte.
    fn some_of<T, const N: usize>(&mut self, all: [T; N]) -> Option<impl Iterator<Item = T>> {
        let mask = self.byte()?;
        let indexed = all.into_iter().enumerate();
        let set = indexed.filter(move |(index, _)| mask >> index & 1 == 1);
        Some(set.map(|(_, one)| one))
    }
}

/// The index of a value among all of its type, from 0.
fn index_of<T: PartialEq>(all: &[T], value: &T) -> u8 {
    let index = all.iter().position(|one| one == value);
    index
        .and_then(|index| u8::try_from(index).ok())
        .unwrap_or(u8::MAX)
}

impl SyncScope {
    fn write(&self, to: &mut Vec<u8>) {
        match self.reader {
            Reader::Public => to.push(0),
            Reader::User(id, role, collections) => {
                let role = index_of(&Role::ALL, &role) + 1;
                let held = Collection::ALL.map(|one| collections.hold(one));
                let is_limited = collections != Collections::ALL;
                to.push(if is_limited { role | LIMITED } else { role });
                to.extend(id.get().to_be_bytes());
                to.extend(is_limited.then(|| mask(held)));
            }
        }
        to.push(mask(Kind::ALL.map(|kind| self.kinds.contains(&kind))));
    }
}

/// A byte with the bits that are true.
fn mask<const N: usize>(bits: [bool; N]) -> u8 {
    let bits = bits.into_iter().enumerate();
    bits.fold(0, |mask, (index, is_set)| mask | u8::from(is_set) << index)
}

impl SyncCursor {
    fn write(&self, to: &mut Vec<u8>) {
        let Self { journal, at } = self;
        to.extend(journal.number.to_be_bytes());
        to.extend(journal.nonce.to_be_bytes());
        to.extend(at.seconds().to_be_bytes());
    }
}

fn write_record(record: RecordRef, to: &mut Vec<u8>) {
    to.push(index_of(&Kind::ALL, &record.kind));
    to.extend(record.id.to_be_bytes());
}

impl SyncToken {
    const PURPOSE: &str = "sync token";

    pub(super) fn seal(&self, key: &TokenKey) -> String {
        let Self { scope, cursor } = self;
        let mut content = Vec::new();
        scope.write(&mut content);
        cursor.write(&mut content);
        key.seal(Self::PURPOSE, &content)
    }

    /// None for a text that is no sync token of this site.
    pub(super) fn open(key: &TokenKey, text: &str) -> Option<Self> {
        key.open(Self::PURPOSE, text, Self::read)
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let scope = from.scope()?;
        let cursor = from.cursor()?;
        Some(Self { scope, cursor })
    }
}

impl PageToken {
    const PURPOSE: &str = "page token";

    pub(super) fn seal(&self, key: &TokenKey) -> String {
        let mut content = Vec::new();
        self.write(&mut content);
        key.seal(Self::PURPOSE, &content)
    }

    /// None for a text that is no page token of this site.
    pub(super) fn open(key: &TokenKey, text: &str) -> Option<Self> {
        key.open(Self::PURPOSE, text, Self::read)
    }

    fn write(&self, to: &mut Vec<u8>) {
        let Self {
            scope,
            end,
            position,
        } = self;
        scope.write(to);
        end.write(to);
        match position {
            Position::Walk(None) => to.push(0),
            Position::Walk(Some(record)) => {
                to.push(1);
                write_record(*record, to);
            }
            Position::Entry(start, number) => {
                to.push(2);
                start.write(to);
                to.extend(number.to_be_bytes());
            }
            Position::Due(start, Publication { due, record }, neighbour) => {
                to.push(if neighbour.is_some() { 4 } else { 3 });
                start.write(to);
                to.extend(due.seconds().to_be_bytes());
                write_record(*record, to);
                to.extend(neighbour.iter().flat_map(|id| id.to_be_bytes()));
            }
        }
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let scope = from.scope()?;
        let end = from.cursor()?;
        let position = match from.byte()? {
            0 => Position::Walk(None),
            1 => Position::Walk(Some(from.record()?)),
            2 => Position::Entry(from.cursor()?, from.number()?),
            form @ (3 | 4) => {
                let start = from.cursor()?;
                let due = from.instant()?;
                let record = from.record()?;
                let neighbour = if form == 4 { Some(from.id()?) } else { None };
                Position::Due(start, Publication { due, record }, neighbour)
            }
            _ => return None,
        };
        Some(Self {
            scope,
            end,
            position,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{InMemoryStore, at};

    async fn key() -> TokenKey {
        TokenKey::of_site(&HashKey::load(&InMemoryStore::new()).await.unwrap())
    }

    fn token(number: u64) -> SyncToken {
        let journal = JournalCursor {
            number,
            nonce: u32::MAX,
        };
        SyncToken {
            scope: SyncScope {
                reader: Reader::User(
                    UserId::from_raw(i64::MAX),
                    Role::Administrator,
                    Collections::ALL,
                ),
                kinds: vec![Kind::Event, Kind::Tag],
            },
            cursor: SyncCursor {
                journal,
                at: at("2030-01-01 00:00:00"),
            },
        }
    }

    /// A token is short, the same for the same content, and shows nothing of it.
    #[tokio::test]
    async fn a_token_holds_its_content() {
        let key = key().await;
        let text = token(u64::MAX).seal(&key);
        assert!(text.len() <= 80, "{}", text.len());
        assert_eq!(SyncToken::open(&key, &text), Some(token(u64::MAX)));
        assert_eq!(token(u64::MAX).seal(&key), text);
        let next = token(u64::MAX - 1).seal(&key);
        let equal = text
            .bytes()
            .zip(next.bytes())
            .filter(|(one, other)| one == other);
        assert!(equal.count() < text.len() / 2, "{text} {next}");
    }

    #[tokio::test]
    async fn a_token_holds_the_collections_of_its_reader() {
        let key = key().await;
        let some = [Collection::Venues, Collection::Images];
        let mut token = token(7);
        token.scope.reader = Reader::User(
            UserId::from_raw(1),
            Role::Subscriber,
            some.into_iter().collect(),
        );
        assert_eq!(SyncToken::open(&key, &token.seal(&key)), Some(token));
    }

    #[tokio::test]
    async fn other_texts_are_no_tokens() {
        let (key, other) = (key().await, key().await);
        let text = token(7).seal(&key);
        assert_eq!(SyncToken::open(&other, &text), None);
        assert_eq!(PageToken::open(&key, &text), None);
        assert_eq!(SyncToken::open(&key, ""), None);
        for index in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(SyncToken::open(&key, &changed), None, "{changed}");
        }
    }

    #[tokio::test]
    async fn page_tokens_hold_each_position() {
        let key = key().await;
        let SyncToken { scope, cursor } = token(7);
        let record = RecordRef {
            kind: Kind::Venue,
            id: 3,
        };
        let due = Publication {
            due: at("2030-01-01 00:00:00"),
            record,
        };
        for position in [
            Position::Walk(None),
            Position::Walk(Some(record)),
            Position::Entry(cursor, 5),
            Position::Due(cursor, due, None),
            Position::Due(cursor, due, Some(9)),
        ] {
            let page = PageToken {
                scope: scope.clone(),
                end: cursor,
                position,
            };
            let text = page.seal(&key);
            assert_eq!(PageToken::open(&key, &text), Some(page));
        }
    }
}
