"""The program on an SQLite file, under strace."""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

API = "/cal/events/v1"
# The root that a mount adds: it alone lists images.
HOST = "/wp-json/wp/v2"


class Server:
    """A server on the calendar in a folder, until the end of the `with` block.

    With `strace`, the arguments of that program, the server is its child. `kill` and `stop` reach the server, and wait
    until strace has written the whole trace.
    """

    def __init__(self, program: pathlib.Path, folder: pathlib.Path, strace: list | None = None):
        self.folder, self.log = folder, folder.parent / f"{folder.name}.log"
        log = self.log.open("ab")
        self.process = subprocess.Popen(
            [*(["strace", *strace, "--"] if strace else [])]
            + [program, "--database-url", f"sqlite://{folder}/calendar.db", "--listen", "127.0.0.1:0"]
            + ["--mount", "/wp-json/tribe/events/v1", "serve"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        log.close()
        for line in self.process.stdout:
            if found := re.search(r"listening on \S+:(\d+)", line):
                self.port = int(found[1])
                break
        else:
            self.process.wait()
            raise DoesNotStart(self.log.read_text())
        # Drain the output, or the server would block on a full pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.pid = child_of(self.process.pid) if strace else self.process.pid
        token = folder / "events-calendar.token"
        self.token = token.read_text().strip() if token.exists() else ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """Ends the server by SIGKILL, unless it has ended."""
        self._end(signal.SIGKILL)

    def stop(self):
        """Ends the server by SIGTERM, which closes the database."""
        self._end(signal.SIGTERM)

    def _end(self, number: int):
        if self.process.poll() is None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                pass
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def is_alive(self) -> bool:
        """Whether the server runs."""
        return self.process.poll() is None


class DoesNotStart(Exception):
    """The server ended before it listened; the text is its log."""


def child_of(parent: int) -> int:
    """The only child of a process."""
    return int(pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0])


class Client:
    """A client with one persistent connection."""

    def __init__(self, server: Server):
        self.server = server
        self._connection = None

    def ask(self, method: str, path: str, body=None, name: str | None = None) -> tuple[int, dict, object]:
        """Sends a request named `name`; returns status, headers and content of the response.

        Raises `ConnectionError` without a response.
        """
        headers = {"Authorization": f"Bearer {self.server.token}"}
        if name:
            headers["X-Request-Id"] = name
        if isinstance(body, bytes):
            headers["Content-Type"] = "image/png"
            headers["Content-Disposition"] = f'attachment; filename="{name}.png"'
        elif body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            content = response.read()
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(repr(error)) from error
        except OSError as error:
            self.close()
            raise ConnectionError(repr(error)) from error
        if response.getheader("Connection") == "close":
            self.close()
        try:
            return response.status, response.headers, json.loads(content)
        except ValueError:
            return response.status, response.headers, content

    def close(self):
        """Closes the connection; the next request opens another one."""
        if self._connection:
            self._connection.close()
        self._connection = None
