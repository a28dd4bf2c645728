"""Uses the Python client that openapi-python-client generated from the document: every answer becomes a typed value.

client.py API TOKEN, with the package `events_calendar_client` on the path.
"""

import sys

from events_calendar_client import AuthenticatedClient, Client
from events_calendar_client.api.categories import create_category
from events_calendar_client.api.events import create_event, list_events, put_event, read_event, update_event
from events_calendar_client.api.venues import read_venue
from events_calendar_client.models import (
    CategoryCreate,
    Event,
    EventCreate,
    EventCreateForm,
    EventList,
    EventUpdate,
    Image,
    ReadEventResponse404,
    Term,
    TicketFields,
    Venue,
    VenueCreate,
)
from events_calendar_client.types import UNSET


def expect(condition: bool, what: object) -> None:
    if not condition:
        sys.exit(f"not as expected: {what}")


api, token = sys.argv[1:]
anonymous = Client(base_url=api, raise_on_unexpected_status=True)
admin = AuthenticatedClient(base_url=api, token=token, raise_on_unexpected_status=True)

categories = []
for name in ("Outdoor", "Music"):
    category = create_category.sync(client=admin, body=CategoryCreate(name=f"{name} of a client"))
    expect(isinstance(category, Term), category)
    categories.append(category.id)

# Create, with a field of each type; unset fields are not sent.
made = create_event.sync(
    client=admin,
    body=EventCreate(
        title="By a client",
        start_date="2031-04-17 09:00:00",
        end_date="2031-04-17 12:00:00",
        categories=[categories[0]],
        venue=VenueCreate(venue="Of a client", city="Lyon"),
        cost=["€4", 9.5],
        tickets=[TicketFields(name="Seat", price="12.50", currency="EUR")],
    ),
)
expect(isinstance(made, Event), made)
expect(isinstance(made.venue, Venue) and made.venue.city == "Lyon", made.venue)
expect(made.image is False and made.all_day is False, made)
expect(made.cost_details.values == ["4", "9.5"], made.cost_details)
expect(made.tickets[0].price == "12.50" and made.ticketed is True, made.tickets)
expect(made.json_ld is UNSET, made.json_ld)
by_form = create_event.sync(
    client=admin,
    body=EventCreateForm.from_dict(
        {"title": "By a form", "start_date": "2031-04-18", "end_date": "2031-04-18", "categories": categories}
    ),
)
expect(isinstance(by_form, Event) and by_form.venue == [], by_form)
expect([term.id for term in by_form.categories] == sorted(categories, reverse=True), by_form.categories)

# List, with two categories as a repeated parameter.
for wanted, found in ((categories, [made.id, by_form.id]), ([categories[1]], [by_form.id])):
    listed = list_events.sync(client=anonymous, categories=wanted, start_date="2031-01-01", end_date="2031-12-31")
    expect(isinstance(listed, EventList), listed)
    expect([event.id for event in listed.events] == found and listed.total == len(found), listed)

# Read.
read = read_event.sync(made.id, client=anonymous)
expect(isinstance(read, Event) and read.json_ld is not UNSET, read)
expect(read.json_ld["offers"][0]["priceCurrency"] == "EUR", read.json_ld)
venue = read_venue.sync(read.venue.id, client=anonymous)
expect(isinstance(venue, Venue) and not isinstance(venue.image, Image), venue)

# Change: `put` and `update` send the set fields, and change no other.
changed = put_event.sync(made.id, client=admin, body=EventUpdate(title="Changed", cost=""))
expect(isinstance(changed, Event) and changed.title == "Changed" and changed.cost == "", changed)
expect(changed.venue.id == read.venue.id and len(changed.tickets) == 1, changed)
changed = update_event.sync(made.id, client=admin, body=EventUpdate(all_day=True))
expect(changed.all_day is True and changed.title == "Changed", changed)

# Read a missing record.
missing = read_event.sync_detailed(999_999, client=anonymous)
expect(missing.status_code == 404 and isinstance(missing.parsed, ReadEventResponse404), missing)
expect(missing.parsed.code == "rest-event-not-found" and missing.parsed.data.status == 404, missing.parsed)
refused = create_event.sync(client=admin, body=EventCreate(title="", start_date="x", end_date="2031-01-01"))
expect(sorted(refused.data.params.to_dict()) == ["start_date", "title"], refused)

print("openapi-python-client: list, read, create, change and 404 are typed values")
