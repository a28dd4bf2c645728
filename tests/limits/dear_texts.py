#!/usr/bin/env python3
"""A flood of texts that cost much to parse, sent by nobody in particular and by an author: health answers all the while.

  tests/limits/dear_texts.py [--program FILE] [--seconds N]

Starts the program on a SQLite database in a temporary folder. Exits with 1 if one answer to a health check was not 200
or took a second, if a request of the flood was answered with another error than 400, 401, 429 or 503, or if a request
that was turned away waited longer than a second for that or was not told when to come again.
"""

import argparse
import base64
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = 64
PATH = "/cal/events/v1/events"


def bodies() -> list[bytes]:
    """Events whose texts cost as much as texts of that length can, and one of almost a megabyte."""
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


class Server:
    """The program, as it serves a database of its own."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path):
        self.folder = folder
        self.log = open(folder / "log", "w+b")
        environment = os.environ | {
            "EVENTS_CALENDAR_DATABASE_URL": f"sqlite:{folder}/calendar.db",
            "EVENTS_CALENDAR_LISTEN": "127.0.0.1:0",
        }
        self.process = subprocess.Popen(
            [program, "serve"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log
        )
        self.port = self._port()

    def _port(self) -> int:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            text = (self.folder / "log").read_text()
            if "listening on" in text:
                address = text.split("listening on", 1)[1].split()[0]
                digits = address.rsplit(":", 1)[1]
                return int("".join(c for c in digits if c.isdigit()))
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"the program does not start: {(self.folder / 'log').read_text()}")

    def token(self) -> str:
        """The token of its first administrator."""
        return (self.folder / "events-calendar.token").read_text().split()[-1]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Flood:
    """Clients that send dear texts over and over."""

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
                # Turned away before its body was taken.
                connection.close()
                self.count(0, "" if isinstance(error, (BrokenPipeError, ConnectionError)) else repr(error))
                continue
            took = time.monotonic() - begun
            fault = ""
            if answer.status not in (201, 400, 401, 429, 503):
                fault = f"a dear text was answered {answer.status}"
            elif answer.status in (429, 503) and not answer.headers["Retry-After"]:
                fault = f"{answer.status} without Retry-After"
            elif answer.status in (429, 503) and took > 1.5:
                fault = f"turned away after {took:.1f} s"
            self.count(answer.status, fault)
        connection.close()

    def count(self, status: int, fault: str):
        with self.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if fault:
                self.faults.append(fault)


def probe(port: int, until: float) -> tuple[list[float], list[str]]:
    """How long health checks take meanwhile, and which failed."""
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


def built() -> pathlib.Path:
    subprocess.run(["cargo", "build", "--locked", "--package", "server"], cwd=ROOT, check=True)
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug" / "events-calendar"


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--program", type=pathlib.Path, help="the program to check (default: it is built)")
    words.add_argument("--seconds", type=float, default=10, help="how long the flood lasts (default: 10)")
    chosen = words.parse_args()
    program = (chosen.program or built()).resolve()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, pathlib.Path(folder))
        try:
            flood = Flood(server.port, server.token())
            flood.until = time.monotonic() + chosen.seconds
            sent = bodies()
            clients = [threading.Thread(target=flood.run, args=(number, sent)) for number in range(CLIENTS)]
            for client in clients:
                client.start()
            times, faults = probe(server.port, flood.until)
            for client in clients:
                client.join()
        finally:
            server.stop()
    faults += flood.faults
    times.sort()
    print(f"{sum(flood.statuses.values())} dear texts by status: {dict(sorted(flood.statuses.items()))}")
    print(f"{len(times)} health checks: median {times[len(times) // 2] * 1000:.0f} ms, longest {times[-1] * 1000:.0f} ms")
    if times[-1] >= 1:
        faults.append(f"health took {times[-1]:.2f} s")
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
