//! Proposals of visitors.

use std::{collections::HashMap, net::IpAddr};

use async_trait::async_trait;
use domain::{
    Event, EventId, FieldName, Kind, Role, Secret, Status, User, UserId, Venue,
    event::{ProposalLimits, Proposers},
    policy::{Caller, Capability, Guarded as _, Visibility},
    text::fold,
    time::Timestamp,
};

use crate::{
    audit,
    calendar::{Calendar, Delete, Precondition, Work, require},
    entry::{EntryFields, EntryWrite, SentTexts},
    error::AppError,
    event::{EventFields, EventView, EventWrite, PlaceRef},
    fault::{ExpectedType, Fault},
    hashing::{random_hex, sha256_hex},
    ports::{Proposal, Repositories, StoreError, UnitOfWork},
    request::{RecordKey, Request},
    resource::{self, Resource as _},
    write::{Change, DeleteOptions, New, WriteInput},
};

/// The name that all senders lock, so that two of them do not pass a limit together.
const LOCK: &str = "proposals of visitors";

/// The seconds to wait when too many proposals wait for an editor: a day.
const UNTIL_READ: i64 = 86_400;

/// The texts of a proposal beside its event, as sent.
#[derive(Clone, Debug, Default)]
pub struct ProposalTexts {
    /// The name of the sender; it may be empty.
    pub sender: String,
    /// The e-mail address of the sender; it may be empty.
    pub email: String,
    /// The place: the name of a venue, or another text; it may be empty.
    pub place: String,
}

/// The outcome of a proposal.
#[derive(Debug)]
pub enum Proposed {
    /// It is stored. The sender comes back by this text, a part of a link. The store keeps only its hash.
    Stored(Secret),
    /// Too many were sent. Nothing is stored.
    Wait {
        /// Delay before the next one, in seconds.
        seconds: i64,
    },
}

/// Stores a proposal.
struct Propose<'a> {
    request: Request<'a>,
    write: &'a EventWrite,
    proposal: &'a Proposal,
    open_max: u64,
}

#[async_trait]
impl Work for Propose<'_> {
    type Output = Option<i64>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Option<i64>, AppError> {
        let (now, reviews) = (self.request.now, unit.reviews());
        unit.events().lock_names(&[LOCK.to_owned()]).await?;
        let since = now.saturating_add(-ProposalLimits::LONGEST);
        let sent = reviews
            .proposals_sent(&self.proposal.address, since)
            .await?;
        if let Some(seconds) = ProposalLimits::wait_seconds(&sent, now) {
            return Ok(Some(seconds));
        }
        let network = Some(self.proposal.network.clone());
        if reviews.open_proposals(network).await? >= ProposalLimits::OF_NETWORK
            || reviews.open_proposals(None).await? >= self.open_max
        {
            return Ok(Some(UNTIL_READ));
        }
        let (mut write, mut proposal) = (self.write.clone(), self.proposal.clone());
        if let Some(id) = public_venue(&proposal.place, now, unit).await? {
            write.own.venue = Change::Set(PlaceRef::Id(id));
            proposal.place.clear();
        }
        proposal.event = Event::create(write, &self.request, unit).await?.id;
        reviews.add_proposal(&proposal).await?;
        Ok(None)
    }
}

/// The public venue with a name.
async fn public_venue(
    name: &str,
    now: Timestamp,
    unit: &dyn Repositories,
) -> Result<Option<i64>, StoreError> {
    if name.is_empty() {
        return Ok(None);
    }
    let anybody = Visibility::new(Caller::Anonymous, now);
    let named = unit.venues().find_named(&[fold(name)]).await?;
    let is_linkable = |venue: &&domain::Stored<Venue>| venue.is_linkable(&anybody);
    Ok(named.iter().find(is_linkable).map(|venue| venue.id.get()))
}

/// The write of a proposal: title, time and description alone.
fn proposed(write: EventWrite) -> EventWrite {
    let EntryWrite { shared, own } = write;
    let html = SentTexts {
        description: shared.html.description,
        excerpt: None,
    };
    EntryWrite {
        shared: EntryFields {
            title: shared.title,
            html,
            status: Some(Status::Pending),
            ..EntryFields::default()
        },
        own: EventFields {
            zone: own.zone,
            start: own.start,
            end: own.end,
            all_day: own.all_day,
            ..EventFields::default()
        },
    }
}

/// Moves the event of a proposal to the trash.
struct Withdraw<'a> {
    calendar: &'a Calendar,
    hash: String,
}

#[async_trait]
impl Work for Withdraw<'_> {
    type Output = bool;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<bool, AppError> {
        let found = self.calendar.valid_proposal(&self.hash, unit).await?;
        let Some(proposal) = found else {
            return Ok(false);
        };
        let event = unit.events().find_for_update(proposal.event).await?;
        let Some(event) = event.filter(|event| event.stage.awaits_decision()) else {
            return Ok(false);
        };
        let request = self.calendar.request_of(sender(event.author));
        let (any, options) = (Precondition::Any, DeleteOptions::default());
        let key = RecordKey::Id(event.id);
        Delete::<Event>::prepare(request, key, &any, &options)?
            .run(unit)
            .await?;
        Ok(true)
    }
}

/// The caller that the sender of a proposal is, whatever role its author has.
fn sender(author: UserId) -> Caller {
    Caller::of(author, Role::Contributor)
}

impl Calendar {
    /// Checks that a caller may propose events.
    ///
    /// # Errors
    ///
    /// [`AppError::NotFound`] if nobody may; [`AppError::Unauthenticated`] or [`AppError::Forbidden`].
    pub fn authorize_proposal(&self, caller: Caller) -> Result<(), AppError> {
        match self.site.proposals {
            Proposers::Nobody => Err(AppError::NotFound(Kind::Event)),
            Proposers::SignedIn => require(caller, Capability::Write(Kind::Event)),
            Proposers::Anybody => Ok(()),
        }
    }

    /// Stores an event that a visitor proposes: it waits for an editor. It takes title, time and description from the write.
    /// The event belongs to the caller where users alone may propose, else to the user [`User::PROPOSALS`].
    ///
    /// ```
    /// use events_calendar_app::{Calendar, calendar::{ProposalTexts, Proposed}, ports::Media, site::Site, write::NewEvent};
    /// use domain::{Status, event::Proposers, policy::Caller, time::{EventTime, Zone, parse_civil}};
    /// # use std::sync::Arc;
    /// # use events_calendar_app::test_support::{FixedClock, InMemoryStore};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (store, clock) = (Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
    /// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
    /// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// let site = Site { proposals: Proposers::Anybody, ..Site::default() };
    /// let calendar = Calendar::new(store, clock, Media::none(), site).await?;
    /// calendar.authorize_proposal(Caller::Anonymous)?;
    ///
    /// let fair = NewEvent::builder("Fair".parse()?, when).build();
    /// let texts = ProposalTexts { sender: "Eve".to_owned(), place: "Barn".to_owned(), ..ProposalTexts::default() };
    /// let Proposed::Stored(link) = calendar.propose(Caller::Anonymous, None, &fair, &texts).await? else {
    ///     unreachable!()
    /// };
    /// let view = calendar.proposal(link.expose()).await?.unwrap();
    /// assert_eq!((view.status, view.event.title.as_str()), (Status::Pending, "Fair"));
    /// assert!(calendar.proposals(Caller::Anonymous, &[&view]).await?.is_empty());
    /// assert!(calendar.withdraw_proposal(link.expose()).await?);
    /// assert_eq!(calendar.proposal(link.expose()).await?.unwrap().status, Status::Trash);
    /// assert_eq!(calendar.prune_proposals().await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`authorize_proposal`](Self::authorize_proposal); [`AppError::Invalid`] and [`AppError::Missing`].
    #[tracing::instrument(name = "app.propose", skip_all)]
    pub async fn propose(
        &self,
        caller: Caller,
        client: Option<IpAddr>,
        input: &WriteInput<Event, New>,
        texts: &ProposalTexts,
    ) -> Result<Proposed, AppError> {
        self.authorize_proposal(caller)?;
        let mut faults = input.faults.clone();
        let name = faults.line(FieldName::Name, &texts.sender);
        let place = faults.line(FieldName::Venue, &texts.place);
        let email = texts.email.trim();
        let address = email.parse::<domain::EmailAddress>();
        if !email.is_empty() && address.is_err() {
            faults.fault(FieldName::Email, Fault::Type(ExpectedType::Email));
        }
        let mut write = WriteInput::<Event, New>::new(proposed(input.write.clone()), faults);
        write.language = input.language;
        let author = match (self.site.proposals, caller.user()) {
            (Proposers::SignedIn, Some(user)) => user,
            _ => self.user_of_proposals().await?,
        };
        let caller = sender(author);
        let check = || self.check_new(caller, &write);
        let prepared = self.check_in_turn(&write, check).await?;
        let key = self.hash_key.derived(LOCK);
        let hashed = |prefix: Option<IpAddr>| {
            key.digest(
                prefix
                    .map(|one| one.to_string())
                    .unwrap_or_default()
                    .as_bytes(),
            )
        };
        let text = random_hex();
        let proposal = Proposal {
            event: EventId::from_raw(1),
            hash: sha256_hex(&text).into(),
            address: hashed(client.map(ProposalLimits::address)),
            network: hashed(client.map(ProposalLimits::network)),
            sender: name.unwrap_or_default(),
            email: address.ok(),
            place: place.unwrap_or_default(),
            created: self.now(),
            closed: None,
        };
        let propose = Propose {
            request: prepared.request(self, caller),
            write: &prepared.write,
            proposal: &proposal,
            open_max: self.site.proposals_open.into(),
        };
        Ok(match self.in_unit(&propose).await? {
            None => Proposed::Stored(text.into()),
            Some(seconds) => Proposed::Wait { seconds },
        })
    }

    /// The user to whom proposals belong, who is created when needed.
    async fn user_of_proposals(&self) -> Result<UserId, AppError> {
        let found = self.store.users().find_by_login(User::PROPOSALS).await?;
        if let Some(user) = found {
            return Ok(user.id);
        }
        let invalid = |_| StoreError::Internal("the user of proposals has no name".to_owned());
        let user = User {
            name: User::PROPOSALS.parse().map_err(invalid)?,
            email: None,
            role: Role::Contributor,
            disabled: false,
        };
        let unit = self.store.begin().await?;
        let added = unit.users().insert(user).await?;
        if let Some(added) = &added {
            audit::of_user(None, Some(added), Vec::new(), self.now(), &*unit).await?;
        }
        unit.commit().await?;
        // Another server may have created it at the same time.
        added.map(|user| user.id).ok_or(StoreError::Conflict.into())
    }

    /// The proposal with the hash of a link that is valid.
    async fn valid_proposal(
        &self,
        hash: &str,
        repositories: &dyn Repositories,
    ) -> Result<Option<Proposal>, AppError> {
        let found = repositories.reviews().proposal(hash).await?;
        let seconds = ProposalLimits::DAYS * 86_400;
        Ok(found.filter(|one| self.now() < one.created.saturating_add(seconds)))
    }

    /// The event of a proposal, for its sender: by the text of the link, for 30 days.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn proposal(&self, text: &str) -> Result<Option<EventView>, AppError> {
        let store = &*self.store;
        let Some(proposal) = self.valid_proposal(&sha256_hex(text), store).await? else {
            return Ok(None);
        };
        let Some(event) = store.events().find(proposal.event).await? else {
            return Ok(None);
        };
        let visibility = Visibility::new(sender(event.author), self.now());
        let views = resource::load(vec![event], &visibility, store).await?;
        Ok(views.into_iter().next())
    }

    /// Moves the event of a proposal to the trash, for its sender, as long as it waits. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn withdraw_proposal(&self, text: &str) -> Result<bool, AppError> {
        let (calendar, hash) = (self, sha256_hex(text));
        self.in_unit(&Withdraw { calendar, hash }).await
    }

    /// The proposals that these events are, by event, for callers who may change the events of others.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn proposals(
        &self,
        caller: Caller,
        events: &[&EventView],
    ) -> Result<HashMap<EventId, Proposal>, AppError> {
        if !caller.can_in(Kind::Event, Capability::EditOthers) {
            return Ok(HashMap::new());
        }
        let ids: Vec<_> = events.iter().filter_map(|view| view.event.id).collect();
        let found = self.store.repositories().reviews().proposals(&ids).await?;
        Ok(found.into_iter().map(|one| (one.event, one)).collect())
    }

    /// Deletes what is known of the senders of proposals that were closed 30 days ago. Returns their number.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn prune_proposals(&self) -> Result<u64, AppError> {
        let seconds = ProposalLimits::DAYS * 86_400;
        let unit = self.store.begin().await?;
        let before = self.now().saturating_add(-seconds);
        let deleted = unit.reviews().prune_proposals(before).await?;
        unit.commit().await?;
        Ok(deleted)
    }
}
