//! The fields of a ticket.

use domain::ticket::{OnSale, Ticket};

use super::instant;
use crate::event::TicketFields;

impl From<Ticket> for TicketFields {
    fn from(ticket: Ticket) -> Self {
        let on_sale = ticket.on_sale;
        Self {
            ticket: Ticket {
                on_sale: OnSale::default(),
                ..ticket
            },
            from: on_sale.from().map(instant),
            until: on_sale.until().map(instant),
        }
    }
}
