"""Searches for stale answers: writes through one server, reads at once through another.

Every read is a poll with the entity tag of the last copy, from whichever server that was.
"""

import random
import threading
import time
from collections import Counter

from cluster import READS_ELSEWHERE
from client import Client, Tally
from world import World

# Each worker owns its records, so that it knows the expected answers.
WORKERS = 8

# Pairs of servers: the second must show at once each write through the first. `strict`: any server that does not read
# from the replica.
WAYS = [("a", "b"), ("b", "a"), ("c", "a"), ("c", "b"), ("a", "strict"), (READS_ELSEWHERE, READS_ELSEWHERE)]


class Freshness:
    """The workers and their results."""

    def __init__(self, cluster, seconds: int):
        self.cluster, self.seconds = cluster, seconds
        self.tally = Tally()
        self.ways = list(WAYS)
        self.killed = False
        self.writes, self.compared = Counter(), Counter()
        self.cut_off = 0
        self.stopped = threading.Event()

    def run(self, disturbances) -> list[str]:
        """Runs all workers; meanwhile runs each disturbance at its part of the time."""
        threads = [threading.Thread(target=self._work, args=(number,), daemon=True) for number in range(WORKERS)]
        begun = time.monotonic()
        for thread in threads:
            thread.start()
        for part, name, disturb in disturbances:
            self.stopped.wait(max(0.0, begun + part * self.seconds - time.monotonic()))
            print(f"  after {time.monotonic() - begun:.0f} s {name}")
            if "killed" in name:
                self.killed = True
                disturb()
                self.ways = [way for way in self.ways if "b" not in way]
            else:
                disturb()
        self.stopped.wait(max(0.0, begun + self.seconds - time.monotonic()))
        self.stopped.set()
        for thread in threads:
            thread.join(60)
            if thread.is_alive():
                self.tally.fail("a worker hangs")
        self._report()
        if not self.writes or not all(self.compared[way] for way in WAYS):
            self.tally.fail(f"too little was compared: {dict(self.compared)}")
        return self.tally.failures

    def _work(self, number: int):
        try:
            world = World(number, self._client(), self._write)
            while not self.stopped.is_set():
                self._step(world)
        except Exception as error:  # a worker that ends early would hide stale answers
            self.tally.fail(f"worker {number}: {type(error).__name__}: {error}")

    def _client(self) -> Client:
        return Client(self.cluster.url, self.cluster.token, self.tally)

    def _step(self, world: World):
        writer, reader = way = random.choice(self.ways)
        looks = world.looks()
        # Fill the caches, so that an answer can be stale.
        for look in looks:
            self._answer(world, reader, look)
        kind = world.change(writer)
        self.writes[kind] += 1
        for look in world.looks():
            expected = look.expected
            found = self._answer(world, reader, look)
            self.compared[way] += 1
            if found == expected:
                continue
            again, begun = found, time.monotonic()
            while again != expected and time.monotonic() - begun < 3:
                again = self._answer(world, reader, look)
            heals = f"right after {1000 * (time.monotonic() - begun):.0f} ms" if again == expected else "and stays so"
            self.tally.fail(
                f"stale: {kind} through {writer}, then {look.path} through {reader}: {found} instead of {expected}, {heals}"
            )

    def _answer(self, world: World, reader: str, look):
        """The value of a look, read through a server."""
        for server in (reader, "strict"):
            tag, copy = world.copies.get(look.path, (None, b""))
            status, headers, content = world.client.once(
                server, "GET", look.path, authorized=False, api=look.is_api, tag=tag)
            if status == 502 and self.killed and headers.get("Server", "").startswith("nginx"):
                continue  # nginx chose the killed server
            break
        self.tally.note(status)
        if status == 304:
            status, content = 200, copy
        elif status == 200 and headers.get("ETag"):
            world.copies[look.path] = (headers["ETag"], content)
        if status >= 500:
            self.tally.fail(f"{status} for {look.path} from {headers.get('X-Served-By')}: {content[:200]!r}")
        return look.show(status, content)

    def _write(self, client: Client, server: str, method: str, path: str, body=None):
        """Writes once, even if the server is killed meanwhile."""
        key = f"{random.getrandbits(64):x}" if method == "POST" else None
        for chosen in (server, "a"):
            status, headers, content = client.once(chosen, method, path, body, key)
            if status == 502 and self.killed:
                self.cut_off += 1
                continue
            break
        self.tally.note(status)
        if status >= 500:
            self.tally.fail(f"{status} for {method} {path} from {headers.get('X-Served-By')}: {content[:200]!r}")
        was_done_before = chosen != server and method == "DELETE" and status in (404, 410)
        if status not in (200, 201) and not was_done_before:
            raise RuntimeError(f"{status} for {method} {path} through {chosen}: {content[:300]!r}")
        return content

    def _report(self):
        print(f"freshness: {sum(self.writes.values())} writes in {self.seconds} s, {sum(self.compared.values())} answers compared")
        print("  writes: " + ", ".join(f"{count} {kind}" for kind, count in sorted(self.writes.items())))
        for (writer, reader), count in sorted(self.compared.items()):
            print(f"  written through {writer}, read through {reader}: {count}")
        print(f"  statuses: {dict(sorted(self.tally.statuses.items()))}; cut off by the kill and sent again: {self.cut_off}")
        stale = sum(text.startswith("stale") for text in self.tally.failures)
        print(f"  stale answers: {stale}; other failures: {len(self.tally.failures) - stale}")
