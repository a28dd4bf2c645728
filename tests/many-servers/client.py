"""Requests through nginx."""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable

API = "/cal/events/v1"


class Tally:
    """Counts of statuses, and failures, over all clients."""

    def __init__(self):
        self.lock = threading.Lock()
        self.statuses = Counter()
        self.failures: list[str] = []

    def note(self, status: int):
        with self.lock:
            self.statuses[status] += 1

    def fail(self, text: str):
        with self.lock:
            self.failures.append(text)

    def expect_soon(self, text: str, seconds: float, holds: Callable[[], bool]):
        """Waits until a condition holds; `text` is the failure if it does not within `seconds`."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                self.fail(text)
                return
            time.sleep(0.05)


class Client:
    """A client with one persistent connection to nginx."""

    def __init__(self, url: str, token: str, tally: Tally):
        self.url, self.token, self.tally = url, token, tally
        self.connection = None

    def once(self, server: str, method: str, path: str, body=None, key=None, authorized=True, api=True, tag=None):
        """Sends a request; returns status, headers and body of the answer. With a tag, it is a poll."""
        headers = {"X-Server": server}
        if authorized:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        if tag:
            headers["If-None-Match"] = tag
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        for _ in range(2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.url, timeout=30)
            try:
                self.connection.request(method, (API if api else "") + path, body, headers)
                answer = self.connection.getresponse()
                content = answer.read()
                return answer.status, answer.headers, content
            except (http.client.BadStatusLine, ConnectionError):
                self.connection.close()
                self.connection = None
        raise SystemExit("nginx does not answer")

    def ask(self, server: str, method: str, path: str, body=None, key=None, authorized=True):
        """Sends a request; returns status and JSON of the answer. A 5xx is a failure."""
        status, headers, content = self.once(server, method, path, body, key, authorized)
        self.tally.note(status)
        if status >= 500:
            self.tally.fail(f"{status} for {method} {path} from {headers.get('X-Served-By')}: {content[:200]!r}")
        return status, json.loads(content) if content[:1] in b"{[" else None

    def get(self, server: str, path: str):
        """Sends an anonymous `GET`."""
        return self.ask(server, "GET", path, authorized=False)
