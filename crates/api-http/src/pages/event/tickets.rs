//! The tickets of an event: those on sale as a button, and all as a list.

use domain::{
    event::EventDetails,
    ticket::{Ticket, TicketOffer},
    web_url::WebUrl,
};

use super::super::{
    content::{Link, TicketButton, Value},
    dates,
    request::PageRequest,
    words::{Word, buy, money, not_yet_sold},
};

/// What the tickets offer now; none if the event has no tickets, or if those on sale have no shop.
pub(super) fn button(details: &EventDetails, request: &PageRequest) -> Option<TicketButton> {
    let language = request.language();
    let zone = details.when.zone();
    let offer = TicketOffer::at(request.state.calendar.now(), &details.tickets)?;
    Some(match offer {
        TicketOffer::Open(open) => {
            let shop = open.iter().find_map(|ticket| ticket.url.as_ref())?;
            let price = least(&open).map(|least| {
                let is_least = open.iter().any(|one| one.price != least.price);
                (money::price(least, language), is_least)
            });
            let price = price.as_ref().map(|(text, is_least)| (&**text, *is_least));
            TicketButton::Buy(Link {
                url: shop.as_str().to_owned(),
                text: buy(price, language),
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

/// The cheapest ticket; none if they are in several currencies.
fn least<'a>(tickets: &[&'a Ticket]) -> Option<&'a Ticket> {
    let least = tickets.iter().min_by_key(|ticket| ticket.price)?;
    let is_same = |ticket: &&Ticket| ticket.currency == least.currency;
    tickets.iter().all(is_same).then_some(least)
}

/// Each ticket with its price, linked to its shop while it is on sale.
pub(super) fn lines(details: &EventDetails, request: &PageRequest) -> impl Iterator<Item = Value> {
    let now = request.state.calendar.now();
    details.tickets.iter().map(move |ticket| {
        let price = money::price(ticket, request.language());
        let text = format!("{} · {price}", ticket.name.as_str());
        match ticket.url.as_ref().filter(|_| ticket.on_sale.is_open(now)) {
            Some(url) => Value::link(WebUrl::as_str(url), text),
            None => Value::Text(text),
        }
    })
}
