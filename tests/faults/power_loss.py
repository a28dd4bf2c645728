"""Power loss: the files as a cut could have left them, at thousands of positions of a recorded run."""

import bisect
import multiprocessing
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from threading import Thread

import content
import disk
import workload
from recording import Recording, Response, Sync, Write, strace
from server import API, HOST, Client, DoesNotStart, Server

WRITERS = 8
# Writes of each writer in each phase, and which syncs fail: before a kill, before a stop, and after a restart.
PHASES = [(20, ""), (8, ""), (14, "5+3")]

# Images that the server itself opens.
SERVED = 20

# Cuts of each control.
CONTROLS = 20


class Run:
    """A recorded run: its events, its ledger, and the position of each response."""

    def __init__(self, recording: Recording, ledger: workload.Ledger, token: str):
        self.recording, self.ledger, self.token = recording, ledger, token
        self.responses = {}
        for position, event in enumerate(recording.events):
            if isinstance(event, Response):
                self.responses.setdefault(event.name, position)
        self._sorted = sorted(self.responses.values())

    def responses_before(self, position: int) -> int:
        """How many responses were sent before a position."""
        return bisect.bisect_left(self._sorted, position)

    def acknowledged_at(self, position: int):
        """Tells writes whose successful response was sent before a position."""

        def is_acknowledged(write: workload.Write) -> bool:
            # Without a response, as the server was killed, nothing was promised.
            return write.status in (200, 201) and self.responses[write.name] < position

        return is_acknowledged


def record(program: pathlib.Path, folder: pathlib.Path) -> tuple[Run, list[str]]:
    """Runs a server from its first start, with a kill, a recovery and a stop."""
    calendar = folder / "run"
    calendar.mkdir()
    recording, ledger, failures = Recording(calendar), workload.Ledger(), []
    writers: list[workload.Writer] = []
    replayed = None
    for phase, (count, failing) in enumerate(PHASES):
        trace = folder / "trace"
        with Server(program, calendar, strace(trace, failing)) as server:
            if not writers:
                writers = [workload.Writer(number, server, ledger) for number in range(WRITERS)]
            for writer in writers:
                writer.move_to(server)
            threads = workload.run(writers, 10**6 if phase == 0 else count)
            if phase == 0:
                while sum(writer.count for writer in writers) < count * WRITERS and any(map(Thread.is_alive, threads)):
                    time.sleep(0.01)
                server.kill()
            for thread in threads:
                thread.join()
            if phase == 1:
                # The index of searches is merged 2 s after a write.
                time.sleep(2.5)
            server.stop()
        recording.read(trace)
        # The recording is complete if its replay gives the files that are there.
        replayed = replayed or disk.Disk(recording)
        replayed.advance(len(recording.events))
        for path, replay in replayed.current().items():
            if (calendar / path).read_bytes() != replay:
                failures.append(f"the recording of phase {phase + 1} gives another {path} than there is")
    failures += ledger.failures
    run = Run(recording, ledger, server.token)
    for write in ledger.names().values():
        if write.status and write.name not in run.responses:
            failures.append(f"the trace has no response to {write.name}")
    return run, failures


def positions(run: Run, chance: random.Random) -> list[int]:
    """All positions, in an order for cuts: first the end of each sync, before which most is at stake."""
    ends, others = [], []
    for position, event in enumerate(run.recording.events):
        (ends if isinstance(event, Sync) else others).append(position)
    chance.shuffle(others)
    return ends + others


class Judge:
    """Opens images in a folder in memory, and judges each."""

    def __init__(self, run: Run, folder: pathlib.Path, seen: set):
        self.run, self.folder, self.seen = run, folder, seen
        self.tally: Counter = Counter()
        self.failures: list[str] = []

    def judge(self, disk_then: disk.Disk, way, chance: random.Random):
        """Judges an image of a cut, unless an equal one was judged with as many responses."""
        files, digest = disk_then.cut(way, chance)
        judged = digest, self.run.responses_before(disk_then.position)
        if judged in self.seen:
            return
        if digest not in self.seen:
            self.tally["images"] += 1
            self.tally[way.__name__] += 1
        self.seen |= {digest, judged}
        image = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        try:
            disk.save(files, image)
            lost, corrupt = self._compare(image, disk_then.position)
        finally:
            shutil.rmtree(image)
        self.tally["lost"] += bool(lost)
        self.tally["corrupt"] += bool(corrupt)
        self.failures += [f"cut {disk_then.position}, {way.__name__}: {one}" for one in (lost + corrupt)[:2]]

    def __getstate__(self):
        # The process that gets it has the run.
        return self.__dict__ | {"run": None}

    def add(self, other: "Judge"):
        """Adds the results of another one."""
        self.tally += other.tally
        self.failures += other.failures
        self.seen |= other.seen

    def __str__(self) -> str:
        tally = self.tally
        ways = ", ".join(f"{tally[way.__name__]} {way.__name__}" for way in disk.WAYS)
        lost = f"{tally['lost']} with an acknowledged write lost"
        return f"{tally['images']} images ({ways}): {tally['corrupt']} corrupt, {lost}"

    def _compare(self, image: pathlib.Path, position: int) -> tuple[list[str], list[str]]:
        records = content.Records()
        if (image / "calendar.db").exists():
            try:
                records = content.of_files(image, self.tally["images"] % 10 == 0)
            except sqlite3.Error as error:
                return [], [f"corrupt: {error!r}"]
        return content.compare(records, self.run.ledger, self.run.acknowledged_at(position))


# The run, the folder of the images and the disk, which processes share by `fork`.
_shared: tuple = ()


def judge_share(chosen: list[int], seen: set, number: int) -> Judge:
    """Judges the images of cuts at positions, each in all ways, without those seen before."""
    run, folder, honours = _shared
    replayed, judge, chance = disk.Disk(run.recording, honours), Judge(run, folder, seen), random.Random(number)
    for position in chosen:
        replayed.advance(position)
        for way in disk.WAYS if replayed.has_pending() else [disk.none]:
            judge.judge(replayed, way, chance)
    return judge


def judge_all(run: Run, chosen: list[int], folder: pathlib.Path, honours=disk.obeys, least: int = 0) -> Judge:
    """Judges the images of cuts at the first ones of `chosen` positions, until there are `least` of them.

    Without `least`, all positions are cut. There is a process for each processor, at most four.
    """
    global _shared
    _shared = run, folder, honours
    shares, total, chosen = min(os.cpu_count() or 1, 4), Judge(run, folder, set()), list(chosen)
    with multiprocessing.get_context("fork").Pool(shares) as pool:
        while chosen and (not least or total.tally["images"] < least):
            # A cut at the end of a sync has six different images, another one perhaps only one.
            count = len(chosen) if not least else max(50, (least - total.tally["images"]) // 6)
            now, chosen = sorted(chosen[:count]), chosen[count:]
            # Neighbouring cuts have equal images: a share is a part without gaps.
            bounds = [len(now) * number // shares for number in range(shares + 1)]
            parts = [(now[begin:end], total.seen, begin) for begin, end in zip(bounds, bounds[1:])]
            for judge in pool.starmap(judge_share, parts):
                total.add(judge)
    return total


def serve_images(run: Run, chosen: list[int], folder: pathlib.Path, program: pathlib.Path) -> list[str]:
    """Starts the server on images, reads all records from it, and writes one."""
    failures = []
    replayed, chance = disk.Disk(run.recording), random.Random(0)
    for number, position in enumerate(chosen):
        replayed.advance(position)
        way = disk.WAYS[number % len(disk.WAYS)]
        image = pathlib.Path(tempfile.mkdtemp(dir=folder))
        disk.save(replayed.cut(way, chance)[0], image)
        try:
            lost, corrupt = serve_image(run, image, position, program)
        except (DoesNotStart, ConnectionError) as error:
            lost, corrupt = [], [str(error)]
        failures += [f"cut {position}, {way.__name__}, served: {one}" for one in (lost + corrupt)[:2]]
        shutil.rmtree(image)
    return failures


def serve_image(run: Run, image: pathlib.Path, position: int, program: pathlib.Path) -> tuple[list[str], list[str]]:
    # The server makes an administrator with a token if the image has none yet.
    (image / "events-calendar.token").unlink(missing_ok=True)
    with Server(program, image) as server:
        client = Client(server)
        server.token = server.token or run.token
        if client.ask("GET", f"{HOST}/users/me")[0] == 401:
            # The cut was between administrator and token.
            create = ["token", "create", "--user", "admin", "--name", "check"]
            url = f"sqlite://{image}/calendar.db"
            told = subprocess.run([program, "--database-url", url, *create], cwd=image, capture_output=True, text=True)
            server.token = told.stdout.strip()
        status, _, made = client.ask("POST", f"{API}/venues", {"venue": "Hall w99n99 v1"})
        records = content.of_server(client)
        lost, corrupt = content.compare(records, run.ledger, run.acknowledged_at(position), ["w99n99"])
        if status != 201:
            corrupt.append(f"a write is answered by {status}: {made}")
    return lost, corrupt


def normal(run: Run) -> set[int]:
    """The syncs that `synchronous=NORMAL` has: the log is synced after its header, and before a checkpoint."""
    syncs, last, is_header = set(), None, False
    for position, event in enumerate(run.recording.events):
        if isinstance(event, Sync):
            if is_header or not event.path.endswith("-wal"):
                syncs.add(position)
            last = position
        elif isinstance(event, Write) and event.path.endswith("-wal"):
            is_header = event.offset == 0
        elif isinstance(event, Write) and event.path.endswith(".db"):
            syncs.add(last)
    return syncs


def memory() -> str | None:
    """A folder in memory, if there is one with room for some images."""
    folder = "/dev/shm"
    return folder if os.path.isdir(folder) and shutil.disk_usage(folder).free > 200_000_000 else None


def check(program: pathlib.Path, options) -> list[str]:
    """Records a run and judges its images, then those of two controls."""
    with (
        tempfile.TemporaryDirectory(prefix="faults-") as folder,
        tempfile.TemporaryDirectory(prefix="faults-", dir=memory()) as images,
    ):
        begun = time.monotonic()
        run, failures = record(program, pathlib.Path(folder))
        images = pathlib.Path(images)
        kinds = Counter(type(event).__name__ for event in run.recording.events)
        statuses = Counter(write.status for write in run.ledger.names().values())
        done = statuses[200] + statuses[201]
        failed = sum(isinstance(event, Sync) and not event.succeeded for event in run.recording.events)
        print(
            f"  recorded: {done} writes done and {statuses[503]} refused, {kinds['Write']} writes of files,"
            f" {kinds['Sync']} syncs of which {failed} failed, in {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        if failures:
            return failures
        begun = time.monotonic()
        chosen = positions(run, random.Random(options.seed))
        judge = judge_all(run, chosen, images, least=options.images)
        print(f"  {judge}; in {time.monotonic() - begun:.0f} s", flush=True)
        failures = judge.failures
        if judge.tally["images"] < options.images:
            failures.append(f"these are less than {options.images} images")
        begun = time.monotonic()
        syncs = chosen[: kinds["Sync"]]
        few = syncs[:: max(1, len(syncs) // SERVED)][:SERVED]
        failures += serve_images(run, few, images, program)
        print(f"  served: {len(few)} images, in {time.monotonic() - begun:.0f} s", flush=True)
        few = syncs[:: max(1, len(syncs) // CONTROLS)]
        judge = judge_all(run, few, images, disk.ignores)
        print(f"  control without any sync: {judge}", flush=True)
        if not judge.tally["lost"] or not judge.tally["corrupt"]:
            failures.append("without syncs nothing is lost or nothing is corrupt: the check cannot fail")
        judge = judge_all(run, few, images, normal(run).__contains__)
        print(f"  control with the syncs of synchronous=NORMAL: {judge}", flush=True)
        if not judge.tally["lost"] or judge.tally["corrupt"]:
            failures.append("with synchronous=NORMAL nothing is lost or something is corrupt: the check is wrong")
    return failures
