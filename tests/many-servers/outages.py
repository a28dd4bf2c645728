"""A replica that stands still, and a primary that goes and comes."""

import threading
import time

from cluster import READS_ELSEWHERE
from client import Client, Tally

# How long what was written through another server may be missing where a replica is read: a second, and the question.
BOUND = 3

# How long a request may wait for the news that the database is away, and how long for it once that is known.
FIRST, LATER = 2, 1

# How soon after the database is back everything works.
BACK = 5

AT_ONCE = 30


def replica_stands_still(cluster) -> list[str]:
    """What is written elsewhere is soon seen by a server whose replica answers, but replays no more."""
    tally = Tally()
    client = Client(cluster.url, cluster.token, tally)
    cluster.sql("replica", "SELECT pg_wal_replay_pause()")
    try:
        _, tag = client.ask("a", "POST", "/tags", {"name": "Standstill"})
        begun = time.monotonic()
        while (status := client.get(READS_ELSEWHERE, f"/tags/{tag['id']}")[0]) != 200:
            if time.monotonic() - begun > BOUND:
                tally.fail(f"a replica that stands still is read: {status} after {BOUND} s")
                break
            time.sleep(0.02)
        print(f"  with a replica that stands still, it took {time.monotonic() - begun:.1f} s until a write was seen")
    finally:
        cluster.sql("replica", "SELECT pg_wal_replay_resume()")
    return tally.failures


def primary_goes_and_comes(cluster) -> list[str]:
    """While the database is away everybody is told so at once; once it is back, nobody is refused for long."""
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
    cluster.stop_primary()
    first, later = burst(FIRST), burst(LATER)
    print(f"  with the database away, {AT_ONCE} requests at once were answered within {first:.1f} s, then within {later:.2f} s")
    status, seconds = ask("POST", "/tags", {"name": "Away"})
    if status != 503 or seconds > LATER:
        tally.fail(f"while the database is away, a write is answered {status} after {seconds:.1f} s")
    cluster.start_primary()
    begun = time.monotonic()
    while ask("POST", "/tags", {"name": f"Back {time.monotonic()}"})[0] != 201:
        if time.monotonic() - begun > BACK:
            tally.fail(f"{BACK} s after the database came back, a write is refused")
            break
        time.sleep(0.05)
    print(f"  it took {time.monotonic() - begun:.1f} s until a write was taken again")
    # Nobody is handed a connection that died meanwhile.
    for number in range(40):
        for method, path, body in (
            ("GET", f"/events?per_page={number + 1}&page=1", None),
            ("POST", "/tags", {"name": f"After {number}"}),
        ):
            status, _ = ask(method, path, body)
            if status >= 500:
                tally.fail(f"after the database came back, {status} for {method} {path}")
    return tally.failures
