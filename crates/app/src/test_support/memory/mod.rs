//! A store in memory.

mod accounts;
mod kept;
mod repository;
mod session;
mod state;

pub use session::InMemoryStore;
