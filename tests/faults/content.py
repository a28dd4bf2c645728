"""The records of a calendar, whole or not, read from its files or from a server, and compared with the ledger."""

import pathlib
import re
import sqlite3

from server import API, HOST, Client
from workload import Ledger

KEY = re.compile(r"\b[wi]\d+n\d+\b")


class Records(dict):
    """Records by key. A second record of a key is a failure."""

    def __init__(self):
        super().__init__()
        self.failures: list[str] = []

    def part(self, text: str) -> dict:
        """The record of which a text has the key."""
        found = KEY.search(text)
        if not found:
            self.failures.append(f"{text!r} is of no write")
            return {}
        return self.setdefault(found[0], {})

    def set(self, text: str, **parts):
        record = self.part(text)
        for name, value in parts.items():
            if name in record:
                self.failures.append(f"{text!r} is there twice")
            record[name] = value


def of_files(folder: pathlib.Path, thorough: bool) -> Records:
    """Reads the files of a calendar as SQLite recovers them. Raises `sqlite3.Error` for files that it cannot read."""
    records = Records()
    database = sqlite3.connect(folder / "calendar.db")
    try:
        check = "integrity_check" if thorough else "quick_check"
        if (found := database.execute(f"PRAGMA {check}").fetchall()) != [("ok",)]:
            records.failures.append(f"corrupt: {found[:3]}")
            return records
        if found := database.execute("PRAGMA foreign_key_check").fetchall():
            records.failures.append(f"dangling: {found[:3]}")
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if {"event", "venue", "organizer", "tag", "category", "image", "slug"} <= tables:
            _read(database, folder, records)
    finally:
        database.close()
    return records


def _read(database: sqlite3.Connection, folder: pathlib.Path, records: Records):
    venues = dict(database.execute("SELECT id, title FROM venue"))
    for title in venues.values():
        records.set(title, venue=title)
    lists = {
        "organizers": "SELECT event_id, title FROM event_organizer JOIN organizer ON id = place_id",
        "categories": "SELECT event_id, name FROM event_category JOIN category ON id = term_id",
        "tags": "SELECT event_id, name FROM event_tag JOIN tag ON id = term_id ORDER BY name",
        "tickets": "SELECT event_id, name FROM event_ticket ORDER BY event_id, position",
    }
    linked: dict[str, dict[int, list]] = {}
    for name, query in lists.items():
        for event, text in database.execute(query):
            linked.setdefault(name, {}).setdefault(event, []).append(text)
    for event, title, description, stage, venue in database.execute(
        "SELECT id, title, description, stage, venue_id FROM event"
    ):
        parts = {name: linked.get(name, {}).pop(event, []) for name in lists}
        records.set(title, title=title, description=description, stage=stage, **parts)
        if records.part(title).get("venue") != venues.get(venue):
            records.failures.append(f"{title!r} is at {venues.get(venue)!r}")
    if rest := {name: events for name, events in linked.items() if events}:
        records.failures.append(f"links of no event: {rest}")
    for name, extension in database.execute("SELECT name, format FROM image"):
        file = folder / "media" / f"{name}.{extension}"
        records.set(name.rpartition("/")[2], image=file.read_bytes().hex() if file.exists() else "no file")
    for kind, term in [("category", "event_category"), ("tag", "event_tag")]:
        counted = (
            f"SELECT name FROM {kind} WHERE event_count <> (SELECT COUNT(*) FROM {term}"
            f" JOIN event ON event.id = event_id WHERE term_id = {kind}.id AND stage = 'published')"
        )
        if found := database.execute(counted).fetchall():
            records.failures.append(f"wrong counts: {found[:3]}")
    for kind in ["event", "venue", "organizer", "category", "tag"]:
        unequal = (
            f"SELECT slug, id FROM {kind} WHERE slug IS NOT NULL EXCEPT SELECT slug, record_id FROM slug"
            f" WHERE kind = '{kind}'"
        )
        if found := database.execute(unequal).fetchall():
            records.failures.append(f"{kind} without its slug: {found[:3]}")


def of_server(client: Client) -> Records:
    """Reads all records from a server."""
    records = Records()
    for venue in _all(client, f"{API}/venues", "venues"):
        records.set(venue["venue"], venue=venue["venue"])
    for status, stage in [("publish", "published"), ("trash", "trashed")]:
        for event in _all(client, f"{API}/events?start_date=2031-01-01&end_date=2031-12-31&status={status}", "events"):
            title = event["title"]
            records.set(
                title,
                title=title,
                description=event["description"].strip(),
                stage=stage,
                organizers=[one["organizer"] for one in event["organizer"]],
                categories=[term["name"] for term in event["categories"]],
                tags=sorted(term["name"] for term in event["tags"]),
                tickets=[ticket["name"] for ticket in event["tickets"]],
            )
            if event["venue"]["venue"] != records.part(title).get("venue"):
                records.failures.append(f"{title!r} is at {event['venue']['venue']!r}")
    for image in _all(client, f"{HOST}/media", None):
        status, _, content = client.ask("GET", image["source_url"].partition(f":{client.server.port}")[2])
        key = image["source_url"].rpartition("/")[2]
        records.set(key, image=content.hex() if status == 200 else f"status {status}")
    return records


def _all(client: Client, path: str, member: str | None) -> list[dict]:
    found, page = [], 1
    while True:
        separator = "&" if "?" in path else "?"
        status, headers, content = client.ask("GET", f"{path}{separator}per_page=100&page={page}")
        if status != 200:
            raise ConnectionError(f"{path} is answered by {status}: {content}")
        found += content[member] if member else content
        if page >= int(headers.get("X-TEC-TotalPages") or headers.get("X-WP-TotalPages") or 1):
            return found
        page += 1


def compare(records: Records, ledger: Ledger, is_acknowledged, further=()) -> tuple[list[str], list[str]]:
    """Returns the failures of two sorts: acknowledged writes that are lost, and records that no write left so.

    A record must be as the last acknowledged write of it left it, or as the next one would leave it. The records with
    `further` keys are not compared.
    """
    lost, broken = [], list(records.failures)
    for key, writes in ledger.writes.items():
        count = sum(map(is_acknowledged, writes))
        states = [{}] + [write.after for write in writes]
        found = records.get(key, {})
        if found in states[count : count + 2]:
            continue
        if found in states[:count]:
            lost.append(f"{key} is {found}, and its write {writes[count - 1].name} was acknowledged")
        else:
            broken.append(f"{key} is {found}, which no write left")
    for key in records.keys() - ledger.writes.keys() - set(further):
        broken.append(f"{key} is of no write")
    return lost, broken
