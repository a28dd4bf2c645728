//! Users, and what signs them in.

pub(crate) mod account;
pub(crate) mod account_invitation;
pub(crate) mod account_password;
pub(crate) mod account_second_factor;
pub(crate) mod account_token;
pub(crate) mod browser_session;
