"""The floods. Each returns its failures."""

import json
import pathlib
import resource
import select
import socket
import threading
import time

from server import MB, Server, Watch

GROWTH = 150 * MB
# Permitted growth that stays: caches, database connections, fragmented memory.
LEFT = 40 * MB
EVENTS = "/cal/events/v1/events"


def warm(server: Server):
    """Sends requests until the server has opened its database connections."""
    for _ in range(20):
        server.ask("GET", EVENTS)
    server.ask("POST", "/cal/events/v1/venues", {"venue": "Old Mill"})


def judged(name: str, watch: Watch, growth: int = GROWTH) -> list[str]:
    """Returns the failures after a flood: too much memory, or a failed probe."""
    back = watch.returns_to(LEFT, 60)
    now = watch.server.memory() - watch.before
    print(
        f"  {name}: memory grew by {watch.grown() / MB:.0f} MB from {watch.before / MB:.0f} MB, "
        f"{now / MB:.0f} MB remain; the slowest probe took {watch.slowest * 1000:.0f} ms"
    )
    failures = sorted(set(watch.failures))
    if watch.grown() >= growth:
        failures.append(f"memory grew by {watch.grown() / MB:.0f} MB")
    if not back:
        failures.append(f"after a minute {now / MB:.0f} MB are not returned")
    return failures


def answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Reads one answer with a `Content-Length`."""
    head = b""
    while b"\r\n\r\n" not in head:
        more = connection.recv(65536)
        if not more:
            raise ConnectionError("closed before the answer was whole")
        head += more
    head, body = head.split(b"\r\n\r\n", 1)
    status, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        more = connection.recv(65536)
        if not more:
            raise ConnectionError("closed before the answer was whole")
        body += more
    return int(status.split()[1]), headers, body


def early(program: pathlib.Path) -> list[str]:
    """Requests that the server answers before their body is sent, on reused connections."""
    head = b"POST /cal/events/v1/images HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 4000\r\n\r\n"
    failures, closed = [], 0
    with Server(program) as server:
        connection = server.connect()
        for _ in range(1500):
            try:
                connection.sendall(head)
                time.sleep(0.001)
                connection.sendall(b"x" * 4000)
                status, headers, _ = answer(connection)
                if status != 401:
                    failures.append(f"an upload without credentials was answered {status}")
                if headers.get("connection") == "close":
                    closed += 1
                    connection = server.connect()
            except OSError as error:
                failures.append(repr(error))
                connection = server.connect()
        print(f"  early: {len(failures)} of 1500 requests were lost, {closed} connections were closed with notice")
    return sorted(set(failures))


def send_all(connections: list[socket.socket], message: bytes, seconds: float):
    """Sends a message on many connections at once, as fast as each accepts it."""
    rest = {connection.fileno(): (connection, memoryview(message)) for connection in connections}
    poll = select.epoll()
    for number in rest:
        poll.register(number, select.EPOLLOUT)
    until = time.monotonic() + seconds
    while rest and time.monotonic() < until:
        for number, _ in poll.poll(0.2):
            connection, left = rest[number]
            try:
                left = left[connection.send(left[: 128 * 1024]) :]
            except BlockingIOError:
                continue
            except OSError:
                left = left[:0]
            rest[number] = (connection, left)
            if not left:
                poll.unregister(number)
                del rest[number]
    poll.close()


def bodies(program: pathlib.Path) -> list[str]:
    """Bodies without their last byte."""
    length = 1024 * 1024
    head = (
        f"POST {EVENTS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    ).encode()
    with Server(program) as server:
        warm(server)
        with Watch(server) as watch:
            connections = [server.connect() for _ in range(2000)]
            for connection in connections:
                connection.setblocking(False)
            send_all(connections, head + b"x" * (length - 1), 20)
            time.sleep(0.5)
            # Meanwhile, a client at another address writes.
            status, body = server.ask("POST", "/cal/events/v1/tags", {"name": "calm"}, source="127.0.0.8")
            refused = 0
            for connection in connections:
                try:
                    refused += connection.recv(12).endswith(b"503")
                except OSError:
                    pass
                connection.close()
            print(f"  bodies: {refused} of 2000 were refused with 503")
            failures = judged("bodies", watch)
        if status != 201:
            failures.append(f"a write from another address was answered {status} {body[:200]}")
        if not refused:
            failures.append("no request was refused")
    return failures


def readers(program: pathlib.Path) -> list[str]:
    """Clients that do not read their answers."""
    with Server(program) as server:
        for number in range(50):
            text = f"Part {number}. " + "River and lake. " * 12_000
            # The limit of a request's texts requires a second request.
            status, body = server.ask("POST", EVENTS, event(number, text))
            if status == 201:
                path = f"{EVENTS}/{json.loads(body)['id']}"
                status, body = server.ask("PUT", path, {"excerpt": text})
            if status != 200:
                return [f"an event was answered {status} {body[:200]}"]
        path = f"{EVENTS}?start_date=2020-01-01&end_date=2040-01-01&per_page=50"
        length = len(server.ask("GET", path, token=False)[1])
        with Watch(server) as watch:
            connections = []
            for number in range(100):
                connection = server.connect()
                # Each URL is another one, so that the response cache answers none.
                connection.sendall(f"GET {path}&x={number} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
                connections.append(connection)
            refused = served = 0
            for connection in connections:
                connection.settimeout(60)
                begin = connection.recv(12, socket.MSG_PEEK)
                refused += begin.endswith(b"503")
                served += begin.endswith(b"200")
            print(f"  readers: of 100 lists of {length / MB:.0f} MB {served} are sent, {refused} are refused")
            for connection in connections:
                connection.close()
            failures = judged("readers", watch)
        if not served or not refused:
            failures.append(f"{served} were served and {refused} refused")
    return failures


def event(number: int, text: str) -> dict:
    """The fields of an event."""
    day = f"2031-01-{number % 28 + 1:02}"
    return {
        "title": f"Event {number}",
        "description": text,
        "start_date": f"{day} 10:00:00",
        "end_date": f"{day} 11:00:00",
    }


def idle(program: pathlib.Path) -> list[str]:
    """Idle connections from one address."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    number = min(10_000, hard // 2 - 200)
    with Server(program) as server:
        warm(server)
        with Watch(server) as watch:
            connections = []
            for _ in range(number):
                connection = server.connect()
                connection.sendall(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n")
                connections.append(connection)
            kept = 0
            for connection in connections:
                status, headers, _ = answer(connection)
                kept += status == 200 and headers.get("connection") != "close"
            each = watch.grown() / number
            # The server answers the same address too.
            status, _ = server.ask("GET", "/healthz")
            for connection in connections:
                connection.close()
            print(f"  idle: {kept} of {number} connections stay open, at {each / 1000:.1f} kB each")
            failures = judged("idle", watch, growth=number * 20_000)
        if kept < number:
            failures.append(f"{kept} of {number} connections stayed open")
        if status != 200:
            failures.append(f"/healthz answers {status} to the same address")
    return failures


def few_files(program: pathlib.Path) -> list[str]:
    """960 connections from one address, nearly all of the 1,024 open files of the server."""
    with Server(program, open_files=1024) as server:
        warm(server)
        with Watch(server) as watch:
            connections = []
            for _ in range(960):
                connection = server.connect()
                connections.append(connection)
            time.sleep(1)
            status, body = server.ask("POST", "/cal/events/v1/tags", {"name": "calm"}, source="127.0.0.8")
            own, _ = server.ask("GET", "/healthz")
            for connection in connections:
                connection.close()
        failures = sorted(set(watch.failures))
        print(f"  few-files: the slowest probe took {watch.slowest * 1000:.0f} ms")
        if status != 201:
            failures.append(f"a write from another address was answered {status} {body[:200]}")
        if own not in (200, 503):
            failures.append(f"/healthz answers {own} to the same address")
    return failures


def stop(program: pathlib.Path) -> list[str]:
    """SIGTERM while clients open a connection for each request."""
    failures: list[str] = []
    answered = 0
    for _ in range(5):
        with Server(program) as server:
            counts: list[int] = []

            def load(counts=counts, server=server):
                number = 0
                while True:
                    try:
                        connection = server.connect(timeout=0.5)
                    except OSError:
                        break  # the server did not accept the connection
                    try:
                        connection.settimeout(10)
                        connection.sendall(f"GET {EVENTS} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
                        status, _, _ = answer(connection)
                        number += 1
                        if status != 200:
                            failures.append(f"answered {status}")
                    except OSError as error:
                        failures.append(repr(error))
                    finally:
                        connection.close()
                counts.append(number)

            clients = [threading.Thread(target=load) for _ in range(16)]
            for client in clients:
                client.start()
            time.sleep(0.5)
            begun = time.monotonic()
            server.stop()
            code = server.process.wait(timeout=15)
            took = time.monotonic() - begun
            for client in clients:
                client.join()
            answered += sum(counts)
            if code != 0 or took > 10:
                failures.append(f"exit code {code} after {took:.1f} s")
    print(f"  stop: {answered} requests were answered, {len(failures)} were not")
    return sorted(set(failures))


CHECKS = {
    "early": early,
    "bodies": bodies,
    "readers": readers,
    "idle": idle,
    "few-files": few_files,
    "stop": stop,
}
