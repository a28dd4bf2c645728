"""Imports by an editor, while others write and read lists."""

import http.client
import itertools
import json
import pathlib
import threading
import time

from server import Server

EVENTS = "/cal/events/v1/events"
IMPORTS = "/cal/events/v1/imports"
# Longest wait of a write, of the 99th of 100, in seconds.
LONGEST_WAIT = 1.0


def calendar(events: int, rule: str = "") -> bytes:
    """A calendar file with events, each of which may repeat."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//limits//EN"]
    for number in range(events):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{rule}{number}@limits",
            f"DTSTART:2027{number % 12 + 1:02}{number % 28 + 1:02}T090000Z",
            "DURATION:PT1H",
            *([f"RRULE:{rule}"] if rule else []),
            f"SUMMARY:Event {number}",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


def table(rows: int, new_categories: int) -> bytes:
    """A table of events, each with categories of its own."""
    lines = ["title,start_date,end_date,categories"]
    for row in range(rows):
        names = ",".join(f"Category {row}-{number}" for number in range(new_categories))
        lines.append(f'Event {row},2027-04-{row % 28 + 1:02} 09:00,2027-04-{row % 28 + 1:02} 10:00,"{names}"')
    return "\n".join(lines).encode()


# The name of an import, its query, its type and its content.
FILES = [
    ("600 daily series", "?source=a", "text/calendar", calendar(600, "FREQ=DAILY")),
    ("25 daily series, rehearsed", "?source=a&dry_run=1", "text/calendar", calendar(25, "FREQ=DAILY")),
    ("25 daily series", "?source=a", "text/calendar", calendar(25, "FREQ=DAILY")),
    ("1,000 events", "?source=b", "text/calendar", calendar(1000)),
    ("1,000 events, again", "?source=b", "text/calendar", calendar(1000)),
    ("1,000 rows", "?kind=events&source=c", "text/csv", table(1000, 1)),
    ("200 rows with 20 new categories each", "?kind=events&source=d", "text/csv", table(200, 20)),
    ("a line with a million delimiters", "?kind=events&source=e", "text/csv", b"title" + b"," * 1_000_000),
]


class Load:
    """Clients that write and that read lists, until the end of the `with` block."""

    def __init__(self, server: Server, events: list[int]):
        self.server = server
        self.events = events
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.writes: list[float] = []
        self.lists = 0
        self.faults: set[str] = set()
        self.threads = [threading.Thread(target=self.write), *(threading.Thread(target=self.read) for _ in range(2))]

    def __enter__(self):
        self.begun = time.monotonic()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self.begun
        self.done.set()
        for thread in self.threads:
            thread.join()

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)

    def write(self):
        connection = self.connection()
        headers = {"Authorization": f"Bearer {self.server.token}", "Content-Type": "application/json"}
        for number in itertools.count():
            if self.done.wait(0.02):
                return
            path = f"{EVENTS}/{self.events[number % len(self.events)]}"
            begun = time.monotonic()
            connection.request("PUT", path, json.dumps({"title": f"Version {number}"}), headers)
            answer = connection.getresponse()
            answer.read()
            with self.lock:
                self.writes.append(time.monotonic() - begun)
                if answer.status != 200:
                    self.faults.add(f"a write was answered {answer.status}")

    def read(self):
        connection = self.connection()
        for number in itertools.count():
            if self.done.is_set():
                return
            connection.request("GET", f"{EVENTS}?per_page=20&start_date=2027-0{number % 9 + 1}-01")
            answer = connection.getresponse()
            answer.read()
            with self.lock:
                self.lists += 1
                if answer.status != 200:
                    self.faults.add(f"a list was answered {answer.status}")

    def wait(self) -> float:
        """The duration of the 99th of 100 writes, in seconds."""
        return sorted(self.writes)[len(self.writes) * 99 // 100]


def check(program: pathlib.Path) -> list[str]:
    """Returns the faults: each import ends with a report or is refused, and lets other writes in."""
    failures = []
    with Server(program) as server:
        made = []
        for number in range(50):
            fields = {"title": "Event", "start_date": f"2027-03-{number % 28 + 1:02}", "end_date": "2027-04-10"}
            made.append(json.loads(server.ask("POST", EVENTS, fields)[1])["id"])
        for name, query, media_type, content in FILES:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            headers = {"Authorization": f"Bearer {server.token}", "Content-Type": media_type}
            with Load(server, made) as alone:
                time.sleep(2)
            rate = alone.lists / alone.seconds
            with Load(server, made) as load:
                begun = time.monotonic()
                connection.request("POST", IMPORTS + query, content, headers)
                answer = connection.getresponse()
                report = json.loads(answer.read())
                took = time.monotonic() - begun
                # A short import needs writes beside it, too.
                time.sleep(max(0.0, 0.5 - took))
            share = load.lists / load.seconds / rate
            taken = report.get("created", 0) + report.get("updated", 0) + report.get("unchanged", 0)
            print(
                f"  {name}: {answer.status} after {took:.1f} s, {taken} taken; writes {load.wait() * 1000:.0f} ms "
                f"(99 %; {alone.wait() * 1000:.0f} ms before); lists {share * 100:.0f} % of {rate:.0f}/s"
            )
            failures += [f"{name}: {fault}" for fault in alone.faults | load.faults]
            if answer.status not in (200, 413):
                failures.append(f"{name}: answered {answer.status}")
            if load.wait() > LONGEST_WAIT:
                failures.append(f"{name}: a write waited {load.wait():.1f} s")
    return failures
