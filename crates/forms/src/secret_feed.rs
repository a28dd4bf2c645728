//! The fields of a new secret feed.

use app::{
    calendar::SecretFeedWrite,
    fault::{BadFields, Fault},
};
use domain::Event;
use serde_json::Value;

use crate::{
    event::OPENING_PASSWORD,
    field::{Param, Schema, values},
    fields::Fields,
    input::{Input, Reading},
    kind::Form,
    list::{Span, WITHDRAWN},
};

declare! {
    /// The name.
    NAME: Name, Schema::Line, required(), example("My drafts") => name as String;
    /// The query of the list that it shows: filters and dates as for the list of events.
    QUERY: Query, Schema::Line, example("status=any&categories=3") => values::line as String;
}

/// The fields of a secret feed.
pub const SECRET_FEED: [Param; 2] = [NAME.param, QUERY.param];

/// Reads a new secret feed. `list` are the fields of its query, which are checked as those of a list.
///
/// ```
/// use app::{site::Site, test_support::at};
/// use domain::policy::Caller;
/// use events_calendar_forms::{Fields, Reading, secret_feed};
/// use serde_json::json;
///
/// let site = Site::default();
/// let reading = Reading { caller: Caller::Anonymous, site: &site, now: at("2030-01-01 09:00:00") };
/// let body = json!({ "name": "Jazz", "query": "tags=jazz" }).as_object().unwrap().clone();
/// let write = secret_feed(&Fields::from_body(body), &Fields::from_query("tags=jazz"), reading)?;
/// assert!(write.list.is_ok());
/// assert!(secret_feed(&Fields::default(), &Fields::default(), reading).is_err());
/// # Ok::<(), app::fault::BadFields>(())
/// ```
///
/// # Errors
///
/// [`BadFields`] for a missing name and for bad values. Faults of the list are a part of the result.
pub fn secret_feed(
    fields: &Fields,
    list: &Fields,
    reading: Reading<'_>,
) -> Result<SecretFeedWrite, BadFields> {
    let mut input = Input::new(fields);
    input.language();
    input.require(&NAME);
    let name = input.take(&NAME);
    let query = input.take(&QUERY);
    input.finish_strict(None)?;
    let mut input = Input::new(list);
    input.language();
    let wanted = Event::read_query(&mut input, reading, Span::Whole);
    input.take(&WITHDRAWN);
    // A feed shows its query to its owner and to administrators, and passwords are never shown.
    input.read(&OPENING_PASSWORD, |_| -> Result<(), Fault> {
        Err(Fault::UnknownField { nearest: None })
    });
    Ok(SecretFeedWrite {
        name: name.unwrap_or_default(),
        query: query.unwrap_or_default(),
        list: input.finish().map(|()| wanted),
    })
}

fn name(value: &Value) -> Result<String, Fault> {
    match values::line(value)? {
        name if name.is_empty() => Err(Fault::Empty),
        name => Ok(name),
    }
}
