"""Failing calls: fsync and pwrite fail under a server that writes, by `strace -e inject`."""

import pathlib
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass

import content
import workload
from server import API, Client, Server

# Writes under each fault.
WRITES = 100

# Faults between two starts of the server.
FAULTS_A_START = 5


@dataclass(frozen=True)
class Fault:
    """Each n-th call of a thread fails. A thread belongs to a connection of the database, and ends with it."""

    calls: str
    error: str
    # The files: the log, the database, or, if empty, all.
    file: str
    nth: int
    # With one writer each write is a commit of its own; several share commits.
    writers: int = 4

    def __str__(self) -> str:
        return f"{self.calls} of {self.file or 'any file'}, {self.error}, one call of {self.nth}"

    def fails_all(self) -> bool:
        """Whether no write can be done: checkpoints alone write into the database."""
        return self.nth == 1 and self.file != DATABASE


# A commit writes about 85 times into the log, and syncs it once; a checkpoint writes into the database.
LOG, DATABASE = "calendar.db-wal", "calendar.db"
FAULTS = [
    Fault("fsync", "EIO", LOG, 2),
    Fault("fsync", "EIO", LOG, 5),
    Fault("pwrite64", "EIO", LOG, 52),
    Fault("pwrite64", "EIO", LOG, 300),
    Fault("pwrite64", "ENOSPC", LOG, 150),
    Fault("fsync", "EIO", DATABASE, 1),
    Fault("pwrite64", "ENOSPC", DATABASE, 3),
    Fault("fsync,ftruncate", "EIO", "", 3),
    Fault("fsync", "EIO", "", 1),
    Fault("pwrite64", "ENOSPC", "", 1),
]

EVERY = [
    Fault(calls, error, LOG, nth, writers=1)
    for nth in range(1, 101)
    for calls, error in [("fsync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC")]
]


class Injection:
    """A fault in a running server, until the end of the `with` block."""

    def __init__(self, server: Server, fault: Fault, trace: pathlib.Path):
        self.trace = trace
        self._strace = subprocess.Popen(
            ["strace", "-f", "-p", str(server.pid), "-o", trace, "-e", f"trace={fault.calls}"]
            + ["-e", f"inject={fault.calls}:error={fault.error}:when={fault.nth}+{fault.nth}"]
            + (["-P", server.folder / fault.file] if fault.file else []),
            stderr=subprocess.PIPE,
            text=True,
        )
        # It attaches to all threads before it says so.
        line = self._strace.stderr.readline()
        if "attached" not in line:
            raise SystemExit(f"strace does not attach: {line}")
        threading.Thread(target=self._strace.stderr.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._strace.send_signal(signal.SIGINT)
        self._strace.wait()

    def count(self) -> int:
        """How many calls failed."""
        return self.trace.read_text().count("(INJECTED)")


class Reader:
    """Reads lists and the health all the time, until the end of the `with` block."""

    def __init__(self, server: Server):
        self.failures: set[str] = set()
        self._server, self._done = server, threading.Event()
        self._thread = threading.Thread(target=self._read)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _read(self):
        client = Client(self._server)
        while not self._done.wait(0.05):
            for path in ["/healthz", f"{API}/events", f"{API}/venues?per_page=5"]:
                try:
                    status, _, answer = client.ask("GET", path)
                except ConnectionError as error:
                    status, answer = error, {}
                if status != 200:
                    self.failures.add(f"{path} is answered by {status}: {answer}")


class Trial:
    """A calendar on which faults are tried."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path):
        self.program, self.folder = program, folder
        self.calendar = folder / "calendar"
        self.calendar.mkdir()
        self.ledger = workload.Ledger()
        self.writers = 0

    def run(self, faults: list[Fault]) -> list[str]:
        """Writes under each fault, and after it; then kills and restarts the server."""
        failures: list[str] = []
        with Server(self.program, self.calendar) as server:
            for fault in faults:
                failures += [f"{fault}: {failure}" for failure in self._try(server, fault)]
            before = content.of_server(Client(server))
            server.kill()
        found = self._compared(before) + self._compared(content.of_files(self.calendar, True))
        with Server(self.program, self.calendar) as server:
            after = content.of_server(Client(server))
            server.stop()
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                found.append(f"{key} was {before.get(key)} before the restart, and is {after.get(key)} after it")
        if "panicked" in server.log.read_text():
            found.append("the server panicked")
        return failures + [f"after {', '.join(map(str, faults))}: {failure}" for failure in found]

    def _try(self, server: Server, fault: Fault) -> list[str]:
        failures, begun = [], time.monotonic()
        known = set(self.ledger.names())
        writers, client = [], Client(server)
        for _ in range(fault.writers):
            self.writers += 1
            writers.append(workload.Writer(self.writers, server, self.ledger))
        with Reader(server) as reader:
            with Injection(server, fault, self.folder / "trace") as injection:
                for thread in workload.run(writers, WRITES // fault.writers):
                    thread.join()
                if fault.fails_all():
                    failures += self._says_so(client)
            statuses = Counter(write.status for name, write in self.ledger.names().items() if name not in known)
            # The fault is over.
            for writer in writers:
                if (status := writer.create()) != 201:
                    failures.append(f"after the fault a write is answered by {status}")
            if (answer := client.ask("GET", "/healthz")[2]).get("writes"):
                failures.append(f"after the fault the health is {answer}")
            if (status := client.ask("GET", "/readyz")[0]) != 200:
                failures.append(f"after the fault the readiness is {status}")
        done = statuses[200] + statuses[201]
        print(
            f"  {fault}: {injection.count()} calls failed; {done} writes were done, {statuses[503]} refused;"
            f" {time.monotonic() - begun:.1f} s",
            flush=True,
        )
        if not injection.count():
            failures.append("no call failed")
        if fault.file == DATABASE and statuses[503]:
            failures.append("a checkpoint that failed made a write fail")
        if fault.fails_all() and done:
            failures.append(f"{done} writes were done without a file")
        failures += sorted(reader.failures) + self.ledger.failures
        self.ledger.failures = []
        return failures

    def _says_so(self, client: Client) -> list[str]:
        """While all writes fail, the server says so."""
        failures = []
        status, _, answer = client.ask("GET", "/healthz")
        if status != 200 or answer.get("writes") != "failing":
            failures.append(f"while writes fail the health is {status} {answer}")
        if (status := client.ask("GET", "/readyz")[0]) != 503:
            failures.append(f"while writes fail the readiness is {status}")
        return failures

    def _compared(self, records: content.Records) -> list[str]:
        lost, broken = content.compare(records, self.ledger, lambda write: write.status in (200, 201))
        return lost + broken


def check(program: pathlib.Path, options) -> list[str]:
    """Tries each fault."""
    failures = []
    faults = EVERY if options.every else FAULTS
    for begin in range(0, len(faults), FAULTS_A_START):
        # Each on a calendar of its own: comparisons read all of it.
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            failures += Trial(program, pathlib.Path(folder)).run(faults[begin : begin + FAULTS_A_START])
    return failures
