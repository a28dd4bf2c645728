//! `config`: shows and checks the settings.

pub(crate) mod check;
pub(crate) mod show;
