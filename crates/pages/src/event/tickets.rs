//! The tickets of an event: those on sale as a button, and all as a list.

use domain::{event::EventDetails, ticket::TicketOffer, web_url::WebUrl};

use super::super::{
    content::{Link, TicketButton, Value},
    dates,
    request::PageRequest,
    words::{
        Word, buy,
        money::{self, least},
        not_yet_sold,
    },
};

/// The present offer of the tickets; `None` if the event has no tickets, or if no ticket on sale has a shop.
pub(super) fn button(details: &EventDetails, request: &PageRequest) -> Option<TicketButton> {
    let language = request.language();
    let zone = details.when.zone();
    let offer = TicketOffer::at(request.state.calendar.now(), &details.tickets)?;
    Some(match offer {
        TicketOffer::Open(open) => {
            let shop = open.iter().find_map(|ticket| ticket.url.as_ref())?;
            let least = least(open.iter().copied());
            let is_least =
                least.is_some_and(|least| open.iter().any(|one| one.price != least.price));
            let price = least.map(|least| money::price(least, language));
            TicketButton::Buy(Link {
                url: shop.as_str().to_owned(),
                text: buy(price.as_deref(), is_least, language),
            })
        }
        TicketOffer::From(moment) => {
            let moment = dates::moment(moment, zone, language);
            TicketButton::Note(not_yet_sold(&moment, language))
        }
        TicketOffer::Ended => {
            TicketButton::Note(request.word(Word::TICKETS_NO_LONGER_SOLD).to_owned())
        }
    })
}

/// Each ticket with its price, linked to its shop while it is on sale.
pub(super) fn lines(details: &EventDetails, request: &PageRequest) -> impl Iterator<Item = Value> {
    let now = request.state.calendar.now();
    details.tickets.iter().filter_map(move |ticket| {
        let price = money::price(ticket, request.language());
        let text = format!("{} · {price}", ticket.name.as_str());
        match ticket.url.as_ref().filter(|_| ticket.on_sale.is_open(now)) {
            Some(url) => Some(Value::link(WebUrl::as_str(url), text)),
            None => Value::text(&text),
        }
    })
}
