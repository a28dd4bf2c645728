//! The interface, request by request.

mod smoke;
