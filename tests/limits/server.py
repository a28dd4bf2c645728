"""A running server, with measurements of its memory and probes of its health."""

import http.client
import json
import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time

MB = 1_000_000

# The source address of the probes.
PROBE_FROM = "127.0.0.9"


class Server:
    """A server on a new database, until the end of the `with` block."""

    def __init__(self, program: pathlib.Path, open_files: int | None = None):
        self._folder = tempfile.TemporaryDirectory(prefix="limits-")
        folder = pathlib.Path(self._folder.name)

        def limit():
            if open_files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))

        self.log = folder / "log"
        self.process = subprocess.Popen(
            [program, "--database-url", f"sqlite://{folder}/calendar.db", "--listen", "127.0.0.1:0", "serve"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=self.log.open("wb"),
            preexec_fn=limit,
            text=True,
        )
        self.port = 0
        for line in self.process.stdout:
            if found := re.search(r"listening on \S+:(\d+)", line):
                self.port = int(found[1])
                break
        if not self.port:
            raise SystemExit(f"the server does not start: {self.log.read_text()}")
        # Drain the output, or the server would block on a full pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.token = (folder / "events-calendar.token").read_text().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self._folder.cleanup()

    def stop(self) -> int:
        """Sends SIGTERM."""
        self.process.send_signal(signal.SIGTERM)

    def memory(self) -> int:
        """The resident memory of the process, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def connect(self, source: str = "127.0.0.1", timeout: float = 10) -> socket.socket:
        """A connection from an address of this machine."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout, (source, 0))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def ask(self, method: str, path: str, body=None, source: str = "127.0.0.1", token=True) -> tuple[int, bytes]:
        """Sends a request on a connection of its own."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15, source_address=(source, 0))
        headers = {"Authorization": f"Bearer {self.token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        try:
            client.request(method, path, body, headers)
            answer = client.getresponse()
            return answer.status, answer.read()
        finally:
            client.close()


class Watch:
    """Probes a server's health and measures its memory, until the end of the `with` block."""

    def __init__(self, server: Server):
        self.server = server
        self.before = self.highest = server.memory()
        self.slowest = 0.0
        self.failures: list[str] = []
        self._done = threading.Event()
        self._threads = [
            threading.Thread(target=self._probe, args=(path,), daemon=True) for path in ["/healthz", "/livez"]
        ] + [threading.Thread(target=self._measure, daemon=True)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        for thread in self._threads:
            thread.join()

    def _probe(self, path: str):
        while not self._done.wait(0.1):
            begun = time.monotonic()
            try:
                status, _ = self.server.ask("GET", path, source=PROBE_FROM, token=False)
            except OSError as error:
                status = repr(error)
            self.slowest = max(self.slowest, time.monotonic() - begun)
            if status != 200:
                self.failures.append(f"{path} answers {status}")

    def _measure(self):
        while not self._done.wait(0.02):
            self.highest = max(self.highest, self.server.memory())

    def grown(self) -> int:
        """The largest growth of the memory, in bytes."""
        return self.highest - self.before

    def returns_to(self, bytes_more: int, seconds: float) -> bool:
        """Whether the growth of the memory falls to `bytes_more` within `seconds`."""
        until = time.monotonic() + seconds
        while self.server.memory() > self.before + bytes_more:
            if time.monotonic() > until:
                return False
            time.sleep(0.2)
        return True
