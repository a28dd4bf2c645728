//! The remarks of editors on events that they returned, verifications of events, and proposals of visitors.

use async_trait::async_trait;
use domain::{EmailAddress, EventId, Secret, UserId, event::Remark, time::Timestamp};

use crate::ports::StoreError;

/// The remark with which an editor returned an event to its author. An event has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRemark {
    /// The event.
    pub event: EventId,
    /// The text.
    pub text: Remark,
    /// The editor; `None` if the user was deleted.
    pub author: Option<UserId>,
    /// The time at which the event was returned.
    pub at: Timestamp,
}

/// A proposal of a visitor, beside its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The event.
    pub event: EventId,
    /// The hash of the text by which the sender comes back.
    pub hash: Secret,
    /// The address of the client, as a hash.
    pub address: String,
    /// The network of the client, as a hash.
    pub network: String,
    /// The name of the sender; empty if none was sent.
    pub sender: String,
    /// The e-mail address of the sender.
    pub email: Option<EmailAddress>,
    /// The place that is no venue yet; empty if the event has a venue, or none.
    pub place: String,
    /// The time at which it was sent.
    pub created: Timestamp,
    /// The time at which its event was published or put in the trash; none as long as it waits.
    pub closed: Option<Timestamp>,
}

/// Stores what the review of events adds to them.
///
/// ```
/// use events_calendar_app::{
///     ports::{EventRemark, Proposal, Repositories, ReviewRepository, Store},
///     test_support::{InMemoryStore, add_user, at, event, in_unit},
/// };
/// use domain::Role;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let ada = add_user(&store, "ada", Role::Editor).await.user();
/// let fair = in_unit(&store, async |unit| event("Fair").insert(unit).await).await.id;
/// let unit = store.begin().await?;
/// let reviews: &dyn ReviewRepository = unit.reviews();
/// let remark = EventRemark {
///     event: fair,
///     text: "Which hall?".parse()?,
///     author: ada,
///     at: at("2030-01-01 09:00:00"),
/// };
/// reviews.put_remark(&remark).await?;
/// assert_eq!(reviews.remarks(&[fair]).await?, [remark]);
/// assert!(reviews.end_remark(fair).await?);
///
/// let noon = at("2030-01-01 12:00:00");
/// reviews.verify(fair, noon).await?;
/// assert_eq!(reviews.verified(&[fair]).await?, [(fair, noon)]);
/// assert!(reviews.to_verify(domain::UserId::from_raw(1), noon, 10).await?.is_empty());
///
/// let proposal = Proposal {
///     event: fair,
///     hash: "hash of a link".to_owned().into(),
///     address: "hash of an address".to_owned(),
///     network: "hash of a network".to_owned(),
///     sender: "Eve".to_owned(),
///     email: None,
///     place: "Barn".to_owned(),
///     created: noon,
///     closed: None,
/// };
/// reviews.add_proposal(&proposal).await?;
/// assert_eq!(reviews.proposal("hash of a link").await?.as_ref(), Some(&proposal));
/// assert_eq!(reviews.proposals(&[fair]).await?, [proposal]);
/// assert_eq!(reviews.proposals_sent("hash of an address", at("2030-01-01 11:59:59")).await?, [noon]);
/// assert_eq!(reviews.open_proposals(None).await?, 1);
/// assert!(reviews.close_proposal(fair, noon).await?);
/// assert_eq!(reviews.open_proposals(Some("hash of a network".to_owned())).await?, 0);
/// assert_eq!(reviews.prune_proposals(noon).await?, 1);
/// unit.commit().await?;
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait ReviewRepository: Send + Sync {
    /// The remarks on these events, in the order of the IDs of events.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn remarks(&self, events: &[EventId]) -> Result<Vec<EventRemark>, StoreError>;

    /// Stores the remark on an event, in place of a former one. It is deleted with its event.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn put_remark(&self, remark: &EventRemark) -> Result<(), StoreError>;

    /// Deletes the remark on an event. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn end_remark(&self, event: EventId) -> Result<bool, StoreError>;

    /// Stores the time at which an event was verified, in place of a former one. It is deleted with its event. The event
    /// itself MUST NOT change, nor its revision.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn verify(&self, event: EventId, at: Timestamp) -> Result<(), StoreError>;

    /// The times at which these events were verified, in the order of the IDs of events.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn verified(&self, events: &[EventId]) -> Result<Vec<(EventId, Timestamp)>, StoreError>;

    /// The events of an author that are [to be verified](domain::Event::is_to_be_verified), by the time of their last
    /// change and their IDs, at most `limit`.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn to_verify(
        &self,
        author: UserId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<EventId>, StoreError>;

    /// Stores a proposal of a visitor. It is deleted with its event.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn add_proposal(&self, proposal: &Proposal) -> Result<(), StoreError>;

    /// The proposal with the hash of a link.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn proposal(&self, hash: &str) -> Result<Option<Proposal>, StoreError>;

    /// The proposals that these events are, in the order of the IDs of events.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn proposals(&self, events: &[EventId]) -> Result<Vec<Proposal>, StoreError>;

    /// The times of the proposals of an address after a moment, in order.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn proposals_sent(
        &self,
        address: &str,
        after: Timestamp,
    ) -> Result<Vec<Timestamp>, StoreError>;

    /// The number of proposals that wait for an editor: of a network, or of all.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn open_proposals(&self, network: Option<String>) -> Result<u64, StoreError>;

    /// Closes the proposal that an event is. Returns whether there was an open one.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn close_proposal(&self, event: EventId, at: Timestamp) -> Result<bool, StoreError>;

    /// Deletes the proposals that were closed at a moment or before. Their events stay. Returns their number.
    ///
    /// # Errors
    ///
    /// As for `remarks`.
    async fn prune_proposals(&self, closed: Timestamp) -> Result<u64, StoreError>;
}
