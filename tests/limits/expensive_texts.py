"""A flood of texts that are expensive to parse, sent by anonymous clients and by an administrator."""

import base64
import http.client
import json
import pathlib
import threading
import time

from server import Server

CLIENTS = 64
PATH = "/cal/events/v1/events"


def bodies() -> list[bytes]:
    """Bodies of events with the most expensive texts of their length; the last body has almost a megabyte."""
    dates = {"title": "Dear", "start_date": "tomorrow 10:00", "end_date": "tomorrow 12:00"}
    texts = [
        {"description": piece * (180_000 // len(piece)), "excerpt": piece * (60_000 // len(piece))}
        for piece in ["&", "<b>x</b>", "<b><hr>", "&amp;", "<table><br> "]
    ]
    amps = "&" * 199_000
    venue = {"venue": "Mill", "description": amps}
    organizers = [{"organizer": name, "description": amps} for name in "AB"]
    texts.append({"description": amps, "excerpt": amps, "venue": venue, "organizer": organizers})
    return [json.dumps(dates | text).encode() for text in texts]


class Flood:
    """Clients that send expensive texts repeatedly."""

    def __init__(self, port: int, token: str):
        self.port = port
        self.login = base64.b64encode(f"admin:{token}".encode()).decode()
        self.until = 0.0
        self.lock = threading.Lock()
        self.statuses: dict[int, int] = {}
        self.faults: list[str] = []

    def run(self, number: int, sent: list[bytes]):
        headers = {"Content-Type": "application/json"}
        if number % 8 == 0:
            headers["Authorization"] = f"Basic {self.login}"
        turn = number
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while time.monotonic() < self.until:
            turn += 1
            begun = time.monotonic()
            try:
                connection.request("POST", PATH, sent[turn % len(sent)], headers)
                answer = connection.getresponse()
                answer.read()
            except OSError as error:
                # The server refused the request before its body was sent.
                connection.close()
                self.count(0, "" if isinstance(error, (BrokenPipeError, ConnectionError)) else repr(error))
                continue
            took = time.monotonic() - begun
            fault = ""
            if answer.status not in (201, 400, 401, 429, 503):
                fault = f"an expensive text was answered {answer.status}"
            elif answer.status in (429, 503) and not answer.headers["Retry-After"]:
                fault = f"{answer.status} without Retry-After"
            elif answer.status in (429, 503) and took > 1.5:
                fault = f"refused after {took:.1f} s"
            self.count(answer.status, fault)
        connection.close()

    def count(self, status: int, fault: str):
        with self.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if fault:
                self.faults.append(fault)


def probe(port: int, until: float) -> tuple[list[float], list[str]]:
    """Sends health checks until a time; returns their durations and faults."""
    times, faults = [], []
    while time.monotonic() < until:
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/healthz")
            status = connection.getresponse().status
            if status != 200:
                faults.append(f"health answered {status}")
        except OSError as error:
            faults.append(f"health did not answer: {error!r}")
        finally:
            connection.close()
        times.append(time.monotonic() - begun)
        time.sleep(0.05)
    return times, faults


def check(program: pathlib.Path, seconds: float = 10) -> list[str]:
    """Returns the faults: each health check must be answered within a second, and each text must be answered, or
    refused within 1.5 s with `Retry-After`."""
    with Server(program) as server:
        flood = Flood(server.port, server.token)
        flood.until = time.monotonic() + seconds
        sent = bodies()
        clients = [threading.Thread(target=flood.run, args=(number, sent)) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        times, faults = probe(server.port, flood.until)
        for client in clients:
            client.join()
    faults += flood.faults
    times.sort()
    print(f"  {sum(flood.statuses.values())} expensive texts by status: {dict(sorted(flood.statuses.items()))}")
    middle, longest = times[len(times) // 2] * 1000, times[-1] * 1000
    print(f"  {len(times)} health checks: median {middle:.0f} ms, longest {longest:.0f} ms")
    if longest >= 1000:
        faults.append(f"health took {longest:.0f} ms")
    return faults[:20]
