//! The face that pages show now. Administrators change it while the service runs.

use std::sync::{Arc, PoisonError, RwLock};

use app::{AppError, Calendar, ports::StoredSite};
use tokio::sync::Mutex;

use super::{Face, FixedFace};
use crate::response::asset::Asset;

/// The face that pages show now. Clones share it.
#[derive(Clone, Debug)]
pub struct LiveFace {
    fixed: Arc<FixedFace>,
    shown: Arc<RwLock<Shown>>,
    /// Held while the stored values are read and shown: the values read last are those that stay.
    refreshing: Arc<Mutex<()>>,
}

#[derive(Debug)]
struct Shown {
    /// The revision of the stored values.
    revision: i64,
    face: Arc<Face>,
    /// The face before it, whose files pages in other caches still load.
    former: Arc<Face>,
}

impl Default for LiveFace {
    fn default() -> Self {
        Self::new(FixedFace::default())
    }
}

impl LiveFace {
    /// The face of fixed values, until stored ones are read.
    pub fn new(fixed: FixedFace) -> Self {
        let stored = StoredSite::default();
        let face = Arc::new(fixed.over(&stored));
        let shown = Shown {
            revision: stored.revision,
            former: Arc::clone(&face),
            face,
        };
        Self {
            fixed: Arc::new(fixed),
            shown: Arc::new(RwLock::new(shown)),
            refreshing: Arc::default(),
        }
    }

    /// The values that the settings of the program fix.
    pub fn fixed(&self) -> &FixedFace {
        &self.fixed
    }

    /// The face that pages show now.
    pub fn shown(&self) -> Arc<Face> {
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&shown.face)
    }

    /// The revision of the stored values that pages show now.
    pub fn revision(&self) -> i64 {
        let shown = self.shown.read();
        shown.unwrap_or_else(PoisonError::into_inner).revision
    }

    /// The file with a name that pages of this face, or of the face before it, load.
    pub fn asset(&self, name: &str) -> Option<Asset> {
        let shown = self.shown.read().unwrap_or_else(PoisonError::into_inner);
        let mut assets = shown.face.assets().chain(shown.former.assets());
        assets.find(|asset| asset.name == name).cloned()
    }

    /// Shows the stored values of the calendar, if they changed. Returns whether they did.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or holds a value that does not suit its setting; then nothing changes.
    pub async fn refresh(&self, calendar: &Calendar) -> Result<bool, AppError> {
        let _turn = self.refreshing.lock().await;
        if calendar.site_revision().await? == self.revision() {
            return Ok(false);
        }
        let stored = calendar.stored_site().await?;
        let face = Arc::new(self.fixed.over(&stored));
        let mut shown = self.shown.write().unwrap_or_else(PoisonError::into_inner);
        *shown = Shown {
            revision: stored.revision,
            former: Arc::clone(&shown.face),
            face,
        };
        Ok(true)
    }
}
