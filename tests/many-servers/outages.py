"""A stalled replica, and a primary that stops and returns."""

import http.client
import json
import threading
import time

from cluster import READS_ELSEWHERE
from client import API, Client, Tally

# Seconds for which a server that reads from a replica may miss a write of another server: 1 s and the check itself.
BOUND = 3

# Seconds within which requests are answered after the loss of the database, and once the circuit breaker is open.
FIRST, LATER = 2, 1

# Seconds within which writes succeed after the return of the database.
BACK = 5

AT_ONCE = 30

LAG = "events_calendar_replica_lag_bytes"


def replica_stands_still(cluster) -> list[str]:
    """A server whose replica answers, but no longer replays, shows writes of other servers within `BOUND` seconds.

    Its metrics tell how many bytes the replica has not replayed, until it has.
    """
    tally = Tally()
    client = Client(cluster.url, cluster.token, tally)
    cluster.sql("replica", "SELECT pg_wal_replay_pause()")
    try:
        _, tag = client.ask("a", "POST", "/tags", {"name": "Standstill"})
        begun = time.monotonic()
        while (status := client.get(READS_ELSEWHERE, f"/tags/{tag['id']}")[0]) != 200:
            if time.monotonic() - begun > BOUND:
                tally.fail(f"a stalled replica is read: {status} after {BOUND} s")
                break
            time.sleep(0.02)
        print(f"  with a stalled replica, it took {time.monotonic() - begun:.1f} s until a write was seen")
        tally.expect_soon("a stalled replica has no lag in the metrics", BOUND, lambda: (cluster.metric(LAG) or 0) > 0)
    finally:
        cluster.sql("replica", "SELECT pg_wal_replay_resume()")
    tally.expect_soon("a replica that goes on keeps its lag in the metrics", BOUND, lambda: cluster.metric(LAG) == 0)
    if cluster.metric("events_calendar_replica_up") != 1:
        tally.fail("the metrics say that the replica is away")
    return tally.failures


class Stream:
    """A stream of changes through nginx."""

    def __init__(self, cluster, server: str, last: str | None = None):
        self.connection = http.client.HTTPConnection(cluster.url, timeout=60)
        headers = {"X-Server": server, "Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
        self.connection.request("GET", f"{API}/changes", headers=headers)
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def next(self) -> tuple[str, str | None, dict] | None:
        """Name, ID and data of the next event; none at the end of the stream."""
        fields = {}
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "data" in fields:
                return fields.get("event"), fields.get("id"), json.loads(fields["data"])
        return None


def primary_goes_and_comes(cluster) -> list[str]:
    """Without the database, requests get 503 at once; after its return, requests succeed within `BACK` seconds.

    Y-54: a stream of changes ends; after the return another one goes on from its last ID.
    """
    tally = Tally()

    def ask(method: str, path: str, body=None):
        """Status and duration of a request to a server that reads from no replica."""
        begun = time.monotonic()
        status, headers, _ = Client(cluster.url, cluster.token, tally).once("a", method, path, body)
        if status == 503 and "Retry-After" not in headers:
            tally.fail(f"503 for {method} {path} without Retry-After")
        return status, time.monotonic() - begun

    def burst(patience: float) -> float:
        slowest = []

        def one(number: int):
            status, seconds = ask("GET", f"/events?per_page={number + 1}")
            slowest.append(seconds)
            if status not in (200, 503) or seconds > patience:
                tally.fail(f"while the database is away, {status} after {seconds:.1f} s")

        threads = [threading.Thread(target=one, args=(number,)) for number in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return max(slowest)

    burst(15)  # all connections are open
    stream = Stream(cluster, "a")
    _, last, _ = stream.next()
    cluster.stop_primary()
    first, later = burst(FIRST), burst(LATER)
    print(f"  with the database away, {AT_ONCE} requests at once were answered within {first:.1f} s, then within {later:.2f} s")
    status, seconds = ask("POST", "/tags", {"name": "Away"})
    if status != 503 or seconds > LATER:
        tally.fail(f"while the database is away, a write is answered {status} after {seconds:.1f} s")
    if (event := stream.next()) is not None:
        tally.fail(f"without the database, a stream goes on with {event}")
    for path in (f"/changes?sync_token={last}", f"/changes?sync_token={last}&wait=20"):
        status, headers, _ = Client(cluster.url, cluster.token, tally).once("a", "GET", path, authorized=False)
        if status != 503 or "Retry-After" not in headers:
            tally.fail(f"while the database is away, {status} for {path}")
    if (status := Stream(cluster, "a", last).status) != 503:
        tally.fail(f"while the database is away, {status} for a stream")
    cluster.start_primary()
    begun = time.monotonic()
    while ask("POST", "/tags", {"name": f"Back {time.monotonic()}"})[0] != 201:
        if time.monotonic() - begun > BACK:
            tally.fail(f"{BACK} s after the database came back, a write is refused")
            break
        time.sleep(0.05)
    print(f"  it took {time.monotonic() - begun:.1f} s until a write was accepted again")
    stream = Stream(cluster, "a", last)
    ready, (_, _, change) = stream.next(), stream.next()
    if ready[:2] != ("ready", last) or not change["record"]["name"].startswith("Back "):
        tally.fail(f"after the database came back, a stream goes on with {ready} and {change}")
    # No request gets a broken connection.
    for number in range(40):
        for method, path, body in (
            ("GET", f"/events?per_page={number + 1}&page=1", None),
            ("POST", "/tags", {"name": f"After {number}"}),
        ):
            status, _ = ask(method, path, body)
            if status >= 500:
                tally.fail(f"after the database came back, {status} for {method} {path}")
    return tally.failures
