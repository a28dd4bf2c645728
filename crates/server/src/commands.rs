//! The commands of the program.

pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod clean_media;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod feed;
mod first_token;
pub(crate) mod health;
mod images;
pub(crate) mod import;
mod listening;
pub(crate) mod maintain;
pub(crate) mod manual;
pub(crate) mod migrate;
pub(crate) mod mirror;
pub(crate) mod restore;
pub(crate) mod seed;
pub(crate) mod serve;
pub(crate) mod source;
pub(crate) mod token;
pub(crate) mod user;
pub(crate) mod zones;
