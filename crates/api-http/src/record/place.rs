//! What venues and organizers share as JSON.

use app::place::PlaceView;
use domain::{Entry, Kind, Record as _, entry::Details};
use serde::Serialize;

use super::Extent;
use crate::{pieces::Piece, resource::Routed, urls::Site};

/// The fields before the name.
#[derive(Debug, Serialize)]
pub(super) struct Head {
    id: i64,
    author: i64,
    status: &'static str,
    date: String,
    date_utc: String,
    modified: String,
    modified_utc: String,
    url: String,
}

/// The names across sites, which stand last.
#[derive(Debug, Serialize)]
pub(super) struct GlobalId {
    global_id: String,
    global_id_lineage: [String; 1],
}

impl Head {
    pub(super) fn new<D: Details>(view: &PlaceView<D>, site: &Site) -> Self {
        let entry = &view.entry;
        Self {
            id: entry.id.get(),
            author: entry.author.get(),
            status: view.status.name(),
            date: site.local(entry.date),
            date_utc: entry.date.to_string(),
            modified: site.local(entry.modified),
            modified_utc: entry.modified.to_string(),
            url: site.page(D::KIND, entry.id, entry.slug.as_ref()),
        }
    }
}

impl GlobalId {
    /// The name of a record across sites; events alone have no kind in theirs.
    pub(super) fn new(kind: Kind, id: i64, site: &Site) -> Self {
        let name = match kind {
            Kind::Event => "id",
            other => other.name(),
        };
        let global_id = format!("{}?{name}={id}", site.host);
        Self {
            global_id_lineage: [global_id.clone()],
            global_id,
        }
    }
}

/// Whether a field is left out: clients know venues and organizers without what is empty.
pub(super) fn is_empty(text: &str) -> bool {
    text.is_empty()
}

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
