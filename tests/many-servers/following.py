"""Copies that follow the changes, under many writers, crashes and restored databases."""

import time

from cluster import READS_ELSEWHERE
from mirrors import Copy, Readers, Writers, differences

# The servers that still run after one of them was killed.
LEFT = ("a", READS_ELSEWHERE)

WRITERS = 16
COPIES = 20

KILLS = 3

# Seconds of writes before a crash and after it.
AROUND = 1.5


def copies(cluster, count: int) -> list[Copy]:
    """Copies of anybody and of the administrator."""
    return [Copy(cluster, number % 2 == 1) for number in range(count)]


def many_copies_agree(cluster, writes: int) -> list[str]:
    """Y-38: 20 copies follow 16 writers through three servers. After each delta a copy has all that was acknowledged before
    it, and in the end it is what a fresh walk holds."""
    servers = ("a", "b", READS_ELSEWHERE)
    writers = Writers(cluster, WRITERS, servers, most=writes)
    readers = Readers(copies(cluster, COPIES), servers, writers)
    begun = time.monotonic()
    readers.start()
    writers.start()
    writers.join()
    readers.stop()
    seconds = time.monotonic() - begun
    failures = writers.failures + readers.failures + differences(cluster, readers.copies, servers)
    print(
        f"copies: {writers.acknowledged} writes through three servers in {seconds:.0f} s, {readers.polls} polls of {COPIES} copies, "
        f"{readers.compared} records compared: {len(failures)} differences"
    )
    if writers.acknowledged < writes * 9 // 10 or readers.polls < COPIES:
        failures.append(f"too little was done: {writers.acknowledged} writes, {readers.polls} polls")
    return failures


def copies_survive_crashes(cluster) -> list[str]:
    """Y-37: the primary is killed under writes. The next delta of each copy, or a walk after 410, has all that was
    acknowledged."""
    writers = Writers(cluster, 8, LEFT)
    readers = Readers(copies(cluster, 6), LEFT, writers)
    writers.start()
    readers.start()
    for _ in range(KILLS):
        time.sleep(AROUND)
        cluster.kill_primary()
        cluster.start_killed_primary()
    time.sleep(AROUND)
    writers.stop()
    readers.stop()
    failures = writers.failures + readers.failures + differences(cluster, readers.copies, LEFT)
    expired = sum((copy.expired for copy in readers.copies), start=type(readers.copies[0].expired)())
    print(
        f"crashes: {KILLS} under {writers.acknowledged} writes, {writers.unclear} without an answer, {readers.polls} polls, "
        f"{dict(expired)} expired tokens: {len(failures)} differences"
    )
    if not writers.acknowledged or not readers.away:
        failures.append("nobody noticed a crash")
    return failures


def _write(cluster, writes: int) -> list[str]:
    """Writes through a server. Returns failures."""
    writers = Writers(cluster, 4, ("a",), most=writes)
    writers.start()
    writers.join()
    refused = [] if writers.acknowledged == writes else [f"of {writes} writes, {writers.acknowledged} were accepted"]
    return writers.failures + refused


def _follow(cluster, older: list[Copy], newer: list[Copy]) -> list[str]:
    """Checks copies from before and from after the state of a database that was restored."""
    failures = []
    for copy in newer:
        token, records = copy.token, dict(copy.records)
        for _ in range(2):
            # Again after new writes, which have the numbers of those that are lost.
            copy.token, copy.records = token, dict(records)
            if copy.poll("a") != "walk" or set(copy.expired) != {"unknown"}:
                failures.append(f"{copy} from a lost history: {dict(copy.expired)}")
            failures += _write(cluster, 40)
    for copy in older:
        if copy.poll("a") != "delta":
            failures.append(f"{copy} from before the restored state: {dict(copy.expired)}")
    return failures + differences(cluster, older + newer, LEFT)


def _poll_all(all_copies: list[Copy]):
    for copy in all_copies:
        copy.poll("a")


def a_dump_is_restored(cluster) -> list[str]:
    """Y-36: after a dump was restored, a newer token is 410 `unknown`, and an older one yields all differences."""
    older, newer = copies(cluster, 2), copies(cluster, 2)
    _poll_all(older)
    failures = _write(cluster, 40)
    cluster.dump()
    failures += _write(cluster, 40)
    _poll_all(newer)
    for server in LEFT:
        cluster.stop(server)
    cluster.restore()
    cluster.start(*LEFT)
    failures += _follow(cluster, older, newer)
    print(f"a restored dump: {len(failures)} failures")
    return failures


def the_replica_takes_over(cluster) -> list[str]:
    """Y-36: after a failover that lost commits, a token of a lost state is 410 `unknown`, and an older one yields all
    differences. The servers go on meanwhile."""
    older, newer = copies(cluster, 2), copies(cluster, 2)
    _poll_all(older)
    failures = _write(cluster, 40)
    cluster.replay_all()
    cluster.stop_replica()
    failures += _write(cluster, 40)
    _poll_all(newer)
    lost = Copy(cluster, True)
    lost.poll("a")
    cluster.kill_primary()
    cluster.promote_replica()
    begun = time.monotonic()
    while _write(cluster, 1):
        if time.monotonic() - begun > 30:
            return ["no write is accepted after a failover"]
    failures += _follow(cluster, older, newer)
    fresh = Copy(cluster, True)
    fresh.poll(READS_ELSEWHERE)
    if not lost.texts() - fresh.texts():
        failures.append("the failover lost nothing")
    print(f"a failover that lost commits: {len(failures)} failures")
    return failures
