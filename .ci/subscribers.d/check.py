"""Compares what readers of calendar files find in feeds with the JSON of lists."""

import csv
import io
import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from datetime import date, datetime, timedelta, timezone

import feedparser
import icalendar
import recurring_ical_events

API, TOKEN, READER = sys.argv[1:]

# The parts of a list that are compared.
FIELDS = "total_pages," + ",".join(
    f"events.{name}" for name in ("title", "start_date", "end_date", "utc_start_date", "utc_end_date", "all_day", "cancelled"))


# An instant that a reader takes for another one.
AMBIGUOUS = {("ical.js", "2027-10-31T00:30:00Z"): "2027-10-31T01:30:00Z"}


def call(method, path, body=None, **query):
    url = f"{API}{path}"
    if query:
        url += "?" + urllib.parse.urlencode(query)
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    if method != "GET":
        headers["Authorization"] = f"Bearer {TOKEN}"
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
        return answer.read().decode()


def fetch(path, **query):
    return json.loads(call("GET", path, **query))


def write(method, path, body=None):
    return json.loads(call(method, path, body))


def listed(first, last, **filters):
    """The events of a list: (title, start, end, cancelled), by pages of 50."""
    page, events = 1, []
    while True:
        answer = fetch("/events", start_date=first, end_date=last, per_page=50, page=page, _fields=FIELDS, **filters)
        for event in answer["events"]:
            if event["all_day"]:
                end = date.fromisoformat(event["end_date"][:10]) + timedelta(days=1)
                times = (event["start_date"][:10], end.isoformat())
            else:
                times = tuple(event[f"utc_{one}_date"].replace(" ", "T") + "Z" for one in ("start", "end"))
            events.append((plain(event["title"]), *times, bool(event.get("cancelled"))))
        if page >= answer["total_pages"]:
            return sorted(events)
        page += 1


def plain(text):
    return text.replace("&lt;", "<").replace("&gt;", ">")


def moment(value):
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value.isoformat()


def read_by_python(text, first, last):
    calendar = icalendar.Calendar.from_ical(text)
    # The package would move UTC times into that zone before it applies the rule, which RFC 5545 does not.
    del calendar["X-WR-TIMEZONE"]
    for component in calendar.walk():
        assert not component.errors, (component.get("UID"), component.errors)
    events = []
    for event in recurring_ical_events.of(calendar, keep_recurrence_attributes=True).between(first, last):
        start, end = event["DTSTART"].dt, event.end
        cancelled = event.get("STATUS") == "CANCELLED"
        events.append((str(event.get("UID")), str(event.get("SUMMARY", "")), moment(start), moment(end), cancelled))
    return events


def read_by_node(text, first, last):
    with tempfile.NamedTemporaryFile("w", suffix=".ics", newline="") as file:
        file.write(text)
        file.flush()
        read = subprocess.run(["node", READER, file.name, f"{first}T00:00:00Z", f"{last}T00:00:00Z"],
                              check=True, stdout=subprocess.PIPE, text=True)
    return [tuple(event) for event in json.loads(read.stdout)]


def compare(what, first, last, **filters):
    """Compares the events of both readers within days with those of the list."""
    # A feed has whole series, and the list has events that touch its window: the readers see one that is narrower by a
    # day than both.
    inner = (date.fromisoformat(first) + timedelta(days=1), date.fromisoformat(last) - timedelta(days=1))

    def within(event):
        *_, start, end, _ = event
        return start[:10] >= inner[0].isoformat() and end[:10] < inner[1].isoformat()

    expected = [event for event in listed(first, last, **filters) if within(event)]
    assert expected, f"{what}: nothing is listed"
    text = call("GET", "/events.ics", start_date=first, end_date=last, **filters)
    for name, read in (("icalendar", read_by_python), ("ical.js", read_by_node)):
        found = sorted(event[1:] for event in read(text, *inner) if within(event))
        # A wall clock that occurs twice is the first of both (RFC 5545, 3.3.5). For ical.js it is the second.
        wanted = [(title, AMBIGUOUS.get((name, start), start), *rest) for title, start, *rest in expected]
        if found != sorted(wanted):
            for event in sorted(set(found) ^ set(wanted))[:20]:
                print("feed" if event in found else "list", event, file=sys.stderr)
            sys.exit(f"{what}: {name} reads {len(found)} events, the list has {len(expected)}")
    print(f"{what}: {len(expected)} events, the same in the list, in icalendar and in ical.js")


def series(title, start, end, zone, recurrence, **more):
    times = {"start_date": start, "end_date": end, "timezone": zone}
    return write("POST", "/events", {"title": title, "recurrence": recurrence, "categories": ["Series"], **times, **more})


def occurrence(of, day):
    return f"/events/{of['id']}/occurrences/{day}"


# F-02: all conferences, without a warning of a reader.
compare("conferences", "2010-01-01", "2040-01-01")

# events that repeat: rules, extra and deleted dates, changes of time, occurrences of their own, and a split.
jazz = series("Jazz", "2027-03-02 19:00", "2027-03-02 21:00", "Europe/Paris", "FREQ=WEEKLY;COUNT=6")
write("PATCH", occurrence(jazz, "2027-03-09"), {"start_date": "2027-03-10 18:00", "end_date": "2027-03-10 20:00"})
write("DELETE", occurrence(jazz, "2027-03-16"))
write("PATCH", occurrence(jazz, "2027-03-23"), {"cancelled": True})
write("PATCH", occurrence(jazz, "2027-03-30"), {"title": "Trio"})
weekend = "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"
series("Weekend", "2027-02-26 18:00", "2027-02-28 16:00", "Europe/Paris", weekend)
series("Daily over the gap", "2027-03-27 02:30", "2027-03-27 03:30", "Europe/Paris", "FREQ=DAILY;COUNT=3")
series("Daily over the overlap", "2027-10-30 02:30", "2027-10-30 03:00", "Europe/Paris", "FREQ=DAILY;COUNT=3")
series("Days", "2027-04-10", "2027-04-12", "Asia/Tokyo", "FREQ=MONTHLY;COUNT=4", all_day=True)
series("Thanksgiving", "2027-11-25 12:00", "2027-11-25 14:00", "America/New_York", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=3")
series("Month end", "2027-01-31 20:00", "2027-01-31 21:00", "Europe/London", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=12")
series("Workday", "2027-01-29 17:00", "2027-01-29 18:00", "UTC", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4")
series("Not of the rule", "2027-03-10 18:00", "2027-03-10 19:00", "Europe/Paris", "FREQ=WEEKLY;BYDAY=TU;COUNT=3")
series("Dates", "2027-05-04 10:00", "2027-05-04 11:00", "Africa/Casablanca", {"rdate": ["2027-06-01 10:00", "2027-06-15 19:30"]})
endless = series("Endless", "2027-01-05 19:00", "2027-01-05 20:00", "Australia/Lord_Howe", "FREQ=WEEKLY")
write("PATCH", f"{occurrence(endless, '2027-06-01')}?scope=following", {"start_date": "2027-06-01 18:00", "end_date": "2027-06-01 19:00"})
compare("events that repeat", "2027-01-01", "2028-06-01", categories="series")
compare("events that repeat, of one month", "2027-03-01", "2027-03-31", categories="series")

# A change of one event is that of one event for a subscriber.
feed = {"start_date": "2027-07-01", "end_date": "2027-07-31"}
window = (date(2027, 7, 1), date(2027, 7, 31))
fair = write("POST", "/events", {"title": "Fair", "start_date": "2027-07-05 10:00", "end_date": "2027-07-05 12:00",
                                 "timezone": "Europe/Paris", "categories": ["Fairs"]})


def read(**filters):
    text = call("GET", "/events.ics", categories="fairs", **feed, **filters)
    python, node = read_by_python(text, *window), read_by_node(text, *window)
    assert sorted(python) == sorted(node), (python, node)
    return python


[before] = read()
write("PATCH", f"/events/{fair['id']}", {"start_date": "2027-07-06 10:00", "end_date": "2027-07-06 12:00"})
[moved] = read()
assert moved[0] == before[0] and moved[2] == "2027-07-06T08:00:00Z", (before, moved)
write("DELETE", f"/events/{fair['id']}")
[gone] = read()
assert gone[0] == before[0] and gone[1] == "" and gone[4], gone
assert read(cancelled=0) == []
print("an event that was moved is one event; after its deletion it is cancelled")

# The other formats.
years = {"start_date": "2010-01-01", "end_date": "2040-01-01"}
atom = feedparser.parse(call("GET", "/events.atom", **years))
assert not atom.bozo, atom.bozo_exception
newest = fetch("/events", orderby="date", order="desc", expand="false", per_page=50, **years)["events"]
assert [entry.title for entry in atom.entries] == [plain(event["title"]) for event in newest], "Atom"
table = csv.DictReader(io.StringIO(call("GET", "/events.csv", bom=0, categories="series", **years), newline=""))
names = sorted(row["Event Name"] for row in table)
# The series without end has its occurrences up to the horizon, in both.
assert names == sorted(event[0] for event in listed("2010-01-01", "2040-01-01", categories="series")), "CSV"
print(f"Atom: {len(atom.entries)} entries, CSV: {len(names)} rows, as in the lists")
