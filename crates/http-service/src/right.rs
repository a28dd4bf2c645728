//! The right that a method of a path needs.

use std::pin::Pin;

use app::resource::Resource;
use domain::policy::{Caller, Capability};

use crate::{
    extract::{Segments, key},
    state::AppState,
};

/// The right that a method needs.
#[derive(Clone, Copy, Debug)]
pub enum Right {
    /// No right is needed.
    Public,
    /// The caller must be a user.
    LoggedIn,
    /// The caller must have a capability.
    Can(Capability),
    /// The right to change the record of the path. The function makes the check of the captured
    /// segments; none if they cannot name a record.
    Change(fn(&Segments) -> Option<Check>),
}

/// The check of the right to change a record.
pub type Check =
    Box<dyn FnOnce(AppState, Caller) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send>;

impl Right {
    /// The right to change a record.
    pub fn change<R: Resource>() -> Self {
        Self::Change(|segments| {
            let key = key::key::<R>(segments)?;
            Some(Box::new(move |state, caller| {
                Box::pin(async move { state.calendar.may_change::<R>(caller, &key).await })
            }))
        })
    }

    /// The right to read and delete a secret feed by its ID.
    pub fn manage_feed() -> Self {
        Self::Change(|segments| {
            let id = key::id(&segments.first()?.1)?;
            Some(Box::new(move |state, caller| {
                Box::pin(async move { state.calendar.may_delete_secret_feed(caller, id).await })
            }))
        })
    }

    /// The right to change and delete an image.
    pub fn change_image() -> Self {
        Self::Change(|segments| {
            let id = key::id(&segments.first()?.1)?;
            Some(Box::new(move |state, caller| {
                Box::pin(async move { state.calendar.may_change_image(caller, id).await })
            }))
        })
    }
}
