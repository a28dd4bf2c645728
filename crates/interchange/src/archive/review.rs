//! Lines of remarks, verifications and proposals, which the review adds to events.

use app::ports::{EventRemark, Proposal};
use domain::{EmailAddress, EventId, Secret, UserId, event::Remark};
use serde::{Deserialize, Serialize};

use super::text::Utc;

/// The remark with which an editor returned an event.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RemarkLine {
    pub(super) event: EventId,
    text: String,
    pub(super) author: Option<UserId>,
    at_utc: Utc,
}

/// The time at which an event was confirmed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VerificationLine {
    pub(super) event: EventId,
    pub(super) verified_utc: Utc,
}

/// A proposal of a visitor, without the address of the client, whose hash is of use to its site alone.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProposalLine {
    pub(super) event: EventId,
    /// The hash of the random text in the link of the sender.
    link_hash: String,
    sender: String,
    email: Option<EmailAddress>,
    place: String,
    created_utc: Utc,
    closed_utc: Option<Utc>,
}

impl RemarkLine {
    pub(super) fn new(remark: &EventRemark) -> Self {
        Self {
            event: remark.event,
            text: remark.text.as_str().to_owned(),
            author: remark.author,
            at_utc: Utc(remark.at),
        }
    }

    pub(super) fn into_remark(self) -> Result<EventRemark, String> {
        let text: Result<Remark, _> = self.text.parse();
        Ok(EventRemark {
            event: self.event,
            text: text.map_err(|error| format!("text: {error}"))?,
            author: self.author,
            at: self.at_utc.0,
        })
    }
}

impl ProposalLine {
    pub(super) fn new(proposal: Proposal) -> Self {
        let Proposal {
            event,
            hash,
            address: _,
            network: _,
            sender,
            email,
            place,
            created,
            closed,
        } = proposal;
        Self {
            event,
            link_hash: hash.expose().clone(),
            sender,
            email,
            place,
            created_utc: Utc(created),
            closed_utc: closed.map(Utc),
        }
    }

    pub(super) fn into_proposal(self) -> Proposal {
        Proposal {
            event: self.event,
            hash: Secret::from(self.link_hash),
            address: String::new(),
            network: String::new(),
            sender: self.sender,
            email: self.email,
            place: self.place,
            created: self.created_utc.0,
            closed: self.closed_utc.map(|time| time.0),
        }
    }
}
