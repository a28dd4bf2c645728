"""Copies that follow the changes, with what writers know to be true, through any server."""

import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from client import Client, Tally

# Seconds after which a thread hangs.
PATIENCE = 120

# The kinds of records, and the names of their titles.
NAMES = {"event": "title", "venue": "venue", "organizer": "organizer", "category": "name", "tag": "name"}

GONE = "gone"


class Away(Exception):
    """The service does not answer, or refuses the request for the moment."""


class Copy:
    """The records that a caller may list, kept up to date. A copy is used by one thread at a time."""

    def __init__(self, cluster, is_admin: bool):
        self.client = Client(cluster.url, cluster.token, Tally())
        self.is_admin = is_admin
        self.token = None
        self.records: dict[tuple, dict] = {}
        self.expired = Counter()

    def __str__(self):
        return "the copy of " + ("the administrator" if self.is_admin else "anybody")

    def poll(self, server: str) -> str:
        """Applies all changes since the last time, or all records. Returns `walk` or `delta`."""
        while True:
            try:
                if self.token:
                    self._apply(server, f"/changes?per_page=500&sync_token={self.token}", self.records)
                    return "delta"
                records = {}
                self._apply(server, "/changes?per_page=500", records)
                self.records = records
                return "walk"
            except Expired as expired:
                self.expired[expired.reason] += 1
                self.token = None

    def texts(self) -> set[str]:
        return {record[NAMES[kind]] for (kind, _), record in self.records.items()}

    def ask(self, server: str, path: str) -> dict:
        status, _, content = self.client.once(server, "GET", path, authorized=self.is_admin)
        if status == 200:
            return json.loads(content)
        if status == 410:
            raise Expired(json.loads(content)["data"]["reason"])
        raise Away(f"{status} for {path}: {content[:200]!r}")

    def _apply(self, server: str, path: str, records: dict):
        """Applies all pages from a path on. Until the last one, nothing is changed: a batch that is torn comes again."""
        items = []
        while True:
            page = self.ask(server, path)
            items += page["changes"]
            if "sync_token" in page:
                break
            path = page["next_rest_url"].partition("/cal/events/v1")[2]
        keys = [(item["kind"], item["id"]) for item in items]
        if len(set(keys)) != len(keys):
            raise AssertionError(f"{self}: a record came twice")
        for key, item in zip(keys, items):
            if item["action"] == "remove":
                records.pop(key, None)
            else:
                record = item["record"]
                # A count changes without an item.
                record.pop("count", None)
                records[key] = record
        self.token = page["sync_token"]


class Expired(Exception):
    """The token is of no use any more."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


@dataclass
class Story:
    """The states of a record in the order of their writes: texts, `draft` before those that the public does not see,
    or `GONE`; and how many of them are acknowledged."""

    states: list = field(default_factory=list)
    acknowledged: int = 0


class Writers:
    """Writers of records of their own, through some servers, and what they know."""

    def __init__(self, cluster, count: int, servers, most: int | None = None):
        self.cluster, self.servers, self.most = cluster, list(servers), most
        # Texts of other writers are others.
        self.name = f"{random.getrandbits(32):08x}"
        self.stories: dict[tuple, Story] = {}
        self.lock = threading.Lock()
        self.acknowledged = 0
        self.sent = 0
        self.unclear = 0
        self.failures: list[str] = []
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(number,), daemon=True) for number in range(count)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopped.set()
        self.join()

    def join(self):
        for thread in self.threads:
            thread.join(PATIENCE)
            if thread.is_alive():
                self.failures.append("a writer hangs")

    def _run(self, number: int):
        try:
            self._work(number)
        except Exception as error:  # a writer that ends early would write too little
            self.failures.append(f"writer {number}: {type(error).__name__}: {error}")

    def _take(self) -> bool:
        with self.lock:
            self.sent += 1
            return self.most is None or self.sent <= self.most

    def _work(self, number: int):
        client, own, turn = Client(self.cluster.url, self.cluster.token, Tally()), [], 0
        while not self.stopped.is_set() and self._take():
            turn += 1
            text = f"{self.name} by {number} in turn {turn}"
            if len(own) < 4 or (len(own) < 12 and random.random() < 0.2):
                self._create(client, own, text)
            else:
                self._change(client, own, random.choice(own), text)

    def _send(self, client: Client, method: str, path: str, body: dict | None):
        """Status and record of an answer; none if it is unclear whether the write was done."""
        server = random.choice(self.servers)
        try:
            status, _, content = client.once(server, method, path, body)
        except (SystemExit, OSError):
            client.connection = None
            status = 502
        if status in (200, 201):
            return json.loads(content)
        if status not in (502, 503, 504):
            raise RuntimeError(f"{status} for {method} {path}: {content[:200]!r}")
        self.stopped.wait(0.05)
        return None

    def _create(self, client: Client, own: list, text: str):
        kind = random.choice(["event", "event", "event", "venue", "tag"])
        state, body = self._state(kind, text)
        if kind == "event":
            body |= {"start_date": "2085-01-01 10:00", "end_date": "2085-01-01 12:00"}
            venues = [number for key, number in own if key == "venue"]
            if venues:
                body["venue"] = random.choice(venues)
        record = self._send(client, "POST", f"/{kind}s", body)
        if record is None:
            # The record may be there, under an unknown ID.
            self.unclear += 1
            return
        key = (kind, record["id"])
        with self.lock:
            self.stories[key] = Story([state], 1)
            self.acknowledged += 1
        own.append(key)

    @staticmethod
    def _state(kind: str, text: str):
        """A new state, and the fields that make it."""
        if kind == "tag":
            return text, {"name": text}
        status = random.choice(["publish", "publish", "draft"])
        state = text if status == "publish" else f"draft {text}"
        return state, {NAMES[kind]: text, "status": status}

    def _change(self, client: Client, own: list, key: tuple, text: str):
        kind, number = key
        path, story = f"/{kind}s/{number}", self.stories[key]
        if random.random() < 0.1:
            state, method, body = GONE, "DELETE", None
            path += "" if kind == "tag" else "?force=true"
        else:
            (state, body), method = self._state(kind, text), "PUT"
        with self.lock:
            story.states.append(state)
            length = len(story.states)
        answer = self._send(client, method, path, body)
        if answer is None:
            # The write may be done, or not, or be done later. Its record is left alone.
            self.unclear += 1
            own.remove(key)
            return
        with self.lock:
            story.acknowledged = length
            self.acknowledged += 1
        if state == GONE:
            own.remove(key)

    def known(self) -> dict:
        """The numbers of acknowledged states, to be taken before a poll."""
        with self.lock:
            return {key: story.acknowledged for key, story in self.stories.items()}

    def unseen(self, copy: Copy, known: dict) -> list[str]:
        """The acknowledged writes that a copy does not have after a poll."""
        missing = []
        for key, acknowledged in known.items():
            states = self.stories[key].states[acknowledged - 1 :]
            record = copy.records.get(key)
            shown = record[NAMES[key[0]]] if record else None
            if record and copy.is_admin and record.get("status") == "draft":
                shown = f"draft {shown}"
            possible = {None if self._is_hidden(state, copy) else state for state in states}
            if shown not in possible:
                missing.append(f"{copy} has {shown!r} of {key} instead of {states}")
        return missing

    @staticmethod
    def _is_hidden(state: str, copy: Copy) -> bool:
        return state == GONE or (state.startswith("draft ") and not copy.is_admin)


class Readers:
    """Threads that poll copies without a pause, and compare them with what writers know."""

    def __init__(self, copies: list[Copy], servers, writers: Writers):
        self.copies, self.servers, self.writers = copies, list(servers), writers
        self.polls, self.compared, self.away = 0, 0, 0
        self.failures: list[str] = []
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(copy,), daemon=True) for copy in copies]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(PATIENCE)
            if thread.is_alive():
                self.failures.append("a reader hangs")

    def _run(self, copy: Copy):
        try:
            while not self.stopped.is_set() and len(self.failures) < 20:
                self._step(copy)
        except Exception as error:  # a reader that ends early would hide differences
            self.failures.append(f"{copy}: {type(error).__name__}: {error}")

    def _step(self, copy: Copy):
        known = self.writers.known()
        try:
            copy.poll(random.choice(self.servers))
        except (Away, SystemExit, OSError):
            copy.client.connection = None
            self.away += 1
            time.sleep(0.05)
            return
        self.polls += 1
        self.compared += len(known)
        self.failures += self.writers.unseen(copy, known)
        time.sleep(random.random() * 0.05)


def differences(cluster, copies: list[Copy], servers, patience: float = 15) -> list[str]:
    """The copies that a last delta, or a walk after 410, does not make equal to a fresh walk through another server."""
    found = []
    for copy in copies:
        fresh = Copy(cluster, copy.is_admin)
        for one, server in ((copy, servers[0]), (fresh, servers[-1])):
            begun = time.monotonic()
            while True:
                try:
                    one.poll(server)
                    break
                except Away:
                    if time.monotonic() - begun > patience:
                        raise
                    time.sleep(0.05)
        if copy.records != fresh.records:
            keys = [key for key in copy.records | fresh.records if copy.records.get(key) != fresh.records.get(key)]
            key = keys[0]
            found.append(f"{copy} differs in {len(keys)} records: {copy.records.get(key)} instead of {fresh.records.get(key)}")
    return found
