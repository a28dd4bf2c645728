//! Users, tokens, repeated requests, imports, settings.

pub mod accounts;
pub mod idempotency;
pub mod imports_and_settings;
