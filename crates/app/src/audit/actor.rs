//! The origin of the writes of a task.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use domain::{
    UserId, UserName,
    audit::{AuditAction, AuditChannel, AuditedKind, FieldChange},
    time::Timestamp,
};

use crate::ports::{AuditEntry, Repositories, StoreError};

tokio::task_local! {
    /// The origin of the writes of this task.
    static ACTOR: Arc<Acting>;
}

/// The origin of writes: a request, a command or a job.
///
/// ```
/// use events_calendar_app::audit::Actor;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let request = Actor::request(Some([192, 0, 2, 7].into()), Some("4f2a".to_owned()));
/// assert_eq!(request.act(async { 1 + 1 }).await, 2);
/// assert_eq!(Actor::job("extension of series").act(async { 3 }).await, 3);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Actor {
    channel: AuditChannel,
    name: Option<String>,
    address: Option<IpAddr>,
    request_id: Option<String>,
}

/// An actor, and the user as whom it was identified.
#[derive(Debug)]
struct Acting {
    actor: Actor,
    identified: OnceLock<Identified>,
}

#[derive(Clone, Debug)]
struct Identified {
    user: UserId,
    user_name: Option<UserName>,
    channel: AuditChannel,
    channel_name: Option<String>,
}

impl Actor {
    fn new(channel: AuditChannel, name: Option<String>) -> Self {
        Self {
            channel,
            name,
            address: None,
            request_id: None,
        }
    }

    /// A request of a client at an address. It is a visitor's until credentials are verified.
    pub fn request(address: Option<IpAddr>, id: Option<String>) -> Self {
        Self {
            address,
            request_id: id,
            ..Self::new(AuditChannel::Visitor, None)
        }
    }

    /// A command of the command line.
    pub fn command(name: &str) -> Self {
        Self::new(AuditChannel::Command, Some(name.to_owned()))
    }

    /// A background job.
    pub fn job(name: &str) -> Self {
        Self::new(AuditChannel::Job, Some(name.to_owned()))
    }

    /// Runs work, whose writes have this origin. Work that it spawns as another task has it not.
    pub fn act<F: Future>(self, work: F) -> impl Future<Output = F::Output> {
        let acting = Acting {
            actor: self,
            identified: OnceLock::new(),
        };
        ACTOR.scope(Arc::new(acting), work)
    }

    /// The user of the running request, by whom its writes are from now on, and how the user was identified. Without a
    /// running request, it has no effect.
    ///
    /// ```
    /// use events_calendar_app::audit::Actor;
    /// use domain::{UserId, audit::AuditChannel};
    /// Actor::identify(UserId::from_raw(1), None, AuditChannel::Program, None);
    /// ```
    pub fn identify(
        user: UserId,
        user_name: Option<UserName>,
        channel: AuditChannel,
        channel_name: Option<String>,
    ) {
        // A request is authenticated once.
        let _ = ACTOR.try_with(|acting| {
            acting.identified.set(Identified {
                user,
                user_name,
                channel,
                channel_name,
            })
        });
    }
}

/// Adds an entry of the running request, unless no field changed; `user` is the caller of a use case, or else the user of
/// the request.
pub(crate) async fn add_entry(
    user: Option<UserId>,
    at: Timestamp,
    of: (AuditedKind, i64, i64),
    action: AuditAction,
    changes: Vec<FieldChange>,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    if changes.is_empty() {
        return Ok(());
    }
    unit.audit()
        .add(&entry(user, at, of, action, changes))
        .await
}

fn entry(
    user: Option<UserId>,
    at: Timestamp,
    (kind, record, revision): (AuditedKind, i64, i64),
    action: AuditAction,
    changes: Vec<FieldChange>,
) -> AuditEntry {
    let acting = ACTOR.try_with(Arc::clone).ok();
    let identified = acting.as_ref().and_then(|acting| acting.identified.get());
    let actor = acting.as_ref().map(|acting| &acting.actor);
    let user = user.or(identified.map(|one| one.user));
    let named = identified.filter(|one| Some(one.user) == user);
    let channel = actor.map_or(AuditChannel::Program, |actor| actor.channel);
    AuditEntry {
        number: 0,
        at,
        user,
        user_name: named.and_then(|one| Some(one.user_name.as_ref()?.to_string())),
        channel: identified.map_or(channel, |one| one.channel),
        channel_name: identified
            .and_then(|one| one.channel_name.clone())
            .or_else(|| actor?.name.clone()),
        address: actor.and_then(|actor| Some(actor.address?.to_string())),
        request_id: actor.and_then(|actor| actor.request_id.clone()),
        action,
        kind,
        record,
        revision,
        changes,
    }
}
