//! Users, tokens, passwords and sessions, repeated requests, imports, settings.

pub mod accounts;
pub mod audit;
pub mod idempotency;
pub mod imports_and_settings;
pub mod reviews;
pub mod sign_ins;
pub mod site_settings;
