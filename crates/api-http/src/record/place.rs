//! Venues and organizers as pieces of cached answers.

use app::place::PlaceView;
use domain::{Entry, Kind, Record as _, entry::Details};

use super::Extent;
use crate::{pieces::Piece, resource::Routed, urls::Site};

impl<D: Details> Piece for PlaceView<D>
where
    Entry<D>: Routed<View = Self>,
{
    const KIND: Kind = D::KIND;

    fn id(&self) -> i64 {
        self.entry.id.get()
    }

    fn is_shown_as(&self, other: &Self) -> bool {
        self == other
    }

    fn to_kept(&self) -> Self {
        self.clone()
    }

    fn text_bytes(&self) -> usize {
        self.entry.text_bytes()
    }

    fn parts(&self, site: &Site) -> serde_json::Result<[Vec<u8>; 2]> {
        let record = serde_json::to_vec(&Entry::<D>::record(self, site, Extent::Record))?;
        Ok([record, Vec::new()])
    }
}
