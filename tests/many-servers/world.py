"""The records of one worker, and the expected content of every list and record."""

import itertools
import json
import random
from dataclasses import dataclass
from typing import Any, Callable


@dataclass
class Look:
    """A public URL and its expected content."""

    path: str
    expected: Any
    show: Callable[[int, bytes], Any]
    is_api: bool = True


def of_json(pick: Callable[[Any], Any]) -> Callable[[int, bytes], Any]:
    """Picks a value from a JSON answer; `absent` without a record."""
    return lambda status, content: pick(json.loads(content)) if status == 200 else "absent"


def shown(event: dict) -> tuple:
    """The fields of an event and of its related records that are compared."""
    venue, organizers = event.get("venue"), event.get("organizer")
    return (
        event["title"],
        event["start_date"],
        venue["venue"] if venue else None,
        [one["organizer"] for one in organizers or []],
        [term["name"] for term in event["categories"]],
        [term["name"] for term in event["tags"]],
    )


def of_feed(status: int, content: bytes) -> Any:
    """The confirmed events of a calendar file, without their times."""
    events = []
    for part in content.decode().replace("\r\n ", "").split("BEGIN:VEVENT")[1:]:
        values = {}
        for line in part.splitlines():
            name, _, value = line.partition(":")
            values.setdefault(name.partition(";")[0], []).append(value)
        one = lambda name: values.get(name, [None])[0]
        if one("STATUS") == "CONFIRMED":
            terms = (one("CATEGORIES") or "").split(",")
            events.append((one("SUMMARY"), one("LOCATION"), values.get("CONTACT", []), terms))
    return status, sorted(events)


def in_feed(title, start, venue, organizers, categories, tags) -> tuple:
    """An event as `of_feed` shows it."""
    return title, venue, organizers, categories + tags or [""]


KINDS = {"venue": "venues", "organizer": "organizers", "category": "categories", "tag": "tags"}
NAMES = {"venue": "venue", "organizer": "organizer", "category": "name", "tag": "name"}


class World:
    """Events that share a venue, an organizer, a category and a tag."""

    def __init__(self, number: int, client, write):
        self.number, self.client, self._write = number, client, write
        self.year = 2031 + number
        self.counter = itertools.count(1)
        self.events: dict[int, dict] = {}
        self.beside: dict[str, dict] = {}
        self.last = None
        # The tag and the content of the last answer for each path.
        self.copies: dict[str, tuple[str, bytes]] = {}
        for kind in KINDS:
            self._make("a", kind)
        self._add("a")

    # --- Changes ----------------------------------------------------------------------------------------------------

    def change(self, server: str) -> str:
        """Performs a random write through a server; returns its description."""
        live = [event for event in self.events.values() if event["live"]]
        trashed = [event for event in self.events.values() if not event["live"]]
        dead = [kind for kind, record in self.beside.items() if not record["live"]]
        if dead and random.random() < 0.5:
            return self._revive(server, random.choice(dead))
        choices = [self._add] if len(self.events) < 6 else []
        if live:
            choices += [self._rename, self._move, self._trash]
        if trashed:
            choices += [self._restore]
        if len(self.events) > 2:
            choices += [self._remove]
        choices += [self._rename_beside, self._rename_beside]
        if len(dead) < 2:
            choices += [self._drop_beside]
        return random.choice(choices)(server)

    def _new_name(self, what: str) -> str:
        return f"{what} w{self.number}n{next(self.counter)}"

    def _send(self, server: str, method: str, path: str, body=None):
        content = self._write(self.client, server, method, path, body)
        return json.loads(content)

    def _make(self, server: str, kind: str):
        name = self._new_name(kind.capitalize())
        record = self._send(server, "POST", f"/{KINDS[kind]}", {NAMES[kind]: name})
        self.beside[kind] = {"id": record["id"], "name": name, "live": True}

    def _links(self) -> dict:
        """The links of a new event, without deleted records."""
        of = {kind: [record["id"]] if record["live"] else [] for kind, record in self.beside.items()}
        links = {"categories": of["category"], "tags": of["tag"]}
        if of["venue"]:
            links["venue"] = of["venue"][0]
        if of["organizer"]:
            links["organizer"] = of["organizer"]
        return links

    def _add(self, server: str) -> str:
        for kind in [kind for kind, record in self.beside.items() if not record["live"]]:
            return self._revive(server, kind)
        title = self._new_name("Event")
        start = f"{self.year}-03-{random.randint(1, 28):02} 10:00:00"
        body = {"title": title, "start_date": start, "end_date": start.replace("10:00", "12:00")} | self._links()
        record = self._send(server, "POST", "/events", body)
        self.last = {"id": record["id"], "slug": record["slug"], "title": title, "start": start, "live": True}
        self.events[record["id"]] = self.last
        return "event added"

    def _pick(self, live: bool) -> dict:
        self.last = random.choice([event for event in self.events.values() if event["live"] == live])
        return self.last

    def _rename(self, server: str) -> str:
        event, title = self._pick(True), self._new_name("Event")
        self._send(server, "PUT", f"/events/{event['id']}", {"title": title})
        event["title"] = title
        return "event renamed"

    def _move(self, server: str) -> str:
        event = self._pick(True)
        start = f"{self.year}-04-{random.randint(1, 28):02} 10:00:00"
        body = {"start_date": start, "end_date": start.replace("10:00", "12:00")}
        self._send(server, "PUT", f"/events/{event['id']}", body)
        event["start"] = start
        return "event moved"

    def _trash(self, server: str) -> str:
        event = self._pick(True)
        self._send(server, "DELETE", f"/events/{event['id']}")
        event["live"] = False
        return "event put in the trash"

    def _restore(self, server: str) -> str:
        event = self._pick(False)
        record = self._send(server, "PUT", f"/events/{event['id']}", {"status": "publish"})
        event["live"], event["slug"] = True, record["slug"]
        return "event restored"

    def _remove(self, server: str) -> str:
        event = self.last = random.choice(list(self.events.values()))
        self._send(server, "DELETE", f"/events/{event['id']}?force=true")
        del self.events[event["id"]]
        event["live"] = False
        return "event deleted"

    def _rename_beside(self, server: str) -> str:
        kind = random.choice([kind for kind, record in self.beside.items() if record["live"]])
        record, name = self.beside[kind], self._new_name(kind.capitalize())
        self._send(server, "PUT", f"/{KINDS[kind]}/{record['id']}", {NAMES[kind]: name})
        record["name"] = name
        return f"{kind} renamed"

    def _drop_beside(self, server: str) -> str:
        kind = random.choice([kind for kind, record in self.beside.items() if record["live"]])
        record = self.beside[kind]
        self._send(server, "DELETE", f"/{KINDS[kind]}/{record['id']}")
        record["live"] = False
        return f"{kind} deleted" if kind in ("category", "tag") else f"{kind} put in the trash"

    def _revive(self, server: str, kind: str) -> str:
        """Takes a venue or organizer out of the trash; creates a deleted term again, for all events."""
        if kind in ("venue", "organizer"):
            self._send(server, "PUT", f"/{KINDS[kind]}/{self.beside[kind]['id']}", {"status": "publish"})
            self.beside[kind]["live"] = True
            return f"{kind} restored"
        self._make(server, kind)
        field = KINDS[kind]
        for event in list(self.events.values()):
            self._send(server, "PUT", f"/events/{event['id']}", {field: [self.beside[kind]["id"]]})
        return f"{kind} added"

    # --- Expected answers -------------------------------------------------------------------------------------------

    def _expected(self, event: dict) -> tuple:
        names = {kind: record["name"] if record["live"] else None for kind, record in self.beside.items()}
        listed = {kind: [name] if name else [] for kind, name in names.items()}
        return (
            event["title"], event["start"], names["venue"], listed["organizer"], listed["category"], listed["tag"],
        )

    def looks(self) -> list[Look]:
        """Every list and record that shows these records."""
        live = {number: self._expected(event) for number, event in self.events.items() if event["live"]}
        dates = f"start_date={self.year}-01-01&end_date={self.year}-12-31%2023:59:59&per_page=50"
        list_ = of_json(lambda list_: (list_["total"], {event["id"]: shown(event) for event in list_["events"]}))
        whole = (len(live), live)
        feed = (200, sorted(in_feed(*event) for event in live.values()))
        looks = [
            Look(f"/events.ics?{dates}", feed, of_feed),
            Look(f"/events?{dates}", whole, list_),
            Look(f"/events?{dates}&orderby=title&order=desc", whole, list_),
        ]
        if self.last:
            event = self.last
            expected = live.get(event["id"], "absent")
            looks.append(Look(f"/events/{event['id']}", expected, of_json(shown)))
            if event["live"]:
                looks.append(Look(f"/events/by-slug/{event['slug']}", expected, of_json(shown)))
                found = {event["id"]: expected}
                search = event["title"].replace(" ", "+")
                looks.append(Look(f"/events?search={search}&{dates}", (1, found), list_))
                title = event["title"].encode()
                page = Look(f"/event/{event['slug']}/", True, lambda _, content: title in content, is_api=False)
                looks.append(page)
        for kind, record in self.beside.items():
            looks += self._looks_beside(kind, record, dates, whole, list_)
        return looks

    def _looks_beside(self, kind: str, record: dict, dates: str, whole, list_) -> list[Look]:
        path, name, number = KINDS[kind], NAMES[kind], record["id"]
        search = record["name"].replace(" ", "+")
        of_list = of_json(lambda list_: [one[name] for one in list_[path] if one["id"] == number])
        if not record["live"]:
            return [
                Look(f"/{path}/{number}", "absent", of_json(lambda one: one[name])),
                Look(f"/{path}?search={search}&hide_empty=0", [], of_list),
            ]
        looks = [
            Look(f"/{path}?search={search}&hide_empty=0", [record["name"]], of_list),
            Look(f"/events?{path if kind in ('category', 'tag') else kind}={number}&{dates}", whole, list_),
        ]
        if kind in ("category", "tag"):
            counted = (record["name"], whole[0])
            looks.append(Look(f"/{path}/{number}", counted, of_json(lambda one: (one[name], one["count"]))))
        else:
            looks.append(Look(f"/{path}/{number}", record["name"], of_json(lambda one: one[name])))
        return looks
