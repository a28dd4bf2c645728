//! The filters of lists of venues and organizers.

use app::place::PlaceQuery;
use domain::{EventId, Kind, search::FieldSearch};

use crate::{
    field::{DefaultValue, Param, Schema, values},
    input::{Input, Reading},
    list::{SEARCH, STATUS, event_id, slugs, statuses},
};

declare! {
    /// The ID of an event: only records linked to it.
    EVENT: Event, Schema::Positive => event_id as EventId;
    /// Only records with linked events, or only others.
    HAS_EVENTS: HasEvents, Schema::LooseBoolean => values::loose_boolean as bool;
    /// Only records of events that start now or later.
    ONLY_WITH_UPCOMING: OnlyWithUpcoming, Schema::LooseBoolean, default(DefaultValue::Flag(false)) => values::loose_boolean as bool;
}

/// The parameters of lists of venues and organizers, without pages.
pub(crate) fn filters() -> Vec<Param> {
    vec![
        SEARCH,
        STATUS,
        EVENT.param,
        HAS_EVENTS.param,
        ONLY_WITH_UPCOMING.param,
    ]
}

/// Reads the filters of a list of venues or organizers.
pub(crate) fn read(input: &mut Input<'_>, kind: Kind, reading: Reading<'_>) -> PlaceQuery {
    PlaceQuery {
        statuses: statuses(input, kind, reading),
        search: input.read(&SEARCH, |value| {
            let search = FieldSearch::parse(values::search(value)?);
            app::fault::check_count(search.words.len())?;
            Ok(search)
        }),
        slugs: slugs(input),
        event: input.take(&EVENT),
        has_events: input.take(&HAS_EVENTS),
        only_with_upcoming: input.take(&ONLY_WITH_UPCOMING).unwrap_or(false),
    }
}
