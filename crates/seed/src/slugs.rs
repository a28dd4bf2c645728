//! Unique slugs.

use std::collections::HashMap;

use domain::{Kind, slug::Slug};

/// Allocates slugs, each once per kind.
#[derive(Debug, Default)]
pub(crate) struct SlugAllocator {
    /// Each allocated slug, with the last number appended to it; 1 without one.
    last: HashMap<(Kind, Slug), u32>,
}

impl SlugAllocator {
    /// Allocates the requested slug, or the slug with the next free number if it is taken or
    /// reserved.
    pub(crate) fn take(&mut self, kind: Kind, requested: Slug) -> Slug {
        if !requested.is_reserved() && self.insert(kind, &requested) {
            return requested;
        }
        loop {
            let last = self.last.entry((kind, requested.clone())).or_insert(1);
            *last += 1;
            let numbered = requested.numbered(*last);
            if self.insert(kind, &numbered) {
                return numbered;
            }
        }
    }

    fn insert(&mut self, kind: Kind, slug: &Slug) -> bool {
        let key = (kind, slug.clone());
        !self.last.contains_key(&key) && self.last.insert(key, 1).is_none()
    }
}
