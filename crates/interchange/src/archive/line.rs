//! The lines of an archive.

use domain::{
    EmailAddress, Language, OrganizerDetails, Role, Stored, User, UserId, UserName, VenueDetails,
    event::EventDetails,
    term::{Categories, Tags},
    time::Zone,
};
use serde::{Deserialize, Serialize};

use super::{
    entry::{EntryLine, OrganizerLine, VenueLine},
    event::{EventLine, OccurrencesLine},
    image::ImageLine,
    review::{ProposalLine, RemarkLine, VerificationLine},
    site::SiteLine,
    term::TermLine,
    text::Utc,
    tombstone::TombstoneLine,
    trail::TrailLine,
};

/// The name of the format in the header.
pub(super) const FORMAT: &str = "events-calendar";

/// The version of the format. A program reads archives of this version alone.
pub(super) const VERSION: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) archive: String,
    pub(super) version: u32,
    pub(super) program: String,
    pub(super) created_utc: Utc,
    pub(super) timezone: Zone,
    pub(super) language: Language,
    pub(super) zone_data: String,
    /// The key with which passwords of events are hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) password_key: Option<String>,
}

/// A line after the header.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Line {
    User(UserLine),
    Category(TermLine<Categories>),
    Tag(TermLine<Tags>),
    Image(ImageLine),
    Venue(Box<EntryLine<VenueDetails, VenueLine>>),
    Organizer(Box<EntryLine<OrganizerDetails, OrganizerLine>>),
    Event(Box<EntryLine<EventDetails, EventLine>>),
    Occurrences(OccurrencesLine),
    #[serde(rename = "withdrawal")]
    Tombstone(TombstoneLine),
    Remark(RemarkLine),
    Verification(VerificationLine),
    Proposal(Box<ProposalLine>),
    SiteSetting(SiteLine),
    /// An entry of the audit trail.
    Audit(Box<TrailLine>),
}

/// A user, without tokens.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct UserLine {
    id: UserId,
    name: UserName,
    email: Option<EmailAddress>,
    role: Role,
    disabled: bool,
}

impl UserLine {
    pub(super) fn new(user: Stored<User>) -> Self {
        let User {
            name,
            email,
            role,
            disabled,
        } = user.content;
        Self {
            id: user.id,
            name,
            email,
            role,
            disabled,
        }
    }

    pub(super) fn into_user(self) -> Stored<User> {
        Stored {
            id: self.id,
            revision: 1,
            content: User {
                name: self.name,
                email: self.email,
                role: self.role,
                disabled: self.disabled,
            },
        }
    }
}
