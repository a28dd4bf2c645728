//! JSON of records of lists, kept piece by piece.
//!
//! A piece is the JSON of one thing: of a venue, of a term, of an event without what is linked to it.
//! It is kept together with what it was made of, and is used again where exactly that is to be shown:
//! both are compared, so that nothing has to say what changed, or to whom something may be shown.

use std::{any::Any, sync::Arc};

use domain::Kind;
use serde::Serialize;

use super::{Cache, ENTRY_BYTES, Measured};
use crate::{
    cache,
    site::{Site, SiteDigest},
};

/// What a piece takes, more or less.
const USUAL_BYTES: u64 = 2 * 1024;

/// Something of which a piece is made: all that its JSON depends on beside the site.
pub(crate) trait Fragment: Send + Sync + Sized + 'static {
    /// What it is.
    const KIND: Kind;

    /// Which one it is.
    fn id(&self) -> i64;

    /// Whether the JSON of both is the same.
    fn is_shown_as(&self, other: &Self) -> bool;

    /// What is to be compared later.
    fn to_kept(&self) -> Self;

    /// How many bytes its texts take.
    fn text_bytes(&self) -> usize;

    /// Its JSON: two objects, the second of which may be empty.
    ///
    /// # Errors
    ///
    /// If it cannot be written, which does not happen.
    fn parts(&self, site: &Site) -> serde_json::Result<[Vec<u8>; 2]>;
}

/// What is kept; by site, kind and number.
#[derive(Debug)]
pub(crate) struct FragmentCache(Option<Cache<Key, Arc<CachedFragment>>>);

type Key = (SiteDigest, Kind, i64);

/// A piece.
#[derive(Debug)]
pub(crate) struct CachedFragment {
    /// What it was made of.
    of: Box<dyn Any + Send + Sync>,
    parts: [Box<[u8]>; 2],
    size: usize,
}

impl CachedFragment {
    fn new<P: Fragment>(of: &P, site: &Site) -> serde_json::Result<Self> {
        let parts = of.parts(site)?.map(Vec::into_boxed_slice);
        let length: usize = parts.iter().map(|part| part.len()).sum();
        Ok(Self {
            size: length + of.text_bytes() + size_of::<P>() + ENTRY_BYTES,
            of: Box::new(of.to_kept()),
            parts,
        })
    }

    pub(crate) fn parts(&self) -> [&[u8]; 2] {
        let [first, second] = &self.parts;
        [first, second]
    }
}

impl Measured for Arc<CachedFragment> {
    fn size(&self) -> u64 {
        self.size as u64
    }
}

impl FragmentCache {
    /// With room for so many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(cache::with_room(bytes, USUAL_BYTES))
    }

    /// Writes at a site.
    pub(crate) fn writer<'a>(&'a self, site: &'a Site) -> Writer<'a> {
        Writer {
            kept: self.0.as_ref(),
            site,
            digest: site.digest(),
            out: Vec::with_capacity(64 * 1024),
        }
    }
}

/// JSON that is being written.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    kept: Option<&'a Cache<Key, Arc<CachedFragment>>>,
    site: &'a Site,
    digest: SiteDigest,
    out: Vec<u8>,
}

impl Writer<'_> {
    /// Whether pieces are kept; if not, what is whole is written faster.
    pub(crate) fn caches_fragments(&self) -> bool {
        self.kept.is_some()
    }

    pub(crate) fn site(&self) -> &Site {
        self.site
    }

    /// Writes a value.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> serde_json::Result<()> {
        serde_json::to_writer(&mut self.out, value)
    }

    /// What was written.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.out
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// The piece of something.
    pub(crate) fn piece<P: Fragment>(&self, of: &P) -> serde_json::Result<Arc<CachedFragment>> {
        let key = (self.digest, P::KIND, of.id());
        if let Some(made) = self.kept.and_then(|kept| kept.get(&key))
            && let Some(kept) = made.of.downcast_ref::<P>()
            && of.is_shown_as(kept)
        {
            return Ok(made);
        }
        let made = Arc::new(CachedFragment::new(of, self.site)?);
        if let Some(kept) = self.kept {
            kept.insert(key, Arc::clone(&made));
        }
        Ok(made)
    }

    /// Writes something that is one piece.
    pub(crate) fn one<P: Fragment>(&mut self, of: &P) -> serde_json::Result<()> {
        let made = self.piece(of)?;
        self.raw(made.parts()[0]);
        Ok(())
    }

    /// Writes a list of them.
    pub(crate) fn list<P: Fragment>(&mut self, all: &[Arc<P>]) -> serde_json::Result<()> {
        self.raw(b"[");
        for (index, one) in all.iter().enumerate() {
            if index > 0 {
                self.raw(b",");
            }
            self.one(&**one)?;
        }
        self.raw(b"]");
        Ok(())
    }
}
