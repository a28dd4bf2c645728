//! The lists of the desk.

use domain::Status;

use crate::words::Word;

/// A list of the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Mine,
    All,
    Drafts,
    Pending,
    Scheduled,
    StillRight,
    Trash,
}

impl List {
    pub(crate) const ALL: [Self; 7] = [
        Self::Mine,
        Self::All,
        Self::Drafts,
        Self::Pending,
        Self::Scheduled,
        Self::StillRight,
        Self::Trash,
    ];

    /// The name in addresses.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mine => "mine",
            Self::All => "all",
            Self::Drafts => "drafts",
            Self::Pending => "pending",
            Self::Scheduled => "scheduled",
            Self::StillRight => "still-right",
            Self::Trash => "trash",
        }
    }

    /// The title.
    pub(crate) const fn title(self) -> Word {
        match self {
            Self::Mine => Word::MY_EVENTS,
            Self::All => Word::ALL_EVENTS,
            Self::Drafts => Word::DRAFTS,
            Self::Pending => Word::PENDING,
            Self::Scheduled => Word::SCHEDULED,
            Self::StillRight => Word::STILL_RIGHT_LIST,
            Self::Trash => Word::TRASH,
        }
    }

    /// Whether the list is for people who may change the events of others.
    pub(crate) const fn is_of_editors(self) -> bool {
        matches!(self, Self::All)
    }

    /// The statuses of its events.
    pub(crate) fn statuses(self) -> Vec<Status> {
        match self {
            Self::Mine | Self::All => vec![
                Status::Publish,
                Status::Future,
                Status::Draft,
                Status::Pending,
                Status::Private,
            ],
            Self::Drafts => vec![Status::Draft],
            Self::Pending => vec![Status::Pending],
            Self::Scheduled => vec![Status::Future],
            Self::StillRight => vec![Status::Publish],
            Self::Trash => vec![Status::Trash],
        }
    }
}
