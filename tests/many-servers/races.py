"""Many clients request the same slugs and terms at once."""

import threading

from client import Client, Tally

AT_ONCE = 24
ROUNDS = 10


def race_for_slugs_and_terms(cluster) -> list[str]:
    """In each round, many clients add an event of one title, with one new venue, organizer, category and tag."""
    tally = Tally()
    failures = []
    for number in range(ROUNDS):
        events = []
        gate = threading.Barrier(AT_ONCE)

        def add():
            client = Client(cluster.url, cluster.token, tally)
            gate.wait()
            status, event = client.ask(
                "all",
                "POST",
                "/events",
                {
                    "title": f"Race {number}",
                    "start_date": "2030-01-01 10:00",
                    "end_date": "2030-01-01 12:00",
                    "venue": {"venue": f"Track {number}"},
                    "organizer": {"organizer": f"Club {number}"},
                    "categories": [f"Sport {number}"],
                    "tags": [f"Fast {number}"],
                },
            )
            if status == 201:
                events.append(event)
            else:
                tally.fail(f"a race was answered {status}: {event}")

        threads = [threading.Thread(target=add) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        slugs = {event["slug"] for event in events}
        wanted = {f"race-{number}"} | {f"race-{number}-{place}" for place in range(2, AT_ONCE + 1)}
        if slugs != wanted:
            failures.append(f"round {number}: the slugs are {sorted(slugs)}")
        for what, of in (
            ("venue", lambda event: event["venue"]),
            ("organizer", lambda event: event["organizer"][0]),
            ("category", lambda event: event["categories"][0]),
            ("tag", lambda event: event["tags"][0]),
        ):
            made = {of(event)["id"] for event in events}
            if len(made) != 1:
                failures.append(f"round {number}: {len(made)} records of one {what}")
        client = Client(cluster.url, cluster.token, tally)
        for kind in ("categories", "tags"):
            _, list_ = client.get("strict", f"/{kind}?search={'Sport' if kind == 'categories' else 'Fast'}+{number}")
            counts = [term["count"] for term in list_[kind] if term["name"].endswith(f" {number}")]
            if counts != [AT_ONCE]:
                failures.append(f"round {number}: {kind} count {counts} events")
    print(f"races: {ROUNDS} rounds of {AT_ONCE} at once: {len(failures)} duplicates, {len(tally.failures)} failures")
    return failures + tally.failures
