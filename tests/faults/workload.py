"""Writers that note each write and its response."""

import random
import struct
import threading
import zlib
from dataclasses import dataclass, field

from server import API, Client, Server


@dataclass
class Write:
    """A write of one record, and the record after it. `None` is no record."""

    name: str
    key: str
    after: dict | None
    status: int | None = None


@dataclass
class Ledger:
    """All writes, in their order for each record."""

    writes: dict[str, list[Write]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def names(self) -> dict[str, Write]:
        return {write.name: write for writes in self.writes.values() for write in writes}


def event(key: str, version: int, venue: int, gone: str = "") -> dict:
    """An event with its links, as the readers of `content` show it."""
    return {
        "title": f"Event {key} v{version}",
        "description": f"<p>About {key} v{version}</p>",
        "stage": gone or "published",
        "venue": f"Hall {key} v{venue}",
        "organizers": [f"Band {key}"],
        "categories": [f"Kind {key}"],
        "tags": sorted([f"Tag {key}", f"Tag {key} v{version}"]),
        "tickets": [f"Seat {key} v{version}", f"Stand {key} v{version}"],
    }


def body(key: str, version: int) -> dict:
    """The fields of an event that each version changes."""
    return {
        "title": f"Event {key} v{version}",
        "description": f"About {key} v{version}",
        "tags": [f"Tag {key}", f"Tag {key} v{version}"],
        "tickets": [
            {"name": f"{kind} {key} v{version}", "price": str(version), "currency": "EUR"} for kind in ["Seat", "Stand"]
        ],
    }


def links(key: str) -> dict:
    """The fields of a new event alone: its venue, organizer and category are made with it."""
    return {
        "start_date": "2031-03-01 10:00:00",
        "end_date": "2031-03-01 12:00:00",
        "venue": {"venue": f"Hall {key} v1", "city": "Lyon"},
        "organizer": [{"organizer": f"Band {key}"}],
        "categories": [f"Kind {key}"],
    }


def png(seed: int) -> bytes:
    """An image of one pixel with a colour of its own."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0" + seed.to_bytes(3, "big"))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


class Writer:
    """A writer with events of its own."""

    def __init__(self, number: int, server: Server, ledger: Ledger):
        self.number, self.ledger = number, ledger
        self.client = Client(server)
        self.chance = random.Random(number)
        # Of each record: its IDs, its versions of event and venue, and whether it is in the trash.
        self.records: dict[str, dict] = {}
        self.count = 0

    def move_to(self, server: Server):
        """Continues at another server on the same calendar."""
        self.client.close()
        self.client = Client(server)

    def write(self) -> int | None:
        """Sends a random write. Returns its status, or `None` without a response."""
        live = [key for key, record in self.records.items() if not record["gone"]]
        trashed = [key for key, record in self.records.items() if record["gone"]]
        choices = [self.create]
        if len(live) > 2:
            key = self.chance.choice(live)
            choices += [lambda: self.change(key)] * 3 + [lambda: self.rename(key), lambda: self.trash(key)]
        if trashed:
            choices += [lambda: self.purge(trashed[0])]
        if self.count % 11 == 5:
            choices = [self.upload]
        return self.chance.choice(choices)()

    def create(self) -> int | None:
        key = f"w{self.number}n{self.count}"
        status, made = self._send(key, event(key, 1, 1), "POST", "/events", body(key, 1) | links(key))
        if status == 201:
            self.records[key] = {"id": made["id"], "venue_id": made["venue"]["id"], "event": 1, "venue": 1, "gone": ""}
        return status

    def change(self, key: str) -> int | None:
        record = self.records[key]
        record["event"] += 1
        return self._update(key, "PUT", f"/events/{record['id']}", body(key, record["event"]))

    def rename(self, key: str) -> int | None:
        record = self.records[key]
        record["venue"] += 1
        return self._update(key, "PUT", f"/venues/{record['venue_id']}", {"venue": f"Hall {key} v{record['venue']}"})

    def trash(self, key: str) -> int | None:
        record = self.records[key]
        record["gone"] = "trashed"
        return self._update(key, "DELETE", f"/events/{record['id']}")

    def purge(self, key: str) -> int | None:
        record = self.records.pop(key)
        after = {"venue": f"Hall {key} v{record['venue']}"}
        return self._send(key, after, "DELETE", f"/events/{record['id']}?force=true")[0]

    def upload(self) -> int | None:
        content = png(self.number * 10000 + self.count)
        return self._send(f"i{self.number}n{self.count}", {"image": content.hex()}, "POST", "/images", content)[0]

    def _update(self, key: str, method: str, path: str, content=None) -> int | None:
        record = self.records[key]
        after = event(key, record["event"], record["venue"], record["gone"])
        status, _ = self._send(key, after, method, path, content)
        if status != 200:
            # It is unknown whether the write was done, and so what a further one would start from.
            del self.records[key]
        return status

    def _send(self, key: str, after: dict, method: str, path: str, content=None) -> tuple[int | None, object]:
        # The file of an image gets the name of its request.
        write = Write(key if "image" in after else f"{key}-{self.count}", key, after)
        self.count += 1
        self.ledger.writes.setdefault(key, []).append(write)
        try:
            write.status, headers, answer = self.client.ask(method, API + path, content, write.name)
        except ConnectionError:
            return None, None
        is_described = isinstance(answer, dict) and answer.get("code") and answer.get("message")
        if write.status not in (200, 201) and not (
            write.status == 503 and headers.get("Retry-After") and is_described
        ):
            self.ledger.failures.append(f"{write.name} was answered by {write.status}: {answer}")
        return write.status, answer


def run(writers: list[Writer], count: int) -> list[threading.Thread]:
    """Starts threads in which each writer sends writes until one has no response, at most `count`."""

    def work(writer: Writer):
        for _ in range(count):
            if writer.write() is None:
                break

    threads = [threading.Thread(target=work, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    return threads
